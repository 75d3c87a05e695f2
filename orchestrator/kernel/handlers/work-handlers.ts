/** Handlers of effects that need a workspace, the code host or an engine. */
import { repositoryOf, type Run } from '../run/run.ts';
import { failureConsequence } from '#model/failure';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import type { EffectHandlers, HandlerOutcome } from '../runtime/effect-handler.ts';
import { createReadHeadHandler, createUpdateFromBaseHandler } from '../upstream/update-from-base.effect.ts';
import { createCheckBaseHandler } from '../preparation/check-base.effect.ts';
import { createClosePrHandler } from '../upstream/close-pr.effect.ts';
import { createCommentOnItemHandler } from '../upstream/comment-on-item.effect.ts';
import { createCheckHandler } from '../rounds/check-commit.effect.ts';
import { createDiscoverHandler } from '../preparation/discover.effect.ts';
import { createCompareBaseHandler, withRenameFollowed } from '../upstream/follow-rename.effect.ts';
import { createAnswerQuestionHandler, withQuestionEnded } from '../rounds/answer-question.effect.ts';
import { createImplementHandler } from '../rounds/implement.effect.ts';
import { createModifyProposalHandler } from '../gate/modify-proposal.effect.ts';
import { createCompareChecksHandler } from '../ci/compare-checks.effect.ts';
import { createPollHandler } from '../ci/poll-pull.effect.ts';
import { createSetUpPullHandler } from '../gate/set-up-pull.effect.ts';
import { createOpenPrHandler } from '../gate/open-pr.effect.ts';
import { readUnheardOpening } from '../gate/verify-opened-pull.io.ts';
import { requireRunOf, type EffectContext, type ItemComments, type PollHints } from './effect-context.ts';
import { createPushHandler } from '../gate/push.effect.ts';
import { mayReopen, reopeningDeadline } from '../upstream/reopening.ts';
import { removeBranch } from '../upstream/remove-branch.io.ts';
import { createReplyHandler, createSealRepliesHandler } from '../reviews/post-replies.effect.ts';
import { createStartRunHandler } from '../lifecycle/start-run.effect.ts';

const STILL_RUNS_MS = 20 * SECOND;
const OPENING_LOOK_MS = 5 * MINUTE;

/** An opening may have succeeded after the run ended, which nothing else looks for any more (L4). */
const concludeWithOpening = async (parts: EffectContext, run: Run): Promise<HandlerOutcome> => {
  try {
    const late = await readUnheardOpening(parts, run);
    return late ? { kind: 'result', input: late } : { kind: 'done', result: null };
  } catch (error) {
    // guard: L4-opening-outlives-outage
    if (!(error instanceof OutsideFailure)) throw error;
    const now = parts.clock.now();
    // F8: a look is made again, whatever the answer was.
    const pace = failureConsequence(error.class) === 'retry' ? OPENING_LOOK_MS : HOUR;
    const at = Math.max(now + pace, Math.min(error.retryAt ?? 0, now + HOUR));
    return { kind: 'later', at, reason: 'a pull request may have been opened', counts: 'anew' };
  }
};

/** Effects that need only ledger and chat. */
type Light = 'expedite_poll' | 'offer_input' | 'chat_message';

export type WorkHandlers = Omit<EffectHandlers, Light>;

export const createWorkHandlers = (parts: EffectContext & PollHints & ItemComments): WorkHandlers => ({
  start_run: createStartRunHandler(parts),
  discover: withRenameFollowed(parts, createDiscoverHandler(parts)),
  check_base: withRenameFollowed(parts, createCheckBaseHandler(parts)),
  implement: withQuestionEnded(parts, withRenameFollowed(parts, createImplementHandler(parts))),
  answer_question: createAnswerQuestionHandler(parts),
  check: withRenameFollowed(parts, createCheckHandler(parts)),
  push: withRenameFollowed(parts, createPushHandler(parts)),
  open_pr: withRenameFollowed(parts, createOpenPrHandler(parts)),
  modify_proposal: withRenameFollowed(parts, createModifyProposalHandler(parts)),
  poll: createPollHandler(parts),
  seal_replies: withRenameFollowed(parts, createSealRepliesHandler(parts)),
  reply: withRenameFollowed(parts, createReplyHandler(parts)),
  rerun_ci: async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const at = parts.clock.now() + STILL_RUNS_MS;
    if ((await parts.forge.rerun(repositoryOf(run), claim.do.sha)) === 'running')
      return { kind: 'later', at, reason: 'other checks of the commit still run', counts: 'anew' };
    return { kind: 'done', result: null };
  },
  set_up_pull: createSetUpPullHandler(parts),
  close_pr: createClosePrHandler(parts),
  remove_workspace: withQuestionEnded(parts, async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const waits = await removeBranch(parts, run, claim);
    if (waits) return waits;
    // S11: a run that goes on finds its work.
    if (mayReopen(run, parts.clock.now()))
      return { kind: 'later', at: reopeningDeadline(run) ?? 0, reason: 'it may be reopened', counts: 'anew' };
    await parts.workspaces.clean(run.id);
    return concludeWithOpening(parts, run);
  }),
  update_from_base: withQuestionEnded(parts, withRenameFollowed(parts, createUpdateFromBaseHandler(parts))),
  comment_on_item: createCommentOnItemHandler(parts),
  compare_base: withQuestionEnded(parts, withRenameFollowed(parts, createCompareBaseHandler(parts))),
  compare_checks: withRenameFollowed(parts, createCompareChecksHandler(parts)),
  read_head: withRenameFollowed(parts, createReadHeadHandler(parts)),
});
