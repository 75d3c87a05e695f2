/** Renders attention costs, suggested settings, and the effects of earlier changes (O7). */
import {
  COST_GROUPS,
  MIN_SAMPLE_SIZES,
  type PromptArm,
  type CardCost,
  type AttentionCost,
  type CostGroup,
  type ConfidenceInterval,
  type MeasuredShare,
  type InsightsNow,
} from '#reports';
import type { FailureClass } from '#model/failure';
import { DEFAULT_INSIGHT_DAYS, formatReportDays, type ReportDays } from '#model/reports';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import { settingRow } from '#settings';
import type { LanguageTexts } from '../../language/languages.ts';
import {
  durationText,
  fitLines,
  codeLine,
  escapeLine,
  type LanguageCalendar,
} from '../../text/telegram-html.ts';
import type { ScreenContent, AnswerButton } from '../screen-rows.ts';
import { failureName, toPercent, reportDaysOf } from './report-screen.ts';
import { settingChangeLine, formatSettingValue } from '../settings-screens.ts';

type FollowedChange = InsightsNow['followed'][number];
type SettingOffer = InsightsNow['offers'][number];
type ChangeEffect = FollowedChange['measured'];
type MedianInterval = PromptArm['attention'];
type AttentionSpent = AttentionCost['spent'];

const PERIODS: readonly ReportDays[] = [30, DEFAULT_INSIGHT_DAYS, null];
const MAX_SHOWN_INSIGHTS = 3;

const pointsText = ({ by, low, high }: ConfidenceInterval & { by: number }, words: LanguageTexts): string =>
  words.insights.points(toPercent(by), toPercent(low), toPercent(high));

const shareOf = ({ yes, of, low, high }: MeasuredShare, { report, insights }: LanguageTexts): string => {
  const counts = report.counts(yes, of);
  return low === null || high === null
    ? counts
    : insights.rate(counts, toPercent(yes / of), toPercent(low), toPercent(high));
};

const nameOf = (sort: CostGroup, name: string, words: LanguageTexts): string =>
  name === '' ? words.report.unnamed : sort === 'failure' ? failureName(name, words) : name;

const formatSeconds = (seconds: number | null, calendar: LanguageCalendar): string | null =>
  seconds === null ? null : durationText(seconds * 1_000, calendar);
const medianText = ({ p50, low, high }: MedianInterval, { insights, calendar }: LanguageTexts): string =>
  p50 === null
    ? '–'
    : insights.middle(
        durationText(p50 * 1_000, calendar),
        formatSeconds(low, calendar),
        formatSeconds(high, calendar),
      );

const attentionLine = ({ ms, taps, pings }: AttentionSpent, words: LanguageTexts): string =>
  words.insights.spent(durationText(ms, words.calendar), Math.round(taps * 10) / 10, pings);

const costLines = (
  sort: CostGroup,
  { name, spent, stopped, more }: AttentionCost,
  words: LanguageTexts,
): string[] => {
  const { insights, why } = words;
  const advice = sort === 'failure' ? why.failures[name as FailureClass] : undefined;
  return [
    codeLine(nameOf(sort, name, words), 60),
    `   ${escapeLine(attentionLine(spent, words))}`,
    `   ${escapeLine(insights.stopped(shareOf(stopped, words)))}`,
    ...(more ? [`   ${escapeLine(pointsText(more, words))}`] : []),
    ...(advice === undefined ? [] : [`   ${escapeLine(advice, 200)}`]),
  ];
};

const sortLines = (sort: CostGroup, costs: readonly AttentionCost[], words: LanguageTexts): string[] => {
  const own = costs
    .filter(({ spent }) => spent.ms + spent.taps + spent.pings > 0)
    .slice(0, MAX_SHOWN_INSIGHTS);
  if (own.length === 0) return [];
  return [
    `<b>${escapeLine(words.insights.sorts[sort])}</b>`,
    ...own.flatMap((one) => costLines(sort, one, words)),
  ];
};

const cardLine = ({ kind, spent, denied }: CardCost, words: LanguageTexts): string => {
  const seconds = Math.round(spent.ms / 1_000 / spent.answers);
  return words.insights.card(words.installation.kinds[kind], shareOf(denied, words), seconds, spent.hasty);
};

