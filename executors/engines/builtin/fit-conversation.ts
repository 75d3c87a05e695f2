/** Keeps the conversation below the model's context limit. */
import { z } from 'zod';

const Part = z.looseObject({ type: z.string() });
const Assistant = z.object({ role: z.literal('assistant'), content: z.union([z.string(), z.array(Part)]) });
const User = z.object({ role: z.literal('user'), content: z.string() });
const Result = z.object({
  type: z.literal('tool-result'),
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.object({ type: z.enum(['text', 'error-text']), value: z.string() }),
});
const Results = z.object({ role: z.literal('tool'), content: z.array(Result) });
export const ConversationMessage = z.discriminatedUnion('role', [User, Assistant, Results]);
export type ConversationMessage = z.infer<typeof ConversationMessage>;

export const messagesToolResult = (
  results: readonly { id: string; tool: string; ok: boolean; text: string }[],
): ConversationMessage => ({
  role: 'tool',
  content: results.map(({ id, tool, ok, text }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: tool,
    output: { type: ok ? 'text' : 'error-text', value: text },
  })),
});

const CHARACTERS_A_TOKEN = 3.5;
const TOKENS_PER_FRAME = 1_500;

/** A high estimate; the provider's count is known only afterwards. */
export const tokensOf = (messages: readonly ConversationMessage[], system: string): number =>
  Math.ceil((system.length + TOKENS_PER_FRAME + JSON.stringify(messages).length) / CHARACTERS_A_TOKEN);

const MIN_WHOLE_MESSAGES = 6;
const MAX_CUT_ANSWER_LENGTH = 400;

const shortened = (message: ConversationMessage): ConversationMessage => {
  if (message.role !== 'tool') return message;
  const content = message.content.map((result) => {
    const { value } = result.output;
    if (value.length <= MAX_CUT_ANSWER_LENGTH) return result;
    const left = `${value.slice(0, MAX_CUT_ANSWER_LENGTH)}\n… ${value.length - MAX_CUT_ANSWER_LENGTH} characters of this older answer are left out; ask again if you need them.`;
    return { ...result, output: { ...result.output, value: left } };
  });
  return { ...message, content };
};

const calledIn = (message: ConversationMessage): string[] => {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [];
  return message.content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const input = JSON.stringify(part['input'] ?? {}).slice(0, 160);
    return [`- ${String(part['toolName'])} ${input}`];
  });
};

const summaryOf = (dropped: readonly ConversationMessage[]): ConversationMessage => ({
  role: 'user',
  content: [
    'Earlier turns are left out here to save room. In them you called:',
    ...dropped.flatMap(calledIn).slice(-60),
    'What was written to files stands there. Read again what you need.',
  ].join('\n'),
});

/** Shortens tool answers, then summarises the oldest turns. Null if `most` is still exceeded. */
export const fitConversation = (
  messages: readonly ConversationMessage[],
  system: string,
  most: number,
): readonly ConversationMessage[] | null => {
  if (tokensOf(messages, system) <= most) return messages;
  const fresh = messages.length - MIN_WHOLE_MESSAGES;
  const short = messages.map((message, i) => (i < fresh ? shortened(message) : message));
  if (tokensOf(short, system) <= most) return short;
  const [order, ...rest] = short;
  if (order === undefined) return null;
  for (let from = 1; from <= rest.length; from += 1) {
    // Providers refuse a tool's answer without its call.
    if (rest[from]?.role === 'tool') continue;
    const kept = [order, summaryOf(rest.slice(0, from)), ...rest.slice(from)];
    if (rest.length - from <= MIN_WHOLE_MESSAGES && tokensOf(kept, system) > most) {
      const cut = [order, summaryOf(rest.slice(0, from)), ...rest.slice(from).map(shortened)];
      if (tokensOf(cut, system) <= most) return cut;
    }
    if (tokensOf(kept, system) <= most) return kept;
  }
  return null;
};
