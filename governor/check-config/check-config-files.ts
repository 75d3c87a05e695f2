/** Finds changed files that configure the checks, by commands and by runners' conventions (E13). */
import { isCi, isLockfile } from '#model/paths';
import { canonicalJson } from '#model/seal';
import {
  linesAsCommands,
  findNamedPaths,
  findPluginModules,
  resolveRepositoryPath,
  type TextLead,
  type NamedPaths,
} from './command-leads.ts';
import { collectMakeRecipes } from './makefile-recipes.ts';
import {
  selectCheckConfigFields,
  changesCheckConfig,
  parseManifest,
  parseManifestScripts,
} from './manifest-fields.ts';
import { isRunnerFile, isTestFile } from './runner-files.ts';

/** Texts in the base and in the change; null when absent or unreadable. */
export type ChangedTexts = ReadonlyMap<string, readonly [before: string | null, after: string | null]>;
export type FoundCheckConfig = {
  files: string[];
  /** Texts to load before the search can continue. */
  wants: string[];
};

const MANIFEST = /(?:^|\/)package\.json$/;
const COMPOSER_MANIFEST = /(?:^|\/)composer\.json$/;
/** Product code that a script loads configures nothing. */
const PRODUCT = /(?:^|\/)(?:src|lib|libs|app|apps|pkg|internal|cmd|sources?)\//;
const SUFFIXES = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.json',
  '.py',
  '.rb',
  '.sh',
  '/index.js',
  '/index.ts',
];
/** Documents in settings (a readme, a licence) configure nothing. */
const LOADABLE = /\.(?:[cm]?[jt]sx?|py|rb|sh|bash|php|pl|lua|exs?|ini|cfg|conf|toml|ya?ml|json[5c]?|xml|mk)$/;
const MOST_SETTINGS = 40;
const MOST_MANIFESTS = 100;
const MOST_NAME = 250;

const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const isShell = (path: string, text: string): boolean =>
  /\.(?:sh|bash|zsh|ksh|bats)$/.test(path) ||
  (/^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) ? true : !/\.\w+$/.test(path) && !text.startsWith('#!'));

const stringsIn = (text: string): string[] =>
  [...text.matchAll(/["'`]([^"'`\n]{1,200})["'`]/g)].map(([, s = '']) => s);

const SETTINGS_FILE = /\.(?:ini|cfg|conf|toml|ya?ml)$|(?:^|\/)\.[\w-]+$/;
const FROM = /^[ \t]*from[ \t]+(\.*)([\w.]{0,200})[ \t]+import[ \t]+\(?([\w, \t]{0,500})/gm;
const IMPORT = /^[ \t]*import[ \t]+([\w., \t]{1,500})/gm;
const CHAIN = /(?:["'`][\w.-]{1,100}["'`][ \t]{0,9}[,/][ \t]{0,9}){1,9}["'`][\w.-]{1,100}["'`]/g;

const asPath = (name: string): string => name.replaceAll('.', '/');
const asModule = (name: string): string[] => [`${asPath(name)}.py`, `${asPath(name)}/__init__.py`];
const namesOf = (list: string): string[] =>
  list.split(',').map((name) => name.trim().split(/[ \t]/)[0] ?? '');

/** An import such as `from .rules import sizes` may mean either module. */
const neighboursIn = (text: string): string[] => [
  ...[...text.matchAll(FROM)].flatMap(([, dots = '', from = '', names = '']) => {
    const all = [from, ...namesOf(names).map((name) => (from === '' ? name : `${from}.${name}`))];
    const up = '../'.repeat(Math.max(0, dots.length - 1));
    return all
      .filter(Boolean)
      .flatMap(asModule)
      .map((path) => up + path);
  }),
  ...[...text.matchAll(IMPORT)].flatMap(([, names = '']) => namesOf(names).flatMap(asModule)),
];
/** Only module names, because a root path would match the whole product. */
const modulesIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+\.?([\w.]{1,200})/gm)].map(
    ([, m = '']) => `${asPath(m)}.py`,
  );
const chainsIn = (text: string): string[] =>
  [...text.matchAll(CHAIN)].map(([chain]) => stringsIn(chain).join('/'));
const findRequiredModules = (text: string): string[] =>
  [...text.matchAll(/\brequire_relative[ \t(]+["']([\w./-]{1,200})["']/g)].map(
    ([, name = '']) => `./${name}`,
  );

/** Modules that settings of a test runner preload. */
const pluginsAmong = (text: string): string[] => {
  const lists = [
    ...text.matchAll(/\bpytest_plugins\b[^=\n]{0,80}=\s{0,9}(?:\(|\[|(?=["']))([^)\]]{0,4000})/g),
  ];
  const named = lists.flatMap(([, list = '']) => stringsIn(list).flatMap(asModule));
  return [...named, ...findPluginModules(text.split(/[\s"'`=,[\]]+/))];
};

