/**
 * F4: which parts a poll asks GitHub for again, and which it takes from the last answer: what
 * changes slowly is asked for rarely.
 */
import type { PollDepth } from '../orchestrator/ports.ts';
import { HOUR, MINUTE, SECOND } from '../orchestrator/core/units.ts';
import type { GitHubClient } from './github-client.ts';

/** One client for each part of a poll, by how old its answers may be. */
export type PollClients = {
  pull: GitHubClient;
  runs: GitHubClient;
  suites: GitHubClient;
  statuses: GitHubClient;
  /** Of the base branch. */
  rules: GitHubClient;
  /** Who may do what, and what things are called. */
  rights: GitHubClient;
  /** Since when the oldest answer about checks is known to be so (epoch ms). */
  seenAt: () => number | null;
};

const RULES_MAX_AGE_MS = 5 * MINUTE;
const RIGHTS_MAX_AGE_MS = HOUR;
/** Any age will do: another turn asks for it. */
const AS_IT_WAS = Infinity;
/** Each turn asks for two of them. */
const POLL_PARTS_BY_TURN = [
  ['pull', 'runs'],
  ['suites', 'statuses'],
] as const;

export const clientsFor = (client: GitHubClient, care: PollDepth): PollClients => {
  let oldest: number | null = null;
  const told = (at: number): void => void (oldest = Math.min(oldest ?? at, at));
  const asked: readonly string[] =
    care === 'whole' ? POLL_PARTS_BY_TURN.flat() : (POLL_PARTS_BY_TURN[care.turn % 2] ?? []);
  const of = (part: string): GitHubClient => client.aged(asked.includes(part) ? 0 : AS_IT_WAS, told);
  return {
    pull: client.aged(asked.includes('pull') ? 0 : AS_IT_WAS),
    runs: of('runs'),
    suites: of('suites'),
    statuses: of('statuses'),
    rules: client.aged(care === 'whole' ? 0 : RULES_MAX_AGE_MS),
    rights: client.aged(RIGHTS_MAX_AGE_MS),
    seenAt: () => oldest,
  };
};

/**
 * Reviews and comments are asked for when the pull request's `updated_at` has moved, and every ten
 * to twenty minutes in any case.
 */
export const createReviewPartClient = (client: GitHubClient, now: () => number) => {
  const MOST = 10 * MINUTE;
  /** Spread by the key, so that not all pull requests are asked for in the same minute. */
  const most = (key: string): number =>
    MOST +
    (([...key].reduce((sum, c) => (sum * 131 + c.charCodeAt(0)) % 10_007, 0) * 6_173) % 10_007) *
      (MOST / 10_007);
  // GitHub's times have whole seconds: what was said in the same second shows in the next poll.
  const SAME = 5 * SECOND;
  const changed = new Map<string, string>();
  /** The `updated_at` at which it was read, and the first and last time of that (epoch ms). */
  const heard = new Map<string, { at: string; from: number; to: number }>();
  return {
    /** `at` is GitHub's own time of its last change. */
    changed: (pull: string, at: string): void => void changed.set(pull, at),
    /** `what` is read by `read`, which is given how old answers may be. */
    async hear<T>(
      pull: string,
      what: string,
      care: PollDepth,
      read: (client: GitHubClient) => Promise<T>,
    ): Promise<T> {
      const key = `${pull} ${what}`;
      const at = changed.get(pull);
      const before = heard.get(key);
      const last = before?.at === at ? before : undefined;
      const same = last !== undefined && last.to - last.from >= SAME;
      const asked = now();
      const said = await read(client.aged(care !== 'whole' && same ? most(pull) : 0));
      if (at !== undefined && !same) heard.set(key, { at, from: last?.from ?? asked, to: asked });
      return said;
    },
  };
};
