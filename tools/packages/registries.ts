/** Registries of packages: where they are, and how a package manager is pointed at another place (E16). */
import { toPattern } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

type Told = NonNullable<ToolRow['registry']>;
type RegistryRow = Omit<Told, 'sets' | 'files'> & {
  /** `root` is the folder of all registries that are served, `url` this one's. */
  settingsFor: (at: { url: string; root: string }) => {
    env: Readonly<Record<string, string>>;
    files: readonly NonNullable<Told['files']>[number][];
  };
  /** Some programs rewrite addresses themselves. */
  rewritesFor: (userAgent: string) => boolean;
};

const toRow = ({ sets = {}, files = [], ...told }: Told): RegistryRow => {
  const itself = told.rewritesItself === undefined ? null : toPattern(told.rewritesItself);
  return {
    ...told,
    settingsFor: ({ url, root }) => {
      const fillPlaceholders = (text: string): string =>
        text.replaceAll('{url}', url).replaceAll('{root}', root);
      return {
        env: Object.fromEntries(Object.entries(sets).map(([name, value]) => [name, fillPlaceholders(value)])),
        files: files.map((file) => ({ ...file, content: fillPlaceholders(file.content) })),
      };
    },
    rewritesFor: (userAgent) => told.rewrites === true && itself?.test(userAgent) !== true,
  };
};

export const knownRegistries = createRowTable((rows) => ({
  /** By the name that the configuration uses. */
  byName: new Map(
    rows.flatMap(({ registry }) => (registry ? [[registry.name, toRow(registry)] as const] : [])),
  ),
  /** Hosts of public registries, also of those that are not served. */
  hosts: new Set(rows.flatMap(({ registryHosts = [] }) => registryHosts)),
}));
