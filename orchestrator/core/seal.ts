/** G2: the seal: everything that becomes public by an action, as one canonical text. Its sha256 is what a person approves. */
import { z } from 'zod';
import { Assessment, CheckResult } from './facts.ts';
import { GRADES } from './grade.ts';
import { Judgement, NotCompared } from './judgements.ts';

const check = CheckResult.pick({ name: true, command: true, outcome: true }).shape;

/** What stands behind a proposal: our checks, what judges them and is part of the change, and the grade. */
export const Evidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check'), ...check }),
  z.object({ kind: z.literal('judge'), path: z.string() }),
  /** A check with the base's version of what judges the change. */
  z.object({ kind: z.literal('check_of_base'), ...check }),
  z.object({ kind: z.literal('not_compared'), why: NotCompared }),
  z.object({ kind: z.literal('grade'), level: z.enum(GRADES), reasons: z.array(Judgement) }),
]);
export type Evidence = z.infer<typeof Evidence>;

/** For a push before any pull request, `title` and `body` are the commit message's, and `baseRef` is where it would go. */
export const SealFields = z.object({
  action: z.enum(['push', 'open_pr']),
  baseRepoId: z.number(),
  headRepoId: z.number(),
  baseRef: z.string(),
  mergeBase: z.string(),
  headSha: z.string(),
  tree: z.string(),
  diff: z.string(),
  branch: z.string(),
  author: z.string(),
  title: z.string(),
  body: z.string(),
  draft: z.boolean(),
  maintainerCanModify: z.boolean(),
  conflicts: z.boolean(),
  policyVersion: z.string(),
  assessment: Assessment,
  evidence: z.array(Evidence),
});
export type SealFields = z.infer<typeof SealFields>;

export const Proposal = z.object({ digest: z.string(), fields: SealFields });
export type Proposal = z.infer<typeof Proposal>;

/** G2: a pull request that conflicts could not be merged: it is brought onto its base first, and nobody is asked to sign it. */
export const unsignable = ({ fields }: Proposal, action: SealFields['action']): boolean =>
  action === 'open_pr' && fields.conflicts;

/** JSON with sorted keys: the same value always gives the same text. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
};

const words: Record<keyof SealFields, string> = {
  action: 'the action',
  baseRepoId: 'the target repository',
  headRepoId: 'the repository of the branch',
  baseRef: 'the target branch',
  mergeBase: 'the commit the change starts from',
  headSha: 'the head commit',
  tree: 'the files',
  diff: 'the diff',
  branch: 'the branch',
  author: 'the author',
  title: 'the title',
  body: 'the description',
  draft: 'the draft flag',
  maintainerCanModify: 'whether maintainers may push',
  conflicts: 'whether it conflicts with the target',
  policyVersion: 'the policies',
  assessment: 'the assessment',
  evidence: 'the evidence of the checks',
};

const brief = (value: unknown): string => {
  const text = typeof value === 'string' ? value : canonical(value);
  return /^[0-9a-f]{40,64}$/.test(text)
    ? text.slice(0, 6)
    : text.length > 60
      ? `${text.slice(0, 57)}…`
      : text;
};

/** What moved between two seals, in words a person can act on; empty when they are equal. */
export const whatMoved = (approved: SealFields, now: SealFields): string[] =>
  (Object.keys(words) as (keyof SealFields)[])
    .filter((k) => canonical(approved[k]) !== canonical(now[k]))
    .map((k) => `${words[k]} moved: ${brief(approved[k])} → ${brief(now[k])}`);
