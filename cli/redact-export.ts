/** Redacts an export: known people and chats, patterns of secrets, and this host's secrets. */
import { redactSecrets } from '../text-safety/index.ts';
import type { ExportLine } from '#db';
import type { ExposedSecrets } from '#sandbox';

const PERSONAL: ReadonlySet<string> = new Set([
  'chat',
  'user_id',
  'name',
  'decider',
  'requester',
  'by',
  'user',
  'users',
  'id of a person',
]);
const HIDDEN = '[hidden]';
type Visit = (value: string | number | boolean | null, column: string) => unknown;
type Rename = (name: string) => string;
const asItIs: Rename = (name) => name;

/** Visits every value, also in JSON inside text; `rename` maps member names. */
const transformValues = (value: unknown, column: string, visit: Visit, rename: Rename = asItIs): unknown => {
  if (Array.isArray(value)) return value.map((one) => transformValues(one, column, visit, rename));
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(([name, one]) => {
      const own = name === 'id' && PERSONAL.has(column) ? 'id of a person' : name;
      return [rename(name), transformValues(one, own, visit, rename)];
    });
    return Object.fromEntries(members);
  }
  if (typeof value === 'string' && column.endsWith('_json')) {
    const json = tryParseJson(value);
    if (json !== undefined) return JSON.stringify(transformValues(json, '', visit, rename));
  }
  return visit(value as string | number | boolean | null, column);
};

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const columnsOf = ({ row }: ExportLine): [string, unknown][] => Object.entries(row);

/** Shape of our own member names; other text may be anybody's. */
const OURS = /^[a-z][A-Za-z_]{0,40}$/;

/** Hides the whole text when a secret spans lines. */
const withoutKnown = (text: string, secrets: ExposedSecrets): string => {
  const shown = secrets.hide(text);
  return secrets.namesIn(shown).length > 0 ? HIDDEN : shown;
};

export const createRedaction = async (
  lines: AsyncIterable<ExportLine>,
  secrets: ExposedSecrets,
): Promise<(line: ExportLine) => ExportLine> => {
  const known = new Set<string>();
  for await (const line of lines)
    for (const [column, value] of columnsOf(line))
      transformValues(value, column, (one, at) => {
        const long =
          typeof one === 'number' ? Math.abs(one) > 9_999 : typeof one === 'string' && one.length > 1;
        if (PERSONAL.has(at) && long) known.add(String(one).replace(/^-/, ''));
      });
  const names = [...known]
    .sort((a, b) => b.length - a.length)
    .map((n) => n.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const named = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const redactValue: Visit = (value, column) => {
    if (PERSONAL.has(column) && value !== null) return typeof value === 'number' ? 0 : HIDDEN;
    if (typeof value !== 'string') return value;
    // guard: C5-export-encoded
    const own = withoutKnown(value, secrets);
    const text = column === 'lane' || column === 'key' ? own.replace(/-?\d+$/, HIDDEN) : own;
    return redactSecrets(names.length > 0 ? text.replace(named, HIDDEN) : text);
  };
  const redactName: Rename = (name) =>
    OURS.test(name) ? withoutKnown(name, secrets) : String(redactValue(name, ''));
  return (line) => {
    const row = columnsOf(line).map(([column, value], i) => [
      Object.keys(line.row)[i],
      transformValues(value, column, redactValue, redactName),
    ]);
    return { table: line.table, row: Object.fromEntries(row) as ExportLine['row'] };
  };
};
