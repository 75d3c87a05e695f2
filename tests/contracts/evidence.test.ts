/** F6: what a fix round is given of red checks: what they say of lines first, then their log, cut down. */
import { expect, it } from 'vitest';
import { createRepositoryReader } from '../../executors/git/reader/repository-reader.ts';
import { gatherEvidence } from '../../orchestrator/briefing/brief-agent.ts';
import type { PromptEvidence } from '../../orchestrator/briefing/render-prompt.ts';
import type { FailedCheck } from '#ports/forge';
import { at } from '../support/core.ts';

const { run } = at('ITERATING');
const given = async (checks: FailedCheck[]): Promise<PromptEvidence[]> => {
  const forge = { failedChecks: async () => checks } as unknown as Parameters<
    typeof gatherEvidence
  >[0]['forge'];
  return gatherEvidence({ forge, texts: { reader: createRepositoryReader() } }, run, run.agent.round);
};

it('F6: annotations reach the round with file and line, before the log', async () => {
  const [one] = await given([
    {
      name: 'lint',
      url: null,
      log: 'error: no-unused-vars\n',
      lines: ['src/a.ts:3: unused', 'src/b.ts:9: no any'],
    },
  ]);
  expect(one?.title).toContain('“lint” failed');
  expect(one?.data).toMatch(/^src\/a\.ts:3: unused\nsrc\/b\.ts:9: no any\n[^]*no-unused-vars/);
});

it('F6: of very many lines the first are given, and a check without a log says so', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `a.ts:${i + 1}: x`);
  const [one] = await given([{ name: 'lint', url: null, log: '', lines }]);
  expect(one?.data?.split('\n')).toHaveLength(31);
  expect(one?.data).toContain('It left no log.');
});
