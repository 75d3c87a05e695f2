/**
 * A guard of the product: the marker that names it in the code, how it is broken, and what must
 * notice.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markers, type Break } from './breaks.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A test file, or some of its tests by their names; or so many trials of a claim of the prover. */
export type Check = { test: string; named?: string } | { claim: string; trials: number };
/** `id` is the rule of the specification and a name: `G3-expiry`. */
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

/** Every marker in the product's code, with its file. */
export const markersInCode = (): { id: string; file: string }[] =>
  execFileSync('git', ['ls-files', '-z', '*.ts', ':!tests', ':!bench'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '')
    .flatMap((file) => markers(readFileSync(join(ROOT, file), 'utf8')).map(({ id }) => ({ id, file })));
