/** S9: reasons why a command is refused, and the possible alternatives, as records. */
import { z } from 'zod';
import { BudgetKind } from '#model/limits';
import { PUSH_BLOCKS } from '#model/failure';
import { isTerminal, RUN_STATES } from '#model/run';
import { isForeign } from './foreign-commit.ts';
import { COMMAND_TYPES, type CommandType } from '../inputs/inputs.ts';
import { pushBlockOf } from './push-block.ts';
import { Reason } from './reasons.ts';
import type { Run } from './run.ts';

export const REFUSAL_HINTS = [
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
const plain = <K extends string>(kind: K) => object({ kind: literal(kind) });
const of = <K extends string>(kind: K) => object({ kind: literal(kind), run: string() });
const hints = z.array(z.enum(REFUSAL_HINTS));
const state = z.enum(RUN_STATES);

export const Refusal = z.discriminatedUnion('kind', [
  plain('no_run'),
  of('run_exists'),
  object({ kind: literal('not_possible_now'), run: string(), state, command: z.enum(COMMAND_TYPES), hints }),
  object({ kind: literal('no_card'), run: string(), hints }),
  object({ kind: literal('approved_already'), by: string() }),
  plain('card_replaced'),
  plain('card_changed'),
  /** P4: the replacement raises more objections than the original. */
  object({ kind: literal('more_risk'), policies: z.array(string()) }),
  plain('card_expired'),
  plain('own_change'),
  plain('not_named'),
  object({ kind: literal('signed_already'), left: number() }),
  plain('chat_only'),
  plain('text_missing'),
  plain('no_remark'),
  object({ kind: literal('no_answer'), nos: z.array(number()).min(1) }),
  plain('no_reader'),
  plain('nothing_to_update'),
  plain('under_way'),
  plain('head_not_foreign'),
  object({ kind: literal('push_blocked'), why: z.enum(PUSH_BLOCKS) }),
  plain('head_moved'),
  of('not_asked'),
  of('committed'),
  of('no_question'),
  of('no_standing_grant'),
  of('foreign_head_first'),
  of('plan_first'),
  of('plan_state_first'),
  of('nothing_missing'),
  of('no_commit'),
  of('has_pull'),
  of('no_pull'),
  object({ kind: literal('cannot_continue'), run: string(), at: state, possible: z.array(state) }),
  of('no_limit'),
  plain('not_a_whole_number'),
  of('no_ban'),
  plain('reason_missing'),
  object({ kind: literal('limit_already'), budget: BudgetKind, limit: number() }),
  object({ kind: literal('run_stopped'), by: Reason }),
]);
export type Refusal = z.infer<typeof Refusal>;

export const blankRefusal = (run: Run, command: CommandType): Refusal => ({
  kind: 'not_possible_now',
  run: run.id,
  state: run.lifecycle.state,
  command,
  hints: instead(run, command),
});

/** F12: commands that end in a push, or in an answer on the code host. */
const PUSHING: readonly CommandType[] = [
  'command.push.approve',
  'command.pr.approve',
  'command.retry',
  'command.resume',
  'command.iterate',
  'command.review.begin',
  'command.base.update',
  'command.head.adopt',
  'command.ci.rerun',
  'command.ban.overrule',
];
export const comesToNothing = (run: Run, command: CommandType): Refusal | null => {
  const why = PUSHING.includes(command) ? pushBlockOf(run) : null;
  return why && { kind: 'push_blocked', why };
};

export const noCard = (run: Run): Refusal => {
  const { id } = run;
  const { consumedApproval: consumed } = run.gate;
  const { epoch } = run.lifecycle;
  if (consumed?.epoch === epoch) return { kind: 'approved_already', by: consumed.by };
  return { kind: 'no_card', run: id, hints: instead(run, 'command.deny') };
};

/** G2: a foreign commit on the branch has to be decided about first. */
export const theirsFirst = ({ id }: Run): Refusal => ({ kind: 'foreign_head_first', run: id });

/** Ways to continue a stopped run; empty for any other. */
const onward = (run: Run): RefusalHint[] => {
  const { state: at } = run.lifecycle;
  if (at === 'PAUSED') return ['resume'];
  if (isForeign(run)) return ['adopt_head'];
  if (at === 'NEEDS_HUMAN_REVIEW') return ['retry'];
  return at === 'FAILED_RETRYABLE' ? ['retry_now'] : [];
};

/** Alternatives to a refused command; empty when nothing comes close. */
const instead = (run: Run, command: CommandType): RefusalHint[] => {
  const { state: at } = run.lifecycle;
  const { pullRequest: pr } = run.upstream;
  const ended = isTerminal(at);
  const stands = onward(run);
  const or = (hint: RefusalHint): RefusalHint[] => (stands.length > 0 ? stands : [hint]);
  switch (command) {
    case 'command.push.approve':
    case 'command.pr.approve':
    case 'command.deny':
    case 'command.proposal.modify':
      if (ended) return stands;
      if (run.gate.approval) return or('decide_push');
      return or(pr && at !== 'ITERATING' ? 'fix' : 'card_follows');
    case 'command.reply.approve':
    case 'command.review.begin':
    case 'command.iterate':
      if (ended) return ['order_again'];
      if (stands.length > 0) return pr ? [...stands, 'then_ask_again'] : stands;
      return [pr ? 'fix_in_progress' : 'no_pull_yet'];
    case 'command.retry':
      return ended ? ['order_again'] : or('nothing_failed');
    case 'command.resume':
      return ended ? ['order_again'] : or('not_paused');
    case 'command.pause':
      if (ended) return [];
      if (at === 'PAUSED') return stands;
      return [at === 'FAILED_RETRYABLE' ? 'cancel_retrying' : 'already_stopped'];
    case 'command.skip':
      return ended ? [] : ['cancel'];
    case 'command.run.finish':
      return ended ? [] : [...stands, 'cancel'];
    case 'command.base.update':
      return ended ? ['order_again'] : or(run.change.commit ? 'under_way' : 'nothing_to_update');
    case 'command.head.adopt':
      return ended ? [] : ['not_theirs'];
    case 'command.review.choose':
    case 'command.remarks.answered':
    case 'command.comment.answer':
    case 'command.ban.overrule':
    case 'command.checks.waive':
    case 'command.requirement.answer':
    case 'command.permission.answer':
    case 'command.permission.revoke':
    case 'command.discovery.start':
    case 'command.implementation.start':
    case 'command.validation.accept':
    case 'command.ci.rerun':
    case 'command.cancel':
    case 'command.budget.raise':
      return ended ? [] : stands;
  }
};
