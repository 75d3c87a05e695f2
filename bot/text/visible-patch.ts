/** Shows patches to people: invisible characters written out, redacted lines (C5) marked (G8). */
import { formatByteMark, toVisibleText } from '#text-safety';
import { countLines, iterateLines, trimEndCharacters, createTextBuilder } from '#model/values';
import { redactSecrets } from '../../text-safety/index.ts';

/** Published text cannot contain this mark, because its own `⟦` is escaped. */
export const HIDDEN_LINE = '⟦hidden⟧';

/** Trailing blanks of changed lines are part of the change, so they are made visible. */
const showWholeLine = (line: string): string => {
  const start = /^[+-]/.test(line) ? trimEndCharacters(line, ' \t') : line;
  return start === line
    ? toVisibleText(line)
    : toVisibleText(start) + formatByteMark(line.slice(start.length));
};

const linesFor = (text: string, show: (line: string, as: string) => string): string => {
  const together = redactSecrets(text);
  // Redaction across lines would shift the line numbers, so it is done line by line then.
  const hidden = countLines(together) === countLines(text) ? iterateLines(together) : null;
  const all = createTextBuilder('\n');
  for (const line of iterateLines(text)) {
    const as = hidden ? String(hidden.next().value) : redactSecrets(line);
    all.add(as === line ? show(line, line) : `${show(line, as)} ${HIDDEN_LINE}`);
  }
  return all.join();
};

export const toReadableText = (text: string): string => linesFor(text, (_, as) => toVisibleText(as));

/** The input must consist of whole lines; lines before a file's first `@@` are git's header. */
export const toReadablePatch = (patch: string): string => {
  let content = false;
  return linesFor(patch, (line, as) => {
    if (line.startsWith('diff --git ')) content = false;
    else if (line.startsWith('@@')) content = true;
    return content ? showWholeLine(as) : toVisibleText(as);
  });
};

export const countHiddenLines = (shown: string): number => shown.split(HIDDEN_LINE).length - 1;
