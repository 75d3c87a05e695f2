/**
 * C7: the model of the chat: what it may cost in a day, one question of a person at a time, and an
 * answer that comes back as a note of ours. While it thinks, nobody waits.
 */
import { z } from 'zod';
import type { SystemClock, IncomingItem, Ledger, LogPort } from '../../orchestrator/ports.ts';
import { modelNote, type ModelShow } from '../../orchestrator/engine/model-note.ts';
import { cutText } from '../../orchestrator/core/text-format.ts';
import { showInvisible } from '#text-safety';
import type { WordsFor } from '../language/languages.ts';
import { redactSecrets } from '../text/redact.ts';
import { escapeHtml } from '../text/telegram-html.ts';
import type { ModelTool, ToModel, AskChatModel } from './ask-chat-model.ts';

export type ModelQuestion = Omit<ToModel, 'signal'> & {
  user: string;
  chat: string;
  /** The message that the answer takes the place of. */
  slot: string;
  /** What is shown for what it said; null when it said nothing. */
  show: (said: string | null) => ModelShow;
};
export type ChatModel = {
  name: string;
  /** In seconds, as people are told. */
  patience: number;
  /** Why it is not asked now. */
  refuses(user: string): Promise<'spent' | 'busy' | null>;
  /** Written down before somebody is told that it is asked. */
  promise(slot: string, chat: string): Promise<void>;
  ask(question: ModelQuestion): void;
  /**
   * Tells everybody whose question a stop of ours has cut off. What still waits in the inbox is asked
   * anew. Before anything else is handled.
   */
  afterRestart(): Promise<void>;
};

/** Questions under way, of all people together. */
const MOST_AT_ONCE = 3;
/** Rows that are looked through at a start. */
const MOST_UNREAD = 1_000;
/** Of what one use of a tool tells it (characters). */
const MOST_READ = 8_000;
/** What a question is counted for at least, also when nobody says what it cost. */
const LEAST_TOKENS = 1_000;
/** Where it is kept what was used today: a restart gives nobody more. */
const SPENT = 'chat.model';
/** Where it is kept who was promised an answer: the message that it takes the place of, and its chat. */
const PROMISED = 'chat.model.promised';
const Promised = z.record(z.string(), z.string()).catch({});
/** The message for the answer to what stands in a row of the inbox. */
export const slotFor = (row: number): string => `model:${row}`;
const Spent = z.object({ day: z.string(), tokens: z.number() });

/** Everything that it reads was written by others, and may hold what nobody outside should see. */
const guarded = (tool: ModelTool, hide: (text: string) => string): ModelTool => ({
  ...tool,
  // guard: C7-secrets-hidden
  run: async (input) => cutText(hide(redactSecrets(showInvisible(await tool.run(input)))), MOST_READ),
});

export const createChatModel = (parts: {
  name: string;
  talk: AskChatModel;
  ledger: Pick<Ledger, 'setSetting' | 'inbox'> & { query: Pick<Ledger['query'], 'setting'> };
  clock: SystemClock;
  wordsFor: WordsFor;
  /** Hides what was lent to agents. */
  hide: (text: string) => string;
  /** Tokens a day, UTC. */
  perDay: number;
  patience: number;
  receive: (items: readonly IncomingItem[]) => Promise<unknown>;
  log: Pick<LogPort, 'error'>;
  /** The process ends. */
  closing: AbortSignal;
}): ChatModel => {
  const { ledger, clock, perDay, patience } = parts;
  const asking = new Set<string>();
  const promised = new Map<string, string>();
  const keepPromises = (): Promise<void> =>
    ledger.setSetting(PROMISED, JSON.stringify(Object.fromEntries(promised)));
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10);
  const spent = async (): Promise<number> => {
    const kept = (await ledger.query.setting(SPENT)) ?? '{}';
    const read = Spent.safeParse(JSON.parse(kept)).data;
    return read?.day === today() ? read.tokens : 0;
  };
  const answer = async ({
    chat,
    slot,
    show,
    system,
    text: asked,
    tools: given,
  }: ModelQuestion): Promise<void> => {
    const signal = AbortSignal.any([parts.closing, AbortSignal.timeout(patience * 1_000)]);
    const tools = Object.fromEntries(
      Object.entries(given).map(([name, tool]) => [name, guarded(tool, parts.hide)]),
    );
    const { text, tokens } = await parts.talk({ system, text: asked, tools, signal });
    const all = (await spent()) + Math.max(tokens, LEAST_TOKENS);
    await ledger.setSetting(SPENT, JSON.stringify({ day: today(), tokens: all }));
    await parts.receive([modelNote({ chat, slot, show: show(text) })]);
    promised.delete(slot);
    await keepPromises();
  };
  return {
    name: parts.name,
    patience,
    refuses: async (user) =>
      // guard: C7-model-budget
      (await spent()) >= perDay ? 'spent' : asking.has(user) || asking.size >= MOST_AT_ONCE ? 'busy' : null,
    promise: (slot, chat) => {
      promised.set(slot, chat);
      return keepPromises();
    },
    async afterRestart() {
      const before = Promised.parse(JSON.parse((await ledger.query.setting(PROMISED)) ?? '{}'));
      const unread = new Set((await ledger.inbox(MOST_UNREAD)).map(({ id }) => slotFor(id)));
      const cutOff = Object.entries(before).filter(([slot]) => !unread.has(slot));
      for (const [slot, chat] of cutOff) promised.set(slot, chat);
      for (const [slot, chat] of cutOff) {
        const html = escapeHtml((await parts.wordsFor(chat)).model.cutOff(parts.name));
        // Of two notes for one question only the first counts: what was answered stays so.
        await parts.receive([modelNote({ chat, slot, show: { view: 'reply', html } })]);
        promised.delete(slot);
      }
      await keepPromises();
    },
    ask: (question) => {
      asking.add(question.user);
      answer(question)
        .catch((error: unknown) => parts.log.error({ err: error }, 'a model’s answer could not be told'))
        .finally(() => asking.delete(question.user));
    },
  };
};
