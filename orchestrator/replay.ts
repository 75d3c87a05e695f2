/** Replay (L5): folds the log again with nothing but the core, and gives three verdicts. Calls no agent, tool, network or policy. */
import { z } from 'zod';
import { canonical } from './core/seal.ts';
import { Input, Stamp } from './core/inputs.ts';
import { step } from './core/machine.ts';
import type { Effect } from './core/effects.ts';
import type { Run } from './core/run.ts';
import type { EffectRow, EventRow, Ledger } from './ports.ts';

/** Replay only reads. */
type Reader = Pick<Ledger, 'query'>;

export type Finding = { verdict: 'trajectory' | 'decisions' | 'signatures'; runId: string; says: string };
export type Replayed = { runs: number; events: number; findings: Finding[] };

const Body = z.object({ input: Input, stamp: Stamp });

type Asked = { id: string; effect: Effect };

/** The run as the log makes it, with every effect that the log asks for. Throws a sentence when a step is not legal. */
export const fold = (events: readonly EventRow[]): { run: Run | null; asked: Asked[] } => {
  let run: Run | null = null;
  const asked: Asked[] = [];
  for (const event of events) {
    const { input, stamp } = Body.parse(JSON.parse(event.body));
    const result = step(run, input, stamp);
    if (result.kind !== 'moved')
      throw new Error(`event ${event.seq} (${event.type}) is not legal: ${result.reason}`);
    run = result.run;
    result.effects.forEach((effect, i) => asked.push({ id: `${event.runId}:${event.seq}:${i}`, effect }));
  }
  return { run, asked };
};

const OUTSIDE = ['push', 'open_pr'];

/** Every outside effect in the table must be one that the log asked for; every PR one that consumed its approval. */
const decisions = async (ledger: Reader, run: Run, asked: readonly Asked[]): Promise<string[]> => {
  const wrong: string[] = [];
  const known = new Map(asked.map((a) => [a.id, a.effect]));
  const rows = (await ledger.query.effects({ runId: run.id })).filter((row) => OUTSIDE.includes(row.kind));
  for (const row of rows) wrong.push(...(await judge(ledger, row, known.get(row.id))));
  const opened = rows.filter((r) => r.kind === 'open_pr' && r.state === 'done');
  if (run.pr && opened.length === 0)
    wrong.push(`pull request #${run.pr.number} is linked, but no effect opened it`);
  return wrong;
};

const judge = async (ledger: Reader, row: EffectRow, asked: Effect | undefined): Promise<string[]> => {
  if (!asked) return [`effect ${row.id} (${row.kind}) was asked for by no event`];
  if (canonical(asked.do) !== canonical(row.do))
    return [`effect ${row.id} differs from what its event asked for`];
  const approvalId = asked.do.kind === 'open_pr' || asked.do.kind === 'push' ? asked.do.approvalId : null;
  if (approvalId === null)
    return asked.do.kind === 'open_pr' ? [`effect ${row.id} opens a pull request without an approval`] : [];
  const approval = await ledger.query.approval(approvalId);
  if (approval?.state !== 'consumed' || approval.consumedBy !== row.id) {
    return [`effect ${row.id} has no approval that it consumed`];
  }
  if (asked.do.kind === 'open_pr' && approval.digest !== asked.do.digest)
    return [`effect ${row.id} carries another digest than its approval`];
  return [];
};

/** Judges one run, or all. */
export const replay = async (ledger: Reader, only: string | null = null): Promise<Replayed> => {
  const findings: Finding[] = [];
  let events = 0;
  let runs = 0;
  for (const head of await ledger.query.heads(only ?? undefined)) {
    const runId = head.run.id;
    runs += 1;
    const log = await ledger.query.events(runId);
    events += log.length;
    const report = (verdict: Finding['verdict'], says: string): number =>
      findings.push({ verdict, runId, says });
    if (head.chainBroken !== null) report('signatures', head.chainBroken);
    if (!head.macValid) report('signatures', 'the signature of the head is wrong');
    try {
      const { run, asked } = fold(log);
      if (!run) {
        report('trajectory', 'the log is empty');
        continue;
      }
      if (canonical(run) !== canonical(head.run))
        report('trajectory', `the log ends in ${run.state}, the stored run differs from it`);
      for (const says of await decisions(ledger, run, asked)) report('decisions', says);
    } catch (error) {
      report('trajectory', error instanceof Error ? error.message : String(error));
    }
  }
  return { runs, events, findings };
};
