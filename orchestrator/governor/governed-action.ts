/** The action that policies judge, and its context. */
import type { CompetingPull } from '../model/competing-pulls.ts';
import type { Contract } from '../model/contract.ts';
import type {
  CheckResult,
  Commit,
  ContainmentLevel,
  RiskFactor,
  CheckConfigFiles,
  OverruledRule,
} from '../model/change-records.ts';
import type { IssueFacts } from '../model/issue-standing.ts';
import type { AssessmentReason, PublicPlace } from '../model/assessment-reasons.ts';
import type { Person } from '../model/order.ts';
import type { POLICY_LIMIT_NAMES, PolicySettings } from '../model/policy-settings.ts';
import { type TextSignal, textSignals } from '#text-safety';
import { withoutTrailers } from '../model/trailers.ts';

type Commits = {
  branch: string;
  baseRef: string;
  commit: Commit;
  /** Trailers of commit messages that the repository requires. */
  trailers?: readonly string[];
  passed: boolean;
  checks: readonly CheckResult[];
  /** Check configuration in the change; null or absent without any. */
  checkConfig?: CheckConfigFiles | null;
};

/** `iteration`: pushes to an open pull request; `body` is its new description. */
export type PushAction = { kind: 'push'; iteration: boolean; body?: string } & Commits;
export type OpenPr = { kind: 'open_pr'; title: string; body: string; draft: boolean } & Commits;
/** A shell command that an engine asks to run (E10). */
export type CommandAction = { kind: 'command'; command: string };
/** The field `on` names the pull request or issue. */
export type CommentAction = { kind: 'comment'; on: string; body: string };
/** The field `to` is the URL of the comment. */
export type ReplyAction = { kind: 'reply'; on: string; to: string; body: string };

export type ChangeAction = PushAction | OpenPr;
export type TextAction = CommentAction | ReplyAction;
export type GovernedAction = ChangeAction | TextAction | CommandAction;
export const isChange = (action: GovernedAction): action is ChangeAction =>
  action.kind === 'push' || action.kind === 'open_pr';
export const isWords = (action: GovernedAction): action is TextAction =>
  action.kind === 'comment' || action.kind === 'reply';

export type PolicyContext = {
  repo: string;
  requester: Person | null;
  contract: Contract | null;
  defaultBranch: string;
  containment: ContainmentLevel | null;
  /** Our other open pull requests in the target; null when not queried. */
  openPrs: number | null;
  /** An external repository that has merged nothing of ours; absent when not queried. */
  firstPull?: boolean;
  rivals?: readonly CompetingPull[];
  /** Texts that contain a credential lent to an agent; absent without any. */
  lentIn?: readonly PublicPlace[];
  overruled?: readonly OverruledRule[];
  issue?: IssueFacts | null;
  ownWords?: boolean;
  settings: PolicySettings;
};

export type { RiskFactor };
export type RiskLevel = RiskFactor['level'];
export type AssessedRisk = { level: RiskLevel; factors: readonly RiskFactor[] };

/** Weak containment is shown, but does not flag the change itself. */
const CALM = ['weak-containment'];

// guard: P1-small-change
export const flagsOf = ({ factors }: AssessedRisk): RiskFactor[] =>
  factors.filter((f) => f.level !== 'low' && !CALM.includes(f.id));

/** A `note` informs the reader: it permits and stops nothing. */
export type PolicyOpinion = { verdict: 'allow' | 'escalate' | 'deny' | 'note'; reason: AssessmentReason };

/** P1: pure. No opinion means no objection, which is not yet permission. */
export type PolicyEvaluator = (
  action: GovernedAction,
  context: PolicyContext,
  risk: AssessedRisk,
) => readonly PolicyOpinion[];
/** The id has a prefix for policies of the operator or the repository. */
export type Policy = { id: string; evaluate: PolicyEvaluator };
/** Raise `version` whenever the policy changes a verdict. `settings` are the operator's that change it. */
export type PolicyRow = {
  evaluate: PolicyEvaluator | null;
  version: number;
  settings: readonly (typeof POLICY_LIMIT_NAMES)[number][];
};
export type PolicyRows = Readonly<Record<string, PolicyRow>>;

export const allowOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'allow', reason });
export const escalateOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'escalate', reason });
export const denyOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'deny', reason });
export const noteOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'note', reason });

/** Ignores what the repository itself requires, word for word, at the end of a text. */
export const signalsIn = (action: GovernedAction, where: PublicPlace, text: string): TextSignal[] =>
  textSignals(
    where === 'commit_message' && isChange(action) ? withoutTrailers(text, action.trailers ?? []) : text,
  );

export const publicWordsOf = (action: GovernedAction): [PublicPlace, string][] => {
  switch (action.kind) {
    case 'push':
      return [
        ['commit_message', action.commit.message],
        ['branch_name', action.branch],
        ...(action.body === undefined ? [] : [['description', action.body] satisfies [PublicPlace, string]]),
      ];
    case 'open_pr':
      return [
        ['title', action.title],
        ['description', action.body],
        ['commit_message', action.commit.message],
        ['branch_name', action.branch],
      ];
    case 'comment':
      return [['comment', action.body]];
    case 'reply':
      return [['reply', action.body]];
    case 'command':
      return [];
    default:
      return action satisfies never;
  }
};
