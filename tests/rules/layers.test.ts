/** Each test lies in a layer, and what `npm test` runs is enough to prove the promises. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLayer, isSlow, LAYERS } from '../layers.ts';
import { markersInCode, sayCheck } from '../prove/guards/guard.ts';
import { GUARDS } from '../prove/guards/table.ts';

const ROOT = join(import.meta.dirname, '../..');
/** They need what a machine may lack, and have commands of their own. */
const OF_THEIR_OWN = ['tests/agents/', 'tests/containers/'];
/** Code of the gate, the seal, approvals, the ledger and the sandbox. */
const PROMISES = ['orchestrator/kernel/gate/', 'model/seal/', 'db/', 'executors/sandbox/'];

const tests = globSync(['tests/**/*.test.ts', 'playground/**/*.test.ts'], {
  cwd: ROOT,
  exclude: (path) => path.endsWith('node_modules'),
}).filter((file) => !OF_THEIR_OWN.some((folder) => file.startsWith(folder)));

describe('the layers of the suite', () => {
  it('have every test', () => {
    expect(tests.length).toBeGreaterThan(400);
    expect(tests.filter((file) => findLayer(file) === undefined)).toEqual([]);
  });

  it('have tests each, quick ones and slow ones apart', () => {
    for (const { name } of LAYERS)
      expect(
        tests.filter((file) => findLayer(file)?.name === name && !isSlow(file)).length,
        name,
      ).toBeGreaterThan(0);
  });
});

describe('a guard of the gate, the seal, approvals, the ledger or the sandbox', () => {
  const fileOf = new Map(markersInCode().map(({ id, file }) => [id, file]));
  const guards = GUARDS.filter(({ id }) =>
    PROMISES.some((place) => (fileOf.get(id) ?? '').startsWith(place)),
  );

  it('is killed by a test that npm test runs', () => {
    expect(guards.length).toBeGreaterThan(100);
    const left = guards.filter(({ by }) => !('test' in by) || isSlow(by.test));
    expect(left.map(({ id, by }) => `${id}: ${sayCheck(by)}`)).toEqual([]);
  });
});
