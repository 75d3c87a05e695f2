/** The whole change: a tree of files, then each file; on a phone one file at a time. */
import type { Run } from '#run';
import { showsFix } from '#views';
import type { BookFile, PatchBook } from '#chat-text';
import type { BoardPage, PageContext } from '../board-context.ts';
import { html, type Markup } from '../markup.ts';
import { APP_BASE } from '../page-frame.ts';
import { renderRunName, runPath } from '../run-parts.ts';
import { decidePart, questionsPart } from './decide.ts';
import { pictureParts } from './picture.ts';
import {
  fileNotes,
  isRisky,
  renderFilePiece,
  PIECE_LINES,
  loadPatchBook,
  parseDiffView,
  viewQuery,
  type DiffView,
} from './diff-parts.ts';

/** Further files are loaded when they are reached. */
const FIRST_LINES = 600;
const MAX_TREE_FILES = 600;

type Shown = { run: Run; view: DiffView; c: PageContext; book: PatchBook };

const renderTree = ({ run, view, c, book }: Shown, current: number): Markup =>
  html`<nav class="tree" aria-label="${c.words.board.diff.tree}">
    <ul>
      ${book.slice(0, MAX_TREE_FILES).map((file, at) => {
        const cut = file.path.lastIndexOf('/') + 1;
        return html`<li>
          <a
            href="${runPath(c, run.id)}/diff${viewQuery(run, view, { file: at })}#file-${at}"
            aria-current="${at === current ? 'true' : 'false'}"
            ><bdi><span class="folder">${file.path.slice(0, cut)}</span>${file.path.slice(cut)}</bdi
            >${isRisky(run, file) && html` <span class="warn">⚠</span>`}</a
          ><span class="size"><b class="plus">+${file.added}</b> <b class="minus">−${file.deleted}</b></span>
        </li>`;
      })}
    </ul>
  </nav>`;

const fileTable = (
  shown: Shown,
  file: BookFile,
  { at, from, lines }: { at: number; from: number; lines: boolean },
): Markup => {
  const { run, view, c } = shown;
  const { diff: t } = c.words.board;
  const path = runPath(c, run.id);
  const first = viewQuery(run, view, { file: at, from: 0 });
  if (file.lines.length === 0) return html`<p class="none">${file.binary ? t.binary : t.nothing}</p>`;
  return html`<div
    class="code${view.wrap ? ' wrap' : ''}${view.split ? ' split' : ''}"
    tabindex="0"
    role="region"
    aria-label="${file.path}"
  >
    <table>
      ${
        view.split &&
        html`<colgroup>
          <col class="numbers" />
          <col />
          <col class="numbers" />
          <col />
        </colgroup>`
      }
      <tbody>
        ${
          lines
            ? renderFilePiece(file, { at, from, run, view, c })
            : html`<tr class="rest">
                <td colspan="4">
                  <a data-hunk="${path}/hunk${first}" href="${path}/diff${first}"
                    >${t.more(file.lines.length)}</a
                  >
                </td>
              </tr>`
        }
      </tbody>
    </table>
  </div>`;
};

const fileSection = (
  shown: Shown,
  file: BookFile,
  at: number,
  given: { from: number; lines: boolean; here: boolean },
): Markup => {
  const notes = fileNotes(shown.run, file, shown.c);
  return html`<section class="file${given.here ? ' here' : ''}" id="file-${at}" aria-labelledby="name-${at}">
    <header>
      <h2 id="name-${at}"><bdi>${file.path}</bdi></h2>
      ${isRisky(shown.run, file) && html`<span class="warn" aria-hidden="true">⚠</span>`}
      <span class="size"><b class="plus">+${file.added}</b> <b class="minus">−${file.deleted}</b></span>
      ${notes.length > 0 && html`<p class="notes">${notes.join(' · ')}</p>`}
    </header>
    ${pictureParts(shown, file, at) || fileTable(shown, file, { ...given, at })}
  </section>`;
};

