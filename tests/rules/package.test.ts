/** What the published package needs of the playground that it carries in dist/. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const versions = z.record(z.string(), z.string());
const dependenciesIn = (folder: string): Record<string, string> => {
  const file = new URL(`../../${folder}package.json`, import.meta.url);
  return z.object({ dependencies: versions }).parse(JSON.parse(readFileSync(file, 'utf8'))).dependencies;
};

it('O6: what the playground depends on comes with the product, at the same version', () => {
  const needs = Object.entries(dependenciesIn('playground/'));
  expect(needs.length).toBeGreaterThan(0);
  expect(Object.entries(dependenciesIn(''))).toEqual(expect.arrayContaining(needs));
});
