/** Replays the log and gives three verdicts, without rules, agents, network or policies (L5). */
import {
  findUnapprovedEffects,
  approvalsNotFromChat,
  findUnnamedSigners,
  findUnshownSignatures,
  type AskedEffect,
} from './audit-approvals.ts';
import { turnRowFaults } from './replay-turns.ts';
import { evolveRun } from '../kernel/run/run-patch.ts';
import { findStepViolation } from './verify-step.ts';
import { RecordedEvent } from '../kernel/effects/recorded-step.ts';
import type { Run } from '../kernel/run/run.ts';
import type { EventRow, LedgerFault, AuditSnapshot, LedgerQueries, RefoldedStep } from '#ports/ledger';

type Reader = { query: LedgerQueries };

export type ReplayFinding = {
  verdict: 'trajectory' | 'decisions' | 'signatures';
  runId: string | null;
  says: string;
  table?: string;
  row?: string;
};
export type ReplayResult = { runs: number; events: number; findings: ReplayFinding[] };

/** `illegal` describes the first illegal event, where the fold ends. */
type FoldedRun = {
  run: Run | null;
  asked: AskedEffect[];
  steps: RefoldedStep[];
  illegal: string | null;
};

export const foldEvents = (events: readonly EventRow[]): FoldedRun => {
  let run: Run | null = null;
  const asked: AskedEffect[] = [];
  const steps: RefoldedStep[] = [];
  for (const event of events) {
    const next = refoldEvent(run, event);
    if (typeof next === 'string')
      return { run, asked, steps, illegal: `event ${event.seq} (${event.type}) ${next}` };
    run = next.run;
    steps.push(next);
    next.effects.forEach((effect, i) => asked.push({ id: `${event.runId}:${event.seq}:${i}`, effect }));
  }
  return { run, asked, steps, illegal: null };
};

const refoldEvent = (run: Run | null, event: EventRow): RefoldedStep | string => {
  const read = RecordedEvent.safeParse(parseJsonOrNull(event.body));
  if (!read.success) return `cannot be read: ${read.error.issues[0]?.message ?? 'it is no step'}`;
  const { input, changes, effects, approvals } = read.data;
  if (input.type !== event.type) return `holds ${input.type}`;
  const next = evolveRun(run, changes);
  const wrong = findStepViolation(run, read.data, next);
  if (wrong !== null) return wrong;
  if (next.id !== event.runId) return `is of run ${next.id}`;
  if (next.lifecycle.state !== event.stateAfter)
    return `leads to ${next.lifecycle.state}, not to ${event.stateAfter}`;
  return { run: next, effects, approvals, at: event.at };
};

const parseJsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const toFinding = (
  verdict: ReplayFinding['verdict'],
  { runId, table, row, says }: LedgerFault,
): ReplayFinding => ({
  verdict,
  runId,
  says: row === '*' ? `${table} ${says}` : `${table} ${row} ${says}`,
  table,
  row,
});

export const verifyRun = async (
  query: LedgerQueries,
  snapshot: Pick<AuditSnapshot, 'unlike'>,
  runId: string,
): Promise<{ events: number; findings: ReplayFinding[] }> => {
  const { head, events } = await query.audit.log(runId);
  const findings: ReplayFinding[] = [];
  const reportFinding = (verdict: ReplayFinding['verdict'], says: string): void =>
    void findings.push({ verdict, runId, says });
  if (!head) reportFinding('signatures', 'the run has no state, and so no signed head');
  if (head?.chainBroken) reportFinding('signatures', head.chainBroken);
  if (head && !head.macValid) reportFinding('signatures', 'the signature of the head is wrong');
  const { run, asked, steps, illegal } = foldEvents(events);
  if (illegal !== null) reportFinding('trajectory', illegal);
  else if (!run) reportFinding('trajectory', 'the log is empty');
  for (const { says } of turnRowFaults(await query.turns(runId), events)) reportFinding('signatures', says);
  const { faults, outside } = await snapshot.unlike(runId, steps);
  for (const fault of faults) {
    // Effects of a broken log are unknown, so differences mean nothing.
    if (illegal === null || fault.forged || fault.table === 'installation_events')
      findings.push(toFinding(verdictOn(fault), fault));
  }
  for (const says of approvalsNotFromChat(events)) reportFinding('decisions', says);
  if (run && illegal === null)
    for (const says of await findUnnamedSigners(query, run, events)) reportFinding('decisions', says);
  if (illegal === null)
    for (const says of await findUnshownSignatures(query, runId, events)) reportFinding('decisions', says);
  if (run && illegal === null)
    for (const says of await findUnapprovedEffects(query, run, asked, outside))
      reportFinding('decisions', says);
  return { events: events.length, findings };
};

