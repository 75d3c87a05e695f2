/** Every input of the machine (S2). A row stands beside its handler; the rest is derived from them. */
import { z } from 'zod';
import { RERUN_COMMANDS } from '../ci/on-checks-compared.ts';
import { DENIAL_COMMANDS } from '../gate/on-denial.ts';
import { EDITED_TEXT_COMMANDS } from '../gate/on-edited-pr-text.ts';
import { OPENING_COMMANDS } from '../gate/on-open-now.ts';
import { SIGNING_COMMANDS } from '../gate/sign-approval.ts';
import { TAKE_BACK_COMMANDS } from '../gate/on-take-back.ts';
import { CREATE_INPUT } from '../lifecycle/create-run.ts';
import type { InputRow } from '../lifecycle/define-input.ts';
import { BUDGET_COMMANDS } from '../lifecycle/on-budget-raised.ts';
import { OBSERVED_FACTS } from '../lifecycle/on-pull-facts.ts';
import { REPOSITORY_FACTS } from '../lifecycle/on-repository-changed.ts';
import { START_COMMANDS } from '../lifecycle/on-start.ts';
import { STOP_COMMANDS } from '../lifecycle/on-stop.ts';
import { TIMER_FACTS } from '../lifecycle/on-timer.ts';
import { RESULT_INPUTS } from '../lifecycle/result-inputs.ts';
import { ONWARD_COMMANDS } from '../lifecycle/resume-run.ts';
import { DISCOVERY_COMMANDS } from '../preparation/on-discovery.ts';
import { BAN_COMMANDS } from '../preparation/on-overrule.ts';
import { REQUIREMENT_COMMANDS } from '../preparation/on-requirement-answer.ts';
import { COMMENT_FACTS } from '../reviews/on-comment.ts';
import { REMARK_COMMANDS, REMARK_FACTS } from '../reviews/on-open-remarks.ts';
import { TRIAGE_COMMANDS } from '../reviews/on-review-threads.ts';
import { STOP_WORK_COMMANDS } from '../rounds/on-agent-stopped.ts';
import { WORDS_COMMANDS } from '../rounds/on-operator-words.ts';
import { PERMISSION_COMMANDS } from '../rounds/on-permission-answer.ts';
import { QUESTION_COMMANDS } from '../rounds/on-person-question.ts';
import type { Input } from '../run/input-types.ts';
import type { ApprovalKind } from '../run/run.ts';
import { BASE_FACTS } from '../upstream/on-retargeted.ts';
import { BRANCH_COMMANDS } from '../upstream/on-branch-moved.ts';
import { ITEM_COMMANDS } from '../upstream/on-item-comment.ts';
import { POLL_FACTS } from '../upstream/on-poll-facts.ts';
import { REOPENING_FACTS } from '../upstream/on-reopened.ts';

export const INPUTS = [
  CREATE_INPUT,
  ...START_COMMANDS,
  ...SIGNING_COMMANDS,
  ...OPENING_COMMANDS,
  ...ITEM_COMMANDS,
  ...DENIAL_COMMANDS,
  ...TAKE_BACK_COMMANDS,
  ...EDITED_TEXT_COMMANDS,
  ...TRIAGE_COMMANDS,
  ...REMARK_COMMANDS,
  ...RERUN_COMMANDS,
  ...DISCOVERY_COMMANDS,
  ...BRANCH_COMMANDS,
  ...ONWARD_COMMANDS,
  ...STOP_COMMANDS,
  ...BUDGET_COMMANDS,
  ...BAN_COMMANDS,
  ...REQUIREMENT_COMMANDS,
  ...PERMISSION_COMMANDS,
  ...WORDS_COMMANDS,
  ...STOP_WORK_COMMANDS,
  ...QUESTION_COMMANDS,
  ...RESULT_INPUTS,
  ...OBSERVED_FACTS,
  ...REOPENING_FACTS,
  ...REPOSITORY_FACTS,
  ...BASE_FACTS,
  ...POLL_FACTS,
  ...COMMENT_FACTS,
  ...REMARK_FACTS,
  ...TIMER_FACTS,
];

type FieldsByType = { [Row in (typeof INPUTS)[number] as Row['type']]: z.infer<Row['schema']> };

// The run, effects and handlers stand below this list, and speak of what its rows define.
declare module '../run/input-types.ts' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- Its members are the inputs.
  interface InputsByType extends FieldsByType {}
}

export const InputSchema: z.ZodType<Input> = z.discriminatedUnion('type', [
  CREATE_INPUT.schema,
  ...INPUTS.slice(1).map(({ schema }) => schema),
]);

export const findInput = (type: string): InputRow | undefined => INPUTS.find((row) => row.type === type);

export const kindSignedBy = (type: string): ApprovalKind | null => findInput(type)?.signs ?? null;
/** G3: inputs that are accepted only from the chat. */
export const isFromChatAlone = (type: string): boolean => findInput(type)?.chatOnly === true;
