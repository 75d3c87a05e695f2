/** Decides which parts a poll fetches and which it takes from the cache (F4). */
import type { PollDepth } from '#ports/forge';
import { HOUR, MINUTE, SECOND } from '#model/values';
import type { GitHubClient } from './github-client.ts';

export type PollClients = {
  pull: GitHubClient;
  runs: GitHubClient;
  suites: GitHubClient;
  statuses: GitHubClient;
  rules: GitHubClient;
  rights: GitHubClient;
  /** Age of the oldest answer about checks (epoch ms). */
  seenAt: () => number | null;
};

const RULES_MAX_AGE_MS = 5 * MINUTE;
const RIGHTS_MAX_AGE_MS = HOUR;
const AS_IT_WAS = Infinity;
const POLL_PARTS_BY_TURN = [
  ['pull', 'runs'],
  ['suites', 'statuses'],
] as const;

export const createPollClients = (client: GitHubClient, depth: PollDepth): PollClients => {
  let oldest: number | null = null;
  const noteAge = (at: number): void => void (oldest = Math.min(oldest ?? at, at));
  const asked: readonly string[] =
    depth === 'whole' ? POLL_PARTS_BY_TURN.flat() : (POLL_PARTS_BY_TURN[depth.turn % 2] ?? []);
  const clientOf = (part: string): GitHubClient => client.aged(asked.includes(part) ? 0 : AS_IT_WAS, noteAge);
  return {
    pull: client.aged(asked.includes('pull') ? 0 : AS_IT_WAS),
    runs: clientOf('runs'),
    suites: clientOf('suites'),
    statuses: clientOf('statuses'),
    rules: client.aged(depth === 'whole' ? 0 : RULES_MAX_AGE_MS),
    rights: client.aged(RIGHTS_MAX_AGE_MS),
    seenAt: () => oldest,
  };
};

/** Reviews and comments are fetched when `updated_at` changes, and every 10 to 20 minutes. */
export const createReviewPartClient = (client: GitHubClient, now: () => number) => {
  const MOST = 10 * MINUTE;
  /** The key spreads the times, so that not all are fetched in the same minute. */
  const maxAgeOf = (key: string): number =>
    MOST +
    (([...key].reduce((sum, c) => (sum * 131 + c.charCodeAt(0)) % 10_007, 0) * 6_173) % 10_007) *
      (MOST / 10_007);
  // GitHub's times have whole seconds, so changes of the same second need another poll.
  const SAME = 5 * SECOND;
  const changed = new Map<string, string>();
  /** The time `at` is the pull request's `updated_at`; `from` and `to` are epoch ms. */
  const heard = new Map<string, { at: string; from: number; to: number }>();
  return {
    changed: (pull: string, at: string): void => void changed.set(pull, at),
    async readTalk<T>(
      pull: string,
      what: string,
      depth: PollDepth,
      read: (client: GitHubClient) => Promise<T>,
    ): Promise<T> {
      const key = `${pull} ${what}`;
      const at = changed.get(pull);
      const before = heard.get(key);
      const last = before?.at === at ? before : undefined;
      const same = last !== undefined && last.to - last.from >= SAME;
      const asked = now();
      const said = await read(client.aged(depth !== 'whole' && same ? maxAgeOf(pull) : 0));
      if (at !== undefined && !same) heard.set(key, { at, from: last?.from ?? asked, to: asked });
      return said;
    },
  };
};
