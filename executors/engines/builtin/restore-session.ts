/** E9: builds the conversation of a session again from the rows of its turns. */
import type { RecordedTurn } from '../../../orchestrator/kernel/ports/index.ts';
import { ConversationMessage, messagesToolResult, type ConversationEntry } from './fit-conversation.ts';

const CUT_OFF = 'It was cut off, and may have been done in part: look before you repeat it.';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const callsIn = (message: ConversationMessage): { id: string; tool: string }[] =>
  message.role === 'assistant' && typeof message.content !== 'string'
    ? message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: String(part['toolCallId']), tool: String(part['toolName']) }] : [],
      )
    : [];

const entriesOf = ({ seq, facts, text }: RecordedTurn): ConversationEntry[] | null => {
  const { context, thought, actions } = facts;
  const entries: ConversationEntry[] = [];
  for (const part of context.parts) {
    if (part.kind !== 'message' && part.kind !== 'map') continue;
    const content = text(part.text.digest);
    if (content === null) return null;
    const order = part.name === 'order' ? ({ order: true } as const) : {};
    entries.push({ turn: seq, message: { role: 'user', content }, ...order });
  }
  if (thought.text === null) return entries;
  const kept = text(thought.text.digest);
  const message = kept === null ? undefined : ConversationMessage.safeParse(parsed(kept)).data;
  if (message === undefined) return null;
  const refused = thought.problem === null ? null : text(thought.problem.digest);
  const results = callsIn(message).map(({ id, tool }) => {
    const action = actions.find(({ call }) => call === id);
    const answer = action?.answer ? text(action.answer.digest) : null;
    const said = answer ?? (refused === null ? CUT_OFF : `Nothing was done: ${refused}.`);
    return { id, tool, ok: action?.outcome?.ok ?? false, text: said };
  });
  const told = results.length === 0 ? [] : [{ turn: seq, message: messagesToolResult(results) }];
  return [...entries, { turn: seq, message }, ...told];
};

export const isSessionOf =
  (session: string) =>
  ({ facts }: RecordedTurn): boolean =>
    facts.session === session;

export const restoreEntries = (turns: readonly RecordedTurn[]): ConversationEntry[] =>
  turns.flatMap((turn) => entriesOf(turn) ?? []);

export const ownFiles = (turns: readonly RecordedTurn[]): string[] => [
  ...new Set(
    turns.flatMap(({ facts }) =>
      facts.actions.flatMap(({ outcome }) => outcome?.files.map(({ path }) => path) ?? []),
    ),
  ),
];
