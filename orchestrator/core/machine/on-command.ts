/**
 * What people, the command line and auto-advance rules may ask for. Anything else is refused with a
 * reason.
 */
import { enter, limitTime, progressSlot, tell, work, type Draft } from './draft.ts';
import { outOf } from './spending.ts';
import { accountOf, inUnits, lacksPrice, mayBeUnlimited, usedUp, withLimit } from './budget.ts';
import type { CommandType, InputOf } from './inputs.ts';
import { iterate, settle } from './settle.ts';
import { goBack } from './going-on.ts';
import type { InputHandlers, Ruling } from './handler.ts';
import { deny, sign } from './on-card.ts';
import { takeHead, updateBase } from './on-branch.ts';
import { goWithout } from './on-discovery.ts';
import { isForeign } from './foreign.ts';
import { theirsFirst } from './refusals.ts';
import { begunPlan } from './on-plan.ts';
import { recordAnswer } from './on-answer.ts';
import { overruleBan } from './on-ban.ts';
import { begin, choose } from './on-talk.ts';
import { wordsAsked } from './on-words.ts';
import { PLAIN, ROUNDS } from './rounds.ts';
import { words } from '../feedback.ts';
import type { ReasonOf } from './reasons.ts';
import type { Run } from './run.ts';
import { isWatching, isWorking } from '../states.ts';
import { rerunAsked } from './ci-facts.ts';
import { rerunCounted } from './on-red.ts';
import { answered, revoked } from './on-permitted.ts';

/** What each command does, where the table of states lists it. */
export const COMMAND_HANDLERS: InputHandlers<CommandType> = {
  'command.discovery.start': (d) => void enter(d, 'DISCOVERY', { kind: 'reading_repository' }),
  'command.implementation.start': (d, { by }) => {
    const { run } = d;
    if (run.target.escalation !== null && by === null) return { refuse: { kind: 'plan_first', run: run.id } };
    run.target.escalation = null;
    run.lifecycle.counts = { ...run.lifecycle.counts, reflections: 0, reportRepairs: 0 };
    return void enter(d, 'IMPLEMENTING', { kind: begunPlan(run) ? 'planning' : 'implementing' });
  },
  'command.validation.accept': (d, { by }) => {
    if (!d.run.change.commit) return { refuse: { kind: 'no_commit', run: d.run.id } };
    return void enter(d, 'LOCAL_VALIDATING', { kind: 'sent_to_checks', by: by.name });
  },
  'command.push.approve': sign,
  'command.pr.create': sign,
  'command.deny': deny,
  'command.proposal.modify': wordsAsked,
  'command.iterate': (d, { instruction }) =>
    void iterate(d, { kind: 'person_request', feedback: words(instruction), purpose: [] }),
  'command.review.choose': choose,
  'command.review.begin': begin,
  'command.reply.approve': sign,
  'command.ci.rerun': (d, { by }) => (isForeign(d.run) ? { refuse: theirsFirst(d.run) } : rerun(d, by.name)),
  'command.checks.waive': goWithout,
  'command.base.update': updateBase,
  'command.head.adopt': takeHead,
  'command.retry': goBack,
  'command.resume': goBack,
  'command.pause': (d, { by }) => void enter(d, 'PAUSED', { kind: 'paused', by: by.name }),
  'command.skip': (d, input) => {
    if (d.run.upstream.pullRequest) return { refuse: { kind: 'has_pull', run: d.run.id } };
    return void enter(d, 'SKIPPED', ended('skipped', input, d.run));
  },
  'command.cancel': (d, input) => {
    enter(d, 'FAILED_TERMINAL', ended('cancelled', input, d.run));
    const {
      upstream: { pullRequest: pr },
    } = d.run;
    if (input.close !== undefined && pr) work(d, { kind: 'close_pr', pull: pr.id, words: input.close });
  },
  'command.run.finish': (d, { by }) => void enter(d, 'DONE', { kind: 'marked_done', by: by.name }),
  'command.budget.raise': (d, input) => raise(d, input),
  'command.ban.overrule': overruleBan,
  'command.requirement.answer': recordAnswer,
  'command.permission.answer': answered,
  'command.permission.revoke': revoked,
};

type Ending = ReasonOf<'ended_by_person'>;
const ended = (
  how: Ending['how'],
  { by, reason }: InputOf<'command.skip' | 'command.cancel'>,
  { upstream: { pullRequest: pr } }: Run,
): Ending => ({ kind: 'ended_by_person', how, by: by.name, note: reason, pull: pr?.id ?? null });

const rerun = (d: Draft, name: string): Ruling => {
  const { run } = d;
  if (!run.upstream.pullRequest || !run.change.pushedHead)
    return { refuse: { kind: 'no_pull', run: run.id } };
  const { sha } = run.change.pushedHead;
  const ci = run.upstream.observed.ci[sha];
  if (ci)
    run.upstream.observed = {
      ...run.upstream.observed,
      ci: { ...run.upstream.observed.ci, [sha]: rerunAsked(ci, d.stamp.at) },
    };
  // No fix was made for what is only run again.
  if (run.lifecycle.reason.kind === 'maybe_flaky') rerunCounted(run);
  run.agent.round = PLAIN;
  enter(d, 'CI_WAIT', { kind: 'checks_rerun', by: name });
  settle(d);
  if (run.lifecycle.state === 'CI_WAIT') work(d, { kind: 'rerun_ci', sha });
  return undefined;
};

/**
 * E6: an approver grants more of a budget. A run that waits for it goes on where it was.
 */
const raise = (d: Draft, input: InputOf<'command.budget.raise'>): Ruling => {
  const { run } = d;
  const { budget, by } = input;
  const { limit } = accountOf(run, budget);
  if (limit === null) return { refuse: { kind: 'no_limit', run: run.id } };
  const isOff = input.limit === null;
  const fits = isOff ? mayBeUnlimited(budget) : Number.isInteger(input.limit) || budget === 'cost';
  if (!fits) return { refuse: { kind: 'not_a_whole_number' } };
  if (input.limit !== null && input.limit <= limit)
    return { refuse: { kind: 'limit_already', budget, limit: inUnits(budget, limit) } };
  const {
    lifecycle: { reason },
  } = run;
  const wasUnpriced = lacksPrice(run);
  run.lifecycle.raisedLimits = withLimit(run, budget, input.limit);
  run.lifecycle.warnedBudgets = run.lifecycle.warnedBudgets.filter((told) => told !== budget);
  // What nobody can count is not counted against a higher limit, either.
  const stands = wasUnpriced
    ? budget === 'cost' && isOff
    : reason.kind === 'budget_exhausted' &&
      reason.budget === budget &&
      run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';
  if (!stands) {
    if (budget === 'time' && isWorking(run.lifecycle.state) && !run.gate.approval) limitTime(d);
    tell(d, { view: 'progress' }, { slot: progressSlot(run.id) });
    return undefined;
  }
  const spent = usedUp(run);
  if (spent) return outOf(d, spent) as undefined;
  const {
    agent: { round },
    lifecycle: { resumeState: back },
  } = run;
  const asked = ROUNDS[round.kind].bound?.counts === 'iterations';
  if (asked && back && isWatching(back)) return void iterate(d, round);
  return goBack(d, { type: 'command.retry', by, target: null });
};
