/** Renders what a template asks about the issue that a change is for. */
import { neutraliseText } from '#text-safety';
import { isClosingWord } from '#model/requirements';

export const ISSUE_PLACEHOLDER = /#(?:x{2,}|n{2,}|issue[\w-]*|_+)(?:\s*\(.*\))?\s*$|#\s*$/i;

/** A box may also ask for a number of something else, such as a pull request of the docs. */
export const asksForIssue = (label: string): boolean =>
  ISSUE_PLACEHOLDER.test(label) &&
  /^\W*(?:(?:this|my) (?:pr|pull request|change) )?(?:\w+ )?(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|relate[sd]?|addresse?[sd]?|refs?|references?|part of|issues?|tickets?)\b/i.test(
    label,
  );

const KEYWORD =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|references?|related(?: to)?|addresses|part of)\b/gi;

/** F11: the template's closing word stands only before an issue that a person closes. */
export const formatIssueReference = (word: string, issue: string, closes: ReadonlySet<string>): string =>
  isClosingWord(word) && !closes.has(issue) ? issue : `${word} ${issue}`;

export const renderIssueLine = (
  raw: string,
  { issues, closes }: { issues: readonly string[]; closes: ReadonlySet<string> },
): string => {
  const at = [...raw.matchAll(KEYWORD)].at(-1);
  if (!at) return /^\W*#\W*$/.test(raw) ? issues.join(', ') : '';
  const [word] = at;
  const before = raw.slice(0, at.index);
  if (issues.length === 0) return '';
  const colon = raw
    .slice(at.index + word.length)
    .trimStart()
    .startsWith(':')
    ? ':'
    : '';
  const fenceless = neutraliseText(before.replace(/(?<![*_(])[*_(]+$/, ''));
  return `${fenceless}${/^\s*$/.test(before) ? '' : /\s$/.test(fenceless) ? '' : ' '}${issues.map((one) => formatIssueReference(`${word}${colon}`, one, closes)).join(', ')}`;
};
