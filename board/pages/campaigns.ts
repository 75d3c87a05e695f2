/** All campaigns, and one campaign as a table of its repositories, outliers first. */
import { durationText, momentText } from '../../bot/text/telegram-html.ts';
import { comesTo } from '../../orchestrator/core/campaign/adopted-pulls.ts';
import { etaOf } from '../../orchestrator/core/campaign/campaign-progress.ts';
import { tallyOf } from '../../orchestrator/core/campaign/campaign-tally.ts';
import type { StandingMark } from '../../orchestrator/core/campaign/run-standing.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { campaignNow } from '../../orchestrator/engine/campaign-now.ts';
import type { BoardPage, PageContext } from '../board-context.ts';
import { mergedCurve } from '../merged-curve.ts';
import { html, type Markup, type Part } from '../markup.ts';
import { outsideLink, riskChip, runPath, standingOf, timeMark, toneOf } from '../run-parts.ts';

export const campaignsPage = async (c: PageContext): Promise<BoardPage> => {
  const { words, base, parts } = c;
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
                  <div class="when">${timeMark(one.stateEnteredAt, c)}</div>
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

type TableRow = { repo: string; run: Run | null; alike: number | null; strange: number };

const WORTH_A_LOOK: readonly StandingMark[] = ['failed', 'waits', 'denied'];

const tableRows = (
  repos: readonly string[],
  runs: readonly Run[],
  marks: ReadonlyMap<string, StandingMark>,
): TableRow[] => {
  const newest = new Map(runs.map((run) => [run.order.repo, run]));
  const shapes = new Map<string, number>();
  for (const run of newest.values()) {
    const shape = shapeOf(run);
    if (shape !== null) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const several = [...shapes.values()].some((n) => n > 1);
  const rows = repos.map((repo) => {
    const run = newest.get(repo) ?? null;
    const shape = run && shapeOf(run);
    const alike = shape === null ? null : (shapes.get(shape) ?? null);
    const mark = run ? marks.get(run.id) : undefined;
    const isOdd = several && alike === 1;
    const strange = Number(isOdd) * 2 + Number(mark !== undefined && WORTH_A_LOOK.includes(mark));
    return { repo, run, alike: isOdd ? 1 : alike === 1 ? null : alike, strange };
  });
  return rows.sort((a, b) => b.strange - a.strange || Number(a.run === null) - Number(b.run === null));
};

const checksOf = (run: Run): Part => {
  const checks = run.change.evaluation?.checks ?? [];
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  if (checks.length === 0) return '–';
  return html`<span class="${passed === checks.length ? 'good' : 'bad'}">${passed}/${checks.length}</span>`;
};

const tableRow = (c: PageContext, { repo, run, alike, strange }: TableRow): Markup => {
  const { campaign: t } = c.words.board;
  if (!run)
    return html`<tr class="quiet">
      <th scope="row"><bdi>${repo}</bdi></th>
      <td colspan="5">${t.notStarted}</td>
    </tr>`;
  const pull = run.upstream.pullRequest;
  return html`<tr class="tone-${toneOf(run)}">
    <th scope="row">
      <i class="dot" aria-hidden="true"></i><a href="${runPath(c, run.id)}"><bdi>${repo}</bdi></a>
    </th>
    <td>${standingOf(run, c.words)} ${riskChip(run, c.words)}</td>
    <td>
      ${strange > 1 ? html`<span class="chip risk-medium">${t.alone}</span>` : alike === null ? '–' : t.alike(alike)}
    </td>
    <td class="n">${checksOf(run)}</td>
    <td>${pull ? outsideLink(pull.url, pull.id) : '–'}</td>
    <td class="n">${timeMark(run.lifecycle.stateEnteredAt, c)}</td>
  </tr>`;
};

export const campaignPage = async (c: PageContext): Promise<BoardPage | null> => {
  const { words, parts, params, now } = c;
  const { campaign: t } = words.board;
  const id = params.campaign ?? '';
  const [at, runs] = await Promise.all([campaignNow(parts.query, id, now), parts.query.campaignRuns(id)]);
  if (!at) return null;
  const { campaign, order, standings } = at;
  const marks = new Map([...standings.values()].map(({ run, mark }) => [run, mark]));
  const rows = tableRows(
    order.targets.map(({ repo }) => repo),
    runs,
    marks,
  );
  const all = comesTo(order, campaign, standings);
  const merged = [...standings.values()].filter(({ mark }) => mark === 'merged');
  const eta = etaOf(order, campaign, standings, now);
  const tally = tallyOf(order, campaign, standings);
  const body = html`<nav class="crumbs" aria-label="${words.board.where}">
      <a href="${c.base}/campaigns">${t.title}</a>
    </nav>
    <div class="head"><h1>${order.name}</h1></div>
    <p class="meta">
      <span>${words.campaign.states[campaign.state]}</span> <code>${campaign.id}</code>
      <span>${words.campaign.begun(tally.started, tally.of)}</span>
      <span>${t.merged(merged.length, all)}</span>
      ${eta !== null && html`<span>${t.eta(`${momentText(eta, now, words.calendar)} (${durationText(eta - now, words.calendar)})`)}</span>`}
    </p>
    <section>
      <h2>${t.pace}</h2>
      ${
        merged.length < 3
          ? html`<p class="none">${t.noPace}</p>`
          : mergedCurve(
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
      <h2>${t.outliers}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="${t.outliers}">
        <table class="figures">
          <thead>
            <tr>
              ${[t.repository, t.state, t.cluster, t.checks, t.pull, t.waits].map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => tableRow(c, row))}
          </tbody>
        </table>
      </div>
    </section>`;
  return { title: order.name, here: 'campaigns', body, watches: 'all', wide: true };
};
