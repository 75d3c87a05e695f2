/**
 * `npm test`: the static checks, then every test. `npm test -- discovery executors/git` runs the
 * tests that import these folders themselves, so that a change of one package is judged in seconds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DOORS } from './rules/product.ts';

const ROOT = join(import.meta.dirname, '..');
const PROJECTS = ['quick', 'whole', 'playground'].flatMap((name) => ['--project', name]);

const vitest = (...args: readonly string[]): void => {
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs');
  execFileSync(process.execPath, [program, 'run', ...PROJECTS, ...args], { cwd: ROOT, stdio: 'inherit' });
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

const testsOf = (folders: readonly string[]): string[] =>
  globSync(['tests/**/*.test.ts', 'playground/tests/**/*.test.ts'], { cwd: ROOT })
    .filter((test) => folders.some((folder) => importsOf(test).some((file) => file.startsWith(`${folder}/`))))
    .sort();

const run = (folders: readonly string[]): void => {
  execFileSync(process.execPath, [join(ROOT, 'tests/rules/static.ts')], { cwd: ROOT, stdio: 'inherit' });
  if (folders.length === 0) return vitest();
  const missing = folders.find((folder) => !existsSync(join(ROOT, folder)));
  if (missing !== undefined)
    throw new Error(`There is no folder ${missing}. Name one from the root, such as discovery.`);
  const tests = testsOf(folders);
  if (tests.length === 0) throw new Error(`No test imports ${folders.join(' or ')} itself; run npm test.`);
  vitest(...tests);
};

try {
  run(process.argv.slice(2).map((folder) => folder.replace(/^#|\/+$/g, '')));
} catch (error) {
  // What a child said stands above already.
  if (error instanceof Error && !('status' in error)) console.error(error.message);
  process.exitCode = 1;
}
