/** Totals of each proposer of a run's turns: its proposals, and what its answers cost (E9). */
import { addUsage, NO_USAGE, type ModelUsage } from '#model/reports';
import type { TurnFacts } from './turn-record.ts';

export type ProposerTotal = {
  proposer: string;
  turns: number;
  chosen: number;
  denied: number;
  failed: number;
  usage: ModelUsage;
};

export const proposerTotals = (turns: readonly Pick<TurnFacts, 'choice'>[]): ProposerTotal[] => {
  const totals = new Map<string, ProposerTotal>();
  for (const { choice } of turns)
    for (const { proposer, result, usage } of choice?.proposals ?? []) {
      const before = totals.get(proposer) ?? NOTHING;
      totals.set(proposer, {
        proposer,
        turns: before.turns + 1,
        chosen: before.chosen + (result === 'chosen' ? 1 : 0),
        denied: before.denied + (result === 'denied' ? 1 : 0),
        failed: before.failed + (result === 'failed' || result === 'invalid' ? 1 : 0),
        usage: addUsage(before.usage, usage),
      });
    }
  return [...totals.values()];
};
const NOTHING = { turns: 0, chosen: 0, denied: 0, failed: 0, usage: NO_USAGE };
