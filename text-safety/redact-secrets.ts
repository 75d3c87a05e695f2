/** Replaces secrets in texts by marks (S6). */
import { KEY_BEGIN, findSecretSpans, findSecrets } from './find-secrets.ts';

const secretMark = (no: number): string => (no === 1 ? '[secret]' : `[secret ${no}]`);
/**
 * Keeps line numbers. Equal values share a number (`[secret 2]`), so changes stay visible.
 * `isInKey`: the first line goes on with a private key that began before this text.
 */
export const redactSecrets = (text: string, { isInKey = false } = {}): string => {
  if (isInKey) return withoutFirstLine(redactSecrets(KEY_BEGIN + text));
  let shown = text;
  // The text before a hidden value may match afterwards.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const next = hideOnce(shown);
    if (next === shown) break;
    shown = next;
  }
  return shown;
};

const MOST_PASSES = 3;
const withoutFirstLine = (text: string): string => text.slice(text.indexOf('\n') + 1);
const hideOnce = (text: string): string => {
  const places = findSecretSpans(text);
  if (places.length === 0) return text;
  const numbers = new Map<string, number>();
  let shown = '';
  let at = 0;
  for (const { from, to } of places) {
    const value = text.slice(from, to);
    const no = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, no);
    shown += `${text.slice(at, from)}${secretMark(no)}`;
    at = to;
  }
  return shown + text.slice(at);
};

/** Checks each string by its key, because serialised text may quote it. */
export const redactAll = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') {
    const shown = redactSecrets(value);
    const named = shown === value && name !== '' && findSecrets(`${name}="${value}"`).length > 0;
    return named ? secretMark(1) : shown;
  }
  if (Array.isArray(value)) return value.map((one) => redactAll(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactAll(one, key)]));
};
