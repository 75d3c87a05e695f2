/** What the package is built from, and what it needs of the playground that it carries in dist/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PRODUCT_FOLDERS } from './product.ts';

const versions = z.record(z.string(), z.string());
const sourcesIn = (folder: URL): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(?:^|\/)(?:tests|node_modules)\//.test(path))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'));
const dependenciesIn = (folder: string): Record<string, string> => {
  const file = new URL(`../../${folder}package.json`, import.meta.url);
  return z.object({ dependencies: versions }).parse(JSON.parse(readFileSync(file, 'utf8'))).dependencies;
};

/** What the product was asked to be built from, and what is expected at its top. */
const PACKAGES = [
  'grammy',
  'better-sqlite3',
  'kysely',
  'zod',
  'execa',
  '@octokit/rest',
  '@octokit/webhooks',
  'pino',
];
const AT_THE_TOP = [
  ...['package.json', 'tsconfig.json', '.env.example'],
  ...['bot', 'orchestrator', 'executors', 'webhooks', 'db', 'tests'],
];

it.each(PACKAGES)('O8: the package depends on %s and imports it', (name) => {
  expect(dependenciesIn('')).toHaveProperty([name]);
  // The local servers come with the package; it is they that start git by execa.
  const rooms = [...PRODUCT_FOLDERS, 'playground'];
  const sources = rooms.flatMap((room) => sourcesIn(new URL(`../../${room}/`, import.meta.url)));
  expect(sources.some((text) => new RegExp(`from '${name}(?:/[^']*)?'`).test(text))).toBe(true);
});

it('O8: vitest runs the tests', () => {
  const { scripts, devDependencies } = z
    .object({ scripts: versions, devDependencies: versions })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
  expect(scripts['test']).toBe('node tests/run.ts');
  const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
  expect(read('../run.ts')).toContain('runVitest(...PROJECTS');
  expect(read('../run-vitest.ts')).toContain("'node_modules/vitest/vitest.mjs', 'run'");
  expect(devDependencies).toHaveProperty('vitest');
});

it.each(AT_THE_TOP)('O8: %s stands at the top', (name) => {
  expect(existsSync(new URL(`../../${name}`, import.meta.url))).toBe(true);
});

it('O6: what the playground depends on comes with the product, at the same version', () => {
  const needs = Object.entries(dependenciesIn('playground/'));
  expect(needs.length).toBeGreaterThan(0);
  expect(Object.entries(dependenciesIn(''))).toEqual(expect.arrayContaining(needs));
});
