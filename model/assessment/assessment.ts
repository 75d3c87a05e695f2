/** Verdict of the governor on a change or an action, with its reasons (P1). */
import { z } from 'zod';
import { AssessmentReason } from './assessment-reasons.ts';
import { MissingRequirement } from '#model/requirements';
import { CompetingPull } from '#model/pull';
import { RULE_KINDS } from '#model/contract';

export const GRADE_LEVELS = ['PASS', 'NEEDS_REVIEW', 'FAIL'] as const;
export type GradeLevel = (typeof GRADE_LEVELS)[number];

/** A reason with `PASS` informs and changes nothing. */
export const GradeReason = z.object({ level: z.enum(GRADE_LEVELS), reason: AssessmentReason });
export type GradeReason = z.infer<typeof GradeReason>;
export const Grade = z.object({
  level: z.enum(GRADE_LEVELS),
  /** Checks behind the grade; empty when none could run. */
  gradedBy: z.array(z.string()),
  reasons: z.array(GradeReason),
});
export type Grade = z.infer<typeof Grade>;

const Level = z.enum(['low', 'medium', 'high']);

export const RiskFactor = z.object({
  id: z.string(),
  level: Level,
  reason: AssessmentReason,
});
export type RiskFactor = z.infer<typeof RiskFactor>;

const POLICY_VERDICTS = ['allow', 'escalate', 'deny', 'note'] as const;

/** A `note` informs the reader: it permits and stops nothing. */
const PolicyVerdict = z.object({
  policy: z.string(),
  verdict: z.enum(POLICY_VERDICTS),
  reason: AssessmentReason,
});

/** P1: the governor's word on one outward action, with reasons, risk and policy version. */
export const Assessment = z.object({
  decision: z.enum(['allow', 'escalate', 'deny']),
  risk: Level,
  reasons: z.array(PolicyVerdict),
  factors: z.array(RiskFactor),
  policyVersion: z.string(),
});
export type Assessment = z.infer<typeof Assessment>;

export const PolicyObjections = z.array(PolicyVerdict.extend({ verdict: z.enum(['escalate', 'deny']) }));
export type PolicyObjections = z.infer<typeof PolicyObjections>;
type Objection = PolicyObjections[number];

/** G11: the approvers of this have to sign with keys of their own. */
export const needsOwnKey = ({ reasons }: Pick<Assessment, 'reasons'>): boolean =>
  reasons.some(({ reason }) => reason.kind === 'custom_policy' && reason.by === 'passkey');

export const objectionsOf = ({ reasons }: Pick<Assessment, 'reasons'>): PolicyObjections =>
  reasons.filter((r): r is Objection => r.verdict === 'escalate' || r.verdict === 'deny');

export const NotModified = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card_closed') }),
  z.object({ kind: z.literal('goes_elsewhere') }),
  z.object({ kind: z.literal('raises_risk'), from: Level, to: Level }),
  z.object({ kind: z.literal('forbidden'), objections: PolicyObjections }),
]);
export type NotModified = z.infer<typeof NotModified>;

export const denyingPolicies = (assessment: Assessment): PolicyObjections =>
  objectionsOf(assessment).filter((r) => r.verdict === 'deny');

/** Reasons why a user must see the plan first. */
export const ESCALATION_SCHEMAS = [
  z.object({ kind: z.literal('agreement_required'), file: z.string(), line: z.number() }),
  /** Somebody works on the same issue: said before an agent costs anything. */
  z.object({ kind: z.literal('competing_pulls'), pulls: z.array(CompetingPull) }),
  /** F10: asked, whatever the repository's rules say of issues. */
  z.object({
    kind: z.literal('issue_not_free'),
    issue: z.string(),
    standing: z.enum(['assigned_elsewhere', 'closed']),
    assignees: z.array(z.string()),
  }),
  z.object({ kind: z.literal('answers_missing'), missing: z.array(MissingRequirement) }),
  z.object({ kind: z.literal('ban_read_by_agent'), quote: z.string(), file: z.string(), line: z.number() }),
  /** We are not sure that it is a ban. */
  z.object({ kind: z.literal('possible_ban'), quote: z.string(), file: z.string(), line: z.number() }),
  z.object({
    kind: z.literal('rule_unmet'),
    rule: z.enum(RULE_KINDS),
    value: z.string().nullable(),
    quote: z.string(),
    file: z.string(),
    line: z.number(),
  }),
] as const;
export const PlanEscalation = z.discriminatedUnion('kind', ESCALATION_SCHEMAS);
export type PlanEscalation = z.infer<typeof PlanEscalation>;

/** A rule that an approver overruled; bound to its words and file. */
export const OverruledRule = z.object({
  quote: z.string(),
  file: z.string(),
  line: z.number(),
  by: z.string(),
  why: z.string(),
});
export type OverruledRule = z.infer<typeof OverruledRule>;
