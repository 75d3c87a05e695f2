/** Reads rows of tools from the YAML files of a folder, and refuses what no row may say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listYamlFiles, readYaml, RowError, YAML_SUFFIX } from './read-yaml.ts';
import { Tool, type ToolRow } from './tool-schema.ts';

/** Throws RowError, and what the file system says of the folder. */
export const readRows = (folder: string): ToolRow[] =>
  listYamlFiles(folder).map((name) => {
    const file = join(folder, name);
    return { id: name.slice(0, -YAML_SUFFIX.length), ...readYaml(file, readFileSync(file, 'utf8'), Tool) };
  });

const namesOf = ({ names = [], harmless, registry }: ToolRow): string[] => [
  ...new Set([...names, ...(harmless?.programs ?? []), ...(registry ? [`registry ${registry.name}`] : [])]),
];

/** An operator's rows. A file of the name of one of `ours` takes its place; else no name is told twice. */
export const readAddedRows = (folder: string, ours: readonly ToolRow[]): ToolRow[] => {
  const rows = readRows(folder);
  if (rows.length === 0) throw new RowError(folder, 1, `holds no ${YAML_SUFFIX} file`);
  const ids = new Set(rows.map(({ id }) => id));
  const owners = new Map(
    ours
      .filter(({ id }) => !ids.has(id))
      .flatMap((row) => namesOf(row).map((name) => [name, row.id] as const)),
  );
  for (const row of rows)
    for (const name of namesOf(row)) {
      const owner = owners.get(name);
      if (owner !== undefined && owner !== row.id)
        throw new RowError(
          join(folder, row.id + YAML_SUFFIX),
          1,
          `names ${name}, which ${owner}${YAML_SUFFIX} tells of already; a file of that name takes its place`,
        );
      owners.set(name, row.id);
    }
  return rows;
};
