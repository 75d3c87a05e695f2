/** Dependencies that a change adds, drops or moves, by manifests and not by lockfiles (G8). */
import { toPattern } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

/** `version` as declared, empty when none; null when the dependency is absent. */
type ChangedDependency = { name: string; was: string | null; version: string | null; path: string };
type Told = NonNullable<ToolRow['dependenciesIn']>[number];
type Declared = Map<string, string>;
type ReadDeclared = (source: string) => Declared;

/** Longer names and versions are ignored (characters). */
const MAX_WORD = 100;
const MAX_CHANGES = 40;

const addDependency = (declared: Declared, name: string | undefined, version: string | undefined): void => {
  if (name === undefined || name === '' || name.length > MAX_WORD) return;
  declared.set(name, (version ?? '').trim().slice(0, MAX_WORD));
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inJson =
  (sections: readonly string[]) =>
  (source: string): Declared => {
    const declared: Declared = new Map();
    let root: unknown;
    try {
      root = JSON.parse(source);
    } catch {
      // An unreadable manifest declares nothing.
      return declared;
    }
    for (const section of isRecord(root) ? sections.map((name) => root[name]) : [])
      for (const [name, version] of isRecord(section) ? Object.entries(section) : [])
        addDependency(declared, name, typeof version === 'string' ? version : '');
    return declared;
  };

const linesOf = (source: string): string[] => source.split('\n').filter((line) => line.length < 1_000);

const inLines =
  (pattern: RegExp) =>
  (source: string): Declared => {
    const declared: Declared = new Map();
    for (const line of linesOf(source)) {
      const found = pattern.exec(line);
      if (found) addDependency(declared, found[1], found[2]);
    }
    return declared;
  };

/** PEP 508: a name, extras, and a version or a URL. */
const REQUIREMENT =
  /^\s*(?:-e\s+)?([A-Za-z0-9][\w.-]{0,98})(?:\s*\[[^\]]{0,100}\])?\s*((?:@\s*\S+|[=<>!~]=?[^;#]{0,98})?)\s*(?:[;#].*)?$/;
const requirementIn = (declared: Declared, line: string): void => {
  const address = /^\s*(?:-e\s+)?((?:git\+|https?:)\S+)/.exec(line)?.[1];
  const found = address === undefined ? REQUIREMENT.exec(line) : null;
  if (address !== undefined) addDependency(declared, address, '');
  else if (found) addDependency(declared, found[1], found[2]);
};
const inRequirements = (source: string): Declared => {
  const declared: Declared = new Map();
  for (const line of linesOf(source)) requirementIn(declared, line.replace(/\r$/, ''));
  return declared;
};

const VERSION_OF = /\bversion\s*=\s*["']([^"']{0,98})["']|\b(?:git|path|url)\s*=\s*["']([^"']{0,98})["']/;
const PAIR = /^\s*["']?([\w.@/-]{1,99})["']?\s*=\s*(.*)$/;
const valueIn = (value: string): string => {
  const plain = /^["']([^"']{0,98})["']/.exec(value.trim());
  const table = VERSION_OF.exec(value);
  return plain?.[1] ?? table?.[1] ?? table?.[2] ?? '';
};

/** A multi-line list never begins like a table header. */
const headerIn = (line: string): string | null => {
  const [head = '', ...rest] = line.trim().split(']');
  return head.startsWith('[') && rest.length > 0
    ? head.replace(/^\[+/, '').trim().replace(/["']/g, '')
    : null;
};

type TomlTables = { pairs: RegExp; one?: RegExp; lists?: RegExp };

const inToml =
  ({ pairs, one, lists }: TomlTables) =>
  (source: string): Declared => {
    const declared: Declared = new Map();
    let table = '';
    let inList = false;
    for (const line of linesOf(source)) {
      const header = headerIn(line);
      const single = one?.exec(table);
      const pair = PAIR.exec(line);
      if (!inList && header !== null) table = header;
      else if (inList || (lists && pair && lists.test(`${table}.${pair[1] ?? ''}`))) {
        const value: string = inList ? line : (pair?.[2] ?? '');
        for (const [, word] of value.matchAll(/["']([^"']{1,200})["']/g)) requirementIn(declared, word ?? '');
        inList = !/\]\s*,?\s*(?:#.*)?$/.test(value) && (inList || value.trim().startsWith('['));
      } else if (pair && pairs.test(table)) addDependency(declared, pair[1], valueIn(pair[2] ?? ''));
      else if (single && pair && /^(?:version|git|path)$/.test(pair[1] ?? ''))
        addDependency(declared, single[1], valueIn(pair[2] ?? ''));
    }
    return declared;
  };

const inGoMod = (source: string): Declared => {
  const declared: Declared = new Map();
  let block = '';
  for (const line of linesOf(source)) {
    const opens = /^(\w+)\s*\(/.exec(line)?.[1];
    const [, word = block, rest = ''] = /^(require|replace)?\s*([^/].*)$/.exec(line.trim()) ?? [];
    if (opens !== undefined) block = opens;
    else if (line.startsWith(')')) block = '';
    else if (word === 'require') {
      const [name, version] = rest.split(/\s+/);
      addDependency(declared, name, version);
    } else if (word === 'replace') {
      const [from, to] = rest.split('=>').map((side) => side.trim());
      if (to !== undefined)
        addDependency(
          declared,
          `${from?.split(/\s+/)[0] ?? ''} => ${to.split(/\s+/)[0] ?? ''}`,
          to.split(/\s+/)[1],
        );
    }
  }
  return declared;
};

const readTag = (block: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<\\s]{1,99})\\s*</${name}>`).exec(block)?.[1];
const inPom = (source: string): Declared => {
  const declared: Declared = new Map();
  for (const part of source.split(/<(?:dependency|plugin|parent)>/).slice(1)) {
    const [block = ''] = part.split(/<\/(?:dependency|plugin|parent)>/, 1);
    const artifact = readTag(block, 'artifactId');
    if (artifact !== undefined)
      addDependency(declared, `${readTag(block, 'groupId') ?? ''}:${artifact}`, readTag(block, 'version'));
  }
  return declared;
};

const inYaml =
  (headings: RegExp) =>
  (source: string): Declared => {
    const declared: Declared = new Map();
    let inside = false;
    for (const line of linesOf(source)) {
      if (/^\S/.test(line) && !line.startsWith('#')) inside = headings.test(line);
      const found = inside ? /^ {2}([\w.@/-]{1,99}):\s*["']?([^"'#]{0,98}?)["']?\s*$/.exec(line) : null;
      if (found) addDependency(declared, found[1], found[2]);
    }
    return declared;
  };

const readerOf = ({ format, sections = [], pairs, one, lists, pattern = '' }: Told): ReadDeclared => {
  switch (format) {
    case 'json':
      return inJson(sections);
    case 'requirements':
      return inRequirements;
    case 'toml':
      return inToml({
        pairs: toPattern(pairs ?? '^$'),
        ...(one === undefined ? {} : { one: toPattern(one) }),
        ...(lists === undefined ? {} : { lists: toPattern(lists) }),
      });
    case 'go.mod':
      return inGoMod;
    case 'pom':
      return inPom;
    case 'yaml':
      return inYaml(toPattern(pattern));
    case 'lines':
      return inLines(toPattern(pattern));
  }
};

/** File names are compared in lower case. */
const manifests = createRowTable((rows) =>
  rows.flatMap(({ dependenciesIn = [] }) =>
    dependenciesIn.map((told) => ({ file: new RegExp(`^(?:${told.file})$`), read: readerOf(told) })),
  ),
);

const parseDependencies = (path: string, source: string): Declared | null => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return (
    manifests()
      .find(({ file }) => file.test(name))
      ?.read(source) ?? null
  );
};

export const isDependencyManifest = (path: string): boolean => parseDependencies(path, '') !== null;

/** Compares both versions of one file; null for an absent one. */
export const compareDependencies = (
  path: string,
  before: string | null,
  after: string | null,
): ChangedDependency[] => {
  const [old, now] = [before, after].map(
    (side) => parseDependencies(path, side ?? '') ?? new Map<string, string>(),
  );
  const names = [...new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])])];
  return names
    .map((name) => ({ name, was: old?.get(name) ?? null, version: now?.get(name) ?? null, path }))
    .filter(({ was, version }) => was !== version)
    .sort((a, b) => Number(a.was !== null) - Number(b.was !== null))
    .slice(0, MAX_CHANGES);
};
