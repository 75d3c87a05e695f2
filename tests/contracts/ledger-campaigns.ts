/** Campaigns: an order that stays, decisions that are taken once, and the runs that belong to it. */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { expect, it } from 'vitest';
import type { Order } from '#model/order';
import { aCampaign } from '../support/campaigns.ts';
import { anOrder, aRun, enter, work, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const ana = { id: '7', name: 'Ana' };
const ID = 'c-aaaaaa';

export const campaignContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const plan = (id = ID, at = 5) => ledger().campaigns.plan({ id, order: aCampaign(), at, by: ana });
  const decide = (kind: 'started' | 'paused' | 'resumed' | 'closed', id = ID) =>
    ledger().campaigns.decide(id, { decision: { kind }, by: ana, at: 9 });

  it('L1: a campaign keeps the order that it was planned with, through a restart', async () => {
    expect(await plan()).toBe(true);
    const other = aCampaign({ name: 'Another one' });
    expect(await ledger().campaigns.plan({ id: ID, order: other, at: 6, by: null })).toBe(false);
    await plan('c-bbbbbb', 7);
    const { query } = await restart();
    expect(await query.campaign(ID)).toMatchObject({
      campaign: { id: ID, state: 'planned', released: 0, plannedAt: 5, by: ana },
      order: aCampaign(),
    });
    expect((await query.campaigns()).map(({ id }) => id)).toEqual(['c-bbbbbb', ID]);
    expect(await query.campaign('c-cccccc')).toBeNull();
  });

  it('S4: a decision about a campaign is taken once, and refused where it makes no sense', async () => {
    await plan();
    expect(await decide('paused')).toMatchObject({ kind: 'refused', campaign: { state: 'planned' } });
    expect(await decide('started')).toMatchObject({ kind: 'taken', campaign: { state: 'running' } });
    expect(await decide('started')).toMatchObject({ kind: 'same' });
    expect(await decide('started', 'c-zzzzzz')).toEqual({ kind: 'unknown' });
    const { campaign } = (await ledger().query.campaign(ID)) ?? {};
    const widen = (to: number) =>
      ledger().campaigns.decide(ID, {
        decision: { kind: 'widened', to, step: 0 },
        by: null,
        at: 10,
        from: { stateEnteredAt: campaign?.stateEnteredAt ?? 0, released: 0 },
      });
    expect(await widen(1)).toMatchObject({ kind: 'taken', campaign: { released: 1, stepStart: 0 } });
    // What was concluded from how it stood holds no more once it has moved on.
    expect(await widen(2)).toMatchObject({ kind: 'same', campaign: { released: 1 } });
    expect(await decide('closed')).toMatchObject({ kind: 'taken', campaign: { state: 'closed' } });
    expect(await decide('resumed')).toMatchObject({ kind: 'refused' });
    const { query } = await restart();
    expect((await query.campaign(ID))?.campaign).toMatchObject({
      state: 'closed',
      released: 1,
      stateEnteredAt: 9,
    });
  });

  it('E6: what a campaign starts is not counted among the runs of the day', async () => {
    const put = (id: string, order: Partial<Order>) =>
      write(ledger(), id, {
        effects: [work('start_run')],
        run: patchRun(aRun(id, 10, order), { lifecycle: { version: 1 } }),
      });
    await put('r1', { campaign: ID });
    await put('r2', {});
    const window = { since: 0, until: 100 };
    const of = async (part: 'waiting' | 'started') => (await ledger().query.queue(window))[part];
    expect(await of('waiting')).toMatchObject([
      { runId: 'r1', campaign: true },
      { runId: 'r2', campaign: false },
    ]);
    for (const id of ['r1', 'r2']) await enter(ledger(), id, 'DISCOVERY', { now: 20 });
    expect(await of('started')).toHaveLength(1);
    expect((await ledger().query.queue(window)).busy).toHaveLength(2);
  });

  it('L1: the runs of a campaign are found by it, and those of others are not', async () => {
    const begin = (id: string, campaign: string | null, at: number) =>
      write(ledger(), id, {
        now: at,
        run: patchRun(aRun(id, at, anOrder(campaign === null ? {} : { campaign })), {
          lifecycle: { version: 1 },
        }),
      });
    await begin('r1', ID, 30);
    await begin('r2', null, 20);
    await begin('r3', ID, 10);
    await begin('r4', 'c-bbbbbb', 10);
    expect((await ledger().query.campaignRuns(ID)).map(({ id }) => id)).toEqual(['r3', 'r1']);
    expect(await ledger().query.campaignRuns('c-zzzzzz')).toEqual([]);
  });
};
