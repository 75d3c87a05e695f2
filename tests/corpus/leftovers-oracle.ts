/**
 * F9: finds what a maintainer objects to in a rendered body: placeholders, empty fields, words for
 * whoever fills it, repetitions, broken Markdown. It imports nothing of what fills templates.
 */
const PLACEHOLDERS: readonly RegExp[] = [
  /^\W*(?:\.{2,}|…)\W*(?:\(.*\))?\W*$/,
  /\b(?:add|insert|write) (?:a )?(?:description|summary) here\b/i,
  /^\W*(?:\d\) )?example(?: test)? step\W*$|^\W*(?:application|item|step) \d\W*$/i,
  /\bplease be specific\b|\bcomma-separated list\b|\bplease (?:say|indicate) how\b/i,
  /^\W*(?:bug fix|develop|FO|A)(?: [/|] [\w .]+){1,3}\W*$/i,
];
const BROKEN: readonly RegExp[] = [/\[`[^`\]]*\]\(/, /\]\([^)\s]*`\)/, /< https?:/];
const STATED = /\bI (?:confirm|agree|hereby|certify)\b|\bby (?:submitting|opening|keeping)\b|\blicen[cs]e/i;

const plain = (line: string): string => line.replace(/\[[ xX]?\]/g, '[]').trim();
const sentence = (line: string): string =>
  line
    .replace(/^\w+(?:\([^)]*\))?!?: /, '')
    .replace(/[.\s]+$/, '')
    .trim()
    .toLowerCase();
const isHeading = (line: string): boolean => /^#{1,6} \S/.test(line);
const levelOf = (line: string): number => /^#+/.exec(line)?.[0].length ?? 9;

const ofLine = (line: string, next: string | undefined): string[] => {
  const found = PLACEHOLDERS.filter((one) => one.test(line.replace(/^\s*[-*+] \[[ x]\]\s*|^\|[^|]*\|/, '')));
  const broken = BROKEN.filter((one) => one.test(line));
  const isField = /^\s*[-*+] (?!\[)[^:|]{2,80}:\*{0,2}\s*$/.test(line);
  const isLead = next !== undefined && /^\s*(?:[-*+]|\d+[.)])\s+\[/.test(next);
  const isEmpty =
    isHeading(line) && (next === undefined || (isHeading(next) && levelOf(next) <= levelOf(line)));
  return [
    ...found.map(() => `placeholder: ${line}`),
    ...broken.map(() => `broken: ${line}`),
    ...(isField && !isLead ? [`empty field: ${line}`] : []),
    ...(isEmpty ? [`empty section: ${line}`] : []),
  ];
};

/** A line of the template that is no box, title, cell, link or lead, and states nothing. */
const isForTheFiller = (line: string): boolean =>
  !/^\s*(?:(?:[-*+]|\(?\w{1,2}[.)])\s+)?\[|^#|^\||^\s{2,}|^<!--|[:：?？]\W*$|^\*\*.*\*\*|^\/kind/.test(
    line,
  ) &&
  /\p{L}.*\s.*\p{L}/u.test(line) &&
  !STATED.test(line);

const leadsOn = (lines: readonly string[], at: number): boolean => {
  const [line = '', next = ''] = [lines[at], lines[at + 1]];
  return (
    /:\W*$/.test(next) ||
    /^\s+[-*+] \[/.test(next) ||
    (/^- /.test(line) && /\btype\b/i.test(lines[at - 1] ?? ''))
  );
};

const WITHOUT_COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;

export const findLeftovers = (
  { title, body }: { title: string; body: string },
  template: string,
): string[] => {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const theirs = template.replace(WITHOUT_COMMENTS, '').split('\n').map(plain);
  const asTheirs = new Set(theirs);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(plain(line), (counts.get(plain(line)) ?? 0) + 1);
  const twice = [...counts].filter(
    ([line, count]) =>
      line.length >= 20 &&
      !line.startsWith('<!--') &&
      count > Math.max(1, theirs.filter((one) => one === line).length),
  );
  const [first = '', second = ''] = lines.filter((line) => !isHeading(line));
  const below = lines[lines.indexOf(first) + 1] ?? '';
  const says =
    sentence(first) === sentence(title) &&
    second !== '' &&
    below === second &&
    !/^\W*\[|^\||^\*\*/.test(second);
  const issues = [...body.matchAll(/(?<![\w/`])#\d+\b/g)].map(([ref]) => ref);
  return [
    ...lines.flatMap((line, at) => ofLine(line, lines[at + 1])),
    ...lines
      .filter((line, at) => asTheirs.has(plain(line)) && isForTheFiller(line) && !leadsOn(lines, at))
      .filter((line) => asTheirs.has(plain(lines[lines.indexOf(line) + 1] ?? line)))
      .map((line) => `for whoever fills it: ${line}`),
    ...twice.map(([line]) => `said twice: ${line}`),
    ...(says ? [`repeats the title: ${first}`] : []),
    ...(new Set(issues).size < issues.length ? [`names an issue twice: ${issues.join()}`] : []),
  ];
};
