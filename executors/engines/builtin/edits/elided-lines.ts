/** Recognises “...” and comments that stand for lines, in blocks and in what is to be written. */

const ELLIPSIS_LINE = /^\s*(?:\.\.\.|…)\s*$/;
const COMMENT =
  /^\s*(?:\/\/|#|--|;|%|\/\*|\{\/\*|<!--|\*)\s*(?:(?:\.\.\.|…).*|(?:existing|rest of|remaining|unchanged|same|other|previous)\b.*(?:\.\.\.|…)(?:\s*(?:\*\/\}?|-->))?)\s*$/i;
export const isElision = (line: string): boolean => ELLIPSIS_LINE.test(line) || COMMENT.test(line);

const LAZY =
  /^\s*(?:\/\/|#|--|;|%|\/\*|\{\/\*|<!--).*\b(?:existing|rest|remaining|unchanged|omitted|same)\b.*(?:\.\.\.|…|\bcode\b|\bas before\b)/i;

export const hasNewElision = (
  search: readonly string[],
  replace: readonly string[],
  file: readonly string[],
): boolean => {
  const suspects = replace.filter((line) => LAZY.test(line) && isElision(line) && !search.includes(line));
  if (suspects.length === 0) return false;
  const there = new Set(file.map((line) => line.trim()));
  return suspects.some((line) => !there.has(line.trim()));
};

export const partsAroundElisions = (lines: readonly string[]): string[][] => {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isElision(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
};
