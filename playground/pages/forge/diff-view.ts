/** Renders a diff as tables with line numbers and changed words, up to a limit. */
import { diffWordsWithSpace, type ChangeObject } from 'diff';
import { html, type Html, type Part } from '../html.ts';
import type { DiffLine, FileDiff } from './diff.ts';
import { icon } from './icons.ts';
import { growth, plural } from './view.ts';

const MOST_LINES = 3_000;
const MOST_LINES_OF_A_FILE = 800;
const MOST_FILES = 300;
const LONGEST_LINE = 1_000;
/** Maximum changed words: comparing costs this times the length. */
const MOST_EDITS = 40;

export type DiffOptions = {
  under?(path: string, line: number): Part;
  sayAt?(file: number, line: number): string;
  raw?: string;
};

export function diffView(files: FileDiff[], options: DiffOptions = {}): Html {
  let left = MOST_LINES;
  const shown = files.slice(0, MOST_FILES).map((file, at) => {
    const most = Math.min(MOST_LINES_OF_A_FILE, left);
    left -= Math.min(linesOf(file), most);
    return fileView(file, at, most, options);
  });
  const more = files.length - MOST_FILES;
  return html`<div class="diffs">
    ${shown}${more > 0 && html`<p class="card pad quiet">${plural(more, 'more file')} not shown.</p>`}
  </div>`;
}

export const contents = (files: FileDiff[]): Html =>
  html`<nav class="card contents" aria-label="Changed files">
    <ul class="rows">
      ${files.slice(0, MOST_FILES).map(
        (file, at) =>
          html`<li class="row">
            <span class="sign ${file.status}" title="${file.status}">${letters[file.status]}</span>
            <a class="grow path" href="#file-${at}">${pathOf(file.path)}</a>
            <span class="num">${growth(file.added, file.deleted)}</span>
          </li>`,
      )}
    </ul>
  </nav>`;

const linesOf = ({ hunks }: FileDiff): number => hunks.flat().length;

const letters = { added: 'A', deleted: 'D', renamed: 'R', copied: 'C', modified: 'M' } as const;

/** A long path loses folders, never its name. */
function pathOf(path: string): Html {
  const end = path.lastIndexOf('/') + 1;
  return html`<bdi
    ><span class="folder">${path.slice(0, end)}</span><span class="base">${path.slice(end)}</span></bdi
  >`;
}

function fileView(file: FileDiff, at: number, most: number, options: DiffOptions): Html {
  const notes = notesOf(file);
  const total = linesOf(file);
  return html`<details class="card diff" id="file-${at}" open>
    <summary>
      ${icon('chevron', 'fold')}<span class="path grow">${pathOf(file.path)}</span> ${blocks(file)}
      <span class="num">${growth(file.added, file.deleted)}</span>
    </summary>
    ${
      notes.length > 0 &&
      html`<ul class="notes">
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>`
    }
    ${
      total > 0 &&
      html`<div class="code-scroll" tabindex="0">
        <table class="code">
          ${rows(file, at, most, options)}
        </table>
      </div>`
    }
    ${total > most && html`<p class="cut-off">${leftOut(total - most, options.raw)}</p>`}
  </details>`;
}

const leftOut = (count: number, raw: string | undefined): Part => [
  `${plural(count, 'more line')}`,
  raw !== undefined && html` · <a href="${raw}">the whole diff as text</a>`,
];

function blocks({ added, deleted }: FileDiff): Html {
  const total = added + deleted;
  const plus = total === 0 ? 0 : Math.round((added / total) * 5);
  return html`<span class="blocks" aria-hidden="true"
    >${[0, 1, 2, 3, 4].map((one) => html`<i class="${total === 0 ? '' : one < plus ? 'plus' : 'minus'}"></i>`)}</span
  >`;
}

function notesOf(file: FileDiff): Part[] {
  const { status, oldPath, oldMode, newMode, binary, hunks } = file;
  const notes: Part[] = [];
  if (oldPath !== null) notes.push([`${status} from `, html`<code><bdi>${oldPath}</bdi></code>`]);
  if (status === 'added') notes.push(`new ${kindOf(newMode)}`);
  if (status === 'deleted') notes.push(`deleted ${kindOf(oldMode)}`);
  if (oldMode !== null && newMode !== null)
    notes.push(`mode ${oldMode} → ${newMode}: ${modeChange(oldMode, newMode)}`);
  if (binary) notes.push('binary: not shown');
  else if (hunks.length === 0) notes.push('no line changed');
  return notes;
}

