/**
 * F5: issues that somebody labelled. Each repository that is listed is looked at now and then, and at once
 * when a webhook says so: whatever was missed is found, and a thousand labels are one look.
 */
import { admits, type Origin } from '../core/origin.ts';
import { quotedFrom, titleOf } from '../core/campaign/issue-goal.ts';
import type { Order, Person } from '../core/order.ts';
import { cut } from '../core/text.ts';
import { DAY, MINUTE, SECOND } from '../core/units.ts';
import { batchFrom, plainBatch } from '../commands/batch.ts';
import { readOrder, type NewOrder } from '../commands/order.ts';
import { isWrong } from '../commands/problems.ts';
import {
  OutsideFailure,
  type Clock,
  type Forge,
  type Incoming,
  type LabelledIssue,
  type Ledger,
  type Log,
  type Timers,
} from '../ports.ts';
import { campaignIdOf } from './ids.ts';
import { batchNote } from './planning.ts';
import { startRounds, type Rounds } from './rounds.ts';

/** A repository whose issues may ask for a change, and who is shown that they do. */
export type Watched = { repo: string; label: string; perDay: number; chat: string };

/** Between two looks where no webhook comes. */
const EVERY = 5 * MINUTE;

type Parts = {
  watched: readonly Watched[];
  forge: Pick<Forge, 'repo' | 'labelled' | 'askedBy'>;
  query: Pick<Ledger['query'], 'campaign' | 'campaigns'>;
  clock: Clock;
  log: Pick<Log, 'info' | 'error'>;
  /** What this host makes of an order. */
  orderOf: (given: NewOrder, by: Person, chat: string) => { order: Order } | { refused: string };
  receive: (items: Incoming[]) => Promise<unknown>;
};

export const isWatchedIn =
  (watched: readonly Watched[]) =>
  (fullName: string): boolean =>
    watched.some(({ repo }) => repo.toLowerCase() === fullName.toLowerCase());

export const createLabelled = ({ watched, forge, query, clock, log, orderOf, receive }: Parts) => {
  /** Issues as they were when nothing more was to be done about them. */
  const settled = new Map<string, number>();
  /** Those that are on their way to be planned. */
  let sent: { id: string; state: 'planned'; plannedAt: number; origin: Origin }[] = [];

  /** Those that there are, and those that there will be in a moment. */
  const all = async () => {
    const known = await query.campaigns();
    const ids = new Set(known.map(({ id }) => id));
    sent = sent.filter(({ id, plannedAt }) => !ids.has(id) && plannedAt > clock.now() - EVERY);
    return [...known, ...sent];
  };

  /** False where no more of this repository is shown today. */
  const look = async (at: Watched, home: string, repoId: string, issue: LabelledIssue): Promise<boolean> => {
    const name = `${at.repo}${issue.id}`;
    const done = (why: string): true => {
      log.info({ issue: name }, why);
      settled.set(name, issue.updatedAt);
      return true;
    };
    const asked = await forge.askedBy(at.repo, issue.id, at.label);
    if (!asked) return done('nobody is known to have given the label');
    // guard: F5-labelled-by-writer
    if (asked.bot || asked.access !== 'write' || asked.by === null)
      return done(
        `the label of ${asked.by ?? 'nobody'} counts for nothing: ${asked.bot ? 'a program' : asked.access}`,
      );
    const key = `issue:${repoId}${issue.id}:${asked.event}`;
    const id = campaignIdOf(key);
    if (await query.campaign(id)) return done('its preview was shown');
    const url = `${home}/issues/${issue.id.slice(1)}`;
    const origin: Origin = { kind: 'issue', repo: at.repo, issue: issue.id, by: asked.by, url };
    const now = clock.now();
    const admitted = admits(await all(), origin, now, at.perDay);
    if (admitted.kind === 'open') return done('its preview waits already');
    const batch = batchOf(at, issue, origin);
    if ('refused' in batch) return done(`it comes to no order: ${batch.refused}`);
    const taken = admitted.kind === 'taken';
    // That it is too much is told by whoever plans it, and it is offered again when a day has passed.
    await receive([batchNote(taken ? key : `${key}:${Math.floor(now / DAY)}`, { id, ...batch.asked })]);
    if (!taken) return false;
    sent.push({ id, state: 'planned', plannedAt: now, origin });
    return done('its preview is being made');
  };

  const batchOf = (
    at: Watched,
    { title, body }: LabelledIssue,
    origin: Extract<Origin, { kind: 'issue' }>,
  ) => {
    const words = titleOf(title);
    const given = readOrder(origin.url, words, []);
    if (isWrong(given)) return { refused: given.problem?.kind ?? 'wrong' };
    const by = { id: null, name: `${origin.by} on ${at.repo}` };
    const made = orderOf(given.value, by, at.chat);
    if ('refused' in made) return made;
    const quoted = { url: origin.url, text: quotedFrom(title, body) };
    const batch = plainBatch({
      name: cut(words, 80),
      named: [{ repo: at.repo, host: null, vars: {} }],
      queries: [],
      order: given.value,
    });
    return { asked: { ...batchFrom(batch, { ...made.order, quoted }), origin, perDay: at.perDay } };
  };

  return {
    async round(only: ReadonlySet<string> | null, stopped: () => boolean = () => false): Promise<void> {
      for (const at of watched) {
        if (stopped() || (only && !only.has(at.repo.toLowerCase()))) continue;
        try {
          const fresh = (await forge.labelled(at.repo, at.label)).filter(
            ({ id, updatedAt }) => settled.get(`${at.repo}${id}`) !== updatedAt,
          );
          if (fresh.length === 0) continue;
          const { id, htmlUrl } = await forge.repo(at.repo);
          for (const issue of fresh) if (stopped() || !(await look(at, htmlUrl, id, issue))) break;
        } catch (error) {
          if (!(error instanceof OutsideFailure)) throw error;
          log.info({ repo: at.repo, why: error.message }, 'labelled issues could not be looked at now');
        }
      }
    },
  };
};

const SOON = SECOND;

export type LabelledRounds = Rounds & {
  /** Somebody may have labelled an issue there. */
  hint(fullName: string): void;
};

export const startLabelled = (parts: Parts & { timers: Timers }): LabelledRounds => {
  const labelled = createLabelled(parts);
  let hinted = new Set<string>();
  let wholeAt = -Infinity;
  const rounds = startRounds({
    timers: parts.timers,
    every: EVERY,
    soon: SOON,
    round: async (stopped) => {
      const now = parts.clock.now();
      const whole = now - wholeAt >= EVERY || now < wholeAt;
      const only = whole ? null : hinted;
      hinted = new Set();
      if (whole) wholeAt = now;
      try {
        await labelled.round(only, stopped);
      } catch (error) {
        parts.log.error({ err: error }, 'labelled issues could not be looked at');
      }
    },
  });
  return {
    ...rounds,
    hint(fullName) {
      hinted.add(fullName.toLowerCase());
      rounds.soon();
    },
  };
};
