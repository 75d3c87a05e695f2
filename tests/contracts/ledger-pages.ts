/** O5: pages of runs are filtered and cut where they are stored, on every ledger alike. */
import { expect, it } from 'vitest';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Order } from '#model/order';
import type { RunState } from '#model/run';
import type { RunFilter } from '#ports/ledger';
import { anOrder, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

export const pageContract = (open: Open): void => {
  const { ledger } = useLedger(open);
  const place = (id: string, now: number, state: RunState, order: Partial<Order> = {}): Promise<unknown> =>
    write(ledger(), id, { now, run: patchRun({ lifecycle: { state } }, { order: anOrder(order) }) });
  const idsOf = async (filter: RunFilter, live = false): Promise<string[]> =>
    (await ledger().query.runPage({ live, limit: 10, filter, after: null })).map(({ id }) => id);

  it('O5: a page begins behind the last run of the page before, also among runs of one moment', async () => {
    for (const [i, at] of [1_000, 2_000, 2_000, 2_000, 3_000].entries()) await place(`r${i}`, at, 'DONE');
    await place('live', 9_000, 'QUEUED');
    const seen: string[] = [];
    let after: { at: number; id: string } | null = null;
    for (;;) {
      const page = await ledger().query.runPage({ live: false, limit: 2, filter: {}, after });
      const last = page.at(-1);
      if (!last) break;
      seen.push(...page.map(({ id }) => id));
      after = { at: last.lifecycle.updatedAt, id: last.id };
    }
    expect(seen).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
    expect(await idsOf({}, true)).toEqual(['live']);
  });

  it('O5: every part of a filter must fit, in any case, and its signs mean nothing', async () => {
    await place('a1', 1_000, 'DONE', { repo: 'Acme/Api', goal: 'Say 100% "hello"', engine: 'codex' });
    await place('a2', 2_000, 'SKIPPED', { repo: 'acme/web_app', requester: { id: '9', name: 'Zoë 50%' } });
    await place('b1', 3_000, 'DONE', { repo: 'other/acme', campaign: 'c-abcdef' });
    expect(await idsOf({ owner: 'ACME' })).toEqual(['a2', 'a1']);
    expect(await idsOf({ repo: 'api' })).toEqual(['a1']);
    expect(await idsOf({ repo: 'web_app' })).toEqual(['a2']);
    expect(await idsOf({ repo: 'web%app' })).toEqual([]);
    expect(await idsOf({ engine: 'codex', owner: 'acme' })).toEqual(['a1']);
    expect(await idsOf({ engine: 'codex', owner: 'other' })).toEqual([]);
    expect(await idsOf({ person: 'zoë 50%' })).toEqual(['a2']);
    expect(await idsOf({ state: 'skip' })).toEqual(['a2']);
    expect(await idsOf({ campaign: 'C-ABCDEF' })).toEqual(['b1']);
    expect(await idsOf({ text: '100% "HELLO"' })).toEqual(['a1']);
    expect(await idsOf({ text: '\\' })).toEqual([]);
    expect(await idsOf({ text: 'b1' })).toEqual(['b1']);
  });

  it('O5: the newest event has the highest number', async () => {
    expect(await ledger().query.newestEvent()).toBe(0);
    await place('a', 1_000, 'QUEUED');
    const first = await ledger().query.newestEvent();
    await place('b', 1_000, 'QUEUED');
    expect(await ledger().query.newestEvent()).toBeGreaterThan(first);
  });

  it('G12: gives the leaves of published decisions in the order of their events, page by page', async () => {
    const leaf = (n: number): string => String(n).repeat(64);
    const publish = (id: string, type: string, n?: number): Promise<unknown> =>
      write(ledger(), id, { event: { type, body: { input: n === undefined ? {} : { leaf: leaf(n) } } } });
    const { query } = ledger();
    expect(await query.publishedLeaves({ after: 0, upto: 100 })).toEqual([]);
    await publish('a', 'worker.pr.opened', 2);
    await publish('b', 'worker.pr.opened', 1);
    const middle = await query.newestEvent();
    await publish('a', 'worker.push.completed', 3);
    await publish('b', 'worker.push.completed');
    await publish('b', 'command.run.pause', 4);
    const newest = await query.newestEvent();
    expect(await query.publishedLeaves({ after: 0, upto: newest })).toEqual([2, 1, 3].map(leaf));
    expect(await query.publishedLeaves({ after: 0, upto: middle })).toEqual([2, 1].map(leaf));
    expect(await query.publishedLeaves({ after: middle, upto: newest })).toEqual([leaf(3)]);
  });
};
