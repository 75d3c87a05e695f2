/** The handlers of what is done for a run: in a workspace, at the code host, by an engine. */
import { repositoryOf } from '../core/machine/run.ts';
import { SECOND } from '../core/units.ts';
import type { Handlers } from '../engine/handler.ts';
import { createHead, createUpdate } from './branch.ts';
import { createBase } from './base.ts';
import { createClosePr } from './close-pr.ts';
import { createCheck } from './check.ts';
import { createDiscover } from './discover.ts';
import { createFollowBase, following } from './follow.ts';
import { createImplement } from './implement.ts';
import { createModify } from './modify.ts';
import { createObserve } from './observe.ts';
import { createOpenPr } from './open-pr.ts';
import { heardLate } from './opening.ts';
import { runOf, type EffectParts } from './parts.ts';
import { createPush } from './push.ts';
import { removeBranch } from './remove-branch.ts';
import { createReply, createSealReplies } from './reply.ts';
import { createStart } from './start.ts';

/** After so long it is looked again whether the other checks of a commit have ended (ms). */
const STILL_RUNS_MS = 20 * SECOND;

/** Kinds of effects that need nothing but the ledger and the chat. */
type Light = 'expedite_poll' | 'offer_input' | 'chat_message';

export type WorkHandlers = Omit<Handlers, Light>;

export const createWorkHandlers = (parts: EffectParts): WorkHandlers => ({
  start_run: createStart(parts),
  discover: following(parts, createDiscover(parts)),
  check_base: following(parts, createBase(parts)),
  implement: following(parts, createImplement(parts)),
  check: following(parts, createCheck(parts)),
  push: following(parts, createPush(parts)),
  open_pr: following(parts, createOpenPr(parts)),
  modify_proposal: following(parts, createModify(parts)),
  poll: createObserve(parts),
  seal_replies: following(parts, createSealReplies(parts)),
  reply: following(parts, createReply(parts)),
  rerun_ci: async (claim) => {
    const run = await runOf(parts, claim.runId);
    const at = parts.clock.now() + STILL_RUNS_MS;
    if ((await parts.forge.rerun(repositoryOf(run), claim.do.sha)) === 'running')
      return { kind: 'later', at, reason: 'other checks of the commit still run', counts: 'anew' };
    return { kind: 'done', result: null };
  },
  close_pr: createClosePr(parts),
  remove_workspace: async (claim) => {
    const run = await runOf(parts, claim.runId);
    const waits = await removeBranch(parts, run, claim);
    if (waits) return waits;
    await parts.workspaces.clean(run.id);
    // What was under way when the run ended may have taken place.
    const late = await heardLate(parts, run);
    return late ? { kind: 'result', input: late } : { kind: 'done', result: null };
  },
  merge_base: following(parts, createUpdate(parts)),
  compare_base: following(parts, createFollowBase(parts)),
  read_head: following(parts, createHead(parts)),
});
