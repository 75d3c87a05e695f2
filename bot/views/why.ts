/**
 * Why a run stands where it stands, in the language of the chat; and the warning that a budget
 * comes to its end.
 */
import type { RunLifecycle } from '../../orchestrator/core/machine/run.ts';
import type { Budget } from '../../orchestrator/core/bounds.ts';
import { inUnits, lacksPrice, moreThan } from '../../orchestrator/core/machine/budget.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import { askedFor } from '../../orchestrator/core/machine/rounds.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Texts } from '../language/language.ts';
import { say, type RenderContext } from '../text/catalogue.ts';
import { duration, fit, moment, said, show, showPath } from '../text/text.ts';
import { headline, type Rendered, type Scene, type Shown } from './scene.ts';

export const amountOf = (budget: Budget, amount: number, words: Texts): string =>
  words.budgets.amounts[budget](inUnits(budget, amount));

/** A record of the machine in the language of the chat; plain text. */
export const settingAt = (now: number, { calendar }: Texts): RenderContext => ({
  time: (at) => moment(at, now, calendar),
  age: (at) => duration(now - at, calendar),
});
export const reasonOf = (
  { lifecycle: { reason } }: { lifecycle: Pick<RunLifecycle, 'reason'> },
  now: number,
  words: Texts,
): string => say(words.reasons, reason, settingAt(now, words));

/** What the iteration that is going on was asked for; empty when none is. */
export const askedOf = ({ agent: { round } }: Run, words: Texts): string =>
  askedFor(round)
    .map((f) => say(words.feedback, f))
    .join('\n\n');

/** The budget that ran out and stopped the run, or whose limit does. */
export const findLackingBudget = (run: Run): Budget | null => {
  // guard: E18-no-vain-retry
  if (lacksPrice(run)) return 'cost';
  return run.lifecycle.reason.kind === 'budget_exhausted' && run.lifecycle.state === 'NEEDS_HUMAN_REVIEW'
    ? run.lifecycle.reason.budget
    : null;
};

/** The limit that a tap gives; null: none any more. */
export const nextLimit = (run: Run, budget: Budget): number | null =>
  budget === 'cost' && lacksPrice(run) ? null : moreThan(run, budget);

export const raiseButton = (run: Run, budget: Budget, words: Texts): Shown => {
  const { lift, raise } = words.budgets;
  const limit = nextLimit(run, budget);
  const text = limit === null ? lift : raise(amountOf(budget, limit, words));
  return { verb: 'raise', text, style: 'primary' };
};

/** Says what a run may use from now on; a `limit` of null means as much as it takes. */
export const raisedTo = (run: string, budget: Budget, limit: number | null, words: Texts): string => {
  const { names, raised, lifted } = words.budgets;
  return limit === null
    ? lifted(run, names[budget])
    : raised(run, names[budget], amountOf(budget, limit, words));
};

/** E6: what is nearly used up, and the tap that raises it. */
export const renderWarning = (
  { budget, used, limit }: Extract<View, { view: 'budget' }>,
  { run }: Scene,
  words: Texts,
): Rendered => {
  const { budgets } = words;
  const { names, line } = budgets;
  const left = amountOf(budget, Math.max(0, limit - used), words);
  return {
    html: fit([
      headline('⚠', run),
      show(budgets.near(names[budget], Math.floor((used / limit) * 100))),
      show(line(names[budget], amountOf(budget, used, words), amountOf(budget, limit, words), left)),
      said(run.order.title ?? run.order.goal, 120),
    ]),
    buttons: [[raiseButton(run, budget, words), { verb: 'detail', text: words.buttons.detail }]],
  };
};

/** E17, F8: a wait that takes long is told once. */
export const renderWaiting = (
  view: Extract<View, { view: 'provider_wait' }>,
  { run, now }: Scene,
  { why, calendar, buttons }: Texts,
): Rendered => ({
  html: fit([
    headline('⏳', run),
    ...(view.for === 'host' ? [] : [show(why.failures[view.class])]),
    show(
      `${why.waiting[view.for ?? 'since'](moment(view.since, now, calendar))} ${why.until(moment(view.until, now, calendar))}`,
    ),
    ...(view.others === undefined ? [] : [show(why.waiting.others(view.others.length))]),
    ...(view.for === 'host' ? [] : [show(why.waiting.check)]),
    said(run.order.title ?? run.order.goal, 120),
  ]),
  buttons: [[{ verb: 'detail', text: buttons.detail }]],
});

/** E17: which edits did not stay, and why. */
export const renderUndone = (
  { discardedEdits: { why: kind, files, more } }: Extract<View, { view: 'discarded_edits' }>,
  { run }: Scene,
  { why: { undone } }: Texts,
): Rendered => ({
  html: fit(
    [
      headline(`↩ ${undone.title}`, run),
      `${show(undone[kind])} ${show(undone.told)}`,
      ...files.map((path) => `<code>${showPath(path, 60)}</code>`),
      more > 0 ? show(undone.more(more)) : '',
    ].filter((line) => line !== ''),
  ),
  buttons: [],
});
