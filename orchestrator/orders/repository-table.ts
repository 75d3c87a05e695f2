/** Parses tables of repositories: a header line, and further columns as variables (F5). Pure. */
import { z } from 'zod';
import { NamedRepo, ownerAndName, findRepoField, reposWithin } from './repository-data.ts';
import { MAX_VALUE_LENGTH, TargetVariables } from '#model/campaign';

const REPO_COLUMN =
  /^(?:repo|repository|repositories|(?:repo|repository|full)[ _-]?(?:name|url|path)|name_?with_?owner|path_with_namespace|(?:html_?|ssh_?|web_?|git_?|clone_?)?url)$/i;
const SEPARATORS = ['\t', ';', ',', '|'];

type Row = { line: number; text: string; cells: string[] };

/** Text tables have a border on both sides. */
const dropBorders = (cells: string[], separator: string): string[] =>
  separator === '|' && cells[0] === '' && cells.at(-1) === '' ? cells.slice(1, -1) : cells;

/** Quoted cells may span lines; a stray quotation mark disables quoting. */
const rowsOf = (text: string, separator: string): Row[] => {
  const blank = separator === '\t' ? '[^\\S\\n\\t]*' : '[^\\S\\n]*';
  const cellPattern = (sign: string): RegExp =>
    new RegExp(`${blank}"(${sign}*(?:""${sign}*)*)"${blank}(?=[${separator}\\n]|$)`, 'y');
  const plain = new RegExp(`[^${separator}\\n]*`, 'y');
  let form = cellPattern(separator === '|' ? '[^"\\n]' : '[^"]');
  const rows: Row[] = [];
  let [line, begin, cells]: [number, number, string[]] = [1, 0, []];
  for (let at = 0; at <= text.length; at += 1) {
    form.lastIndex = at;
    plain.lastIndex = at;
    const found = form.exec(text);
    const [cell] = plain.exec(text) ?? [''];
    if (!found && cell.trimStart().startsWith('"')) form = cellPattern('[^"\\n]');
    at += (found?.[0] ?? cell).length;
    cells.push(found?.[1]?.replaceAll('""', '"') ?? cell.trim());
    if (text.charAt(at) === separator) continue;
    const said = text.slice(begin, at);
    rows.push({ line, text: said, cells: dropBorders(cells, separator) });
    [line, begin, cells] = [line + said.split('\n').length, at + 1, []];
  }
  return rows;
};

type RepoIn = (word: string) => NamedRepo | null;
const VISIBILITY = /^(?:public|private|internal)\b/i;

/** Output of `gh repo list`: tab-separated, without a header, repository first. */
const isListing = (separator: string, [repo = '', ...rest]: readonly string[], repoIn: RepoIn): boolean =>
  separator === '\t' &&
  rest.length > 0 &&
  repoIn(repo) !== null &&
  (VISIBILITY.test(rest[1] ?? '') || !rest.some((cell) => repoIn(cell)));

const isRule = (cells: readonly string[]): boolean => cells.every((one) => /^:?-+:?$/.test(one));

/** An issue number (`#12`) and the column `#` are no comments. */
const isRemark = (line: string): boolean => /^\s*#(?:$|[ #]|[^\s\d,;|])/.test(line);

export type UnusableColumn = { name: string; repo: string | null };

const unusableIn = (columns: readonly string[]): UnusableColumn[] =>
  columns.flatMap((name) => (name === '' || isVariable(name) ? [] : [{ name, repo: null }]));
const isVariable = (name: string): boolean => TargetVariables.safeParse({ [name]: '' }).success;

type RepoTable = { named: NamedRepo[]; unusable: UnusableColumn[] } | { row: number; text: string };

