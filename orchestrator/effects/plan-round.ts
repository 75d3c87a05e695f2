/**
 * What is particular to rounds of a run that keeps a plan: the file before, the guards and the
 * reading after (E8).
 */
import type { Undone } from '../core/facts.ts';
import { parsePlan, printPlan } from '../core/plan.ts';
import { ROUNDS, type Round } from '../core/machine/rounds.ts';
import type { Run } from '../core/machine/run.ts';
import type { Outcome } from '../engine/handler.ts';
import type { ExecutorDone } from '../ports.ts';
import type { MeterReading } from './meter.ts';
import type { EffectParts } from './parts.ts';
import type { PromptEvidence } from './prompt.ts';

type Needs = Pick<EffectParts, 'notes'>;

/**
 * Every round begins with the notes as we accepted them last: what a round wrote where it may not
 * is gone.
 */
export const layNotes = async ({ notes }: Needs, run: Run, { kind, told }: Round): Promise<void> => {
  if (kind === 'preflight' && told.length === 0) await notes.write(run.id, 'CONTRACT.jsonl', '');
  if (run.plan) await notes.write(run.id, 'PLAN.md', printPlan(run.plan.plan));
};

/** SNAPSHOT: what is changed so far and what our checks last said, gathered by us. */
export const snapshot = (run: Run, round: Round): PromptEvidence[] => {
  if (ROUNDS[round.kind].judge !== 'plan' || !run.commit) return [];
  const files = run.commit.diff.files.map((f) => `${f.status} ${f.path} +${f.added} -${f.deleted}`);
  const checks = (run.evaluation?.checks ?? []).map((c) => `${c.command}: ${c.outcome}`);
  return [{ title: 'What is changed so far', data: [...files.slice(0, 100), '', ...checks].join('\n') }];
};

/**
 * For an agent that has no conversation to go on with, because it was lost, grew too long, or its
 * engine keeps none.
 */
export const doneBefore = ({ session, commit, summary, base }: Run): PromptEvidence[] => {
  if (session !== null || commit?.base !== base?.sha || !commit) return [];
  const files = commit.diff.files.map((f) => `${f.status} ${f.path} +${f.added} -${f.deleted}`);
  const said = summary === '' ? [] : ['', `What was said of it then: ${summary}`];
  const title = 'What was done before, in a conversation that is gone; the files are as it left them';
  return [{ title, data: [...files.slice(0, 100), ...said].join('\n') }];
};

/** Whether a step left the plan alone. */
export const planTouched = async ({ notes }: Needs, run: Run): Promise<number> =>
  run.plan && (await notes.read(run.id, 'PLAN.md')) !== printPlan(run.plan.plan) ? 1 : 0;

/** The plan that the round left; what it changed besides is `undone`. */
export const planUpdate = async (
  parts: Needs,
  run: Run,
  spent: MeterReading & Pick<ExecutorDone, 'containment'>,
  undone: Undone | null,
): Promise<Outcome> => {
  const text = await parts.notes.read(run.id, 'PLAN.md');
  const read =
    text === null ? { problems: ['~/PLAN.md is gone, or is no plain text file'] } : parsePlan(text);
  const plan = 'plan' in read ? read.plan : null;
  const problem = 'problems' in read ? read.problems.slice(0, 10).join('\n') : '';
  const violations = undone ? 1 : 0;
  return {
    kind: 'result',
    input: { type: 'worker.plan.updated', plan, problem, ...spent, violations, undone },
  };
};
