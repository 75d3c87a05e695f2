/**
 * Plans a campaign: looks at the repositories that somebody named, sorts out which take part, and
 * keeps the order. Nothing begins by it.
 */
import { z } from 'zod';
import { CampaignOrder, orderOf } from '../core/campaign/order.ts';
import { fewIn } from '../core/campaign/approvers.ts';
import { pilotSkipped, type CampaignSettings } from '../core/campaign/pilot.ts';
import { anotherWaits, replacedBy } from '../core/origin.ts';
import { written, type QueryFound, type RepoQuery } from '../core/campaign/query.ts';
import { estimateFor, sortTargets, type RepoThere, type TargetFacts } from '../core/campaign/plan.ts';
import type { ForkSettings } from '../core/forks.ts';
import { banIn } from '../core/machine/bans.ts';
import type { Run } from '../core/machine/run.ts';
import type { Note } from '../core/notes.ts';
import { isTerminal } from '../core/states.ts';
import { DAY, MINUTE, SECOND } from '../core/units.ts';
import { BatchAsked } from '../commands/batch.ts';
import type { NamedRepo } from '../commands/table.ts';
import {
  OutsideFailure,
  type Clock,
  type Forge,
  type FoundRepo,
  type InboxRow,
  type Incoming,
  type Ledger,
  type Timers,
} from '../ports.ts';
import { repliesTo, turnedAway, type PlannedBatch } from './arrivals.ts';
import type { FigureRecords } from './figures.ts';

const Batch = BatchAsked.extend({ type: z.literal('batch'), id: z.string() });
export type BatchRequest = Omit<BatchAsked, 'queries'> &
  Partial<Pick<BatchAsked, 'queries'>> & { id: string };

/** The same key is the same batch; those of one chat are planned one after the other. */
export const batchNote = (key: string, batch: BatchRequest): Incoming => ({
  source: 'cli',
  key,
  body: { type: 'batch', ...batch },
  lane: `batch:${batch.chat ?? ''}`,
});
export const isBatch = (body: unknown): boolean => Batch.safeParse(body).success;

/** Where nobody waits for it, a repository is judged when its run begins. */
const MOST_LOOKS = 500;
const LOOKS_AT_ONCE = 8;
const PATIENCE = 20 * SECOND;
/** Searches are few a minute: so long the next one is waited for. */
const SEARCH_PATIENCE = 5 * MINUTE;
/** Runs that are asked for what became of a repository before. */
const MOST_RUNS = 2_000;
/** Past runs that tell what this will take. */
const PAST = 30 * DAY;

export type PlannerParts = {
  ledger: Pick<Ledger, 'campaigns' | 'settleInbox'> & {
    query: Pick<Ledger['query'], 'runs' | 'campaign' | 'campaigns' | 'told'>;
  };
  forge: Pick<Forge, 'repo' | 'found' | 'forkOwner'>;
  figures: Pick<FigureRecords, 'since'>;
  forks: Pick<ForkSettings, 'use'>;
  settings: CampaignSettings;
  /** Whether the code host writes its repositories so. */
  isRepository(name: string, host: string | null): boolean;
  clock: Clock;
  timers: Timers;
  /** Whether somebody may approve anything. */
  mayApprove: (id: string) => Promise<boolean>;
};

export type Planner = {
  /** Plans what a row of the inbox asks for; the same row again plans nothing twice. */
  handle(row: InboxRow): Promise<PlannedBatch>;
  keep(row: Pick<InboxRow, 'id'>, batch: BatchRequest): Promise<PlannedBatch>;
};

