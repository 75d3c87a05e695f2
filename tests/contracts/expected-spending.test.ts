/** O4: before a run starts, what runs like it took, on a ledger that the product made. */
import { describe, expect, it } from 'vitest';
import type { Input } from '#inputs';
import type { CampaignDecision } from '#model/campaign';
import { MINUTE } from '#model/values';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const OP = '10';

const worked = async (
  w: Pick<World, 'offer'>,
  no: number,
  minutes: number,
  costUsd: number,
): Promise<void> => {
  const runId = `past${no}`;
  const inputs = inputsToCard().map((one): Input =>
    one.type === 'worker.implementation.completed'
      ? { ...one, ms: minutes * MINUTE, usage: { ...one.usage, costUsd } }
      : one,
  );
  await w.offer(
    runId,
    { type: 'command.run.create', runId, order: anOrder({ repo: 'acme/api' }) },
    ...inputs,
  );
  await w.offer(runId, { type: 'command.run.finish', by: { id: ANA, name: 'Ana' } });
};
const world = async (runs: number, minutes = 2): Promise<World> => {
  const w = await createChatWorld();
  await w.ledger.setUser({ id: OP, name: 'Op', role: 'operator' }, null);
  for (let no = 1; no <= runs; no += 1) await worked(w, no, no * minutes, no / 10);
  return w;
};
const labels = (w: World): string[] =>
  (w.messages.findLast(({ text }) => text.includes('runs like this'))?.buttons ?? [])
    .flat()
    .map(({ text }) => text);
const EXPECTED = /6 runs like this: \$0\.10–0\.60, 2–12 min\. Limit: 90 min\./;

describe('what a run will take', () => {
  it('O4: /new and the preview of a spoken order say range, count and limit', async () => {
    const w = await world(6);
    expect((await w.says('/new acme/api Fix the flaky retry')).join('\n')).toMatch(EXPECTED);
    expect((await w.says('in acme/api: fix the flaky retry')).join('\n')).toMatch(EXPECTED);
    expect(labels(w)).toEqual(['Start']);
    await w.taps('Start');
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toHaveLength(2);
    w.speaks(BO, 'zh-hans');
    const said = await w.says('/new acme/api 修好不稳定的重试', { by: BO });
    expect(said.join('\n')).toMatch(/6 次类似任务：\$0\.10–0\.60，2–12 分钟。上限：90 分钟/);
  });

  it('O4: of fewer than five runs, and of another engine, nothing is said', async () => {
    const w = await world(5);
    const all = [
      ...(await w.says('/new acme/other Fix it')),
      ...(await w.says('/new acme/api Fix it engine=codex')),
    ];
    expect(all.join('\n')).not.toContain('runs like this');
    expect((await (await world(4)).says('/new acme/api Fix it')).join('\n')).not.toContain('runs like this');
  });

  it('O4: where runs like it met the limit, asking for more is one tap of whoever may', async () => {
    const w = await world(6, 20);
    await w.says('in acme/api: fix the flaky retry');
    expect(w.messages.at(-1)?.text).toMatch(/20–120 min\. Limit: 90 min/);
    expect(labels(w)).toEqual(['Start', 'Start with up to 190 min']);
    await w.taps('Start with up to 190 min');
    const [run] = await w.ledger.query.runs({ live: true, limit: 1 });
    expect(run?.order.bounds.runMs).toBe(190 * MINUTE);

    await w.says('/new acme/api Fix the other retry');
    expect(labels(w)).toEqual(['Raise to 190 min']);
    await w.taps('Raise to 190 min');
    const raised = (await w.ledger.query.runs({ live: true, limit: 9 })).map((r) => r.lifecycle.raisedLimits);
    expect(raised).toContainEqual({ runMs: 190 * MINUTE });
  });

  it('O4: the preview of a campaign offers more by one tap of whoever may, and each run may use it', async () => {
    const w = await createCampaignWorld();
    await w.ledger.setUser({ id: OP, name: 'Op', role: 'operator' }, null);
    for (let no = 1; no <= 6; no += 1) await worked(w, no, no * 20, 0.1);
    await w.figures.refresh();
    await w.orders('/batch acme/api acme/site Fix the flaky retry');
    const card = () => w.messages.findLast(({ text }) => text.includes('runs like'));
    const buttons = () => (card()?.buttons ?? []).flat().map(({ text }) => text);
    expect(card()?.text).toMatch(/20–120 min\. Limit: 90 min/);
    expect(await w.taps('Raise to 190 min', { by: OP })).toContain('Only approvers');
    expect(await w.taps('Raise to 190 min')).toBe('Each run may use up to 190 min.');
    expect(card()?.text).toMatch(/Limit: 190 min/);
    expect(buttons().join()).not.toContain('Raise');
    await w.taps('Start 2');
    await w.goesOn();
    const runs = await w.runs();
    expect(runs).not.toEqual([]);
    expect(runs.map(({ order }) => order.bounds.runMs)).toEqual(runs.map(() => 190 * MINUTE));
    // The tap of an older copy raises nothing of what has begun.
    const [one] = await w.ledger.query.campaigns();
    const decision: CampaignDecision = { kind: 'granted', budgets: [{ budget: 'time', amount: 900 }] };
    const late = { decision, by: null, at: w.clock.now() };
    expect((await w.ledger.campaigns.decide(one?.id ?? '', late)).kind).toBe('refused');
  });

  it('O4: nobody else is offered more', async () => {
    const w = await world(6, 20);
    await w.says('in acme/api: fix the flaky retry', { by: OP });
    expect(w.messages.at(-1)?.text).toMatch(/Limit: 90 min/);
    expect(labels(w)).toEqual(['Start']);
    await w.says('/new acme/api Fix the other retry', { by: OP });
    expect(labels(w)).toEqual([]);
    expect((await w.says('in acme/api: fix it', { by: VIC })).join()).toContain('Only operators');
  });
});
