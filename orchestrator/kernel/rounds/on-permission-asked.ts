/** An agent asks for permission and its turn ends; a grant is used once (E10). */
import { z } from 'zod';
import { PolicyObjections } from '#model/assessment';
import { CommandGroup } from '#model/environment';
import { ContainmentLevel, ExposedCredential } from '#model/evidence';
import { AgentSession, ModelUsage } from '#model/reports';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { AlternativeProposals } from '../run/alternative-proposals.ts';
import { AGENTS } from '../run/state-groups.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import type { StepDraft } from '../lifecycle/step-draft.ts';
import { defineResult, stayPaused, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { isSameCommandGroup } from '#governor';
import { MAX_RUN_QUESTIONS, permissionsOf } from '../run/permissions.ts';
import { toFailedReason } from '../run/reasons.ts';
import { stopForBudget } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import { recordDiscardedEdits } from './record-discarded-edits.ts';

const onPermissionAsked = (draft: StepDraft, input: InputOf<'worker.permission.asked'>): HandlerRuling => {
  const { run } = draft;
  countSpending(draft, input);
  recordDiscardedEdits(draft, input.discardedEdits ?? null);
  run.agent.containment = input.containment;
  run.agent.exposedCredentials = input.exposedCredentials ?? null;
  const budget = findExhaustedBudget(run, 'agent');
  if (budget) return void stopForBudget(draft, budget);
  const before = permissionsOf(run);
  // guard: E10-questions-bounded
  if (before.askedCount >= MAX_RUN_QUESTIONS)
    return void enterState(
      draft,
      'NEEDS_HUMAN_REVIEW',
      toFailedReason({ class: 'permission_denied', message: '' }),
    );
  run.agent.permissions = { ...before, askedCount: before.askedCount + 1 };
  const { tool, input: shown, digest, objections, sort, editable = false, alternatives } = input;
  // The id is the step's nonce, so that nobody can guess it.
  const asked = { tool, input: shown, digest, objections, sort, editable };
  const question = { id: draft.stamp.nonce, ...asked, ...(alternatives ? { alternatives } : {}) };
  return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'permission_asked', ...question });
};

const NO_GRANT: HandlerRuling = { ignore: 'no grant for it' };

/** Records the one use of a grant; the tool may run only after this was written. */
const onGrantUsed = (draft: StepDraft, input: InputOf<'worker.permission.used'>): HandlerRuling => {
  const { run } = draft;
  const { grant, digest, sort } = input;
  const before = permissionsOf(run);
  // guard: E10-live-sort
  if (sort)
    return before.standingGrants.some((one) => one.id === grant && isSameCommandGroup(one.sort, sort))
      ? undefined
      : NO_GRANT;
  const grants = before.grants.filter((one) => one.id !== grant || one.digest !== digest);
  // guard: E10-live-grant
  if (grants.length === before.grants.length) return NO_GRANT;
  // guard: E10-used-once
  run.agent.permissions = { ...before, grants };
  return undefined;
};

export const PERMISSION_RESULTS = [
  /** E10: the agent asks for permission; its turn is over. */
  defineResult({
    type: 'worker.permission.asked',
    fields: {
      tool: z.string().max(40),
      input: z.string(),
      digest: z.string(),
      objections: PolicyObjections,
      sort: CommandGroup.nullable(),
      editable: z.boolean().exactOptional(),
      alternatives: AlternativeProposals.exactOptional(),
      session: AgentSession.nullable(),
      usage: ModelUsage,
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      containment: ContainmentLevel,
      exposedCredentials: ExposedCredential.nullable().exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(AGENTS, ['NEEDS_HUMAN_REVIEW'], 'a person is asked, or no budget is left'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onPermissionAsked(d, input),
  }),
  /** A grant is consumed before its use; for a sort, also what it is used for. */
  defineResult({
    type: 'worker.permission.used',
    fields: {
      grant: z.string(),
      digest: z.string(),
      sort: CommandGroup.exactOptional(),
      input: z.string().exactOptional(),
    },
    moves: stayIn(AGENTS, 'before what it is for'),
    late: 'ignored',
    handle: (d, input): HandlerRuling => onGrantUsed(d, input),
  }),
];
