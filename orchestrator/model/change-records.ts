/** Facts about a change and its evidence, measured by us and never taken from an agent. */
import { z } from 'zod';
import { DependencyChange } from './dependency-changes.ts';
import { Finding } from './finding-records.ts';
import { AssessmentReason, NotCompared } from './assessment-reasons.ts';
import { MissingRequirement } from './contributor-requirements.ts';
import { CompetingPull } from './competing-pulls.ts';
import { RULE_KINDS } from './contribution-rule.ts';
import { CommandFailure } from './command-failure.ts';
import { EnvironmentGap } from './environment-gap.ts';

export { Finding };

/** `path` is exact when it is valid UTF-8; invalid bytes appear as `\xNN`. */
export const FileChange = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  linkedNames: z.array(z.string()).exactOptional(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
  oldMode: z.string(),
  newMode: z.string(),
  added: z.number(),
  deleted: z.number(),
  binary: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;

export const DiffFacts = z.object({
  files: z.array(FileChange),
  added: z.number(),
  deleted: z.number(),
  /** SHA-256 of `git diff-tree -r -z --no-renames <base> <head>`. */
  digest: z.string(),
  bytes: z.number(),
  /** Size of the patch file shown to people, with invisible characters written out (bytes; G8). */
  documentBytes: z.number(),
  findings: z.array(Finding),
  /** Absent when the manifests declare the same. */
  dependencies: z.array(DependencyChange).exactOptional(),
  /** Manifests and lockfiles in which only the version of the package itself differs. */
  ownVersions: z.array(z.string()).exactOptional(),
});
export type DiffFacts = z.infer<typeof DiffFacts>;

/** A commit made by us in the trusted directory. */
export const Commit = z.object({
  sha: z.string(),
  tree: z.string(),
  base: z.string(),
  message: z.string(),
  diff: DiffFacts,
});
export type Commit = z.infer<typeof Commit>;

/** E15: result on the base. `untested`: no test ran there either; `tested`: its tests are gone. */
const Before = z.object({
  outcome: z.enum(['failing', 'flaky', 'without', 'untested', 'tested']),
  excused: z.boolean(),
  newFailures: z.array(z.string()),
  /** E19: evidence that our machine is to blame, so that nothing is said of the base. */
  environmentGap: EnvironmentGap.exactOptional(),
});

/** `ms` is wall time; `tail` is distilled output, at most 4 KB. */
export const CheckResult = z.object({
  name: z.string(),
  command: z.string(),
  exitCode: z.number().nullable(),
  /** `ran_no_test`: it ended and counted no test (E19). */
  outcome: z.enum(['passed', 'failed', 'timed_out', 'not_run', 'ran_no_test']),
  ms: z.number(),
  tail: z.string(),
  /** Failing tests or complaints; absent when unnamed or too many. */
  failing: z.array(z.string()).exactOptional(),
  commandFailure: CommandFailure.exactOptional(),
  flaky: z.literal(true).exactOptional(),
  /** E19: present on a check that is red on the base, or not run for it. */
  environmentGap: EnvironmentGap.exactOptional(),
  /** On the base with the change's tests alone; absent when it adds or alters none (E19). */
  withTestsOnBase: z.enum(['fails', 'does_not_load', 'passes', 'not_run']).exactOptional(),
  /** Absent when it passed on the base, or was not run there. */
  onBase: Before.exactOptional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** E15: fails for a reason that is neither the base's nor waived. */
export const blocksChange = ({ outcome, exitCode, onBase: before }: CheckResult): boolean => {
  if (outcome === 'passed' || before?.excused) return false;
  // A repository without tests is no failure (E13); one whose tests are gone is.
  // guard: E19-tests-gone-block
  return outcome !== 'ran_no_test' || exitCode !== 0 || before?.outcome === 'tested';
};
/** E15: a check that flakes on the base proves nothing by passing. */
// guard: E15-luck-proves-nothing
export const provesSomething = ({ outcome, onBase: before }: CheckResult): boolean =>
  outcome === 'passed' && before?.outcome !== 'flaky';
export const redAsBefore = (c: CheckResult): boolean =>
  (c.outcome === 'failed' || c.outcome === 'timed_out') && !blocksChange(c);
/** E19: its own summary contradicts its exit code, which is never called a pass. */
export const countsFailures = ({ outcome, exitCode }: CheckResult): boolean =>
  outcome === 'failed' && exitCode === 0;
/** A check without test names hides new failures. */
export const redUnnamed = (c: CheckResult): boolean => redAsBefore(c) && !c.failing;

/** `bwrap_unfiltered`: bubblewrap where no filter of system calls can be had. */
export const ContainmentLevel = z.enum(['bwrap', 'bwrap_unfiltered', 'unshare', 'group']);
export type ContainmentLevel = z.infer<typeof ContainmentLevel>;

/** E16: credentials of the operator that a box could read. */
export const ExposedCredential = z.enum(['key', 'sign_in']);
export type ExposedCredential = z.infer<typeof ExposedCredential>;

export const ModelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
/** `usage` is the engine's total over the session, so that a round's share can be computed. */
export const AgentSession = z.object({ id: z.string(), usage: ModelUsage });
export type AgentSession = z.infer<typeof AgentSession>;
/** `sha` is a commit of the base branch `ref`, `commits` how many came with it. */
export const MergedBase = z.object({ ref: z.string(), sha: z.string(), commits: z.number() });
export type MergedBase = z.infer<typeof MergedBase>;

/** `commit` is all that a pull request with this foreign head would show. */
export const ForeignHead = z.object({
  sha: z.string(),
  author: z.string(),
  subject: z.string(),
  commits: z.number(),
  /** False when it was force-pushed over our commit. */
  containsOurs: z.boolean(),
  diffFromOurs: z.object({ files: z.number(), added: z.number(), deleted: z.number() }),
  /** Present when the head is proven to be our commit with the base merged, and nothing else. */
  mergedBase: MergedBase.exactOptional(),
  commit: Commit,
});
export type ForeignHead = z.infer<typeof ForeignHead>;

/** The base merged with our change (`ownSha`), not pushed yet. */
export type BaseMerge = {
  ref: string;
  sha: string;
  ownSha: string;
  commits: number;
  workspaceSha: string;
  conflicts: string[];
};

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const combineUsage = (a: ModelUsage, b: ModelUsage, sign: 1 | -1): ModelUsage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  costUsd: Math.round((a.costUsd + sign * b.costUsd) * 1e9) / 1e9,
});
export const addUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => combineUsage(a, b, 1);
export const subtractUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => combineUsage(a, b, -1);

/** E17: lost edits. `guard` and `plan`: forbidden edits; `disk`: no room left; `anew`: re-read. */
export const DiscardedEdits = z.object({
  why: z.enum(['guard', 'plan', 'disk', 'missing', 'fresh_workspace', 'other_commit']),
  files: z.array(z.string()),
  more: z.number(),
});
export type DiscardedEdits = z.infer<typeof DiscardedEdits>;

/** E13: `files` configure checks; `baseResults` are the results with the base's version of them. */
export const CheckConfigFiles = z.object({
  files: z.array(z.string()),
  baseResults: z.array(CheckResult).nullable(),
  notCompared: NotCompared.exactOptional(),
});
export type CheckConfigFiles = z.infer<typeof CheckConfigFiles>;

export const passingOnlyWithChange = ({ baseResults: base }: CheckConfigFiles): string[] =>
  (base ?? []).filter(blocksChange).map((c) => c.name);

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

export const POLICY_VERDICTS = ['allow', 'escalate', 'deny', 'note'] as const;

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

export const SkippedFile = Finding.pick({ path: true, note: true, more: true });
export type SkippedFile = z.infer<typeof SkippedFile>;

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