/** Null when the text is no table; otherwise its repositories, or the first bad line. */
export const readTable = (text: string, repoIn: RepoIn): RepoTable | null => {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.trim() !== '' && !isRemark(line));
  // Excel's separator line.
  const told = /^sep=(.)\s*$/i.exec(lines[head] ?? '')?.[1];
  if (told !== undefined) {
    const rest = lines.with(head, '#').join('\n');
    return readTable(rest, repoIn);
  }
  const first = lines[head] ?? '';
  const separator = SEPARATORS.find((one) => first.includes(one)) ?? ',';
  const cells = rowsOf(first, separator)[0]?.cells ?? [];
  const listing = isListing(separator, cells, repoIn);
  const columns = listing ? ['repo'] : cells;
  const at = columns.findIndex((name) => REPO_COLUMN.test(name));
  const apart = at < 0 ? ownerAndName(columns) : null;
  if ((at < 0 && !apart) || columns.some((name) => repoIn(name))) return null;
  const taken: readonly number[] = apart ?? [at];
  const rows = listing
    ? lines.map((line, i) => ({ line: i + 1, text: line, cells: line.split('\t') }))
    : rowsOf(text, separator).filter(({ line }) => line > head + 1);
  const named: NamedRepo[] = [];
  const unusable = unusableIn(columns.filter((_, n) => !taken.includes(n)));
  for (const { line, text: said, cells: own } of rows) {
    if (own.every((one) => one.trim() === '') || isRule(own) || isRemark(said)) continue;
    const repo = repoIn(
      taken
        .map((n) => (own[n] ?? '').trim())
        .join('/')
        .replace(/\s#[^]*$/, '')
        .trim()
        .replace(/^`|`$/g, ''),
    );
    if (!repo) return { row: line, text: said };
    const { vars, long } = varsOf(
      columns.flatMap((name, n) => (taken.includes(n) ? [] : [[name, own[n]] as const])),
    );
    named.push({ ...repo, vars });
    unusable.push(...long.map((name) => ({ name, repo: repo.repo })));
  }
  return { named, unusable };
};

const varsOf = (
  given: readonly (readonly [string, unknown])[],
): { vars: TargetVariables; long: string[] } => {
  const texts = given.flatMap(([name, value]) =>
    typeof value === 'string' && isVariable(name) ? [[name, value] as const] : [],
  );
  return {
    vars: Object.fromEntries(texts.filter(([, value]) => value.length <= MAX_VALUE_LENGTH)),
    long: texts.flatMap(([name, value]) => (value.length > MAX_VALUE_LENGTH ? [name] : [])),
  };
};

const Entry = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** Output such as `gh repo list --json nameWithOwner`; null when it is no JSON list. */
export const readJson = (text: string, repoIn: RepoIn): RepoTable | null => {
  const tree = parseJsonForms(text);
  const entries = z.array(Entry).min(1).safeParse(tree).data;
  const isPlain = entries?.some(
    (one) =>
      typeof one === 'string' ||
      Object.keys(one).some((key) => typeof one[key] === 'string' && REPO_COLUMN.test(key)),
  );
  if (!entries || isPlain !== true) {
    const named = tree === null ? [] : reposWithin(tree, repoIn);
    return named.length > 0 ? { named, unusable: [] } : null;
  }
  const named: NamedRepo[] = [];
  const unusable: UnusableColumn[] = [];
  const columns = new Set<string>();
  for (const [i, entry] of entries.entries()) {
    const fields = typeof entry === 'string' ? {} : entry;
    const key = findRepoField(fields, repoIn) ?? Object.keys(fields).find((name) => REPO_COLUMN.test(name));
    const word = typeof entry === 'string' ? entry : key === undefined ? null : fields[key];
    const repo = typeof word === 'string' ? repoIn(word) : null;
    // Parsed JSON has no line numbers, so entries are counted.
    if (!repo) return typeof entry === 'string' ? null : { row: i + 1, text: JSON.stringify(entry) };
    const others = Object.entries(fields).filter(([name]) => name !== key);
    const { vars, long } = varsOf(others);
    named.push({ ...repo, vars });
    unusable.push(...long.map((name) => ({ name, repo: repo.repo })));
    for (const [name] of others) columns.add(name);
  }
  return { named, unusable: [...unusable, ...unusableIn([...columns])] };
};

/** Accepts one document, JSON lines, or concatenated pages. */
const parseJsonForms = (text: string): unknown => {
  const [sign] = text.trimStart();
  if (sign !== '[' && sign !== '{') return null;
  const parseLines = (): unknown[] =>
    text.split('\n').flatMap((line): unknown[] => (line.trim() === '' ? [] : [JSON.parse(line)]));
  const parsePages = (): unknown => JSON.parse(`[${text.trim().replace(/\]\s*\[/g, '],[')}]`);
  for (const read of [() => JSON.parse(text) as unknown, parseLines, parsePages])
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  return null;
};
