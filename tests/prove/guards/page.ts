/** The table of guards in docs/mutants.md. */
import { sayCheck, type Guard } from './table.ts';

export type Caught = { guard: Guard; by: string };

const BEGIN = '<!-- guards: written by npm run prove:guards -- --write -->';
const PARTS = 'the seal covers ';
const END = '<!-- /guards -->';

/** Violations of the prover have seeds and ids in them; what kind of violation it is stays. */
const short = (by: string): string =>
  by
    .replace(/^.*?--seed \d+: (\d+ )?/, '')
    .replaceAll('|', '/')
    .replace(/[0-9a-f]{6,}/g, '…')
    .slice(0, 90);

const row = ({ guard, by }: Caught): string => {
  const where = sayCheck(guard.by).replace(/^.*\//, '').replace('.test.ts', '');
  return `| ${guard.rule} | ${guard.name} | \`${guard.file}\` | ${where}: ${short(by)} |`;
};

/** Parts of one guard are one line. */
const together = (caught: readonly Caught[]): Caught[] => {
  const [first, ...parts] = caught.filter(({ guard }) => guard.name.startsWith(PARTS));
  if (!first) return [...caught];
  const all = [first, ...parts].map(({ guard }) => guard.name.slice(PARTS.length)).join(', ');
  const one = { ...first, guard: { ...first.guard, name: `${PARTS}${all}` } };
  return [one, ...caught.filter((c) => c !== first && !parts.includes(c))];
};

export const tableOf = (caught: readonly Caught[]): string =>
  [
    '| | guard that is broken | file | what notices |',
    '|---|---|---|---|',
    ...together(caught).map(row),
  ].join('\n');

export const withTable = (page: string, table: string): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/mutants.md has no place for the table of guards');
  return `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`;
};
