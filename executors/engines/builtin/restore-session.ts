/** Builds the conversation of a session again from the rows of its turns (E9). */
import type { RecordedTurn } from '#model/turn';
import { renderOtherProposals } from './choose-proposal.ts';
import { ConversationMessage, toToolResultMessage, type ConversationEntry } from './fit-conversation.ts';

const NOT_DONE = 'It was not done: the work was interrupted before.';
const CUT_OFF = 'It was cut off, and may have been done in part: look before you repeat it.';

const parseJsonOrNull = (text: string): unknown => {
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

const othersIn = ({ facts: { choice, thought }, text }: RecordedTurn): string | null => {
  const textOrNull = (ref: { digest: string } | null): string | null =>
    ref === null ? null : text(ref.digest);
  const all = choice?.proposals ?? [];
  const own = all.findIndex((one) => one.thought.text?.digest === thought.text?.digest);
  return renderOtherProposals(
    all
      .filter((_, i) => i !== own)
      .map(({ actions, thought: said, ...rest }) => ({
        ...rest,
        thought: textOrNull(said.text),
        problem: textOrNull(said.problem),
        actions: actions.map(({ tool, input, reason }) => ({
          tool,
          input: textOrNull(input),
          reason: textOrNull(reason),
        })),
      })),
  );
};

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
  const notice = othersIn({ seq, facts, text });
  const othersTold =
    notice === null ? [] : [{ turn: seq, message: { role: 'user' as const, content: notice } }];
  if (thought.text === null) return [...entries, ...othersTold];
  const kept = text(thought.text.digest);
  const message = kept === null ? undefined : ConversationMessage.safeParse(parseJsonOrNull(kept)).data;
  if (message === undefined) return null;
  const refused = thought.problem === null ? null : text(thought.problem.digest);
  const results = callsIn(message).map(({ id, tool }) => {
    const action = actions.find(({ call }) => call === id);
    const answer = action?.answer ? text(action.answer.digest) : null;
    // guard: L6-undecided-was-not-done
    const cut = action?.decision === null ? NOT_DONE : CUT_OFF;
    const said = answer ?? (refused === null ? cut : `Nothing was done: ${refused}.`);
    return { id, tool, ok: action?.outcome?.ok ?? false, text: said };
  });
  const told = results.length === 0 ? [] : [{ turn: seq, message: toToolResultMessage(results) }];
  return [...entries, { turn: seq, message }, ...told, ...othersTold];
};

export const createSessionTest =
  (session: string) =>
  ({ facts }: RecordedTurn): boolean =>
    facts.session === session;

export const restoreEntries = (turns: readonly RecordedTurn[]): ConversationEntry[] =>
  turns.flatMap((turn) => entriesOf(turn) ?? []);

export const listFilesRead = (turns: readonly RecordedTurn[]): string[] => [
  ...new Set(turns.flatMap(({ facts }) => facts.context.files.map(({ path }) => path))),
];

export const listFilesWritten = (turns: readonly RecordedTurn[]): string[] => [
  ...new Set(
    turns.flatMap(({ facts }) =>
      facts.actions.flatMap(({ outcome }) => outcome?.files.map(({ path }) => path) ?? []),
    ),
  ),
];

/** Turns of a round that was cut off, or waited for a person: whoever goes on, goes on with its edits. */
export const listTurnsSinceDone = (turns: readonly RecordedTurn[]): readonly RecordedTurn[] =>
  turns.slice(turns.findLastIndex(({ facts }) => facts.evaluation?.kind === 'done') + 1);
