/** The inbox: what needs a person first, then what is at work, then what ended. */
import { listWaitingRuns } from '#views';
import { repositoryOf, type Run } from '#run';
import { cutText } from '#model/values';
import type { RunFilter } from '#ports/ledger';
import type { BoardPage, PageContext } from '../board-context.ts';
import { html, type Markup, type Part } from '../markup.ts';
import {
  chatLink,
  renderRunName,
  riskChip,
  runPath,
  describeRunStanding,
  timeMark,
  titleOfRun,
  toneOf,
} from '../run-parts.ts';

/** A run that waits for a person may be older than all that are at work, so many are read. */
const MAX_LIVE_RUNS = 2_000;
const MAX_ROWS_AT_WORK = 100;
const ENDED_PAGE_ROWS = 25;
const PARTS = ['repo', 'owner', 'state', 'engine', 'person', 'campaign'] as const;

/** Reads `engine:codex words`; what names no part is searched as text. */
const readFilter = (search: string): RunFilter => {
  const filter: Record<string, string> = {};
  const words: string[] = [];
  for (const word of search.trim().split(/\s+/)) {
    const at = word.indexOf(':');
    const part = PARTS.find((one) => one === word.slice(0, at).toLowerCase());
    if (part && word.length > at + 1) filter[part] = word.slice(at + 1);
    else if (word !== '') words.push(word);
  }
  return { ...filter, ...(words.length > 0 ? { text: words.join(' ') } : {}) };
};

type After = { at: number; id: string } | null;
const readAfter = (text: string | null): After => {
  const [, at, id] = /^(\d{1,16})~([\w-]{1,64})$/.exec(text ?? '') ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
};

const toQuery = (values: Record<string, string>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
};

const renderRow = (context: PageContext, run: Run, says: Part, actions: Part = ''): Markup =>
  html`<li class="row tone-${toneOf(run)}">
    <i class="dot" aria-hidden="true"></i>
    <div class="what">
      <a class="title" href="${runPath(context, run.id)}">${titleOfRun(run)}</a>
      <p class="meta">
        <a class="plain" href="${context.base}/${toQuery({ q: `repo:${repositoryOf(run)}` })}"
          >${renderRunName(run)}</a
        >
        <span>${cutText(run.order.requester.name, 30)}</span>
        ${run.order.campaign && html`<a class="plain" href="${context.base}/campaign/${run.order.campaign}">${run.order.campaign}</a>`}
      </p>
    </div>
    <div class="stand"><span class="says">${says}</span>${riskChip(run, context.words)}</div>
    <div class="when">${timeMark(run.lifecycle.stateEnteredAt, context)}</div>
    <div class="do">${actions}</div>
  </li>`;

const renderSection = (
  id: string,
  title: string,
  count: number | null,
  rows: readonly Markup[],
  none: string,
): Markup =>
  html`<section class="group" aria-labelledby="${id}">
    <h2 id="${id}">${title}${count !== null && html` <span class="count">${count}</span>`}</h2>
    ${
      rows.length === 0
        ? html`<p class="none">${none}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
  </section>`;

const searchForm = ({ base, words }: PageContext, search: string): Markup => {
  const { inbox } = words.board;
  return html`<form class="search" role="search" action="${base}/" method="get">
    <input
      type="search"
      name="q"
      id="search"
      value="${search}"
      placeholder="${inbox.hint}"
      aria-label="${inbox.search}"
      autocomplete="off"
      maxlength="200"
    />
    <button>${inbox.find}</button>
    ${search !== '' && html`<a class="quiet" href="${base}/">${inbox.clear}</a>`}
  </form>`;
};

export const inboxPage = async (context: PageContext): Promise<BoardPage> => {
  const { words, url, parts } = context;
  const { inbox } = words.board;
  const search = (url.searchParams.get('q') ?? '').slice(0, 200);
  const after = readAfter(url.searchParams.get('after'));
  const filter = readFilter(search);
  const [live, ended] = await Promise.all([
    after ? [] : parts.query.runPage({ live: true, limit: MAX_LIVE_RUNS, filter, after: null }),
    parts.query.runPage({ live: false, limit: ENDED_PAGE_ROWS + 1, filter, after }),
  ]);
  const waits = listWaitingRuns(live, words);
  const isWaiting = new Set(waits.map(({ run }) => run.id));
  const works = live.filter(({ id }) => !isWaiting.has(id));
  const last = ended[ENDED_PAGE_ROWS - 1];
  const older = ended.length > ENDED_PAGE_ROWS && last;
  const body = html`<div class="head">
      <h1>${inbox.title}</h1>
      ${searchForm(context, search)}
    </div>
    ${
      after
        ? ''
        : [
            renderSection(
              'needs',
              inbox.needs,
              waits.length,
              waits.map(({ run, why }) => renderRow(context, run, why, chatLink(context, run.id))),
              inbox.calm,
            ),
            renderSection(
              'works',
              inbox.works,
              works.length,
              works
                .slice(0, MAX_ROWS_AT_WORK)
                .map((run) => renderRow(context, run, describeRunStanding(run, words))),
              inbox.idle,
            ),
            works.length > MAX_ROWS_AT_WORK && html`<p class="none">${inbox.first(MAX_ROWS_AT_WORK)}</p>`,
          ]
    }
    ${renderSection(
      'ended',
      inbox.ended,
      null,
      ended.slice(0, ENDED_PAGE_ROWS).map((run) => renderRow(context, run, describeRunStanding(run, words))),
      search === '' && !after ? inbox.noEnded : inbox.none,
    )}
    <nav class="pages">
      ${after && html`<a href="${context.base}/${toQuery({ q: search })}">${inbox.newest}</a>`}
      ${
        older &&
        html`<a
          rel="next"
          href="${context.base}/${toQuery({ q: search, after: `${older.lifecycle.updatedAt}~${older.id}` })}"
          >${inbox.older}</a
        >`
      }
    </nav>
    <p class="keys">${inbox.keys}</p>`;
  return { title: inbox.title, here: 'inbox', body, watches: 'all' };
};
