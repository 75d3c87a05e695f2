/** Reads a YAML file by its schema, and says in which line it is wrong. */
import { readdirSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

export const YAML_SUFFIX = '.yaml';

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

export const listYamlFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(YAML_SUFFIX))
    .sort();

type Path = readonly PropertyKey[];
const placeOf = (issue: z.core.$ZodIssue): Path =>
  issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;

/** A key of a record says what is wrong with it within its own issue. */
const wrongIn = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;

/** Throws RowError. */
export const readYaml = <Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
): z.infer<Schema> => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntax] = document.errors;
  if (syntax) throw new RowError(file, lines.linePos(syntax.pos[0]).line, syntax.message);
  const read = schema.safeParse(document.toJS());
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
