/** Handles undecided cards: digests, pins, the next approver, and extensions in outages. */
import { nextApproverInboxItem, pinCardInboxItem, morningSummaryInboxItem } from '#notices';
import { maySign } from '#kernel';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { hasSingleCard, mayJoinCluster } from '#clusters';
import type { SubmitInput } from '#runtime';
import { chatFor } from '#effects';
import type { LiveApproval, Run } from '#run';
import { hasRoleAtLeast } from '#model/settings';
import { HOUR, MINUTE } from '#model/values';
import type { SystemClock, LogPort, TimerPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { ChatRoles } from './commands/user-roles.ts';
import { isGroup } from './telegram-limits.ts';
import { isBotInChat } from './moved-chats.ts';
import { createClusters } from './cluster-cards.ts';
import type { PatchOf } from './commands/command-context.ts';
import {
  nextQuietEnd,
  isQuiet,
  quietHoursKey,
  parseQuietHours,
  lastQuietEnd,
  lastQuietEndText,
} from './quiet-hours.ts';

/** No digest is sent this long after the end of the hours, e.g. after an outage of ours (ms). */
const MAX_SUMMARY_DELAY_MS = 3 * HOUR;

type SummaryParts = {
  ledger: { query: Pick<Ledger['query'], 'setting'> };
  roles: Pick<ChatRoles, 'everybody'>;
  /** One person may have an account in each of two chats, and quiet hours are set for each. */
  accountsOf?: (person: string) => readonly string[];
};

export const dueDigestInboxItems = async (
  { ledger, roles, accountsOf }: SummaryParts,
  now: number,
): Promise<IncomingItem[]> => {
  const due: IncomingItem[] = [];
  const people = await roles.everybody();
  for (const id of people.flatMap((one) => [one.id, ...(accountsOf?.(one.id) ?? [])])) {
    const hours = await ledger.query.setting(quietHoursKey(id));
    const quiet = hours ? parseQuietHours(hours) : null;
    if (!quiet) continue;
    const ended = lastQuietEnd(quiet, now);
    if (now - ended < MAX_SUMMARY_DELAY_MS)
      due.push(morningSummaryInboxItem(id, ended, lastQuietEndText(quiet, now)));
  }
  return due;
};

const MOST_PINS = 3;
const REMINDER_SHARES = { pin: 1 / 2, next: 1 / 4 };
const MIN_ABSENCE_MS = MINUTE;
/**
 * Minimum extension while Telegram is unreachable for an unknown time, and the maximum for one outage
 * of Telegram or of ours (ms): a card that was promised for a day cannot be signed a week later.
 */
const ADDED_TIME_MS = { least: 10 * MINUTE, most: 2 * HOUR };

/** Delay after a wake-up, so that cards of one campaign are handled together (ms). */
const CAMPAIGN_CARD_WINDOW_MS = 5_000;

type Parts = {
  ledger: {
    query: Pick<
      Ledger['query'],
      'setting' | 'runs' | 'effects' | 'campaigns' | 'campaign' | 'campaignRuns' | 'slots' | 'told'
    >;
  };
  roles: Pick<ChatRoles, 'everybody'>;
  accountsOf?: (person: string) => readonly string[];
  clock: SystemClock;
  submit: SubmitInput;
  /** Time at which Telegram became unreachable (epoch ms); null while it can be reached. */
  awaySince: () => number | null;
};
type Waiting = { run: Run; card: LiveApproval; chat: string };

const listWaiting = async ({ ledger }: Pick<Parts, 'ledger'>): Promise<Waiting[]> =>
  (await ledger.query.runs({ live: true, limit: 1_000 })).flatMap((run): Waiting[] => {
    const chat = chatFor(run.order, { view: 'gate', approvalId: '', armedBy: null, armedUntil: null });
    return run.gate.approval && chat !== null ? [{ run, card: run.gate.approval, chat }] : [];
  });

const freezeCard = async (
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

/** G3: extends open cards by our own downtime, within limits. Must run before any timer fires. */
export const extendCardsAfterDowntime = async (
  parts: Pick<Parts, 'ledger' | 'submit'>,
  lastSeenAt: number | null,
  now: number,
): Promise<void> => {
  if (lastSeenAt === null || now - lastSeenAt < MIN_ABSENCE_MS) return;
  // guard: G3-downtime-limit
  const from = Math.max(lastSeenAt, now - ADDED_TIME_MS.most);
  for (const one of await listWaiting(parts)) await freezeCard(parts, one, from, now);
};

const findQuietEnd = async ({ ledger }: Pick<Parts, 'ledger'>, chat: string, now: number) => {
  const hours = isGroup(chat) ? null : await ledger.query.setting(quietHoursKey(chat));
  const quiet = hours ? parseQuietHours(hours) : null;
  return quiet && isQuiet(quiet, now) ? nextQuietEnd(quiet, now) : null;
};

const listAskedChats = async ({ ledger }: Parts, { run, card, chat }: Waiting): Promise<string[]> => {
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

/** Returns the current span in which nobody can answer the card; null when somebody can. */
const findUnanswerableSpan = async (
  parts: Parts,
  one: Waiting,
  now: number,
): Promise<{ from: number; until: number } | null> => {
  const away = parts.awaySince();
  if (away !== null && now - away >= MIN_ABSENCE_MS) {
    const ahead = Math.max(ADDED_TIME_MS.least, now - away);
    // guard: G3-outage-limit
    const until = Math.min(now + ahead, away + ADDED_TIME_MS.most);
    // Extend again only when less than half of the minimum extension is left.
    return (one.card.frozenUntil ?? 0) - now > ADDED_TIME_MS.least / 2
      ? { from: now, until: now }
      : { from: away, until };
  }
  if ((await findQuietEnd(parts, one.chat, now)) === null) return null;
  const ends = await Promise.all(
    (await listAskedChats(parts, one)).map((chat) => findQuietEnd(parts, chat, now)),
  );
  const all = ends.flatMap((end) => (end === null ? [] : [end]));
  return all.length === ends.length ? { from: now, until: Math.min(...all) } : null;
};

const nextApprover = async (parts: Parts, one: Waiting, now: number): Promise<string | null> => {
  const { run, card } = one;
  const asked = await listAskedChats(parts, one);
  const everybody = (await parts.roles.everybody())
    .filter(({ id, role }) => hasRoleAtLeast(role, 'approver') && !asked.includes(id))
    .filter(({ id, role }) => maySign(run, card, { id, role }))
    .sort((a, b) => Number(a.role === 'admin') - Number(b.role === 'admin'));
  for (const { id } of everybody) {
    const rests = (await findQuietEnd(parts, id, now)) !== null;
    if (!rests && (await isBotInChat(parts.ledger.query, id)) !== false) return id;
  }
  return null;
};

/** Returns equal notes for equal causes, so asking again does no harm. */
export const dueAttentionInboxItems = async (parts: Parts, now: number): Promise<IncomingItem[]> => {
  const due: IncomingItem[] = [];
  const pinned = new Map<string, number>();
  const cards = (await listWaiting(parts)).sort((a, b) => a.card.expiresAt - b.card.expiresAt);
  for (const one of cards) {
    const { run, card, chat } = one;
    const span = await findUnanswerableSpan(parts, one, now);
    if (span) {
      await freezeCard(parts, one, span.from, span.until);
      continue;
    }
    // The card is shown, or about to be shown, as a member of a cluster card.
    if (mayJoinCluster(run) && !(await hasSingleCard(parts.ledger.query, run.id, card.id))) continue;
    const left = (card.expiresAt - now) / run.order.bounds.approvalMs;
    const pins = pinned.get(chat) ?? 0;
    if (left <= REMINDER_SHARES.pin && pins < MOST_PINS) {
      pinned.set(chat, pins + 1);
      due.push(pinCardInboxItem({ runId: run.id, approvalId: card.id, chat }));
    }
    if (left > REMINDER_SHARES.next) continue;
    const next = await nextApprover(parts, one, now);
    if (next !== null) due.push(nextApproverInboxItem({ runId: run.id, approvalId: card.id, chat: next }));
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
  return startRepeatingJob({
    timers,
    every: MINUTE,
    soon: CAMPAIGN_CARD_WINDOW_MS,
    round: async (stopped) => {
      for (const look of [
        dueDigestInboxItems,
        dueAttentionInboxItems,
        (_: unknown, now: number) => clusters.dueNotes(now),
      ]) {
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
