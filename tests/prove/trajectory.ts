/** Checks a run's log against its bounds: rounds and calls of people. */
import type { RunBounds } from '#model/limits';
import { isActive, isTerminal } from '#model/run';
import type { Effect } from '#effects';
import type { Input } from '#inputs';
import type { InputStamp } from '../../orchestrator/kernel/run/input-types.ts';
import { repositoryOf, type Run } from '#run';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import type { EventRow, LedgerQueries } from '#ports/ledger';
import { MOST_OF_A_TURN } from './world/agents.ts';

export type Limits = Pick<RunBounds, 'maxIterations' | 'maxReflections'>;

/** E6: remaining tokens; null without a limit. */
const tokensLeft = ({ order, lifecycle: { raisedLimits: raised, usage } }: Run): number | null => {
  const limit = raised.maxTokens ?? order.bounds.maxTokens;
  return limit === null ? null : limit - usage.inputTokens - usage.outputTokens;
};
export type Judged = { iterations: number; escalations: number; wrong: string[] };

/** Inputs that resume a round; only people, retries and base updates may. */
const BACK: readonly Input['type'][] = [
  ...(['command.retry', 'command.resume', 'timer.retry', 'command.deny'] as const),
  'command.base.update',
  'worker.base.merged',
  'worker.base.compared',
  'command.permission.answer',
];

/** F12: a round goes on against another base, or when pushes work again. */
const goesOn = (before: Run | null, { type }: Input): boolean =>
  type.startsWith('forge.') &&
  (before?.lifecycle.state === 'ITERATING' ||
    (before?.lifecycle.state === 'PAUSED' && before.lifecycle.resumeState === 'ITERATING'));

/** An answered call is edited in place and rings for nobody. */
const calls = (effects: readonly Effect[]): number =>
  effects.filter(
    ({ do: work }) =>
      work.kind === 'chat_message' &&
      work.content.view === 'attention' &&
      (work.content.answered !== true || work.sound === true),
  ).length;

/** Results of earlier epochs count only if they report something public. */
const isLate = (before: Run, { type }: Input, { effectEpoch }: InputStamp): boolean =>
  type.startsWith('worker.') &&
  type !== 'worker.pr.opened' &&
  type !== 'worker.push.completed' &&
  type !== 'worker.usage.reported' &&
  before.lifecycle.state !== 'PAUSED' &&
  effectEpoch !== before.lifecycle.epoch;

export const judgeLog = (events: readonly EventRow[], limits: Limits): Judged => {
  const judged: Judged = { iterations: 0, escalations: 0, wrong: [] };
  let run: Run | null = null;
  let reflections = 0;
  let waitsForBase = false;
  for (const event of events) {
    const { input, stamp } = JSON.parse(event.body) as { input: Input; stamp: InputStamp };
    const made = decideStep(run, input, stamp);
    if (made.kind !== 'moved') {
      judged.wrong.push(`L5: event ${event.seq} (${event.type}) is not legal`);
      return judged;
    }
    const before: Run | null = run;
    run = made.run;
    const entered = run.lifecycle.epoch === run.lifecycle.version ? run.lifecycle.state : null;
    const name = `run ${run.id} at event ${event.seq} (${event.type})`;
    if (entered === 'ITERATING') {
      const work = made.effects.map((e) => e.do.kind);
      const isNew = !BACK.includes(input.type) && !goesOn(before, input);
      // A fix begins after the questions whose failure it is and what another base means.
      if (work.includes('compare_base')) waitsForBase ||= isNew;
      else if (!work.includes('compare_checks') && (isNew || waitsForBase)) judged.iterations += 1;
      if (!work.includes('compare_base')) waitsForBase = false;
    }
    if (entered === 'NEEDS_HUMAN_REVIEW') {
      judged.escalations += 1;
      const told = calls(made.effects);
      // A foreign head is read first, and calls when it is not the base alone.
      const due = run.lifecycle.reason.kind === 'foreign_head' ? 0 : 1;
      if (told !== due) judged.wrong.push(`S7: ${told} calls for a person by ${name}`);
      // A foreign push is a question of its own, asked once.
      const other =
        run.change.foreignHead?.epoch === run.lifecycle.epoch &&
        before?.change.foreignHead?.epoch !== before?.lifecycle.epoch;
      if (before?.lifecycle.state === 'NEEDS_HUMAN_REVIEW' && !input.type.startsWith('command.') && !other)
        judged.wrong.push(`S7: a person who is called already is called again by ${name}`);
    }
    if (before && isLate(before, input, stamp)) judged.wrong.push(`S2: a late result moved ${name}`);
    const again = made.effects.some((e) => e.do.kind === 'implement');
    // A run on its way back may pass here; it is stopped before an agent starts.
    const onItsWay = input.type === 'command.implementation.start';
    const left = tokensLeft(run) ?? 1;
    if (again && !onItsWay && left <= 0)
      judged.wrong.push(`E6: an agent is asked for with no tokens left by ${name}`);
    if (left < -MOST_OF_A_TURN)
      judged.wrong.push(`E6: ${-left} tokens more than there were were used by ${name}`);
    if (input.type === 'worker.validation.completed') reflections += again && !run.agent.plan ? 1 : 0;
    else if (entered === 'ITERATING' || input.type.startsWith('command.')) reflections = 0;
    // An approver may have raised the limit.
    if (reflections > (run.lifecycle.raisedLimits.maxReflections ?? limits.maxReflections))
      judged.wrong.push(`S7: ${reflections} reflections by ${name}`);
  }
  const most = run?.lifecycle.raisedLimits.maxIterations ?? limits.maxIterations;
  if (judged.iterations > most)
    judged.wrong.push(`S7: ${judged.iterations} iterations of run ${run?.id}, where ${most} are allowed`);
  return judged;
};

