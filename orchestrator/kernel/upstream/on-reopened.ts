/** An end on the code host is an end while it lasts; what is reopened is followed again (S11). */
import { SETTLED } from '../run/state-groups.ts';
import { PULL_FIELDS } from '../lifecycle/fold-facts.ts';
import { foldFact } from '../lifecycle/fold-facts.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { abandonBaseMerge } from '../lifecycle/resume-run.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import type { StepDraft } from '../lifecycle/step-draft.ts';
import { defineFact, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import { copyRun } from '../run/run.ts';
import { followPull, stopPushes } from './follow-pull.ts';
import { reportPullChanges } from './report-pull-changes.ts';

/** Counters, budgets and reviews stay; work that the closing cut off is decided anew from the facts. */
const onPullReopened = (draft: StepDraft, input: InputOf<'forge.pull.reopened'>): HandlerRuling => {
  const { run } = draft;
  const { reason } = run.lifecycle;
  const { pullRequest: pr, observed } = run.upstream;
  // guard: S11-host-ended
  if (reason.kind !== 'pull_closed' || pr?.id !== input.pull) return { ignore: 'ended otherwise' };
  const isOver = input.state === 'closed' && !input.merged;
  if (isOver) return { ignore: 'nothing new' };
  const at = input.metadata?.at ?? 0;
  // guard: S11-later-look
  if (at < (observed.pull?.metadata?.at ?? 0)) return { ignore: 'older look' };
  const known = copyRun(run);
  if (observed.pull)
    run.upstream.observed = { ...observed, pull: { ...observed.pull, state: 'open', reopenedAt: at } };
  foldFact(draft, { ...input, type: 'forge.pull.observed' });
  abandonBaseMerge(draft);
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(draft, 'CI_WAIT', { kind: 'pull_reopened', pull: input.pull });
  if (!input.merged) followPull(draft);
  // guard: S11-pause-stays
  if (reason.pausedBy !== undefined) enterState(draft, 'PAUSED', { kind: 'paused', by: reason.pausedBy });
  if (!input.merged) stopPushes(draft);
  settleState(draft);
  if (!input.merged) reportPullChanges(draft, known, [{ what: 'reopened' }]);
  return undefined;
};

export const REOPENING_FACTS = [
  /** S11: the only way out of a terminal state: the code host took back the end that it gave. */
  defineFact({
    type: 'forge.pull.reopened',
    fields: PULL_FIELDS,
    moves: [
      moveFrom(['FAILED_TERMINAL'], [...SETTLED, 'PAUSED'], 'open again: followed again, then settled'),
      moveFrom(['FAILED_TERMINAL'], ['DONE'], 'merged after all'),
    ],
    handle: (d, input): HandlerRuling => onPullReopened(d, input),
  }),
];
