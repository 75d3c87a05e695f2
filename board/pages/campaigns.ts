/** All campaigns, and one campaign as a table of its repositories, outliers first. */
import { durationText, momentText } from '#chat-text';
import type { Run } from '#run';
import { renderReason } from '#views';
import { countTargetsAndPulls, etaOf, tallyOf, type StandingMark } from '#campaign-standing';
import { readCampaignStatus } from '#campaigns';
import type { BoardPage, PageContext } from '../board-context.ts';
import { findOutliers, countChangedLines, type OutlierReason } from '../campaign-outliers.ts';
import { renderMergedCurve } from '../merged-curve.ts';
import { html, type Markup, type Part } from '../markup.ts';
import {
  renderExternalLink,
  riskChip,
  runPath,
  describeRunStanding,
  timeMark,
  toneOf,
} from '../run-parts.ts';

export const campaignsPage = async (context: PageContext): Promise<BoardPage> => {
  const { words, base, parts } = context;
  const { campaign: t } = words.board;
  const campaigns = await parts.query.campaigns();
  const names = await Promise.all(
    campaigns.slice(0, 100).map(async ({ id }) => (await parts.query.campaign(id))?.order.name ?? id),
  );
  const body = html`<div class="head"><h1>${t.title}</h1></div>
    ${
      campaigns.length === 0
        ? html`<p class="none">${t.none}</p>`
        : html`<ul class="rows">
            ${campaigns.slice(0, 100).map(
              (one, i) =>
                html`<li class="row tone-${one.state === 'running' ? 'works' : 'quiet'}">
                  <i class="dot" aria-hidden="true"></i>
                  <div class="what">
                    <a class="title" href="${base}/campaign/${one.id}">${names[i]}</a>
                    <p class="meta"><code>${one.id}</code></p>
                  </div>
                  <div class="stand"><span class="says">${words.campaign.states[one.state]}</span></div>
                  <div class="when">${timeMark(one.stateEnteredAt, context)}</div>
                  <div class="do"></div>
                </li>`,
            )}
          </ul>`
    }`;
  return { title: t.title, here: 'campaigns', body, watches: 'all' };
};

/** Changes of the same files with the same sizes are alike. */
const shapeOf = ({ change: { commit } }: Run): string | null =>
  commit &&
  commit.diff.files
    .map(({ path, status, added, deleted }) => `${status} ${path} ${added} ${deleted}`)
    .sort()
    .join('\n');

type TableRow = { repo: string; run: Run | null; alike: number | null; reasons: readonly OutlierReason[] };

