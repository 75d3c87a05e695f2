/** Every result of an effect; a run that was stopped goes on from one that it kept (S2). */
import { COMPARISON_RESULTS } from '../ci/on-checks-compared.ts';
import { EDITED_TEXT_RESULTS } from '../gate/on-edited-pr-text.ts';
import { OPENING_RESULTS } from '../gate/on-opened.ts';
import { PUSH_RESULTS } from '../gate/on-pushed.ts';
import { DISCOVERY_RESULTS } from '../preparation/on-discovery.ts';
import { REPLY_RESULTS } from '../reviews/on-replies.ts';
import { CALL_RESULTS } from '../rounds/on-call-repeated.ts';
import { IMPLEMENTATION_RESULTS } from '../rounds/on-implemented.ts';
import { WORDS_RESULTS } from '../rounds/on-operator-words.ts';
import { PERMISSION_RESULTS } from '../rounds/on-permission-asked.ts';
import { QUESTION_RESULTS } from '../rounds/on-person-question.ts';
import { PLAN_RESULTS } from '../rounds/on-plan-loop.ts';
import { VALIDATION_RESULTS } from '../rounds/on-validated.ts';
import { BASE_RESULTS } from '../upstream/on-retargeted.ts';
import { BRANCH_RESULTS } from '../upstream/on-branch-moved.ts';
import { ITEM_RESULTS } from '../upstream/on-item-comment.ts';
import type { ResultRow } from './define-input.ts';
import { FAILURE_RESULTS } from './on-failure.ts';
import { LIMIT_RESULTS } from './on-limits.ts';

export const RESULT_INPUTS = [
  ...DISCOVERY_RESULTS,
  ...IMPLEMENTATION_RESULTS,
  ...PLAN_RESULTS,
  ...VALIDATION_RESULTS,
  ...PUSH_RESULTS,
  ...OPENING_RESULTS,
  ...EDITED_TEXT_RESULTS,
  ...COMPARISON_RESULTS,
  ...REPLY_RESULTS,
  ...FAILURE_RESULTS,
  ...PERMISSION_RESULTS,
  ...WORDS_RESULTS,
  ...CALL_RESULTS,
  ...QUESTION_RESULTS,
  ...BRANCH_RESULTS,
  ...ITEM_RESULTS,
  ...BASE_RESULTS,
  ...LIMIT_RESULTS,
];

export const findResult = (type: string): ResultRow | undefined =>
  RESULT_INPUTS.find((row) => row.type === type);
