/** O7: what cost people's attention, what could be changed, and what changes were followed by. */
import {
  COSTLY,
  LEAST,
  type Arm,
  type CardCost,
  type Cost,
  type Costly,
  type Measured,
} from '../../orchestrator/core/figures/insights.ts';
import type { Interval, Middle, Share } from '../../orchestrator/core/figures/interval.ts';
import type { Spent } from '../../orchestrator/core/figures/of-run.ts';
import type { FailureClass } from '../../orchestrator/core/failures.ts';
import { LOOKS_BACK, writeDays, type Days } from '../../orchestrator/core/reported.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import { settingRow } from '../../orchestrator/commands/settings.ts';
import type { Followed, InsightsNow, Offer } from '../../orchestrator/engine/insights.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, said, show, type Calendar } from '../text/text.ts';
import type { Answer, AnswerButton } from './fleet.ts';
import { failureName, percent, periodOf } from './report.ts';
import { changeLine, valueOf } from './settings.ts';

const PERIODS: readonly Days[] = [30, LOOKS_BACK, null];
/** Of each sort, what cost most. */
const SHOWN = 3;

const points = ({ by, low, high }: Interval & { by: number }, words: Texts): string =>
  words.insights.points(percent(by), percent(low), percent(high));

/** Counts, then the rate with its interval. */
const shareOf = ({ yes, of, low, high }: Share, { report, insights }: Texts): string => {
  const counts = report.counts(yes, of);
  return low === null || high === null
    ? counts
    : insights.rate(counts, percent(yes / of), percent(low), percent(high));
};

/** A class of failure as its sentence calls it; anything else by its own name. */
const nameOf = (sort: Costly, name: string, words: Texts): string =>
  name === '' ? words.report.unnamed : sort === 'failure' ? failureName(name, words) : name;

const range = (s: number | null, calendar: Calendar): string | null =>
  s === null ? null : duration(s * 1_000, calendar);
/** The median with its interval. */
const half = ({ p50, low, high }: Middle, { insights, calendar }: Texts): string =>
  p50 === null
    ? '–'
    : insights.middle(duration(p50 * 1_000, calendar), range(low, calendar), range(high, calendar));

const spentLine = ({ ms, taps, pings }: Spent, words: Texts): string =>
  words.insights.spent(duration(ms, words.calendar), Math.round(taps * 10) / 10, pings);

const costLines = (sort: Costly, { name, spent, stopped, more }: Cost, words: Texts): string[] => {
  const { insights, why } = words;
  const advice = sort === 'failure' ? why.failures[name as FailureClass] : undefined;
  return [
    said(nameOf(sort, name, words), 60),
    `   ${show(spentLine(spent, words))}`,
    `   ${show(insights.stopped(shareOf(stopped, words)))}`,
    ...(more ? [`   ${show(points(more, words))}`] : []),
    ...(advice === undefined ? [] : [`   ${show(advice, 200)}`]),
  ];
};

const sortLines = (sort: Costly, costs: readonly Cost[], words: Texts): string[] => {
  const own = costs.filter(({ spent }) => spent.ms + spent.taps + spent.pings > 0).slice(0, SHOWN);
  if (own.length === 0) return [];
  return [`<b>${show(words.insights.sorts[sort])}</b>`, ...own.flatMap((one) => costLines(sort, one, words))];
};

const cardLine = ({ kind, spent, denied }: CardCost, words: Texts): string => {
  const seconds = Math.round(spent.ms / 1_000 / spent.answers);
  return words.insights.card(words.house.kinds[kind], shareOf(denied, words), seconds, spent.hasty);
};

const armLine = ({ prompt, stopped, firstCi, attention, more }: Arm, words: Texts): string => {
  const { insights } = words;
  const shares = insights.arm(
    prompt,
    shareOf(stopped, words),
    shareOf(firstCi, words),
    half(attention, words),
  );
  return `${shares}; ${more ? points(more, words) : insights.tooFew}`;
};

const sides = (a: Share, b: Share, words: Texts): [string, string] => [shareOf(a, words), shareOf(b, words)];
const adviceLine = ({ advice, setting, to }: Offer, words: Texts): string => {
  const { insights, house, budgets } = words;
  const change = insights.change(house.names[setting], valueOf(setting, to, words));
  switch (advice.change) {
    case 'engine':
    case 'prompt': {
      const [own, other] = sides(advice.own, advice.other, words);
      return `${change} ${insights.better(advice.from, own, advice.to, other, points(advice.more, words))}`;
    }
    case 'budget':
      return `${change} ${insights.tight(budgets.names[advice.budget], shareOf(advice.onward, words))}`;
    case 'pushes':
      return `${change} ${insights.neverDenied(advice.cards)}`;
  }
};

const followedLines = ({ name, change, measured }: Followed, now: number, words: Texts): string[] => [
  show(changeLine(change, now, words) ?? name, 200),
  ...measuredLines(measured, words).map((line) => `   ${show(line)}`),
];
const measuredLines = ({ before, after, more }: Measured, words: Texts): string[] => {
  const { insights } = words;
  return [
    insights.stoppedThen(...sides(before.stopped, after.stopped, words)) +
      (more ? `; ${points(more, words)}` : `; ${insights.tooFew}`),
    insights.attentionThen(half(before.attention, words), half(after.attention, words)),
  ];
};

const offerButton = ({ setting, to }: Offer, words: Texts): AnswerButton => ({
  verb: 'say',
  text: `${words.house.short[setting]}: ${valueOf(setting, to, words)}`,
  runId: '',
  says: `/settings ${setting} ${to}`,
});

/** Whoever may not change a setting is offered none. */
export const renderInsights = (found: InsightsNow, role: Role, words: Texts): Answer => {
  const { insights: i, report } = words;
  const { insights, offers, followed, late } = found;
  const { since, until, runs, spent, costs, cards, trial } = insights;
  const days = periodOf({ since, until });
  const head = [
    `<b>${show(i.title(days))}</b>`,
    show(runs === 0 ? report.none : i.total(runs, spentLine(spent, words))),
  ];
  const body = [
    `<b>${show(i.advice)}</b>`,
    ...(offers.length === 0 ? [show(i.noAdvice)] : offers.map((one) => show(adviceLine(one, words), 500))),
    ...(followed.length > 0
      ? [
          `<b>${show(i.followed)}</b>`,
          ...followed.slice(0, SHOWN).flatMap((f) => followedLines(f, until, words)),
        ]
      : []),
    ...(trial.length > 0
      ? [`<b>${show(i.trial)}</b>`, ...trial.map((one) => show(armLine(one, words), 400))]
      : []),
    ...COSTLY.flatMap((sort) => sortLines(sort, costs[sort], words)),
    ...(cards.length > 0
      ? [`<b>${show(i.cards)}</b>`, ...cards.map((one) => show(cardLine(one, words)))]
      : []),
    show(i.least(LEAST.runs, LEAST.answers, LEAST.cards)),
  ];
  const periods = PERIODS.filter((one) => one !== days).map((one): AnswerButton => {
    return { verb: 'say', text: report.period(one), runId: '', says: `/insights ${writeDays(one)}` };
  });
  const may = offers.filter(({ setting }) => atLeast(role, settingRow(setting).needs));
  return {
    html: fit([...head, ...(runs === 0 ? [] : body), ...(late ? [show(report.late)] : [])]),
    buttons: [...may.map((one) => [offerButton(one, words)]), periods],
  };
};
