/** Handlers of effects that need a workspace, the code host or an engine. */
import { repositoryOf, type Run } from '../run/run.ts';
import { failureConsequence } from '#model/failure';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import type { EffectHandlers, HandlerOutcome } from '../runtime/effect-handler.ts';
import { createReadHead, createUpdateFromBase } from '../upstream/update-from-base.effect.ts';
import { createCheckBase } from '../preparation/check-base.effect.ts';
import { createClosePr } from '../upstream/close-pr.effect.ts';
import { createCommentOnItem } from '../upstream/comment-on-item.effect.ts';
import { createCheck } from '../rounds/check-commit.effect.ts';
import { createDiscover } from '../preparation/discover.effect.ts';
import { createCompareBase, withRenameFollowed } from '../upstream/follow-rename.effect.ts';
import { createAnswerQuestion, withQuestionEnded } from '../rounds/answer-question.effect.ts';
import { createImplement } from '../rounds/implement.effect.ts';
import { createModifyProposal } from '../gate/modify-proposal.effect.ts';
import { createCompareChecks } from '../ci/compare-checks.effect.ts';
import { createPoll } from '../ci/poll-pull.effect.ts';
import { createSetUpPull } from '../gate/set-up-pull.effect.ts';
import { createOpenPr } from '../gate/open-pr.effect.ts';
import { readUnheardOpening } from '../gate/verify-opened-pull.io.ts';
import { requireRunOf, type EffectContext, type ItemComments, type PollHints } from './effect-context.ts';
import { createPushHandler } from '../gate/push.effect.ts';
import { mayReopen, reopeningDeadline } from '../upstream/reopening.ts';
import { removeBranch } from '../upstream/remove-branch.io.ts';
import { createReply, createSealReplies } from '../reviews/post-replies.effect.ts';
import { createStartRun } from '../lifecycle/start-run.effect.ts';

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
  start_run: createStartRun(parts),
  discover: withRenameFollowed(parts, createDiscover(parts)),
  check_base: withRenameFollowed(parts, createCheckBase(parts)),
  implement: withQuestionEnded(parts, withRenameFollowed(parts, createImplement(parts))),
  answer_question: createAnswerQuestion(parts),
  check: withRenameFollowed(parts, createCheck(parts)),
  push: withRenameFollowed(parts, createPushHandler(parts)),
  open_pr: withRenameFollowed(parts, createOpenPr(parts)),
  modify_proposal: withRenameFollowed(parts, createModifyProposal(parts)),
  poll: createPoll(parts),
  seal_replies: withRenameFollowed(parts, createSealReplies(parts)),
  reply: withRenameFollowed(parts, createReply(parts)),
  rerun_ci: async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const at = parts.clock.now() + STILL_RUNS_MS;
    if ((await parts.forge.rerun(repositoryOf(run), claim.do.sha)) === 'running')
      return { kind: 'later', at, reason: 'other checks of the commit still run', counts: 'anew' };
    return { kind: 'done', result: null };
  },
  set_up_pull: createSetUpPull(parts),
  close_pr: createClosePr(parts),
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
  update_from_base: withQuestionEnded(parts, withRenameFollowed(parts, createUpdateFromBase(parts))),
  comment_on_item: createCommentOnItem(parts),
  compare_base: withQuestionEnded(parts, withRenameFollowed(parts, createCompareBase(parts))),
  compare_checks: withRenameFollowed(parts, createCompareChecks(parts)),
  read_head: withRenameFollowed(parts, createReadHead(parts)),
});
