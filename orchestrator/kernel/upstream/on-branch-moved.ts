/** Reacts to what others do upstream: the base moves on, or somebody pushes to our branch (S10). */
import { z } from 'zod';
import { Commit, ForeignHead } from '#model/change';
import { Person } from '#model/order';
import { SETTLED, WATCHING } from '../run/state-groups.ts';
import { DISCARDED_EDITS } from '../lifecycle/result-fields.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import {
  attentionView,
  attentionSlot,
  clearRetries,
  addMessage,
  addWork,
  type StepDraft,
} from '../lifecycle/step-draft.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { permitRound, stopForBudget } from '../lifecycle/permit-round.ts';
import { callAboutHead, stopForForeignHead } from '../lifecycle/stop-for-foreign-head.ts';
import { adoptForeignHead, followBaseMerge } from './follow-base-merge.ts';
import { hasForeignHead } from '../run/foreign-commit.ts';
import type { InputOf } from '../run/input-types.ts';
import {
  defineCommand,
  defineResult,
  stayPaused,
  moveFrom,
  stayIn,
  type HandlerRuling,
} from '../lifecycle/define-input.ts';
import { wordsFeedback } from '#model/feedback';
import { isChecking, isTerminal } from '#model/run';
import type { Reason } from '../run/reasons.ts';
import { checkPushBlock, listHintsOr, toForeignHeadRefusal, type Refusal } from '../run/refusals.ts';
import { ROUND_WITHOUT_FEEDBACK, feedbackAskedFor, innerRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import { recordDiscardedEdits } from '../rounds/record-discarded-edits.ts';

export const checkMayUpdate = (run: Run): Refusal | null => {
  if (!run.change.commit) return { kind: 'nothing_to_update' };
  const block = checkPushBlock(run);
  if (block) return block;
  if (hasForeignHead(run)) return toForeignHeadRefusal(run);
  const busy = isChecking(run.lifecycle.state) && !run.gate.approval;
  if (busy || run.gate.consumedApproval?.epoch === run.lifecycle.epoch) return { kind: 'under_way' };
  const found = toMerge(run);
  return 'stop' in found ? { kind: 'run_stopped', by: found.stop } : null;
};

/** The round needs an agent only when something conflicts. */
const toMerge = (run: Run): ReturnType<typeof permitRound> =>
  permitRound(
    run,
    { kind: 'update_from_base', feedback: [], purpose: feedbackAskedFor(run.agent.round) },
    'check',
  );

const onBaseUpdate = (draft: StepDraft, { by }: InputOf<'command.base.update'>): HandlerRuling => {
  const { run } = draft;
  const refuse = checkMayUpdate(run);
  if (refuse !== null) return { refuse };
  const found = toMerge(run);
  if ('stop' in found) return { refuse: { kind: 'run_stopped', by: found.stop } };
  run.lifecycle.counts = { ...found.counts, retries: 0, outsideFailures: 0 };
  run.agent.round = found.round;
  run.change.pendingMerge = null;
  enterState(draft, run.upstream.pullRequest ? 'ITERATING' : 'IMPLEMENTING', {
    kind: 'base_update',
    by: by.name,
    ref: run.target.base?.ref ?? '',
  });
  return undefined;
};

const onBaseMerged = (draft: StepDraft, input: InputOf<'worker.base.merged'>): HandlerRuling => {
  const { run } = draft;
  if (run.agent.round.kind !== 'update_from_base' || !run.target.base || !run.change.commit)
    return { ignore: 'nobody asks' };
  const { ref, sha, commits, result } = input;
  clearRetries(draft);
  if (result.kind === 'level') {
    run.agent.round = innerRound(run.agent.round, 'implement', []);
    const there = run.upstream.pullRequest
      ? run.change.commit.sha === run.change.pushedHead?.sha
        ? 'CI_WAIT'
        : 'ITERATING'
      : 'LOCAL_VALIDATING';
    enterState(draft, there, { kind: 'base_up_to_date', ref, sha });
    settleState(draft);
    return undefined;
  }
  const ours = run.change.commit.sha;
  if (input.discardedEdits) recordDiscardedEdits(draft, input.discardedEdits);
  run.change.pendingMerge = {
    ref,
    sha,
    ownSha: ours,
    commits,
    workspaceSha: result.workspaceSha,
    conflicts: result.conflicts,
  };
  const reason: Reason = { kind: 'base_merge', ref, sha, commits, conflicts: result.conflicts };
  if (result.kind === 'conflicts') {
    run.agent.round = { ...run.agent.round, feedback: wordsFeedback(result.says) };
    const spent = findExhaustedBudget(run);
    if (spent) return void stopForBudget(draft, spent);
    run.lifecycle.reason = reason;
    addWork(draft, { kind: 'implement', round: run.agent.round });
    return undefined;
  }
  run.change.commit = result.commit;
  run.target.base = { ...run.target.base, sha };
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  if (run.lifecycle.state !== 'ITERATING') return void enterState(draft, 'LOCAL_VALIDATING', reason);
  run.lifecycle.reason = reason;
  addWork(draft, { kind: 'check', commitSha: result.commit.sha });
  return undefined;
};

/** Adopts exactly the head that was shown, once the code host confirms it. */
const onHeadAdopted = (draft: StepDraft, { by, sha }: InputOf<'command.head.adopt'>): HandlerRuling => {
  const { run } = draft;
  const { foreignHead: foreign } = run.change;
  if (!hasForeignHead(run) || !foreign) return { refuse: { kind: 'head_not_foreign' } };
  if (foreign.sha !== sha || foreign.head?.sha !== sha) return { refuse: { kind: 'head_moved' } };
  if (foreign.adoptedBy !== null) return { refuse: { kind: 'under_way' } };
  run.change.foreignHead = { ...foreign, adoptedBy: by.name };
  addWork(draft, { kind: 'read_head', sha, adoptedBy: by.name });
  addMessage(draft, attentionView(run), { slot: attentionSlot(run), urgent: true });
  return undefined;
};

/** Shows the branch's real head, or continues from it when the user has tapped. */
const onHeadRead = (
  draft: StepDraft,
  { head, adoptedBy: takenBy, discardedEdits: undone }: InputOf<'worker.head.read'>,
): HandlerRuling => {
  const { run } = draft;
  run.upstream.observed = { ...run.upstream.observed, branchHead: head.sha };
  if (!hasForeignHead(run)) {
    run.change.foreignHead = null;
    callAboutHead(draft);
    return undefined;
  }
  const moved = run.change.foreignHead?.sha !== head.sha;
  if (!moved && takenBy !== null && run.change.foreignHead?.adoptedBy === takenBy) {
    if (undone) recordDiscardedEdits(draft, undone);
    return takeForeignHead(draft, head, takenBy);
  }
  if (followBaseMerge(draft, head)) {
    if (undone) recordDiscardedEdits(draft, undone);
    return undefined;
  }
  // The head moved again, and nobody saw the new one: ask again.
  if (moved) stopForForeignHead(draft, head);
  else if (run.change.foreignHead) run.change.foreignHead = { ...run.change.foreignHead, head };
  callAboutHead(draft);
  return undefined;
};

const takeForeignHead = (
  draft: StepDraft,
  head: InputOf<'worker.head.read'>['head'],
  by: string,
): HandlerRuling => {
  const { run } = draft;
  if (!run.change.pushedHead || !run.target.base) return { ignore: 'nothing pushed' };
  const { sha, author } = head;
  adoptForeignHead(draft, head);
  run.change.adoptedHead = { sha, author, by };
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  clearRetries(draft);
  enterState(draft, run.upstream.pullRequest ? 'CI_WAIT' : 'LOCAL_VALIDATING', {
    kind: 'head_adopted',
    by,
    author,
    sha,
  });
  settleState(draft);
  return undefined;
};

export const BRANCH_COMMANDS = [
  defineCommand({
    type: 'command.base.update',
    fields: { by: Person },
    moves: [
      moveFrom(
        ['LOCAL_VALIDATING', 'PUSHED', 'NEEDS_HUMAN_REVIEW'],
        ['IMPLEMENTING'],
        'merges the base before there is a pull request',
      ),
      moveFrom([...WATCHING, 'ITERATING', 'NEEDS_HUMAN_REVIEW'], ['ITERATING'], 'merges the base'),
    ],
    pushes: true,
    instead: (run) => listHintsOr(run, run.change.commit ? 'under_way' : 'nothing_to_update'),
    handle: (d, input): HandlerRuling => onBaseUpdate(d, input),
  }),
  /** Continues from a foreign head of our branch; `sha` is the one that was shown. */
  defineCommand({
    type: 'command.head.adopt',
    fields: { by: Person, sha: z.string() },
    moves: stayIn(['NEEDS_HUMAN_REVIEW'], 'a head that was shown, signed by a tap'),
    pushes: true,
    instead: ({ lifecycle: { state } }) => (isTerminal(state) ? [] : ['not_theirs']),
    handle: (d, input): HandlerRuling => onHeadAdopted(d, input),
  }),
];

export const BRANCH_RESULTS = [
  defineResult({
    type: 'worker.base.merged',
    fields: {
      ref: z.string(),
      sha: z.string(),
      commits: z.number(),
      discardedEdits: DISCARDED_EDITS,
      result: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('level') }),
        z.object({
          kind: z.literal('merged'),
          commit: Commit,
          workspaceSha: z.string(),
          conflicts: z.tuple([]),
        }),
        z.object({
          kind: z.literal('conflicts'),
          workspaceSha: z.string(),
          conflicts: z.array(z.string()),
          says: z.string(),
        }),
      ]),
    },
    moves: [
      moveFrom(
        ['IMPLEMENTING'],
        ['IMPLEMENTING', 'LOCAL_VALIDATING', 'NEEDS_HUMAN_REVIEW'],
        'the agent resolves conflicts; nothing conflicts; or no agent may work any more',
      ),
      moveFrom(['ITERATING'], SETTLED, 'checked; or the base has nothing new, then settled'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onBaseMerged(d, input),
  }),
  /** `adoptedBy` is set only when the code host still shows that head. */
  defineResult({
    type: 'worker.head.read',
    fields: { head: ForeignHead, adoptedBy: z.string().nullable(), discardedEdits: DISCARDED_EDITS },
    moves: [
      moveFrom(
        ['NEEDS_HUMAN_REVIEW'],
        ['NEEDS_HUMAN_REVIEW', 'IMPLEMENTING', 'LOCAL_VALIDATING', ...WATCHING, 'ITERATING'],
        'shown; or gone on from',
      ),
    ],
    handle: (d, input): HandlerRuling => onHeadRead(d, input),
  }),
];
