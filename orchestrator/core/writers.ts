/**
 * F5: how much one identity writes on a code host: what it may create, who goes first, and when
 * nobody may. Pure: the same book at the same time gives the same answer.
 */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

/** What a person waits for goes before everything else. */
export const WRITERS = ['person', 'other'] as const;
export type WriterRank = (typeof WRITERS)[number];

/** What waits to be written, or for the provider of a model, and what for. */
export const AwaitedTurn = z.object({
  action: z.enum(['open_pr', 'push', 'rerun_ci', 'reply', 'implement']),
  /**
   * The pace of our own, or the code host's own word; we are suspended; the repository takes no more
   * of ours; what we send to strangers, for which see reputation.ts; or the provider of the agent's
   * model takes nothing.
   */
  why: z.enum(['pace', 'told', 'suspended', 'slot', 'owners', 'strangers', 'hidden', 'provider']),
  /** When it goes (epoch ms); 0 when that depends on others. Its place in line: 1 is the first. */
  readyAt: z.number(),
  position: z.number(),
  /** How many there may be, of what there are too many. */
  queueLength: z.number().exactOptional(),
});
export type AwaitedTurn = z.infer<typeof AwaitedTurn>;

/** Who waits: `key` names the work, `seq` says when it came, `at` is when it was told to go. */
const Waiting = z.object({
  key: z.string(),
  rank: z.enum(WRITERS),
  seq: z.number(),
  at: z.number(),
});
/** What is kept of an identity. Times are epoch ms. */
export const WriterBook = z.object({
  /** When each request of the last hour was let go, oldest first, whatever became of it. */
  sentAt: z.array(z.number()),
  /** Nothing is written before then. */
  blockedUntil: z.number(),
  /** Refusals in a row that named no time. */
  strikes: z.number(),
  queue: z.array(Waiting),
  /** Why nothing is written before `until`: the identity is suspended. */
  suspended: z.literal(true).exactOptional(),
});
export type WriterBook = z.infer<typeof WriterBook>;
export const EMPTY_BOOK: WriterBook = { sentAt: [], blockedUntil: 0, strikes: 0, queue: [] };

/**
 * What code hosts take without taking offence: 80 requests a minute and 500 an hour that create
 * content, with at least a second between them.
 */
export const GAP = SECOND;
export const A_MINUTE = 80;
export const AN_HOUR = 500;
/** How much later than its neighbours a request may arrive (ms): their windows are not ours. */
const LATE = SECOND;
/** Whoever was told to come, and is so late (ms), is not waited for. */
const PATIENCE = 2 * SECOND;
/** Whoever was not heard of for so long does not come any more (ms). */
const FORGOTTEN = 10 * MINUTE;

/** When the next `n` may go, one after the other. */
const slots = ({ sentAt: sent, blockedUntil: until }: WriterBook, now: number, n: number): number[] => {
  const gone = [...sent];
  const free: number[] = [];
  for (let i = 0; i < n; i += 1) {
    const back = (by: number, window: number): number => {
      const first = gone[gone.length - by];
      return first === undefined ? 0 : first + window;
    };
    const next = Math.max(
      ...[now, until, back(1, GAP), back(A_MINUTE, MINUTE + LATE), back(AN_HOUR, HOUR + LATE)],
    );
    gone.push(next);
    free.push(next);
  }
  return free;
};

type Asks = { key: string | null; rank: WriterRank; now: number };
export type WriterTurn =
  | { kind: 'go' }
  /** `at` is when (epoch ms), after so many others. */
  | { kind: 'wait'; at: number; before: number };

/** No refusal is kept for longer (ms): one that ends later was told by a clock that was ahead. */
const LONGEST = DAY;
const endOf = ({ blockedUntil: until }: WriterBook, now: number): number =>
  until - now > LONGEST ? 0 : until;

/** Until when nobody may ask for anything (epoch ms). Who is suspended may still read. */
export const aloneUntil = (book: WriterBook, now: number): number => (book.suspended ? 0 : endOf(book, now));

