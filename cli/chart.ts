/** A report as a small SVG that reads on light and on dark pages: a bar a group, with its interval. */
import type { Share } from '../orchestrator/core/figures/interval.ts';
import type { Figures, Report } from '../orchestrator/core/figures/table.ts';
import { periodOf } from '../bot/views/report.ts';
import { LANGUAGES } from '../bot/language/language.ts';
import { duration } from '../bot/text/text.ts';
import { cut } from '../orchestrator/core/text.ts';

/** Of the picture, in px. */
const WIDTH = 760;
const NAME = 190;
const BAR = 300;
const ROW = 26;
const HEAD = 34;
const TOP = 54;
const MOST = 12;

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

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[^\P{C}]/gu, ' ');

type Bar = { name: string; part: number | null; span: [number, number] | null; says: string };
type Panel = { head: string; bars: Bar[] };
type Group = Report['groups'][number];

const shares = (head: string, groups: readonly Group[], of: (f: Figures) => Share): Panel => ({
  head,
  bars: groups.map(({ name, figures }) => {
    const { yes, of: all, low, high } = of(figures);
    return {
      name,
      part: all === 0 ? null : yes / all,
      span: low === null || high === null ? null : [low, high],
      says: all === 0 ? '–' : `${yes} of ${all}`,
    };
  }),
});

/** The largest fills the row. */
const amounts = (
  head: string,
  groups: readonly Group[],
  of: (f: Figures) => number | null,
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

const px = (n: number): string => String(Math.round(n * 10) / 10);

const barLines = ({ name, part, span, says }: Bar, y: number): string[] => {
  const middle = y + ROW / 2 - 4;
  return [
    `<text x="16" y="${px(middle + 4)}">${escaped(cut(name, 26))}</text>`,
    `<rect class="track" x="${NAME}" y="${px(y)}" width="${BAR}" height="${ROW - 8}" rx="3"/>`,
    ...(part === null
      ? []
      : [
          `<rect class="bar" x="${NAME}" y="${px(y)}" width="${px(part * BAR)}" height="${ROW - 8}" rx="3"/>`,
        ]),
    ...(span
      ? [
          `<path class="span" fill="none" d="M${px(NAME + span[0] * BAR)} ${px(middle - 4)}v8m0 -4H${px(NAME + span[1] * BAR)}m0 -4v8"/>`,
        ]
      : []),
    `<text class="count" x="${NAME + BAR + 14}" y="${px(middle + 4)}">${escaped(says)}</text>`,
  ];
};

export const chartOf = (report: Report): string => {
  const { report: words, calendar } = LANGUAGES.en;
  const timeOf = (ms: number): string => duration(ms, calendar);
  const groups = report.groups
    .slice(0, MOST)
    .map(({ name, figures }) => ({ name: name || words.unnamed, figures }));
  const panels = [
    shares(words.shares.firstCi, groups, (f) => f.firstCi),
    shares(words.shares.needsHuman, groups, (f) => f.needsHuman),
    amounts('From the order to the first card, median', groups, (f) => f.ready.p50, timeOf),
    amounts(
      'Attention for each pull request',
      groups,
      (f) => f.perPull?.seconds ?? null,
      (s) => timeOf(s * 1_000),
    ),
  ];
  let y = TOP;
  const lines = panels.flatMap(({ head, bars }) => {
    const title = `<text class="head" x="16" y="${px(y + 20)}">${escaped(head)}</text>`;
    y += HEAD;
    const rows = bars.flatMap((bar) => {
      const row = barLines(bar, y);
      y += ROW;
      return row;
    });
    y += 10;
    return [title, ...rows];
  });
  const title = `${words.title(periodOf(report))}: ${words.size(report.all.runs, report.all.pulls)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${px(y + 10)}" width="${WIDTH}" height="${px(y + 10)}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style>`,
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="title" x="16" y="32">${escaped(title)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
};
