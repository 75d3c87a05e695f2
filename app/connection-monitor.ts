/** Probes the chat, the code host and the engines: at start, regularly, and after failures. */
import { backoffDelay, cutText } from '#model/values';
import type { SystemClock, TimerPort } from '#ports/processes';
import { type HostFinding, type LanguageTexts, sayFindings } from '#language';

export type ConnectionAnswer =
  /** `says` describes the peer for people; `account` is our name there. */
  | { kind: 'reached'; says: string; account?: string; findings?: readonly HostFinding[] }
  /** `person` is true when a person must fix it; otherwise the outage is expected to pass. */
  | {
      kind: 'away';
      says: string;
      person: boolean;
      findings?: readonly HostFinding[];
    }
  | { kind: 'unclear'; says: string; findings?: readonly HostFinding[] };

export type ConnectionCheck = {
  party: ConnectionParty;
  /** Must end by itself, early on abort. A rejection is a bug and keeps the last state. */
  ask: (signal: AbortSignal) => Promise<ConnectionAnswer>;
  /** Interval while reachable, and longest interval during an outage (ms). */
  everyMs: number;
  awayMs: number;
};
export type ConnectionParty = { kind: 'chat' | 'forge' | 'engine'; name: string };

export type ConnectionStatus = {
  party: ConnectionParty;
  state: 'unknown' | 'reached' | 'away';
  says: string;
  /** Localised instead of `says`, if present. */
  findings?: readonly HostFinding[];
  account?: string;
  since: number;
};

export type ConnectionChange = Pick<ConnectionStatus, 'party' | 'says' | 'since'> & {
  /** Duration of the outage (ms); null while it lasts. */
  backAfterMs: number | null;
  person: boolean;
} & Pick<ConnectionStatus, 'findings'>;

export type ConnectionMonitor = {
  now(): readonly ConnectionStatus[];
  doubt(kind: ConnectionParty['kind']): void;
  start(): void;
  stop(): Promise<void>;
};

/** First interval during an outage (ms); it doubles each time. */
const RECONNECT_MS = 2_000;
const MOST_SAID = 300;
/** Minimum time between two reports of an unstable connection (ms). */
const NEWS_INTERVAL_MS = 600_000;

const recordsOf = ({ findings }: Pick<ConnectionStatus, 'findings'>): Pick<ConnectionStatus, 'findings'> =>
  findings ? { findings } : {};

export const createConnectionMonitor = (parts: {
  checks: readonly ConnectionCheck[];
  clock: SystemClock;
  timers: TimerPort;
  /** Called with null after the first probes, then for each change. */
  changed: (one: ConnectionStatus | null) => void;
  tell: (news: ConnectionChange) => void;
}): ConnectionMonitor => {
  const { clock, timers } = parts;
  const stopping = new AbortController();
  let unasked = parts.checks.length;

  const watched = parts.checks.map(({ party, ask, everyMs, awayMs }) => {
    let one: ConnectionStatus = { party, state: 'unknown', says: '', since: clock.now() };
    let failures = 0;
    let told: 'nothing' | 'away' | 'person' = 'nothing';
    let toldAt = -Infinity;
    let asked = -Infinity;
    let asking: Promise<void> | null = null;
    let timer: { cancel(): void } | null = null;

    const reportOutage = ({ person }: { person: boolean }): void => {
      const now = clock.now();
      const fresh = person
        ? told !== 'person'
        : told === 'nothing' && failures > 1 && Math.abs(now - toldAt) >= NEWS_INTERVAL_MS;
      if (!fresh) return;
      told = person ? 'person' : 'away';
      toldAt = now;
      parts.tell({ ...recordsOf(one), party, says: one.says, since: one.since, backAfterMs: null, person });
    };

    const applyAnswer = (answer: ConnectionAnswer): void => {
      if (answer.kind === 'unclear') {
        if (one.state === 'unknown') one = { ...one, ...recordsOf(answer), says: answer.says };
        return;
      }
      const before = one;
      const now = clock.now();
      const same = before.state === answer.kind;
      const { kind: state, says } = answer;
      one = { ...recordsOf(answer), party, state, says, since: same ? before.since : now };
      if (answer.kind === 'reached' && answer.account !== undefined) one.account = answer.account;
      failures = answer.kind === 'away' ? failures + 1 : 0;
      if (unasked === 0 && (!same || before.says !== one.says)) parts.changed(one);
      if (answer.kind === 'away') return reportOutage({ person: answer.person });
      if (told !== 'nothing')
        parts.tell({
          party,
          says: one.says,
          since: before.since,
          person: false,
          backAfterMs: now - before.since,
        });
      told = 'nothing';
    };

    const scheduleCheck = (ms: number): void => {
      timer?.cancel();
      timer = stopping.signal.aborted ? null : timers.after(ms, check);
    };

    const check = (): void => {
      if (asking || stopping.signal.aborted) return;
      timer?.cancel();
      const first = asked === -Infinity;
      asked = clock.now();
      const answered = ask(stopping.signal).catch((error: unknown): ConnectionAnswer => ({
        kind: 'unclear',
        says: cutText(String(error), MOST_SAID),
      }));
      asking = answered.then((answer) => {
        asking = null;
        if (stopping.signal.aborted) return;
        applyAnswer(answer);
        if (first && (unasked -= 1) === 0) parts.changed(null);
        scheduleCheck(
          one.state === 'away' ? backoffDelay(failures - 1, { first: RECONNECT_MS, most: awayMs }) : everyMs,
        );
      });
    };

    return {
      party,
      current: () => one,
      check,
      /** Doubts probe at most once per `RECONNECT_MS`; outages are probed anyway. */
      doubt: () => {
        if (!asking && one.state !== 'away')
          scheduleCheck(Math.min(RECONNECT_MS, Math.max(0, asked + RECONNECT_MS - clock.now())));
      },
      stop: async () => {
        timer?.cancel();
        await asking;
      },
    };
  });

  return {
    now: () => watched.map(({ current }) => current()),
    doubt: (kind) => {
      for (const one of watched) if (one.party.kind === kind) one.doubt();
    },
    start: () => {
      for (const { check } of watched) check();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(watched.map(({ stop }) => stop()));
    },
  };
};

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const summariseConnections = (all: readonly ConnectionStatus[], words: LanguageTexts): string[] => {
  const here = all.filter(({ state }) => state === 'reached').map((one) => sayConnection(words, one));
  const away = all.filter(({ state }) => state !== 'reached').map((one) => describeConnection(one, words));
  return [...(here.length > 0 ? [here.join(' · ')] : []), ...away];
};

export const describeConnection = (one: ConnectionStatus, words: LanguageTexts): string => {
  const { party, state } = one;
  const says = toOneLine(sayConnection(words, one));
  return state === 'reached' ? says : words.setup.unusable(words.setup.party[party.kind](party.name), says);
};

const sayConnection = (words: LanguageTexts, { says, findings }: ConnectionStatus): string =>
  findings ? sayFindings(words, findings) : says;
