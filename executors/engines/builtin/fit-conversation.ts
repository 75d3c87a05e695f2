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

export const toToolResultMessage = (
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

export type ConversationEntry = { turn: number; message: ConversationMessage; order?: true };
export type FittedConversation = {
  messages: readonly ConversationMessage[];
  summarised: number;
  shortened: number;
};

const CHARACTERS_A_TOKEN = 3.5;
const TOKENS_PER_FRAME = 1_500;

/** A high estimate; the provider's count is known only afterwards. */
export const estimateTokens = (messages: readonly ConversationMessage[], system: string): number =>
  tokensIn(JSON.stringify(messages).length, system);
const tokensIn = (characters: number, system: string): number =>
  Math.ceil((system.length + TOKENS_PER_FRAME + characters) / CHARACTERS_A_TOKEN);

const MIN_WHOLE_TURNS = 3;
const MAX_CUT_ANSWER_LENGTH = 400;

const shortText = (value: string): string =>
  value.length <= MAX_CUT_ANSWER_LENGTH
    ? value
    : `${value.slice(0, MAX_CUT_ANSWER_LENGTH)}\n… ${value.length - MAX_CUT_ANSWER_LENGTH} characters of this older answer are left out; ask again if you need them.`;

const shortInput = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(
        Object.entries(input).map(([name, value]) => [
          name,
          typeof value === 'string' ? shortText(value) : (value as unknown),
        ]),
      )
    : input;

const shortenMessage = (message: ConversationMessage): ConversationMessage => {
  if (message.role === 'tool')
    return {
      ...message,
      content: message.content.map((result) => ({
        ...result,
        output: { ...result.output, value: shortText(result.output.value) },
      })),
    };
  if (message.role === 'user' || typeof message.content === 'string') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, input: shortInput(part['input']) } : part,
  );
  return { ...message, content };
};

type Way = { summarised: number; shortened: number };

const waysToFit = (turns: number): Way[] => {
  const old = Math.max(0, turns - MIN_WHOLE_TURNS);
  const stepsBetween = (from: number, to: number, cut: number): Way[] =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => ({ summarised: from + i, shortened: cut }));
  return [
    { summarised: 0, shortened: 0 },
    { summarised: 0, shortened: old },
    ...stepsBetween(1, old, old),
    ...[2, 1].flatMap((whole) => (turns > whole ? [{ summarised: old, shortened: turns - whole }] : [])),
    ...stepsBetween(old + 1, turns - 1, turns - 1),
    ...stepsBetween(old, turns, turns),
  ];
};

export const fitConversation = (
  entries: readonly ConversationEntry[],
  system: string,
  most: number,
  summarise: (turns: readonly number[]) => string,
): FittedConversation | null => {
  const turns = [...new Set(entries.map(({ turn }) => turn))];
  const orders = entries.filter(({ order }) => order === true);
  const newest = orders.at(-1);
  const short = entries.map(({ message }) => shortenMessage(message));
  const lengths = entries.map(({ message }, i) => [
    JSON.stringify(message).length + 1,
    JSON.stringify(short[i]).length + 1,
  ]);
  for (const first of new Set([orders[0], newest]))
    for (const way of waysToFit(turns.length)) {
      const out = new Set(turns.slice(0, way.summarised));
      const cut = new Set(turns.slice(0, way.shortened));
      const told = out.size === 0 ? null : summarise([...out]);
      const shouldStay = (entry: ConversationEntry): boolean =>
        entry === newest || (out.size === 0 ? true : entry === first || !out.has(entry.turn));
      let size = 2 + (told === null ? 0 : JSON.stringify(told).length + 40);
      for (const [i, entry] of entries.entries())
        if (shouldStay(entry)) size += lengths[i]?.[cut.has(entry.turn) ? 1 : 0] ?? 0;
      if (tokensIn(size, system) > most) continue;
      const messages = entries.flatMap((entry, i): ConversationMessage[] => {
        const message = (cut.has(entry.turn) ? short[i] : undefined) ?? entry.message;
        return shouldStay(entry) ? [message] : [];
      });
      const summary: ConversationMessage[] = told === null ? [] : [{ role: 'user', content: told }];
      const at = first !== undefined && first === orders[0] ? 1 : 0;
      return { ...way, messages: [...messages.slice(0, at), ...summary, ...messages.slice(at)] };
    }
  return null;
};
