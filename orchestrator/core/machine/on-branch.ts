/**
 * S10: what other people do to the ground a run stands on: the base moves on, or somebody pushes to
 * our branch.
 */
import { usedUp } from './budget.ts';
import { attentionOf, attentionSlot, enter, owned, succeeded, tell, work, type Draft } from './draft.ts';
import { nextRound, outOf } from './spending.ts';
import { foundForeign, isForeign } from './foreign.ts';
import type { InputOf } from './inputs.ts';
import type { Ruling } from './handler.ts';
import { words } from '../feedback.ts';
import type { Reason } from './reasons.ts';
import { comesToNothing, theirsFirst, type Refusal } from './refusals.ts';
import { PLAIN, askedFor, within } from './rounds.ts';
import type { Run } from './run.ts';
import { isChecking } from '../states.ts';
import { settle } from './settle.ts';
import { undo } from './undone.ts';

/** Why a run cannot be brought onto today's base now; null when it can. */
export const mayNotUpdate = (run: Run): Refusal | null => {
  if (!run.commit) return { kind: 'nothing_to_update' };
  const block = comesToNothing(run, 'command.update.base');
  if (block) return block;
  if (isForeign(run)) return theirsFirst(run);
  const busy = isChecking(run.state) && !run.approval;
  if (busy || run.consumed?.epoch === run.epoch) return { kind: 'under_way' };
  const found = toMerge(run);
  return 'stop' in found ? { kind: 'stopped', by: found.stop } : null;
};

/** The update as a round: no agent is needed unless something conflicts. */
const toMerge = (run: Run): ReturnType<typeof nextRound> =>
  nextRound(run, { kind: 'merge_base', told: [], about: askedFor(run.round) }, 'check');

export const updateBase = (d: Draft, { by }: InputOf<'command.update.base'>): Ruling => {
  const { run } = d;
  const refuse = mayNotUpdate(run);
  if (refuse !== null) return { refuse };
  const found = toMerge(run);
  if ('stop' in found) return { refuse: { kind: 'stopped', by: found.stop } };
  run.counts = { ...found.counts, retries: 0, failedOutside: 0 };
  run.round = found.round;
  run.merging = null;
  enter(d, run.pr ? 'ITERATING' : 'IMPLEMENTING', {
    kind: 'update',
    by: by.name,
    ref: run.base?.ref ?? '',
  });
  return undefined;
};

/** What became of bringing the change onto today's base, before any agent was asked. */
export const baseMerged = (d: Draft, input: InputOf<'worker.base.merged'>): Ruling => {
  const { run } = d;
  if (run.round.kind !== 'merge_base' || !run.base || !run.commit) return { ignore: 'nobody asks' };
  const { ref, sha, commits, result } = input;
  succeeded(d);
  if (result.kind === 'level') {
    run.round = within(run.round, 'implement', []);
    const there = run.pr
      ? run.commit.sha === run.pushed?.sha
        ? 'CI_WAIT'
        : 'ITERATING'
      : 'LOCAL_VALIDATING';
    enter(d, there, { kind: 'level', ref, sha });
    settle(d);
    return undefined;
  }
  const ours = run.commit.sha;
  if (input.undone) undo(d, input.undone);
  run.merging = { ref, sha, ours, commits, laid: result.laid, conflicts: result.conflicts };
  const reason: Reason = { kind: 'merging', ref, sha, commits, conflicts: result.conflicts };
  if (result.kind === 'conflicts') {
    run.round = { ...run.round, told: words(result.says) };
    const spent = usedUp(run);
    if (spent) return outOf(d, spent) as undefined;
    run.reason = reason;
    work(d, { kind: 'implement', round: run.round });
    return undefined;
  }
  run.commit = result.commit;
  run.base = { ...run.base, sha };
  run.round = within(run.round, 'implement', []);
  if (run.state !== 'ITERATING') return void enter(d, 'LOCAL_VALIDATING', reason);
  run.reason = reason;
  work(d, { kind: 'check', commitSha: result.commit.sha });
  return undefined;
};

/**
 * A tap on exactly the head that was shown. Whether it still is the head is asked from the code
 * host before it counts.
 */
export const takeHead = (d: Draft, { by, sha }: InputOf<'command.take.head'>): Ruling => {
  const { run } = d;
  const { foreign } = run;
  if (!isForeign(run) || !foreign) return { refuse: { kind: 'not_theirs' } };
  if (foreign.sha !== sha || foreign.head?.sha !== sha) return { refuse: { kind: 'head_moved' } };
  if (foreign.takenBy !== null) return { refuse: { kind: 'under_way' } };
  run.foreign = { ...foreign, takenBy: by.name };
  work(d, { kind: 'head', sha, takenBy: by.name });
  tell(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
  return undefined;
};

/**
 * What the branch really holds: shown to a person, or, when they have tapped on it, where the run
 * goes on from.
 */
export const headRead = (d: Draft, { head, takenBy, undone }: InputOf<'worker.head.read'>): Ruling => {
  const { run } = d;
  run.seen = { ...run.seen, head: head.sha };
  if (!isForeign(run)) {
    run.foreign = null;
    tell(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
    return undefined;
  }
  // It moved again since: that one was shown to nobody, so it is asked about anew.
  if (run.foreign?.sha !== head.sha) {
    foundForeign(d, head);
    return undefined;
  }
  if (takenBy === null || run.foreign.takenBy !== takenBy) {
    run.foreign = { ...run.foreign, head };
    tell(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
    return undefined;
  }
  if (undone) undo(d, undone);
  return take(d, head, takenBy);
};

const take = (d: Draft, head: InputOf<'worker.head.read'>['head'], by: string): Ruling => {
  const { run } = d;
  if (!run.pushed || !run.base) return { ignore: 'nothing pushed' };
  const { sha, author } = head;
  owned(run, sha);
  run.pushed = { ...run.pushed, sha };
  run.commit = head.commit;
  run.base = { ...run.base, sha: head.commit.base };
  run.baseMove = null;
  run.taken = { sha, author, by };
  run.lay = sha;
  run.foreign = run.merging = run.evaluation = run.proposal = run.denied = null;
  run.round = PLAIN;
  succeeded(d);
  run.counts = { ...run.counts, reflections: 0, repairs: 0, failedOutside: 0 };
  enter(d, run.pr ? 'CI_WAIT' : 'LOCAL_VALIDATING', { kind: 'taken', by, author, sha });
  settle(d);
  return undefined;
};
