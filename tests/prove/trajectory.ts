/**
 * Judges the log of each run by the bounds that the prover gave it: how often it went round, and
 * how often somebody was called.
 */
import type { Bounds } from '../../orchestrator/core/bounds.ts';
import type { Effect } from '../../orchestrator/core/machine/effects.ts';
import type { Input, Stamp } from '../../orchestrator/core/machine/inputs.ts';
import { decide } from '../../orchestrator/core/machine/machine.ts';
import { repositoryOf, type Run } from '../../orchestrator/core/machine/run.ts';
import { isActive, isTerminal } from '../../orchestrator/core/states.ts';
import type { EventRow, Queries } from '../../orchestrator/ports.ts';
import { MOST_OF_A_TURN } from './world/agents.ts';

export type Limits = Pick<Bounds, 'maxIterations' | 'maxReflections'>;

/** E6: what is left of the tokens; null where nothing limits them. */
const tokensLeft = ({ order, raised, usage }: Run): number | null => {
  const limit = raised.maxTokens ?? order.bounds.maxTokens;
  return limit === null ? null : limit - usage.inputTokens - usage.outputTokens;
};
export type Judged = { iterations: number; escalations: number; wrong: string[] };

/**
 * Where a person, or a failure that is tried again, brings a run back to a round that was begun
 * already. An update from the base is a person's tap, and has a bound of its own; a base with
 * nothing new brings the run back to the fix that waits.
 */
const BACK: readonly Input['type'][] = [
  ...(['command.retry', 'command.resume', 'timer.retry', 'command.deny'] as const),
  'command.update.base',
  'worker.base.merged',
  'worker.base.followed',
  'command.permission.answer',
];

/** F12: a round that was begun goes on against another base, or when pushes work again. */
const goesOn = (before: Run | null, { type }: Input): boolean =>
  type.startsWith('forge.') &&
  (before?.state === 'ITERATING' || (before?.state === 'PAUSED' && before.back === 'ITERATING'));

const calls = (effects: readonly Effect[]): number =>
  effects.filter((e) => e.do.kind === 'tell' && e.do.show.view === 'attention').length;

/** Results of another stay in a state mean nothing, except where they state what is public now. */
const isLate = (before: Run, { type }: Input, { effectEpoch }: Stamp): boolean =>
  type.startsWith('worker.') &&
  type !== 'worker.pr.opened' &&
  type !== 'worker.push.completed' &&
  type !== 'worker.spent' &&
  before.state !== 'PAUSED' &&
  effectEpoch !== before.epoch;

export const judgeLog = (events: readonly EventRow[], limits: Limits): Judged => {
  const judged: Judged = { iterations: 0, escalations: 0, wrong: [] };
  let run: Run | null = null;
  let reflections = 0;
  for (const event of events) {
    const { input, stamp } = JSON.parse(event.body) as { input: Input; stamp: Stamp };
    const made = decide(run, input, stamp);
    if (made.kind !== 'moved') {
      judged.wrong.push(`L5: event ${event.seq} (${event.type}) is not legal`);
      return judged;
    }
    const before: Run | null = run;
    run = made.run;
    const entered = run.epoch === run.version ? run.state : null;
    const name = `run ${run.id} at event ${event.seq} (${event.type})`;
    if (entered === 'ITERATING' && !BACK.includes(input.type) && !goesOn(before, input))
      judged.iterations += 1;
    if (entered === 'NEEDS_HUMAN_REVIEW') {
      judged.escalations += 1;
      const told = calls(made.effects);
      if (told !== 1) judged.wrong.push(`S7: ${told} calls for a person by ${name}`);
      // That somebody else pushed is a question of its own, asked once.
      const other = run.foreign?.epoch === run.epoch && before?.foreign?.epoch !== before?.epoch;
      if (before?.state === 'NEEDS_HUMAN_REVIEW' && !input.type.startsWith('command.') && !other)
        judged.wrong.push(`S7: a person who is called already is called again by ${name}`);
    }
    if (before && isLate(before, input, stamp)) judged.wrong.push(`S2: a late result moved ${name}`);
    const again = made.effects.some((e) => e.do.kind === 'implement');
    // A run that was sent back comes by here on its own; what is asked for then is refused before
    // an agent starts.
    const onItsWay = input.type === 'command.start.implementation';
    const left = tokensLeft(run) ?? 1;
    if (again && !onItsWay && left <= 0)
      judged.wrong.push(`E6: an agent is asked for with no tokens left by ${name}`);
    if (left < -MOST_OF_A_TURN)
      judged.wrong.push(`E6: ${-left} tokens more than there were were used by ${name}`);
    if (input.type === 'worker.validation.completed') reflections += again && !run.plan ? 1 : 0;
    else if (entered === 'ITERATING' || input.type.startsWith('command.')) reflections = 0;
    // An approver may have granted more.
    if (reflections > (run.raised.maxReflections ?? limits.maxReflections))
      judged.wrong.push(`S7: ${reflections} reflections by ${name}`);
  }
  const most = run?.raised.maxIterations ?? limits.maxIterations;
  if (judged.iterations > most)
    judged.wrong.push(`S7: ${judged.iterations} iterations of run ${run?.id}, where ${most} are allowed`);
  return judged;
};

