/** E7: repositories of the largest size that is read at all. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Contract } from '#model/contract';
import { discoverContract, selectContractFiles } from '../../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learn = (files: Files, more: readonly string[] = []): Contract => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return Contract.parse(discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null)));
};
/** Stops what takes too long, so that the test fails in place of hanging. */
const within = (files: Files, more: readonly string[] = []): Contract => {
  let learned: Contract | null = null;
  runInNewContext(
    'done(learn(files, more))',
    { learn, files, more, done: (c: Contract) => (learned = c) },
    { timeout: 60_000 },
  );
  return Contract.parse(learned);
};
const ci = (text: string): Files => ({ '.github/workflows/ci.yml': text });
const job = (id: string, steps: string): string =>
  `  ${id}:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;

describe('a repository that is too much', { timeout: 120_000 }, () => {
  it('E7: a hundred thousand files and a thousand projects', () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`p${i}/package.json`, '{"scripts":{"test":"x"}}']),
    );
    const more = Array.from({ length: 100_000 }, (_, i) => `p${i % 1_000}/src/dir${i % 97}/f${i}.ts`);
    const c = within({ ...files, ...ci(`on: push\njobs:\n${job('a', '      - run: make test\n')}`) }, more);
    expect(c.checks.length).toBeGreaterThan(0);
    expect(selectContractFiles([...Object.keys(files), ...more]).length).toBeLessThanOrEqual(400);
    expect(c.riskFlags.join()).toContain('very large');
  });
});
