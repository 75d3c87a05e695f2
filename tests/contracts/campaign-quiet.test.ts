/**
 * C8, F5: a campaign speaks with one card that stays true, and only what asks for somebody comes
 * besides.
 */
import { expect, it } from 'vitest';
import { addMessage, type StepDraft } from '../../orchestrator/kernel/lifecycle/step-draft.ts';
import type { MessageView } from '#effects';
import { waitForProvider } from '../../orchestrator/kernel/lifecycle/on-failure.ts';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { at } from '../support/core.ts';

const REPOS = Array.from({ length: 20 }, (_, i) => `team-${i % 4}/service-${i}`);

it('C8, F5: 20 repositories from the first to the last, and a chat hears of cards and of the campaign', async () => {
  const w = await createCampaignWorld();
  await w.orders(`/batch ${REPOS.join(' ')} Fix the flaky retry`);
  await w.taps('Start 20');
  const before = w.messages.length;
  const own = w.messages[before - 1];
  const done = new Set<string>();
  const through = async (): Promise<void> => {
    await w.goesOn();
    for (const repo of await w.repos()) {
      if (done.has(repo)) continue;
      done.add(repo);
      if (done.size === 5) await w.fails(repo);
      else await w.opens(repo);
      await w.deliver();
    }
    await w.goesOn();
  };
  while (done.size < REPOS.length) await through();
  const since = w.messages.slice(before);
  expect(since.map(({ text }) => text.split(' ·')[0])).toEqual(['NEEDS YOU']);
  expect(since[0]).toMatchObject({ silent: false });
  // The card of the campaign, in the message in which it was started.
  expect(own?.text).toMatch(/^RUNNING/);
  expect(own?.text).toContain('19 open, waiting for checks');
  expect(own?.text).toMatch(/Failed: \S+ \w+ \(missing on this machine\)/);
  expect(w.failed).toEqual([]);
});

it('C8, F5: of a campaign, budgets, pictures and changes by others are told by nobody, and a long wait once', () => {
  const toldOf = (show: MessageView, campaign: object = { campaign: 'c-aaaaaa' }) => {
    const { run } = at('CI_WAIT');
    const d = { run: { ...run, order: { ...run.order, ...campaign } }, effects: [], stamp: { at: 1 } };
    addMessage(d as unknown as StepDraft, show);
    return d.effects.length;
  };
  const shows: MessageView[] = [
    { view: 'budget', budget: 'time', used: 8, limit: 10 },
    { view: 'pictures', sides: [] },
    { view: 'note', note: { kind: 'pull_changed', pull: '#1', changes: [] } },
  ];
  for (const show of shows) {
    expect(toldOf(show)).toBe(0);
    expect(toldOf(show, {})).toBe(1);
  }
  const waits = ['r1', 'r2'].map((id) => {
    const { run } = at('IMPLEMENTING');
    const order = { ...run.order, campaign: 'c-aaaaaa' };
    const d = { run: { ...run, id, order }, effects: [] as { do: { slot?: string } }[], stamp: { at: 1 } };
    waitForProvider(d as unknown as StepDraft, 'rate_limited', 3_600_000);
    return d.effects[0]?.do.slot;
  });
  expect(waits[0]).toMatch(/^waiting:c-aaaaaa:rate_limited/);
  expect(waits[1]).toBe(waits[0]);
});
