/** Why a run stands where it stands, in the language of the chat; and the warning that a budget comes to its end. */
import { inUnits, moreThan, type Budget } from '../../orchestrator/core/budget.ts';
import type { View } from '../../orchestrator/core/effects.ts';
import { consequence } from '../../orchestrator/core/failures.ts';
import type { Run } from '../../orchestrator/core/run.ts';
import { whyOf } from '../../orchestrator/core/why.ts';
import type { Words } from '../language.ts';
import { fit, moment, said, short, show, showPath } from '../text.ts';
import { headline, type Rendered, type Scene, type Shown } from './scene.ts';

export const amountOf = (budget: Budget, amount: number, words: Words): string =>
  words.budgets.amounts[budget](inUnits(budget, amount));

/** Plain text. What is not data is the machine's sentence. */
export const reasonOf = (run: Run, now: number, words: Words): string => {
  const reason = whyOf(run);
  if (!reason) return words.machine(run.reason);
  const { why, calendar } = words;
  const time = (at: number): string => moment(at, now, calendar);
  switch (reason.kind) {
    case 'failed': {
      const detail = reason.message === '' ? [] : [`(${reason.message})`];
      const next = reason.retryAt === null ? [] : [why.until(time(reason.retryAt))];
      const goesOn = consequence(reason.class) === 'retry' ? [why.again] : [];
      const end = reason.tries === null ? goesOn : [why.tried(reason.tries)];
      return [why.failures[reason.class], ...detail, ...end, ...next].join(' ');
    }
    case 'budget': {
      const about = reason.about === '' ? [] : [`(${reason.about})`];
      const { budget, used, limit } = reason;
      const says = why.exceeded(
        words.budgets.names[budget],
        amountOf(budget, used, words),
        amountOf(budget, limit, words),
      );
      return [says, ...about].join(' ');
    }
    case 'ended': {
      const said = reason.note === '' ? [] : [reason.note];
      const stays = reason.pull === null ? [] : [why.stays(reason.pull)];
      return [why.ended[reason.how](reason.by), ...said, ...stays].join(' ');
    }
    case 'closed':
      return why.closed(reason.by);
    case 'foreign':
      return why.foreign(short(reason.from), short(reason.to));
    case 'taken':
      return why.taken(reason.by, reason.author, short(reason.sha));
    case 'update':
      return why.update(reason.by, reason.ref);
    case 'level':
      return why.level(reason.ref, short(reason.sha));
    case 'merging': {
      const { ref, sha, commits, conflicts } = reason;
      const says = why.merging(ref, short(sha), commits);
      return conflicts.length === 0 ? says : `${says} ${why.conflicts(conflicts.slice(0, 5).join(', '))}`;
    }
    case 'queue': {
      const place = reason.at === null ? [] : [why.nextPlace(time(reason.at))];
      return [why[reason.waitsFor](reason.taken, reason.of), ...place].join(' ');
    }
  }
};

/** The budget that a run stands still for. */
export const lacks = (run: Run): Budget | null => {
  const reason = whyOf(run);
  return reason?.kind === 'budget' && run.state === 'NEEDS_HUMAN_REVIEW' ? reason.budget : null;
};

export const raiseButton = (run: Run, budget: Budget, words: Words): Shown => ({
  verb: 'raise',
  text: words.budgets.raise(amountOf(budget, moreThan(run, budget), words)),
  style: 'primary',
});

/** E6: what is nearly used up, and the tap that raises it. */
export const renderWarning = (
  { budget, used, limit }: Extract<View, { view: 'budget' }>,
  { run }: Scene,
  words: Words,
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
  view: Extract<View, { view: 'waiting' }>,
  { run, now }: Scene,
  { why, calendar, buttons }: Words,
): Rendered => ({
  html: fit([
    headline('⏳', run),
    ...(view.for === 'host' ? [] : [show(why.failures[view.class])]),
    show(
      `${why.waiting[view.for ?? 'since'](moment(view.since, now, calendar))} ${why.until(moment(view.until, now, calendar))}`,
    ),
    ...(view.for === 'host' ? [] : [show(why.waiting.check)]),
    said(run.order.title ?? run.order.goal, 120),
  ]),
  buttons: [[{ verb: 'detail', text: buttons.detail }]],
});

/** E17: which edits did not stay, and why. */
export const renderUndone = (
  { undone: { why: kind, files, more } }: Extract<View, { view: 'undone' }>,
  { run }: Scene,
  { why: { undone } }: Words,
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
