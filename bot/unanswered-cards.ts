/**
 * Looks every minute at who waits for whom: a digest after quiet hours, and cards that nobody has
 * decided. They do not expire while nobody can answer; then they are pinned, and the next approver
 * is asked.
 */
import { nextNote, pinNote } from '../orchestrator/engine/card-reminders.ts';
import { startRounds, type RepeatingJob } from '../orchestrator/engine/repeating-job.ts';
import type { SubmitInput } from '../orchestrator/engine/submit.ts';
import { chatFor } from '../orchestrator/core/machine/effect-types.ts';
import type { LiveApproval, Run } from '../orchestrator/core/machine/run.ts';
import { atLeast } from '../orchestrator/core/roles.ts';
import { HOUR, MINUTE } from '../orchestrator/core/units.ts';
import type { SystemClock, IncomingItem, Ledger, LogPort, TimerPort } from '../orchestrator/ports.ts';
import type { ChatRoles } from './commands/user-roles.ts';
import { isGroup } from './telegram-limits.ts';
import { isHere } from './chat-places.ts';
import { digestsDue } from './morning-summaries.ts';
import { hasSingleCard, mayJoin } from '../orchestrator/engine/cluster-notes.ts';
import { createClusters } from './cluster-cards.ts';
import type { PatchOf } from './commands/command-context.ts';
import { endsNext, isQuiet, quietKey, readQuiet } from './quiet-hours.ts';

/** Pins in one chat: what waits longest for a decision stays on top. */
const MOST_PINS = 3;
/** Of a card's time, what is left when it is pinned, and when the next approver is asked. */
const REMINDER_SHARES = { pin: 1 / 2, next: 1 / 4 };
/** An absence that is shorter costs nobody a decision (ms). */
const MIN_ABSENCE_MS = MINUTE;
/** Nobody knows how long Telegram stays away: time is given for at least, and at most, so long (ms). */
const ADDED_TIME_MS = { least: 10 * MINUTE, most: 2 * HOUR };

/** Cards of a campaign that come within this time come together (ms). */
const CAMPAIGN_CARD_WINDOW_MS = 5_000;

type Parts = {
  ledger: {
    query: Pick<
      Ledger['query'],
      'setting' | 'runs' | 'effects' | 'campaigns' | 'campaign' | 'campaignRuns' | 'slots' | 'told'
    >;
  };
  roles: Pick<ChatRoles, 'everybody'>;
  clock: SystemClock;
  submit: SubmitInput;
  /** Since when Telegram cannot be reached (epoch ms); null when it can, as far as we know. */
  awaySince: () => number | null;
};
type Waiting = { run: Run; card: LiveApproval; chat: string };

const waiting = async ({ ledger }: Pick<Parts, 'ledger'>): Promise<Waiting[]> =>
  (await ledger.query.runs({ live: true, limit: 1_000 })).flatMap((run): Waiting[] => {
    const chat = chatFor(run.order, { view: 'gate', approvalId: '', armedBy: null, armedUntil: null });
    return run.gate.approval && chat !== null ? [{ run, card: run.gate.approval, chat }] : [];
  });

const freeze = async (
  { submit }: Pick<Parts, 'submit'>,
  { run, card }: Waiting,
  from: number,
  until: number,
) => {
  if ((card.frozenUntil ?? 0) >= until) return;
  await submit({
    runId: run.id,
    input: { type: 'timer.approval.frozen', approvalId: card.id, from, until },
    key: `frozen:${card.id}:${until}`,
    cause: { kind: 'none' },
  });
};

/** G3: while we were down nobody could answer. Before any timer rings. */
export const freezeWhileDown = async (
  parts: Pick<Parts, 'ledger' | 'submit'>,
  lastSeenAt: number | null,
  now: number,
): Promise<void> => {
  if (lastSeenAt === null || now - lastSeenAt < MIN_ABSENCE_MS) return;
  for (const one of await waiting(parts)) await freeze(parts, one, lastSeenAt, now);
};

/** Until when nobody rings at this chat; null when somebody may be rung for now. */
const restsUntil = async ({ ledger }: Pick<Parts, 'ledger'>, chat: string, now: number) => {
  const hours = isGroup(chat) ? null : await ledger.query.setting(quietKey(chat));
  const quiet = hours ? readQuiet(hours) : null;
  return quiet && isQuiet(quiet, now) ? endsNext(quiet, now) : null;
};

