/** S3: the machine. Pure: a run and an input give changes and effects, or a refusal. */
import { changesOf, evolve } from '../run/run-patch.ts';
import { beginStep, refreshProgress, type StepDraft } from './step-draft.ts';
import { handleInput, type HandlerRuling } from './input-handler.ts';
import {
  isFact,
  isResult,
  type CommandType,
  type FactType,
  type Input,
  type InputOf,
  type ResultType,
  type InputStamp,
} from '../inputs/inputs.ts';
import type { Step } from '../effects/recorded-step.ts';
import { targetStates } from '../inputs/transition-table.ts';
import { COMMAND_HANDLERS } from './on-command.ts';
import { draftNewRun } from './create-run.ts';
import { onFact } from './on-fact.ts';
import { noteLesson } from '../rounds/heard-lessons.ts';
import { onResult } from './result-rows.ts';
import { blankRefusal, comesToNothing } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import type { RunState } from '#model/run';

export const decide = (run: Run | null, input: Input, stamp: InputStamp): Step => {
  if (input.type === 'command.run.create') {
    return run
      ? { kind: 'refused', reason: { kind: 'run_exists', run: run.id } }
      : writtenStep(null, draftNewRun(input, stamp));
  }
  if (!run) return { kind: 'refused', reason: { kind: 'no_run' } };
  const allowed = targetStates(run.lifecycle.state, input.type);
  if (allowed.size === 0) {
    if (isResult(input) || isFact(input)) return { kind: 'ignored', reason: 'nothing to do in this state' };
    return { kind: 'refused', reason: blankRefusal(run, input.type) };
  }
  const draft = beginStep(run, stamp);
  const ruling = dispatchInput(draft, input);
  if (ruling && 'refuse' in ruling) return { kind: 'refused', reason: ruling.refuse };
  if (ruling) return { kind: 'ignored', reason: ruling.ignore };
  refreshProgress(draft, run);
  // guard: F5-lesson-kept
  noteLesson(draft, run);
  assertListed(run.lifecycle.state, draft, input, allowed);
  return writtenStep(run, draft);
};

const writtenStep = (before: Run | null, { run, effects, approvals }: StepDraft): Step => {
  const changes = changesOf(before, run);
  return { kind: 'moved', run: evolve(before, changes), changes, effects, approvals };
};

const dispatchInput = (d: StepDraft, input: InputOf<CommandType | ResultType | FactType>): HandlerRuling => {
  if (isResult(input)) return onResult(d, input);
  if (isFact(input)) return onFact(d, input);
  const refuse = comesToNothing(d.run, input.type);
  // guard: F12-refused-while-blocked
  if (refuse) return { refuse };
  return handleInput(COMMAND_HANDLERS, input.type, d, input);
};

/** A move that the table does not list is a bug and must not be written. */
const assertListed = (from: RunState, d: StepDraft, input: Input, allowed: ReadonlySet<RunState>): void => {
  const to = d.run.lifecycle.state;
  if (!allowed.has(to)) throw new Error(`the table does not list ${from} → ${to} on ${input.type}`);
};
