/** Reads rows of tools from the YAML files of a folder, and refuses what no row may say. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { Tool, type ToolRow } from './tool-schema.ts';

const SUFFIX = '.yaml';

/** `line` counts from 1. */
export class RowError extends Error {
  readonly file: string;
  readonly line: number;
  readonly says: string;
  constructor(file: string, line: number, says: string) {
    super(`${file}:${line}: ${says}`);
    this.file = file;
    this.line = line;
    this.says = says;
  }
}

export const listRowFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort();

type Path = readonly PropertyKey[];
const placeOf = (issue: z.core.$ZodIssue): Path =>
  issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;

/** A key of a record says what is wrong with it within its own issue. */
const wrongIn = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;

/** Throws RowError. */
const readRow = (file: string, text: string): Omit<ToolRow, 'id'> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntax] = document.errors;
  if (syntax) throw new RowError(file, lines.linePos(syntax.pos[0]).line, syntax.message);
  const read = Tool.safeParse(document.toJS());
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  /** What is missing has no place, so the nearest thing around it is named. */
  const lineOf = (path: Path): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const at = issue ? placeOf(issue) : [];
  const where = issue && issue.path.length > 0 ? ` (${issue.path.join('.')})` : '';
  throw new RowError(file, lineOf(at), `${issue ? wrongIn(issue) : ''}${where}`);
};

/** Throws RowError, and what the file system says of the folder. */
export const readRows = (folder: string): ToolRow[] =>
  listRowFiles(folder).map((name) => {
    const file = join(folder, name);
    return { id: name.slice(0, -SUFFIX.length), ...readRow(file, readFileSync(file, 'utf8')) };
  });

const namesOf = ({ names = [], harmless, registry }: ToolRow): string[] => [
  ...new Set([...names, ...(harmless?.programs ?? []), ...(registry ? [`registry ${registry.name}`] : [])]),
];

/** An operator's rows. A file of the name of one of `ours` takes its place; else no name is told twice. */
export const readAddedRows = (folder: string, ours: readonly ToolRow[]): ToolRow[] => {
  const rows = readRows(folder);
  if (rows.length === 0) throw new RowError(folder, 1, `holds no ${SUFFIX} file`);
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
          join(folder, row.id + SUFFIX),
          1,
          `names ${name}, which ${owner}${SUFFIX} tells of already; a file of that name takes its place`,
        );
      owners.set(name, row.id);
    }
  return rows;
};
