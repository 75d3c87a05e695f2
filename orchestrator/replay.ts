/** Replay (L5): folds the log again with nothing but the core, and gives three verdicts. Calls no agent, tool, network or policy. */
import { z } from 'zod';
import { decisions, doors } from './audit.ts';
import { Input, Stamp } from './core/inputs.ts';
import { step } from './core/machine.ts';
import type { Effect } from './core/effects.ts';
import type { Run } from './core/run.ts';
import type { EventRow, Fault, Look, Queries, Retold } from './ports.ts';

/** Replay only reads. */
type Reader = { query: Queries };

export type Finding = {
  verdict: 'trajectory' | 'decisions' | 'signatures';
  /** Null for what belongs to no run. */
  runId: string | null;
  says: string;
  /** The row that is meant, where it is one. */
  table?: string;
  row?: string;
};
export type Replayed = { runs: number; events: number; findings: Finding[] };

const Body = z.object({ input: Input, stamp: Stamp });

export type Asked = { id: string; effect: Effect };
/** `illegal` says what is wrong with the first event that is not legal; the fold ends before it. */
export type Folded = { run: Run | null; asked: Asked[]; steps: Retold[]; illegal: string | null };

/** The run as the log makes it, with every effect that the log asks for. */
export const fold = (events: readonly EventRow[]): Folded => {
  let run: Run | null = null;
  const asked: Asked[] = [];
  const steps: Retold[] = [];
  for (const event of events) {
    const next = legal(run, event);
    if (typeof next === 'string')
      return { run, asked, steps, illegal: `event ${event.seq} (${event.type}) ${next}` };
    run = next.run;
    steps.push(next);
    next.effects.forEach((effect, i) => asked.push({ id: `${event.runId}:${event.seq}:${i}`, effect }));
  }
  return { run, asked, steps, illegal: null };
};

/** The step that an event stands for, or why it cannot be one. */
const legal = (run: Run | null, event: EventRow): Retold | string => {
  const read = Body.safeParse(parsed(event.body));
  if (!read.success) return `cannot be read: ${read.error.issues[0]?.message ?? 'it is no input'}`;
  const { input, stamp } = read.data;
  if (input.type !== event.type) return `holds ${input.type}`;
  const result = step(run, input, stamp);
  if (result.kind !== 'moved') return `is not legal: ${result.reason}`;
  const { run: next, effects, approvals } = result;
  if (next.id !== event.runId) return `is of run ${next.id}`;
  if (next.state !== event.stateAfter) return `leads to ${next.state}, not to ${event.stateAfter}`;
  return { run: next, effects, approvals, at: event.at };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const found = (verdict: Finding['verdict'], { runId, table, row, says }: Fault): Finding => ({
  verdict,
  runId,
  says: row === '*' ? `${table} ${says}` : `${table} ${row} ${says}`,
  table,
  row,
});

/** Judges one run by its log. */
const judge = async (
  query: Queries,
  look: Look,
  runId: string,
): Promise<{ events: number; findings: Finding[] }> => {
  const { head, events } = await query.audit.log(runId);
  const findings: Finding[] = [];
  const report = (verdict: Finding['verdict'], says: string): void =>
    void findings.push({ verdict, runId, says });
  if (!head) report('signatures', 'the run has no state, and so no signed head');
  if (head?.chainBroken) report('signatures', head.chainBroken);
  if (head && !head.macValid) report('signatures', 'the signature of the head is wrong');
  const { run, asked, steps, illegal } = fold(events);
  if (illegal !== null) report('trajectory', illegal);
  else if (!run) report('trajectory', 'the log is empty');
  for (const fault of await look.unlike(runId, steps)) {
    // What a broken log would have asked for is not known.
    if (illegal === null || fault.says.includes('somebody else'))
      findings.push(found(verdictOn(fault), fault));
  }
  for (const says of doors(events)) report('decisions', says);
  if (run && illegal === null)
    for (const says of await decisions(query, run, asked)) report('decisions', says);
  return { events: events.length, findings };
};

const verdictOn = ({ table, says }: Fault): Finding['verdict'] => {
  if (says.includes('somebody else')) return 'signatures';
  return table === 'runs' || table === 'run_states' ? 'trajectory' : 'decisions';
};

/** How often a ledger that is written to meanwhile is judged again. The command line reads a snapshot, where that cannot be. */
const TRIES = 5;

/** Judges one run, or all and whatever belongs to none. */
export const replay = async ({ query }: Reader, only: string | null = null): Promise<Replayed> => {
  for (let tried = 1; ; tried += 1) {
    const look = await query.audit.look(only ?? undefined);
    const judged = await judgeAll(query, look);
    if (judged.findings.length === 0 || tried === TRIES || !(await look.moved())) return judged;
  }
};

const judgeAll = async (query: Queries, look: Look): Promise<Replayed> => {
  const findings: Finding[] = [];
  let events = 0;
  for (const runId of look.runs) {
    const judged = await judge(query, look, runId);
    events += judged.events;
    findings.push(...judged.findings);
  }
  for (const fault of await look.rest()) findings.push(found('signatures', fault));
  return { runs: look.runs.length, events, findings };
};
