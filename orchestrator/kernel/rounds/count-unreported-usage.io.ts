/** Counts the bill of killed processes, by the upper bound stored before each request (E18). */
import { NO_USAGE, type ModelUsage } from '#model/reports';
import type { Run } from '../run/run.ts';
import type { ClaimOf } from '../runtime/effect-handler.ts';
import type { AttemptRow } from '#ports/ledger';
import { requireRunOf, type EffectContext } from '../handlers/effect-context.ts';

const MAX_ROUNDING_USD = 1e-6;

const usageWith = (total: ModelUsage, more: ModelUsage): ModelUsage => ({
  inputTokens: total.inputTokens + more.inputTokens,
  outputTokens: total.outputTokens + more.outputTokens,
  costUsd: total.costUsd + more.costUsd,
});
const usageBeyond = (most: ModelUsage, counted: ModelUsage): ModelUsage => ({
  inputTokens: Math.max(0, most.inputTokens - counted.inputTokens),
  outputTokens: Math.max(0, most.outputTokens - counted.outputTokens),
  costUsd: most.costUsd - counted.costUsd > MAX_ROUNDING_USD ? most.costUsd - counted.costUsd : 0,
});

const unheardUsage = (run: Run, past: readonly AttemptRow[]): ModelUsage | null => {
  let most = NO_USAGE;
  for (const { billed } of past)
    if (billed !== null)
      most = {
        inputTokens: Math.max(most.inputTokens, billed.inputTokens),
        outputTokens: Math.max(most.outputTokens, billed.outputTokens),
        costUsd: Math.max(most.costUsd, billed.costUsd),
      };
  const unheard = usageBeyond(most, run.lifecycle.usage);
  return unheard.inputTokens + unheard.outputTokens + unheard.costUsd === 0 ? null : unheard;
};

export const usageAfterAttempt = (run: Run, attempt: ModelUsage): ModelUsage =>
  usageWith(run.lifecycle.usage, attempt);

export const countUnreportedUsage = async (
  parts: Pick<EffectContext, 'ledger' | 'submit'>,
  claim: ClaimOf<'implement' | 'answer_question'>,
): Promise<Run> => {
  const run = await requireRunOf(parts, claim.runId);
  const usage = unheardUsage(run, await parts.ledger.query.attempts(run.id));
  // guard: E18-unheard-counted
  if (usage === null) return run;
  await parts.submit({
    runId: run.id,
    input: {
      type: 'worker.usage.reported',
      by: 'agent',
      atMost: true,
      session: null,
      usage,
      ms: 0,
      outputBytes: 0,
    },
    key: `unheard:${claim.id}:${claim.leaseEpoch}`,
    cause: { kind: 'none' },
    effectEpoch: claim.epoch,
  });
  return requireRunOf(parts, run.id);
};
