/** Finds failed tests and complaints of compilers, linters and formatters in what tools print (E15). */
import { toPattern } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

type Told = NonNullable<ToolRow['failingTests']>[number];
type ToldBelow = NonNullable<ToolRow['complaintsBelow']>;
type Finder = (text: string) => string[];

const patternsOf = (examples: Readonly<Record<string, string>> = {}, flags: string): RegExp[] =>
  Object.keys(examples).map((text) => toPattern(text, flags));

const findAll = (text: string, patterns: readonly RegExp[]): string[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, ...groups]) =>
      groups.filter((group) => group !== undefined).join(' '),
    ),
  );

/** The heading above a test says where it belongs, until the next one. */
const belowHeadings = ({ heading, test }: NonNullable<Told['below']>): Finder => {
  const [atHeading, atTest] = [toPattern(heading), toPattern(test)];
  return (text) => {
    const found: string[] = [];
    let above = '';
    for (const line of text.split('\n')) {
      above = atHeading.exec(line)?.[1] ?? above;
      const name = atTest.exec(line)?.[1];
      if (name !== undefined) found.push(above === '' ? name : `${above} ${name}`);
    }
    return found;
  };
};

/** A verdict below the tests says where they belong: which word, of what, and why without a test. */
const aboveVerdicts = ({ test, verdict }: NonNullable<Told['above']>): Finder => {
  const [atTest, atVerdict] = [toPattern(test), toPattern(verdict)];
  return (text) => {
    const found: string[] = [];
    let waiting: string[] = [];
    for (const line of text.split('\n')) {
      const name = atTest.exec(line)?.[1];
      if (name !== undefined) waiting.push(name);
      const ended = atVerdict.exec(line);
      if (!ended) continue;
      const [, word, of, how] = ended;
      if (word === 'FAIL')
        found.push(
          ...(waiting.length > 0 ? waiting.map((one) => `${of} ${one}`) : [`${of} ${how ?? ''}`.trim()]),
        );
      waiting = [];
    }
    return [...found, ...waiting];
  };
};

const createFinder = ({ seenBy, names, below, above }: Told): Finder => {
  const signs = patternsOf(seenBy, 'm');
  const patterns = patternsOf(names, 'gm');
  const byLines = [...(below ? [belowHeadings(below)] : []), ...(above ? [aboveVerdicts(above)] : [])];
  return (text) =>
    signs.some((sign) => sign.test(text))
      ? [...findAll(text, patterns), ...byLines.flatMap((find) => find(text))]
      : [];
};

const finders = createRowTable((rows) =>
  rows.flatMap(({ failingTests = [] }) => failingTests.map(createFinder)),
);
export const findFailingTests: Finder = (text) => finders().flatMap((find) => find(text));

/** Line and column are left out, because every edit moves them. */
const PLACE =
  /^(?:\[ERROR\] |vet: )?([^\s:()]{1,300}\.\w{1,10}):\[?\d+(?:[:,]\d+)?\]?:? (?:- )?(\S[^\n]{0,300})$/gm;

const createComplaintFinder = ({ seenBy, heading, complaint }: ToldBelow): Finder => {
  const [sign, atHeading, atComplaint] = [toPattern(seenBy, 'm'), toPattern(heading), toPattern(complaint)];
  return (text) => {
    if (!sign.test(text)) return [];
    let file = '';
    const found: string[] = [];
    for (const line of text.split('\n')) {
      const said = atComplaint.exec(line);
      if (said) found.push(`${file}: ${said[1]}`);
      else if (atHeading.test(line)) file = line;
    }
    return found;
  };
};

const complaints = createRowTable((rows) => ({
  patterns: [...rows.flatMap((row) => patternsOf(row.complaints, 'gm')), PLACE],
  finders: rows.flatMap(({ complaintsBelow: told }) => (told ? [createComplaintFinder(told)] : [])),
}));
export const findComplaints: Finder = (text) => [
  ...findAll(text, complaints().patterns),
  ...complaints().finders.flatMap((find) => find(text)),
];
