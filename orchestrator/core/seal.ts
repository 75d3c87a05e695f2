/**
 * G2: the seal: everything that becomes public by an action, as one canonical text. Its sha256 is
 * what a person approves.
 */
import { z } from 'zod';
import { Assessment, CheckResult, GRADE_LEVELS } from './change-facts.ts';
import { PolicyJudgement, NotCompared } from './judgements.ts';
import { RecordedAnswer } from './contributor-requirements.ts';
import { ContributionRule } from './contribution-rule.ts';

const check = CheckResult.pick({ name: true, command: true, outcome: true }).shape;

/**
 * What stands behind a proposal: our checks, what judges them and is part of the change, and the
 * grade.
 */
export const ProposalEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check'), ...check }),
  z.object({ kind: z.literal('judge'), path: z.string() }),
  /** A check with the base's version of what judges the change. */
  z.object({ kind: z.literal('check_of_base'), ...check }),
  z.object({ kind: z.literal('not_compared'), why: NotCompared }),
  /** What a person answered to what the repository asks of them. */
  z.object({
    kind: z.literal('answer'),
    ...RecordedAnswer.pick({ what: true, text: true, at: true }).shape,
    by: z.string(),
  }),
  z.object({ kind: z.literal('grade'), level: z.enum(GRADE_LEVELS), reasons: z.array(PolicyJudgement) }),
]);
export type ProposalEvidence = z.infer<typeof ProposalEvidence>;

const SealedRule = ContributionRule.pick({ kind: true, value: true, quote: true, file: true });
export type SealedRule = z.infer<typeof SealedRule>;

/**
 * For a push before any pull request, `title` and `body` are the commit message's, and `baseRef` is
 * where it would go.
 */
export const SealFields = z.object({
  action: z.enum(['push', 'open_pr']),
  baseRepoId: z.string(),
  headRepoId: z.string(),
  baseRef: z.string(),
  mergeBase: z.string(),
  headSha: z.string(),
  tree: z.string(),
  diff: z.string(),
  /** The sha256 of what the card says of the diff: paths, lines, modes and findings, as they are kept. */
  diffFacts: z.string().exactOptional(),
  branch: z.string(),
  author: z.string(),
  /** The fingerprint of the key that signed its newest commit; absent where none did. */
  signer: z.string().exactOptional(),
  title: z.string(),
  body: z.string(),
  /** What the description of the open pull request becomes with a push; absent where it stays. */
  pullBody: z.string().exactOptional(),
  /** The same signature pushes the branch first; absent where it was pushed before it was asked for. */
  pushes: z.literal(true).exactOptional(),
  draft: z.boolean(),
  maintainerCanModify: z.boolean(),
  conflicts: z.boolean(),
  policyVersion: z.string(),
  assessment: Assessment,
  evidence: z.array(ProposalEvidence),
  /** What the repository asked of contributions when this was judged. */
  rules: z.array(SealedRule),
});
export type SealFields = z.infer<typeof SealFields>;

export const Proposal = z.object({ digest: z.string(), fields: SealFields });
export type Proposal = z.infer<typeof Proposal>;

/**
 * G2: a pull request that conflicts could not be merged: it is brought onto its base first, and
 * nobody is asked to sign it.
 */
export const isUnsignable = ({ fields }: Proposal, action: SealFields['action']): boolean =>
  action === 'open_pr' && fields.conflicts;

/** JSON with sorted keys: the same value always gives the same text. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined);
    // guard: G2-sorted-keys
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
};

/** One thing that is otherwise than it was approved. */
export const SealDifference = z.discriminatedUnion('kind', [
  /** `from` and `to` are short; empty where they are no words. */
  z.object({ kind: z.literal('field'), field: SealFields.keyof(), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('conflicts') }),
  /** The branch on the code host; null when it is gone. */
  z.object({ kind: z.literal('branch_head'), from: z.string(), to: z.string().nullable() }),
  /** What the repository asks of contributions: new, and no longer there. */
  z.object({ kind: z.literal('rules'), added: z.array(SealedRule), gone: z.array(SealedRule) }),
  /** What the ledger keeps is not what was approved. */
  z.object({ kind: z.literal('kept') }),
]);
export type SealDifference = z.infer<typeof SealDifference>;

const brief = (value: NonNullable<SealFields[keyof SealFields]>): string => {
  if (typeof value === 'object') return '';
  const text = String(value);
  if (/^[0-9a-f]{40,64}$/.test(text)) return text.slice(0, 6);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

const without = (from: SealFields, less: SealFields): SealedRule[] => {
  const known = new Set(less.rules.map(canonicalJson));
  return from.rules.filter((rule) => !known.has(canonicalJson(rule)));
};
const rulesMoved = (approved: SealFields, now: SealFields): SealDifference => ({
  kind: 'rules',
  added: without(now, approved),
  gone: without(approved, now),
});

/**
 * What a person is told of a card that can no longer be used; empty when both seals are equal, and
 * nothing conflicts.
 */
export const whatMoved = (approved: SealFields, now: SealFields): SealDifference[] => {
  const other = SealFields.keyof().options.filter(
    (k) => canonicalJson(approved[k]) !== canonicalJson(now[k]),
  );
  const fields = other.filter((field) => field !== 'rules' && (field !== 'conflicts' || !now.conflicts));
  return [
    ...fields.map((field): SealDifference => ({
      kind: 'field',
      field,
      from: brief(approved[field] ?? ''),
      to: brief(now[field] ?? ''),
    })),
    ...(other.includes('rules') ? [rulesMoved(approved, now)] : []),
    ...(now.conflicts ? [{ kind: 'conflicts' } as const] : []),
  ];
};