/** Everybody who was shown the card. */
const shown = async ({ ledger }: Parts, { run, card, chat }: Waiting): Promise<string[]> => {
  const rows = await ledger.query.effects({ runId: run.id, kind: 'chat_message' });
  const copies = rows.flatMap(({ do: what, chat: to }) =>
    what.kind === 'chat_message' &&
    what.content.view === 'gate' &&
    what.content.approvalId === card.id &&
    to !== null
      ? [to]
      : [],
  );
  return [...new Set([chat, ...copies])];
};

/** The span in which nobody can answer and now lies; null when somebody can. */
const unanswerable = async (
  parts: Parts,
  one: Waiting,
  now: number,
): Promise<{ from: number; until: number } | null> => {
  const away = parts.awaySince();
  if (away !== null && now - away >= MIN_ABSENCE_MS) {
    const ahead = Math.min(ADDED_TIME_MS.most, Math.max(ADDED_TIME_MS.least, now - away));
    // What was given in advance is not given again before it is nearly over.
    return (one.card.frozenUntil ?? 0) - now > ADDED_TIME_MS.least / 2
      ? { from: now, until: now }
      : { from: away, until: now + ahead };
  }
  if ((await restsUntil(parts, one.chat, now)) === null) return null;
  const ends = await Promise.all((await shown(parts, one)).map((chat) => restsUntil(parts, chat, now)));
  const all = ends.flatMap((end) => (end === null ? [] : [end]));
  return all.length === ends.length ? { from: now, until: Math.min(...all) } : null;
};

/** Whoever may sign and was not asked yet, approvers before admins; null when there is nobody. */
const nextApprover = async (parts: Parts, one: Waiting, now: number): Promise<string | null> => {
  const { run, card } = one;
  const asked = await shown(parts, one);
  const everybody = (await parts.roles.everybody())
    .filter(({ id, role }) => atLeast(role, 'approver') && !asked.includes(id))
    .filter(({ id }) => run.order.bounds.requesterMayApprove || id !== run.order.requester.id)
    .filter(({ id }) => !card.signatures.some((signature) => signature.id === id))
    .sort((a, b) => Number(a.role === 'admin') - Number(b.role === 'admin'));
  for (const { id } of everybody) {
    const rests = (await restsUntil(parts, id, now)) !== null;
    if (!rests && (await isHere(parts.ledger.query, id)) !== false) return id;
  }
  return null;
};

/** What is due now of the cards that wait; the same, asked for again, is the same note. */
export const attentionDue = async (parts: Parts, now: number): Promise<IncomingItem[]> => {
  const due: IncomingItem[] = [];
  const pinned = new Map<string, number>();
  const cards = (await waiting(parts)).sort((a, b) => a.card.expiresAt - b.card.expiresAt);
  for (const one of cards) {
    const { run, card, chat } = one;
    const span = await unanswerable(parts, one, now);
    if (span) {
      await freeze(parts, one, span.from, span.until);
      continue;
    }
    // It is a member of another card, or about to be.
    if (mayJoin(run) && !(await hasSingleCard(parts.ledger.query, run.id, card.id))) continue;
    const left = (card.expiresAt - now) / run.order.bounds.approvalMs;
    const pins = pinned.get(chat) ?? 0;
    if (left <= REMINDER_SHARES.pin && pins < MOST_PINS) {
      pinned.set(chat, pins + 1);
      due.push(pinNote({ runId: run.id, approvalId: card.id, chat }));
    }
    if (left > REMINDER_SHARES.next) continue;
    const next = await nextApprover(parts, one, now);
    if (next !== null) due.push(nextNote({ runId: run.id, approvalId: card.id, chat: next }));
  }
  return due;
};

export const startAttention = (
  parts: Parts & {
    timers: TimerPort;
    log: Pick<LogPort, 'error'>;
    patch: PatchOf;
    receive: (items: IncomingItem[]) => Promise<unknown>;
  },
): RepeatingJob => {
  const { clock, timers, log } = parts;
  const told = new Set<string>();
  const clusters = createClusters({
    ...parts,
    next: (one) => nextApprover(parts, one, parts.clock.now()),
  });
  return startRounds({
    timers,
    every: MINUTE,
    soon: CAMPAIGN_CARD_WINDOW_MS,
    round: async (stopped) => {
      // What fails in one of them keeps nobody from the others.
      for (const look of [digestsDue, attentionDue, (_: unknown, now: number) => clusters.due(now)]) {
        try {
          const fresh = (await look(parts, clock.now())).filter(({ key }) => !told.has(key));
          if (fresh.length > 0 && !stopped()) await parts.receive(fresh);
          for (const { key } of fresh) told.add(key);
        } catch (error) {
          log.error({ err: error }, 'nobody could be reminded of what waits');
        }
      }
    },
  });
};
