/**
 * E10: a person's answer to what an agent asks: a grant for this or for all of its sort, or a no with
 * its words; the agent goes on.
 */
import { sameSort } from '../govern/command-sort.ts';
import { progressSlot, tell, type Draft } from './draft.ts';
import { goOn } from './going-on.ts';
import type { Ruling } from './handler.ts';
import type { InputOf } from './inputs.ts';
import { permissionsOf, questionOf } from './permissions.ts';

export const answered = (d: Draft, input: InputOf<'command.permission.answer'>): Ruling => {
  const { run } = d;
  const { by, allows } = input;
  const question = questionOf(run);
  if (!question) return { refuse: { kind: 'no_question', run: run.id } };
  // guard: E10-live-question
  if (question.id !== input.question) return { refuse: { kind: 'replaced' } };
  // guard: E10-shown-digest
  if (question.digest !== input.digest) return { refuse: { kind: 'card_moved' } };
  // guard: E10-shown-sort
  if (input.sort && !(allows && question.sort && sameSort(question.sort, input.sort)))
    return { refuse: { kind: 'card_moved' } };
  const before = permissionsOf(run);
  const note = (input.note ?? '').trim();
  const { id, tool, digest } = question;
  // guard: E10-no-is-no
  const grants = allows && !input.sort ? [...before.grants, { id, digest, by: by.name }] : before.grants;
  const standing = input.sort ? [...before.standing, { id, sort: input.sort, by: by.name }] : before.standing;
  const refused = allows ? before.refused : [...before.refused, { digest, by: by.name, note }];
  const sort = input.sort?.words ?? null;
  const last = { tool, input: question.input, allows, sort, by: by.name, note };
  run.permissions = { ...before, grants, standing, refused, last };
  const reason = allows
    ? ({ kind: 'permitted', by: by.name, sort } as const)
    : ({ kind: 'not_permitted', by: by.name, note } as const);
  return goOn(d, { target: null, retried: false, reason });
};

/** Who takes it back needs no question: from now on each of that sort is asked again. */
export const revoked = (d: Draft): Ruling => {
  const { run } = d;
  const before = permissionsOf(run);
  if (before.standing.length === 0) return { refuse: { kind: 'nothing_standing', run: run.id } };
  run.permissions = { ...before, standing: [] };
  tell(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};
