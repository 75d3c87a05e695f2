/** Why a run stands where it stands, as data beside the English sentence: the chat says it in its own language. */
import type { Budget } from './budget.ts';
import type { FailureClass } from './failures.ts';
import type { Run } from './run.ts';

export type Because =
  | {
      kind: 'failed';
      class: FailureClass;
      message: string;
      /** How often it was tried when it was given up; null while it is not. */
      tries: number | null;
      /** When it is tried again (epoch ms), when a provider is waited for. */
      retryAt: number | null;
    }
  /** `about` is what could not be done any more, in somebody's words. */
  | { kind: 'budget'; budget: Budget; used: number; limit: number; about: string }
  /** A person ended the run: no failure. `note` is what they said; `pull` stays open. */
  | { kind: 'ended'; how: 'cancelled' | 'denied'; by: string; note: string; pull: number | null }
  /** A pull request that somebody on the code host closed; null when nobody knows who. */
  | { kind: 'closed'; by: string | null }
  /** Somebody else's head of our branch. */
  | { kind: 'foreign'; from: string; to: string }
  | { kind: 'taken'; by: string; author: string; sha: string }
  /** The change is brought onto today's base: asked for, nothing to do, or done, with what conflicts. */
  | { kind: 'update'; by: string; ref: string }
  | { kind: 'level'; ref: string; sha: string }
  | { kind: 'merging'; ref: string; sha: string; commits: number; conflicts: readonly string[] }
  /** `at` is when a slot is free at the latest (epoch ms); null when that depends on other runs. */
  | { kind: 'queue'; waitsFor: 'slot' | 'day'; taken: number; of: number; at: number | null };
export type Why = Because & { says: string };

/** Null when the reason says something else by now, or was never data. */
export const whyOf = ({ why, reason }: Pick<Run, 'why' | 'reason'>): Why | null =>
  why?.says === reason ? why : null;
