/**
 * What somebody who read a real repository wrote down about it: short quotes and facts, field by
 * field, never whole files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Lines of a file where they stand; what lies between them was left out. */
const Piece = z.strictObject({ line: z.int().min(1), text: z.string() });

/**
 * A command counts as right when it is one of these, run in that folder. Null: the repository has
 * none of this kind.
 */
const Commands = z.array(z.strictObject({ dir: z.string(), any: z.array(z.string()).min(1) })).nullable();

export const RULE_KINDS = [
  ...['ai_ban', 'ai_limited', 'ai_disclosure', 'human_author', 'human_words', 'dco', 'cla', 'template'],
  ...['issue_first', 'changelog', 'base_branch', 'branch_name', 'commit_style', 'language', 'size'],
  ...['label_barred', 'trailer', 'vouch', 'elsewhere', 'other'],
] as const;

const Rule = z.strictObject({
  kind: z.enum(RULE_KINDS),
  /**
   * issue_first: open, accepted, assigned; changelog: file, fragment, changeset; base_branch: its
   * name; branch_name: the pattern in the repository's words; commit_style: conventional,
   * component, not_conventional, other; ai_limited: what is banned; label_barred: the label;
   * trailer: assisted_by, co_author, no_co_author, no_sign_off; language: its name. Values that are
   * equally right stand with a bar between them.
   */
  value: z.string().nullable(),
  /** Readers may differ about this one: right where it is said, no miss where it is not. */
  soft: z.boolean().default(false),
  file: z.string(),
  line: z.int().min(1),
  quote: z.string().max(400),
});

export const Labelled = z.strictObject({
  repo: z.string(),
  branch: z.string(),
  commit: z.string().nullable(),
  /** Paths that matter, and enough of the others that the tree looks as it does. */
  paths: z.array(z.string()).min(1).max(1_500),
  files: z.record(z.string(), z.union([z.string(), z.array(Piece)])),
  /** Files of the owner's `.github` repository, by their path there. */
  ownerFiles: z.record(z.string(), z.union([z.string(), z.array(Piece)])).optional(),
  /** One that ends with a question mark may be said or not; `a|b` is either of the two. */
  ecosystems: z.array(z.string()),
  packageManager: z.array(z.string()),
  install: Commands,
  lint: Commands,
  format: Commands,
  types: Commands,
  test: Commands,
  build: Commands,
  /** Patterns of `folder: command`: what fits one may be said or not. */
  also: z.array(z.string()).default([]),
  rules: z.array(Rule),
  notes: z.string().optional(),
});
export type Labelled = z.infer<typeof Labelled>;

/** The text of a file as it was read, each kept line at its own number. */
export const textOf = (file: Labelled['files'][string]): string => {
  if (typeof file === 'string') return file;
  const lines: string[] = [];
  for (const { line, text } of file) text.split('\n').forEach((one, i) => (lines[line - 1 + i] = one));
  return Array.from(lines, (one: string | undefined) => one ?? '').join('\n');
};

/**
 * `seen` was read while the rules were written, `held` was not. Labels of whole files, which are not
 * ours to publish, lie in a folder elsewhere.
 */
export const readLabelled = (half: 'seen' | 'held', folder = import.meta.dirname): Labelled[] => {
  const dir = join(folder, half);
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => Labelled.parse(JSON.parse(readFileSync(join(dir, name), 'utf8'))));
};
