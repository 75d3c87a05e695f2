/**
 * Whether what AgentPR works with can be used: the chat, the code host, the engines. Asked at the
 * start, now and then, and at once when somebody doubts it.
 */
import type { HostRefusal } from '../orchestrator/core/host-refusal.ts';
import type { SystemClock, TimerPort } from '../orchestrator/ports.ts';
import { backoffDelay } from '../orchestrator/core/backoff.ts';
import { cutText } from '../orchestrator/core/text-format.ts';

export type ConnectionAnswer =
  /** `says` is for people: what was reached, and as whom; `account` is who we are there. */
  | { kind: 'reached'; says: string; account?: string }
  /** `person`: it stays so until somebody fixes something. Otherwise it is expected to pass. */
  | { kind: 'away'; says: string; person: boolean; refusal?: HostRefusal }
  /** Neither: what was known holds. */
  | { kind: 'unclear'; says: string };

export type ConnectionCheck = {
  party: ConnectionParty;
  /**
   * Must end by itself, and early when the signal fires. A rejection is a bug of ours: it says
   * nothing of them.
   */
  ask: (signal: AbortSignal) => Promise<ConnectionAnswer>;
  /** Before it is asked again while all is well, and at most while it is away (ms). */
  everyMs: number;
  awayMs: number;
};
/** `name` is what people call it. */
export type ConnectionParty = { kind: 'chat' | 'forge' | 'engine'; name: string };

export type ConnectionStatus = {
  party: ConnectionParty;
  state: 'unknown' | 'reached' | 'away';
  says: string;
  /** Who we are there, while it is reached and where that is known. */
  account?: string;
  /** Epoch ms. */
  since: number;
};

/** For the chat: somebody is away and it is no blink of an eye, or is back after that. */
export type ConnectionChange = Pick<ConnectionStatus, 'party' | 'says' | 'since'> & {
  /** How long they were away, in ms; null while they are. */
  backAfterMs: number | null;
  /** Somebody must do something. */
  person: boolean;
  /** The refusal that this was read as, for which each language has a sentence; absent where none fits. */
  refusal?: HostRefusal;
};

export type ConnectionMonitor = {
  now(): readonly ConnectionStatus[];
  /** Somebody had trouble with them: they are asked soon. */
  doubt(kind: ConnectionParty['kind']): void;
  start(): void;
  stop(): Promise<void>;
};

/** Whoever is away is asked again after this, then after twice as long (ms). */
const RECONNECT_MS = 2_000;
const MOST_SAID = 300;
/** Whoever is away and back again and again is told of this seldom (ms). */
const NEWS_INTERVAL_MS = 600_000;

export const createConnections = (parts: {
  looks: readonly ConnectionCheck[];
  clock: SystemClock;
  timers: TimerPort;
  /** When all were asked for the first time, and of every change after that. */
  changed: (one: ConnectionStatus | null) => void;
  tell: (news: ConnectionChange) => void;
}): ConnectionMonitor => {
  const { clock, timers } = parts;
  const stopping = new AbortController();
  let unasked = parts.looks.length;

  const watched = parts.looks.map(({ party, ask, everyMs, awayMs }) => {
    let one: ConnectionStatus = { party, state: 'unknown', says: '', since: clock.now() };
    let failures = 0;
    /** What the chat knows: nothing, that they are away, or that somebody must fix something. */
    let told: 'nothing' | 'away' | 'person' = 'nothing';
    let toldAt = -Infinity;
    let asked = -Infinity;
    let asking: Promise<void> | null = null;
    let timer: { cancel(): void } | null = null;

    const news = (person: boolean, refused: Pick<ConnectionChange, 'refusal'>): void => {
      const now = clock.now();
      const fresh = person
        ? told !== 'person'
        : told === 'nothing' && failures > 1 && Math.abs(now - toldAt) >= NEWS_INTERVAL_MS;
      if (!fresh) return;
      told = person ? 'person' : 'away';
      toldAt = now;
      parts.tell({ party, says: one.says, since: one.since, backAfterMs: null, person, ...refused });
    };

    const note = (answer: ConnectionAnswer): void => {
      if (answer.kind === 'unclear') {
        if (one.state === 'unknown') one = { ...one, says: answer.says };
        return;
      }
      const before = one;
      const now = clock.now();
      const same = before.state === answer.kind;
      const { kind: state, says } = answer;
      one = { party, state, says, since: same ? before.since : now };
      if (answer.kind === 'reached' && answer.account !== undefined) one.account = answer.account;
      failures = answer.kind === 'away' ? failures + 1 : 0;
      if (unasked === 0 && (!same || before.says !== one.says)) parts.changed(one);
      if (answer.kind === 'away')
        return news(answer.person, answer.refusal === undefined ? {} : { refusal: answer.refusal });
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

    const later = (ms: number): void => {
      timer?.cancel();
      timer = stopping.signal.aborted ? null : timers.after(ms, look);
    };

    const look = (): void => {
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
        note(answer);
        if (first && (unasked -= 1) === 0) parts.changed(null);
        later(
          one.state === 'away' ? backoffDelay(failures - 1, { first: RECONNECT_MS, most: awayMs }) : everyMs,
        );
      });
    };

    return {
      party,
      current: () => one,
      look,
      /** Not more often than `RECONNECT_MS`, however many doubt; whoever is away is asked anyway. */
      doubt: () => {
        if (!asking && one.state !== 'away')
          later(Math.min(RECONNECT_MS, Math.max(0, asked + RECONNECT_MS - clock.now())));
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
      for (const { look } of watched) look();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(watched.map(({ stop }) => stop()));
    },
  };
};
