/** An approver raises a budget (E6). A run that waits for it continues where it was. */
import { z } from 'zod';
import { BudgetKind, toShownAmount, mayBeUnlimited } from '#model/limits';
import { Person } from '#model/order';
import { isWatching, isWorking } from '#model/run';
import type { InputOf } from '../run/input-types.ts';
import { ROUND_ROWS } from '../run/round-table.ts';
import { LIVE, SPENDING, WATCHING } from '../run/state-groups.ts';
import { defineCommand, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import { addTimeLimit } from './enter-state.ts';
import { retryOrResume } from './resume-run.ts';
import { stopForBudget } from './permit-round.ts';
import { warnOfBudget } from './count-spending.ts';
import { accountOf, isStoppedForPrice, findExhaustedBudget, withRaisedLimit } from './run-budget.ts';
import { enterIteration } from './settle-state.ts';
import { addMessage, progressSlot, type StepDraft } from './step-draft.ts';

const onBudgetRaised = (draft: StepDraft, input: InputOf<'command.budget.raise'>): HandlerRuling => {
  const { run } = draft;
  const { budget, by } = input;
  const { limit, used } = accountOf(run, budget);
  if (limit === null) return { refuse: { kind: 'no_limit', run: run.id } };
  const isOff = input.limit === null;
  const fits = isOff ? mayBeUnlimited(budget) : Number.isInteger(input.limit) || budget === 'cost';
  if (!fits) return { refuse: { kind: 'not_a_whole_number' } };
  if (input.limit !== null && input.limit <= limit)
    return { refuse: { kind: 'limit_already', budget, limit: toShownAmount(budget, limit) } };
  const { reason } = run.lifecycle;
  const wasUnpriced = isStoppedForPrice(run);
  // guard: C4-raised-call
  if (run.lifecycle.warnedBudgets.includes(budget))
    warnOfBudget(draft, { budget, used, limit }, { urgent: true });
  run.lifecycle.raisedLimits = withRaisedLimit(run, budget, input.limit);
  run.lifecycle.warnedBudgets = run.lifecycle.warnedBudgets.filter((told) => told !== budget);
  // An unpriced model stays unpriced under a higher limit.
  const stands = wasUnpriced
    ? budget === 'cost' && isOff
    : reason.kind === 'budget_exhausted' &&
      reason.budget === budget &&
      run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';
  if (!stands) {
    if (budget === 'time' && isWorking(run.lifecycle.state) && !run.gate.approval) addTimeLimit(draft);
    addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
    return undefined;
  }
  const spent = findExhaustedBudget(run);
  if (spent) return void stopForBudget(draft, spent);
  const { round } = run.agent;
  const { resumeState: back } = run.lifecycle;
  const asked = ROUND_ROWS[round.kind].bound?.counts === 'iterations';
  if (asked && back && isWatching(back)) return void enterIteration(draft, round);
  return retryOrResume(draft, { type: 'command.retry', by, target: null });
};

export const BUDGET_COMMANDS = [
  /** `limit` is in ms, tokens, dollars, bytes or times; null removes it. A waiting run resumes. */
  defineCommand({
    type: 'command.budget.raise',
    fields: {
      by: Person,
      budget: BudgetKind,
      limit: z.number().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
    },
    moves: [
      ...stayIn(LIVE, 'an approver grants more'),
      moveFrom(
        ['NEEDS_HUMAN_REVIEW'],
        ['DISCOVERY', ...SPENDING, ...WATCHING],
        'goes on where it stood still for want of it, then settled',
      ),
    ],
    handle: (d, input): HandlerRuling => onBudgetRaised(d, input),
  }),
];
