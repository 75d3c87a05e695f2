/** What is judged: an action that would leave the machine, and what is known around it. */
import type { Contract } from '../contract.ts';
import type {
  CheckResult,
  Commit,
  ContainmentLevel,
  RiskFactor,
  CheckConfigFiles,
  OverruledRule,
} from '../change-facts.ts';
import type { IssueFacts } from '../issue-standing.ts';
import type { PolicyJudgement, PublicPlace } from '../judgements.ts';
import type { Person } from '../order.ts';
import type { PolicySettings } from '../policy-settings.ts';
import { type TextSignal, textSignals } from '#text-safety';
import { withoutTrailers } from '../trailers.ts';

type Commits = {
  branch: string;
  /** The branch it is meant for. */
  baseRef: string;
  commit: Commit;
  /** Lines at the end of its message that the repository asks for, as somebody said them. */
  trailers?: readonly string[];
  /** Whether our checks passed, as we saw it. */
  passed: boolean;
  checks: readonly CheckResult[];
  /** What judges the change and is part of it; null or absent when nothing is. */
  judges?: CheckConfigFiles | null;
};

/**
 * `iteration`: a push to a branch that has a pull request, so that others are reading it; `body` is
 * its new description.
 */
export type PushAction = { kind: 'push'; iteration: boolean; body?: string } & Commits;
export type OpenPr = { kind: 'open_pr'; title: string; body: string; draft: boolean } & Commits;
/** A shell command that an engine asks to run (E10). */
export type CommandAction = { kind: 'command'; command: string };
/** Words under a pull request or an issue, `on` which one. */
export type CommentAction = { kind: 'comment'; on: string; body: string };
/** Words in answer to somebody's comment, `to` which address. */
export type ReplyAction = { kind: 'reply'; on: string; to: string; body: string };

export type ChangeAction = PushAction | OpenPr;
export type TextAction = CommentAction | ReplyAction;
export type GovernedAction = ChangeAction | TextAction | CommandAction;
export const isChange = (action: GovernedAction): action is ChangeAction =>
  action.kind === 'push' || action.kind === 'open_pr';
export const isWords = (action: GovernedAction): action is TextAction =>
  action.kind === 'comment' || action.kind === 'reply';

export type PolicyContext = {
  /** The repository that it goes to. */
  repo: string;
  /** Who asked for it; null when it is not known. */
  requester: Person | null;
  contract: Contract | null;
  defaultBranch: string;
  containment: ContainmentLevel | null;
  /** Open pull requests of ours in the target, without this one; null when it was not asked. */
  openPrs: number | null;
  /**
   * The repository is other people's, and they have merged nothing of ours yet; absent where it was
   * not asked.
   */
  firstPull?: boolean;
  /** Words that hold something that was lent to an agent; left out where nothing was. */
  lentIn?: readonly PublicPlace[];
  /** Rules that an approver calls rules about something else. */
  overruled?: readonly OverruledRule[];
  /**
   * The issue that the order names, as the code host shows it; null or absent when it names none.
   */
  issue?: IssueFacts | null;
  /** The description is a person's, word for word. */
  ownWords?: boolean;
  settings: PolicySettings;
};

export type { RiskFactor };
export type RiskLevel = RiskFactor['level'];
export type AssessedRisk = { level: RiskLevel; factors: readonly RiskFactor[] };

/** Weak containment is shown, yet it says nothing about the change itself. */
const CALM = ['weak-containment'];

/** For which an action is not let through by itself. */
// guard: P1-small-change
export const flagsOf = ({ factors }: AssessedRisk): RiskFactor[] =>
  factors.filter((f) => f.level !== 'low' && !CALM.includes(f.id));

/** What a policy says. A `note` is for the reader: it permits nothing and stops nothing. */
export type PolicyOpinion = { verdict: 'allow' | 'escalate' | 'deny' | 'note'; reason: PolicyJudgement };

/** P1: pure. Nothing said means no objection, which is not yet a permission. */
export type PolicyJudge = (
  action: GovernedAction,
  context: PolicyContext,
  risk: AssessedRisk,
) => readonly PolicyOpinion[];
/** Of the operator's own policies, and of the repository's, the id says whose they are. */
export type Policy = { id: string; judge: PolicyJudge };

export const allowOpinion = (reason: PolicyJudgement): PolicyOpinion => ({ verdict: 'allow', reason });
export const escalateOpinion = (reason: PolicyJudgement): PolicyOpinion => ({ verdict: 'escalate', reason });
export const denyOpinion = (reason: PolicyJudgement): PolicyOpinion => ({ verdict: 'deny', reason });
export const noteOpinion = (reason: PolicyJudgement): PolicyOpinion => ({ verdict: 'note', reason });

/**
 * What words of an action would trigger; not what the repository itself asks for, word for word, at
 * their end.
 */
export const signalsIn = (action: GovernedAction, where: PublicPlace, text: string): TextSignal[] =>
  textSignals(
    where === 'commit_message' && isChange(action) ? withoutTrailers(text, action.trailers ?? []) : text,
  );

/** Words of an action that become public, and where they stand. */
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
