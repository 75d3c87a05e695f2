/** S9: what chats are told besides how a run stands, as small records. */
import type { CampaignTrigger } from './campaign-trigger.ts';
import type { ExcludedTarget, NotAdopted } from './excluded-targets.ts';
import type { FailureClass } from './failure-classes.ts';
import type { NotModified, PolicyObjections } from './change-facts.ts';
import type { PullChange } from './pull-metadata.ts';
import type { RunState } from './run-states.ts';

export type ChatNote =
  /** P4: the words of a pull request stay as they are, and why. */
  | { kind: 'edited_text_failed'; class: FailureClass }
  | { kind: 'edited_text_late'; by: string }
  | { kind: 'edited_text_rejected'; why: NotModified }
  | { kind: 'edited_text_unjudged' }
  /** C4: an agent asked something, and its work goes on meanwhile. */
  | { kind: 'agent_asked'; question: string }
  /**
   * The description of an open pull request was not brought up to date: somebody wrote into it, or
   * it could not be.
   */
  | { kind: 'pull_description'; how: 'kept' | 'failed'; pull: string }
  /** Others changed the pull request. */
  | { kind: 'pull_changed'; pull: string; changes: readonly PullChange[] }
  /** F5: nobody but us can see a pull request of ours, or now everybody can again. */
  | { kind: 'pull_hidden'; pull: string; url: string; hidden: boolean }
  /** G6: answers to reviewers that a policy forbids. */
  | { kind: 'replies_denied'; objections: PolicyObjections }
  /** Somebody else's commit could not be read. */
  | { kind: 'head_unread'; class: FailureClass; message: string }
  | { kind: 'pull_too_late'; pull: string; url: string; ended: boolean }
  /** After a restart. `awayMs` is null when it is not known; `more` runs are not named. */
  | {
      kind: 'restarted';
      awayMs: number | null;
      /** Messages that waited meanwhile. */
      handled: number;
      freed: number;
      /**
       * The ledger was put back to an earlier state, or nothing is left to tell by; until somebody
       * accepts it.
       */
      rollback: 'older' | 'missing' | null;
      runs: readonly { repo: string; id: string; state: RunState }[];
      more: number;
    }
  /** Of the repositories that were named for a campaign none takes part; some of them, and why. */
  | { kind: 'campaign_empty'; of: number; leftOut: readonly ExcludedTarget[] }
  /**
   * What was to be looked for could not be: there is no such owner, it is no search, it was asked too
   * often (until epoch ms), or the code host is away.
   */
  | {
      kind: 'campaign_query';
      query: string;
      why: 'missing' | 'refused' | 'limited' | 'away';
      says: string;
      waitMs: number | null;
    }
  /** Somebody whom a campaign names may approve nothing; too few may approve it; one of them left. */
  | { kind: 'campaign_approver'; who: string }
  | { kind: 'campaign_approvers'; left: number; needed: number }
  | { kind: 'approver_left'; campaign: string; who: string; left: number }
  /** A campaign would begin with more repositories at once than it may. */
  | { kind: 'campaign_pilot'; first: number; most: number; script: boolean }
  /** What arrived is not shown: the same issue is, or too much came from there in a day. */
  | { kind: 'arrival_open'; campaign: string }
  | { kind: 'arrivals_full'; origin: CampaignTrigger; most: number }
  /** F5: so many are followed from now on; null: the campaign takes none, or is not there. */
  | {
      kind: 'pulls_adopted';
      campaign: string;
      taken: number | null;
      /** It is a schedule: the campaigns that come from it take them. */
      scheduled?: true;
      out: readonly { pull: string; why: NotAdopted }[];
    }
  /** A step was given up, or cannot be done for a while; `says` is what went wrong. */
  | { kind: 'effect_stuck'; step: string; says: string; state: RunState | null };
