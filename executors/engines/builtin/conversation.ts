/** The conversation with the model, stored after each step for later rounds. */
import { randomBytes } from 'node:crypto';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import type { ActionDecision } from './govern-action.ts';
import { messagesToolResult, type ConversationMessage } from './fit-conversation.ts';
import type { ModelReply } from './ask-model.ts';
import { keepSession, readSession } from './stored-session.ts';

export type ModelAnswer = Extract<ModelReply, { kind: 'said' }>;
type Result = { id: string; ok: boolean; text: string };

export const createConversation = ({ directory, session, prompt }: ProgramConversation) => {
  const id = session?.id ?? randomBytes(12).toString('hex');
  const before = session === null ? null : readSession(directory, id);
  let messages: readonly ConversationMessage[] = [
    ...(before?.messages ?? []),
    { role: 'user', content: prompt },
  ];
  let turns = before?.turns ?? 0;
  let decision: ActionDecision | null = before?.decision ?? null;

  const say = (content: string): void => void (messages = [...messages, { role: 'user', content }]);
  const answer = (said: ModelAnswer, results: readonly Result[]): void => {
    const named = results.map((one) => ({
      ...one,
      tool: said.calls.find((call) => call.id === one.id)?.name ?? '',
    }));
    messages = [
      ...messages,
      ...(said.message ? [said.message] : []),
      ...(named.length > 0 ? [messagesToolResult(named)] : []),
    ];
  };
  return {
    id,
    messages: () => messages,
    turns: () => turns,
    decision: () => decision,
    begins: (): void => void (turns += 1),
    decided: (by: ActionDecision | null): void => void (decision = by),
    becomes: (fitting: readonly ConversationMessage[]): void => void (messages = fitting),
    say,
    answer,
    refuse: (said: ModelAnswer, why: string): void => {
      const calls = said.message === null ? [] : said.calls;
      answer(
        said,
        calls.map((call) => ({ id: call.id, ok: false, text: `Nothing was done: ${why}.` })),
      );
      if (calls.length === 0) say(`${why[0]?.toUpperCase()}${why.slice(1)}.`);
    },
    keep: (): void => keepSession(directory, id, { messages: [...messages], turns, decision }),
  };
};
