/** Asks the chat model in the background, within a daily budget and one question per user (C7). */
import { z } from 'zod';
import type { SystemClock, LogPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { modelReplyInboxItem, type ModelShow } from '#notices';
import { cutText } from '#model/values';
import { showInvisible } from '#text-safety';
import type { WordsFor } from '../language/languages.ts';
import { redactSecrets } from '../../text-safety/index.ts';
import { escapeHtml } from '../text/telegram-html.ts';
import type { ModelTool, ToModel, AskChatModel } from './ask-chat-model.ts';

type ModelQuestion = Omit<ToModel, 'signal'> & {
  user: string;
  chat: string;
  slot: string;
  show: (said: string | null) => ModelShow;
};
export type ChatModel = {
  name: string;
  patience: number;
  refuses(user: string): Promise<'spent' | 'busy' | null>;
  /** Must be stored before the user is told that the model is asked. */
  promise(slot: string, chat: string): Promise<void>;
  ask(question: ModelQuestion): void;
  /** Must run before the inbox is handled, which asks the questions still in it again. */
  afterRestart(): Promise<void>;
};

const MOST_AT_ONCE = 3;
const MOST_UNREAD = 1_000;
const MAX_READ_CHARACTERS = 8_000;
/** Minimum charge per question, also when the provider reports no usage. */
const LEAST_TOKENS = 1_000;
/** Settings key of today's usage, so that a restart does not reset the budget. */
const SPENT = 'chat.model';
const PROMISED = 'chat.model.promised';
const Promised = z.record(z.string(), z.string()).catch({});
export const slotFor = (row: number): string => `model:${row}`;
const Spent = z.object({ day: z.string(), tokens: z.number() });

/** Security: tool results contain outsiders' text and may contain secrets. */
const hideToolSecrets = (tool: ModelTool, hide: (text: string) => string): ModelTool => ({
  ...tool,
  // guard: C7-secrets-hidden
  run: async (input) =>
    cutText(hide(redactSecrets(showInvisible(await tool.run(input)))), MAX_READ_CHARACTERS),
});

export const createChatModel = (parts: {
  name: string;
  talk: AskChatModel;
  ledger: Pick<Ledger, 'setSetting' | 'changeSetting' | 'inbox'> & {
    query: Pick<Ledger['query'], 'setting'>;
  };
  clock: SystemClock;
  wordsFor: WordsFor;
  hide: (text: string) => string;
  perDay: number;
  patience: number;
  receive: (items: readonly IncomingItem[]) => Promise<unknown>;
  log: Pick<LogPort, 'error'>;
  closing: AbortSignal;
}): ChatModel => {
  const { ledger, clock, perDay, patience } = parts;
  const asking = new Set<string>();
  const promised = new Map<string, string>();
  const keepPromises = (): Promise<void> =>
    ledger.setSetting(PROMISED, JSON.stringify(Object.fromEntries(promised)));
  const currentDay = (): string => new Date(clock.now()).toISOString().slice(0, 10);
  const tokensIn = (stored: string | null): number => {
    const read = Spent.safeParse(JSON.parse(stored ?? '{}')).data;
    return read?.day === currentDay() ? read.tokens : 0;
  };
  const answerQuestion = async ({
    chat,
    slot,
    show,
    system,
    text: asked,
    tools: given,
  }: ModelQuestion): Promise<void> => {
    const signal = AbortSignal.any([parts.closing, AbortSignal.timeout(patience * 1_000)]);
    const tools = Object.fromEntries(
      Object.entries(given).map(([name, tool]) => [name, hideToolSecrets(tool, parts.hide)]),
    );
    const { text, tokens } = await parts.talk({ system, text: asked, tools, signal });
    await ledger.changeSetting(SPENT, (before) => {
      const all = tokensIn(before) + Math.max(tokens, LEAST_TOKENS);
      return { to: JSON.stringify({ day: currentDay(), tokens: all }), answer: undefined };
    });
    await parts.receive([modelReplyInboxItem({ chat, slot, show: show(text) })]);
    promised.delete(slot);
    await keepPromises();
  };
  return {
    name: parts.name,
    patience,
    refuses: async (user) =>
      // guard: C7-model-budget
      tokensIn(await ledger.query.setting(SPENT)) >= perDay
        ? 'spent'
        : asking.has(user) || asking.size >= MOST_AT_ONCE
          ? 'busy'
          : null,
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
        // Only the first note of a question counts, so a given answer stays.
        await parts.receive([modelReplyInboxItem({ chat, slot, show: { view: 'reply', html } })]);
        promised.delete(slot);
      }
      await keepPromises();
    },
    ask: (question) => {
      asking.add(question.user);
      answerQuestion(question)
        .catch((error: unknown) => parts.log.error({ err: error }, 'a model’s answer could not be told'))
        .finally(() => asking.delete(question.user));
    },
  };
};
