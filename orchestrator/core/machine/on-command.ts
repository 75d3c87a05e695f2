/** What people, the command line and auto-advance rules may ask for. Anything else is refused with a reason. */
import { enter, limitTime, outOf, progressSlot, tell, work, type Draft } from './draft.ts';
import { accountOf, inUnits, usedUp, withLimit } from './budget.ts';
import type { Input, InputOf, Stamp } from './inputs.ts';
import { iterate, settle } from './settle.ts';
import { goBack } from './going-on.ts';
import type { Verdict } from './machine.ts';
import { NO_USAGE } from '../facts.ts';
import { NO_CLAIMS } from '../govern/grade.ts';
import { deny, sign } from './on-card.ts';
import { takeHead, updateBase } from './on-branch.ts';
import { isForeign } from './foreign.ts';
import { theirsFirst } from './refusals.ts';
import { begunPlan } from './on-plan.ts';
import { wordsAsked } from './on-words.ts';
import { PLAIN, ROUNDS } from './rounds.ts';
import { words } from '../feedback.ts';
import type { Reason, ReasonOf } from './reasons.ts';
import type { Run } from './run.ts';
import { isWorking } from '../states.ts';
import { rerunAsked } from './verdict.ts';

type Command = Extract<Input, { type: `command.${string}` }>;

const QUEUED: Reason = { kind: 'queued' };

/** A new run, QUEUED. */
export const create = (input: InputOf<'command.run.create'>, stamp: Stamp): Draft => {
  const run: Run = {
    id: input.runId,
    order: input.order,
    state: 'QUEUED',
    version: 0,
    epoch: 0,
    createdAt: stamp.at,
    since: stamp.at,
    updatedAt: stamp.at,
    reason: QUEUED,
    back: null,
    pausedEpoch: null,
    contract: null,
    escalation: null,
    base: null,
    commit: null,
    evaluation: null,
    denied: null,
    pushed: null,
    ours: [],
    foreign: null,
    taken: null,
    merging: null,
    merged: null,
    lay: null,
    proposal: null,
    approval: null,
    advice: [],
    words: null,
    consumed: null,
    pr: null,
    seen: { pull: null, head: null, ci: {}, reviews: {}, heard: {}, comments: [], blind: null },
    session: null,
    summary: '',
    claims: NO_CLAIMS,
    containment: null,
    plan: null,
    round: PLAIN,
    counts: {
      iterations: 0,
      reflections: 0,
      repairs: 0,
      planRounds: 0,
      stepFixes: 0,
      retries: 0,
      failedOutside: 0,
      reminders: 0,
      rateWaits: 0,
    },
    waiting: null,
    undone: null,
    workedMs: 0,
    usage: NO_USAGE,
    outputBytes: 0,
    raised: {},
    warned: [],
    kept: null,
  };
  const d: Draft = { run: { ...run, version: 1 }, stamp, effects: [], approvals: [] };
  enter(d, 'QUEUED', QUEUED);
  return d;
};

export const onCommand = (d: Draft, input: Command): Verdict => {
  const { run } = d;
  switch (input.type) {
    case 'command.run.create':
      return { refuse: { kind: 'exists', run: run.id } };
    case 'command.start.discovery':
      return void enter(d, 'DISCOVERY', { kind: 'reads_repository' });
    case 'command.start.implementation':
      if (run.escalation !== null && input.by === null)
        return { refuse: { kind: 'plan_first', run: run.id } };
      run.escalation = null;
      run.counts = { ...run.counts, reflections: 0, repairs: 0 };
      return void enter(d, 'IMPLEMENTING', { kind: begunPlan(run) ? 'plans' : 'works' });
    case 'command.local.validation.passed':
      if (!run.commit) return { refuse: { kind: 'no_commit', run: run.id } };
      return void enter(d, 'LOCAL_VALIDATING', { kind: 'sent_to_checks', by: input.by.name });
    case 'command.push.approve':
    case 'command.pr.create':
      return sign(d, input);
    case 'command.deny':
      return deny(d, input);
    case 'command.modify':
      return wordsAsked(d, input);
    case 'command.iterate':
      return void iterate(d, { kind: 'told', told: words(input.instruction), about: [] });
    case 'command.ci.rerun':
      if (isForeign(run)) return { refuse: theirsFirst(run) };
      return rerun(d, input.by.name);
    case 'command.update.base':
      return updateBase(d, input);
    case 'command.take.head':
      return takeHead(d, input);
    case 'command.retry':
    case 'command.resume':
      return goBack(d, input);
    case 'command.pause':
      return void enter(d, 'PAUSED', { kind: 'paused', by: input.by.name });
    case 'command.skip':
      if (run.pr) return { refuse: { kind: 'has_pull', run: run.id } };
      return void enter(d, 'SKIPPED', ended('skipped', input, run));
    case 'command.cancel':
      return void enter(d, 'FAILED_TERMINAL', ended('cancelled', input, run));
    case 'command.mark.done':
      return void enter(d, 'DONE', { kind: 'marked_done', by: input.by.name });
    case 'command.budget.raise':
      return raise(d, input);
    default:
      return input satisfies never;
  }
};

type Ending = ReasonOf<'ended'>;
const ended = (
  how: Ending['how'],
  { by, reason }: InputOf<'command.skip' | 'command.cancel'>,
  { pr }: Run,
): Ending => ({ kind: 'ended', how, by: by.name, note: reason, pull: pr?.number ?? null });

const rerun = (d: Draft, name: string): Verdict => {
  const { run } = d;
  if (!run.pr || !run.pushed) return { refuse: { kind: 'no_pull', run: run.id } };
  const { sha } = run.pushed;
  const ci = run.seen.ci[sha];
  if (ci) run.seen = { ...run.seen, ci: { ...run.seen.ci, [sha]: rerunAsked(ci, d.stamp.at) } };
  run.round = PLAIN;
  enter(d, 'CI_WAIT', { kind: 'checks_rerun', by: name });
  settle(d);
  if (run.state === 'CI_WAIT') work(d, { kind: 'rerun_ci', sha });
  return undefined;
};

/** E6: an approver grants more of a budget. A run that stands still for want of it goes on where it was. */
const raise = (d: Draft, input: InputOf<'command.budget.raise'>): Verdict => {
  const { run } = d;
  const { budget, by } = input;
  const { limit } = accountOf(run, budget);
  if (limit === null) return { refuse: { kind: 'no_limit', run: run.id } };
  if (!Number.isInteger(input.limit) && budget !== 'cost') return { refuse: { kind: 'not_whole' } };
  if (input.limit <= limit)
    return { refuse: { kind: 'limit_already', budget, limit: inUnits(budget, limit) } };
  const { reason } = run;
  run.raised = withLimit(run, budget, input.limit);
  run.warned = run.warned.filter((told) => told !== budget);
  const stands = reason.kind === 'budget' && reason.budget === budget && run.state === 'NEEDS_HUMAN_REVIEW';
  if (!stands) {
    if (budget === 'time' && isWorking(run.state) && !run.approval) limitTime(d);
    tell(d, { view: 'progress' }, { slot: progressSlot(run.id) });
    return undefined;
  }
  const spent = usedUp(run);
  if (spent) return outOf(d, spent) as undefined;
  const { round, back } = run;
  const asked = ROUNDS[round.kind].bound?.counts === 'iterations';
  if (asked && (back === 'CI_WAIT' || back === 'REVIEW_WAIT')) return void iterate(d, round);
  return goBack(d, { type: 'command.retry', by, target: null });
};
