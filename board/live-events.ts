/** Server-sent events that tell open pages which run was written (O5). Their id is the ledger's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BoardVisitor } from '#notices';
import { KB, SECOND } from '#model/values';
import type { BoardParts } from './board-context.ts';

const HEARTBEAT_MS = 25 * SECOND;
/** Processes write as often what an attempt does. */
const ACTIVITY_LOOK_MS = SECOND;
const MAX_STREAMS = 400;
const MAX_STREAMS_PER_PERSON = 40;
/** A reader that is further behind is dropped, and comes back by itself. */
const MAX_UNREAD_BYTES = 64 * KB;
const MAX_MISSED_EVENTS = 500;

type Stream = { response: ServerResponse; user: string; role: string; run: string };

const asNumber = (text: string | string[] | undefined | null): number => {
  const n = Number(text);
  return Number.isSafeInteger(n) && n >= 0 ? n : 0;
};

export const createLiveEvents = ({ query, access, log }: Pick<BoardParts, 'query' | 'access' | 'log'>) => {
  const streams = new Set<Stream>();
  let heartbeat: NodeJS.Timeout | null = null;
  let looks: NodeJS.Timeout | null = null;
  let isLooking = false;
  /** Attempts at work, with the time of what open pages show of them. */
  let shown = new Map<number, number>();
  let told = 0;
  let isTelling = false;
  let isBehind = false;

  const dropStream = (stream: Stream): void => {
    streams.delete(stream);
    if (streams.size > 0) return;
    stopTimers();
  };
  const stopTimers = (): void => {
    if (heartbeat !== null) clearInterval(heartbeat);
    if (looks !== null) clearInterval(looks);
    heartbeat = null;
    looks = null;
  };
  const writeToStream = (stream: Stream, text: string): void => {
    if (stream.response.writableLength > MAX_UNREAD_BYTES) stream.response.destroy();
    else stream.response.write(text);
  };
  const sendHeartbeat = async (): Promise<void> => {
    const roles = new Map<string, string | null>();
    for (const stream of streams) {
      const { user, role } = stream;
      if (!roles.has(user)) roles.set(user, await access.roleOf(user));
      if (roles.get(user) === role) writeToStream(stream, ':\n\n');
      else stream.response.end('event: out\ndata:\n\n');
    }
  };

  const sendChanges = async (): Promise<void> => {
    const moved = await query.moved({ after: told, limit: MAX_MISSED_EVENTS, version: 0 });
    const newest = new Map(moved.map(({ runId, event }) => [runId, event]));
    for (const [runId, event] of newest) {
      told = Math.max(told, event);
      for (const stream of streams)
        if (stream.run === '*' || stream.run === runId)
          writeToStream(stream, `id: ${event}\ndata: ${JSON.stringify(runId)}\n\n`);
    }
    isBehind ||= moved.length === MAX_MISSED_EVENTS;
  };

  /** E21: what an agent does is no event of the ledger, so it has no number. */
  const sendActivities = async (): Promise<void> => {
    const watched = new Set([...streams].map(({ run }) => run));
    watched.delete('*');
    if (watched.size === 0) return;
    const seen = new Map<number, number>();
    for (const { id, runId, activity } of await query.attemptsAtWork()) {
      if (!activity || !watched.has(runId)) continue;
      seen.set(id, activity.at);
      if (shown.get(id) === activity.at) continue;
      for (const stream of streams) if (stream.run === runId) writeToStream(stream, 'event: now\ndata:\n\n');
    }
    shown = seen;
  };
  const lookForActivities = (): void => {
    if (isLooking) return;
    isLooking = true;
    sendActivities()
      .catch((error: unknown) => log.error({ err: error }, 'what is at work could not be looked at'))
      .finally(() => {
        isLooking = false;
      });
  };

  return {
    newest: (): Promise<number> => query.newestEvent(),
    onRunChanged(_runId: string): void {
      isBehind = true;
      if (isTelling || streams.size === 0) return;
      isTelling = true;
      const untilDone = async (): Promise<void> => {
        try {
          while (isBehind) {
            isBehind = false;
            await sendChanges();
          }
        } finally {
          isTelling = false;
        }
      };
      untilDone().catch((error: unknown) =>
        log.error({ err: error }, 'open pages could not be told of a run'),
      );
    },
    async open(
      request: IncomingMessage,
      response: ServerResponse,
      { id, role }: BoardVisitor,
      url: URL,
    ): Promise<void> {
      const own = [...streams].filter(({ user }) => user === id).length;
      if (streams.size >= MAX_STREAMS || own >= MAX_STREAMS_PER_PERSON) {
        response.writeHead(503, { 'retry-after': '10', 'content-length': 0 });
        response.end();
        return;
      }
      const stream = { response, user: id, role, run: url.searchParams.get('run') ?? '*' };
      const seen = asNumber(request.headers['last-event-id'] ?? url.searchParams.get('from'));
      streams.add(stream);
      response.once('close', () => dropStream(stream));
      response.once('error', () => dropStream(stream));
      heartbeat ??= setInterval(() => {
        sendHeartbeat().catch((error: unknown) =>
          log.error({ err: error }, 'open pages could not be looked after'),
        );
      }, HEARTBEAT_MS);
      looks ??= setInterval(lookForActivities, ACTIVITY_LOOK_MS);
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      });
      response.write('retry: 2000\n\n');
      const newest = await query.newestEvent();
      told = Math.max(told, Math.min(told || newest, newest));
      if (seen < newest) {
        const missed = await query.moved({ after: seen, limit: MAX_MISSED_EVENTS, version: 0 });
        const concerns = missed.some(({ runId }) => stream.run === '*' || stream.run === runId);
        if (concerns || missed.length === MAX_MISSED_EVENTS)
          writeToStream(stream, `id: ${newest}\ndata: ${JSON.stringify(stream.run)}\n\n`);
      }
    },
    close(): void {
      for (const { response } of streams) response.end();
      stopTimers();
    },
  };
};
