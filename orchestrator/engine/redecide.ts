/**
 * L5: what today's rules would decide where the log says what was decided. A difference is no
 * forgery: rules may change.
 */
import { evolve } from '../core/machine/changes.ts';
import { Input } from '../core/machine/inputs.ts';
import { decide } from '../core/machine/machine.ts';
import { Recorded } from '../core/machine/recorded.ts';
import type { Run } from '../core/machine/run.ts';
import { canonical } from '../core/seal.ts';
import type { EventRow, Queries } from '../ports.ts';

export type Difference = {
  runId: string;
  seq: number;
  type: string;
  /** `unread`: today's inputs have no such shape. */
  today: 'refused' | 'ignored' | 'unread' | 'other';
  /** What is different: members of the run, effects, approvals. */
  members: string[];
};
export type Rules = typeof decide;

/** Asks the old questions again, each of the run as it really stood then. */
export const differences = async (
  query: Queries,
  only: string | null = null,
  rules: Rules = decide,
): Promise<Difference[]> => {
  const found: Difference[] = [];
  const { runs } = await query.audit.look(only ?? undefined);
  for (const runId of runs) found.push(...ofRun(await query.events(runId), rules));
  return found;
};

const ofRun = (events: readonly EventRow[], rules: Rules): Difference[] => {
  const found: Difference[] = [];
  let run: Run | null = null;
  for (const { runId, seq, type, body } of events) {
    const step = Recorded.safeParse(JSON.parse(body)).data;
    // What cannot be read is for the verdicts to say.
    if (!step) return found;
    const after = evolve(run, step.changes);
    const input = Input.safeParse(step.input).data;
    const said = input ? rules(run, input, step.stamp) : null;
    const at = { runId, seq, type };
    if (!said) found.push({ ...at, today: 'unread', members: [] });
    else if (said.kind !== 'moved') found.push({ ...at, today: said.kind, members: [] });
    else {
      const members = unlike(
        { ...membersOf(after), ...asked(step) },
        { ...membersOf(said.run), ...asked(said) },
      );
      if (members.length > 0) found.push({ ...at, today: 'other', members });
    }
    run = after;
  }
  return found;
};

type Asked = { effects: readonly unknown[]; approvals: readonly unknown[] };
const asked = ({ effects, approvals }: Asked): Asked => ({ effects, approvals });

/** The members of a run's records by their whole names, such as `lifecycle.reason`. */
const membersOf = ({ id, order, ...records }: Run): object => ({
  id,
  order,
  ...Object.fromEntries(
    Object.entries(records).flatMap(([record, members]) =>
      Object.entries(members).map(([name, value]) => [`${record}.${name}`, value]),
    ),
  ),
});

const unlike = (then: object, now: object): string[] => {
  const [was, is] = [new Map(Object.entries(then)), new Map(Object.entries(now))];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => canonical(was.get(name)) !== canonical(is.get(name)),
  );
};