export const createPlanner = (parts: PlannerParts): Planner => {
  const { ledger, forge, figures, clock } = parts;

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      parts.timers.after(ms, resolve);
    });

  /** What the code host finds, as often as it lets itself be asked; or why it finds nothing. */
  const seek = async (queries: readonly RepoQuery[]): Promise<Sought | Note> => {
    const until = clock.now() + SEARCH_PATIENCE;
    const sought: Sought = { repos: [], found: [] };
    const ask = async (query: RepoQuery): Promise<Note | null> => {
      try {
        const { repos, ...rest } = await forge.found(query);
        sought.repos.push(...repos);
        sought.found.push({ query, repos: repos.length, ...rest });
        return null;
      } catch (error) {
        if (!(error instanceof OutsideFailure)) throw error;
        const now = clock.now();
        const { retryAt } = error;
        if (error.class === 'rate_limited' && retryAt !== null && retryAt > now && retryAt <= until) {
          await wait(retryAt - now);
          return ask(query);
        }
        return notFound(query, error, now);
      }
    };
    for (const query of queries) {
      const note = await ask(query);
      if (note) return note;
    }
    return sought;
  };

  /** Repositories by their names in lower case, as far as the code host answers in time. */
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
    const mayFork = parts.forks.use !== 'never' && (await quietly(forge.forkOwner())) !== null;
    const open: string[] = ours.map(({ repo }) => repo.toLowerCase());
    const byName = new Set(open);
    for (const one of sought) {
      const name = one.name.toLowerCase();
      const facts = byName.has(name) ? null : thereIn(one, mayFork);
      if (facts) found.set(name, facts);
      else open.push(name);
    }
    const names = [...new Set(open)].slice(0, MOST_LOOKS);
    const until = clock.now() + PATIENCE;
    const asks = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined && clock.now() < until; name = names.shift())
        found.set(name, await there(forge, name, mayFork));
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, asks));
    return found;
  };

  /** What our own runs tell of repositories, by their names in lower case. */
  const history = async (): Promise<Map<string, Pick<TargetFacts, 'banned' | 'run'>>> => {
    const [newest, live] = await Promise.all([
      ledger.query.runs({ live: false, limit: MOST_RUNS }),
      ledger.query.runs({ live: true, limit: MOST_RUNS }),
    ]);
    const known = new Map<string, Pick<TargetFacts, 'banned' | 'run'>>();
    const note = (run: Run): void => {
      const name = run.order.repo.toLowerCase();
      const before = known.get(name);
      const open = run.pr !== null && run.seen.pull?.state !== 'closed';
      const works = !isTerminal(run.state) || open ? { id: run.id, open } : null;
      // The newest one tells whether its rules still forbid it.
      known.set(name, { banned: before?.banned ?? banIn(run) !== null, run: before?.run ?? works });
    };
    for (const run of [...newest, ...live]) note(run);
    return known;
  };

  /** Why its runs could not be approved by those whom it names. */
  const refusedFor = async (run: CampaignOrder['run']): Promise<Note | null> => {
    const may = new Set<string>();
    for (const id of run.approvers ?? []) {
      // guard: G3-approvers-subset
      if (!(await parts.mayApprove(id))) return { kind: 'batch_approver', who: id };
      may.add(id);
    }
    const few = fewIn(run, (id) => may.has(id));
    return few && { kind: 'batch_approvers', ...few };
  };

  const plan = async (batch: BatchRequest): Promise<PlannedBatch> => {
    const { id: _, named: said, queries = [], every, origin, ...asked } = batch;
    const unfitting = await refusedFor(batch.run);
    if (unfitting) return { kind: 'not', note: unfitting };
    const sought = await seek(queries);
    if ('kind' in sought) return { kind: 'not', note: sought };
    const { found } = sought;
    const named = withFound(said, sought.repos);
    const [seen, before] = await Promise.all([look(said, sought.repos), history()]);
    const sorted = sortTargets(named, (repo) => {
      const there = seen.get(repo.toLowerCase()) ?? null;
      const name = there === null || there === 'missing' ? repo : there.name;
      const known = before.get(name.toLowerCase()) ?? { banned: false, run: null };
      // Another issue is another change: it goes beside what is under way there.
      return { there, ...known, ...(origin?.kind === 'issue' ? { run: null } : {}) };
    });
    const { targets, leftOut } = sorted;
    if (targets.length === 0)
      return { kind: 'not', note: { kind: 'batch_empty', of: named.length, leftOut: leftOut.slice(0, 8) } };
    const skipped = pilotSkipped({ ...asked, targets }, parts.settings);
    // guard: F5-pilot
    if (skipped) return { kind: 'not', note: { kind: 'batch_pilot', ...skipped } };
    const past = await figures.since(clock.now() - PAST);
    const estimate = estimateFor(
      targets.length,
      past.filter(({ engine }) => engine === batch.run.engine),
    );
    const order = CampaignOrder.parse({
      ...asked,
      ...sorted,
      ...(estimate ? { estimate } : {}),
      ...(found.length > 0 ? { found } : {}),
      ...(every === undefined ? {} : { schedule: { every, named: here(said), queries } }),
    });
    const unfit = targets.find((target) => !isFit(batch.id, order, target));
    if (unfit) return { kind: 'not', note: { kind: 'batch_unfit', repo: unfit.repo } };
    return { kind: 'planned', order };
  };

  /** Repositories of this code host: the others are none of it on any day. */
  const here = (named: readonly NamedRepo[]) =>
    named.flatMap(({ repo, host, vars }) => (parts.isRepository(repo, host) ? [{ repo, vars }] : []));

  const keep: Planner['keep'] = async (row, batch) => {
    const { id, requester, origin } = batch;
    const before = await ledger.query.campaign(id);
    const away = before ? null : await turnedAway(ledger.query, batch, clock.now());
    const planned: PlannedBatch = before
      ? { kind: 'planned', order: before.order }
      : away
        ? { kind: 'not', note: away }
        : await plan(batch);
    const at = clock.now();
    const by = requester.id === null ? null : requester;
    const others = origin ? (await ledger.query.campaigns()).filter((one) => one.id !== id) : [];
    if (planned.kind === 'planned' && !before)
      await ledger.campaigns.plan({ id, order: planned.order, at, by, origin });
    if (planned.kind === 'planned' && origin)
      for (const old of replacedBy(others, origin))
        await ledger.campaigns.decide(old, { decision: { kind: 'lapsed', replaced: true }, by: null, at });
    const told = { id, chat: batch.chat, origin, at, rings: !anotherWaits(others) };
    const replies = await repliesTo(ledger.query, planned, told);
    const note = planned.kind === 'planned' ? 'a batch' : `no batch: ${planned.note.kind}`;
    await ledger.settleInbox(row.id, { kind: 'done', note, replies }, at);
    return planned;
  };

  return {
    keep,
    handle: (row) => {
      const { type: _, ...batch } = Batch.parse(row.body);
      return keep(row, batch);
    },
  };
};

