/** A person stops the agent: what is there goes through the usual checks, or is dropped (E21). */
import { Person } from '#model/order';
import { isAgentWorking } from '#model/run';
import { defineCommand, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { countDeferredSpending, abandonBaseMerge } from '../lifecycle/resume-run.ts';
import { requestReset, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { listOnwardHints } from '../run/refusals.ts';
import { innerRound, ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import { AGENTS } from '../run/state-groups.ts';

const onStopped = (
  draft: StepDraft,
  { by, type }: InputOf<'command.work.keep' | 'command.work.drop'>,
): HandlerRuling => {
  const { run } = draft;
  const { state, resumeState, pausedEpoch } = run.lifecycle;
  const at = state === 'PAUSED' ? resumeState : state;
  if (at === null || !isAgentWorking(at) || run.gate.approval || run.lifecycle.reason.kind === 'pushing')
    return {
      refuse: { kind: 'not_possible_now', run: run.id, state, command: type, hints: listOnwardHints(run) },
    };
  countDeferredSpending(draft);
  if (type === 'command.work.keep') {
    // guard: E21-kept-without-the-agent
    run.agent.round = innerRound(run.agent.round, 'kept_edits', []);
    return void enterState(draft, at, { kind: 'work_kept', by: by.name });
  }
  const pull = run.upstream.pullRequest;
  if (!pull)
    return void enterState(draft, 'FAILED_TERMINAL', {
      kind: 'ended_by_person',
      how: 'cancelled',
      by: by.name,
      note: '',
      pull: null,
    });
  abandonBaseMerge(draft);
  dropUnpushed(draft);
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(draft, 'PAUSED', { kind: 'work_dropped', by: by.name });
  // E6: what the stopped turn used is counted when the run goes on.
  if (state === 'PAUSED') run.lifecycle.pausedEpoch = pausedEpoch;
  return undefined;
};

/** Nothing of what our branch has not is checked, signed or published any more. */
const dropUnpushed = (draft: StepDraft): void => {
  const { run } = draft;
  const { pushedHead, pushed, commit } = run.change;
  if (!pushedHead) return;
  // guard: E21-dropped-edits
  requestReset(draft, pushedHead.sha);
  const known = [pushed?.commit, commit].find((one) => one?.sha === pushedHead.sha) ?? null;
  // guard: E21-dropped-commit
  run.change.commit = known;
  if (known && run.target.base) run.target.base = { ...run.target.base, sha: known.base };
  if (pushed) run.agent.fixSummaries = [...pushed.fixSummaries];
  run.change.pendingMerge = run.change.evaluation = run.gate.proposal = run.gate.deniedAction = null;
};

export const STOP_WORK_COMMANDS = [
  defineCommand({
    type: 'command.work.keep',
    fields: { by: Person },
    moves: [
      ...stayIn(AGENTS, 'the agent is stopped, and what is there is checked'),
      moveFrom(['PAUSED'], AGENTS, 'what is there is checked'),
    ],
    handle: (d, input): HandlerRuling => onStopped(d, input),
  }),
  defineCommand({
    type: 'command.work.drop',
    fields: { by: Person },
    moves: [
      moveFrom(['IMPLEMENTING', 'PAUSED'], ['FAILED_TERMINAL'], 'before a pull request'),
      moveFrom(['ITERATING', 'PAUSED'], ['PAUSED'], 'edits since the last push are dropped'),
    ],
    handle: (d, input): HandlerRuling => onStopped(d, input),
  }),
];
