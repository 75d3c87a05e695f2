/** Handlers of effects that need a workspace, the code host or an engine. */
import { repositoryOf } from '../core/machine/run.ts';
import { SECOND } from '../core/units.ts';
import type { EffectHandlers } from '../engine/effect-handler.ts';
import { createHead, createUpdate } from './update-branch.ts';
import { createBase } from './check-base.ts';
import { createClosePr } from './close-pr.ts';
import { createCheck } from './check-commit.ts';
import { createDiscover } from './discover.ts';
import { createFollowBase, withRenameFollowed } from './follow-rename.ts';
import { createImplement } from './implement.ts';
import { createModify } from './edit-pull-text.ts';
import { createObserve } from './poll.ts';
import { createOpenPr } from './open-pr.ts';
import { readUnheardOpening } from './confirm-opening.ts';
import { requireRunOf, type EffectContext } from './effect-context.ts';
import { createPush } from './push.ts';
import { removeBranch } from './remove-branch.ts';
import { createReply, createSealReplies } from './post-replies.ts';
import { createStart } from './start-run.ts';

const STILL_RUNS_MS = 20 * SECOND;

/** Effects that need only ledger and chat. */
type Light = 'expedite_poll' | 'offer_input' | 'chat_message';

export type WorkHandlers = Omit<EffectHandlers, Light>;

export const createWorkHandlers = (parts: EffectContext): WorkHandlers => ({
  start_run: createStart(parts),
  discover: withRenameFollowed(parts, createDiscover(parts)),
  check_base: withRenameFollowed(parts, createBase(parts)),
  implement: withRenameFollowed(parts, createImplement(parts)),
  check: withRenameFollowed(parts, createCheck(parts)),
  push: withRenameFollowed(parts, createPush(parts)),
  open_pr: withRenameFollowed(parts, createOpenPr(parts)),
  modify_proposal: withRenameFollowed(parts, createModify(parts)),
  poll: createObserve(parts),
  seal_replies: withRenameFollowed(parts, createSealReplies(parts)),
  reply: withRenameFollowed(parts, createReply(parts)),
  rerun_ci: async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const at = parts.clock.now() + STILL_RUNS_MS;
    if ((await parts.forge.rerun(repositoryOf(run), claim.do.sha)) === 'running')
      return { kind: 'later', at, reason: 'other checks of the commit still run', counts: 'anew' };
    return { kind: 'done', result: null };
  },
  close_pr: createClosePr(parts),
  remove_workspace: async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const waits = await removeBranch(parts, run, claim);
    if (waits) return waits;
    await parts.workspaces.clean(run.id);
    // An opening may have succeeded after the run ended.
    const late = await readUnheardOpening(parts, run);
    return late ? { kind: 'result', input: late } : { kind: 'done', result: null };
  },
  merge_base: withRenameFollowed(parts, createUpdate(parts)),
  compare_base: withRenameFollowed(parts, createFollowBase(parts)),
  read_head: withRenameFollowed(parts, createHead(parts)),
});
