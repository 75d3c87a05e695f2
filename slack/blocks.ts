/** Turns the bot's markup into rich text, whose texts Slack takes literally: no mention, no link. Pure. */
import { stripMarkup } from '#chat-text';
import type { ChatButton } from '#ports/chat';
import { cutText } from '#model/values';

/** Slack, Block Kit: 50 blocks a message; texts of a block up to 3,000 characters, of all some 9,600 (bolt-js, issue 2867). */
const MAX_BLOCKS = 50;
const MAX_SHOWN_TEXT_LENGTH = 9_000;
const MAX_BLOCK_LENGTH = 3_000;
const MAX_LABEL_LENGTH = 75;
const MAX_ROW_BUTTONS = 25;
const MAX_NOTICE_LENGTH = 300;

type Style = { bold?: true; italic?: true; code?: true };
type Piece =
  | { type: 'text'; text: string; style?: Style }
  | { type: 'date'; timestamp: number; format: string; fallback: string };
type Part = { type: 'rich_text_section' | 'rich_text_quote' | 'rich_text_preformatted'; elements: Piece[] };
type Button = {
  type: 'button';
  text: { type: 'plain_text'; text: string; emoji: false };
  action_id: string;
  value?: string;
  url?: string;
  style?: 'danger' | 'primary';
};
export type SlackBlock = { type: 'rich_text'; elements: Part[] } | { type: 'actions'; elements: Button[] };

export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const toNotificationText = (html: string): string =>
  escapeMrkdwn(cutText(stripMarkup(html).replace(/\s+/g, ' ').trim(), MAX_NOTICE_LENGTH)) || '…';

export const renderBlocks = (html: string, buttons: ChatButton[][]): SlackBlock[] => {
  const copied = buttons.flat().filter(({ copies }) => copies !== undefined);
  const parts = [...partsOf(html), ...copied.map(copyLine)];
  const rows = buttons
    .map((row, at) => row.filter(({ copies }) => copies === undefined).map((one, i) => buttonOf(one, at, i)))
    .filter((row) => row.length > 0)
    .map((row): SlackBlock => ({ type: 'actions', elements: row.slice(0, MAX_ROW_BUTTONS) }));
  return [...textBlocks(parts), ...rows];
};

const textLength = (block: SlackBlock): number =>
  block.type === 'actions'
    ? 0
    : block.elements.reduce(
        (sum, { elements }) => sum + elements.reduce((n, one) => n + lengthOf(one), 0),
        0,
      );

export const isTooLong = (blocks: readonly SlackBlock[]): boolean =>
  blocks.length > MAX_BLOCKS ||
  blocks.reduce((sum, block) => sum + textLength(block), 0) > MAX_SHOWN_TEXT_LENGTH;

/** Every button stays; `note` says that the text does not. */
export const shortenBlocks = (blocks: readonly SlackBlock[], note: string): SlackBlock[] => {
  const rows = blocks.filter(({ type }) => type === 'actions').slice(0, MAX_BLOCKS - 1);
  const texts: SlackBlock[] = [];
  let room = MAX_SHOWN_TEXT_LENGTH - note.length;
  for (const block of blocks.filter(({ type }) => type === 'rich_text')) {
    room -= textLength(block);
    if (room < 0 || texts.length + rows.length + 1 >= MAX_BLOCKS) break;
    texts.push(block);
  }
  const last: Part = { type: 'rich_text_section', elements: [{ type: 'text', text: note }] };
  return [...texts, { type: 'rich_text', elements: [last] }, ...rows];
};

const copyLine = ({ text, copies = '' }: ChatButton): Part => ({
  type: 'rich_text_section',
  elements: [
    { type: 'text', text: `\n${text}: ` },
    { type: 'text', text: copies, style: { code: true } },
  ],
});

const buttonOf = ({ text, token, style, opens }: ChatButton, row: number, column: number): Button => ({
  type: 'button',
  text: { type: 'plain_text', text: cutText(text, MAX_LABEL_LENGTH), emoji: false },
  action_id: `${row}-${column}`,
  ...(opens === undefined ? { value: token } : { url: opens }),
  ...(style === undefined ? {} : { style: style === 'danger' ? 'danger' : 'primary' }),
});

