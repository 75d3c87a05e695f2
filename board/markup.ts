/** HTML templates: all that is filled in is escaped, without secrets, its invisible characters shown. */
import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { redactSecrets, showInvisible } from '#text-safety';

export type Markup = HtmlEscapedString;
export type Part = Markup | string | number | false | null | undefined | readonly Part[];

/** Shorter texts hold no secret. */
const MIN_SECRET_LENGTH = 12;
/** Longer texts are cut before they are looked at (characters). */
const MAX_TEXT_LENGTH = 200_000;

/** Labels and names are filled in again and again, and looking for secrets takes most of the time. */
const MAX_KEPT_LENGTH = 120;
const MAX_KEPT_TEXTS = 2_000;
const kept = new Map<string, string>();

export const showText = (text: string): string => {
  if (text.length > MAX_KEPT_LENGTH) return makeVisible(text);
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT_TEXTS) kept.clear();
  const made = makeVisible(text);
  kept.set(text, made);
  return made;
};

const makeVisible = (text: string): string => {
  const short = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return showInvisible((short.length < MIN_SECRET_LENGTH ? short : redactSecrets(short)).toWellFormed());
};

const isMarkup = (part: Markup | readonly Part[]): part is Markup => 'isEscaped' in part;
const escapePart = (part: Part): unknown => {
  if (typeof part === 'string') return showText(part);
  if (typeof part !== 'object' || part === null || isMarkup(part)) return part;
  return part.map(escapePart);
};

export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup => {
  const made = template(strings, ...parts.map(escapePart));
  if (made instanceof Promise) throw new TypeError('a template holds a promise');
  return made;
};

/** Never escaped, so only for markup of our own. */
export const trustMarkup = (markup: string): Markup => raw(markup);

/** A record for a script of ours, byte for byte: nothing in it is taken for a secret. */
export const toJsonAttribute = (value: unknown): Markup => trustMarkup(escapeText(JSON.stringify(value)));

/** For text that is prepared for people already. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