/**
 * S6: whoever is alive has something that will move it: work, a timer, or a look at the code host.
 */
export const judgeWaiting = async (query: Queries): Promise<string[]> => {
  const wrong: string[] = [];
  const live = await query.runs({ live: true, limit: 100 });
  if (live.length === 0) return wrong;
  const open = [
    ...(await query.effects({ state: 'pending' })),
    ...(await query.effects({ state: 'claimed' })),
  ];
  for (const run of live) {
    const mine = open.filter((e) => e.runId === run.id && e.kind !== 'tell' && e.epoch === run.epoch);
    if (mine.length === 0)
      wrong.push(`S6: nothing will ever move run ${run.id} (${run.state}: ${run.reason.kind})`);
    const waits = run.state === 'NEEDS_HUMAN_REVIEW' || run.state === 'PAUSED';
    const reminded = mine.some((e) => e.do.kind === 'wake' && e.do.input.type === 'timer.reminder');
    if (waits && !reminded) wrong.push(`S6: nobody is asked again about run ${run.id} (${run.state})`);
    if (run.approval && !open.some((e) => expires(e.do, run.approval?.id)))
      wrong.push(`G3: the card of run ${run.id} never expires`);
  }
  return wrong;
};

/** F12: what the code host was last seen to show is what a run works against. */
export const judgeGround = async (query: Queries, today: string): Promise<string[]> => {
  const live = await query.runs({ live: true, limit: 100 });
  return live.flatMap((run) => {
    const pull = run.seen.pull?.id === run.pr?.id ? run.seen.pull : null;
    const shown = pull?.state === 'open' ? pull.shown : undefined;
    if (!shown) return [];
    const { base, repo, headGone } = shown;
    const says = `F12: run ${run.id} (${run.state})`;
    const blocked = repo?.archived === true || headGone === true;
    return [
      ...(run.base?.ref === base
        ? []
        : [`${says} works against ${run.base?.ref}, and its pull request goes into ${base}`]),
      // Where nobody looked at the pull request since, it may have heard the name elsewhere.
      ...(repo && ![repo.name, today].includes(repositoryOf(run))
        ? [`${says} calls ${repo.name} ${repositoryOf(run)}`]
        : []),
      ...(blocked && isActive(run.state) ? [`${says} goes on although nothing can be pushed`] : []),
    ];
  });
};

const expires = (what: Effect['do'], id: string | undefined): boolean =>
  what.kind === 'wake' && what.input.type === 'timer.approval.expired' && what.input.approvalId === id;

/** At rest every run has ended, waits for a person, or for the code host. */
export const isResting = (run: Run): boolean =>
  isTerminal(run.state) || run.state === 'NEEDS_HUMAN_REVIEW' || run.state === 'PAUSED';
