/** Records a pull request that was opened (G1). */
import { z } from 'zod';
import { OpaqueId } from '#model/order';
import { DecisionLeaf } from '#model/seal';
import { BEFORE_PULL, OPENED, SETTLED, STOPPED, TERMINAL } from '../run/state-groups.ts';
import { isActive, isTerminal } from '#model/run';
import { enterState } from '../lifecycle/enter-state.ts';
import { PullSetupRefusal } from '#model/opening';
import { showGate, addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import { followPull, stopPushes } from '../upstream/follow-pull.ts';
import { defineResult, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { copyRun, patchRun } from '../run/run.ts';
import { reportPullChanges } from '../upstream/report-pull-changes.ts';
import { settleState } from '../lifecycle/settle-state.ts';

/** G1: a pull request's number enters a run only here, for the approval consumed for it. */
const onPullOpened = (draft: StepDraft, input: InputOf<'worker.pr.opened'>): HandlerRuling => {
  const { run } = draft;
  if (run.upstream.pullRequest) return { ignore: 'known already' };
  // guard: G1-linked-by-approval
  if (run.gate.consumedApproval?.kind !== 'open_pr' || run.gate.consumedApproval.id !== input.approvalId) {
    return { ignore: 'no approval for it' };
  }
  // Facts that arrived before the pull request was known as ours were not followed yet.
  const known = patchRun(copyRun(run), { upstream: { observed: { ...run.upstream.observed, pull: null } } });
  const { body, setup } = run.gate.consumedApproval.fields;
  run.upstream.pullRequest = { id: input.pull, url: input.url, body, ...(setup && { setup }) };
  run.lifecycle.counts = { ...run.lifecycle.counts, outsideFailures: 0, retries: 0 };
  showGate(draft, input.approvalId, { sound: false });
  if (run.lifecycle.state === 'PUSHED') {
    enterState(draft, 'CI_WAIT', { kind: 'pull_open', pull: input.pull });
  } else if (isActive(run.lifecycle.state)) {
    enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_too_late', pull: input.pull });
  } else {
    const { pull, url } = input;
    const note = { kind: 'pull_too_late', pull, url, ended: isTerminal(run.lifecycle.state) } as const;
    addMessage(draft, { view: 'note', note }, { urgent: true });
  }
  if (!isTerminal(run.lifecycle.state)) {
    // guard: F12-followed-late
    followPull(draft);
    stopPushes(draft);
  }
  settleState(draft);
  reportPullChanges(draft, known);
  return undefined;
};

/** F13: what the host refused is told once; the pull request stays as it is. */
const onPullSetUp = (d: StepDraft, input: InputOf<'worker.pull.set_up'>): HandlerRuling => {
  const { pullRequest: pr } = d.run.upstream;
  if (pr?.id !== input.pull || pr.setUp?.[input.what]) return { ignore: 'known already' };
  d.run.upstream.pullRequest = { ...pr, setUp: { ...pr.setUp, [input.what]: true } };
  const { pull, refused } = input;
  if (refused.length > 0)
    addMessage(d, { view: 'note', note: { kind: 'pull_setup_refused', pull, url: pr.url, refused } });
  return undefined;
};

export const OPENING_RESULTS = [
  defineResult({
    type: 'worker.pull.set_up',
    fields: { pull: OpaqueId, what: z.enum(['fields', 'ready']), refused: z.array(PullSetupRefusal) },
    moves: stayIn(
      [...OPENED, 'FAILED_TERMINAL'],
      'what was set after the opening, and what the host refused',
    ),
    late: (d, input): HandlerRuling => onPullSetUp(d, input),
    handle: (d, input): HandlerRuling => onPullSetUp(d, input),
  }),
  defineResult({
    type: 'worker.pr.opened',
    fields: {
      approvalId: z.string(),
      pull: OpaqueId,
      url: z.string(),
      adopted: z.boolean(),
      leaf: DecisionLeaf.exactOptional(),
    },
    moves: [
      moveFrom(
        ['PUSHED'],
        [...SETTLED, 'PAUSED', 'DONE', 'FAILED_TERMINAL'],
        'result of the effect that consumed the approval; what was moved meanwhile; then settled',
      ),
      moveFrom(
        BEFORE_PULL,
        ['NEEDS_HUMAN_REVIEW', 'DONE', 'FAILED_TERMINAL'],
        'could not be stopped any more, then settled',
      ),
      ...stayIn([...STOPPED, ...TERMINAL], 'could not be stopped any more: noted'),
      moveFrom(STOPPED, ['DONE', 'FAILED_TERMINAL'], 'settled'),
      moveFrom(['FAILED_RETRYABLE'], ['PAUSED'], 'nothing can be pushed'),
    ],
    late: (d, input): HandlerRuling => onPullOpened(d, input),
    handle: (d, input): HandlerRuling => onPullOpened(d, input),
  }),
];
