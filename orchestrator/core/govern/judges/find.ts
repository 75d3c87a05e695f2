/**
 * E13: which changed files judge the change: what a check command names or leads to, and what
 * runners read by themselves.
 */
import { isCi, isLockfile } from '../../paths.ts';
import { canonical } from '../../seal.ts';
import { linesAsCommands, namesIn, recipesOf, within, type Lead, type Names } from './commands.ts';
import { judging, judgesOtherwise, parsed, scriptsIn } from './manifest.ts';
import { isRunnerFile, isTestFile } from './runner-files.ts';

/**
 * A text as the base commit and as the change has it; null where there is none, or none that can be
 * read.
 */
export type ChangedTexts = ReadonlyMap<string, readonly [before: string | null, after: string | null]>;
export type Judging = {
  /** The changed ones, sorted. */
  files: string[];
  /** ChangedTexts that are needed to know more. */
  wants: string[];
};

const MANIFEST = /(?:^|\/)package\.json$/;
/** Where the product itself lies: a script that loads it does not make it a judge. */
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
/** Documents that settings name (a readme, a licence) decide nothing. */
const LOADABLE = /\.(?:[cm]?[jt]sx?|py|rb|sh|bash|php|pl|lua|exs?|ini|cfg|conf|toml|ya?ml|json[5c]?|xml|mk)$/;
const MOST_SETTINGS = 40;
/** Of a path that is looked for (characters). */
const MOST_NAME = 250;

const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const isShell = (path: string, text: string): boolean =>
  /\.(?:sh|bash|zsh|ksh|bats)$/.test(path) ||
  (/^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) ? true : !/\.\w+$/.test(path) && !text.startsWith('#!'));

const stringsIn = (text: string): string[] =>
  [...text.matchAll(/["'`]([^"'`\n]{1,200})["'`]/g)].map(([, s = '']) => s);

/** Strings, and modules, of a program or of settings, as paths that they may mean. */
const tokensIn = (path: string, text: string): string[] => {
  const dirs = [dirOf(path), ''];
  const strings = stringsIn(text).map((s) => s.replace(/^<rootDir>\//, ''));
  const modules = [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+\.?([\w.]{1,200})/gm)].map(
    ([, m = '']) => `${m.replaceAll('.', '/')}.py`,
  );
  const listed = text.split('\n').map((line) => line.trim().replace(/^-/, '').replace(/,$/, '').trim());
  const paths = [...strings, ...modules, ...listed].filter(
    (s) => s.length <= MOST_NAME && /^[\w.@/-]*[./][\w.@/-]*$/.test(s),
  );
  return dirs.flatMap((dir) => paths.flatMap((s) => within(dir, s) ?? []));
};

/** No regular expression: whoever wrote the pattern may have written the names, too. */
const matcher = (pattern: string): ((path: string) => boolean) => {
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

/** What a lead names, by each of its two texts. */
const follow = (lead: Lead, text: string, put: (token: string) => void): Names => {
  const dir = dirOf(lead.path);
  switch (lead.as) {
    case 'manifest': {
      const scripts = scriptsIn(text);
      const wanted = (lead.scripts ?? []).flatMap((s) => (s === 't' || s === 'tst' ? ['test'] : [s]));
      const run = wanted.flatMap((s) => [`pre${s}`, s, `post${s}`]).flatMap((s) => scripts.get(s) ?? []);
      for (const token of tokensIn(lead.path, canonical(judging(parsed(text) ?? {})))) put(token);
      // guard: E13-scripts-judge
      return namesIn(run.join('\n'), dir);
    }
    case 'make':
      return namesIn(recipesOf(text, lead.scripts ?? []), dir);
    case 'tasks':
      for (const token of tokensIn(lead.path, text)) put(token);
      return namesIn(`${linesAsCommands(text)}\n${stringsIn(text).join('\n')}`, dir);
    case 'shell': {
      if (!isShell(lead.path, text)) return { judges: [], leads: [] };
      return namesIn(text, dir, namesIn(text, ''));
    }
    case 'program':
      if (!isShell(lead.path, text)) for (const token of tokensIn(lead.path, text)) put(token);
      return { judges: [], leads: [] };
  }
};

/** Settings at hand that may name what is loaded before the tests. */
const settingsAmong = (paths: readonly string[]): Lead[] =>
  paths
    .filter(
      (p) =>
        isRunnerFile(p) && p.split('/').length <= 3 && /\.(?:[cm]?[jt]s|json|ya?ml|toml|ini|cfg)$/.test(p),
    )
    .slice(0, MOST_SETTINGS)
    .map((path) => ({ path, as: 'program' }));

/** `paths` are those of the base commit and of the change. */
export const findJudges = (input: {
  /** Each in its folder of the repository. */
  commands: readonly { command: string; dir: string }[];
  changed: readonly string[];
  paths: readonly string[];
  texts: ChangedTexts;
}): Judging => {
  const { changed, texts, paths } = input;
  const there = new Set([...paths, ...changed]);
  const named = new Set<string>();
  const loaded = new Set<string>();
  const wants = new Set<string>(changed.filter((path) => MANIFEST.test(path) && !texts.has(path)));
  const seen = new Set<string>();
  const open: Lead[] = [];
  const take = ({ judges, leads }: Names): void => {
    for (const path of judges) named.add(path);
    open.push(...leads.filter(({ path }) => there.has(path)));
  };
  const put = (token: string): void => {
    for (const path of SUFFIXES.map((s) => token + s)) {
      if (!there.has(path) || PRODUCT.test(path) || !LOADABLE.test(path) || isCi(path) || isLockfile(path))
        continue;
      loaded.add(path);
      open.push({ path, as: 'program' });
    }
  };
  for (const { command, dir } of input.commands) take(namesIn(command, dir));
  open.push(...settingsAmong(paths));
  for (let lead = open.pop(); lead !== undefined; lead = open.pop()) {
    const key = JSON.stringify(lead);
    if (seen.has(key)) continue;
    seen.add(key);
    const both = texts.get(lead.path);
    if (!both) wants.add(lead.path);
    for (const text of new Set(both ?? [])) if (text !== null) take(follow(lead, text, put));
  }
  const isNamed = [...named].map(matcher);
  const judges = (path: string): boolean => {
    if (MANIFEST.test(path)) return texts.has(path) && judgesOtherwise(...(texts.get(path) ?? [null, null]));
    if (isRunnerFile(path)) return true;
    if (isTestFile(path)) return false;
    return loaded.has(path) || isNamed.some((is) => is(path));
  };
  return { files: [...new Set(changed)].filter(judges).sort(), wants: [...wants] };
};
