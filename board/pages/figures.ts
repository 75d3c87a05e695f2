/** Figures of many runs: a table, its CSV, and the chart that the command line draws as well. */
import { momentText } from '#chat-text';
import { costTables, renderReportChart, reportCsv, failureName, reportCells } from '#report-views';
import type { PeriodReport } from '#reports';
import { REPORT_GROUPINGS, type ReportScope } from '#model/reports';
import type { BoardAnswer, BoardPage, PageContext } from '../board-context.ts';
import { html, type Markup } from '../markup.ts';

const PERIODS = [7, 30, 90, null] as const;

const scopeOf = ({ url }: PageContext): ReportScope => {
  const days = url.searchParams.get('days');
  const by = REPORT_GROUPINGS.find((one) => one === url.searchParams.get('by')) ?? 'engine';
  const period = PERIODS.find((one) => String(one ?? 'all') === days);
  return { days: period === undefined ? 30 : period, by };
};
const queryOf = ({ days, by }: ReportScope): string => `?days=${days ?? 'all'}&by=${by}`;

/** On a phone each row stands by itself, with the name of the column at each value. */
const renderRow = (row: readonly string[], head: readonly string[]): Markup =>
  html`<tr>
    ${row.map((text, i) =>
      i === 0
        ? html`<th scope="row">${text}</th>`
        : html`<td class="n" data-name="${head[i] ?? ''}">${text}</td>`,
    )}
  </tr>`;

const countTable = (rows: readonly (readonly [string, string, number | string])[]): Markup =>
  html`<table class="figures narrow">
    <tbody>
      ${rows.map(
        ([name, kind, n]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${kind}</td>
            <td class="n">${n}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const MAX_CLASSES = 6;
const weeksPart = ({ weeks, all }: PeriodReport, { words, now }: PageContext): Markup | false => {
  const classes = Object.keys(all.failures).slice(0, MAX_CLASSES);
  const { figures: t } = words.board;
  const head = [t.week, t.runs, ...classes.map((one) => failureName(one, words))];
  return (
    weeks.length > 1 &&
    html`<div class="scroll" tabindex="0" role="region" aria-label="${t.overTime}">
      <table class="figures stacks">
        <thead>
          <tr>
            ${head.map((name, i) => html`<th scope="col" class="${i === 0 ? '' : 'n'}">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${weeks.map(({ from, runs, failures }) =>
            renderRow(
              [
                momentText(from, now, words.calendar),
                String(runs),
                ...classes.map((one) => String(failures[one] ?? 0)),
              ],
              head,
            ),
          )}
        </tbody>
      </table>
    </div>`
  );
};

export const figuresPage = async (context: PageContext): Promise<BoardPage> => {
  const { words, base, parts, now } = context;
  const { figures: t } = words.board;
  const scope = scopeOf(context);
  const [{ report, late }, depths, costs] = await Promise.all([
    parts.reports.report(scope),
    parts.query.depths(now),
    parts.costs(),
  ]);
  const { head, rows } = reportCells(report, words);
  const pickLink = (text: string, to: ReportScope, { here }: { here: boolean }): Markup =>
    html`<a href="${base}/figures${queryOf(to)}" aria-current="${here ? 'true' : 'false'}">${text}</a>`;
  const failures = Object.entries(report.all.failures);
  const body = html`<div class="head">
      <h1>${t.title}</h1>
      <nav class="picks" aria-label="${words.report.title(scope.days)}">
        ${PERIODS.map((days) => pickLink(words.report.period(days), { ...scope, days }, { here: days === scope.days }))}
      </nav>
      <nav class="picks" aria-label="${words.report.by[scope.by]}">
        ${REPORT_GROUPINGS.map((by) => pickLink(words.report.by[by], { ...scope, by }, { here: by === scope.by }))}
      </nav>
    </div>
    ${late && html`<p class="none">${words.report.late}</p>`}
    ${
      report.all.runs === 0
        ? html`<p class="none">${words.report.none}</p>`
        : html`<figure class="chart">
              <picture>
                <source
                  media="(max-width: 640px)"
                  srcset="${base}/figures.svg${queryOf(scope)}&amp;size=narrow"
                />
                <img src="${base}/figures.svg${queryOf(scope)}" alt="${t.chart}" />
              </picture>
            </figure>
            <div class="scroll" tabindex="0" role="region" aria-label="${t.table}">
              <table class="figures stacks">
                <thead>
                  <tr>
                    ${head.map((name, i) => html`<th scope="col" class="${i === 0 ? '' : 'n'}">${name}</th>`)}
                  </tr>
                </thead>
                <tbody>
                  ${rows.map((row) => renderRow(row, head))}
                </tbody>
              </table>
            </div>
            <p><a class="button" href="${base}/figures.csv${queryOf(scope)}">${t.csv}</a></p>`
    }
    ${
      failures.length > 0 &&
      html`<h2>${t.failures}</h2>
        ${weeksPart(report, context) || countTable(failures.map(([name, n]) => [failureName(name, words), '', n]))}`
    }
    ${costTables(costs, words).map(
      ({ title, rows }) =>
        html`<h2>${title}</h2>
          ${countTable(rows.map(([name, text]) => [name, '', text]))}`,
    )}
    ${
      depths.length > 0 &&
      html`<h2>${t.queues}</h2>
        ${countTable(depths.map(({ kind, state, n }) => [kind.replaceAll('_', ' '), t.depths[state], n]))}`
    }`;
  return { title: t.title, here: 'figures', body, wide: true };
};

export const csvAnswer = async (context: PageContext): Promise<BoardAnswer> => {
  const scope = scopeOf(context);
  const { report } = await context.parts.reports.report(scope);
  return {
    type: 'text/csv; charset=utf-8',
    body: `${reportCsv(report)}\r\n`,
    headers: { 'content-disposition': `attachment; filename="figures-${scope.by}.csv"` },
  };
};

export const chartAnswer = async (context: PageContext): Promise<BoardAnswer> => {
  const { report } = await context.parts.reports.report(scopeOf(context));
  return {
    type: 'image/svg+xml; charset=utf-8',
    body: renderReportChart(
      report,
      context.words,
      context.url.searchParams.get('size') === 'narrow' ? 'narrow' : 'wide',
    ),
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  };
};
