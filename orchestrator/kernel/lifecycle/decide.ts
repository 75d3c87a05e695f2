/** The machine (S3). Pure: a run and an input give changes and effects, or a refusal. */
import { changesOf, evolveRun } from '../run/run-patch.ts';
import { beginStep, refreshProgress, type StepDraft } from './step-draft.ts';
import { isCommandInput, type Input, type InputStamp } from '../run/input-types.ts';
import type { Step } from '../effects/recorded-step.ts';
import { findInput } from '../inputs/inputs.ts';
import { targetStates } from '../inputs/transition-table.ts';
import { draftNewRun } from './create-run.ts';
import { recordLesson } from '../rounds/record-lesson.ts';
import type { Run } from '../run/run.ts';
import type { RunState } from '#model/run';

export const decideStep = (run: Run | null, input: Input, stamp: InputStamp): Step => {
  if (input.type === 'command.run.create') {
    return run
      ? { kind: 'refused', reason: { kind: 'run_exists', run: run.id } }
      : toStep(null, draftNewRun(input, stamp));
  }
  if (!run) return { kind: 'refused', reason: { kind: 'no_run' } };
  const row = findInput(input.type);
  const allowed = targetStates(run.lifecycle.state, input.type);
  if (!row || allowed.size === 0) {
    if (!isCommandInput(input.type)) return { kind: 'ignored', reason: 'nothing to do in this state' };
    const hints = [...(row?.instead(run) ?? [])];
    const { state } = run.lifecycle;
    return {
      kind: 'refused',
      reason: { kind: 'not_possible_now', run: run.id, state, command: input.type, hints },
    };
  }
  const draft = beginStep(run, stamp);
  const ruling = row.handle(draft, input);
  if (ruling && 'refuse' in ruling) return { kind: 'refused', reason: ruling.refuse };
  if (ruling) return { kind: 'ignored', reason: ruling.ignore };
  refreshProgress(draft, run);
  // guard: F5-lesson-kept
  recordLesson(draft, run);
  assertListed(run.lifecycle.state, draft, input, allowed);
  return toStep(run, draft);
};

const toStep = (before: Run | null, { run, effects, approvals }: StepDraft): Step => {
  const changes = changesOf(before, run);
  return { kind: 'moved', run: evolveRun(before, changes), changes, effects, approvals };
};

/** A move that the table does not list is a bug and must not be written. */
const assertListed = (
  from: RunState,
  draft: StepDraft,
  input: Input,
  allowed: ReadonlySet<RunState>,
): void => {
  const to = draft.run.lifecycle.state;
  if (!allowed.has(to)) throw new Error(`the table does not list ${from} → ${to} on ${input.type}`);
};