const renderSwitches = ({ run, view, c }: Shown, file: number): Markup => {
  const { diff: t } = c.words.board;
  const path = `${runPath(c, run.id)}/diff`;
  const linkTo = (text: string, change: Partial<DiffView>, kind = ''): Markup =>
    html`<a class="${kind}" href="${path}${viewQuery(run, { ...view, ...change }, { file })}">${text}</a>`;
  return html`<nav class="picks" aria-label="${t.title}">
    ${[
      linkTo(view.split ? t.unified : t.split, { split: !view.split }, 'wide-only'),
      linkTo(view.wrap ? t.scroll : t.wrap, { wrap: !view.wrap }),
      linkTo(view.blanks ? t.noBlanks : t.blanks, { blanks: !view.blanks }),
      showsFix(run) &&
        linkTo(view.since === 'base' ? t.since : t.base, {
          since: view.since === 'base' ? 'pushed' : 'base',
        }),
    ]}
    <a href="${runPath(c, run.id)}/change.patch${viewQuery(run, view)}">${t.whole}</a>
  </nav>`;
};

const renderPager = ({ run, view, c, book }: Shown, at: number): Markup => {
  const { diff: t } = c.words.board;
  const path = `${runPath(c, run.id)}/diff`;
  const rest = book.slice(at + 1);
  const lines = rest.reduce((n, { added, deleted }) => n + added + deleted, 0);
  const stepLink = (to: number, text: string): Markup =>
    book[to]
      ? html`<a href="${path}${viewQuery(run, view, { file: to })}#file-${to}">${text}</a>`
      : html`<span>${text}</span>`;
  return html`<nav class="pager" aria-label="${t.tree}">
    ${stepLink(at - 1, t.previous)}<span class="left"
      >${rest.length === 0 ? t.lastFile : t.left(rest.length, lines)}</span
    >${stepLink(at + 1, t.next)}
  </nav>`;
};

export const diffPage = async (c: PageContext): Promise<BoardPage | null> => {
  const { parts, params, words, url } = c;
  const run = await parts.query.run(params.run ?? '');
  if (!run) return null;
  const { diff: t } = words.board;
  const view = parseDiffView(run, url);
  const read = await loadPatchBook(run, view, c);
  const crumbs = html`<nav class="crumbs" aria-label="${words.board.where}">
    <a href="${runPath(c, run.id)}">${renderRunName(run)}</a>
  </nav>`;
  if (!read)
    return {
      title: t.title,
      body: html`${crumbs}
        <div class="head"><h1>${t.title}</h1></div>
        <p class="none">${run.change.commit ? t.gone : words.board.run.noChange}</p>`,
      watches: { run: run.id },
    };
  const { book, omitted } = read;
  const shown = { run, view, c, book };
  const asked = Math.min(Number(url.searchParams.get('file')) || 0, Math.max(0, book.length - 1));
  const from = Math.max(0, Number(url.searchParams.get('from')) || 0);
  const sealed = run.gate.proposal !== null && run.gate.proposal.fields.headSha === run.change.commit?.sha;
  let room = FIRST_LINES - Math.min(PIECE_LINES, book[asked]?.lines.length ?? 0);
  const sections = book.map((file, at) => {
    const cost = Math.min(PIECE_LINES, file.lines.length);
    const lines = at === asked || cost <= room;
    if (lines && at !== asked) room -= cost;
    return fileSection(shown, file, at, { from: at === asked ? from : 0, lines, here: at === asked });
  });
  const deciding = await decidePart(run, sealed && omitted === 0 && view.blanks, c);
  const body = html`${crumbs}
    <div class="head">
      <h1>${t.title}</h1>
      <p class="meta">
        <span>${t.files(book.length)}</span>
        <span class="${sealed ? 'good' : 'quiet'}">${sealed ? t.sealed : t.unsealed}</span>
        ${sealed && html`<code title="${run.gate.proposal?.digest ?? ''}">${run.gate.proposal?.digest.slice(0, 12)}</code>`}
      </p>
      ${renderSwitches(shown, asked)}
    </div>
    ${deciding} ${questionsPart(run, c)} ${omitted > 0 && html`<p class="none">${t.omitted(omitted)}</p>`}
    <div class="diff">
      ${renderTree(shown, asked)}
      <div class="files-shown">${sections}</div>
    </div>
    ${renderPager(shown, asked)}`;
  return {
    title: `${t.title} · ${run.id}`,
    here: 'inbox',
    body,
    watches: { run: run.id },
    wide: true,
    asksKey: c.parts.keys !== null && c.base !== APP_BASE,
  };
};
