/**
 * `npm test`: the static checks, then the layers that prove the promises. `npm run test:all` runs
 * what lies in `slow`, too, and `npm run test:slow` only what `npm test` left. Named folders
 * (`npm test -- discovery executors/git`) select the tests that import them themselves, so that a
 * change of one package is judged in seconds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findLayer, isSlow, LAYERS } from './layers.ts';
import { DOORS } from './rules/product.ts';
import { runVitest } from './run-vitest.ts';
import { readProcessorSeconds } from './support/processor-seconds.ts';

const ROOT = join(import.meta.dirname, '..');
const PROJECTS = LAYERS.flatMap(({ name }) => ['--project', name]);

type Extent = 'quick' | 'all' | 'slow';

const listTests = (extent: Extent): string[] =>
  globSync(['tests/**/*.test.ts', 'playground/tests/**/*.test.ts'], { cwd: ROOT })
    .filter((test) => extent === 'all' || isSlow(test) === (extent === 'slow'))
    .sort();

const startNode = (...args: readonly string[]): void => {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
};

const runTests = (...args: readonly string[]): void => runVitest(...PROJECTS, ...args);

const filtersOf = (extent: Extent): readonly string[] => {
  const folders = LAYERS.map(({ slowFolder }) => slowFolder);
  if (extent === 'quick') return folders.flatMap((folder) => ['--exclude', `${folder}/**`]);
  return extent === 'slow' ? folders.map((folder) => `${folder}/`) : [];
};

/** Files of the product that a test names in its imports, as paths from the root. */
const importsOf = (test: string): string[] => {
  const text = readFileSync(join(ROOT, test), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, named = '']) => {
    const [door = ''] = named.split('/');
    const folder = DOORS.get(door);
    if (folder !== undefined) return `${folder}/index.ts`;
    return named.startsWith('.') ? relative(ROOT, join(ROOT, dirname(test), named)) : named;
  });
};

const selectTests = (folders: readonly string[], extent: Extent): string[] => {
  const missing = folders.find((folder) => !existsSync(join(ROOT, folder)));
  if (missing !== undefined)
    throw new Error(`There is no folder ${missing}. Name one from the root, such as discovery.`);
  const tests = listTests(extent).filter((test) =>
    folders.some((folder) => importsOf(test).some((file) => file.startsWith(`${folder}/`))),
  );
  if (tests.length === 0) throw new Error(`No such test imports ${folders.join(' or ')} itself.`);
  return tests;
};

/** What was not run, in one line. */
const describeLeft = (): string => {
  const left = listTests('slow');
  const counts = LAYERS.map(({ name }) => ({
    name,
    files: left.filter((test) => findLayer(test)?.name === name).length,
  })).filter(({ files }) => files > 0);
  const parts = counts.map(({ name, files }) => `${name} ${files}`).join(', ');
  return `Left to npm run test:all: ${left.length} files in tests/slow (${parts}).`;
};

const describeCosts = (beganAt: number): string => {
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(0);
  const processor = readProcessorSeconds();
  return `Took ${seconds} s${processor === null ? '' : `, ${processor.toFixed(0)} s of processor`}.`;
};

/** What a release asks for (release.js): the tree that passed all tests, where nothing is uncommitted. */
const rememberTested = (): void => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') return;
  const cache = join(ROOT, 'node_modules/.cache/agentpr');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'tested.json'), JSON.stringify({ tree: git('rev-parse', 'HEAD^{tree}') }));
};

const run = (extent: Extent, folders: readonly string[]): void => {
  const beganAt = performance.now();
  if (extent !== 'slow') startNode('tests/rules/static.ts');
  if (folders.length > 0) runTests(...selectTests(folders, extent));
  else {
    runTests(...filtersOf(extent));
    console.log(describeCosts(beganAt));
    if (extent === 'quick') console.log(describeLeft());
    if (extent === 'all') rememberTested();
  }
};

try {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean' }, slow: { type: 'boolean' } },
    allowPositionals: true,
  });
  const extent = values.all ? 'all' : values.slow ? 'slow' : 'quick';
  run(
    extent,
    positionals.map((folder) => folder.replace(/^#|\/+$/g, '')),
  );
} catch (error) {
  // What a child said stands above already.
  if (error instanceof Error && !('status' in error)) console.error(error.message);
  process.exitCode = 1;
}
