/** Waits for a run's last effects before its proof, and reports the webhook deliveries. */
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import { isPublishing } from '../../orchestrator/kernel/run/effect-traits.ts';
import { awaitPhoneChange, type DemoStage } from './demo-stage.ts';

/** A run's last effects go on after its end, e.g. to delete its branch. */
export const waitUntilSettled = async (
  p: Pick<DemoStage, 'ana' | 'app' | 'signal'>,
  run: Run,
): Promise<void> => {
  const isOpen = async (): Promise<boolean> => {
    const rows = await p.app.ledger.query.effects({ runId: run.id });
    return rows.some(
      ({ state, do: what }) =>
        (state === 'pending' || state === 'claimed') &&
        (what.kind === 'remove_workspace' || what.kind === 'close_pr' || isPublishing(what)),
    );
  };
  while (!p.signal.aborted && (await isOpen())) await awaitPhoneChange(p);
};

const LATE_MS = 150;

export const describeDeliveries = async (
  { app, github }: Pick<DemoStage, 'app' | 'github'>,
  run: Run,
): Promise<string | null> => {
  const sent = [...Map.groupBy(github.deliveries(), ({ guid }) => guid).values()];
  const n = (is: (copies: (typeof sent)[number]) => boolean): number => sent.filter(is).length;
  const late = n((copies) => copies.some(({ at, leftAt }) => leftAt !== null && leftAt - at > LATE_MS));
  const lost = n((copies) => copies.every(({ state }) => state === 'dropped'));
  const twice = n((copies) => copies.filter(({ state }) => state === 'answered').length > 1);
  if (lost + twice === 0) return null;
  const events = await app.ledger.query.events(run.id);
  const asked = events.filter(({ type, key }) => type.startsWith('forge.') && !key.startsWith('forge:'));
  return `${sent.length} deliveries: ${late} late, ${lost} lost, ${twice} twice; ${asked.length} facts found by asking.`;
};
