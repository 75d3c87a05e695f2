/** Paces one identity's writes to a code host: limits, priorities and suspensions (F5). Pure. */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from '#model/values';
import { windowFreeAt } from './time-window.ts';

/** Work that a user waits for goes first. */
const WRITER_RANKS = ['person', 'other'] as const;
export type WriterRank = (typeof WRITER_RANKS)[number];

/** A write to the code host, or a model request, that waits. */
export const WriteSlotWait = z.object({
  action: z.enum(['open_pr', 'push', 'rerun_ci', 'reply', 'implement']),
  /** Our own limit is `pace`, the code host's `retry_after`; `third_party`, `new_owners`: see stranger-allowance.ts. */
  why: z.enum([
    'pace',
    'retry_after',
    'suspended',
    'slot',
    'new_owners',
    'third_party',
    'pulls_hidden',
    'provider',
    'spending',
    'merge_queue',
    /** G10: approved, and held back by a window, a cool-down or a cap. */
    'opening_hours',
    'cool_down',
    'owner_open',
    'repository_open',
    'hour_full',
    'day_full',
  ]),
  /** Start (epoch ms), 0 when it depends on others; position in line from 1. */
  readyAt: z.number(),
  position: z.number(),
  queueLength: z.number().exactOptional(),
});
export type WriteSlotWait = z.infer<typeof WriteSlotWait>;

const HELD_BACK: readonly WriteSlotWait['why'][] = [
  'opening_hours',
  'cool_down',
  'owner_open',
  'repository_open',
  'hour_full',
  'day_full',
];
/** G10: approved already, and it may take days, so that the card says it. */
export const isOpeningDelay = ({ why }: Pick<WriteSlotWait, 'why'>): boolean => HELD_BACK.includes(why);

/** `seq` orders arrivals; `at` is the time it was given. */
const Waiting = z.object({
  key: z.string(),
  rank: z.enum(WRITER_RANKS),
  seq: z.number(),
  at: z.number(),
});
/** Counted before it is opened, because a killed process may have opened it. `at`: epoch ms. */
export const RecordedOpening = z.object({
  run: z.string(),
  approval: z.string(),
  owner: z.string(),
  repo: z.string(),
  stranger: z.boolean(),
  at: z.number(),
});
export type RecordedOpening = z.infer<typeof RecordedOpening>;

/** Stored state of an identity. Times are epoch ms. */
export const WriteBudget = z.object({
  /** Requests let through in the last hour, oldest first, whatever their outcome. */
  sentAt: z.array(z.number()),
  blockedUntil: z.number(),
  /** Refusals in a row that named no time. */
  strikes: z.number(),
  queue: z.array(Waiting),
  /** Set when writes are blocked by a suspension. */
  suspended: z.literal(true).exactOptional(),
  /** G10: pull requests that were let through, of the book of openings. */
  openings: z.array(RecordedOpening).exactOptional(),
});
export type WriteBudget = z.infer<typeof WriteBudget>;
export const EMPTY_WRITE_BUDGET: WriteBudget = { sentAt: [], blockedUntil: 0, strikes: 0, queue: [] };

/** Code hosts accept 80 requests that create content a minute, 500 an hour, a second apart. */
export const MIN_WRITE_GAP_MS = SECOND;
export const MAX_WRITES_PER_MINUTE = 80;
export const MAX_WRITES_PER_HOUR = 500;
/** Delay of a request on its way (ms): the code host's windows differ from ours. */
const MAX_ARRIVAL_DELAY_MS = SECOND;
const WINDOWS = [
  { most: 1, spanMs: MIN_WRITE_GAP_MS },
  { most: MAX_WRITES_PER_MINUTE, spanMs: MINUTE + MAX_ARRIVAL_DELAY_MS },
  { most: MAX_WRITES_PER_HOUR, spanMs: HOUR + MAX_ARRIVAL_DELAY_MS },
];
const LATE_WRITER_MS = 2 * SECOND;
/** A caller silent for this long is dropped (ms). */
const WRITER_EXPIRY_MS = 10 * MINUTE;

const listSlots = (
  { sentAt: sent, blockedUntil: until }: WriteBudget,
  now: number,
  count: number,
): number[] => {
  const gone = [...sent];
  const free: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const next = Math.max(now, until, ...WINDOWS.map((window) => windowFreeAt(gone, window)));
    gone.push(next);
    free.push(next);
  }
  return free;
};

