/** What is waited for before a run is proven. */
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { publishes } from '../../orchestrator/core/machine/effect-traits.ts';
import { awaitNews, type Playing } from './playing.ts';

/** A run's last work goes on after its end: what it published may still be taken away. */
export const settled = async (p: Pick<Playing, 'ana' | 'app' | 'signal'>, run: Run): Promise<void> => {
  const isOpen = async (): Promise<boolean> => {
    const rows = await p.app.ledger.query.effects({ runId: run.id });
    return rows.some(
      ({ state, do: what }) =>
        (state === 'pending' || state === 'claimed') &&
        (what.kind === 'clean' || what.kind === 'close_pr' || publishes(what)),
    );
  };
  while (!p.signal.aborted && (await isOpen())) await awaitNews(p);
};