const textBlocks = (parts: readonly Part[]): SlackBlock[] => {
  const blocks: { type: 'rich_text'; elements: Part[]; room: number }[] = [];
  for (const part of parts)
    for (const { size, ...piece } of cutPart(part)) {
      const last = blocks.at(-1);
      if (last && last.room >= size) {
        last.elements.push(piece);
        last.room -= size;
      } else blocks.push({ type: 'rich_text', elements: [piece], room: MAX_BLOCK_LENGTH - size });
    }
  return blocks.map(({ type, elements }) => ({ type, elements }));
};

const lengthOf = (piece: Piece): number =>
  piece.type === 'text' ? piece.text.length : piece.fallback.length;

const cutPart = ({ type, elements }: Part): (Part & { size: number })[] => {
  const cut: (Part & { size: number })[] = [];
  let last: (Part & { size: number }) | null = null;
  for (const piece of elements.flatMap(cutPiece)) {
    const size = lengthOf(piece);
    if (!last || last.size + size > MAX_BLOCK_LENGTH) {
      last = { type, elements: [], size: 0 };
      cut.push(last);
    }
    last.elements.push(piece);
    last.size += size;
  }
  return cut;
};

const cutPiece = (piece: Piece): Piece[] => {
  if (piece.type !== 'text' || piece.text.length <= MAX_BLOCK_LENGTH) return [piece];
  const chars = [...piece.text];
  const pieces: Piece[] = [];
  for (let at = 0; at < chars.length; at += MAX_BLOCK_LENGTH / 2)
    pieces.push({ ...piece, text: chars.slice(at, at + MAX_BLOCK_LENGTH / 2).join('') });
  return pieces;
};

const TAG = /<(\/?)([a-z-]{1,20})((?:\s[^<>]{0,300})?)>/g;
const unescapeHtml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const partsOf = (html: string): Part[] => {
  const parts: Part[] = [];
  let kind: Part['type'] = 'rich_text_section';
  const open = { b: 0, i: 0, code: 0 };
  let moment: number | null = null;
  const addText = (text: string): void => {
    if (text === '') return;
    const last = parts.at(-1);
    const part = last?.type === kind ? last : { type: kind, elements: [] };
    if (part !== last) parts.push(part);
    if (moment !== null)
      part.elements.push({
        type: 'date',
        timestamp: moment,
        format: '{date_short_pretty} {time}',
        fallback: text,
      });
    else part.elements.push({ type: 'text', text, ...styleOf(open, kind) });
  };
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    addText(unescapeHtml(html.slice(at, match.index)));
    at = match.index + match[0].length;
    const [, slash, name = '', attributes = ''] = match;
    const opens = slash === '';
    if (name === 'b' || name === 'i' || name === 'code')
      open[name] = Math.max(0, open[name] + (opens ? 1 : -1));
    if (name === 'pre') kind = opens ? 'rich_text_preformatted' : 'rich_text_section';
    if (name === 'blockquote') kind = opens ? 'rich_text_quote' : 'rich_text_section';
    if (name === 'tg-time') moment = opens ? Number(/unix="(\d{1,12})"/.exec(attributes)?.[1] ?? 0) : null;
  }
  addText(unescapeHtml(html.slice(at)));
  return trimAround(parts);
};

const styleOf = (open: Record<'b' | 'i' | 'code', number>, kind: Part['type']): { style?: Style } => {
  if (kind === 'rich_text_preformatted') return {};
  const style: Style = {
    ...(open.b > 0 ? { bold: true as const } : {}),
    ...(open.i > 0 ? { italic: true as const } : {}),
    ...(open.code > 0 ? { code: true as const } : {}),
  };
  return Object.keys(style).length > 0 ? { style } : {};
};

const trimAround = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part, i) => {
    if (part.type !== 'rich_text_section') return [part];
    const [before, after] = [parts[i - 1], parts[i + 1]];
    const elements = part.elements.map((piece, at) => {
      if (piece.type !== 'text') return piece;
      let { text } = piece;
      if (before && at === 0) text = text.replace(/^\n/, '');
      if (after && at === part.elements.length - 1) text = text.replace(/\n$/, '');
      return { ...piece, text };
    });
    const left = elements.filter((piece) => piece.type !== 'text' || piece.text !== '');
    return left.length > 0 ? [{ ...part, elements: left }] : [];
  });