const armLine = ({ prompt, stopped, firstCi, attention, more }: PromptArm, words: LanguageTexts): string => {
  const { insights } = words;
  const shares = insights.arm(
    prompt,
    shareOf(stopped, words),
    shareOf(firstCi, words),
    medianText(attention, words),
  );
  return `${shares}; ${more ? pointsText(more, words) : insights.tooFew}`;
};

const bothShares = (first: MeasuredShare, second: MeasuredShare, words: LanguageTexts): [string, string] => [
  shareOf(first, words),
  shareOf(second, words),
];
const adviceLine = ({ advice, setting, to }: SettingOffer, words: LanguageTexts): string => {
  const { insights, installation, budgets } = words;
  const change = insights.change(installation.names[setting], formatSettingValue(setting, to, words));
  switch (advice.change) {
    case 'engine':
    case 'prompt': {
      const [own, other] = bothShares(advice.own, advice.other, words);
      return `${change} ${insights.better(advice.from, own, advice.to, other, pointsText(advice.more, words))}`;
    }
    case 'budget':
      return `${change} ${insights.tight(budgets.names[advice.budget], shareOf(advice.onward, words))}`;
    case 'pushes':
      return `${change} ${insights.neverDenied(advice.cards)}`;
  }
};

const followUpLines = (
  { name, change, measured }: FollowedChange,
  now: number,
  words: LanguageTexts,
): string[] => [
  escapeLine(settingChangeLine(change, now, words) ?? name, 200),
  ...effectLines(measured, words).map((line) => `   ${escapeLine(line)}`),
];
const effectLines = ({ before, after, more }: ChangeEffect, words: LanguageTexts): string[] => {
  const { insights } = words;
  return [
    insights.stoppedThen(...bothShares(before.stopped, after.stopped, words)) +
      (more ? `; ${pointsText(more, words)}` : `; ${insights.tooFew}`),
    insights.attentionThen(medianText(before.attention, words), medianText(after.attention, words)),
  ];
};

const offerButton = ({ setting, to }: SettingOffer, words: LanguageTexts): AnswerButton => ({
  verb: 'say',
  text: `${words.installation.short[setting]}: ${formatSettingValue(setting, to, words)}`,
  runId: '',
  says: `/settings ${setting} ${to}`,
});

export const renderInsights = (found: InsightsNow, role: UserRole, words: LanguageTexts): ScreenContent => {
  const { insights: i, report } = words;
  const { insights, offers, followed, late } = found;
  const { since, until, runs, spent, costs, cards, trial } = insights;
  const days = reportDaysOf({ since, until });
  const head = [
    `<b>${escapeLine(i.title(days))}</b>`,
    escapeLine(runs === 0 ? report.none : i.total(runs, attentionLine(spent, words))),
  ];
  const body = [
    `<b>${escapeLine(i.advice)}</b>`,
    ...(offers.length === 0
      ? [escapeLine(i.noAdvice)]
      : offers.map((one) => escapeLine(adviceLine(one, words), 500))),
    ...(followed.length > 0
      ? [
          `<b>${escapeLine(i.followed)}</b>`,
          ...followed.slice(0, MAX_SHOWN_INSIGHTS).flatMap((f) => followUpLines(f, until, words)),
        ]
      : []),
    ...(trial.length > 0
      ? [`<b>${escapeLine(i.trial)}</b>`, ...trial.map((one) => escapeLine(armLine(one, words), 400))]
      : []),
    ...COST_GROUPS.flatMap((sort) => sortLines(sort, costs[sort], words)),
    ...(cards.length > 0
      ? [`<b>${escapeLine(i.cards)}</b>`, ...cards.map((one) => escapeLine(cardLine(one, words)))]
      : []),
    escapeLine(i.least(MIN_SAMPLE_SIZES.runs, MIN_SAMPLE_SIZES.answers, MIN_SAMPLE_SIZES.cards)),
  ];
  const periods = PERIODS.filter((one) => one !== days).map((one): AnswerButton => {
    return { verb: 'say', text: report.period(one), runId: '', says: `/insights ${formatReportDays(one)}` };
  });
  const may = offers.filter(({ setting }) => hasRoleAtLeast(role, settingRow(setting).needs));
  return {
    html: fitLines([...head, ...(runs === 0 ? [] : body), ...(late ? [escapeLine(report.late)] : [])]),
    buttons: [...may.map((one) => [offerButton(one, words)]), periods],
  };
};
