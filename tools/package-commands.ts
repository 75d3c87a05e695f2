/** Sub-commands with which a package manager reaches the network, and with which it adds packages. */
import { fromRows } from './rows.ts';

const byProgram = (key: 'fetchesWith' | 'addsWith') =>
  fromRows(
    (rows) =>
      new Map(rows.flatMap((row) => (row.names ?? []).map((name) => [name, new Set(row[key])] as const))),
  );
const [fetches, adds] = [byProgram('fetchesWith'), byProgram('addsWith')];

export const fetchesPackages = (program: string, subcommand: string): boolean =>
  fetches().get(program)?.has(subcommand) ?? false;
export const addsPackages = (program: string, subcommand: string): boolean =>
  adds().get(program)?.has(subcommand) ?? false;
