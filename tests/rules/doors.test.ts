/** Doors: each says what it gives, and few imports between rooms go past one. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { DOORS, PRODUCT_FOLDERS, ROOT } from './product.ts';

/** This number only gets smaller. */
const MOST_IMPORTS_PAST_DOORS = 111;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const files = globSync(
  PRODUCT_FOLDERS.map((folder) => `${folder}/**/*.ts`),
  { cwd: ROOT },
);
const roomOf = (file: string): string => file.split('/')[0] ?? file;

it.each([...DOORS])('%s names what it gives', (_, folder) => {
  expect(read(join(folder, 'index.ts'))).not.toMatch(/export \*/);
});

it('rooms reach each other by doors', () => {
  const past = files.flatMap((file) =>
    [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, path = '']) => normalize(join(dirname(file), path)))
      .filter((to) => roomOf(to) !== roomOf(file) && !to.endsWith('/index.ts'))
      .map((to) => `${file} → ${to}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(past.length, past.join('\n')).toBeLessThanOrEqual(MOST_IMPORTS_PAST_DOORS);
});
