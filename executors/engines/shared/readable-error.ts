/** Replaces a service's JSON, or its page, by what it says: people read it in a chat (E5). */

/** The most telling first. */
const KEYS = ['message', 'error_description', 'detail', 'details', 'error', 'errors', 'data', 'type', 'code'];
const MAX_NESTED_DOCUMENTS = 6;
const MAX_READ_LENGTH = 16_000;
const MAX_DOCUMENTS = 3;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** A proxy of models may wrap the JSON of another in its own. */
const findMessage = (value: unknown, depth: number): string | null => {
  if (depth > MAX_NESTED_DOCUMENTS || value === null) return null;
  if (typeof value === 'string') return toReadableError(value, depth + 1) || null;
  if (typeof value !== 'object') return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const one of Array.isArray(value) ? [fields.get('0')] : KEYS.map((key) => fields.get(key))) {
    const found = findMessage(one, depth + 1);
    if (found !== null) return found;
  }
  return null;
};

const findEnd = (text: string, start: number): number => {
  let depth = 0;
  let isString = false;
  for (let i = start; i < text.length; i += 1) {
    const c = text[i];
    if (isString) {
      if (c === '\\') i += 1;
      else if (c === '"') isString = false;
    } else if (c === '"') isString = true;
    else if (c === '{' || c === '[') depth += 1;
    else if ((c === '}' || c === ']') && (depth -= 1) === 0) return i + 1;
  }
  return text.length;
};

const DOCUMENT_START = /\[\s{0,9}\{|\{|<(?:!doctype html|html|head)\b/i;
/** A document that was cut off names its message before its end. */
const CUT_MESSAGE = /"message"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.){1,500})/;
const TITLE = /<title[^<>]{0,200}>([^<]{1,200})/i;

type Document = { says: string; end: number };
const readDocument = (text: string, start: number, depth: number): Document | null => {
  if (text[start] === '<')
    return { says: TITLE.exec(text.slice(start))?.[1]?.trim() ?? '', end: text.length };
  const end = findEnd(text, start);
  const value = parseJson(text.slice(start, end));
  const [, cut] = value === undefined ? (CUT_MESSAGE.exec(text.slice(start)) ?? []) : [];
  const says = value === undefined ? (parseJson(`"${cut ?? '\\'}"`) ?? cut) : findMessage(value, depth);
  if (typeof says !== 'string') return null;
  return { says, end: value === undefined ? text.length : end };
};

const joinWords = (before: string, says: string): string => {
  const words = before.trim();
  if (says === '' || words.toLowerCase().includes(says.toLowerCase())) return words.replace(/[:,(]$/, '');
  return words === '' ? says : `${words}${/[:.,;(!?]$/.test(words) ? '' : ':'} ${says}`;
};

export const toReadableError = (text: string, depth = 0): string => {
  let said = '';
  let rest = text.slice(0, MAX_READ_LENGTH);
  for (let i = 0; i < MAX_DOCUMENTS; i += 1) {
    const start = DOCUMENT_START.exec(rest)?.index;
    if (start === undefined) break;
    const found = readDocument(rest, start, depth);
    if (found === null) break;
    said = joinWords(`${said} ${rest.slice(0, start)}`, found.says);
    rest = rest.slice(found.end);
  }
  return `${said}${/^[\s,.;:)]/.test(rest) ? '' : ' '}${rest}`.trim();
};
