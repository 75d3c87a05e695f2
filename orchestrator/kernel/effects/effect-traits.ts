/** Traits of each kind of effect: lane, pool, what stops it, and what follows a failure. */
import type { WriterRank } from '#model/limits';
import type { Effect, EffectKind } from './effect-types.ts';

export type EffectTraits = {
  /** Effects of one lane (a run's work, its polling, a chat) run one at a time. Null: no lane. */
  lane: 'run' | 'question' | 'watch' | 'chat' | null;
  /** L8: each pool has its own places, so that a hanging code host blocks only polls. */
  pool: 'heavy' | 'outside' | 'polls' | 'quick';
  /** Belongs to no state of its run: it says itself when it is over. */
  outlives: boolean;
  /** Stopped when its run moves on. A push or an opening that has begun is finished. */
  stops: boolean;
  /** Requires an approval, which replay checks. */
  publishes: boolean;
  /**
   * Finished once begun, even when the run has moved on, because it may have happened: with the first
   * try that counts, or with the first claim where it writes several times and waits in between.
   */
  finishes: 'tried' | 'claimed' | null;
  /** Consequence of a permanent failure; `note` is a chat message, `never` retries for ever. */
  fails: 'result' | 'note' | 'log' | 'never';
  waitsAloud: boolean;
  /** F5: priority among writes to the code host. Null: it does not write. */
  writes: WriterRank | null;
  /** F5: looks, or begins something new, so it leaves the last requests of an hour to others. */
  yields: boolean;
  /** L7: needs the run's workspace or git, so it runs on that machine. */
  workspace: boolean;
  /** A newer one of the run replaces those that wait. */
  replaces: boolean;
};

const STEP = {
  // guard: L4-serial-work
  lane: 'run',
  pool: 'outside',
  outlives: false,
  // guard: G1-opening-not-stopped
  stops: false,
  publishes: false,
  finishes: null,
  fails: 'result',
  waitsAloud: true,
  writes: null,
  yields: false,
  workspace: true,
  replaces: false,
} as const satisfies EffectTraits;
const HEAVY = { ...STEP, pool: 'heavy', stops: true } as const;
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
  // guard: E21-card-stays-usable
  answer_question: { ...HEAVY, lane: 'question', outlives: true, waitsAloud: false },
  check: HEAVY,
  push: { ...STEP, publishes: true, writes: 'person' },
  open_pr: { ...STEP, publishes: true, finishes: 'tried', writes: 'person' },
  modify_proposal: STEP,
  rerun_ci: { ...STEP, writes: 'person' },
  seal_replies: STEP,
  reply: { ...STEP, publishes: true, finishes: 'claimed', writes: 'person' },
  update_from_base: STEP,
  compare_base: STEP,
  compare_checks: STEP,
  read_head: STEP,
  set_up_pull: { ...STEP, fails: 'note', waitsAloud: false, writes: 'other', workspace: false },
  close_pr: { ...STEP, fails: 'note', waitsAloud: false, writes: 'other', workspace: false },
  comment_on_item: {
    ...STEP,
    lane: null,
    outlives: true,
    finishes: 'tried',
    fails: 'note',
    waitsAloud: false,
    workspace: false,
  },
  remove_workspace: { ...STEP, fails: 'note', waitsAloud: false },
  poll: {
    ...STEP,
    lane: 'watch',
    pool: 'polls',
    stops: true,
    fails: 'never',
    waitsAloud: false,
    // F5: an hour's limit is never used up by looking.
    yields: true,
    workspace: false,
  },
  expedite_poll: { ...QUICK, replaces: true },
  offer_input: QUICK,
  chat_message: { ...QUICK, lane: 'chat', fails: 'log' },
} as const satisfies Record<EffectKind, EffectTraits>;

const EFFECT_KINDS = Object.keys(EFFECT_TRAITS) as EffectKind[];
export const traitsOf = (kind: EffectKind): EffectTraits => EFFECT_TRAITS[kind];

type PublishingKind = {
  [K in EffectKind]: (typeof EFFECT_TRAITS)[K]['publishes'] extends true ? K : never;
}[EffectKind];
export const isPublishing = (what: Effect['do']): what is Extract<Effect['do'], { kind: PublishingKind }> =>
  EFFECT_TRAITS[what.kind].publishes;
/** A log that was tampered with may name any kind. */
export const isEffectKind = (kind: string): kind is EffectKind => Object.hasOwn(EFFECT_TRAITS, kind);
export const selectEffectKinds = (is: (row: EffectTraits) => boolean): EffectKind[] =>
  EFFECT_KINDS.filter((kind) => is(EFFECT_TRAITS[kind]));
