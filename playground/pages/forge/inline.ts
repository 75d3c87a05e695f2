/** Markdown within a line: code, strong, emphasis and links; everything else is text. */
import { html, type Html, type Part } from '../html.ts';

/** Bounded, so that a long line of opening brackets costs nothing. */
const SPAN =
  /(?<!`)(?<ticks>`{1,3})(?!`)(?<code>[^\n]{1,400}?)(?<!`)\k<ticks>(?!`)|\*\*(?=\S)(?<strong>[^*\n]{1,400}?)(?<=\S)\*\*|(?<![\w*])[*_](?=\S)(?<em>[^*_\n]{1,400}?)(?<=\S)[*_](?![\w*])|~~(?<struck>[^~\n]{1,400})~~|\[(?<label>[^[\]\n]{1,300})\]\((?<target>[^()\s]{1,600})\)|(?<bare>https?:\/\/[^\s<>"'`)\]]{1,600})|\\(?<escaped>[\\`*_[\]#<>~-])/g;

export function inline(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(SPAN)) {
    parts.push(text.slice(from, match.index), span(match.groups ?? {}, match[0]));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

function span(found: Record<string, string | undefined>, whole: string): Part {
  const { code, strong, em, struck, label, target, bare, escaped } = found;
  if (code !== undefined) return html`<code>${code}</code>`;
  if (strong !== undefined) return html`<strong>${inline(strong)}</strong>`;
  if (em !== undefined) return html`<em>${inline(em)}</em>`;
  if (struck !== undefined) return html`<s>${struck}</s>`;
  if (escaped !== undefined) return escaped;
  const url = target ?? bare ?? '';
  return /^https?:\/\//i.test(url) ? link(url, label ?? url) : whole;
}

const link = (url: string, label: string): Html =>
  html`<a href="${url}" rel="noopener noreferrer nofollow">${label}</a>`;
