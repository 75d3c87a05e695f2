/** Holds back what was approved: outside its hours, before its cool-down is over, and above a cap (G10). */
import { z } from 'zod';
import { coolDownOf } from '#model/assessment';
import type { RecordedOpening, WriteSlotWait } from '#model/limits';
import { ownerOf } from '#model/pull';
import { OpeningWindow, openingsClosedUntil } from '#model/schedule';
import { isTerminal } from '#model/run';
import { DAY, MINUTE, SECOND } from '#model/values';
import { matchesGlob } from '#text-safety';
import { TurnAwaited, type WriteHold, type WriteLimit } from '#ports/forge';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import type { ClaimedEffect } from '#ports/steps';
import { repositoryOf, type ConsumedApproval, type Run } from '../kernel/run/run.ts';
import { isThirdParty } from './stranger-allowance.ts';
import {
  decideOpeningTurn,
  OpeningCapSettings,
  type CapTurn,
  type CountedOpening,
} from './decide-opening-turn.ts';

const repository = z
  .string()
  .max(200)
  .regex(/^[^/\s]+(?:\/[^/\s]+)+$/, 'must be owner/name; `*` and `?` may stand in each part');

export const OpeningSettings = OpeningWindow.extend({
  /** By `owner/name` with `*` and `?`: hours replace, days off are added to. */
  repositories: z.record(repository, OpeningWindow).default({}),
});
export type OpeningSettings = z.infer<typeof OpeningSettings>;

/** The window of one repository; of several patterns that match, the later one wins. */
export const windowFor = ({ repositories, ...all }: OpeningSettings, repo: string): OpeningWindow =>
  Object.entries(repositories)
    .filter(([pattern]) => matchesGlob(repo, [pattern]))
    .reduce<OpeningWindow>(
      (now, [, { hours = now.hours, except = [] }]) => ({
        ...(hours === undefined ? {} : { hours }),
        except: [...(now.except ?? []), ...except],
      }),
      all,
    );

export const windowsOfRun = async (
  query: Pick<Ledger['query'], 'campaign'>,
  settings: OpeningSettings,
  run: Run,
): Promise<OpeningWindow[]> => {
  const { campaign } = run.order;
  const order = campaign === undefined ? null : ((await query.campaign(campaign))?.order ?? null);
  return [windowFor(settings, repositoryOf(run)), ...(order?.openings ? [order.openings] : [])];
};

/** Settings and clocks may change, so look again after this time (ms). */
const LOOK_AGAIN_MS = 5 * MINUTE;
/** What was let through is open by then, or never will be (ms). */
const ON_ITS_WAY_MS = 10 * MINUTE;
const BOOK = 'openings';
/** Of other owners, whose runs are not read, none is kept longer (ms). */
const MAX_OPEN_AGE_MS = 30 * DAY;
const MAX_OPEN_READ = 1_000;
const MAX_PLACE_TRIES = 20;

type Parts = {
  ledger: {
    writers: Ledger['writers'];
    query: Pick<Ledger['query'], 'run' | 'runPage' | 'campaign'>;
  };
  clock: SystemClock;
  windows: () => OpeningSettings;
  caps: () => OpeningCapSettings;
};

const approvalIn = ({ do: work }: ClaimedEffect): string | null =>
  work.kind === 'open_pr' || work.kind === 'push' ? work.approvalId : null;

const isOpen = ({ upstream: { pullRequest, observed } }: Run): boolean =>
  pullRequest !== null && observed.pull?.state !== 'closed' && observed.pull?.merged !== true;

/** Ended by a person, who may have left its pull request open. */
const isLeftOpen = (run: Run): boolean => run.lifecycle.reason.kind === 'ended_by_person' && isOpen(run);

const isUnderWay = ({ gate, upstream }: Run, approval: string): boolean =>
  upstream.pullRequest === null && gate.consumedApproval?.id === approval;

