/** Prepares the plan file of a planned round, guards it, and reads it afterwards (E8). */
import type { DiscardedEdits } from '#model/change';
import { parsePlan, renderPlanFile } from '#model/feedback';
import type { AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import type { ExecutorDone } from '#ports/processes';
import type { MeterReading } from '#ports/ledger';
import type { EffectContext } from '../handlers/effect-context.ts';

type Needs = { agents: Pick<EffectContext['agents'], 'notes'> };

/** Restores the accepted notes before each round, which discards forbidden edits. */
export const writeAcceptedNotes = async (
  { agents: { notes } }: Needs,
  run: Run,
  { kind, feedback: told }: AgentRound,
): Promise<void> => {
  if (kind === 'preflight' && told.length === 0) await notes.write(run.id, 'CONTRACT.jsonl', '');
  if (run.agent.plan) await notes.write(run.id, 'PLAN.md', renderPlanFile(run.agent.plan.plan));
};

export const countPlanViolations = async ({ agents: { notes } }: Needs, run: Run): Promise<number> =>
  run.agent.plan && (await notes.read(run.id, 'PLAN.md')) !== renderPlanFile(run.agent.plan.plan) ? 1 : 0;

export const toPlanOutcome = async (
  parts: Needs,
  run: Run,
  spent: MeterReading & Pick<ExecutorDone, 'containment'>,
  undone: DiscardedEdits | null,
): Promise<HandlerOutcome> => {
  const text = await parts.agents.notes.read(run.id, 'PLAN.md');
  const read =
    text === null ? { problems: ['~/PLAN.md is gone, or is no plain text file'] } : parsePlan(text);
  const plan = 'plan' in read ? read.plan : null;
  const problem = 'problems' in read ? read.problems.slice(0, 10).join('\n') : '';
  const violations = undone ? 1 : 0;
  return {
    kind: 'result',
    input: { type: 'worker.plan.updated', plan, problem, ...spent, violations, discardedEdits: undone },
  };
};
