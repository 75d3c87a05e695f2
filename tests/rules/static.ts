/**
 * The checks that run nothing: format, types, lint, import rules and expressions, two at a time, a
 * line each as it ends. Lint with types remembers the files that it found good: it reads again what changed
 * since, and what imports that. `--all` forgets this first.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writeSentenceTree } from './write-sentence-tree.ts';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/static');
const GOOD_FILES = join(CACHE, 'linted.json');
/** Where more files than these are to be read again, reading all of them is as quick. */
const MAX_FILES_NAMED = 300;

type Check = { name: string; command: string; args: () => readonly string[]; passed?: () => void };

const hashFile = (path: string): string =>
  createHash('sha1')
    .update(readFileSync(join(ROOT, path)))
    .digest('base64');

const hashSources = (): Map<string, string> => {
  const found = globSync(['**/*.ts', 'playground/assets/*.js'], {
    cwd: ROOT,
    exclude: (path) => ['node_modules', 'dist', '.git'].includes(path),
  });
  return new Map(found.sort().map((path) => [path, hashFile(path)]));
};

/** What decides over every file: the rules, the compiler's options and the installed versions. */
const SETTINGS = ['.oxlintrc.json', 'tsconfig.json', 'package-lock.json'];

const readGoodFiles = (): Map<string, string> => {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(GOOD_FILES, 'utf8')) as Record<string, string>));
  } catch {
    return new Map();
  }
};

const importsOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map((found) =>
    join(dirname(path), found[1] ?? ''),
  );

/** The files to lint: null for all of them. */
const listChanged = (sources: ReadonlyMap<string, string>): string[] | null => {
  const good = readGoodFiles();
  if (SETTINGS.some((path) => good.get(path) !== hashFile(path))) return null;
  const changed = new Set(
    [...sources].filter(([path, hash]) => good.get(path) !== hash).map(([path]) => path),
  );
  const files = [...sources.keys()].filter(
    (path) => changed.has(path) || importsOf(path).some((imported) => changed.has(imported)),
  );
  return files.length > MAX_FILES_NAMED ? null : files;
};

const rememberGood = (sources: ReadonlyMap<string, string>): void => {
  const all = {
    ...Object.fromEntries(sources),
    ...Object.fromEntries(SETTINGS.map((path) => [path, hashFile(path)])),
  };
  writeFileSync(GOOD_FILES, JSON.stringify(all));
};

const run = async ({ name, command, args, passed }: Check): Promise<boolean> => {
  const began = performance.now();
  const child = spawn(command, args(), { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ]);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code === 0) passed?.();
  else console.error(`${out}${errors}`.trim());
  return code === 0;
};

const TOOLS = [
  ...['.bin/oxfmt', '.bin/oxlint', 'oxlint-tsgolint', 'typescript-native', '@eslint-community/regexpp'],
];
const missing = TOOLS.filter((name) => !existsSync(join(ROOT, 'node_modules', name)));
if (missing.length > 0) {
  console.error(`${missing.join(', ')} is not installed: run npm ci, since package-lock.json has changed.`);
  process.exit(1);
}

if (process.argv.includes('--all')) rmSync(CACHE, { recursive: true, force: true });
mkdirSync(CACHE, { recursive: true });
const sources = hashSources();
const changed = listChanged(sources);
const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);

const types: Check = {
  name: 'types',
  command: process.execPath,
  // One checker takes less memory and less of the processor than several that check the same types.
  args: () => [
    join(ROOT, 'node_modules/typescript-native/bin/tsc'),
    ...['--noEmit', '--incremental', '--checkers', '1'],
    ...['--tsBuildInfoFile', join(CACHE, 'types.tsbuildinfo')],
  ],
};
const format: Check = { name: 'format', command: bin('oxfmt'), args: () => ['--check', '.'] };
const lint: Check = {
  name: changed === null ? 'lint' : `lint of the ${changed.length} files that changed`,
  command: bin('oxlint'),
  args: () => ['--type-aware', '--deny-warnings', ...(changed ?? ['.'])],
  passed: () => {
    rememberGood(sources);
  },
};
const imports: Check = {
  name: 'import rules',
  command: process.execPath,
  args: () => [join(ROOT, 'tests/rules/boundaries.ts')],
};

const expressions: Check = {
  name: 'expressions',
  command: process.execPath,
  args: () => [join(ROOT, 'tests/rules/expressions.ts')],
};

writeSentenceTree();
const [typesHold, othersHold] = await Promise.all([
  run(types),
  (async () => {
    let hold = await run(format);
    if (changed === null || changed.length > 0) hold = (await run(lint)) && hold;
    hold = (await run(expressions)) && hold;
    return (await run(imports)) && hold;
  })(),
]);
process.exitCode = typesHold && othersHold ? 0 : 1;
