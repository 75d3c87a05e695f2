/** The table of guards in docs/mutants.md. */
import { GUARDS, sayCheck, type Guard } from './table.ts';

const BEGIN = '<!-- guards: written by npm run prove:guards -- --write -->';
const END = '<!-- /guards -->';
const PARTS = 'the seal covers ';

const row = ({ rule, name, file, by }: Guard): string => {
  const where = sayCheck(by).replace('tests/', '').replace('.test.ts', '');
  return `| ${rule} | ${name} | \`${file}\` | ${where} |`;
};

/** Parts of one guard are one line. */
const together = (): Guard[] => {
  const [first, ...parts] = GUARDS.filter(({ name }) => name.startsWith(PARTS));
  if (!first) return [...GUARDS];
  const all = [first, ...parts].map(({ name }) => name.slice(PARTS.length)).join(', ');
  return [{ ...first, name: PARTS + all }, ...GUARDS.filter((g) => g !== first && !parts.includes(g))];
};

/** The page with the table as it must be now. */
export const withTable = (page: string): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/mutants.md has no place for the table of guards');
  const rows = together().map(row);
  const table = ['| | guard that is broken | file | what must notice |', '|---|---|---|---|', ...rows];
  return `${page.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${page.slice(to)}`;
};
