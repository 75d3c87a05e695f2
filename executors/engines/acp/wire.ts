/**
 * What goes over the wire, one JSON object a line. Whatever is no message, answers nothing that we
 * asked, or asks more than anybody needs, is passed over: the commands of an agent can print as well.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { createJsonLines } from '../shared/line-splitter.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';

/** Requests of an agent in one round, answers to which we would have to keep for it. */
export const MAX_OPEN_REQUESTS = 2_000;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Notification = { method: string; params?: unknown };
const isNotification = (message: AnyMessage): message is AnyMessage & Notification =>
  'method' in message && !('id' in message);

/** Messages of which at least the frame is right. */
export const createSieve = () => {
  const asked = new Set<unknown>();
  let requests = 0;
  return {
    sent: (message: unknown): void => {
      if (isObject(message) && 'method' in message && 'id' in message) asked.add(message['id']);
    },
    lets: (message: unknown): message is AnyMessage => {
      if (!isObject(message) || message['jsonrpc'] !== '2.0') return false;
      const { id, method } = message;
      if (typeof method === 'string') {
        if (id === undefined) return true;
        requests += 1;
        return (typeof id === 'number' || typeof id === 'string') && requests <= MAX_OPEN_REQUESTS;
      }
      // guard: E10-answers-to-ours
      return asked.delete(id) && 'result' in message !== 'error' in message;
    },
    /** More was asked than is answered. */
    floods: (): boolean => requests > MAX_OPEN_REQUESTS,
  };
};

type Hears = {
  /** What it tells of its session, as it comes. */
  update: (params: unknown) => void;
  /** Once: it asks without end. */
  flood: () => void;
};

export const wireOf = (
  { listen, stdin }: Pick<ProgramConversation, 'listen' | 'stdin'>,
  hears: Hears,
): Stream => {
  const sieve = createSieve();
  let told = false;
  let isOpen = true;
  const readable = new ReadableStream<AnyMessage>({
    // All is said: what still comes is not read.
    cancel: () => void (isOpen = false),
    start: (controller) => {
      const lines = createJsonLines((message) => {
        if (isOpen && sieve.lets(message)) {
          if (!isNotification(message)) controller.enqueue(message);
          else if (message.method === 'session/update') hears.update(message.params);
        }
        if (!told && sieve.floods()) hears.flood();
        told ||= sieve.floods();
      });
      const end = (): void => {
        if (!isOpen) return;
        lines.end();
        isOpen = false;
        controller.close();
      };
      listen(lines.add, end);
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      sieve.sent(message);
      if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
    },
  });
  return { readable, writable };
};
