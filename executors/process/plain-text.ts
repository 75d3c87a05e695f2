/** Removes escape sequences and hidden characters from output, and shortens it. */
import { redactSecrets, withoutUnseen } from '#text-safety';
import { trimEndCharacters, cutText } from '#model/values';

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** The line that a terminal shows after carriage returns. */
const toTerminalLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text.trimEnd() : toVisibleLine(text);
const toVisibleLine = (text: string): string =>
  withoutUnseen(
    (trimEndCharacters(text, '\r').split('\r').at(-1) ?? '').replaceAll('\t', '  ').replace(/\p{Cc}/gu, ''),
  ).trimEnd();

export const toPlainLines = (text: string): string[] =>
  (text.includes('\u001b') ? text.replace(ESCAPES, '') : text).split('\n').map(toTerminalLine);

export const MAX_READ_CHARACTERS = 64_000;

export const findTailStart = (text: string): number => {
  if (text.length <= MAX_READ_CHARACTERS) return 0;
  const from = text.length - MAX_READ_CHARACTERS;
  const line = text.slice(from).search(/[\r\n]/);
  return line < 0 ? text.length : from + line + 1;
};

/** Security (C5): secrets are hidden before a line is cut, because half of one is not known as one. */
export const toPlainLine = (text: string, limit: number): string =>
  cutText(
    redactSecrets(toPlainLines(text.slice(0, MAX_READ_CHARACTERS)).join('\n'))
      .split('\n')
      .join(' ')
      .trim(),
    limit,
  );

export const findLastLine = (text: string, limit = 300): string | null => {
  const lines = redactSecrets(toPlainLines(text.slice(findTailStart(text))).join('\n')).split('\n');
  const last = lines.findLast((candidate) => candidate.trim() !== '');
  return last === undefined ? null : cutText(last.trim(), limit);
};
