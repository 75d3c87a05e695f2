/** O7: `/insights` proposes, an admin's tap changes, the log keeps it, and it is measured. */
import { expect, it } from 'vitest';
import { MIN_SAMPLE_SIZES } from '../../orchestrator/reports/insights.ts';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
/** Runs of one engine that come to a card, and people who deny every one of them, or take it. */
const decided = async (
  w: World,
  engine: string,
  denies: boolean,
  n: number = MIN_SAMPLE_SIZES.runs,
): Promise<void> => {
  for (let i = 0; i < n; i += 1) {
    await w.readyRun({ order: { engine } });
    w.passes(20_000);
    for (const button of denies ? ['Deny', 'No reason'] : ['Open PR', 'Confirm']) await w.taps(button);
  }
};
const buttons = (w: World): string[] =>
  w.messages
    .at(-1)
    ?.buttons.flat()
    .map(({ text }) => text) ?? [];

it('O7: nothing is proposed of few runs, and that is said with the numbers', async () => {
  const w = await createChatWorld();
  expect((await w.says('/insights')).join()).toContain('No runs were ordered in this period.');
  await w.says('/settings engine codex');
  await decided(w, 'codex', true, 2);
  const [said] = await w.says('/insights');
  expect(said).toContain('What cost attention in the last 90 days');
  expect(said).toMatch(/2 runs: 4\ds, \d+ taps, \d+ sounds\./);
  expect(said).toContain('Nothing certain enough to propose.');
  expect(said).toContain(`fewer than ${MIN_SAMPLE_SIZES.runs} runs on each side`);
  expect(said).toContain('Pull requests: 2 of 2');
  expect(said).toContain('too few to compare');
  expect(buttons(w)).toEqual(['30 days', 'All']);
  expect((await w.says('/insights soon')).join()).toContain('there are: 7d, 12w, all');
});

it('O7: what is proposed is applied by an admin’s tap alone, recorded, and measured afterwards', async () => {
  const w = await createChatWorld();
  await w.says('/settings engine codex');
  await decided(w, 'codex', true);
  await decided(w, 'claude', false);
  const [seen] = await w.says('/insights', { by: VIC });
  expect(seen).toContain('Usual engine: claude. Runs that stopped for a person: 20 of 20');
  expect(buttons(w)).not.toContain('Engine: claude');
  await w.says('/insights');
  // Another hand on the same button changes nothing.
  await w.taps('Engine: claude', { by: BO });
  expect(w.runtimeSettings.now().engine).toBe('codex');
  await w.says('/insights');
  w.passes(1_000);
  await w.taps('Engine: claude');
  expect(w.runtimeSettings.now().engine).toBe('claude');
  expect((await w.ledger.query.changes(1))[0]).toMatchObject({
    key: 'set:engine',
    value: 'claude',
    by: { id: ANA },
  });
  w.passes(1_000);
  await decided(w, 'claude', false);
  const [after] = await w.says('/insights');
  expect(after).toContain('What followed the changes');
  expect(after).toMatch(
    /Usual engine: claude\s+stopped for a person: 20 of 40 [^;]*before, 0 of 20 [^;]*after; −50 points \(−6\d to −2\d\)/,
  );
  expect(after).toContain('attention for each run, median: 22s (22s to 23s) before, 22s (22s to 22s) after');
  expect(after).toContain('Nothing certain enough to propose.');
});
