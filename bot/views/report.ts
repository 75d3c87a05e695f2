/** O4: the report of many runs: a screen of the chat, and the whole table as Markdown. */
import { BUDGETS } from '../../orchestrator/core/bounds.ts';
import { DAY } from '../../orchestrator/core/units.ts';
import { difference, type Share } from '../../orchestrator/core/figures/interval.ts';
import type { Figures, Report } from '../../orchestrator/core/figures/table.ts';
import { GROUPINGS, writeDays, type Days, type Grouping } from '../../orchestrator/core/reported.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, said, show } from '../text/text.ts';
import { pairs, type Answer, type AnswerButton } from './fleet.ts';

const PERIODS: readonly Days[] = [7, 30, 90, null];
/** Groups that a phone shows. */
const SHOWN = 6;

export const percent = (part: number): number => Math.round(part * 100);
const tenth = (n: number): string => (Math.round(n * 10) / 10).toString();
export const money = (usd: number): string => `$${usd.toFixed(2)}`;
const timeOf = (ms: number | null, { calendar }: Texts): string =>
  ms === null ? '–' : duration(ms, calendar);

const rateOf = ({ yes, of, low, high }: Share, { report }: Texts): string =>
  low === null || high === null ? '' : report.rate(percent(yes / of), percent(low), percent(high));
/** Counts, then the rate. */
const shareOf = (share: Share, words: Texts): string =>
  `${words.report.counts(share.yes, share.of)}${rateOf(share, words)}`;
type ShareName = keyof Texts['report']['shares'];
/** `before` is the same share of an earlier time. */
const shareLine = (name: ShareName, share: Share, words: Texts, before?: Share): string[] => {
  const { report } = words;
  if (share.of === 0) return [];
  const moved = before && difference(share, before);
  const since = moved ? report.since(percent(moved.by), percent(moved.low), percent(moved.high)) : '';
  return [report.share(report.shares[name], shareOf(share, words)) + since];
};

const stopIn = (name: string, stops: Readonly<Record<string, string>>): string | undefined => stops[name];

/** A class of failure in plain words; a budget that was used up by the name that people know. */
export const failureName = (name: string, { report, budgets, why }: Texts): string => {
  const budget = BUDGETS.find((one) => name === `budget_${one}`);
  return budget
    ? report.usedUp(budgets.names[budget])
    : (stopIn(name, why.stops) ?? name.replaceAll('_', ' '));
};

/** What failed most, most often first. */
export const failuresIn = ({ failures }: Figures, words: Texts, most = 5): string =>
  Object.entries(failures)
    .slice(0, most)
    .map(([name, n]) => `${failureName(name, words)} ${n}`)
    .join(', ');

const roundsLine = ({ rounds }: Figures, words: Texts): string[] =>
  rounds.of > 0 ? [words.report.rounds(timeOf(rounds.p50, words), timeOf(rounds.p90, words), rounds.of)] : [];

/** A cost that nobody told is none of nothing, and sums leave it out. */
const costLines = ({ costUsd, costUnknown, perPull }: Figures, { report }: Texts): string[] => [
  ...(costUsd > 0 ? [report.cost(money(costUsd), perPull ? money(perPull.costUsd) : '–')] : []),
  ...(costUnknown > 0 ? [report.costUnknown(costUnknown)] : []),
];
const costCell = ({ costUsd, costUnknown }: Figures, { report }: Texts): string =>
  [costUsd > 0 ? money(costUsd) : '', costUnknown > 0 ? report.costUnknown(costUnknown) : '']
    .filter(Boolean)
    .join('; ') || '–';

/**
 * The figures of many runs as lines, beside those of an earlier time; what was never counted has
 * none.
 */
export const figureLines = (f: Figures, words: Texts, before: Figures | null): string[] => {
  const { report } = words;
  const { perPull, ready } = f;
  return [
    report.size(f.runs, f.pulls),
    ...shareLine('firstCi', f.firstCi, words, before?.firstCi),
    ...shareLine('needsHuman', f.needsHuman, words, before?.needsHuman),
    ...(ready.of > 0 ? [report.ready(timeOf(ready.p50, words), timeOf(ready.p90, words), ready.of)] : []),
    ...roundsLine(f, words),
    ...(perPull
      ? [
          report.perPull(
            ...([
              tenth(perPull.taps),
              tenth(perPull.pings),
              duration(perPull.seconds * 1_000, words.calendar),
            ] as const),
            tenth(f.iterations ?? 0),
          ),
        ]
      : []),
    ...shareLine('merged7', f.merged7, words, before?.merged7),
    ...shareLine('merged30', f.merged30, words, before?.merged30),
    ...costLines(f, words),
    ...(Object.keys(f.failures).length > 0 ? [report.failures(failuresIn(f, words))] : []),
  ];
};