type Sought = { repos: FoundRepo[]; found: QueryFound[] };

const notFound = (query: RepoQuery, failure: OutsideFailure, now: number): Note => {
  const { class: why, message, retryAt } = failure;
  const kind =
    why === 'repository_missing' && failure.status !== 422
      ? 'missing'
      : why === 'rate_limited'
        ? 'limited'
        : why === 'forge_refused' || failure.status === 422
          ? 'refused'
          : 'away';
  const waitMs = retryAt === null ? null : Math.max(0, retryAt - now);
  return { kind: 'batch_query', query: written(query), why: kind, says: message.slice(0, 300), waitMs };
};

/** What was found and named as well, or found twice, is one: nobody wrote it twice. */
const withFound = (said: readonly NamedRepo[], sought: readonly FoundRepo[]): NamedRepo[] => {
  const known = new Set(said.map(({ repo }) => repo.toLowerCase()));
  const fresh = new Map(sought.map((one) => [one.name.toLowerCase(), one.name]));
  return [
    ...said,
    ...[...fresh].flatMap(([name, repo]) => (known.has(name) ? [] : [{ repo, host: null, vars: {} }])),
  ];
};

/** What a list of many says of one; null where it must be asked for by itself. */
const thereIn = (one: FoundRepo, mayFork: boolean): RepoThere | null => {
  const { name, archived, mayPush, isFork } = one;
  // It is left out in any case.
  if (isFork) return { name, archived: false, reachable: true, id: null, forkOf: { root: null } };
  if (archived === null || (mayPush === null && !archived)) return null;
  return {
    name,
    archived,
    id: null,
    forkOf: null,
    reachable: mayPush === true || (mayFork && one.mayFork),
  };
};

const isFit = (id: string, order: CampaignOrder, target: CampaignOrder['targets'][number]): boolean => {
  try {
    return orderOf(id, order, target).repo === target.repo;
  } catch (error) {
    if (error instanceof z.ZodError) return false;
    throw error;
  }
};

const there = async (
  forge: Pick<Forge, 'repo'>,
  name: string,
  mayFork: boolean,
): Promise<TargetFacts['there']> => {
  try {
    const facts = await forge.repo(name);
    return {
      name: facts.name,
      archived: facts.archived,
      id: facts.id,
      forkOf: facts.network === facts.id ? null : { root: facts.network },
      reachable: facts.mayPush || (mayFork && facts.mayFork),
    };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    // Whatever else stands in the way now is judged when its run begins.
    return error.class === 'repository_missing' ? 'missing' : null;
  }
};

/** What cannot be asked now is taken for what it mostly is. */
const quietly = async (asked: Promise<string | null>): Promise<string | null> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutsideFailure) return '';
    throw error;
  }
};
