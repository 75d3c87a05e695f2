/** Draws a report as an SVG bar chart for light and dark pages. */
import type { MeasuredShare, GroupFigures, PeriodReport } from '#reports';
import type { LanguageTexts } from '../../language/languages.ts';
import { durationText } from '../../text/telegram-html.ts';
import { reportDaysOf } from './report-screen.ts';
import { cutText } from '#model/values';

/** Widths of a picture (px); the letters of a narrow one can be read on a phone. */
const CHART_SIZES = {
  wide: { width: 760, label: 190, bar: 300, name: 26, title: 90 },
  narrow: { width: 362, label: 118, bar: 150, name: 14, title: 44 },
} as const;
type ChartSize = keyof typeof CHART_SIZES;
const ROW_HEIGHT = 26;
const HEADER_HEIGHT = 34;
const CHART_TOP = 54;
const MAX_BARS = 12;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .head { font-weight: 600; }
  .count { fill: #59636e; }
  .page { fill: #ffffff; }
  .track { fill: #eaeef2; }
  .bar { fill: #0969da; }
  .span { stroke: #1f2328; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .count { fill: #9198a1; }
    .page { fill: #0d1117; }
    .track { fill: #21262d; }
    .bar { fill: #1f6feb; }
    .span { stroke: #e6edf3; }
  }`;

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[^\P{C}]/gu, ' ');

type Bar = { name: string; part: number | null; span: [number, number] | null; says: string };
type Panel = { head: string; bars: Bar[] };
type Group = PeriodReport['groups'][number];

const sharePanel = (
  head: string,
  groups: readonly Group[],
  of: (f: GroupFigures) => MeasuredShare,
  counts: LanguageTexts['report']['counts'],
): Panel => ({
  head,
  bars: groups.map(({ name, figures }) => {
    const { yes, of: all, low, high } = of(figures);
    return {
      name,
      part: all === 0 ? null : yes / all,
      span: low === null || high === null ? null : [low, high],
      says: all === 0 ? '–' : counts(yes, all),
    };
  }),
});

const amountPanel = (
  head: string,
  groups: readonly Group[],
  of: (f: GroupFigures) => number | null,
  says: (n: number) => string,
): Panel => {
  const most = Math.max(...groups.map(({ figures }) => of(figures) ?? 0));
  const bars = groups.map(({ name, figures }) => {
    const n = of(figures);
    return {
      name,
      part: n === null || most === 0 ? null : n / most,
      span: null,
      says: n === null ? '–' : says(n),
    };
  });
  return { head, bars };
};

const toPixels = (value: number): string => String(Math.round(value * 10) / 10);

const barLines = ({ name, part, span, says }: Bar, top: number, size: ChartSize): string[] => {
  const { label, bar, name: letters } = CHART_SIZES[size];
  const middle = top + ROW_HEIGHT / 2 - 4;
  return [
    `<text x="16" y="${toPixels(middle + 4)}">${escapeXml(cutText(name, letters))}</text>`,
    `<rect class="track" x="${label}" y="${toPixels(top)}" width="${bar}" height="${ROW_HEIGHT - 8}" rx="3"/>`,
    ...(part === null
      ? []
      : [
          `<rect class="bar" x="${label}" y="${toPixels(top)}" width="${toPixels(part * bar)}" height="${ROW_HEIGHT - 8}" rx="3"/>`,
        ]),
    ...(span
      ? [
          `<path class="span" fill="none" d="M${toPixels(label + span[0] * bar)} ${toPixels(middle - 4)}v8m0 -4H${toPixels(label + span[1] * bar)}m0 -4v8"/>`,
        ]
      : []),
    `<text class="count" x="${label + bar + 14}" y="${toPixels(middle + 4)}">${escapeXml(says)}</text>`,
  ];
};

export const renderReportChart = (
  report: PeriodReport,
  { report: words, calendar }: LanguageTexts,
  size: ChartSize = 'wide',
): string => {
  const { width, title: letters } = CHART_SIZES[size];
  const timeOf = (ms: number): string => durationText(ms, calendar);
  const groups = report.groups
    .slice(0, MAX_BARS)
    .map(({ name, figures }) => ({ name: name || words.unnamed, figures }));
  const panels = [
    sharePanel(words.shares.firstCi, groups, (f) => f.firstCi, words.counts),
    sharePanel(words.shares.needsHuman, groups, (f) => f.needsHuman, words.counts),
    amountPanel(words.chart.ready, groups, (f) => f.ready.p50, timeOf),
    amountPanel(
      words.chart.attention,
      groups,
      (f) => f.perPull?.seconds ?? null,
      (s) => timeOf(s * 1_000),
    ),
  ];
  let y = CHART_TOP;
  const lines = panels.flatMap(({ head, bars }) => {
    const title = `<text class="head" x="16" y="${toPixels(y + 20)}">${escapeXml(head)}</text>`;
    y += HEADER_HEIGHT;
    const rows = bars.flatMap((bar) => {
      const row = barLines(bar, y, size);
      y += ROW_HEIGHT;
      return row;
    });
    y += 10;
    return [title, ...rows];
  });
  const period = words.title(reportDaysOf(report));
  const counts = words.size(report.all.runs, report.all.pulls);
  const title = `${period}: ${counts}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${toPixels(y + 10)}" width="${width}" height="${toPixels(y + 10)}" role="img">`,
    `<title>${escapeXml(title)}</title><style>${STYLE}</style>`,
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="title" x="16" y="32">${escapeXml(title.length > letters ? period : title)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
};
