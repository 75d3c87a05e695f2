/** A guard of the product: its marker, how to break it, and what must notice. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markers, type Break } from './breaks.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A test file, optionally some of its tests; or trials of a claim. */
export type Check = { test: string; named?: string } | { claim: string; trials: number };
/** `id` is the spec's rule and a name: `G3-expiry`. */
export type Guard = { id: string; name: string; how: Break; by: Check };

export const test = (path: string, named?: string): Check => ({
  test: `tests/${path}.test.ts`,
  ...(named === undefined ? {} : { named }),
});
export const claim = (name: string, trials: number): Check => ({ claim: name, trials });

export const noticedBy = (
  by: Check,
  rows: readonly (readonly [id: string, name: string, how: Break])[],
): Guard[] => rows.map(([id, name, how]) => ({ id, name, how, by }));

export const sayCheck = (check: Check): string =>
  'test' in check
    ? `${check.test}${check.named === undefined ? '' : ` (${check.named})`}`
    : `claim ${check.claim}`;

export const markersInCode = (): { id: string; file: string }[] =>
  execFileSync('git', ['ls-files', '-z', '*.ts', ':!tests', ':!bench'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '')
    .flatMap((file) => markers(readFileSync(join(ROOT, file), 'utf8')).map(({ id }) => ({ id, file })));
