/** Renders the table of guards in docs/mutants.md, one row per marker. */
import { sayCheck, type Guard } from './guard.ts';
import { GUARDS } from './table.ts';

const BEGIN = '<!-- guards: written by npm run prove:guards -- --write -->';
const END = '<!-- /guards -->';

const checkOf = ({ by }: Guard): string => sayCheck(by).replace('tests/', '').replace('.test.ts', '');

export const withTable = (page: string): string => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/mutants.md has no place for the table of guards');
  const rows = [...Map.groupBy(GUARDS, ({ id }) => id)].map(([id, all]) => {
    const names = all.map(({ name }) => name).join('; ');
    const checks = [...new Set(all.map(checkOf))].join(', ');
    return `| \`${id}\` | ${names} | ${checks} |`;
  });
  const table = ['| marker | what holds | what must notice |', '|---|---|---|', ...rows];
  return `${page.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${page.slice(to)}`;
};
