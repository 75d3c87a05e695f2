/** HTML templates that escape their values and reveal characters that reorder text. */

export type Html = { readonly markup: string };
export type Part = Html | string | number | false | null | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
const UNSAFE = /[&<>"'`]/g;
const CONTROLS =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

const shown = (character: string): string =>
  `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

export const reveal = (text: string): string => text.toWellFormed().replace(CONTROLS, shown);

export const escape = (text: string): string =>
  reveal(text).replace(UNSAFE, (character) => ENTITIES[character] ?? '');

/** Never escaped, so only for our own markup. */
export const trusted = (markup: string): Html => ({ markup });

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return trusted(strings.map((text, at) => text + (at < parts.length ? render(parts[at]) : '')).join(''));
}

export function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escape(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(render).join('');
}

export const join = (parts: readonly Part[], between: Part): Part[] =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));
