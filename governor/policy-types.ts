/** A policy is a row: the questions that it asks of an action, which answer with opinions. */
import type { CompetingPull } from '#model/pull';
import type { Contract } from '#model/contract';
import type { Assessment, RiskFactor, OverruledRule, AssessmentReason, PublicPlace } from '#model/assessment';
import type { ContainmentLevel } from '#model/evidence';
import type { IssueFacts } from '#model/requirements';
import type { Person } from '#model/order';
import type { POLICY_LIMIT_NAMES, PolicySettings } from '#model/settings';
import type { GovernedAction } from './governed-action.ts';

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
  competingPulls?: readonly CompetingPull[];
  /** Texts that contain a credential lent to an agent; absent without any. */
  lentIn?: readonly PublicPlace[];
  overruled?: readonly OverruledRule[];
  issue?: IssueFacts | null;
  ownWords?: boolean;
  /** Issues that the order's own words close, as they are written there. */
  closes?: readonly string[];
  settings: PolicySettings;
};

export type RiskLevel = RiskFactor['level'];
export type AssessedRisk = { level: RiskLevel; factors: readonly RiskFactor[] };

export type PolicyOpinion = Omit<Assessment['reasons'][number], 'policy'>;

/** P1: pure. No opinion means no objection, which is not yet permission. */
export type PolicyQuestion = (
  action: GovernedAction,
  context: PolicyContext,
  risk: AssessedRisk,
) => readonly PolicyOpinion[];
/** The id has a prefix for policies of the operator or the repository. */
export type Policy = { id: string; asks: readonly PolicyQuestion[] };
/** Raise `version` whenever the policy changes a verdict. `settings` are the operator's that change it. */
export type PolicyRow = {
  asks: readonly PolicyQuestion[];
  version: number;
  settings: readonly (typeof POLICY_LIMIT_NAMES)[number][];
  /** `own`: people read its findings in place, never on a card that several changes share. */
  card: 'own' | 'shared';
  /** It objects only because others do, so it is said last, or not at all. */
  general?: true;
};
export type PolicyRows = Readonly<Record<string, PolicyRow>>;

export const allowOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'allow', reason });
export const escalateOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'escalate', reason });
export const denyOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'deny', reason });
export const noteOpinion = (reason: AssessmentReason): PolicyOpinion => ({ verdict: 'note', reason });
