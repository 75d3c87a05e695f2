/** Renders untrusted Markdown of pull requests: no raw markup, hidden comments. */
import MarkdownIt, {
  type RendererRule,
  type StateBlock,
  type StateCore,
  type StateInline,
} from 'markdown-it';
import { html, reveal, trusted, type Html } from '../html.ts';

const LONGEST = 100_000;
const DEEPEST = 5;

const md = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image');
const { escapeHtml } = md.utils;
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
md.validateLink = (url) => /^https?:\/\//i.test(url);

export function markdown(text: string): Html {
  const shown = text.slice(0, LONGEST);
  const more = text.length - LONGEST;
  // Entities become characters in rendering, so reveal hidden ones afterwards.
  return html`<div class="prose" dir="auto">
    ${trusted(reveal(md.render(shown)))}${more > 0 && html`<p class="more">… and ${more} more characters</p>`}
  </div>`;
}

/** A comment hides all lines up to its end, or to the end of the text. */
const commentLines = (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
  const lineAt = (line: number): string => state.getLines(line, line + 1, state.blkIndent, false);
  if (!/^ {0,3}<!--/.test(lineAt(start))) return false;
  if (silent) return true;
  let last = start;
  while (last < end - 1 && !lineAt(last).includes('-->')) last += 1;
  state.line = last + 1;
  return true;
};
const comment = (state: StateInline): boolean => {
  const end = state.src.startsWith('<!--', state.pos) ? state.src.indexOf('-->', state.pos + 4) : -1;
  if (end < 0) return false;
  state.pos = end + 3;
  return true;
};

/** Headings move down a level; inline styles would violate the content security policy. */
const fitIntoPage = ({ tokens }: StateCore): void => {
  for (const token of tokens) {
    if (token.type.startsWith('heading_')) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 1, 4)}`;
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
  }
};

const taskList = ({ tokens, Token }: StateCore): void => {
  for (const [at, token] of tokens.entries()) {
    const [item, text] = [tokens[at - 2], token.children?.[0]];
    const [mark = '', box] = /^\[([ xX])\]\s+/.exec(token.content) ?? [];
    if (item?.type !== 'list_item_open' || !text || mark === '') continue;
    item.attrJoin('class', 'task');
    text.content = text.content.slice(mark.length);
    token.children?.unshift(
      Object.assign(new Token('task_box', 'span', 0), { info: box === ' ' ? 'not done' : 'done' }),
    );
  }
};
const taskBox: RendererRule = (tokens, at) => {
  const is = tokens[at]?.info === 'done' ? 'done' : 'not done';
  return `<span class="box ${is === 'done' ? 'ticked' : ''}" role="img" aria-label="${is}"></span>`;
};

const SUMMARY = '<summary>(?<summary>.*)</summary>';
const OPENS = new RegExp(`^<details(?: open)?>(?:\\s*${SUMMARY})?$`, 'i');
const BELOW = new RegExp(`^${SUMMARY}$`, 'i');

/** The only supported HTML, with each tag on its own line. */
const details = (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
  const lineAt = (line: number): string => state.getLines(line, line + 1, state.blkIndent, false).trim();
  const opened = OPENS.exec(lineAt(start));
  if (!opened || state.level >= DEEPEST) return false;
  if (silent) return true;
  let close = start + 1;
  while (close < end && !/^<\/details>$/i.test(lineAt(close))) close += 1;
  const below = opened.groups?.summary === undefined && start + 1 < close && BELOW.exec(lineAt(start + 1));
  const summary = (below || opened).groups?.summary ?? 'Details';
  state.push('details_open', 'details', 1).block = true;
  state.push('summary_open', 'summary', 1);
  Object.assign(state.push('inline', '', 0), { content: summary, children: [] });
  state.push('summary_close', 'summary', -1);
  const { lineMax } = state;
  state.lineMax = close;
  state.md.block.tokenize(state, below ? start + 2 : start + 1, close);
  state.lineMax = lineMax;
  state.push('details_close', 'details', -1).block = true;
  state.line = Math.min(close + 1, end);
  return true;
};

const code: RendererRule = (tokens, at) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[at]?.content ?? '')}</code></pre>`;

md.core.ruler.push('fit_into_page', fitIntoPage);
md.core.ruler.push('task_list', taskList);
const alt = ['paragraph', 'reference', 'blockquote'];
md.block.ruler.before('html_block', 'details', details, { alt });
md.block.ruler.before('html_block', 'comment', commentLines, { alt });
md.inline.ruler.before('html_inline', 'comment', comment);
Object.assign(md.renderer.rules, {
  fence: code,
  code_block: code,
  task_box: taskBox,
  table_open: () => '<div class="scroll" tabindex="0"><table>',
  table_close: () => '</table></div>',
  link_open: (tokens, at, options, _env, self) => {
    tokens[at]?.attrSet('rel', 'noopener noreferrer nofollow');
    return self.renderToken(tokens, at, options);
  },
} satisfies Record<string, RendererRule>);
