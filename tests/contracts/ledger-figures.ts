/** O4: figures are kept beside the log, found again after a restart, and made anew when it moves. */
import { expect, it } from 'vitest';
import { createFigures } from '../../orchestrator/reports/fold-figures.io.ts';
import { createSubmitInput } from '#runtime';
import type { Ledger } from '#ports/ledger';
import { created, skip, startDiscovery, type Act } from '../support/core.ts';
import { write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

let keys = 0;
const order = async (ledger: Ledger, at: number, ...acts: Act[]): Promise<void> => {
  const ids = { runId: () => 'r1', nonce: () => 'nonce-of-sixteen' };
  const submit = createSubmitInput({ ledger, clock: { now: () => at }, ids });
  const give = (input: Parameters<typeof submit>[0]['input']) =>
    submit({ runId: 'r1', input, key: `k${(keys += 1)}`, cause: { kind: 'none' } });
  if (!(await ledger.query.run('r1'))) await give(created());
  for (const act of acts) {
    const run = await ledger.query.run('r1');
    if (run) await give(act(run).input);
  }
};

export const figureContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const figures = (one: Ledger) => createFigures({ query: one.query, books: one.figures });

  it('O4: figures follow the log, are kept through a restart, and are not folded twice', async () => {
    await order(ledger(), 5_000, startDiscovery);
    const first = figures(ledger());
    expect(await first.refresh()).toBe(true);
    expect(await first.since(0)).toMatchObject([{ run: 'r1', state: 'DISCOVERY', createdAt: 5_000 }]);
    expect(await first.since(5_001)).toEqual([]);
    await order(ledger(), 6_000, skip);
    const again = await restart();
    const second = figures(again);
    expect(await second.since(0)).toMatchObject([{ state: 'DISCOVERY' }]);
    await second.refresh();
    expect(await second.since(0)).toMatchObject([{ state: 'SKIPPED', endedAt: 6_000 }]);
    let read = 0;
    const events = (id: string) => ((read += 1), again.query.events(id));
    await createFigures({ query: { ...again.query, events }, books: again.figures }).refresh();
    expect(read).toBe(0);
  });

  it('O4: whoever may only read folds what nobody has kept yet, and writes nothing', async () => {
    await order(ledger(), 5_000, startDiscovery);
    const reader = createFigures({ query: ledger().query });
    await reader.refresh();
    expect(await reader.since(0)).toMatchObject([{ state: 'DISCOVERY' }]);
    expect(await figures(ledger()).since(0)).toEqual([]);
  });

  it('O4: a log that cannot be read has no figures, and is in nobody’s way', async () => {
    await write(ledger(), 'strange');
    await order(ledger(), 5_000);
    const some = figures(ledger());
    await some.refresh();
    expect((await some.since(0)).map(({ run }) => run)).toEqual(['r1']);
  });
};