const verdictOn = ({ table, forged }: LedgerFault): ReplayFinding['verdict'] => {
  if (forged || table === 'installation_events') return 'signatures';
  return table === 'runs' || table === 'run_states' ? 'trajectory' : 'decisions';
};

/** Part number `at`, counted from 0, of `of` parts. */
export type ReplayShare = { at: number; of: number };
/** Parts with the same moment can be combined. */
export type ShareResult = { moment: number; events: number; findings: ReplayFinding[] };
/** A null result is judged here instead. */
export type ReplayHelpers = { count: number; verifyShare(share: ReplayShare): Promise<ShareResult | null> };

/** Tries while the ledger is being written. The command line reads a snapshot instead. */
const MAX_REPLAY_TRIES = 5;
const MIN_RUNS_FOR_HELPERS = 500;
const NO_HELPERS: ReplayHelpers = { count: 0, verifyShare: async () => null };

export const replayRuns = async (
  { query }: Reader,
  only: string | null = null,
  helpers: ReplayHelpers = NO_HELPERS,
): Promise<ReplayResult> => {
  for (let tried = 1; ; tried += 1) {
    const snapshot = await query.audit.snapshot(only ?? undefined);
    const verified = await verifyRuns(
      query,
      snapshot,
      snapshot.runs.length < MIN_RUNS_FOR_HELPERS ? NO_HELPERS : helpers,
    );
    if (verified.findings.length === 0 || tried === MAX_REPLAY_TRIES || !(await snapshot.moved()))
      return verified;
  }
};

export const replayShare = async ({ query }: Reader, share: ReplayShare): Promise<ShareResult> =>
  verifyShare(query, await query.audit.snapshot(), share);

const verifyShare = async (
  query: LedgerQueries,
  snapshot: AuditSnapshot,
  { at, of }: ReplayShare,
): Promise<ShareResult> => {
  const findings: ReplayFinding[] = [];
  let events = 0;
  const partStart = (partNumber: number): number => Math.floor((snapshot.runs.length * partNumber) / of);
  for (const runId of snapshot.runs.slice(partStart(at), partStart(at + 1))) {
    const verified = await verifyRun(query, snapshot, runId);
    events += verified.events;
    findings.push(...verified.findings);
  }
  return { moment: snapshot.moment, events, findings };
};

const verifyRuns = async (
  query: LedgerQueries,
  snapshot: AuditSnapshot,
  helpers: ReplayHelpers,
): Promise<ReplayResult> => {
  const of = helpers.count + 1;
  const coming = Array.from({ length: helpers.count }, (_, i) => helpers.verifyShare({ at: i + 1, of }));
  const parts = [await verifyShare(query, snapshot, { at: 0, of })];
  for (const [i, part] of (await Promise.all(coming)).entries()) {
    // guard: L5-same-moment
    const usable = part?.moment === snapshot.moment ? part : null;
    parts.push(usable ?? (await verifyShare(query, snapshot, { at: i + 1, of })));
  }
  const rest = (await snapshot.rest()).map((fault) => toFinding('signatures', fault));
  return {
    runs: snapshot.runs.length,
    events: parts.reduce((n, part) => n + part.events, 0),
    findings: [...parts.flatMap((part) => part.findings), ...rest],
  };
};
