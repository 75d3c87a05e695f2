/**
 * What we know about a change and its evidence: gathered by us from git and processes, never from
 * an agent's words.
 */
import { z } from 'zod';
import { DependencyChange } from './dependency-changes.ts';
import { Finding } from './finding-records.ts';
import { PolicyJudgement, NotCompared } from './judgements.ts';
import { MissingRequirement } from './contributor-requirements.ts';
import { CompetingPull } from './competing-pulls.ts';
import { RULE_KINDS } from './contribution-rule.ts';
import { CommandFailure } from './command-failure.ts';

export { Finding };

/**
 * One changed path. `path` is exact when it is valid UTF-8; otherwise invalid bytes appear as
 * `\xNN`.
 */
export const FileChange = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
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
  /**
   * SHA-256 of what `git diff-tree -r -z --no-renames <base> <head>` prints: each changed path with
   * its mode and id on both sides.
   */
  digest: z.string(),
  /** Size in bytes of the patch, with renames found and binary files written out as they are. */
  bytes: z.number(),
  /**
   * Size in bytes of that patch as people get it in a file, with whatever is not seen written out
   * (G8).
   */
  documentBytes: z.number(),
  findings: z.array(Finding),
  /** What manifests declare now and did not before; absent where they declare the same. */
  dependencies: z.array(DependencyChange).exactOptional(),
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

/**
 * E15: how the same check fared on the base. `without`: a person said that the run goes on without
 * it. `untested` and `tested`: it ran no test there either, or it did, and does no more. `excused`:
 * what is red was red before, so that it blocksChange nothing; `fresh` is what is named now and was not
 * then.
 */
const Before = z.object({
  outcome: z.enum(['failing', 'flaky', 'without', 'untested', 'tested']),
  excused: z.boolean(),
  newFailures: z.array(z.string()),
});

/**
 * One check as we ran it. `ms` is wall time in milliseconds; `tail` is distilled output, at most 4
 * KB.
 */
