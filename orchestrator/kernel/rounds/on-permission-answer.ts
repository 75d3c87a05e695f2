/** Records the answer to a permission request: a grant once or for its sort, or a no (E10). */
import { z } from 'zod';
import { PolicyObjections } from '#model/assessment';
import { CommandGroup } from '#model/environment';
import { Person } from '#model/order';
import { AGENTS, LIVE } from '../run/state-groups.ts';
import { newlyObjectingPolicies, isSameCommandGroup } from '#governor';
import { progressSlot, addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import { continueRun } from '../lifecycle/resume-run.ts';
import { defineCommand, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import type { Refusal } from '../run/refusals.ts';
import { permissionsOf, permissionQuestionOf } from '../run/permissions.ts';

type PermissionAnswer = InputOf<'command.permission.answer'>;
type PermissionQuestion = NonNullable<ReturnType<typeof permissionQuestionOf>>;

const findPick = ({ alternatives }: PermissionQuestion, { pick }: PermissionAnswer) =>
  alternatives?.find(({ digest }) => digest === pick);

/** An answer is for the open question, and allows nothing that its card did not offer. */
const checkAnswer = (question: PermissionQuestion, answer: PermissionAnswer): Refusal | null => {
  const { allows, sort, instead, pick } = answer;
  // guard: E10-live-question
  if (question.id !== answer.question) return { kind: 'card_replaced' };
  // guard: E10-shown-digest
  if (question.digest !== answer.digest) return { kind: 'card_changed' };
  // guard: E10-shown-sort
  if (sort && !(allows && question.sort && isSameCommandGroup(question.sort, sort)))
    return { kind: 'card_changed' };
  // guard: P4-edit-offered
  if (instead && !(allows && question.editable === true && !sort)) return { kind: 'card_changed' };
  // guard: E9-pick-offered
  if (pick !== undefined && !(allows && findPick(question, answer) && !sort && !instead))
    return { kind: 'card_changed' };
  const policies = instead ? newlyObjectingPolicies(question.objections, instead.objections) : [];
  // guard: P4-no-more-risk
  if (policies.length > 0) return { kind: 'more_risk', policies };
  return null;
};

const onPermissionAnswer = (draft: StepDraft, input: PermissionAnswer): HandlerRuling => {
  const { run } = draft;
  const { by, allows, instead } = input;
  const question = permissionQuestionOf(run);
  if (!question) return { refuse: { kind: 'no_question', run: run.id } };
  const refusal = checkAnswer(question, input);
  if (refusal) return { refuse: refusal };
  const picked = findPick(question, input);
  const before = permissionsOf(run);
  const note = (input.note ?? '').trim();
  const { id } = question;
  const { tool, digest, input: shown } = picked ?? question;
  const changed = instead && { input: instead.input, digest: instead.digest };
  const granted = { id, digest, by: by.name, ...(changed ? { instead: changed } : {}) };
  // guard: E10-no-is-no
  const grants = allows && !input.sort ? [...before.grants, granted] : before.grants;
  const standing = input.sort
    ? [...before.standingGrants, { id, sort: input.sort, by: by.name }]
    : before.standingGrants;
  const refused = allows ? before.refusals : [...before.refusals, { digest, by: by.name, note }];
  const sort = input.sort?.words ?? null;
  const runs = changed ? { instead: changed.input } : picked ? { picked: picked.proposer } : {};
  const last = { tool, input: shown, allows, sort, by: by.name, note, ...runs };
  run.agent.permissions = {
    ...before,
    grants,
    standingGrants: standing,
    refusals: refused,
    lastDecision: last,
  };
  const reason = allows
    ? ({
        kind: 'permission_granted',
        by: by.name,
        sort,
        ...(changed ? { edited: true } : {}),
        ...(picked ? { picked: picked.proposer } : {}),
      } as const)
    : ({ kind: 'permission_refused', by: by.name, note } as const);
  return continueRun(draft, { target: null, retried: false, reason });
};

const onGrantsRevoked = (draft: StepDraft): HandlerRuling => {
  const { run } = draft;
  const before = permissionsOf(run);
  if (before.standingGrants.length === 0) return { refuse: { kind: 'no_standing_grant', run: run.id } };
  run.agent.permissions = { ...before, standingGrants: [] };
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};

export const PERMISSION_COMMANDS = [
  /** E10: answers one permission; `question` and `digest` name exactly what the agent asked. */
  defineCommand({
    type: 'command.permission.answer',
    fields: {
      by: Person,
      question: z.string(),
      digest: z.string(),
      allows: z.boolean(),
      /** Allows the sort of command that the card showed for the rest of the run. */
      sort: CommandGroup.exactOptional(),
      /** P4: runs this command instead, once; `objections` are what policies say against it. */
      instead: z
        .object({ input: z.string(), digest: z.string(), objections: PolicyObjections })
        .exactOptional(),
      /** E9: allows this one of the alternatives that the card showed, by its digest. */
      pick: z.string().exactOptional(),
      note: z.string().max(2_000).exactOptional(),
    },
    moves: [moveFrom(['NEEDS_HUMAN_REVIEW'], AGENTS, 'yes or no; the agent goes on with it')],
    chatOnly: true,
    handle: (d, input): HandlerRuling => onPermissionAnswer(d, input),
  }),
  /** E10: withdraws permissions that were given for the rest of the run. */
  defineCommand({
    type: 'command.permission.revoke',
    fields: { by: Person },
    moves: stayIn(LIVE, 'what was allowed for the run is asked again'),
    handle: (d): HandlerRuling => onGrantsRevoked(d),
  }),
];
