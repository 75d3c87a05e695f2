/** Computes the figures of one run from its log (O4, O7). */
import { z } from 'zod';
import { evolveRun } from '../kernel/run/run-patch.ts';
import { kindSignedBy } from '../kernel/inputs/inputs.ts';
import type { RecordedStep } from '../kernel/effects/recorded-step.ts';
import { engineOf } from '../kernel/run/proposer-rotation.ts';
import type { Run } from '../kernel/run/run.ts';
import { ciVerdict } from '../kernel/ci/ci-verdict.ts';
import { isTerminal, RUN_STATES } from '#model/run';
import { SurvivalObserved } from '#model/change';
import { NO_REMARKS } from '#model/review';
import { findPersonWait, isStop, skillOf, type PersonWait } from './person-waits.ts';

/** Raise it when the same log gives other figures: all are then recomputed. */
export const FIGURES_VERSION = 9;

/** Attention: `onward` answers let the run continue, `hasty` ones took under a second. */
export const AttentionSpent = z.object({
  stops: z.number(),
  answers: z.number(),
  onward: z.number(),
  denied: z.number(),
  hasty: z.number(),
  taps: z.number(),
  pings: z.number(),
  ms: z.number(),
});
export type AttentionSpent = z.infer<typeof AttentionSpent>;
export const NO_ATTENTION: AttentionSpent = {
  stops: 0,
  answers: 0,
  onward: 0,
  denied: 0,
  hasty: 0,
  taps: 0,
  pings: 0,
  ms: 0,
};

export const RunFigures = z.object({
  run: z.string(),
  repo: z.string(),
  engine: z.string(),
  flow: z.enum(['direct', 'plan']),
  prompt: z.string(),
  drawn: z.boolean(),
  campaign: z.string().nullable(),
  ecosystems: z.array(z.string()),
  /** Epoch ms; null is not yet, or never. */
  createdAt: z.number(),
  readyAt: z.number().nullable(),
  openedAt: z.number().nullable(),
  mergedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  state: z.enum(RUN_STATES),
  firstCi: z.enum(['passed', 'failed']).nullable(),
  iterations: z.number(),
  needsHuman: z.boolean(),
  failures: z.record(z.string(), z.number()),
  tokens: z.number(),
  costUsd: z.number(),
  workedMs: z.number(),
  /** Time of each finished agent round (ms). */
  rounds: z.array(z.number()),
  /** Remarks of reviewers; unanswered are those given up, and those still open when late or ended. */
  remarks: z.object({ heard: z.number(), unanswered: z.number() }),
  survival: z.array(SurvivalObserved),
  /** Keys such as `card.open_pr`, `stop.no_changes`, `plan`. */
  causes: z.record(z.string(), AttentionSpent),
  /** Keys are the agent's last prompt. */
  skills: z.record(z.string(), AttentionSpent),
  /** Signatures on a shared card, with the attention as if each were alone. */
  together: z.array(
    z.object({
      card: z.number(),
      cause: z.string(),
      skill: z.string().nullable(),
      taps: z.number(),
      pings: z.number(),
      ms: z.number(),
    }),
  ),
});
export type RunFigures = z.infer<typeof RunFigures>;

/** A longer wait means that the user was away (ms). */
const MAX_ANSWER_TIME_MS = 300_000;
/** A faster signature was not read (ms). */
const MIN_READING_MS = 1_000;
/** A signature takes two taps: the button and its confirmation. */
const tapsOf = (type: string): number => (kindSignedBy(type) === null ? 1 : 2);

type Fold = {
  run: Run | null;
  ask: (PersonWait & { since: number }) | null;
  firstSha: string | null;
  roundMs: number;
  figures: Pick<
    RunFigures,
    | 'readyAt'
    | 'openedAt'
    | 'mergedAt'
    | 'endedAt'
    | 'firstCi'
    | 'needsHuman'
    | 'failures'
    | 'rounds'
    | 'causes'
    | 'skills'
    | 'together'
  >;
};

const createFold = (): Fold => ({
  run: null,
  ask: null,
  firstSha: null,
  roundMs: 0,
  figures: {
    readyAt: null,
    openedAt: null,
    mergedAt: null,
    endedAt: null,
    firstCi: null,
    needsHuman: false,
    failures: {},
    rounds: [],
    causes: {},
    skills: {},
    together: [],
  },
});

/** Oldest first; returns null for an empty log. */
export const figuresOf = (log: readonly RecordedStep[]): RunFigures | null => {
  const fold = createFold();
  for (const step of log) foldStep(fold, step);
  const { run, figures } = fold;
  if (!run) return null;
  const {
    order,
    lifecycle: { usage },
  } = run;
  return {
    run: run.id,
    repo: order.repo,
    engine: engineOf(run),
    flow: order.flow,
    prompt: order.promptVersion,
    drawn: order.promptExperiment !== undefined,
    campaign: order.campaign ?? null,
    ecosystems: run.target.contract?.ecosystems ?? [],
    createdAt: run.lifecycle.createdAt,
    state: run.lifecycle.state,
    iterations: run.lifecycle.counts.iterations,
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: usage.costUsd,
    workedMs: run.lifecycle.workedMs,
    remarks: remarksOf(run),
    survival: [...(run.upstream.survival ?? [])],
    ...figures,
  };
};

const remarksOf = ({ review: { remarks = NO_REMARKS }, lifecycle }: Run): RunFigures['remarks'] => {
  const { knownIds: heard, open, unanswered: left, calledAt } = remarks;
  const late = isTerminal(lifecycle.state) || calledAt.length > 0;
  return { heard: heard.length, unanswered: Math.min(heard.length, left + (late ? open.length : 0)) };
};

