/** Renders a report of many runs, as a screen and as a Markdown table (O4). */
import { BUDGET_KINDS } from '#model/limits';
import { DAY } from '#model/values';
import { REPORT_GROUPINGS, formatReportDays, type ReportDays, type ReportGrouping } from '#model/reports';
import { shareDifference, type MeasuredShare, type GroupFigures, type PeriodReport } from '#reports';
import type { LanguageTexts } from '../../language/languages.ts';
import { durationText, fitLines, codeLine, escapeLine } from '../../text/telegram-html.ts';
import { buttonRows, type ScreenContent, type AnswerButton } from '../screen-rows.ts';

const PERIODS: readonly ReportDays[] = [7, 30, 90, null];
const MAX_SHOWN_GROUPS = 6;

export const toPercent = (part: number): number => Math.round(part * 100);
const roundToTenth = (value: number): string => (Math.round(value * 10) / 10).toString();
export const usdAmount = (usd: number): string => `$${usd.toFixed(2)}`;
const timeOf = (ms: number | null, { calendar }: LanguageTexts): string =>
  ms === null ? '–' : durationText(ms, calendar);

const rateOf = ({ yes, of, low, high }: MeasuredShare, { report }: LanguageTexts): string =>
  low === null || high === null ? '' : report.rate(toPercent(yes / of), toPercent(low), toPercent(high));
const shareOf = (share: MeasuredShare, words: LanguageTexts): string =>
  `${words.report.counts(share.yes, share.of)}${rateOf(share, words)}`;
type ShareName = keyof LanguageTexts['report']['shares'];
const shareLine = (
  name: ShareName,
  share: MeasuredShare,
  words: LanguageTexts,
  before?: MeasuredShare,
): string[] => {
  const { report } = words;
  if (share.of === 0) return [];
  const moved = before && shareDifference(share, before);
  const since = moved ? report.since(toPercent(moved.by), toPercent(moved.low), toPercent(moved.high)) : '';
  return [report.share(report.shares[name], shareOf(share, words)) + since];
};

const stopIn = (name: string, stops: Readonly<Record<string, string>>): string | undefined => stops[name];

export const findFailureName = (name: string, { report, budgets, why }: LanguageTexts): string | null => {
  const budget = BUDGET_KINDS.find((one) => name === `budget_${one}`);
  return budget ? report.usedUp(budgets.names[budget]) : (stopIn(name, why.stops) ?? null);
};

export const failureName = (name: string, words: LanguageTexts): string =>
  findFailureName(name, words) ?? name.replaceAll('_', ' ');

export const failuresText = ({ failures }: GroupFigures, words: LanguageTexts, most = 5): string =>
  Object.entries(failures)
    .slice(0, most)
    .map(([name, n]) => `${failureName(name, words)} ${n}`)
    .join(', ');

const roundsLine = ({ rounds }: GroupFigures, words: LanguageTexts): string[] =>
  rounds.of > 0 ? [words.report.rounds(timeOf(rounds.p50, words), timeOf(rounds.p90, words), rounds.of)] : [];

/** Unknown costs are shown separately and not included in sums. */
const costLines = ({ costUsd, costUnknown, perPull }: GroupFigures, { report }: LanguageTexts): string[] => [
  ...(costUsd > 0 ? [report.cost(usdAmount(costUsd), perPull ? usdAmount(perPull.costUsd) : '–')] : []),
  ...(costUnknown > 0 ? [report.costUnknown(costUnknown)] : []),
];
const costCell = ({ costUsd, costUnknown }: GroupFigures, { report }: LanguageTexts): string =>
  [costUsd > 0 ? usdAmount(costUsd) : '', costUnknown > 0 ? report.costUnknown(costUnknown) : '']
    .filter(Boolean)
    .join('; ') || '–';

export const figureLines = (
  figures: GroupFigures,
  words: LanguageTexts,
  before: GroupFigures | null,
): string[] => {
  const { report } = words;
  const { perPull, ready } = figures;
  return [
    report.size(figures.runs, figures.pulls),
    ...shareLine('firstCi', figures.firstCi, words, before?.firstCi),
    ...shareLine('needsHuman', figures.needsHuman, words, before?.needsHuman),
    ...(ready.of > 0 ? [report.ready(timeOf(ready.p50, words), timeOf(ready.p90, words), ready.of)] : []),
    ...roundsLine(figures, words),
    ...(perPull
      ? [
          report.perPull(
            ...([
              roundToTenth(perPull.taps),
              roundToTenth(perPull.pings),
              durationText(perPull.seconds * 1_000, words.calendar),
            ] as const),
            roundToTenth(figures.iterations ?? 0),
          ),
        ]
      : []),
    ...shareLine('merged7', figures.merged7, words, before?.merged7),
    ...shareLine('merged30', figures.merged30, words, before?.merged30),
    ...shareLine('survived30', figures.survived30, words, before?.survived30),
    ...shareLine('survived90', figures.survived90, words, before?.survived90),
    ...shareLine('reverted', figures.reverted, words, before?.reverted),
    ...shareLine('unanswered', figures.unanswered, words, before?.unanswered),
    ...costLines(figures, words),
    ...(Object.keys(figures.failures).length > 0 ? [report.failures(failuresText(figures, words))] : []),
  ];
};

