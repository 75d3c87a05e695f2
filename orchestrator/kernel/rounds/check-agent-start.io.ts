/** Decides whether an agent may start for a run now: for a round and for a person's question alike (E6, E18, P7). */
import type { FailureClass } from '#model/failure';
import { MINUTE } from '#model/values';
import type { WriteHold } from '#ports/forge';
import type { EffectContext } from '../handlers/effect-context.ts';
import { boundsOf, findExhaustedBudget, remainingRunMs } from '../lifecycle/run-budget.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import type { Run } from '../run/run.ts';

type AgentStop = { hold: WriteHold } | { class: FailureClass; message: string };

export const checkMayStartAgent = async (
  { agents: { engines, findHold } }: Pick<EffectContext, 'agents'>,
  run: Run,
): Promise<AgentStop | null> => {
  const engine = engineOf(run);
  if (!engines[engine]) return { class: 'agent_missing', message: `the engine ${engine} is not configured` };
  if (findExhaustedBudget(run) !== null || remainingRunMs(run) <= 0) {
    const minutes = Math.round(boundsOf(run).runMs / MINUTE);
    return { class: 'budget_exceeded', message: `${minutes} minutes of agent and check time are used up` };
  }
  const hold = (await findHold?.(run)) ?? null;
  return hold && { hold };
};
