/** Asks the code host which repositories a list means, and for their properties. */
import { formatRepoQuery, type QueryFound, type RepoQuery } from '#model/targets';
import type { ForkSettings } from '#model/pull';
import type { ChatNote } from '#model/chat';
import { MINUTE, SECOND } from '#model/values';
import type { RepoThere, TargetFacts } from './select-targets.ts';
import type { NamedRepo } from '#orders';
import { OutsideFailure, type FoundRepo } from '#ports/forge';
import { isLackOf, type ForgeForks, type ForgeRepository, type ForgeSearch } from '#ports/roles';
import type { SystemClock, TimerPort } from '#ports/processes';

/** Repositories above this number are checked when their run begins. */
const MOST_LOOKS = 500;
const LOOKS_AT_ONCE = 8;
const SURVEY_TIMEOUT_MS = 20 * SECOND;
/** Maximum wait for the search quota (ms). */
const SEARCH_PATIENCE = 5 * MINUTE;
export type SurveyParts = {
  forge: Pick<ForgeRepository, 'repo'> & ForgeSearch & Pick<ForgeForks, 'forkOwner'>;
  forks: Pick<ForkSettings, 'use'>;
  isRepository(name: string, host: string | null): boolean;
  clock: SystemClock;
  timers: TimerPort;
};
type Sought = { repos: FoundRepo[]; found: QueryFound[] };

export const createSurvey = (parts: SurveyParts) => {
  const { forge, clock } = parts;

  const waitFor = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      parts.timers.after(ms, resolve);
    });

  const seek = async (queries: readonly RepoQuery[]): Promise<Sought | ChatNote> => {
    const until = clock.now() + SEARCH_PATIENCE;
    const sought: Sought = { repos: [], found: [] };
    const askQuery = async (query: RepoQuery): Promise<ChatNote | null> => {
      try {
        const { repos, ...rest } = await forge.findRepositories(query);
        sought.repos.push(...repos);
        sought.found.push({ query, repos: repos.length, ...rest });
        return null;
      } catch (error) {
        if (!(error instanceof OutsideFailure)) throw error;
        const now = clock.now();
        const { retryAt } = error;
        if (error.class === 'rate_limited' && retryAt !== null && retryAt > now && retryAt <= until) {
          await waitFor(retryAt - now);
          return askQuery(query);
        }
        return notFound(query, error, now);
      }
    };
    for (const query of queries) {
      const note = await askQuery(query);
      if (note) return note;
    }
    return sought;
  };

  /** Keyed by lower-case name; incomplete when the code host is slow. */
  const look = async (
    named: readonly NamedRepo[],
    sought: readonly FoundRepo[],
  ): Promise<Map<string, TargetFacts['there']>> => {
    const found = new Map<string, TargetFacts['there']>();
    const ours = named.filter(({ repo, host }) => {
      const is = parts.isRepository(repo, host);
      if (!is) found.set(repo.toLowerCase(), 'missing');
      return is;
    });
    const mayFork = parts.forks.use !== 'never' && (await forkOwnerOrNull(forge.forkOwner())) !== null;
    const open: string[] = ours.map(({ repo }) => repo.toLowerCase());
    const byName = new Set(open);
    for (const one of sought) {
      const name = one.name.toLowerCase();
      const facts = byName.has(name) ? null : thereIn(one, { mayFork });
      if (facts) found.set(name, facts);
      else open.push(name);
    }
    const names = [...new Set(open)].slice(0, MOST_LOOKS);
    const until = clock.now() + SURVEY_TIMEOUT_MS;
    const askInTurn = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined && clock.now() < until; name = names.shift())
        found.set(name, await readTargetFacts(forge, name, { mayFork }));
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, askInTurn));
    return found;
  };

  return { seek, look };
};

const notFound = (query: RepoQuery, failure: OutsideFailure, now: number): ChatNote => {
  const { class: why, message, retryAt } = failure;
  const kind = isLackOf('search', failure)
    ? 'lacks'
    : why === 'repository_missing' && failure.status !== 422
      ? 'missing'
      : why === 'rate_limited'
        ? 'limited'
        : why === 'forge_refused' || failure.status === 422
          ? 'refused'
          : 'unreachable';
  const waitMs = retryAt === null ? null : Math.max(0, retryAt - now);
  return {
    kind: 'campaign_query',
    query: formatRepoQuery(query),
    why: kind,
    says: message.slice(0, 300),
    waitMs,
  };
};

const thereIn = (one: FoundRepo, { mayFork }: { mayFork: boolean }): RepoThere | null => {
  const { id, name, archived, mayPush, isFork } = one;
  if (isFork) return { name, archived: false, reachable: true, id, forkOf: { root: null } };
  if (archived === null || (mayPush === null && !archived)) return null;
  return {
    name,
    archived,
    id,
    forkOf: null,
    reachable: mayPush === true || (mayFork && one.mayFork),
  };
};

const readTargetFacts = async (
  forge: Pick<ForgeRepository, 'repo'>,
  name: string,
  { mayFork }: { mayFork: boolean },
): Promise<TargetFacts['there']> => {
  try {
    const facts = await forge.repo(name);
    return {
      name: facts.name,
      archived: facts.archived,
      id: facts.id,
      forkOf: facts.network === facts.id ? null : { root: facts.network },
      reachable: facts.pullsRefused === undefined && (facts.mayPush || (mayFork && facts.mayFork)),
    };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return error.class === 'repository_missing' ? 'missing' : null;
  }
};

const forkOwnerOrNull = async (asked: Promise<string | null>): Promise<string | null> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutsideFailure) return isLackOf('forks', error) ? null : '';
    throw error;
  }
};
