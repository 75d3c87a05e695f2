/** Sub-commands with which a package manager reaches the network, and with which it adds packages. */
import { createRowTable } from '../tool-rows.ts';

const uses = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], fetchesWith = [], addsWith = [] }) =>
        names.map((name) => [name, { fetches: new Set(fetchesWith), adds: new Set(addsWith) }] as const),
      ),
    ),
);

export const classifyPackageUse = (
  program: string,
  subcommand: string,
): { fetches: boolean; adds: boolean } => {
  const use = uses().get(program);
  return { fetches: use?.fetches.has(subcommand) ?? false, adds: use?.adds.has(subcommand) ?? false };
};