/** S6: every live run has a pending effect, timer or poll. */
export const judgeWaiting = async (query: LedgerQueries): Promise<string[]> => {
  const wrong: string[] = [];
  const live = await query.runs({ live: true, limit: 100 });
  if (live.length === 0) return wrong;
  const open = [
    ...(await query.effects({ state: 'pending' })),
    ...(await query.effects({ state: 'claimed' })),
  ];
  for (const run of live) {
    const mine = open.filter(
      (e) => e.runId === run.id && e.kind !== 'chat_message' && e.epoch === run.lifecycle.epoch,
    );
    if (mine.length === 0)
      wrong.push(
        `S6: nothing will ever move run ${run.id} (${run.lifecycle.state}: ${run.lifecycle.reason.kind})`,
      );
    const waits = run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' || run.lifecycle.state === 'PAUSED';
    const reminded = mine.some((e) => e.do.kind === 'offer_input' && e.do.input.type === 'timer.reminder');
    if (waits && !reminded)
      wrong.push(`S6: nobody is asked again about run ${run.id} (${run.lifecycle.state})`);
    if (run.gate.approval && !open.some((e) => expires(e.do, run.gate.approval?.id)))
      wrong.push(`G3: the card of run ${run.id} never expires`);
  }
  return wrong;
};

/** F12: a run works against what the code host showed last. */
export const judgeGround = async (query: LedgerQueries, today: string): Promise<string[]> => {
  const live = await query.runs({ live: true, limit: 100 });
  return live.flatMap((run) => {
    const pull =
      run.upstream.observed.pull?.id === run.upstream.pullRequest?.id ? run.upstream.observed.pull : null;
    const shown = pull?.state === 'open' ? pull.metadata : undefined;
    if (!shown) return [];
    const { base, repo, headDeleted: headGone } = shown;
    const says = `F12: run ${run.id} (${run.lifecycle.state})`;
    const blocked = repo?.archived === true || headGone === true;
    return [
      ...(run.target.base?.ref === base
        ? []
        : [`${says} works against ${run.target.base?.ref}, and its pull request goes into ${base}`]),
      // The name may be known from elsewhere without a poll.
      ...(repo && ![repo.name, today].includes(repositoryOf(run))
        ? [`${says} calls ${repo.name} ${repositoryOf(run)}`]
        : []),
      ...(blocked && isActive(run.lifecycle.state) ? [`${says} goes on although nothing can be pushed`] : []),
    ];
  });
};

const expires = (what: Effect['do'], id: string | undefined): boolean =>
  what.kind === 'offer_input' && what.input.type === 'timer.approval.expired' && what.input.approvalId === id;

/** Returns true if the run ended, or waits for a person or the code host. */
export const isResting = (run: Run): boolean =>
  isTerminal(run.lifecycle.state) ||
  run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' ||
  run.lifecycle.state === 'PAUSED';
