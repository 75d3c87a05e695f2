/** Starts the background jobs of a control process, and wakes them early on news. */
import {
  startAdoptedPullPolls,
  startCampaignRunner,
  createLinkWatcher,
  startIssuePolls,
  type PullAdopter,
  type WatchedRepository,
} from '#campaigns';
import { startSurvivalPolls, type FigureRecords } from '#reports';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { UNDO_WORDS } from '#language';
import { startActivityNotes } from '#notices';
import type { SubmitInput } from '#runtime';
import { startAttention } from '../bot/unanswered-cards.ts';
import type { ChatRoles } from '../bot/commands/user-roles.ts';
import type { SystemClock, LogPort, TimerPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { AppContext } from './app-context.ts';
import { toEnglishRefusal, type createOrderBuilder } from './build-order.ts';
import type { createPatchReader } from './run-patches.ts';

/** Maximum number of steps per round, so that chats do not wait. */
const MAX_STEPS_PER_ROUND = 100;
const HOUSEKEEPING_INTERVAL_MS = 180_000;
/** A run takes about 4 ms to fold, so chats wait for a third of the processor at most. */
const REST_MS = 10;

export const removeExpired = async (
  ledger: Pick<Ledger, 'tidy'>,
  clock: SystemClock,
  stopped: () => boolean = () => false,
): Promise<void> => {
  for (let i = 0; i < MAX_STEPS_PER_ROUND && !stopped() && (await ledger.tidy(clock.now())); i += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

/** Starts at once in the background; a failed round is repeated with the next. */
export const startHousekeeping = (parts: {
  ledger: Pick<Ledger, 'tidy'>;
  /** O4: precomputed, so that reports are fast. */
  figures: { refresh(stopped: () => boolean, rest: () => Promise<void>): Promise<unknown> };
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
}): RepeatingJob => {
  const { ledger, figures, clock, timers, log } = parts;
  const pauseBriefly = (): Promise<void> => new Promise((resolve) => void timers.after(REST_MS, resolve));
  return startRepeatingJob({
    timers,
    every: HOUSEKEEPING_INTERVAL_MS,
    round: async (stopped) => {
      try {
        await removeExpired(ledger, clock, stopped);
        await figures.refresh(stopped, pauseBriefly);
      } catch (error) {
        log.error({ err: error }, 'the ledger could not be tidied');
      }
    },
  });
};

type Parts = {
  submit: SubmitInput;
  receive: (items: IncomingItem[]) => Promise<unknown>;
  figures: FigureRecords;
  adopter: PullAdopter;
  watched: readonly WatchedRepository[];
  orderOf: ReturnType<typeof createOrderBuilder>;
  roles: ChatRoles;
  accountsOf: (person: string) => readonly string[];
  mayApprove: (id: string) => Promise<boolean>;
  patch: ReturnType<typeof createPatchReader>;
  /** Time at which the chat became unreachable (epoch ms); null while it can be reached. */
  awaySince: () => number | null;
};

const startAll = (app: AppContext, given: Parts) => {
  const { figures, adopter, watched, orderOf, roles, mayApprove, patch, awaySince, ...rest } = given;
  const { ledger, clock, timers, log } = app;
  const { forge } = app.hands;
  const { receive } = given;
  const parts = { ...rest, ledger, clock, timers, log, forge };
  const housekeeping = startHousekeeping({ ...parts, figures });
  const links = createLinkWatcher(parts);
  const campaigns = startCampaignRunner({ ...parts, mayApprove, undoWords: UNDO_WORDS, links });
  const following = startAdoptedPullPolls({ ...parts, adopter, moved: () => campaigns.soon() });
  const labelled = startIssuePolls({
    watched,
    forge,
    query: ledger.query,
    clock,
    timers,
    log,
    orderOf: (order, requester, chat) => toEnglishRefusal(orderOf(order, { requester, chat })),
    receive,
  });
  const activity = startActivityNotes(parts);
  const attention = startAttention({ ...parts, roles, patch, awaySince });
  const survival = startSurvivalPolls({ ...parts, figures, query: ledger.query });
  const jobs = { survival, activity, attention, following, campaigns, labelled, housekeeping };
  return { jobs, links, ...jobs };
};

export const createBackgroundJobs = () => {
  let all: ReturnType<typeof startAll> | null = null;
  return {
    start(app: AppContext, parts: Parts): void {
      all = startAll(app, parts);
    },
    campaignMoved: (): void => all?.campaigns.soon(),
    cardMoved: (): void => all?.attention.soon(),
    followedMoved: (): void => all?.following.soon(),
    released: (repo: string): void => {
      if (all?.links.hint(repo)) all.campaigns.soon();
    },
    awaitsRelease: (repo: string): boolean => all?.links.awaits(repo) ?? false,
    labelled: (repo: string): void => all?.labelled.hint(repo),
    async stop(): Promise<void> {
      for (const one of Object.values(all?.jobs ?? {})) await one.stop();
    },
  };
};