export const createOpeningHolds = ({ ledger, clock, windows, caps }: Parts): WriteLimit => {
  const { query, writers } = ledger;

  /** Runs of the owner, and whatever was recorded there, wherever its repository is now. */
  const runsWith = async (owner: string, recorded: readonly RecordedOpening[]): Promise<Run[]> => {
    const live = await query.runPage({ live: true, limit: MAX_OPEN_READ, filter: { owner }, after: null });
    const known = new Set(live.map(({ id }) => id));
    const missing = recorded.filter((one) => one.owner === owner && !known.has(one.run));
    const more = await Promise.all([...new Set(missing.map(({ run }) => run))].map((id) => query.run(id)));
    // Whoever ends a run leaves its pull request open.
    return [
      ...live,
      ...more.flatMap((run) => (run && (!isTerminal(run.lifecycle.state) || isLeftOpen(run)) ? [run] : [])),
    ];
  };

  /** Those that were open before anything was recorded count as well. */
  const countOpenings = (
    recorded: readonly RecordedOpening[],
    live: readonly Run[],
    now: number,
  ): CountedOpening[] => {
    const byRun = new Map(live.map((run) => [run.id, run]));
    const known = recorded.map((one): CountedOpening => {
      const run = byRun.get(one.run);
      const fresh = now - one.at < ON_ITS_WAY_MS && run !== undefined && run.upstream.pullRequest === null;
      return { ...one, open: run !== undefined && (fresh || isOpen(run) || isUnderWay(run, one.approval)) };
    });
    const names = new Set(known.flatMap(({ run, open }) => (open ? [run] : [])));
    const others = live.filter((run) => isOpen(run) && !names.has(run.id));
    return [
      ...known,
      ...others.map((run): CountedOpening => ({
        run: run.id,
        approval: '',
        owner: ownerOf(repositoryOf(run)).toLowerCase(),
        repo: repositoryOf(run).toLowerCase(),
        stranger: isThirdParty(run),
        at: 0,
        open: true,
      })),
    ];
  };

  const countsOpen = ({ stranger }: { stranger: boolean }): boolean => {
    const { openPerOwner, openPerRepository } = caps();
    return stranger || openPerOwner !== undefined || openPerRepository !== undefined;
  };

  const isKept = (one: CountedOpening, mine: RecordedOpening): boolean => {
    const age = mine.at - one.at;
    return age < DAY || (one.owner === mine.owner ? one.open : age < MAX_OPEN_AGE_MS);
  };

  /** Runs are read after the book, and the book must not have changed since: nobody passes between. */
  const takePlace = async (mine: RecordedOpening): Promise<CapTurn> => {
    for (let tries = 0; tries < MAX_PLACE_TRIES; tries += 1) {
      const { openings: before = [] } = await writers.of(BOOK);
      const live = countsOpen({ stranger: mine.stranger }) ? await runsWith(mine.owner, before) : [];
      const answer = await writers.change<CapTurn | 'again'>(BOOK, (book) => {
        const { openings: recorded = [] } = book;
        // guard: G10-counted-at-once
        if (JSON.stringify(recorded) !== JSON.stringify(before)) return { book, answer: 'again' };
        // A second try of the same opening has its place.
        if (recorded.some((one) => one.run === mine.run && one.approval === mine.approval))
          return { book, answer: { kind: 'go' } };
        const counted = countOpenings(recorded, live, mine.at);
        const turn = decideOpeningTurn(counted, { ...mine, now: mine.at, isStranger: mine.stranger }, caps());
        if (turn.kind === 'wait') return { book, answer: turn };
        const kept = counted.slice(0, recorded.length).filter((one) => isKept(one, mine));
        // A card that came anew has the place of the one before.
        const others = kept.filter(({ run }) => run !== mine.run);
        const openings = [...others.map(({ open: _, ...one }) => one), mine];
        return { book: { ...book, openings }, answer: turn };
      });
      if (answer !== 'again') return answer;
    }
    throw new TurnAwaited(clock.now() + SECOND);
  };

  const waitUntil = (readyAt: number, turn: Omit<WriteSlotWait, 'readyAt' | 'position'>): WriteHold => {
    const now = clock.now();
    return {
      at: readyAt === 0 ? now + MINUTE : Math.min(readyAt, now + LOOK_AGAIN_MS),
      turn: { ...turn, readyAt, position: 1 },
    };
  };

  const checkTime = async (
    run: Run,
    { kind, at = 0, fields, openNow }: ConsumedApproval,
    action: 'push' | 'open_pr',
  ) => {
    const now = clock.now();
    const after = coolDownOf(fields.assessment);
    // guard: G10-cool-down
    if (after > 0 && now < at + after) return waitUntil(at + after, { action, why: 'cool_down' });
    if (kind !== 'open_pr' || openNow !== undefined) return null;
    const until = openingsClosedUntil(await windowsOfRun(query, windows(), run), now);
    // guard: G10-opening-hours
    return until === null ? null : waitUntil(until, { action, why: 'opening_hours' });
  };

  return {
    async holds(claim) {
      const { runId, do: work } = claim;
      const approvalId = approvalIn(claim);
      if (runId === null || approvalId === null) return null;
      const run = await query.run(runId);
      const approval = run?.gate.consumedApproval;
      if (!run || approval?.id !== approvalId) return null;
      const action = work.kind === 'open_pr' ? 'open_pr' : 'push';
      const early = await checkTime(run, approval, action);
      if (early || action !== 'open_pr' || run.upstream.pullRequest !== null) return early;
      const repo = repositoryOf(run).toLowerCase();
      const mine = {
        run: run.id,
        approval: approvalId,
        owner: ownerOf(repo),
        repo,
        stranger: isThirdParty(run),
        at: clock.now(),
      };
      const turn = await takePlace(mine);
      if (turn.kind === 'go') return null;
      const { why, readyAt, most } = turn;
      return waitUntil(readyAt, { action, why, queueLength: most });
    },
  };
};
