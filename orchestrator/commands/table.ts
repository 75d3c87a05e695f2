/**
 * F5: a list of repositories as spreadsheets give it: the first line names the columns, one of which
 * has the repositories; what other columns have, each repository has of its own. Pure.
 */
import { z } from 'zod';
import { Target, Variables } from '../core/campaign/order.ts';

/** `host` is where an address that was given leads. */
export const NamedRepo = Target.extend({ host: z.string().nullable() });
export type NamedRepo = z.infer<typeof NamedRepo>;

const REPO_COLUMN = /^(?:repo|repository|repositories|full_?name|name_?with_?owner|url|html_?url|ssh_?url)$/i;
const SEPARATORS = ['\t', ';', ',', '|'];

/** Cells may stand between quotation marks, which are doubled inside. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    if (sign === separator && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  const all = [...cells, cell].map((one) =>
    one
      .trim()
      .replace(/^"([\s\S]*)"$/, '$1')
      .replaceAll('""', '"'),
  );
  // Tables of text have a border on both sides.
  return separator === '|' && all[0] === '' && all.at(-1) === '' ? all.slice(1, -1) : all;
};

/**
 * Lines of `gh repo list`: a repository, then what it says of it, between tabs and without names of
 * columns.
 */
const isListing = (separator: string, [repo = '', ...rest]: readonly string[], repoIn: RepoIn): boolean =>
  separator === '\t' && rest.length > 0 && repoIn(repo) !== null && !rest.some((cell) => repoIn(cell));
type RepoIn = (word: string) => NamedRepo | null;

const isRule = (cells: readonly string[]): boolean => cells.every((one) => /^:?-+:?$/.test(one));

export type RepoTable = { named: NamedRepo[] } | { row: number; text: string };

/** Null for what is no table; otherwise its repositories, or the line that names none. */
export const readTable = (text: string, repoIn: RepoIn): RepoTable | null => {
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => line.trim() !== '');
  const first = lines[head] ?? '';
  const separator = SEPARATORS.find((one) => first.includes(one)) ?? ',';
  const cells = cellsOf(first, separator);
  const listing = isListing(separator, cells, repoIn);
  const columns = listing ? ['repo'] : cells;
  const at = columns.findIndex((name) => REPO_COLUMN.test(name));
  if (at < 0 || columns.some((name) => repoIn(name))) return null;
  const named: NamedRepo[] = [];
  for (const [i, line] of lines.entries()) {
    const cells = cellsOf(line, separator);
    if (i < head || (i === head && !listing) || cells.every((one) => one === '') || isRule(cells)) continue;
    const repo = repoIn((cells[at] ?? '').replace(/^`|`$/g, ''));
    if (!repo) return { row: i + 1, text: line };
    const vars = Object.fromEntries(
      columns.flatMap((name, n): [string, string][] => {
        const value = cells[n];
        const one = { [name]: value ?? '' };
        return n === at || value === undefined || !Variables.safeParse(one).success ? [] : [[name, value]];
      }),
    );
    named.push({ ...repo, vars });
  }
  return { named };
};

const Entry = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** What programs print (`gh repo list --json nameWithOwner`); null for what is no list in JSON. */
export const readJson = (text: string, repoIn: RepoIn): RepoTable | null => {
  const entries = z.array(Entry).min(1).safeParse(parsed(text)).data;
  if (!entries) return null;
  const named: NamedRepo[] = [];
  for (const [i, entry] of entries.entries()) {
    const fields = typeof entry === 'string' ? {} : entry;
    const key = Object.keys(fields).find((name) => REPO_COLUMN.test(name));
    const word = typeof entry === 'string' ? entry : key === undefined ? null : fields[key];
    const repo = typeof word === 'string' ? repoIn(word) : null;
    // Of an entry nobody knows the line: it is counted.
    if (!repo) return typeof entry === 'string' ? null : { row: i + 1, text: JSON.stringify(entry) };
    const others = Object.entries(fields).filter(
      ([name, value]) => name !== key && Variables.safeParse({ [name]: value }).success,
    );
    named.push({ ...repo, vars: Variables.parse(Object.fromEntries(others)) });
  }
  return { named };
};

/** One list, or an object on each line. */
const parsed = (text: string): unknown => {
  const [sign] = text.trimStart();
  if (sign !== '[' && sign !== '{') return null;
  try {
    if (sign === '[') return JSON.parse(text);
    return text.split('\n').flatMap((line): unknown[] => (line.trim() === '' ? [] : [JSON.parse(line)]));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};