/** A group in two lines that fit a phone. */
const groupLine = (name: string, f: Figures, words: Texts): string => {
  const { report } = words;
  const parts = [
    report.size(f.runs, f.pulls),
    ...shareLine('firstCi', f.firstCi, words),
    ...shareLine('needsHuman', f.needsHuman, words),
    ...roundsLine(f, words),
    ...(f.perPull
      ? [`${report.columns.attention}: ${duration(f.perPull.seconds * 1_000, words.calendar)}`]
      : []),
  ];
  return `${said(name === '' ? report.unnamed : name, 60)}\n   ${parts.map((part) => show(part)).join('\n   ')}`;
};

export const periodOf = ({ since, until }: Pick<Report, 'since' | 'until'>): Days =>
  since === 0 ? null : Math.round((until - since) / DAY);

export const renderReport = (found: Report, late: boolean, words: Texts): Answer => {
  const { report } = words;
  const { all, before, groups, by } = found;
  const days = periodOf(found);
  const says = (text: string, line: string): AnswerButton => ({ verb: 'say', text, runId: '', says: line });
  const line = (period: Days, grouping: Grouping): string => `/report ${writeDays(period)} ${grouping}`;
  return {
    html: fit([
      `<b>${show(report.title(days))}</b>`,
      ...(all.runs === 0
        ? [show(report.none)]
        : figureLines(all, words, before).map((one) => show(one, 400))),
      ...(groups.length > 0 ? [`<b>${show(report.by[by])}</b>`] : []),
      ...groups.slice(0, SHOWN).map(({ name, figures }) => groupLine(name, figures, words)),
      ...(groups.length > SHOWN ? [show(report.more(groups.length - SHOWN))] : []),
      ...(late ? [show(report.late)] : []),
    ]),
    buttons: [
      PERIODS.filter((one) => one !== days).map((one) => says(report.period(one), line(one, by))),
      ...pairs(
        GROUPINGS.filter((one) => one !== by).map((one) => says(report.by[one], line(days, one))),
        2,
      ),
      ...(all.runs > 0 ? [[says(report.whole, `${line(days, by)} file`)]] : []),
    ],
  };
};

/** A cell of Markdown: names are repositories' and engines'. */
const cell = (text: string): string => text.replace(/[|\r\n`<>\\]/g, ' ').trim() || '–';
const shareCell = ({ yes, of, low, high }: Share): string =>
  of === 0 || low === null || high === null
    ? '–'
    : `${yes}/${of} (${percent(yes / of)} %, ${percent(low)}–${percent(high)})`;

const cellsOf = (
  name: string,
  f: Figures,
  words: Texts,
): Record<keyof Texts['report']['columns'], string> => ({
  name,
  runs: String(f.runs),
  pulls: String(f.pulls),
  firstCi: shareCell(f.firstCi),
  needsHuman: shareCell(f.needsHuman),
  ready: f.ready.of === 0 ? '–' : `${timeOf(f.ready.p50, words)} / ${timeOf(f.ready.p90, words)}`,
  rounds: f.rounds.of === 0 ? '–' : `${timeOf(f.rounds.p50, words)} / ${timeOf(f.rounds.p90, words)}`,
  iterations: f.iterations === null ? '–' : tenth(f.iterations),
  taps: f.perPull ? tenth(f.perPull.taps) : '–',
  pings: f.perPull ? tenth(f.perPull.pings) : '–',
  attention: f.perPull ? duration(f.perPull.seconds * 1_000, words.calendar) : '–',
  merged7: shareCell(f.merged7),
  merged30: shareCell(f.merged30),
  cost: costCell(f, words),
  failures: failuresIn(f, words, 20),
});

export const reportTable = ({ all, groups }: Report, words: Texts): string => {
  const { columns, unnamed, all: whole } = words.report;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const rows = [
    ...groups.map(({ name, figures }) => cellsOf(name || unnamed, figures, words)),
    cellsOf(whole, all, words),
  ];
  return [
    line(names.map((name) => columns[name])),
    `|${names.map(() => ' --- ').join('|')}|`,
    ...rows.map((row) => line(names.map((name) => row[name]))),
    '',
  ].join('\n');
};
