/**
 * G8: a patch and other text as people get it, on cards and in files: line by line what is
 * published, with whatever is not seen written out. A line in which a secret is hidden (C5) says so
 * in a way that no file can imitate.
 */
import { asBytes, toVisibleText } from '#text-safety';
import { withoutLast } from '../../orchestrator/core/line-end.ts';
import { redactSecrets } from './redact.ts';

/** Nothing that is published is shown so: its own `⟦` is written out. */
export const HIDDEN_LINE = '⟦hidden⟧';

/** Blanks at the end of an added or removed line are part of the change, and nobody sees them. */
const whole = (line: string): string => {
  const start = /^[+-]/.test(line) ? withoutLast(line, ' \t') : line;
  return start === line ? toVisibleText(line) : toVisibleText(start) + asBytes(line.slice(start.length));
};

const linesFor = (text: string, show: (line: string, as: string) => string): string => {
  const lines = text.split('\n');
  const together = redactSecrets(text).split('\n');
  // Hiding that took lines away would tell which line is which no longer.
  const hidden = together.length === lines.length ? together : lines.map(redactSecrets);
  return lines
    .map((line, i) => {
      const as = hidden[i] ?? '';
      return as === line ? show(line, line) : `${show(line, as)} ${HIDDEN_LINE}`;
    })
    .join('\n');
};

export const textForPeople = (text: string): string => linesFor(text, (_, as) => toVisibleText(as));

/** Of whole lines; what stands before the first `@@` of a file is git's header. */
export const forPeople = (patch: string): string => {
  let content = false;
  return linesFor(patch, (line, as) => {
    if (line.startsWith('diff --git ')) content = false;
    else if (line.startsWith('@@')) content = true;
    return content ? whole(as) : toVisibleText(as);
  });
};

/** How many lines of it hide a secret. */
export const countHiddenLines = (shown: string): number => shown.split(HIDDEN_LINE).length - 1;
