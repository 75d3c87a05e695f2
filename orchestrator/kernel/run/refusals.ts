/** Reasons why a command is refused, and the possible alternatives, as records (S9). */
import { z } from 'zod';
import { BudgetKind } from '#model/limits';
import { OwnKeyFault, PUSH_BLOCKS } from '#model/failure';
import { isTerminal, RUN_STATES } from '#model/run';
import { hasForeignHead } from './foreign-commit.ts';
import type { CommandType } from './input-types.ts';
import { pushBlockOf } from './push-block.ts';
import { Reason } from './reasons.ts';
import type { Run } from './run.ts';

const REFUSAL_HINTS = [
  'order_again',
  'resume',
  'adopt_head',
  'retry',
  'retry_now',
  'then_ask_again',
  'decide_push',
  'card_follows',
  'fix',
  'fix_in_progress',
  'no_pull_yet',
  'nothing_failed',
  'not_paused',
  'cancel_retrying',
  'already_stopped',
  'cancel',
  'under_way',
  'nothing_to_update',
  'not_theirs',
] as const;
export type RefusalHint = (typeof REFUSAL_HINTS)[number];

const { literal, number, object, string } = z;
const plainSchema = <K extends string>(kind: K) => object({ kind: literal(kind) });
const runSchema = <K extends string>(kind: K) => object({ kind: literal(kind), run: string() });
const hints = z.array(z.enum(REFUSAL_HINTS));
const state = z.enum(RUN_STATES);
const command = z.custom<CommandType>((type) => typeof type === 'string' && type.startsWith('command.'));

export const Refusal = z.discriminatedUnion('kind', [
  plainSchema('no_run'),
  runSchema('run_exists'),
  object({ kind: literal('not_possible_now'), run: string(), state, command, hints }),
  object({ kind: literal('no_card'), run: string(), hints }),
  object({ kind: literal('approved_already'), by: string() }),
  plainSchema('card_replaced'),
  plainSchema('card_changed'),
  /** P4: the replacement raises more objections than the original. */
  object({ kind: literal('more_risk'), policies: z.array(string()) }),
  plainSchema('card_expired'),
  plainSchema('own_change'),
  plainSchema('not_named'),
  object({ kind: literal('signed_already'), left: number() }),
  /** G10: only one of these brings the card nearer. */
  object({ kind: literal('other_approvers'), names: z.array(string()) }),
  plainSchema('chat_only'),
  /** G11: a policy asks for the approver's own key. */
  plainSchema('own_key_needed'),
  object({ kind: literal('own_key_refused'), why: OwnKeyFault }),
  plainSchema('text_missing'),
  plainSchema('no_remark'),
  object({ kind: literal('no_answer'), nos: z.array(number()).min(1) }),
  plainSchema('no_reader'),
  /** E21: so many words are queued, and none is lost. */
  object({ kind: literal('words_waiting'), most: number() }),
  plainSchema('words_heard'),
  plainSchema('script_reads_nothing'),
  plainSchema('nothing_to_update'),
  plainSchema('under_way'),
  plainSchema('head_not_foreign'),
  object({ kind: literal('push_blocked'), why: z.enum(PUSH_BLOCKS) }),
  plainSchema('head_moved'),
  runSchema('not_asked'),
  runSchema('committed'),
  runSchema('no_question'),
  /** E21: the agent or a check works now. */
  runSchema('agent_at_work'),
  object({ kind: literal('no_conversation'), run: string(), engine: string() }),
  runSchema('permission_first'),
  runSchema('question_open'),
  runSchema('nothing_to_take_back'),
  runSchema('no_standing_grant'),
  runSchema('foreign_head_first'),
  runSchema('plan_first'),
  runSchema('plan_state_first'),
  runSchema('nothing_missing'),
  runSchema('no_commit'),
  runSchema('has_pull'),
  runSchema('no_pull'),
  object({ kind: literal('cannot_continue'), run: string(), at: state, possible: z.array(state) }),
  runSchema('no_limit'),
  /** G10: it waits for no hours. */
  runSchema('not_held_back'),
  runSchema('nothing_to_comment_on'),
  plainSchema('not_a_whole_number'),
  runSchema('no_ban'),
  plainSchema('reason_missing'),
  object({ kind: literal('limit_already'), budget: BudgetKind, limit: number() }),
  object({ kind: literal('run_stopped'), by: Reason }),
]);
export type Refusal = z.infer<typeof Refusal>;

/** F12: what ends in a push, or in an answer on the code host, is refused while nothing can be pushed. */
export const checkPushBlock = (run: Run): Refusal | null => {
  const why = pushBlockOf(run);
  return why && { kind: 'push_blocked', why };
};

export const toNoCardRefusal = (run: Run): Refusal => {
  const { id } = run;
  const { consumedApproval: consumed } = run.gate;
  const { epoch } = run.lifecycle;
  if (consumed?.epoch === epoch) return { kind: 'approved_already', by: consumed.by };
  return { kind: 'no_card', run: id, hints: listHintsWithoutCard(run) };
};

/** G2: a foreign commit on the branch has to be decided about first. */
export const toForeignHeadRefusal = ({ id }: Run): Refusal => ({ kind: 'foreign_head_first', run: id });

/** Ways to continue a stopped run; empty for any other. */
export const listOnwardHints = (run: Run): RefusalHint[] => {
  const { state: at } = run.lifecycle;
  if (at === 'PAUSED') return ['resume'];
  if (isTerminal(at)) return [];
  if (hasForeignHead(run)) return ['adopt_head'];
  if (at === 'NEEDS_HUMAN_REVIEW') return ['retry'];
  return at === 'FAILED_RETRYABLE' ? ['retry_now'] : [];
};

export const listHintsOr = (run: Run, hint: RefusalHint): RefusalHint[] => {
  if (isTerminal(run.lifecycle.state)) return ['order_again'];
  const onward = listOnwardHints(run);
  return onward.length > 0 ? onward : [hint];
};

export const listHintsWithoutCard = (run: Run): RefusalHint[] => {
  const { state: at } = run.lifecycle;
  if (isTerminal(at)) return [];
  if (run.gate.approval) return listHintsOr(run, 'decide_push');
  return listHintsOr(run, run.upstream.pullRequest && at !== 'ITERATING' ? 'fix' : 'card_follows');
};

export const listHintsWithoutPull = (run: Run): RefusalHint[] => {
  if (isTerminal(run.lifecycle.state)) return ['order_again'];
  const { pullRequest: pr } = run.upstream;
  const onward = listOnwardHints(run);
  if (onward.length > 0) return pr ? [...onward, 'then_ask_again'] : onward;
  return [pr ? 'fix_in_progress' : 'no_pull_yet'];
};
