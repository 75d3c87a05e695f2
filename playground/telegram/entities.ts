/** Parses Telegram's HTML as the Bot API does, with its error messages. */
import type { MessageEntity } from 'grammy/types';

export type Formatted = { text: string; entities: MessageEntity[] };
export type Complaint = { complaint: string };

type Open = { tag: string; attributes: Map<string, string>; from: number; at: number };

const simple = new Map<string, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'code'>([
  ...(['b', 'strong'] as const).map((tag) => [tag, 'bold'] as const),
  ...(['i', 'em'] as const).map((tag) => [tag, 'italic'] as const),
  ...(['u', 'ins'] as const).map((tag) => [tag, 'underline'] as const),
  ...(['s', 'strike', 'del'] as const).map((tag) => [tag, 'strikethrough'] as const),
  ...(['tg-spoiler', 'span'] as const).map((tag) => [tag, 'spoiler'] as const),
  ['code', 'code'],
]);
const known = new Set([...simple.keys(), 'a', 'pre', 'blockquote', 'tg-emoji', 'tg-time']);
const tagPattern =
  /<(\/?)([a-z][a-z0-9-]*)?((?:\s+[a-z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*(>?)/iy;
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

export function parseHtml(source: string): Formatted | Complaint {
  const entities: MessageEntity[] = [];
  const open: Open[] = [];
  let text = '';
  let at = 0;
  const offset = (): number => Buffer.byteLength(source.slice(0, at));
  while (at < source.length) {
    if (source[at] !== '<') {
      const next = source.indexOf('<', at);
      const end = next < 0 ? source.length : next;
      text += unescapeHtml(source.slice(at, end));
      at = end;
      continue;
    }
    tagPattern.lastIndex = at;
    const [whole = '', slash, name = '', attributeText = '', closed] = tagPattern.exec(source) ?? [];
    const tag = name.toLowerCase();
    if (slash) {
      const last = open.pop();
      if (!last) return { complaint: `Unexpected end tag at byte offset ${offset()}` };
      if (tag !== last.tag && tag !== '') {
        return {
          complaint: `Unmatched end tag at byte offset ${offset()}, expected "</${last.tag}>", found "</${tag}>"`,
        };
      }
      const entity = entityOf(last, text, open.at(-1));
      if (entity && 'complaint' in entity) return entity;
      if (entity && entity.length > 0) entities.push(entity);
    } else {
      if (!known.has(tag)) return { complaint: `Unsupported start tag "${tag}" at byte offset ${offset()}` };
      if (!closed) return { complaint: `Unclosed start tag "${tag}" at byte offset ${offset()}` };
      const attributes = readAttributes(attributeText);
      if (tag === 'span' && attributes.get('class') !== 'tg-spoiler') {
        return { complaint: `Tag "span" must have class "tg-spoiler" at byte offset ${offset()}` };
      }
      open.push({ tag, attributes, from: text.length, at: offset() });
    }
    at += whole.length;
  }
  const last = open.pop();
  if (last) return { complaint: `Can't find end tag corresponding to start tag "${last.tag}"` };
  return trim({ text, entities });
}

function entityOf(open: Open, text: string, around: Open | undefined): MessageEntity | Complaint | null {
  const { tag, attributes } = open;
  const span = { offset: open.from, length: text.length - open.from };
  const plain = simple.get(tag);
  const language = plain === 'code' && /^language-(.+)$/.exec(attributes.get('class') ?? '')?.[1];
  // `<pre><code class="language-x">` is one block with a language.
  if (language && around?.tag === 'pre' && around.from === open.from) {
    around.attributes.set('language', language);
    return null;
  }
  if (plain) return { type: plain, ...span };
  switch (tag) {
    case 'blockquote':
      return { type: attributes.has('expandable') ? 'expandable_blockquote' : 'blockquote', ...span };
    case 'a': {
      const url = attributes.get('href') ?? text.slice(open.from);
      return /^(https?|tg|mailto|tel):/i.test(url) ? { type: 'text_link', ...span, url } : null;
    }
    case 'pre': {
      const inner = attributes.get('language');
      return { type: 'pre', ...span, ...(inner && { language: inner }) };
    }
    case 'tg-emoji': {
      const id = attributes.get('emoji-id');
      if (!id)
        return { complaint: `Tag "tg-emoji" must have attribute "emoji-id" at byte offset ${open.at}` };
      return { type: 'custom_emoji', ...span, custom_emoji_id: id };
    }
    default: {
      const unix = attributes.get('unix') ?? '';
      const format = attributes.get('format') ?? '';
      if (!/^\d+$/.test(unix))
        return { complaint: `Invalid "unix" in tag "tg-time" at byte offset ${open.at}` };
      if (!/^(r|w?[dD]?[tT]?)$/.test(format)) {
        return { complaint: `Invalid "format" in tag "tg-time" at byte offset ${open.at}` };
      }
      return {
        type: 'date_time',
        ...span,
        unix_time: Number(unix),
        ...(format && { date_time_format: format }),
      } as MessageEntity;
    }
  }
}

function readAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const match of source.matchAll(/([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi)) {
    const [, name = '', double, single, bare] = match;
    attributes.set(name.toLowerCase(), unescapeHtml(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

const unescapeHtml = (source: string): string =>
  source.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(lt|gt|amp|quot));/gi, (whole, decimal, hex, name: string) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Telegram trims messages; entities shift, and empty ones vanish. */
export function trim({ text, entities }: Formatted): Formatted {
  const lead = text.length - text.trimStart().length;
  const trimmed = text.trim();
  return {
    text: trimmed,
    entities: entities
      .toReversed()
      .map((entity) => {
        const start = Math.max(entity.offset - lead, 0);
        const end = Math.min(entity.offset + entity.length - lead, trimmed.length);
        return { ...entity, offset: start, length: end - start };
      })
      .filter((entity) => entity.length > 0)
      .sort((a, b) => a.offset - b.offset || b.length - a.length),
  };
}

export const typedEntities = (text: string): MessageEntity[] =>
  [...text.matchAll(/(?<![\w/])\/[a-z0-9_]{1,32}(@\w+)?/gi)].map((match) => ({
    type: 'bot_command',
    offset: match.index,
    length: match[0].length,
  }));