const kinds: Readonly<Record<string, string>> = {
  '100755': 'executable file',
  '120000': 'symbolic link',
  '160000': 'submodule',
};
const kindOf = (mode: string | null): string => kinds[mode ?? ''] ?? 'file';
const modeChange = (before: string, after: string): string =>
  kindOf(after) === kindOf(before)
    ? 'changed'
    : `now ${/^[aeiou]/.test(kindOf(after)) ? 'an' : 'a'} ${kindOf(after)}`;

function rows(file: FileDiff, at: number, most: number, options: DiffOptions): Part[] {
  let left = most;
  const parts: Part[] = [];
  for (const hunk of file.hunks) {
    if (left <= 0) break;
    parts.push(hunkView(file, at, hunk.slice(0, left), options));
    left -= hunk.length;
  }
  return parts;
}

function hunkView(file: FileDiff, at: number, lines: DiffLine[], options: DiffOptions): Html {
  const changes = changedWords(lines);
  const [first] = lines;
  return html`<tbody>
    <tr class="hunk">
      <td colspan="2"></td>
      <td>line ${first?.new ?? first?.old ?? 0}</td>
    </tr>
    ${lines.map((line) => lineView(file, at, line, changes.get(line), options))}
  </tbody>`;
}

function lineView(
  file: FileDiff,
  at: number,
  line: DiffLine,
  words: Word[] | undefined,
  options: DiffOptions,
): Part {
  const to = line.new !== null && options.sayAt?.(at, line.new);
  const number = to
    ? html`<a href="${to}" data-soft title="Say something about this line">${line.new}</a>`
    : line.new;
  const below = line.new !== null && options.under?.(file.path, line.new);
  return html`<tr class="${line.kind}">
      <td class="n">${line.old}</td>
      <td class="n">${number}</td>
      <td class="c">${content(line.text, words)}</td>
    </tr>
    ${
      below &&
      html`<tr class="under">
        <td colspan="3">${below}</td>
      </tr>`
    }`;
}

function content(text: string, words: Word[] | undefined): Part {
  if (text.length > LONGEST_LINE) {
    const more = plural(text.length - LONGEST_LINE, 'more character');
    return [text.slice(0, LONGEST_LINE), html`<span class="more"> … ${more}</span>`];
  }
  return (
    words?.map(({ value, added, removed }) => (added || removed ? html`<mark>${value}</mark>` : value)) ??
    text
  );
}

type Word = ChangeObject<string>;

function changedWords(lines: DiffLine[]): Map<DiffLine, Word[]> {
  const changes = new Map<DiffLine, Word[]>();
  for (let at = 0; at < lines.length; at += 1) {
    const gone = runOf(lines, at, 'deleted');
    const come = runOf(lines, at + gone, 'added');
    for (let pair = at; gone === come && pair < at + gone; pair += 1) {
      const [before, after] = [lines[pair], lines[pair + gone]];
      if (before && after) comparePair(changes, before, after);
    }
    at += Math.max(gone === come ? gone + come - 1 : gone - 1, 0);
  }
  return changes;
}

function runOf(lines: DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end - from;
}

/** Marks nothing if most of the line changed. */
function comparePair(changes: Map<DiffLine, Word[]>, before: DiffLine, after: DiffLine): void {
  const [a, b] = [before.text, after.text];
  if (Math.max(a.length, b.length) > LONGEST_LINE) return;
  const words = diffWordsWithSpace(a, b, { maxEditLength: MOST_EDITS });
  const same = words?.reduce(
    (sum, { value, added, removed }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (!words || same === undefined || same * 2 < Math.min(a.length, b.length)) return;
  changes.set(
    before,
    words.filter(({ added }) => !added),
  );
  changes.set(
    after,
    words.filter(({ removed }) => !removed),
  );
}