const tableRows = (
  repos: readonly string[],
  runs: readonly Run[],
  outliers: ReadonlyMap<string, readonly OutlierReason[]>,
): TableRow[] => {
  const newest = new Map(runs.map((run) => [run.order.repo, run]));
  const shapes = new Map<string, number>();
  for (const run of newest.values()) {
    const shape = shapeOf(run);
    if (shape !== null) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const rank = [...outliers.keys()];
  const rankOf = ({ run }: TableRow): number => {
    const at = rank.indexOf(run?.id ?? '');
    return at < 0 ? rank.length : at;
  };
  return repos
    .map((repo) => {
      const run = newest.get(repo) ?? null;
      const alike = shapes.get((run && shapeOf(run)) ?? '') ?? null;
      return { repo, run, alike, reasons: (run && outliers.get(run.id)) ?? [] };
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(a.run === null) - Number(b.run === null));
};

const MAX_NAMED = 3;
const joinNames = (all: readonly string[], { campaign }: PageContext['words']): string =>
  [
    ...all.slice(0, MAX_NAMED),
    ...(all.length > MAX_NAMED ? [campaign.more(all.length - MAX_NAMED)] : []),
  ].join(', ');

const reasonText = (run: Run, reason: OutlierReason, { words, now }: PageContext): string => {
  const { why } = words.board.campaign;
  switch (reason.kind) {
    case 'stands':
      return `${words.campaign.marks[reason.mark]}: ${renderReason(run, now, words)}`;
    case 'checks':
      return why.checks(joinNames(reason.commands, words));
    case 'more_files':
      return why.moreFiles(joinNames(reason.paths, words));
    case 'fewer_files':
      return why.fewerFiles(joinNames(reason.paths, words));
    case 'size':
      return why.size(reason.lines, reason.usual);
    case 'waits':
      return why.waits(durationText(reason.ms, words.calendar), durationText(reason.usual, words.calendar));
    default:
      return reason satisfies never;
  }
};

const outlierRow = (
  context: PageContext,
  repo: string,
  run: Run,
  reasons: readonly OutlierReason[],
): Markup =>
  html`<li class="row tone-${toneOf(run)}">
    <i class="dot" aria-hidden="true"></i>
    <div class="what">
      <a class="title" href="${runPath(context, run.id)}"><bdi>${repo}</bdi></a>
      <ul class="whys">
        ${reasons.map((reason) => html`<li>${reasonText(run, reason, context)}</li>`)}
      </ul>
    </div>
    <div class="stand">
      <span class="says">${describeRunStanding(run, context.words)}</span>${riskChip(run, context.words)}
    </div>
    <div class="when">${timeMark(run.lifecycle.stateEnteredAt, context)}</div>
    <div class="do">
      ${
        run.change.commit &&
        html`<a class="button" href="${runPath(context, run.id)}/diff"
          >${context.words.board.run.readDiff}</a
        >`
      }
    </div>
  </li>`;

const outlierPart = (context: PageContext, rows: readonly TableRow[]): Markup => {
  const { campaign: t } = context.words.board;
  const odd = rows.filter(({ reasons }) => reasons.length > 0);
  return html`<section class="group outliers" aria-labelledby="outliers">
    <h2 id="outliers">${t.outliers}<span class="count">${t.outOf(odd.length, rows.length)}</span></h2>
    ${
      odd.length === 0
        ? html`<p class="none">${t.noOutliers}</p>`
        : html`<ul class="rows">
            ${odd.map(({ repo, run, reasons }) => run && outlierRow(context, repo, run, reasons))}
          </ul>`
    }
  </section>`;
};

const checksOf = (run: Run): Part => {
  const checks = run.change.evaluation?.checks ?? [];
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  if (checks.length === 0) return '–';
  return html`<span class="${passed === checks.length ? 'good' : 'bad'}">${passed}/${checks.length}</span>`;
};

const tableRow = (context: PageContext, { repo, run, alike, reasons }: TableRow): Markup => {
  const { campaign: t } = context.words.board;
  if (!run)
    return html`<tr class="quiet">
      <th scope="row"><bdi>${repo}</bdi></th>
      <td colspan="6">${t.notStarted}</td>
    </tr>`;
  const pull = run.upstream.pullRequest;
  return html`<tr class="tone-${toneOf(run)}">
    <th scope="row">
      <i class="dot" aria-hidden="true"></i><a href="${runPath(context, run.id)}"><bdi>${repo}</bdi></a>
    </th>
    <td>${describeRunStanding(run, context.words)} ${riskChip(run, context.words)}</td>
    <td>
      ${
        reasons.length > 0
          ? html`<a class="chip risk-medium" href="#outliers">${t.alone}</a>`
          : alike === null || alike === 1
            ? '–'
            : t.alike(alike)
      }
    </td>
    <td class="n">${countChangedLines(run) ?? '–'}</td>
    <td class="n">${checksOf(run)}</td>
    <td>${pull ? renderExternalLink(pull.url, pull.id) : '–'}</td>
    <td class="n">${timeMark(run.lifecycle.stateEnteredAt, context)}</td>
  </tr>`;
};

export const campaignPage = async (context: PageContext): Promise<BoardPage | null> => {
  const { words, parts, params, now } = context;
  const { campaign: t } = words.board;
  const id = params.campaign ?? '';
  const [at, runs] = await Promise.all([
    readCampaignStatus(parts.query, id, now),
    parts.query.campaignRuns(id),
  ]);
  if (!at) return null;
  const { campaign, order, standings } = at;
  const marked = runs.flatMap((run) => {
    const standing = standings.get(run.order.repo);
    return standing?.run === run.id ? [{ run, mark: standing.mark, since: standing.since }] : [];
  });
  const rows = tableRows(
    order.targets.map(({ repo }) => repo),
    runs,
    findOutliers(marked, now),
  );
  const marks = new Map<StandingMark, number>();
  for (const { mark } of standings.values()) marks.set(mark, (marks.get(mark) ?? 0) + 1);
  const all = countTargetsAndPulls(order, campaign, standings);
  const merged = [...standings.values()].filter(({ mark }) => mark === 'merged');
  const eta = etaOf(order, campaign, standings, now);
  const tally = tallyOf(order, campaign, standings);
  const body = html`<nav class="crumbs" aria-label="${words.board.where}">
      <a href="${context.base}/campaigns">${t.title}</a>
    </nav>
    <div class="head"><h1>${order.name}</h1></div>
    <p class="meta">
      <span>${words.campaign.states[campaign.state]}</span> <code>${campaign.id}</code>
      <span>${words.campaign.begun(tally.started, tally.of)}</span>
      <span>${t.merged(merged.length, all)}</span>
      ${[...marks].map(([mark, n]) => mark !== 'merged' && html`<span class="chip">${n} ${words.campaign.marks[mark]}</span>`)}
      ${eta !== null && html`<span>${t.eta(`${momentText(eta, now, words.calendar)} (${durationText(eta - now, words.calendar)})`)}</span>`}
    </p>
    ${outlierPart(context, rows)}
    <section>
      <h2>${t.pace}</h2>
      ${
        merged.length < 3
          ? html`<p class="none">${t.noPace}</p>`
          : renderMergedCurve(
              merged.map(({ since }) => since),
              {
                all,
                from: Math.min(now, ...[...standings.values()].map((one) => one.at)),
                now,
                label: t.merged(merged.length, all),
              },
            )
      }
    </section>
    <section>
      <h2>${t.everyOne}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="${t.everyOne}">
        <table class="figures">
          <thead>
            <tr>
              ${[t.repository, t.state, t.cluster, t.lines, t.checks, t.pull, t.waits].map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => tableRow(context, row))}
          </tbody>
        </table>
      </div>
    </section>`;
  return { title: order.name, here: 'campaigns', body, watches: 'all', wide: true };
};
