/** Keeps a Socket Mode connection: each envelope is handed over first and acknowledged afterwards. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { OutsideFailure } from '#ports/forge';
import type { LogPort } from '#ports/processes';
import { backoffDelay, MINUTE } from '#model/values';
import type { EnvelopeKind } from './read-envelope.ts';

/** `newest` is the newest message of ours when it came. */
export type Envelope = { kind: EnvelopeKind; payload: unknown; newest: string };
export type Acknowledgement = Record<string, unknown> | null;

type SocketParts = {
  open: (signal: AbortSignal) => Promise<string>;
  /** Resolves when the envelope is durable; a rejection leaves it unacknowledged, so it comes again. */
  take: (envelope: Envelope) => Promise<Acknowledgement>;
  newest: () => string;
  clock: { now(): number };
  log: Pick<LogPort, 'warn'>;
  onTrouble: () => void;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  every?: (ms: number, look: () => void) => () => void;
};

const RECONNECT = { first: 1_000, most: MINUTE };
const HELLO_MS = 15_000;
/** A connection that ends sooner counts as a failure, so that none are opened in a row (ms). */
const SHORTEST_MS = 10_000;
/** Slack pings a connection every few seconds; without any for this long it is dead (ms). */
const SILENCE_MS = MINUTE;
const SILENCE_CHECK_MS = 10_000;
const MAX_MESSAGE_LENGTH = 2_000_000;
const PING_CHANNEL = 'undici:websocket:ping';

const Incoming = z.union([
  z.object({
    type: z.enum(['events_api', 'interactive', 'slash_commands']),
    envelope_id: z.string(),
    payload: z.unknown(),
  }),
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('disconnect'), reason: z.string().default('') }),
]);

const repeatEvery = (ms: number, look: () => void): (() => void) => {
  const timer = setInterval(look, ms);
  timer.unref();
  return () => clearInterval(timer);
};
const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
  after(ms, undefined, { signal }).catch(() => undefined);

export const createSocket = (parts: SocketParts) => {
  const { take, clock, log } = parts;
  const pause = parts.pause ?? sleepFor;
  const every = parts.every ?? repeatEvery;
  const closing = new AbortController();
  const live = new Set<WebSocket>();
  let downSince: number | null = clock.now();
  let heardAt = clock.now();
  let pinged = false;
  let running: Promise<void> | null = null;
  let queue: Promise<void> = Promise.resolve();

  const recordPing = (): void => {
    pinged = true;
    heardAt = clock.now();
  };

  const storeEnvelope = async (socket: WebSocket, one: Envelope & { id: string }): Promise<void> => {
    try {
      // guard: L3-slack-stored-first
      const payload = await take(one);
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ envelope_id: one.id, ...(payload ? { payload } : {}) }));
    } catch (error) {
      log.warn({ err: error }, 'an envelope of Slack could not be stored; it stays with Slack until then');
      parts.onTrouble();
    }
  };

  const openSocket = (address: string, isUp: () => void): Promise<{ worked: boolean }> =>
    new Promise((resolve) => {
      const socket = new WebSocket(address);
      live.add(socket);
      let worked = false;
      const endConnection = (): void => {
        clearTimeout(greeting);
        unwatch();
        closing.signal.removeEventListener('abort', dropSocket);
        resolve({ worked });
      };
      const dropSocket = (): void => {
        endConnection();
        socket.close();
      };
      const greeting = setTimeout(dropSocket, HELLO_MS);
      // guard: L6-slack-silence
      const unwatch = every(SILENCE_CHECK_MS, () => {
        if (pinged && clock.now() - heardAt > SILENCE_MS) dropSocket();
      });
      greeting.unref();
      socket.addEventListener('message', ({ data }) => {
        heardAt = clock.now();
        const read = readMessage(data);
        if (!read) return;
        if (read.type === 'hello') {
          worked = true;
          clearTimeout(greeting);
          isUp();
        } else if (read.type === 'disconnect') endConnection();
        else {
          const { type: kind, envelope_id: id, payload } = read;
          const newest = parts.newest();
          queue = queue.then(() => storeEnvelope(socket, { kind, id, payload, newest }));
        }
      });
      // The event of an error may name the address, and with it the ticket.
      socket.addEventListener('error', dropSocket);
      socket.addEventListener('close', () => {
        live.delete(socket);
        endConnection();
      });
      closing.signal.addEventListener('abort', dropSocket, { once: true });
    });

  const keepConnected = async (): Promise<void> => {
    let failures = 0;
    while (!closing.signal.aborted) {
      const older = [...live];
      try {
        const address = await parts.open(closing.signal);
        const began = clock.now();
        heardAt = began;
        const { worked } = await openSocket(address, () => {
          downSince = null;
          for (const one of older) one.close();
        });
        failures = worked && clock.now() - began >= SHORTEST_MS ? 0 : failures + 1;
        downSince ??= clock.now();
        if (failures === 0) continue;
      } catch (error) {
        if (closing.signal.aborted) return;
        downSince ??= clock.now();
        failures += 1;
        log.warn({ err: error }, 'Slack could not be connected; it is tried again');
        parts.onTrouble();
        if (error instanceof OutsideFailure && error.retryAt !== null) {
          await pause(Math.max(0, error.retryAt - clock.now()), closing.signal);
          continue;
        }
      }
      await pause(backoffDelay(failures - 1, RECONNECT), closing.signal);
    }
  };

  return {
    start(): void {
      subscribe(PING_CHANNEL, recordPing);
      running ??= keepConnected();
    },
    downSince: (): number | null => downSince,
    async stop(): Promise<void> {
      closing.abort();
      unsubscribe(PING_CHANNEL, recordPing);
      for (const one of live) one.close();
      await running;
      await queue;
    },
  };
};

const readMessage = (data: unknown): z.infer<typeof Incoming> | null => {
  if (typeof data !== 'string' || data.length > MAX_MESSAGE_LENGTH) return null;
  try {
    return Incoming.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
};