/** What is too old to count is left out; a clock that was put back makes nobody wait for it. */
const cleared = (book: WriterBook, now: number): WriterBook => ({
  ...book,
  blockedUntil: endOf(book, now),
  sentAt: book.sentAt.filter((at) => at > now - HOUR - LATE).map((at) => Math.min(at, now)),
  queue: book.queue.filter(({ at }) => at > now - FORGOTTEN),
});

const before = (a: { rank: WriterRank; seq: number }, b: { rank: WriterRank; seq: number }): boolean => {
  const [first, second] = [WRITERS.indexOf(a.rank), WRITERS.indexOf(b.rank)];
  return first < second || (first === second && a.seq < b.seq);
};

const seqOf = ({ queue: line }: WriterBook, key: string | null): number =>
  line.find((one) => one.key === key)?.seq ?? Math.max(0, ...line.map(({ seq }) => seq)) + 1;

const ahead = (book: WriterBook, { key, rank, now }: Asks): WriterBook['queue'] => {
  const me = { rank, seq: seqOf(book, key) };
  return book.queue.filter((one) => one.key !== key && one.at + PATIENCE >= now && before(one, me));
};

/** When whoever asks may go; nothing is used up. */
export const turnFor = (book: WriterBook, asks: Asks): WriterTurn => {
  const others = ahead(book, asks).length;
  const at = slots(book, asks.now, others + 1)[others] ?? asks.now;
  return others === 0 && at <= asks.now ? { kind: 'go' } : { kind: 'wait', at, before: others };
};

/** Whoever has to wait is in line from then on. */
export const queued = (given: WriterBook, asks: Asks): { book: WriterBook; answer: WriterTurn } => {
  const book = cleared(given, asks.now);
  const answer = turnFor(book, asks);
  const { key, rank } = asks;
  if (key === null || answer.kind === 'go') return { book, answer };
  const mine = { key, rank, seq: seqOf(book, key), at: answer.at };
  return { book: { ...book, queue: [...book.queue.filter((one) => one.key !== key), mine] }, answer };
};

/**
 * Who may go has gone: it is counted before it is sent, so that what a killed process may have sent
 * counts too.
 */
export const admitted = (given: WriterBook, asks: Asks): { book: WriterBook; answer: WriterTurn } => {
  const { book, answer } = queued(given, asks);
  if (answer.kind === 'wait') return { book, answer };
  const line = book.queue.filter(({ key }) => key !== asks.key);
  // guard: F5-counted-before-sent
  return { book: { ...book, queue: line, sentAt: [...book.sentAt, asks.now] }, answer };
};

/**
 * The code host asks to be left alone: everybody is held, until the time that it told, or for
 * longer each time that it tells none: a minute at least, then twice as long.
 */
export const refusedAll = (given: WriterBook, told: number | null, now: number): WriterBook => {
  const book = { ...given, blockedUntil: endOf(given, now) };
  if (told !== null) return { ...book, blockedUntil: Math.max(book.blockedUntil, told) };
  // What was on its way when it refused says nothing new.
  if (book.blockedUntil > now) return book;
  const wait = Math.min(HOUR, MINUTE * 2 ** Math.min(book.strikes, 10));
  return { ...book, blockedUntil: now + wait, strikes: book.strikes + 1 };
};

/** How long a suspended identity is left alone before one of its writers tries again (ms). */
const SUSPENDED = 15 * MINUTE;

/** Nobody writes as an identity that is suspended; now and then one tries whether it still is. */
export const suspendedAll = (book: WriterBook, now: number): WriterBook => ({
  ...book,
  suspended: true,
  blockedUntil: Math.max(endOf(book, now), now + SUSPENDED),
});

/** Something was written: a refusal after it is the first one again. */
export const accepted = ({ suspended: _, ...book }: WriterBook): WriterBook => ({ ...book, strikes: 0 });