export const CheckResult = z.object({
  name: z.string(),
  command: z.string(),
  exitCode: z.number().nullable(),
  /** `ran_no_test`: it ended, and by its own count tested nothing (E19). */
  outcome: z.enum(['passed', 'failed', 'timed_out', 'not_run', 'ran_no_test']),
  ms: z.number(),
  tail: z.string(),
  /** The tests or complaints that a red check names; absent where it names none, or too many. */
  failing: z.array(z.string()).exactOptional(),
  /** Why it could not be run, or why an installation failed. */
  commandFailure: CommandFailure.exactOptional(),
  /** Red, and green when it was run once more. */
  flaky: z.literal(true).exactOptional(),
  /** Absent where it was green on the base, or where nobody looked. */
  onBase: Before.exactOptional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/**
 * E15: it is not green, and that is not because it was red before or because a person goes on
 * without it.
 */
export const blocksChange = ({ outcome, exitCode, onBase: before }: CheckResult): boolean => {
  if (outcome === 'passed' || before?.excused) return false;
  // A repository without tests is no failure (E13); one whose tests are gone is.
  // guard: E19-tests-gone-block
  return outcome !== 'ran_no_test' || exitCode !== 0 || before?.outcome === 'tested';
};
/**
 * E15: green now, and not by the luck that it had on the base now and then. What was red twice and
 * is green proves most.
 */
// guard: E15-luck-proves-nothing
export const provesSomething = ({ outcome, onBase: before }: CheckResult): boolean =>
  outcome === 'passed' && before?.outcome !== 'flaky';
/** E15: red, as it was before. */
export const redAsBefore = (c: CheckResult): boolean =>
  (c.outcome === 'failed' || c.outcome === 'timed_out') && !blocksChange(c);
/** Red before and now, without a word about what fails: something new would not show. */
export const redUnnamed = (c: CheckResult): boolean => redAsBefore(c) && !c.failing;

export const ContainmentLevel = z.enum(['bwrap', 'unshare', 'group']);
export type ContainmentLevel = z.infer<typeof ContainmentLevel>;

/** E16: what of the operator's own a box could read. */
export const ExposedCredential = z.enum(['key', 'sign_in']);
export type ExposedCredential = z.infer<typeof ExposedCredential>;

export const ModelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
/**
 * An agent's own conversation. `spent` is what the engine counted over all of it, so that the next
 * round can be told apart.
 */
export const AgentSession = z.object({ id: z.string(), usage: ModelUsage });
export type AgentSession = z.infer<typeof AgentSession>;
/** Somebody else's head of our branch. `commit` is all that a pull request with it would show. */
export const ForeignHead = z.object({
  sha: z.string(),
  author: z.string(),
  subject: z.string(),
  /** How many commits it has that ours does not have. */
  commits: z.number(),
  /** Whether our last commit is part of it: otherwise it was pushed over ours. */
  containsOurs: z.boolean(),
  /** What it changes against what we pushed. */
  diffFromOurs: z.object({ files: z.number(), added: z.number(), deleted: z.number() }),
  commit: Commit,
});
export type ForeignHead = z.infer<typeof ForeignHead>;

/**
 * The base branch, merged with our change (`ours`) and not pushed yet. `laid` is the commit that
 * the workspace was filled from.
 */
export type BaseMerge = {
  ref: string;
  sha: string;
  ownSha: string;
  commits: number;
  workspaceSha: string;
  conflicts: string[];
};

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/**
 * E17: edits that did not stay. `guard`: of a round that may change nothing but its note; `plan`:
 * of the plan, by a step; `disk`: they left no room; `missing`: the workspace is gone; `anew`: the
 * repository was read anew; `moved`: the files were brought to another commit.
 */
export const DiscardedEdits = z.object({
  why: z.enum(['guard', 'plan', 'disk', 'missing', 'anew', 'moved']),
  /** The first of them; empty when it is not known which. */
  files: z.array(z.string()),
  /** How many there are besides. */
  more: z.number(),
});
export type DiscardedEdits = z.infer<typeof DiscardedEdits>;

/**
 * E13: changed files that judge the change: named by a check command, or read by a runner. `base`
 * is what the checks say with the base's version of exactly those, up to the first that does not
 * pass; null when they could not be run.
 */
export const CheckConfigFiles = z.object({
  files: z.array(z.string()),
  baseResults: z.array(CheckResult).nullable(),
  /** Why they could not be run; absent where they were. */
  notCompared: NotCompared.exactOptional(),
});
export type CheckConfigFiles = z.infer<typeof CheckConfigFiles>;

/** The checks that pass only with the changed version of what judges them, by name. */
export const passingOnlyWithChange = ({ baseResults: base }: CheckConfigFiles): string[] =>
  (base ?? []).filter(blocksChange).map((c) => c.name);

export const GRADE_LEVELS = ['PASS', 'NEEDS_REVIEW', 'FAIL'] as const;
export type GradeLevel = (typeof GRADE_LEVELS)[number];

/** `PASS` on a reason: it is worth saying, and changes nothing. */
export const GradeReason = z.object({ level: z.enum(GRADE_LEVELS), reason: PolicyJudgement });
export type GradeReason = z.infer<typeof GradeReason>;
export const Grade = z.object({
  level: z.enum(GRADE_LEVELS),
  /** The checks that stand behind it, by name; empty when none could be run. */
  judgedBy: z.array(z.string()),
  reasons: z.array(GradeReason),
});
export type Grade = z.infer<typeof Grade>;

const Level = z.enum(['low', 'medium', 'high']);

/** One reason for a level of risk, by the id of its rule. */
export const RiskFactor = z.object({
  id: z.string(),
  level: Level,
  reason: PolicyJudgement,
});
export type RiskFactor = z.infer<typeof RiskFactor>;

/**
 * P1: what the governor said about one outward action: every reason, what the risk is made of, and
 * the policies' version.
 */
export const Assessment = z.object({
  decision: z.enum(['allow', 'escalate', 'deny']),
  risk: Level,
  reasons: z.array(
    z.object({ policy: z.string(), verdict: z.enum(['allow', 'escalate', 'deny']), reason: PolicyJudgement }),
  ),
  factors: z.array(RiskFactor),
  policyVersion: z.string(),
});
export type Assessment = z.infer<typeof Assessment>;

/** What policies say against an action. */
export const PolicyObjections = Assessment.shape.reasons;
export type PolicyObjections = z.infer<typeof PolicyObjections>;

/** Why other words were not taken. */
export const NotModified = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card_gone') }),
  z.object({ kind: z.literal('goes_elsewhere') }),
  z.object({ kind: z.literal('raises_risk'), from: Level, to: Level }),
  z.object({ kind: z.literal('forbidden'), objections: PolicyObjections }),
]);
export type NotModified = z.infer<typeof NotModified>;

/** Every policy that denied it, with its reason. */
export const denyingPolicies = ({ reasons }: Assessment): PolicyObjections =>
  reasons.filter((r) => r.verdict === 'deny');

/** Something of a change that no commit can have, and why. */
export const SkippedFile = Finding.pick({ path: true, note: true, more: true });
export type SkippedFile = z.infer<typeof SkippedFile>;

/** Why a person must see the plan first: what a file of the repository says, and where. */
export const ESCALATION_SCHEMAS = [
  z.object({ kind: z.literal('agreement_required'), file: z.string(), line: z.number() }),
  /** Somebody is at the same issue: told before an agent costs anything. */
  z.object({ kind: z.literal('competing_pulls'), rivals: z.array(CompetingPull) }),
  /** What only a person can give, and nobody has given yet. */
  z.object({ kind: z.literal('answers_missing'), missing: z.array(MissingRequirement) }),
  /** Only the agent reads it so. */
  z.object({ kind: z.literal('ban_read_by_agent'), quote: z.string(), file: z.string(), line: z.number() }),
  /** We read it so, and are not sure. */
  z.object({ kind: z.literal('possible_ban'), quote: z.string(), file: z.string(), line: z.number() }),
  /** A rule that the order does not keep as it stands. */
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

/**
 * A rule that an approver has read and calls a rule about something else; bound to its words in its
 * file.
 */
export const OverruledRule = z.object({
  quote: z.string(),
  file: z.string(),
  line: z.number(),
  by: z.string(),
  why: z.string(),
});
export type OverruledRule = z.infer<typeof OverruledRule>;
