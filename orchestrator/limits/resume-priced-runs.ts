/** Resumes runs at start that had stopped for a missing model price (E18). */
import { isStoppedForPrice } from '../kernel/lifecycle/run-budget.ts';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import type { SubmitInput } from '../kernel/runtime/submit-input.ts';

const MAX_RUNS = 1_000;
const PRICES_SETTING_PERSON = { id: null, name: 'gateway.prices' };

export const resumePricedRuns = async (parts: {
  ledger: { query: Pick<Ledger['query'], 'runs'> };
  submit: SubmitInput;
  log: LogPort;
  hasPrice: (model: string) => boolean;
}): Promise<void> => {
  const { ledger, submit, log, hasPrice } = parts;
  for (const run of await ledger.query.runs({ live: true, limit: MAX_RUNS })) {
    const {
      lifecycle: { reason },
    } = run;
    if (!isStoppedForPrice(run) || reason.kind !== 'price_unknown') continue;
    const { model } = reason;
    // guard: E18-priced-goes-on
    if (model === null || !hasPrice(model)) continue;
    await submit({
      runId: run.id,
      input: { type: 'command.retry', by: PRICES_SETTING_PERSON, target: null },
      key: `priced:${run.lifecycle.epoch}`,
      cause: { kind: 'none' },
    });
    log.info({ run: run.id, model }, 'a run goes on: its model has a price now');
  }
};