const groupLine = (name: string, figures: GroupFigures, words: LanguageTexts): string => {
  const { report } = words;
  const parts = [
    report.size(figures.runs, figures.pulls),
    ...shareLine('firstCi', figures.firstCi, words),
    ...shareLine('needsHuman', figures.needsHuman, words),
    ...roundsLine(figures, words),
    ...(figures.perPull
      ? [`${report.columns.attention}: ${durationText(figures.perPull.seconds * 1_000, words.calendar)}`]
      : []),
  ];
  return `${codeLine(name === '' ? report.unnamed : name, 60)}\n   ${parts.map((part) => escapeLine(part)).join('\n   ')}`;
};

export const reportDaysOf = ({ since, until }: Pick<PeriodReport, 'since' | 'until'>): ReportDays =>
  since === 0 ? null : Math.round((until - since) / DAY);

export const renderReport = (found: PeriodReport, late: boolean, words: LanguageTexts): ScreenContent => {
  const { report } = words;
  const { all, before, groups, by } = found;
  const days = reportDaysOf(found);
  const lineButton = (text: string, line: string): AnswerButton => ({
    verb: 'say',
    text,
    runId: '',
    says: line,
  });
  const reportCommand = (period: ReportDays, grouping: ReportGrouping): string =>
    `/report ${formatReportDays(period)} ${grouping}`;
  return {
    html: fitLines([
      `<b>${escapeLine(report.title(days))}</b>`,
      ...(all.runs === 0
        ? [escapeLine(report.none)]
        : figureLines(all, words, before).map((one) => escapeLine(one, 400))),
      ...(groups.length > 0 ? [`<b>${escapeLine(report.by[by])}</b>`] : []),
      ...groups.slice(0, MAX_SHOWN_GROUPS).map(({ name, figures }) => groupLine(name, figures, words)),
      ...(groups.length > MAX_SHOWN_GROUPS
        ? [escapeLine(report.more(groups.length - MAX_SHOWN_GROUPS))]
        : []),
      ...(late ? [escapeLine(report.late)] : []),
    ]),
    buttons: [
      PERIODS.filter((one) => one !== days).map((one) =>
        lineButton(report.period(one), reportCommand(one, by)),
      ),
      ...buttonRows(
        REPORT_GROUPINGS.filter((one) => one !== by).map((one) =>
          lineButton(report.by[one], reportCommand(days, one)),
        ),
        2,
      ),
      ...(all.runs > 0 ? [[lineButton(report.whole, `${reportCommand(days, by)} file`)]] : []),
    ],
  };
};

/** Replaces characters that would break a Markdown cell. */
const toCell = (text: string): string => text.replace(/[|\r\n`<>\\]/g, ' ').trim() || '–';
const shareCell = ({ yes, of, low, high }: MeasuredShare): string =>
  of === 0 || low === null || high === null
    ? '–'
    : `${yes}/${of} (${toPercent(yes / of)} %, ${toPercent(low)}–${toPercent(high)})`;

const cellsOf = (
  name: string,
  figures: GroupFigures,
  words: LanguageTexts,
): Record<keyof LanguageTexts['report']['columns'], string> => ({
  name,
  runs: String(figures.runs),
  pulls: String(figures.pulls),
  firstCi: shareCell(figures.firstCi),
  needsHuman: shareCell(figures.needsHuman),
  ready:
    figures.ready.of === 0
      ? '–'
      : `${timeOf(figures.ready.p50, words)} / ${timeOf(figures.ready.p90, words)}`,
  rounds:
    figures.rounds.of === 0
      ? '–'
      : `${timeOf(figures.rounds.p50, words)} / ${timeOf(figures.rounds.p90, words)}`,
  iterations: figures.iterations === null ? '–' : roundToTenth(figures.iterations),
  taps: figures.perPull ? roundToTenth(figures.perPull.taps) : '–',
  pings: figures.perPull ? roundToTenth(figures.perPull.pings) : '–',
  attention: figures.perPull ? durationText(figures.perPull.seconds * 1_000, words.calendar) : '–',
  merged7: shareCell(figures.merged7),
  merged30: shareCell(figures.merged30),
  survived: [figures.survived30, figures.survived90].map(shareCell).join(' / '),
  reverted: shareCell(figures.reverted),
  unanswered: shareCell(figures.unanswered),
  cost: costCell(figures, words),
  failures: failuresText(figures, words, 20),
});

export const reportCells = ({ all, groups }: PeriodReport, words: LanguageTexts) => {
  const { columns, unnamed, all: whole } = words.report;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const rows = [
    ...groups.map(({ name, figures }) => cellsOf(name || unnamed, figures, words)),
    cellsOf(whole, all, words),
  ];
  return {
    head: names.map((name) => columns[name]),
    rows: rows.map((row) => names.map((name) => row[name])),
  };
};

export const reportMarkdown = (report: PeriodReport, words: LanguageTexts): string => {
  const { head, rows } = reportCells(report, words);
  const tableLine = (cells: readonly string[]): string => `| ${cells.map(toCell).join(' | ')} |`;
  return [tableLine(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(tableLine), ''].join('\n');
};
