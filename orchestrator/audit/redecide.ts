/** Compares logged decisions with today's rules, which may have changed since (L5). */
import { evolveRun } from '../kernel/run/run-patch.ts';
import { InputSchema } from '../kernel/inputs/inputs.ts';
import { RecordedEvent } from '../kernel/effects/recorded-step.ts';
import { decideStep } from '../kernel/lifecycle/decide.ts';
import type { Run } from '../kernel/run/run.ts';
import { canonicalJson } from '#model/seal';
import type { EventRow, LedgerQueries } from '#ports/ledger';

export type DecisionDifference = {
  runId: string;
  seq: number;
  type: string;
  /** `unread`: today's schema rejects the input. */
  today: 'refused' | 'ignored' | 'unread' | 'other';
  members: string[];
};
export type DecisionRules = typeof decideStep;

export const findDecisionDifferences = async (
  query: LedgerQueries,
  only: string | null = null,
  rules: DecisionRules = decideStep,
): Promise<DecisionDifference[]> => {
  const found: DecisionDifference[] = [];
  const { runs } = await query.audit.snapshot(only ?? undefined);
  for (const runId of runs) found.push(...ofRun(await query.events(runId), rules));
  return found;
};

const ofRun = (events: readonly EventRow[], rules: DecisionRules): DecisionDifference[] => {
  const found: DecisionDifference[] = [];
  let run: Run | null = null;
  for (const { runId, seq, type, body } of events) {
    const step = RecordedEvent.safeParse(JSON.parse(body)).data;
    if (!step) return found;
    const after = evolveRun(run, step.changes);
    const input = InputSchema.safeParse(step.input).data;
    const said = input ? rules(run, input, step.stamp) : null;
    const at = { runId, seq, type };
    if (!said) found.push({ ...at, today: 'unread', members: [] });
    else if (said.kind !== 'moved') found.push({ ...at, today: said.kind, members: [] });
    else {
      const members = differingMembers(
        { ...membersOf(after), ...requestsOf(step) },
        { ...membersOf(said.run), ...requestsOf(said) },
      );
      if (members.length > 0) found.push({ ...at, today: 'other', members });
    }
    run = after;
  }
  return found;
};

type Asked = { effects: readonly unknown[]; approvals: readonly unknown[] };
const requestsOf = ({ effects, approvals }: Asked): Asked => ({ effects, approvals });

const membersOf = ({ id, order, ...records }: Run): object => ({
  id,
  order,
  ...Object.fromEntries(
    Object.entries(records).flatMap(([record, members]) =>
      Object.entries(members).map(([name, value]) => [`${record}.${name}`, value]),
    ),
  ),
});

const differingMembers = (then: object, now: object): string[] => {
  const [was, is] = [new Map(Object.entries(then)), new Map(Object.entries(now))];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => canonicalJson(was.get(name)) !== canonicalJson(is.get(name)),
  );
};
