/** S3: the machine. Pure: a run and an input give what changes and what is to be done, or a refusal with a reason. */
import { changesOf, evolve } from './changes.ts';
import { begin, refresh, type Draft } from './draft.ts';
import { kindOf, type Input, type InputType, type Stamp } from './inputs.ts';
import { create, onCommand } from './on-command.ts';
import { onObservation } from './on-observation.ts';
import { onResult } from './on-result.ts';
import { blank, type Command, type Refusal } from './refusals.ts';
import type { Decided } from './recorded.ts';
import type { Run } from './run.ts';
import type { State } from '../states.ts';
import { targets } from './table.ts';

export type Step =
  /** `run` is the run before with these changes, and nothing else. */
  | ({ kind: 'moved'; run: Run } & Decided)
  /** A command that is not allowed; the reason is for the person who gave it. */
  | { kind: 'refused'; reason: Refusal }
  /** A late result, or a fact that says nothing new: nothing changes and nothing is logged. */
  | { kind: 'ignored'; reason: Ignored };

/** Why an input changes nothing; for logs. */
export type Ignored =
  | 'nothing to do in this state'
  | 'stale result'
  | 'stale timer'
  | 'stale limit'
  | 'not a result'
  | 'nothing new'
  | 'told already'
  | 'no pull request'
  | 'known already'
  | 'no approval for it'
  | 'another commit'
  | 'no plan'
  | 'waits as before'
  | 'a person is waited for'
  | 'card closed'
  | 'nobody asks'
  | 'nothing pushed';

/** What a handler says when it does not move: the reason. `undefined` means that the draft stands. */
export type Verdict = { refuse: Refusal } | { ignore: Ignored } | undefined;

export const decide = (run: Run | null, input: Input, stamp: Stamp): Step => {
  if (input.type === 'command.run.create') {
    return run
      ? { kind: 'refused', reason: { kind: 'exists', run: run.id } }
      : moved(null, create(input, stamp));
  }
  if (!run) return { kind: 'refused', reason: { kind: 'no_run' } };
  const allowed = targets(run.state, input.type);
  if (allowed.size === 0) {
    if (isCommand(input.type)) return { kind: 'refused', reason: blank(run, input.type) };
    return { kind: 'ignored', reason: 'nothing to do in this state' };
  }
  const draft = begin(run, stamp);
  const said = dispatch(draft, input);
  if (said && 'refuse' in said) return { kind: 'refused', reason: said.refuse };
  if (said) return { kind: 'ignored', reason: said.ignore };
  refresh(draft, run);
  assertListed(run.state, draft, input, allowed);
  return moved(run, draft);
};

const moved = (before: Run | null, { run, effects, approvals }: Draft): Step => {
  const changes = changesOf(before, run);
  return { kind: 'moved', run: evolve(before, changes), changes, effects, approvals };
};

const isCommand = (type: InputType): type is Command => kindOf(type) === 'command';

const dispatch = (d: Draft, input: Input): Verdict => {
  switch (kindOf(input.type)) {
    case 'command':
      return onCommand(d, input as Extract<Input, { type: `command.${string}` }>);
    case 'result':
      return onResult(d, input as Extract<Input, { type: `worker.${string}` }>);
    case 'observation':
      return onObservation(d, input as Extract<Input, { type: `forge.${string}` | `timer.${string}` }>);
  }
};

/** A move that the table does not list is a bug of ours: it must not be written. */
const assertListed = (from: State, d: Draft, input: Input, allowed: ReadonlySet<State>): void => {
  const to = d.run.state;
  if (!allowed.has(to)) throw new Error(`the table does not list ${from} → ${to} on ${input.type}`);
};
