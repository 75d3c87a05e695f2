/** Notices about restarts, failures, outages and long waits, each sent exactly once. */
import { isTerminal, type RunState } from '#model/run';
import { gateSlot } from '../kernel/lifecycle/step-draft.ts';
import { repositoryOf, type Run } from '../kernel/run/run.ts';
import { z } from 'zod';
import type { SystemClock } from '#ports/processes';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { RecoveryResult } from '../kernel/runtime/recover-after-crash.ts';

export const bootInboxItem = (
  recovery: RecoveryResult & { setAside?: number },
  now: number,
  admins: readonly string[] = [],
): IncomingItem => ({
  source: 'note',
  key: `boot:${now}`,
  body: { type: 'boot', ...recovery, at: now, admins },
});

const Boot = z.object({
  lastSeenAt: z.number().nullable(),
  freed: z.number(),
  rollback: z.enum(['older', 'missing']).nullable(),
  setAside: z.int().default(0),
  at: z.number(),
  admins: z.array(z.string()),
});

/** Reports the downtime to chats with live runs, and a rollback to admins as well. */
export const notifyOfRestart = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { lastSeenAt, freed, rollback, setAside, at, admins } = Boot.parse(row.body);
  const live = await ledger.query.runs({ live: true, limit: 1_000 });
  const waiting = (await ledger.inbox(1_000)).filter((r) => r.source === 'chat' && r.id !== row.id).length;
  const chats = new Map<string, { repo: string; id: string; state: RunState }[]>();
  // guard: L5-older-copy-told
  for (const admin of rollback === null && setAside === 0 ? [] : admins) chats.set(admin, []);
  for (const run of live) {
    if (run.order.chat === null) continue;
    const runs = chats.get(run.order.chat) ?? [];
    runs.push({ repo: repositoryOf(run), id: run.id, state: run.lifecycle.state });
    chats.set(run.order.chat, runs);
  }
  const awayMs = lastSeenAt === null ? null : at - lastSeenAt;
  const replies: ChatReply[] = [...chats].map(([chat, all]) => {
    const runs = all.slice(0, 10);
    const more = all.length - runs.length;
    const note = {
      kind: 'restarted',
      awayMs,
      handled: waiting,
      freed,
      rollback,
      setAside,
      runs,
      more,
    } as const;
    return {
      chat,
      slot: `boot:${at}`,
      show: { view: 'note', note },
      urgent: true,
      sound: false,
      // E21: words in reply to it are for the agent of the one run that it names.
      runId: more === 0 && runs.length === 1 ? (runs[0]?.id ?? null) : null,
    };
  });
  await ledger.settleInbox(
    row.id,
    {
      kind: 'done',
      note: 'boot',
      replies: lastSeenAt === null ? [] : [...replies, ...(rollback === 'older' ? copyCards(live) : [])],
    },
    clock.now(),
  );
};

const MAX_COPIED_CARDS = 20;
/** What happened after the copy was made may have closed these cards on the phone: they come anew, once. */
const copyCards = (live: readonly Run[]): ChatReply[] =>
  live
    .flatMap((run): ChatReply[] => {
      const { approval } = run.gate;
      if (!approval || run.order.chat === null) return [];
      const show = { view: 'gate', approvalId: approval.id, armedBy: null, armedUntil: null } as const;
      const slot = `${gateSlot(approval.id)}:put-back`;
      return [{ chat: run.order.chat, slot, show, urgent: true, sound: false, runId: run.id }];
    })
    .slice(0, MAX_COPIED_CARDS);

const MAX_NAMED_RUNS = 10;
const Changed = z.object({
  runs: z.array(z.object({ id: z.string(), repo: z.string() })),
  at: z.number(),
  admins: z.array(z.string()),
});

export const ledgerChangeInboxItem = (news: z.infer<typeof Changed>): IncomingItem => ({
  source: 'note',
  key: `changed:${news.at}`,
  body: { type: 'changed', ...news },
});

/** L5: tells admins which runs somebody else changed in the ledger. */
export const notifyOfChangedRuns = async (
  ledger: Ledger,
  row: InboxRow,
  clock: SystemClock,
): Promise<void> => {
  const { runs: all, at, admins } = Changed.parse(row.body);
  const runs = all.slice(0, MAX_NAMED_RUNS);
  const note = { kind: 'ledger_changed', runs, more: all.length - runs.length } as const;
  const replies = admins.map((chat): ChatReply => ({
    chat,
    slot: `changed:${at}:${chat}`,
    show: { view: 'note', note },
    urgent: true,
    sound: true,
    runId: null,
  }));
  await ledger.settleInbox(row.id, { kind: 'done', note: 'told of changed runs', replies }, clock.now());
};

const Stuck = z.object({ runId: z.string(), kind: z.string(), reason: z.string() });

