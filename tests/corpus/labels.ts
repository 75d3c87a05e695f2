/**
 * What somebody who read a real repository wrote down about it: short quotes and facts, field by
 * field, never whole files.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { findNamedGuides } from '../../discovery/contribution-requirements.ts';
import { selectContractFiles } from '../../discovery/discover-contract.ts';

/** Lines of a file where they stand; what lies between them was left out. */
const Piece = z.strictObject({ line: z.int().min(1), text: z.string() });

/**
 * A command counts as right when it is one of these, run in that folder. Null: the repository has
 * none of this kind.
 */
const Commands = z
  .array(z.strictObject({ dir: z.string(), any: z.array(z.string()).min(1) }))
  .nullable()
  .default(null);

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

/** Whole repositories of our own, small enough to be read at once; nobody asks them for rules. */
export const readSmall = (): Labelled[] =>
  z
    .array(Labelled.omit({ branch: true, commit: true, rules: true }))
    .parse(parse(readFileSync(join(import.meta.dirname, 'small.yaml'), 'utf8')))
    .map((label) => ({
      ...label,
      paths: [...Object.keys(label.files), ...label.paths],
      branch: 'main',
      commit: null,
      rules: [],
    }));

const LARGEST_OUTPUT = 256 * 1024 * 1024;
const git = (dir: string, args: readonly string[], input = ''): Buffer =>
  execFileSync('git', ['-C', dir, ...args], { input, maxBuffer: LARGEST_OUTPUT });

/** What `cat-file --batch` answers: a header with a size in bytes before each text, or `missing`. */
const readBlobs = (dir: string, commit: string, paths: readonly string[]): Map<string, string> => {
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const out = git(dir, ['cat-file', '--batch'], input);
  const texts = new Map<string, string>();
  let at = 0;
  for (const path of paths) {
    const end = out.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(out.toString('utf8', at, end))?.[1];
    at = end + 1;
    if (size === undefined) continue;
    texts.set(path, out.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
};

const Stranger = Labelled.omit({ paths: true, files: true, ownerFiles: true });
export const strangerLabels = (
  file = join(import.meta.dirname, 'strangers.yaml'),
): z.infer<typeof Stranger>[] => z.array(Stranger).parse(parse(readFileSync(file, 'utf8')));

/**
 * Repositories of which only facts and short quotes are kept here. Their files are read as a run
 * reads them, from bare repositories in `<folder>/<owner>+<name>/repo`.
 */
export const readStrangers = (snapshots: string, file?: string): Labelled[] =>
  strangerLabels(file).map((label) => {
    const dir = join(snapshots, label.repo.replace('/', '+'), 'repo');
    const commit = label.commit ?? 'HEAD';
    const paths = git(dir, ['ls-tree', '-r', '-z', '--name-only', commit])
      .toString('utf8')
      .split('\0')
      .filter(Boolean);
    const texts = readBlobs(dir, commit, selectContractFiles(paths));
    for (let step = 0; step < 2; step += 1) {
      const named = findNamedGuides(paths, (path) => texts.get(path) ?? null);
      const more = named.filter((path) => !texts.has(path));
      for (const [path, text] of readBlobs(dir, commit, more)) texts.set(path, text);
    }
    return { ...label, paths, files: Object.fromEntries(texts) };
  });
