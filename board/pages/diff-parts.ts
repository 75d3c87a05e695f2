/** The change of a run: finding it, drawing pieces of it, and sending them one by one. */
import { showsFix, naturesOf, sortFilesByRisk, deservesAttention } from '#views';
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import type { BookFile, PatchBook } from '#chat-text';
import { ASSET_VERSION } from '../assets.ts';
import type { BoardAnswer, BoardParts, PageContext } from '../board-context.ts';
import { escapeText, html, showText, trustMarkup, type Markup } from '../markup.ts';
import { markChangedWords, listDiffRows, ignoreWhitespaceChanges, type DiffRow } from '../diff-rows.ts';
import { runPath } from '../run-parts.ts';

export const PIECE_LINES = 300;
const MAX_SHOWN_LINE_LENGTH = 2_000;

export type DiffView = {
  since: 'base' | 'pushed';
  split: boolean;
  blanks: boolean;
  wrap: boolean;
};
export const parseDiffView = (run: Run, url: URL): DiffView => ({
  since: url.searchParams.get('since') === 'base' || !showsFix(run) ? 'base' : 'pushed',
  split: url.searchParams.get('split') === '1',
  blanks: url.searchParams.get('blanks') !== '0',
  wrap: url.searchParams.get('wrap') !== '0',
});
export const viewQuery = (run: Run, view: DiffView, more: Record<string, string | number> = {}): string => {
  const given: Record<string, string> = {};
  if (view.since === 'base' && showsFix(run)) given.since = 'base';
  if (view.split) given.split = '1';
  if (!view.blanks) given.blanks = '0';
  if (!view.wrap) given.wrap = '0';
  for (const [name, value] of Object.entries(more)) given[name] = String(value);
  return Object.keys(given).length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
};

/** Pieces of one change are asked for one after the other. */
const newest = new WeakMap<BoardParts, { key: string; book: PatchBook; omitted: number }>();

/** Files in the order of their risk; null without a working copy. */
export const loadPatchBook = async (
  run: Run,
  { since }: DiffView,
  { parts }: PageContext,
): Promise<{ book: PatchBook; omitted: number } | null> => {
  const { commit, pushedHead } = run.change;
  if (!commit) return null;
  const key = `${run.id} ${commit.sha} ${since} ${pushedHead?.sha ?? ''}`;
  const known = newest.get(parts);
  if (known?.key === key) return known;
  const patch = await parts.patch(run.id, since);
  if (!patch) return null;
  const read = await parts.readBook(patch.text);
  const rank = new Map(sortFilesByRisk(commit.diff).map(({ path }, i) => [path, i]));
  const book = [...read].sort(
    (a, b) => (rank.get(a.path) ?? read.length) - (rank.get(b.path) ?? read.length),
  );
  const kept = { key, book, omitted: patch.omitted };
  newest.set(parts, kept);
  return kept;
};

const MARK = /⟦[^⟧]{1,200}⟧/g;
const textOf = (text: string, { changed }: { changed: boolean }): string => {
  const safe = escapeText(text).replace(MARK, (mark) => `<b class="odd">${mark}</b>`);
  return changed ? `<mark>${safe}</mark>` : safe;
};
const contentOf = ({ text, words }: DiffRow, { words: { board } }: PageContext): string => {
  if (text.length > MAX_SHOWN_LINE_LENGTH)
    return `${textOf(text.slice(0, MAX_SHOWN_LINE_LENGTH), { changed: false })}<i class="cut"> … ${escapeText(board.diff.cut(text.length - MAX_SHOWN_LINE_LENGTH))}</i>`;
  return words
    ? words.map((word) => textOf(word.text, { changed: word.changed })).join('')
    : textOf(text, { changed: false });
};

const SIGNS = { added: '+', deleted: '-', same: ' ', hunk: '', note: '' } as const;
const renderCell = (row: DiffRow | null, context: PageContext): string =>
  row
    ? `<td class="c ${row.kind}" data-sign="${SIGNS[row.kind]}">${contentOf(row, context)}</td>`
    : '<td class="c empty"></td>';

const hunkText = ({ text }: DiffRow): string => (text === '' ? '⋯' : textOf(text, { changed: false }));
const renderUnifiedRow = (row: DiffRow, context: PageContext): string =>
  row.kind === 'hunk'
    ? `<tr class="hunk"><td class="n"></td><td class="n"></td><td class="c">${hunkText(row)}</td></tr>`
    : `<tr><td class="n">${row.old ?? ''}</td><td class="n">${row.new ?? ''}</td>${renderCell(row, context)}</tr>`;

