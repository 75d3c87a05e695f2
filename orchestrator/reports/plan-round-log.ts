/** One record a round of the plan loop, made of the run's log alone (E8). */
import { z } from 'zod';
import { evolveRun } from '../kernel/run/run-patch.ts';
import { RecordedEvent } from '../kernel/effects/recorded-step.ts';
import type { Run } from '../kernel/run/run.ts';
import type { EventRow } from '#ports/ledger';
import type { TurnRow } from '#ports/records';
import { parseTurnFacts } from '#model/turn';

export type PlanRound = {
  round: number;
  kind: string;
  at: number;
  step: string | null;
  read: string[] | null;
  planned: {
    next: string | null;
    backlog: string[];
    done: string[];
    blocked: string[];
    problem: string;
  } | null;
  changed: { commit: string; files: number; added: number; deleted: number } | null;
  violations: number;
  checked: { passed: boolean; checks: { name: string; outcome: string }[] } | null;
  decided: { state: string; reason: string; round: string };
};

const Ended = z.object({
  violations: z.number().catch(0),
  problem: z.string().catch(''),
  passed: z.boolean().catch(false),
  checks: z.array(z.object({ name: z.string(), outcome: z.string() })).catch([]),
});
const ROUND_ENDS: readonly string[] = [
  'worker.plan.updated',
  'worker.implementation.completed',
  'worker.validation.completed',
];

const readIn = (turns: readonly TurnRow[], since: number, until: number): string[] | null => {
  const own = turns.filter(({ at }) => at >= since && at <= until);
  if (own.length === 0) return null;
  const files = own.flatMap((row) => parseTurnFacts(row)?.context.files.map(({ path }) => path) ?? []);
  return [...new Set(files)];
};

const planFactsOf = (run: Run, problem: string): PlanRound['planned'] => {
  const plan = run.agent.plan?.plan;
  const idsOf = (steps: readonly { id: string }[] = []): string[] => steps.map(({ id }) => id);
  return {
    next: plan?.next?.id ?? null,
    backlog: idsOf(plan?.backlog),
    done: idsOf(plan?.done),
    blocked: idsOf(plan?.blocked),
    problem,
  };
};

const changeFactsOf = ({ change: { commit } }: Run): PlanRound['changed'] =>
  commit && {
    commit: commit.sha,
    files: commit.diff.files.length,
    added: commit.diff.added,
    deleted: commit.diff.deleted,
  };

export const listPlanRounds = (events: readonly EventRow[], turns: readonly TurnRow[] = []): PlanRound[] => {
  const rounds: PlanRound[] = [];
  let run: Run | null = null;
  let since = 0;
  for (const { type, body, at } of events) {
    const step = RecordedEvent.safeParse(JSON.parse(body)).data;
    if (!step) return rounds;
    const before: Run | null = run;
    const after: Run = evolveRun(run, step.changes);
    run = after;
    if (!before?.agent.plan || !ROUND_ENDS.includes(type)) continue;
    const { violations, problem, passed, checks } = Ended.parse(step.input);
    const decided = {
      state: after.lifecycle.state,
      reason: after.lifecycle.reason.kind,
      round: after.agent.round.kind,
    };
    const last = rounds.at(-1);
    if (type === 'worker.validation.completed') {
      if (last && last.checked === null && last.changed)
        rounds[rounds.length - 1] = { ...last, checked: { passed, checks }, decided };
      continue;
    }
    const plans = type === 'worker.plan.updated';
    rounds.push({
      round: rounds.length + 1,
      kind: before.agent.round.kind,
      at,
      step: before.agent.plan.plan.next?.id ?? null,
      read: readIn(turns, since, at),
      planned: plans ? planFactsOf(after, problem) : null,
      changed: plans || step.input['commit'] === null ? null : changeFactsOf(after),
      violations,
      checked: null,
      decided,
    });
    since = at;
  }
  return rounds;
};

export const renderPlanLog = (events: readonly EventRow[], turns: readonly TurnRow[]): string =>
  listPlanRounds(events, turns)
    .map((round) => `${JSON.stringify(round)}\n`)
    .join('');