/** A composer.json lists the product's own files in `autoload`, and these configure nothing. */
const withoutAutoload = (path: string, text: string): string => {
  const manifest = COMPOSER_MANIFEST.test(path) ? parseManifest(text) : null;
  return manifest === null ? text : JSON.stringify({ ...manifest, autoload: undefined }, null, 2);
};

const tokensIn = (path: string, text: string): string[] => {
  const dir = dirOf(path);
  const listed = text.split('\n').map((line) => line.trim().replace(/^-/, '').replace(/,$/, '').trim());
  const words = SETTINGS_FILE.test(path) ? text.split(/[\s"'`=,[\]]+/) : [];
  const all = [...stringsIn(text), ...modulesIn(text), ...chainsIn(text), ...findRequiredModules(text)];
  const paths = [...all, ...pluginsAmong(text), ...listed, ...words]
    .map((s) => s.replace(/^<rootDir>\//, ''))
    .filter((s) => s.length <= MOST_NAME && /^[\w.@/-]*[./][\w.@/-]*$/.test(s));
  const beside = dir === '' ? [] : neighboursIn(text);
  return [
    ...new Set([
      ...[...paths, ...beside].flatMap((s) => resolveRepositoryPath(dir, s) ?? []),
      ...paths.flatMap((s) => resolveRepositoryPath('', s) ?? []),
    ]),
  ];
};

/** In JavaScript a line may begin with the name of a private field, in Ruby with what a text holds. */
const withoutComments = (path: string, text: string): string =>
  /\.[cm]?[jt]sx?$/.test(path)
    ? text
    : text
        .split('\n')
        .filter((line) => !/^[ \t]*#(?!\{)/.test(line))
        .join('\n');

/** No regular expression, because pattern and names are untrusted. */
const createMatcher = (pattern: string): ((path: string) => boolean) => {
  const [start = '', ...middle] = pattern.split('*');
  const end = middle.pop();
  if (end === undefined) return (path) => path === pattern;
  return (path) => {
    if (!path.startsWith(start) || !path.endsWith(end)) return false;
    let at = start.length;
    for (const part of middle) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= path.length - end.length;
  };
};

const followLead = (lead: TextLead, text: string, put: (token: string) => void): NamedPaths => {
  const dir = dirOf(lead.path);
  switch (lead.as) {
    case 'manifest': {
      const scripts = parseManifestScripts(text);
      const asked = (lead.scripts ?? []).flatMap((s) => (s === 't' || s === 'tst' ? ['test'] : [s]));
      const wanted = asked.flatMap((s) =>
        s.includes('*') ? [...scripts.keys()].filter(createMatcher(s)) : [s],
      );
      const run = wanted.flatMap((s) => [`pre${s}`, s, `post${s}`]).flatMap((s) => scripts.get(s) ?? []);
      for (const token of tokensIn(
        lead.path,
        canonicalJson(selectCheckConfigFields(parseManifest(text) ?? {})),
      ))
        put(token);
      // guard: E13-scripts-judge
      return findNamedPaths(run.join('\n'), [dir]);
    }
    case 'make':
      return findNamedPaths(collectMakeRecipes(text, lead.scripts ?? []), [dir]);
    case 'tasks': {
      const run = withoutComments(lead.path, withoutAutoload(lead.path, text));
      for (const token of tokensIn(lead.path, run)) put(token);
      return findNamedPaths(`${linesAsCommands(run)}\n${stringsIn(run).join('\n')}`, [dir]);
    }
    case 'shell': {
      if (!isShell(lead.path, text)) return { configs: [], leads: [] };
      return findNamedPaths(text, ['', dir]);
    }
    case 'program':
      if (isShell(lead.path, text)) return { configs: [], leads: [] };
      for (const token of tokensIn(lead.path, withoutAutoload(lead.path, text))) put(token);
      return { configs: [], leads: [] };
    case 'plugins':
      for (const token of pluginsAmong(text)) put(token);
      return { configs: [], leads: [] };
  }
};

const CONFTEST = /(?:^|\/)conftest\.py$/;
const SETS =
  /\.(?:[cm]?[jt]s|json|ya?ml|toml|ini|cfg|conf|xml|dist)$|(?:^|\/)\.[\w-]+$|(?:^|\/)conftest\.py$/;
/** Settings that may preload files. `conftest.py` mostly imports the product. */
const settingsAmong = (paths: readonly string[]): TextLead[] =>
  paths
    .filter((p) => isRunnerFile(p) && p.split('/').length <= 3 && SETS.test(p))
    .slice(0, MOST_SETTINGS)
    .map((path) => ({ path, as: CONFTEST.test(path) ? 'plugins' : 'program' }));

/** `paths` are those of the base commit and of the change. */
export const findCheckConfig = (
  input: {
    commands: readonly { command: string; dir: string }[];
    changed: readonly string[];
    paths: readonly string[];
    texts: ChangedTexts;
    links?: ReadonlyMap<string, string>;
  },
  onReading: (file: string) => void = () => undefined,
): FoundCheckConfig => {
  const { changed, texts, paths, links = new Map<string, string>() } = input;
  const there = new Set([...paths, ...changed]);
  const named = new Set<string>();
  const loaded = new Set<string>();
  const wants = new Set<string>(changed.filter((path) => MANIFEST.test(path) && !texts.has(path)));
  const seen = new Set<string>();
  const open: TextLead[] = [];
  const manifests = [...there].filter((path) => MANIFEST.test(path)).slice(0, MOST_MANIFESTS);
  const listExisting = (lead: TextLead): TextLead[] =>
    lead.path.includes('*')
      ? manifests.filter(createMatcher(lead.path)).map((path) => ({ ...lead, path }))
      : there.has(lead.path)
        ? [lead]
        : [];
  const addNamedPaths = ({ configs, leads }: NamedPaths): void => {
    for (const path of configs) named.add(path);
    for (const lead of leads) for (const one of listExisting(lead)) open.push(one);
  };
  const addToken = (token: string): void => {
    for (const path of SUFFIXES.map((s) => token + s)) {
      if (!there.has(path) || PRODUCT.test(path) || !LOADABLE.test(path) || isCi(path) || isLockfile(path))
        continue;
      loaded.add(path);
      open.push({ path, as: 'program' });
    }
  };
  for (const { command, dir } of input.commands) addNamedPaths(findNamedPaths(command, [dir]));
  open.push(...settingsAmong(paths));
  for (let lead = open.pop(); lead !== undefined; lead = open.pop()) {
    const key = JSON.stringify(lead);
    if (seen.has(key)) continue;
    seen.add(key);
    const both = texts.get(lead.path);
    onReading(lead.path);
    if (!both) wants.add(lead.path);
    for (const text of new Set(both ?? []))
      if (text !== null) addNamedPaths(followLead(lead, text, addToken));
  }
  const isNamed = [...named].map(createMatcher);
  const isCheckConfig = (path: string): boolean => {
    if (MANIFEST.test(path))
      return texts.has(path) && changesCheckConfig(...(texts.get(path) ?? [null, null]));
    if (isRunnerFile(path)) return true;
    if (isTestFile(path)) return false;
    return loaded.has(path) || isNamed.some((is) => is(path));
  };
  /** A named link stands for its target. */
  const byLinks = (path: string): string[] =>
    [...links].flatMap(([link, to]) =>
      path === to || path.startsWith(`${to}/`) ? [link + path.slice(to.length)] : [],
    );
  const configuresChecks = (path: string): boolean => [path, ...byLinks(path)].some(isCheckConfig);
  return { files: [...new Set(changed)].filter(configuresChecks).sort(), wants: [...wants] };
};