const splitRows = (rows: readonly DiffRow[], context: PageContext): string[] => {
  const lines: string[] = [];
  const pushRow = (old: DiffRow | null, now: DiffRow | null): void =>
    void lines.push(
      `<tr><td class="n">${old?.old ?? ''}</td>${renderCell(old, context)}<td class="n">${now?.new ?? ''}</td>${renderCell(now, context)}</tr>`,
    );
  for (let at = 0; at < rows.length;) {
    const gone: DiffRow[] = [];
    const come: DiffRow[] = [];
    for (; rows[at]?.kind === 'deleted'; at += 1) gone.push(rows[at] as DiffRow);
    for (; rows[at]?.kind === 'added'; at += 1) come.push(rows[at] as DiffRow);
    for (let i = 0; i < Math.max(gone.length, come.length); i += 1) pushRow(gone[i] ?? null, come[i] ?? null);
    const row = rows[at];
    if (!row || row.kind === 'deleted' || row.kind === 'added') continue;
    if (row.kind === 'hunk')
      lines.push(`<tr class="hunk"><td class="n"></td><td class="c" colspan="3">${hunkText(row)}</td></tr>`);
    else pushRow(row, row);
    at += 1;
  }
  return lines;
};

/** Rows from a line on, and a link to the rest. */
export const renderFilePiece = (
  file: BookFile,
  { at, from, run, view, c }: { at: number; from: number; run: Run; view: DiffView; c: PageContext },
): Markup => {
  const to = from + PIECE_LINES;
  const all = listDiffRows(file.lines, from, to);
  const rows = view.blanks ? all : ignoreWhitespaceChanges(all);
  markChangedWords(rows);
  const lines = view.split ? splitRows(rows, c) : rows.map((row) => renderUnifiedRow(row, c));
  const left = file.lines.length - to;
  const path = runPath(c, run.id);
  const rest = viewQuery(run, view, { file: at, from: to });
  const more =
    left > 0
      ? html`<tr class="rest">
          <td colspan="4">
            <a data-hunk="${path}/hunk${rest}" href="${path}/diff${rest}">${c.words.board.diff.more(left)}</a>
          </td>
        </tr>`
      : '';
  return html`${trustMarkup(lines.join('\n'))}${more}`;
};

export const fileNotes = (run: Run, file: BookFile, { words }: PageContext): string[] => {
  const diff = run.change.commit?.diff;
  const known = diff?.files.find(({ path }) => path === file.path);
  if (!diff || !known) return file.head;
  const found = diff.findings.flatMap(({ kind, path }) => (path === file.path ? [words.findings[kind]] : []));
  return [...new Set([...naturesOf(diff, known).map((one) => words.card.natures[one]), ...found])];
};
export const isRisky = (run: Run, { path }: BookFile): boolean => {
  const diff = run.change.commit?.diff;
  const known = diff?.files.find((one) => one.path === path);
  return diff !== undefined && known !== undefined && deservesAttention(diff, known);
};

const numberIn = (url: URL, name: string): number => {
  const n = Number(url.searchParams.get(name));
  return Number.isSafeInteger(n) && n >= 0 ? n : 0;
};

export const hunkAnswer = async (c: PageContext): Promise<BoardAnswer | null> => {
  const { parts, params, url } = c;
  const run = await parts.query.run(params.run ?? '');
  const view = run && parseDiffView(run, url);
  const drawn = `${run?.change.commit?.sha ?? ''} ${c.base} ${url.search} ${c.words.code} ${ASSET_VERSION}`;
  const etag = `"${sha256Hex(drawn).slice(0, 24)}"`;
  const type = 'text/html; charset=utf-8';
  if (run?.change.commit && c.knownTag === etag) return { status: 304, type, body: '', headers: { etag } };
  const read = run && view && (await loadPatchBook(run, view, c));
  const at = numberIn(url, 'file');
  const file = read?.book[at];
  if (!run || !view || !file) return null;
  const from = numberIn(url, 'from');
  return {
    type,
    body: html`<table>
      ${renderFilePiece(file, { at, from, run, view, c })}
    </table>`.toString(),
    headers: { etag, 'cache-control': 'private, no-cache' },
  };
};

/** The file that the chat sends as well. */
export const patchAnswer = async (context: PageContext): Promise<BoardAnswer | null> => {
  const { parts, params, url } = context;
  const run = await parts.query.run(params.run ?? '');
  const view = run && parseDiffView(run, url);
  const read = run && view && (await loadPatchBook(run, view, context));
  if (!run || !read) return null;
  const text = read.book
    .map(({ path, head, lines }) => [showText(path), ...head, ...lines].join('\n'))
    .join('\n\n');
  return {
    type: 'text/plain; charset=utf-8',
    body: `${text}\n`,
    headers: { 'content-disposition': `attachment; filename="run-${run.id.replace(/[^\w-]/g, '')}.diff"` },
  };
};
