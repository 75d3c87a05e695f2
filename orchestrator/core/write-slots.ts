/**
 * F5: how much one identity writes on a code host: what it may create, who goes first, and when
 * nobody may. Pure: the same book at the same time gives the same answer.
 */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

/** What a person waits for goes before everything else. */
export const WRITER_RANKS = ['person', 'other'] as const;
export type WriterRank = (typeof WRITER_RANKS)[number];

/** What waits to be written, or for the provider of a model, and what for. */
export const WriteSlotWait = z.object({
  action: z.enum(['open_pr', 'push', 'rerun_ci', 'reply', 'implement']),
  /**
   * The pace of our own, or the code host's own word; we are suspended; the repository takes no more
   * of ours; what we send to strangers, for which see stranger-allowance.ts; or the provider of the agent's
   * model takes nothing.
   */
  why: z.enum(['pace', 'told', 'suspended', 'slot', 'owners', 'strangers', 'hidden', 'provider']),
  /** When it goes (epoch ms); 0 when that depends on others. Its place in line: 1 is the first. */
  readyAt: z.number(),
  position: z.number(),
  /** How many there may be, of what there are too many. */
  queueLength: z.number().exactOptional(),
});
export type WriteSlotWait = z.infer<typeof WriteSlotWait>;

/** Who waits: `key` names the work, `seq` says when it came, `at` is when it was told to go. */
const Waiting = z.object({
  key: z.string(),
  rank: z.enum(WRITER_RANKS),
  seq: z.number(),
  at: z.number(),
});
/** What is kept of an identity. Times are epoch ms. */
export const WriteBudget = z.object({
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
export type WriteBudget = z.infer<typeof WriteBudget>;
export const EMPTY_WRITE_BUDGET: WriteBudget = { sentAt: [], blockedUntil: 0, strikes: 0, queue: [] };

/**
 * What code hosts take without taking offence: 80 requests a minute and 500 an hour that create
 * content, with at least a second between them.
 */
export const MIN_WRITE_GAP_MS = SECOND;
export const MAX_WRITES_PER_MINUTE = 80;
export const MAX_WRITES_PER_HOUR = 500;
/** How much later than its neighbours a request may arrive (ms): their windows are not ours. */
const MAX_ARRIVAL_DELAY_MS = SECOND;
/** Whoever was told to come, and is so late (ms), is not waited for. */
const LATE_WRITER_MS = 2 * SECOND;
/** Whoever was not heard of for so long does not come any more (ms). */
const WRITER_EXPIRY_MS = 10 * MINUTE;

/** When the next `n` may go, one after the other. */
const slots = ({ sentAt: sent, blockedUntil: until }: WriteBudget, now: number, n: number): number[] => {
  const gone = [...sent];
  const free: number[] = [];
  for (let i = 0; i < n; i += 1) {
    const back = (by: number, window: number): number => {
      const first = gone[gone.length - by];
      return first === undefined ? 0 : first + window;
    };
    const next = Math.max(
      ...[
        now,
        until,
        back(1, MIN_WRITE_GAP_MS),
        back(MAX_WRITES_PER_MINUTE, MINUTE + MAX_ARRIVAL_DELAY_MS),
        back(MAX_WRITES_PER_HOUR, HOUR + MAX_ARRIVAL_DELAY_MS),
      ],
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
const MAX_REFUSAL_MS = DAY;
const endOf = ({ blockedUntil: until }: WriteBudget, now: number): number =>
  until - now > MAX_REFUSAL_MS ? 0 : until;

/** Until when nobody may ask for anything (epoch ms). Who is suspended may still read. */
export const quietUntil = (book: WriteBudget, now: number): number => (book.suspended ? 0 : endOf(book, now));

/** What is too old to count is left out; a clock that was put back makes nobody wait for it. */
const cleared = (book: WriteBudget, now: number): WriteBudget => ({
  ...book,
  blockedUntil: endOf(book, now),
  sentAt: book.sentAt.filter((at) => at > now - HOUR - MAX_ARRIVAL_DELAY_MS).map((at) => Math.min(at, now)),
  queue: book.queue.filter(({ at }) => at > now - WRITER_EXPIRY_MS),
});

const before = (a: { rank: WriterRank; seq: number }, b: { rank: WriterRank; seq: number }): boolean => {
  const [first, second] = [WRITER_RANKS.indexOf(a.rank), WRITER_RANKS.indexOf(b.rank)];
  return first < second || (first === second && a.seq < b.seq);
};

const seqOf = ({ queue: line }: WriteBudget, key: string | null): number =>
  line.find((one) => one.key === key)?.seq ?? Math.max(0, ...line.map(({ seq }) => seq)) + 1;

const ahead = (book: WriteBudget, { key, rank, now }: Asks): WriteBudget['queue'] => {
  const me = { rank, seq: seqOf(book, key) };
  return book.queue.filter((one) => one.key !== key && one.at + LATE_WRITER_MS >= now && before(one, me));
};

/** When whoever asks may go; nothing is used up. */
export const turnFor = (book: WriteBudget, asks: Asks): WriterTurn => {
  const others = ahead(book, asks).length;
  const at = slots(book, asks.now, others + 1)[others] ?? asks.now;
  return others === 0 && at <= asks.now ? { kind: 'go' } : { kind: 'wait', at, before: others };
};

/** Whoever has to wait is in line from then on. */
export const queueWriter = (given: WriteBudget, asks: Asks): { book: WriteBudget; answer: WriterTurn } => {
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
export const admitWriter = (given: WriteBudget, asks: Asks): { book: WriteBudget; answer: WriterTurn } => {
  const { book, answer } = queueWriter(given, asks);
  if (answer.kind === 'wait') return { book, answer };
  const line = book.queue.filter(({ key }) => key !== asks.key);
  // guard: F5-counted-before-sent
  return { book: { ...book, queue: line, sentAt: [...book.sentAt, asks.now] }, answer };
};

/**
 * The code host asks to be left alone: everybody is held, until the time that it told, or for
 * longer each time that it tells none: a minute at least, then twice as long.
 */
export const refusedAll = (given: WriteBudget, told: number | null, now: number): WriteBudget => {
  const book = { ...given, blockedUntil: endOf(given, now) };
  if (told !== null) return { ...book, blockedUntil: Math.max(book.blockedUntil, told) };
  // What was on its way when it refused says nothing new.
  if (book.blockedUntil > now) return book;
  const wait = Math.min(HOUR, MINUTE * 2 ** Math.min(book.strikes, 10));
  return { ...book, blockedUntil: now + wait, strikes: book.strikes + 1 };
};

/** How long a suspended identity is left alone before one of its writers tries again (ms). */
const SUSPENSION_RETRY_MS = 15 * MINUTE;

/** Nobody writes as an identity that is suspended; now and then one tries whether it still is. */
export const suspendedAll = (book: WriteBudget, now: number): WriteBudget => ({
  ...book,
  suspended: true,
  blockedUntil: Math.max(endOf(book, now), now + SUSPENSION_RETRY_MS),
});

/** Something was written: a refusal after it is the first one again. */
export const recordAccepted = ({ suspended: _, ...book }: WriteBudget): WriteBudget => ({
  ...book,
  strikes: 0,
});