const foldStep = (fold: Fold, step: RecordedStep): void => {
  const { at } = step.stamp;
  const before = fold.run;
  const { ask } = fold;
  foldAnswer(fold, step, at);
  const run = evolveRun(before, step.changes);
  fold.run = run;
  foldAsk(fold, run, at);
  if (ask && before && isOfPerson(step.input) && wentOn(step.input.type, run, ask, fold.ask))
    (fold.figures.causes[ask.cause] ??= { ...NO_ATTENTION }).onward += 1;
  for (const { do: what } of step.effects)
    if (what.kind === 'chat_message' && what.sound)
      spendAttention(fold, (spent) => (spent.pings += 1), 'news');
  foldProgress(fold, run, step, at);
  foldWork(fold, step.input);
  if (run.lifecycle.epoch !== before?.lifecycle.epoch) fold.roundMs = 0;
};

const Took = z.object({ ms: z.number() });
const foldWork = (fold: Fold, input: RecordedStep['input']): void => {
  const msOf = (of: unknown): number => Took.safeParse(of).data?.ms ?? 0;
  switch (input.type) {
    case 'worker.usage.reported':
      if (input['by'] === 'agent') fold.roundMs += msOf(input);
      return;
    case 'worker.implementation.completed':
    case 'worker.plan.updated':
    case 'worker.contract.refined':
    case 'worker.permission.asked':
      fold.figures.rounds.push(fold.roundMs + msOf(input));
      return;
    case 'worker.step.failed':
      // No usage means that no agent started.
      if (input['step'] !== 'agent' || !input['spent']) return;
      fold.figures.rounds.push(fold.roundMs + msOf(input['spent']));
  }
};

const foldAnswer = (fold: Fold, { input }: RecordedStep, at: number): void => {
  if (!fold.run || !isOfPerson(input)) return;
  const { ask } = fold;
  const took = ask ? Math.max(0, at - ask.since) : 0;
  const { type, ['cluster']: card } = input;
  if (ask && typeof card === 'number')
    fold.figures.together.push({
      card,
      cause: ask.cause,
      skill: skillOf(fold.run),
      taps: tapsOf(type),
      // A shared card rang once for all of its members.
      pings: 1,
      ms: Math.min(MAX_ANSWER_TIME_MS, took),
    });
  spendAttention(fold, (spent) => {
    spent.taps += tapsOf(type);
    spent.ms += Math.min(MAX_ANSWER_TIME_MS, took);
    if (!ask) return;
    spent.answers += 1;
    if (type === 'command.deny') spent.denied += 1;
    if (kindSignedBy(type) !== null && took < MIN_READING_MS) spent.hasty += 1;
  });
  if (ask) ask.since = at;
};

const wentOn = (
  type: string,
  { lifecycle: { state } }: Run,
  ask: PersonWait,
  then: PersonWait | null,
): boolean => type !== 'command.deny' && then?.name !== ask.name && !isTerminal(state) && state !== 'PAUSED';

const isOfPerson = ({ type, ['by']: by }: RecordedStep['input']): boolean =>
  type.startsWith('command.') && typeof by === 'object' && by !== null && 'id' in by && by.id !== null;

const foldAsk = (fold: Fold, run: Run, at: number): void => {
  // A user saw the change and stopped it.
  if (run.lifecycle.reason.kind === 'ended_by_person' && run.lifecycle.reason.how === 'denied')
    fold.figures.needsHuman = true;
  const ask = findPersonWait(run);
  if (ask?.name === fold.ask?.name) return;
  fold.ask = ask && { ...ask, since: at };
  if (!ask) return;
  const stops = isStop(ask);
  if (stops) fold.figures.needsHuman = true;
  spendAttention(fold, (spent) => (spent.stops += stops ? 1 : 0));
};

const spendAttention = (fold: Fold, by: (spent: AttentionSpent) => void, otherwise = 'wish'): void => {
  const { run, ask, figures } = fold;
  by((figures.causes[ask?.cause ?? otherwise] ??= { ...NO_ATTENTION }));
  const skill = run && ask ? skillOf(run) : null;
  if (skill !== null) by((figures.skills[skill] ??= { ...NO_ATTENTION }));
};

const foldProgress = (fold: Fold, run: Run, { input, approvals }: RecordedStep, at: number): void => {
  const { figures } = fold;
  if (input.type === 'worker.step.failed' && typeof input['class'] === 'string')
    figures.failures[input['class']] = (figures.failures[input['class']] ?? 0) + 1;
  if (!run.upstream.pullRequest && approvals.some((a) => a.op === 'open' && a.kind !== 'reply'))
    figures.readyAt ??= at;
  if (run.upstream.pullRequest) {
    figures.openedAt ??= at;
    fold.firstSha ??= run.change.pushedHead?.sha ?? null;
    figures.firstCi ??= firstCiOf(run, fold.firstSha);
  }
  if (run.lifecycle.reason.kind === 'pull_merged') figures.mergedAt ??= at;
  if (isTerminal(run.lifecycle.state)) figures.endedAt ??= at;
};

/** Only results for the first commit of the pull request count. */
const firstCiOf = (
  { upstream: { observed: seen }, change: { pushedHead: pushed } }: Run,
  sha: string | null,
): RunFigures['firstCi'] => {
  const ci = sha === null || pushed?.sha !== sha ? undefined : seen.ci[sha];
  switch (ci && ciVerdict(ci)) {
    case 'RED':
      return 'failed';
    case 'GREEN':
    case 'GREEN_REQUIRED':
    case 'GREEN_SEEN':
      return 'passed';
    default:
      return null;
  }
};
