/** The seal: everything that an action publishes, as canonical text with a SHA-256 (G2). */
import { z } from 'zod';
import { Assessment, GRADE_LEVELS, objectionsOf, AssessmentReason, NotCompared } from '#model/assessment';
import { CheckResult } from '#model/evidence';
import { RecordedAnswer } from '#model/requirements';
import { ContributionRule } from '#model/contract';
import { PullSetup } from '#model/opening';

const check = CheckResult.pick({ name: true, command: true, outcome: true }).shape;

export const ProposalEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check'), ...check }),
  z.object({ kind: z.literal('check_config'), path: z.string() }),
  z.object({ kind: z.literal('check_of_base'), ...check }),
  z.object({ kind: z.literal('not_compared'), why: NotCompared }),
  z.object({
    kind: z.literal('answer'),
    ...RecordedAnswer.pick({ what: true, text: true, at: true }).shape,
    by: z.string(),
  }),
  z.object({ kind: z.literal('grade'), level: z.enum(GRADE_LEVELS), reasons: z.array(AssessmentReason) }),
]);
export type ProposalEvidence = z.infer<typeof ProposalEvidence>;

const SealedRule = ContributionRule.pick({ kind: true, value: true, quote: true, file: true });
type SealedRule = z.infer<typeof SealedRule>;

/** The commit message gives `title` and `body` before a pull request exists. */
export const SealFields = z.object({
  action: z.enum(['push', 'open_pr']),
  baseRepoId: z.string(),
  headRepoId: z.string(),
  baseRef: z.string(),
  mergeBase: z.string(),
  headSha: z.string(),
  tree: z.string(),
  diff: z.string(),
  /** SHA-256 of the card's facts: paths, lines, modes and findings. */
  diffFacts: z.string().exactOptional(),
  branch: z.string(),
  author: z.string(),
  /** Fingerprint of the key that signed the head; absent when unsigned. */
  signer: z.string().exactOptional(),
  title: z.string(),
  body: z.string(),
  /** New description of the open pull request; absent when it stays. */
  pullBody: z.string().exactOptional(),
  /** The signature also pushes the branch; absent when it was pushed before. */
  pushes: z.literal(true).exactOptional(),
  draft: z.boolean(),
  /** F13: set once it is open; absent when there is nothing to set. */
  setup: PullSetup.exactOptional(),
  maintainerCanModify: z.boolean(),
  conflicts: z.boolean(),
  policyVersion: z.string(),
  assessment: Assessment,
  evidence: z.array(ProposalEvidence),
  rules: z.array(SealedRule),
});
export type SealFields = z.infer<typeof SealFields>;

export const Proposal = z.object({ digest: z.string(), fields: SealFields });
export type Proposal = z.infer<typeof Proposal>;

/** G12: the hash under which a published decision stands in the log that strangers audit. */
export const DecisionLeaf = z.string().regex(/^[0-9a-f]{64}$/);

/** G2: a conflicting pull request is updated first, and nobody is asked to sign it. */
export const isUnsignable = ({ fields }: Proposal, action: SealFields['action']): boolean =>
  action === 'open_pr' && fields.conflicts;

/** JSON with sorted keys, so that equal values give equal text. */
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

export const SealDifference = z.discriminatedUnion('kind', [
  /** Both values are short; empty when they are no text. */
  z.object({ kind: z.literal('field'), field: SealFields.keyof(), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('conflicts') }),
  z.object({ kind: z.literal('branch_head'), from: z.string(), to: z.string().nullable() }),
  z.object({ kind: z.literal('rules'), added: z.array(SealedRule), removed: z.array(SealedRule) }),
  z.object({ kind: z.literal('judgement'), reason: AssessmentReason }),
  /** The stored proposal does not match the approved digest. */
  z.object({ kind: z.literal('stored_proposal') }),
  /** G10: some who approved may not any more; `next`: of whom one is needed. */
  z.object({
    kind: z.literal('signatures'),
    lapsed: z.array(z.string()),
    have: z.number(),
    needed: z.number(),
    next: z.array(z.string()),
  }),
]);
export type SealDifference = z.infer<typeof SealDifference>;

const formatBriefly = (value: NonNullable<SealFields[keyof SealFields]>): string => {
  if (typeof value === 'object') return '';
  const text = String(value);
  if (/^[0-9a-f]{40,64}$/.test(text)) return text.slice(0, 6);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

const rulesWithout = (from: SealFields, less: SealFields): SealedRule[] => {
  const known = new Set(less.rules.map(canonicalJson));
  return from.rules.filter((rule) => !known.has(canonicalJson(rule)));
};
const rulesMoved = (approved: SealFields, now: SealFields): SealDifference => ({
  kind: 'rules',
  added: rulesWithout(now, approved),
  removed: rulesWithout(approved, now),
});

const MAX_NEW_REASONS = 3;
const findNewObjections = (approved: SealFields, now: SealFields): SealDifference[] => {
  const known = new Set(objectionsOf(approved.assessment).map(({ reason }) => canonicalJson(reason)));
  return objectionsOf(now.assessment)
    .filter(({ reason }) => !known.has(canonicalJson(reason)))
    .slice(0, MAX_NEW_REASONS)
    .map(({ reason }) => ({ kind: 'judgement', reason }));
};

/** Empty when both seals are equal and nothing conflicts. */
export const findSealDifferences = (approved: SealFields, now: SealFields): SealDifference[] => {
  const other = SealFields.keyof().options.filter(
    (k) => canonicalJson(approved[k]) !== canonicalJson(now[k]),
  );
  const judged = other.includes('rules') ? [] : findNewObjections(approved, now);
  const fields = other.filter(
    (field) =>
      field !== 'rules' &&
      (field !== 'conflicts' || !now.conflicts) &&
      (field !== 'assessment' || judged.length === 0),
  );
  return [
    ...fields.map((field): SealDifference => ({
      kind: 'field',
      field,
      from: formatBriefly(approved[field] ?? ''),
      to: formatBriefly(now[field] ?? ''),
    })),
    ...judged,
    ...(other.includes('rules') ? [rulesMoved(approved, now)] : []),
    ...(now.conflicts ? [{ kind: 'conflicts' } as const] : []),
  ];
};
