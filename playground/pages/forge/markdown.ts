/** Markdown as pull requests use it, to markup of our own: nothing in the text becomes markup itself, comments are hidden. */
import { html, type Html, type Part } from '../html.ts';
import { inline } from './inline.ts';

const DEEPEST = 5;
const LONGEST = 100_000;
const ITEM = /^(?<indent> {0,3})(?:(?<bullet>[-*+])|(?<number>\d{1,9})[.)])(?:\s+(?<text>.*)|$)/;
// No two repeats in a row that match the same: a hostile line must not cost more than its length.
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})[^`]*$/;
const HEADING = /^ {0,3}(?<level>#{1,6})[ \t](?<text>.*)$/;
const OPEN_DETAILS = /^<details(?: open)?>(?:\s*<summary>(?<summary>.*)<\/summary>)?$/i;
const SUMMARY = /^<summary>(?<summary>.*)<\/summary>$/i;
const isRule = (line: string): boolean => /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replace(/[ \t]/g, ''));
const isRow = (line: string): boolean => line.trim().length > 1 && /^\|.*\|$/.test(line.trim());

type Block = { part: Part; rest: string[] };

export function markdown(text: string): Html {
  const shown = withoutComments(text.slice(0, LONGEST).replace(/\r\n?/g, '\n'));
  const more = text.length - LONGEST;
  return html`<div class="prose" dir="auto">
    ${blocks(shown.split('\n'), 0)}${more > 0 && html`<p class="more">… and ${more} more characters</p>`}
  </div>`;
}

export function withoutComments(text: string): string {
  let [rest, kept] = [text, ''];
  for (let start = rest.indexOf('<!--'); start >= 0; start = rest.indexOf('<!--')) {
    const end = rest.indexOf('-->', start + 4);
    kept += rest.slice(0, start);
    rest = end < 0 ? '' : rest.slice(end + 3);
  }
  return kept + rest;
}

function blocks(lines: string[], depth: number): Part[] {
  const parts: Part[] = [];
  let rest = lines;
  while (rest.length > 0) {
    const block = next(rest, depth);
    parts.push(block.part);
    rest = block.rest;
  }
  return parts;
}

function next(lines: string[], depth: number): Block {
  const [first = ''] = lines;
  if (first.trim() === '') return { part: null, rest: lines.slice(run(lines, (line) => line.trim() === '')) };
  const heading = HEADING.exec(first)?.groups;
  if (heading) return { part: title(heading.level ?? '#', heading.text ?? ''), rest: lines.slice(1) };
  const fence = FENCE.exec(first)?.groups;
  if (fence) return fenced(lines, fence.mark ?? '```');
  if (isRule(first)) return { part: html`<hr />`, rest: lines.slice(1) };
  if (isRow(first) && isRow(lines[1] ?? '') && /^[\s|:-]+$/.test(lines[1] ?? '')) return table(lines);
  if (depth < DEEPEST && /^ {0,3}>/.test(first)) return quote(lines, depth);
  if (depth < DEEPEST && OPEN_DETAILS.test(first.trim())) return details(lines, depth);
  if (depth < DEEPEST && ITEM.test(first)) return list(lines, depth);
  return paragraph(lines, depth);
}

/** How many lines at the start are such. */
const run = (lines: string[], is: (line: string, at: number) => boolean): number => {
  const end = lines.findIndex((line, at) => !is(line, at));
  return end < 0 ? lines.length : end;
};

function title(level: string, text: string): Html {
  const words = inline(text.trim().replace(/(?<=\s)#+$/, ''));
  if (level.length === 1) return html`<h2>${words}</h2>`;
  return level.length === 2 ? html`<h3>${words}</h3>` : html`<h4>${words}</h4>`;
}

function fenced(lines: string[], mark: string): Block {
  const inside = lines.slice(1);
  const size = run(inside, (line) => !line.trimStart().startsWith(mark));
  const code = inside.slice(0, size).join('\n');
  return { part: html`<pre tabindex="0"><code>${code}</code></pre>`, rest: inside.slice(size + 1) };
}

function table(lines: string[]): Block {
  const size = run(lines, isRow);
  const cells = (line: string): string[] =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const [head = '', , ...rows] = lines.slice(0, size);
  const part = html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${cells(head).map((cell) => html`<th>${inline(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  return { part, rest: lines.slice(size) };
}

function quote(lines: string[], depth: number): Block {
  const size = run(lines, (line) => /^ {0,3}>/.test(line));
  const inner = lines.slice(0, size).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return {
    part: html`<blockquote>${blocks(inner, depth + 1)}</blockquote>`,
    rest: lines.slice(size),
  };
}

function details(lines: string[], depth: number): Block {
  const inside = lines.slice(1);
  const size = run(inside, (line) => !/^\s*<\/details>\s*$/i.test(line));
  const [first = '', ...others] = inside.slice(0, size);
  const own = OPEN_DETAILS.exec(lines[0]?.trim() ?? '')?.groups?.summary;
  const below = own === undefined ? SUMMARY.exec(first.trim())?.groups?.summary : undefined;
  const content = below === undefined ? inside.slice(0, size) : others;
  const part = html`<details>
    <summary>${inline(own ?? below ?? 'Details')}</summary>
    ${blocks(content, depth + 1)}
  </details>`;
  return { part, rest: inside.slice(size + 1) };
}

function list(lines: string[], depth: number): Block {
  const first = ITEM.exec(lines[0] ?? '')?.groups ?? {};
  const numbered = first.number !== undefined;
  const items: string[][] = [];
  const size = run(lines, (line, at) => {
    const item = ITEM.exec(line)?.groups;
    if (item && (item.number !== undefined) === numbered) items.push([item.text ?? '']);
    else if (line.trim() === '') return /^\s*(?:[-*+]|\d+[.)])\s|^ {2,}\S/.test(lines[at + 1] ?? '');
    else if (/^ {2,}/.test(line)) items.at(-1)?.push(line.replace(/^ {2,4}/, ''));
    else return false;
    return true;
  });
  const parts = items.map((item) => entry(item, depth));
  const part = numbered
    ? html`<ol start="${first.number}">
        ${parts}
      </ol>`
    : html`<ul>
        ${parts}
      </ul>`;
  return { part, rest: lines.slice(Math.max(size, 1)) };
}

function entry([text = '', ...below]: string[], depth: number): Html {
  const [, box, rest] = /^\[([ xX])\]\s+(.*)$/.exec(text) ?? [];
  const inner = below.length > 0 && blocks(below, depth + 1);
  if (rest === undefined) return html`<li>${inline(text)}${inner}</li>`;
  const ticked = box !== ' ';
  return html`<li class="task">
    <span class="box ${ticked && 'ticked'}" role="img" aria-label="${ticked ? 'done' : 'not done'}"></span
    >${inline(rest)}${inner}
  </li>`;
}

/** Line ends stay line ends, as in a pull request. */
function paragraph(lines: string[], depth: number): Block {
  const starts = (line: string): boolean =>
    HEADING.test(line) ||
    FENCE.test(line) ||
    (depth < DEEPEST && (/^ {0,3}>/.test(line) || ITEM.test(line) || OPEN_DETAILS.test(line.trim())));
  const size = Math.max(
    run(lines, (line, at) => line.trim() !== '' && (at === 0 || !starts(line))),
    1,
  );
  const words = lines.slice(0, size).flatMap((line, at) => [at > 0 && html`<br />`, ...inline(line.trim())]);
  return { part: html`<p>${words}</p>`, rest: lines.slice(size) };
}
