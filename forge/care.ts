/**
 * F4: what is asked anew by a look, and what is taken as it was: what changes slowly is asked
 * slowly.
 */
import type { Care } from '../orchestrator/ports.ts';
import { HOUR, MINUTE, SECOND } from '../orchestrator/core/units.ts';
import type { Client } from './client.ts';

/** One client for each part of a look, by how old its answers may be. */
export type Clients = {
  pull: Client;
  runs: Client;
  suites: Client;
  statuses: Client;
  /** Of the base branch. */
  rules: Client;
  /** Who may do what, and what things are called. */
  rights: Client;
  /** Since when the oldest answer about checks is known to be so (epoch ms). */
  seenAt: () => number | null;
};

const RULES = 5 * MINUTE;
const RIGHTS = HOUR;
/** However long ago it was: the next turn asks. */
const AS_IT_WAS = Infinity;
/** Each turn asks for two of them. */
const TURNS = [
  ['pull', 'runs'],
  ['suites', 'statuses'],
] as const;

export const clientsFor = (client: Client, care: Care): Clients => {
  let oldest: number | null = null;
  const told = (at: number): void => void (oldest = Math.min(oldest ?? at, at));
  const asked: readonly string[] = care === 'whole' ? TURNS.flat() : (TURNS[care.turn % 2] ?? []);
  const of = (part: string): Client => client.aged(asked.includes(part) ? 0 : AS_IT_WAS, told);
  return {
    pull: client.aged(asked.includes('pull') ? 0 : AS_IT_WAS),
    ...{ runs: of('runs'), suites: of('suites'), statuses: of('statuses') },
    ...{ rules: client.aged(care === 'whole' ? 0 : RULES), rights: client.aged(RIGHTS) },
    seenAt: () => oldest,
  };
};

/**
 * People are heard when the pull request says that it has changed, and now and then all the same.
 */
export const createTalk = (client: Client, now: () => number) => {
  const MOST = 10 * MINUTE;
  /** Not of all pull requests in the same minute. */
  const most = (key: string): number =>
    MOST +
    (([...key].reduce((sum, c) => (sum * 131 + c.charCodeAt(0)) % 10_007, 0) * 6_173) % 10_007) *
      (MOST / 10_007);
  // Its times have no parts of a second: what was said in the same one shows in the next look.
  const SAME = 5 * SECOND;
  const changed = new Map<string, string>();
  /** At which change, and from when on it was heard until when. */
  const heard = new Map<string, { at: string; from: number; to: number }>();
  return {
    /** `at` is GitHub's own time of its last change. */
    changed: (pull: string, at: string): void => void changed.set(pull, at),
    /** `what` is read by `read`, which is given how old answers may be. */
    async hear<T>(pull: string, what: string, care: Care, read: (client: Client) => Promise<T>): Promise<T> {
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
