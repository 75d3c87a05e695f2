/** Removes timestamps and labels that parallel runners and CI hosts put before lines. */
import { lineAt } from './log-lines.ts';
import { MB } from '#model/values';

/** Only the end of a larger log is read (characters, lines). */
const MAX_LABELLED_LENGTH = 2 * MB;
const MAX_LABELLED_LINES = 100_000;
const MIN_LABEL_LENGTH = 2;
const MIN_LABEL_OCCURRENCES = 2;

const TIME = String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE]\+?)? ?`;
const CI_LINE_PREFIX = new RegExp(
  String.raw`^(?:${TIME}|section_(?:start|end):\d+:[^\r\n]{0,200}\r|##\[(?:error|warning|debug|group|section|command)\]|#\d+ \d+\.\d+ )`,
);
/** Turborepo, pnpm, Lerna, Yarn, Compose, concurrently: `[name] `, `web-1  | `, `name:task: `. */
const LABEL =
  /^(?:➤ YN\d{4}: )?(?:\[([\w@./:# -]{1,80})\](?: +\||:|)|([\w@./-]{1,80}) *\||([\w@./-]{1,80}(?:[:#][A-Za-z][\w:-]{0,40}| [a-z][\w:-]{0,40})?):)(?: |$)/;
const NO_LABEL =
  /^(?:error|warn(?:ing)?|info|debug|note|help|hint|fatal|trace|fail(?:ed|ure)?|pass(?:ed)?|ok|npm \w+|\w*(?:error|exception|warning))$/i;

type Labelled = { label: string | null; words: string };

const stripCiPrefix = (line: string): string => {
  const mark = CI_LINE_PREFIX.exec(line)?.[0].length ?? 0;
  return mark === 0 ? line : line.slice(mark);
};
const splitLabel = (line: string): Labelled => {
  if (line.length < MIN_LABEL_LENGTH) return { label: null, words: line };
  const bare = stripCiPrefix(line);
  const found = LABEL.exec(bare);
  const label = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim() ?? '';
  if (!found || label === '' || NO_LABEL.test(label) || /^\d+$/.test(found[3] ?? ''))
    return { label: null, words: bare };
  return { label, words: stripCiPrefix(bare.slice(found[0].length)) };
};

export const isLabelled = (line: string): boolean => splitLabel(line).words !== line;

export type LabelledLines = { label: string | null; own: string; whole: () => string };

export const splitByLabel = (text: string): LabelledLines[] => {
  const from = text.length <= MAX_LABELLED_LENGTH ? 0 : lineAt(text, text.length - MAX_LABELLED_LENGTH).start;
  const lines = text.slice(from).split('\n').slice(-MAX_LABELLED_LINES);
  const read = lines.map(splitLabel);
  const counts = new Map<string, number>();
  for (const { label } of read) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const findFrequentLabel = (label: string | null): string | null =>
    label !== null && (counts.get(label) ?? 0) >= MIN_LABEL_OCCURRENCES ? label : null;
  const spoken = read.map(({ label, words }, i): Labelled => {
    const habit = findFrequentLabel(label);
    return { label: habit, words: habit === null ? stripCiPrefix(lines[i] ?? '') : words };
  });
  if (spoken.every(({ words }, i) => words === lines[i])) return [];
  const said = new Map<string | null, string[]>();
  for (const { label, words } of spoken) {
    const before = said.get(label);
    if (before) before.push(words);
    else said.set(label, [words]);
  }
  return [...said].map(([label, own]) => ({
    label,
    own: own.join('\n'),
    whole: () =>
      spoken
        .filter((one) => one.label === label || one.label === null)
        .map(({ words }) => words)
        .join('\n'),
  }));
};
