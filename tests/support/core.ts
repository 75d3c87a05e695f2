/** A given/when harness for the core: runs are only reached by real inputs. */
import { ENGLISH_WORDING } from '#language';
import type { ApprovalChange, Effect, EffectKind, Step } from '#effects';
import { inputKindOf, type InputStamp } from '../../orchestrator/kernel/run/input-types.ts';
import type { Input } from '#inputs';
import type { Run } from '#run';
import type { RunBounds } from '#model/limits';
import type { Order } from '#model/order';
import type { RunState } from '#model/run';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  baseChecked,
  cancel,
  check,
  ciCompared,
  confirm,
  created,
  discovered,
  failed,
  implemented,
  later,
  markDone,
  opened,
  pause,
  pushed,
  red,
  skip,
  startDiscovery,
  startWork,
  looked,
  validated,
  type Act,
} from './core-acts.ts';
import { START, bounds } from './core-samples.ts';
import { textOf } from './english.ts';

export * from './core-acts.ts';
export * from './core-samples.ts';

export type Logged = { input: Input; stamp: InputStamp };
export type Story = {
  run: Run;
  step: Step;
  /** Requested by the last step. */
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
  /** Requested by all steps. */
  all: readonly Effect[];
  log: readonly Logged[];
  now: number;
  when(...acts: Act[]): Story;
};

export const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

const tell = (past: Pick<Story, 'all' | 'log' | 'now'>, run: Run, last: Step): Story => {
  const moved = last.kind === 'moved';
  const story: Story = {
    ...past,
    run,
    step: last,
    effects: moved ? last.effects : [],
    approvals: moved ? last.approvals : [],
    when: (...acts) => acts.reduce(next, story),
  };
  return story;
};

const next = (story: Story, a: Act): Story => {
  const { run, all, log } = story;
  const { input, epoch, wait = 1 } = a(run);
  const now = story.now + wait;
  const effectEpoch =
    epoch === undefined ? (inputKindOf(input.type) === 'result' ? run.lifecycle.epoch : null) : epoch;
  const stamp = { at: now, nonce: `nonce-${now}-${log.length}`, effectEpoch };
  const last = decideStep(frozen(run), frozen(input), stamp);
  if (last.kind !== 'moved') return tell({ all, log, now }, run, last);
  return tell({ all: [...all, ...last.effects], log: [...log, { input, stamp }], now }, last.run, last);
};

export const given = (change: Partial<Order> = {}, ...acts: Act[]): Story => {
  const input = created(change);
  const stamp = { at: START, nonce: 'nonce-0', effectEpoch: null };
  const first = decideStep(null, input, stamp);
  if (first.kind !== 'moved') throw new Error(JSON.stringify(first.reason));
  return tell({ all: first.effects, log: [{ input, stamp }], now: START }, first.run, first).when(...acts);
};

/** The shortest way to each active state. */
const toDiscovery = [startDiscovery];
const toPlan = [...toDiscovery, discovered(), baseChecked()];
const toWork = [...toPlan, startWork()];
const toChecks = [...toWork, implemented('a')];
const toPushed = [...toChecks, validated(), pushed()];
const toCi = [...toPushed, confirm(), opened()];
const toReview = [...toCi, check(), later(30_000, looked)];
const toFix = [...toCi, red, ciCompared([])];
export const ways = {
  QUEUED: [],
  DISCOVERY: toDiscovery,
  PLAN_READY: toPlan,
  IMPLEMENTING: toWork,
  LOCAL_VALIDATING: toChecks,
  PUSHED: toPushed,
  CI_WAIT: toCi,
  REVIEW_WAIT: toReview,
  ITERATING: toFix,
  PAUSED: [...toWork, pause],
  DONE: [...toPushed, markDone],
  SKIPPED: [skip],
  NEEDS_HUMAN_REVIEW: [...toWork, implemented(null)],
  FAILED_RETRYABLE: [...toWork, failed('crashed')],
  FAILED_TERMINAL: [cancel],
} satisfies Record<RunState, Act[]>;

/** `change` applies to the order's bounds. */
export const at = (state: RunState, change: Partial<RunBounds> = {}): Story =>
  given({ bounds: bounds(change) }, ...ways[state]);
/** The same with an agent, which reads words; the engine of the samples is a script. */
export const atAgent = (state: RunState, change: Partial<RunBounds> = {}): Story =>
  given({ engine: 'codex', bounds: bounds(change) }, ...ways[state]);

export const works = (story: Pick<Story, 'effects'>): EffectKind[] =>
  story.effects
    .map((e) => e.do.kind)
    .filter((k) => k !== 'chat_message' && k !== 'offer_input' && k !== 'poll');
export const countOf = (effects: readonly Effect[], kind: EffectKind): number =>
  effects.filter((e) => e.do.kind === kind).length;
export const rings = (effects: readonly Effect[]): number =>
  effects.filter((e) => e.do.kind === 'chat_message' && e.do.content.view === 'attention' && e.do.sound)
    .length;
export const cards = (effects: readonly Effect[]): string[] =>
  effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === 'gate' && e.do.sound
      ? [e.do.content.approvalId]
      : [],
  );
export const notes = (effects: readonly Effect[]): string[] =>
  effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === 'note' ? [textOf(e.do.content)] : [],
  );
export const wakes = (effects: readonly Effect[]): string[] =>
  effects.flatMap((e) => (e.do.kind === 'offer_input' ? [e.do.input.type] : []));
/** Returns the refusal, or why nothing happened. */
export const why = (story: Story): string => {
  const { step: last } = story;
  if (last.kind === 'moved') return '';
  return last.kind === 'refused' ? ENGLISH_WORDING.refusal(last.reason) : last.reason;
};
