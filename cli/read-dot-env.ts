/** Parses `.env`, and rejects what Node's parser would silently misread. */
import { parseEnv } from 'node:util';
import { ConfigError } from '../app/config-error.ts';
import type { LanguageTexts } from '#language';

/** Typographic quotes; some languages begin with a low one. */
const CURLY = /^[“”‘’„‚«»‹›「」『』＂＇]/u;
const CURLY_AT_END = /[“”‘’„‚«»‹›「」『』＂＇]$/u;
const ASSIGNMENT = /^\s*(?:export\s+)?([^\s=#]+)\s*=[ \t]*/;

/** Accepts the encodings of common editors. Throws ConfigError. */
export const decodeUtf8Settings = (bytes: Uint8Array, file: string): string => {
  const [a, b] = bytes;
  const isWide =
    (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || bytes.subarray(0, 200).includes(0);
  if (isWide) throw new ConfigError(({ settingsProblems: p }) => p.isUtf16(file));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(({ settingsProblems: p }) => p.isNotUtf8(file));
  }
};

type Problems = LanguageTexts['settingsProblems'];
type Entry = { line: number; name: string; raw: string };

const refuseEntry = ({ line }: Pick<Entry, 'line'>, file: string, says: (p: Problems) => string): never => {
  throw new ConfigError(({ settingsProblems: p }) => p.line(file, line, says(p)));
};

/** `end` is -1 for an unclosed quote. */
type QuotedValue = { mark: string; rest: string; end: number };
const findQuotedValue = (lines: readonly string[], at: number): QuotedValue | null => {
  const content = lines[at] ?? '';
  const [head] = /^\s*#/.test(content) ? [] : (ASSIGNMENT.exec(content) ?? []);
  const raw = head === undefined ? '' : content.slice(head.length);
  const [mark] = /^["'`]/.exec(raw) ?? [];
  if (mark === undefined) return null;
  const rest = [raw, ...lines.slice(at + 1)].join('\n');
  return { mark, rest, end: rest.indexOf(mark, 1) };
};
const lastLineOf = ({ rest, end }: QuotedValue, at: number): number =>
  at + rest.slice(0, Math.max(0, end)).split('\n').length - 1;

/** The line on which the value ends that begins on this one; this one where its quote stays open. */
export const endLineOf = (lines: readonly string[], at: number): number => {
  const quoted = findQuotedValue(lines, at);
  return quoted === null ? at : lastLineOf(quoted, at);
};

const checkUnquoted = (entry: Entry, file: string): void => {
  const { name, raw } = entry;
  const value = raw.replace(/\s#[^]*$/, '').trim();
  if (CURLY.test(value) || CURLY_AT_END.test(value))
    refuseEntry(entry, file, (p) => p.curlyQuote(name, CURLY.exec(value)?.[0] ?? value.slice(-1)));
  if (/[^\s]#/.test(value)) refuseEntry(entry, file, (p) => p.hashInside(name));
};

export const readDotEnv = (bytes: Uint8Array, file: string): Record<string, string> => {
  const text = decodeUtf8Settings(bytes, file).replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const content = lines[at] ?? '';
    if (/^\s*(#|$)/.test(content)) continue;
    const [head, name = ''] = ASSIGNMENT.exec(content) ?? [];
    if (head === undefined) {
      refuseEntry({ line: at + 1 }, file, (p) => p.noAssignment);
      continue;
    }
    const raw = content.slice(head.length);
    const entry = { line: at + 1, name, raw };
    const quoted = findQuotedValue(lines, at);
    if (quoted === null) {
      checkUnquoted(entry, file);
      continue;
    }
    const { mark, rest, end } = quoted;
    if (end < 0) refuseEntry(entry, file, (p) => p.openQuote(name, mark));
    const [after = ''] = rest.slice(end + 1).split('\n', 1);
    if (!/^\s*(#.*)?$/.test(after)) refuseEntry(entry, file, (p) => p.afterQuote(name, mark));
    at = lastLineOf(quoted, at);
  }
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
};
