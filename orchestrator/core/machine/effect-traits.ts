/**
 * What each kind of effect is: the queue it waits in, whose places it takes, what stops it, and
 * what becomes of one that fails.
 */
import type { WriterRank } from '../write-slots.ts';
import type { Effect, EffectKind } from './effect-types.ts';

export type EffectTraits = {
  /**
   * One at a time of each: a run's work, a run's watcher, a chat. Null: whatever else is going on.
   */
  lane: 'run' | 'watch' | 'chat' | null;
  /**
   * L8: each pool has places of its own, so that nobody who hangs keeps another waiting: a code
   * host that never answers holds up looks, and neither a message nor a timer; a hundred looks hold
   * up no opening that a person has signed. `heavy` is for agents and checks.
   */
  pool: 'heavy' | 'outside' | 'looks' | 'quick';
  /** Stopped when its run moves on. A push or an opening that has begun is finished and told. */
  stops: boolean;
  /** It publishes: an approval may stand behind it, and replay asks for both. */
  publishes: boolean;
  /**
   * Once begun it is done although the run has moved on: it may have happened, and its handler must
   * find out.
   */
  finishes: boolean;
  /**
   * Who hears of one that fails for good: the machine, a person in a note, our log; `never` is
   * tried for ever.
   */
  fails: 'result' | 'note' | 'log' | 'never';
  /** F8: people are told of a long wait for the code host. */
  waitsAloud: boolean;
  /** F5: it writes on the code host, and waits for its turn: who goes first. Null: it does not. */
  writes: WriterRank | null;
  /** F5: it begins something new, and leaves the last requests of an hour to what was begun. */
  yields: boolean;
  /** L7: it needs the run's workspace or its git, and is done where they are. */
  workspace: boolean;
};

const STEP = {
  // guard: L4-serial-work
  lane: 'run',
  pool: 'outside',
  // guard: G1-opening-not-stopped
  stops: false,
  publishes: false,
  finishes: false,
  fails: 'result',
  waitsAloud: true,
  writes: null,
  yields: false,
  workspace: true,
} as const satisfies EffectTraits;
/** An agent or a check. */
const HEAVY = { ...STEP, pool: 'heavy', stops: true } as const;
/** Nothing outside is waited for, or it says itself for what. */
const QUICK = {
  ...STEP,
  lane: null,
  pool: 'quick',
  fails: 'note',
  waitsAloud: false,
  workspace: false,
} as const;

const EFFECT_TRAITS = {
  start_run: { ...STEP, waitsAloud: false, workspace: false },
  discover: { ...HEAVY, yields: true },
  check_base: HEAVY,
  implement: HEAVY,
  check: HEAVY,
  push: { ...STEP, publishes: true, writes: 'person' },
  open_pr: { ...STEP, publishes: true, finishes: true, writes: 'person' },
  modify_proposal: STEP,
  rerun_ci: { ...STEP, writes: 'person' },
  seal_replies: STEP,
  reply: { ...STEP, publishes: true, finishes: true, writes: 'person' },
  merge_base: STEP,
  compare_base: STEP,
  read_head: STEP,
  close_pr: { ...STEP, fails: 'note', waitsAloud: false, writes: 'other', workspace: false },
  remove_workspace: { ...STEP, fails: 'note', waitsAloud: false },
  poll: {
    ...STEP,
    lane: 'watch',
    pool: 'looks',
    stops: true,
    fails: 'never',
    waitsAloud: false,
    workspace: false,
  },
  expedite_poll: QUICK,
  offer_input: QUICK,
  chat_message: { ...QUICK, lane: 'chat', fails: 'log' },
} as const satisfies Record<EffectKind, EffectTraits>;

const EFFECT_KINDS = Object.keys(EFFECT_TRAITS) as EffectKind[];
export const traitsOf = (kind: EffectKind): EffectTraits => EFFECT_TRAITS[kind];

type PublishingKind = {
  [K in EffectKind]: (typeof EFFECT_TRAITS)[K]['publishes'] extends true ? K : never;
}[EffectKind];
/** What others see, and what an approval is used up for. */
export const isPublishing = (what: Effect['do']): what is Extract<Effect['do'], { kind: PublishingKind }> =>
  EFFECT_TRAITS[what.kind].publishes;
/** Tells whether a handler exists for this kind: a log that somebody changed may name any. */
export const isEffectKind = (kind: string): kind is EffectKind => Object.hasOwn(EFFECT_TRAITS, kind);
/** Kinds with a trait. */
export const kindsThat = (is: (row: EffectTraits) => boolean): EffectKind[] =>
  EFFECT_KINDS.filter((kind) => is(EFFECT_TRAITS[kind]));