export const notifyOfStuckItem = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { runId, kind, reason } = Stuck.parse(row.body);
  const run = await ledger.query.run(runId);
  // An open pull request matters even after its run ended.
  const matters = run && (!isTerminal(run.lifecycle.state) || kind === 'close_pr');
  const chat = matters ? run.order.chat : null;
  const told = {
    kind: 'effect_stuck',
    step: kind,
    says: reason.slice(0, 500),
    state: run?.lifecycle.state ?? null,
  } as const;
  const show = { view: 'note', note: told } as const;
  const note: ChatReply[] =
    chat === null ? [] : [{ chat, slot: `stuck:${row.key}`, show, urgent: true, sound: true, runId }];
  await ledger.settleInbox(
    row.id,
    { kind: 'done', note: 'told of what is stuck', replies: note },
    clock.now(),
  );
};

const Away = z.object({
  kind: z.enum(['chat', 'forge', 'engine']),
  name: z.string(),
  says: z.string(),
  since: z.number(),
  backAfterMs: z.number().nullable(),
  /** Needs action by a person, so it rings. */
  person: z.boolean(),
  /** The findings behind `says`, so that each chat reads them in its language. */
  findings: z
    .array(z.looseObject({ kind: z.string() }))
    .readonly()
    .exactOptional(),
});

/** Required action is reported separately, even during a known outage. */
const nowOf = ({ backAfterMs, person }: Pick<z.infer<typeof Away>, 'backAfterMs' | 'person'>): string =>
  backAfterMs !== null ? 'back' : person ? 'refused' : 'away';

/** Outage and recovery share one message, unless a person must act. */
export const connectionInboxItem = (news: z.infer<typeof Away>, admins: readonly string[]): IncomingItem => ({
  source: 'note',
  key: `connection:${news.kind}:${news.name}:${news.since}:${nowOf(news)}`,
  body: { type: 'connection', admins, ...news },
});

/** Sent to admins and to every chat with a live run. */
export const notifyOfConnection = async (
  ledger: Ledger,
  row: InboxRow,
  clock: SystemClock,
): Promise<void> => {
  const { admins, kind, name, says, since, backAfterMs, person, findings } = Away.extend({
    admins: z.array(z.string()),
  }).parse(row.body);
  const live = await ledger.query.runs({ live: true, limit: 1_000 });
  // Edits do not ring.
  const rings = person && backAfterMs === null;
  const chats = new Set([...admins, ...live.flatMap(({ order }) => order.chat ?? [])]);
  const replies: ChatReply[] = [...chats].map((chat) => ({
    chat,
    slot: `connection:${kind}:${name}:${since}:${chat}`,
    show: {
      view: 'connection',
      kind,
      name,
      says,
      backAfterMs,
      ...(findings && { findings }),
    },
    urgent: true,
    sound: rings,
    runId: null,
    ...(rings ? { fresh: true } : {}),
  }));
  await ledger.settleInbox(row.id, { kind: 'done', note: 'told of a connection', replies }, clock.now());
};

/** F8, S6: reports a long wait for the code host once, however many runs wait. */
const Wait = z.object({ runId: z.string(), since: z.number(), until: z.number() });
export const notifyOfLongWait = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { runId, since, until } = Wait.parse(row.body);
  const run = await ledger.query.run(runId);
  const chat = run && !isTerminal(run.lifecycle.state) ? run.order.chat : null;
  const place = `waits:${chat}:`;
  const last = (await ledger.query.slots(place)).at(-1);
  const told = last === undefined ? null : await ledger.query.told(last);
  const before =
    told?.do.kind === 'chat_message' && told.do.content.view === 'provider_wait' ? told.do.content : null;
  // Overlapping waits have the same cause.
  const same = before !== null && since <= before.until ? before : null;
  const slot = same !== null && last !== undefined ? last : `${place}${since}`;
  const about = same === null ? runId : (told?.runId ?? runId);
  const others = [...new Set([...(same?.others ?? []), runId])].filter((one) => one !== about);
  const show: ChatReply['show'] = {
    view: 'provider_wait',
    for: 'host',
    class: 'rate_limited',
    since: Math.min(since, same?.since ?? since),
    until: Math.max(until, same?.until ?? until),
    ...(others.length === 0 ? {} : { others }),
  };
  // guard: F8-one-wait-one-sound
  const sound = same === null;
  const replies: ChatReply[] = chat === null ? [] : [{ chat, slot, show, urgent: true, sound, runId: about }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'told of a long wait', replies }, clock.now());
};

const NewKey = z.object({
  person: z.object({ id: z.string(), name: z.string() }),
  fingerprint: z.string(),
  now: z.number(),
  admins: z.array(z.string()),
});

export const passkeyInboxItem = (
  news: Omit<z.infer<typeof NewKey>, 'admins'>,
  admins: readonly string[],
): IncomingItem => ({
  source: 'note',
  key: `passkey:${news.fingerprint}:${news.now}`,
  body: { type: 'passkey', ...news, admins },
});

/** G11: tells its owner, and every admin, of a new key: nobody adds one unseen. */
export const notifyOfPasskey = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { person, fingerprint, admins } = NewKey.parse(row.body);
  const note = { kind: 'passkey_registered', who: person.name, fingerprint } as const;
  const replies = [...new Set([person.id, ...admins])].map((chat): ChatReply => ({
    chat,
    slot: `${row.key}:${chat}`,
    show: { view: 'note', note },
    urgent: true,
    sound: true,
    runId: null,
  }));
  await ledger.settleInbox(row.id, { kind: 'done', note: 'passkey', replies }, clock.now());
};
