/** Notes to chats besides the status of a run, as records (S9). */
import type { CampaignTrigger } from '#model/schedule';
import type { ExcludedTarget, NotAdopted } from '#model/targets';
import type { Failure, FailureClass } from '#model/failure';
import type { NotModified, PolicyObjections } from '#model/assessment';
import type { PullSetupRefusal } from '#model/opening';
import type { PullChange } from '#model/pull';
import type { RunState } from '#model/run';

export type ChatNote =
  /** P4: the pull request's text stays, and why. */
  | { kind: 'edited_text_failed'; class: FailureClass }
  | { kind: 'edited_text_late'; by: string }
  | { kind: 'edited_text_rejected'; why: NotModified }
  | { kind: 'edited_text_not_assessed' }
  | { kind: 'agent_asked'; question: string }
  | { kind: 'pull_description'; how: 'edited_by_others' | 'failed'; pull: string }
  /** F13: what the code host refused of how the pull request opens. */
  | { kind: 'pull_setup_refused'; pull: string; url: string; refused: readonly PullSetupRefusal[] }
  /** F5: what became of a comment where the order came from, unless it was posted. */
  | { kind: 'item_comment'; url: string; outcome: 'refused' | 'unclear'; message: string }
  | { kind: 'pull_changed'; pull: string; changes: readonly PullChange[] }
  /** F5: our pull request is hidden from others, or visible again. */
  | { kind: 'pull_hidden'; pull: string; url: string; hidden: boolean }
  /** G6: a policy forbids the answers. */
  | { kind: 'replies_denied'; objections: PolicyObjections }
  | ({ kind: 'head_unread' } & Failure)
  | { kind: 'pull_too_late'; pull: string; url: string; ended: boolean }
  /** `awayMs` is null when unknown; `more` runs are not listed. */
  | {
      kind: 'restarted';
      awayMs: number | null;
      handled: number;
      freed: number;
      /** The ledger was restored to an older state, or lost its proof; until a user accepts it. */
      rollback: 'older' | 'missing' | null;
      /** L9: how many rows and effects stopped the process twice. */
      setAside?: number;
      runs: readonly { repo: string; id: string; state: RunState }[];
      more: number;
    }
  /** L5: rows of these runs differ from what was logged; `more` runs are not listed. */
  | { kind: 'ledger_changed'; runs: readonly { repo: string; id: string }[]; more: number }
  /** G11: somebody registered a key of their own. */
  | { kind: 'passkey_registered'; who: string; fingerprint: string }
  /** No named repository takes part; some of them with reasons. */
  | { kind: 'campaign_empty'; of: number; excludedTargets: readonly ExcludedTarget[] }
  /** The query failed: no search there, no such owner, invalid, rate-limited (until epoch ms), or an outage. */
  | {
      kind: 'campaign_query';
      query: string;
      why: 'lacks' | 'missing' | 'refused' | 'limited' | 'unreachable';
      says: string;
      waitMs: number | null;
    }
  /** A named approver lacks the right, too few remain, or one left. */
  | { kind: 'campaign_approver'; who: string }
  | { kind: 'campaign_approvers'; left: number; needed: number }
  | { kind: 'approver_left'; campaign: string; who: string; left: number }
  | { kind: 'link_failed'; campaign: string; repo: string; why: 'ended' | 'tag'; stopped: readonly string[] }
  | { kind: 'campaign_pilot'; first: number; limit: number; script: boolean }
  /** The arrival is not shown: it is open already, or the daily limit is reached. */
  | { kind: 'arrival_open'; campaign: string }
  | { kind: 'arrivals_full'; origin: CampaignTrigger; limit: number }
  /** F5: number of followed pull requests; null when the campaign takes none or is unknown. */
  | {
      kind: 'pulls_adopted';
      campaign: string;
      adopted: number | null;
      /** A schedule passes them on to its campaigns. */
      scheduled?: true;
      notAdopted: readonly { pull: string; why: NotAdopted }[];
    }
  /** A step was given up or is blocked; `says` is the error. */
  | { kind: 'effect_stuck'; step: string; says: string; state: RunState | null };
