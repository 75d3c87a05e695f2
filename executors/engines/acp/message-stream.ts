/** Reads JSON messages line by line. Drops others, because commands of the agent print too. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { createJsonLineSplitter } from '../shared/line-splitter.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';

/** The answers stay in memory, so requests are limited. */
export const MAX_OPEN_REQUESTS = 2_000;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Notification = { method: string; params?: unknown };
const isNotification = (message: AnyMessage): message is AnyMessage & Notification =>
  'method' in message && !('id' in message);

export const createMessageFilter = () => {
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
    floods: (): boolean => requests > MAX_OPEN_REQUESTS,
  };
};

type Hears = {
  update: (params: unknown) => void;
  flood: () => void;
};

export const createMessageStream = (
  { listen, stdin }: Pick<ProgramConversation, 'listen' | 'stdin'>,
  hears: Hears,
): Stream => {
  const sieve = createMessageFilter();
  let told = false;
  let isOpen = true;
  const readable = new ReadableStream<AnyMessage>({
    cancel: () => void (isOpen = false),
    start: (controller) => {
      const lines = createJsonLineSplitter((message) => {
        if (isOpen && sieve.lets(message)) {
          if (!isNotification(message)) controller.enqueue(message);
          else if (message.method === 'session/update') hears.update(message.params);
        }
        if (!told && sieve.floods()) hears.flood();
        told ||= sieve.floods();
      });
      const endStream = (): void => {
        if (!isOpen) return;
        lines.end();
        isOpen = false;
        controller.close();
      };
      listen(lines.add, endStream);
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