type Asks = { key: string | null; rank: WriterRank; now: number };
type WriterTurn =
  | { kind: 'go' }
  /** The turn comes at `at` (epoch ms), after `before` others. */
  | { kind: 'wait'; at: number; before: number };

/** Maximum block (ms): a later end came from a fast clock. */
const MAX_REFUSAL_MS = DAY;
const endOf = ({ blockedUntil: until }: WriteBudget, now: number): number =>
  until - now > MAX_REFUSAL_MS ? 0 : until;

/** End of the block for all requests (epoch ms); a suspended identity may still read. */
export const requestsBlockedUntil = (book: WriteBudget, now: number): number =>
  book.suspended ? 0 : endOf(book, now);

/** Later times do not block after a clock was set back. */
const dropExpired = (book: WriteBudget, now: number): WriteBudget => ({
  ...book,
  blockedUntil: endOf(book, now),
  sentAt: book.sentAt.filter((at) => at > now - HOUR - MAX_ARRIVAL_DELAY_MS).map((at) => Math.min(at, now)),
  queue: book.queue.filter(({ at }) => at > now - WRITER_EXPIRY_MS),
});

const isBefore = (
  left: { rank: WriterRank; seq: number },
  right: { rank: WriterRank; seq: number },
): boolean => {
  const [first, second] = [WRITER_RANKS.indexOf(left.rank), WRITER_RANKS.indexOf(right.rank)];
  return first < second || (first === second && left.seq < right.seq);
};

const seqOf = ({ queue: line }: WriteBudget, key: string | null): number =>
  line.find((one) => one.key === key)?.seq ?? Math.max(0, ...line.map(({ seq }) => seq)) + 1;

const listAhead = (book: WriteBudget, { key, rank, now }: Asks): WriteBudget['queue'] => {
  const me = { rank, seq: seqOf(book, key) };
  return book.queue.filter((one) => one.key !== key && one.at + LATE_WRITER_MS >= now && isBefore(one, me));
};

/** A dry run: nothing is used up. */
const turnFor = (book: WriteBudget, asks: Asks): WriterTurn => {
  const others = listAhead(book, asks).length;
  const at = listSlots(book, asks.now, others + 1)[others] ?? asks.now;
  return others === 0 && at <= asks.now ? { kind: 'go' } : { kind: 'wait', at, before: others };
};

export const queueWriter = (given: WriteBudget, asks: Asks): { book: WriteBudget; answer: WriterTurn } => {
  const book = dropExpired(given, asks.now);
  const answer = turnFor(book, asks);
  const { key, rank } = asks;
  if (key === null || answer.kind === 'go') return { book, answer };
  const mine = { key, rank, seq: seqOf(book, key), at: answer.at };
  return { book: { ...book, queue: [...book.queue.filter((one) => one.key !== key), mine] }, answer };
};

/** Counted before it is sent, because a killed process may have sent it. */
export const admitWriter = (given: WriteBudget, asks: Asks): { book: WriteBudget; answer: WriterTurn } => {
  const { book, answer } = queueWriter(given, asks);
  if (answer.kind === 'wait') return { book, answer };
  const line = book.queue.filter(({ key }) => key !== asks.key);
  // guard: F5-counted-before-sent
  return { book: { ...book, queue: line, sentAt: [...book.sentAt, asks.now] }, answer };
};

/** The code host's block holds everybody, until the given time, else from a minute doubling. */
export const applyHostBlock = (given: WriteBudget, told: number | null, now: number): WriteBudget => {
  const book = { ...given, blockedUntil: endOf(given, now) };
  if (told !== null) return { ...book, blockedUntil: Math.max(book.blockedUntil, told) };
  // Requests sent before the block add nothing.
  if (book.blockedUntil > now) return book;
  const wait = Math.min(HOUR, MINUTE * 2 ** Math.min(book.strikes, 10));
  return { ...book, blockedUntil: now + wait, strikes: book.strikes + 1 };
};

const SUSPENSION_RETRY_MS = 15 * MINUTE;

export const applySuspension = (book: WriteBudget, now: number): WriteBudget => ({
  ...book,
  suspended: true,
  blockedUntil: Math.max(endOf(book, now), now + SUSPENSION_RETRY_MS),
});

/** A success resets the row of refusals. */
export const recordAccepted = ({ suspended: _, ...book }: WriteBudget): WriteBudget => ({
  ...book,
  strikes: 0,
});
