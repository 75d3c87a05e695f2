/**
 * E7, F9: what an agent says of its change besides the summary: claims, each bounded, none of them
 * believed.
 */
import { z } from 'zod';

export const CHANGE_TYPES = [
  'fix',
  'feature',
  'docs',
  'test',
  'refactor',
  'perf',
  'style',
  'build',
  'ci',
  'dependencies',
  'other',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** In characters; what is longer is cut where it is read. */
export const LONGEST_SAID = {
  what: 200,
  why: 1_000,
  tested: 600,
  breaking: 600,
  issue: 60,
  note: 400,
} as const;

const words = (most: number) => z.string().max(most).nullable();

export const Reported = z.object({
  what: words(LONGEST_SAID.what),
  why: words(LONGEST_SAID.why),
  tested: words(LONGEST_SAID.tested),
  type: z.enum(CHANGE_TYPES).nullable(),
  /** What stops working for those who use it. */
  breaking: words(LONGEST_SAID.breaking),
  issue: words(LONGEST_SAID.issue),
  /** One line for those who use it. */
  note: words(LONGEST_SAID.note),
});
export type Reported = z.infer<typeof Reported>;

/** An answer to a reviewer's remark, by its number in the prompt. */
export const ProposedReply = z.object({ to: z.number(), text: z.string().min(1).max(2_000) });
export type ProposedReply = z.infer<typeof ProposedReply>;
export const MOST_REPLIES = 50;

export const NOTHING_SAID: Reported = {
  what: null,
  why: null,
  tested: null,
  type: null,
  breaking: null,
  issue: null,
  note: null,
};

const SYNONYMS: Readonly<Record<string, ChangeType>> = {
  bug: 'fix',
  bugfix: 'fix',
  feat: 'feature',
  enhancement: 'feature',
  documentation: 'docs',
  doc: 'docs',
  tests: 'test',
  refactoring: 'refactor',
  deps: 'dependencies',
  chore: 'other',
};

/** The type under any of its usual names; null for what is none. */
export const typeNamed = (name: string): ChangeType | null => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^performance$/, 'perf');
  return CHANGE_TYPES.find((one) => one === plain) ?? SYNONYMS[plain] ?? null;
};

/**
 * A later report beside those before it. A round that fixes (`isFix`) tells of its own edit: of the
 * whole change it adds what nobody has said yet.
 */
export const laterSaid = (before: Reported, now: Reported, isFix: boolean): Reported => {
  const [first, second] = isFix ? [before, now] : [now, before];
  return {
    what: first.what ?? second.what,
    why: first.why ?? second.why,
    tested: now.tested ?? before.tested,
    type: first.type ?? second.type,
    breaking: first.breaking ?? second.breaking,
    issue: first.issue ?? second.issue,
    note: first.note ?? second.note,
  };
};
