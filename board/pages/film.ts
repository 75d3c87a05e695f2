/** The page that plays a run back step by step (E21). Without JavaScript it is one long list. */
import type { BoardPage, PageContext } from '../board-context.ts';
import { html } from '../markup.ts';
import { frameItem, listFrames } from '../run-film.ts';
import { renderRunName, runPath, timeMark, titleOfRun } from '../run-parts.ts';

export const filmPage = async (c: PageContext): Promise<BoardPage | null> => {
  const { query } = c.parts;
  const run = await query.run(c.params['run'] ?? '');
  if (!run) return null;
  const [events, attempts, turns] = await Promise.all([
    query.events(run.id),
    query.attempts(run.id),
    query.turns(run.id),
  ]);
  const { frames, cut } = await listFrames(events, attempts, turns, c);
  const { film: t } = c.words.board;
  const title = `${t.title}: ${titleOfRun(run)}`;
  const body = html`<nav class="crumbs" aria-label="${c.words.board.where}">
      <a href="${runPath(c, run.id)}">${renderRunName(run)}</a>
    </nav>
    <div class="head"><h1>${title}</h1></div>
    ${cut > 0 && html`<p class="none">${t.cut(cut)}</p>`}
    ${
      frames.length === 0
        ? html`<p class="none">${t.none}</p>`
        : html`<div class="film" id="film" hidden data-where="${t.where('#', frames.length)}">
              <div class="strip" aria-hidden="true">
                ${frames.map(({ kind, tone }) => html`<i class="${kind} ${tone}"></i>`)}
              </div>
              <input
                id="film-at"
                type="range"
                min="1"
                max="${frames.length}"
                value="1"
                aria-label="${t.slider}"
              />
              <div class="row-of-buttons">
                <button class="button" type="button" data-film="-1">${t.back}</button>
                <output id="film-where" for="film-at">${t.where('1', frames.length)}</output>
                <button class="button primary" type="button" data-film="1">${t.on}</button>
              </div>
              <p class="keys">${t.keys}</p>
            </div>
            <ol class="frames" id="frames">
              ${frames.map((frame, i) => frameItem(frame, i + 1, c, timeMark(frame.at, c)))}
            </ol>`
    }`;
  return { title, here: 'inbox', body, plays: true };
};
