/** E10: a person's answer to what an agent asks: a grant, or a no with its words; the agent goes on. */
import type { Draft } from './draft.ts';
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
  const before = permissionsOf(run);
  const note = (input.note ?? '').trim();
  const { id, tool, digest } = question;
  // guard: E10-no-is-no
  const grants = allows ? [...before.grants, { id, digest, by: by.name }] : before.grants;
  const refused = allows ? before.refused : [...before.refused, { digest, by: by.name, note }];
  const last = { tool, input: question.input, allows, by: by.name, note };
  run.permissions = { ...before, grants, refused, last };
  const reason = allows
    ? ({ kind: 'permitted', by: by.name } as const)
    : ({ kind: 'not_permitted', by: by.name, note } as const);
  return goOn(d, { target: null, retried: false, reason });
};
