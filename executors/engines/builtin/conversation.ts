/** The conversation with the model: what rows tell of earlier rounds, then turn by turn. */
import { randomBytes } from 'node:crypto';
import type { AgentSession } from '#model/reports';
import type { DraftedAction, TurnDraft, TurnAction } from '#model/turn';
import type { TurnRecorder } from '#ports/records';
import type { ActionDecision } from './govern-action.ts';
import {
  fitConversation,
  toToolResultMessage,
  type ConversationEntry,
  type FittedConversation,
} from './fit-conversation.ts';
import type { ModelReply } from './ask-model.ts';
import { createSessionTest, restoreEntries } from './restore-session.ts';
import { z } from 'zod';

type NotedAction = (TurnAction | DraftedAction) & { said: string | null };

const MAX_NOTED_LINES = 60;
const MAX_NOTED_LENGTH = 160;
const Input = z.record(z.string(), z.unknown());

const parseToolInput = (text: string | null): Record<string, unknown> => {
  try {
    return Input.safeParse(JSON.parse(text ?? '')).data ?? {};
  } catch {
    return {};
  }
};

const describeAction = ({ tool, said }: NotedAction): string => {
  const { command, pattern, path } = parseToolInput(said);
  const name = [command, pattern, path].find((one) => typeof one === 'string');
  return `${tool} ${String(name ?? '').replace(/\s+/g, ' ')}`.slice(0, MAX_NOTED_LENGTH).trim();
};

const lineOf = (action: NotedAction): string => {
  const { id, decision, outcome } = action;
  const did = `- ${id} ${describeAction(action)}`;
  if (decision?.verdict === 'rejected')
    return `${did}: refused by ${decision.by.kind === 'policy' ? decision.policies.join(', ') : decision.by.name}`;
  if (decision === null || decision.verdict === 'waits') return `${did}: not done`;
  if (outcome === null) return `${did}: cut off, look before you repeat it`;
  const files = outcome.files.map(({ path, after }) => (after === null ? `${path} (removed)` : path));
  const changed = files.length === 0 ? '' : `; changed ${files.slice(0, 8).join(', ')}`;
  const exit = outcome.exitCode === null ? '' : `, exit ${outcome.exitCode}`;
  return `${did}: ${outcome.ok ? 'done' : 'failed'}${exit}${changed}`;
};

export const summariseTurns = (actions: readonly NotedAction[]): string =>
  [
    'Earlier turns are left out here to save room. What is on record of them:',
    ...(actions.length > MAX_NOTED_LINES
      ? [`- ${actions.length - MAX_NOTED_LINES} actions before these`]
      : []),
    ...actions.slice(-MAX_NOTED_LINES).map(lineOf),
    'What was written to files stands there. Read again what you need.',
  ].join('\n');

export type ModelAnswer = Extract<ModelReply, { kind: 'said' }>;
type Result = { id: string; ok: boolean; text: string };
type Begun = { turns: TurnRecorder; session: AgentSession | null; prompt: string };

const lastDecision = (noted: ReadonlyMap<number, readonly NotedAction[]>): ActionDecision | null => {
  const action = [...noted.values()].flat().findLast(({ decision }) => decision !== null);
  return action?.decision ? { id: action.id, tool: action.tool, verdict: action.decision.verdict } : null;
};

export const createConversation = ({ turns, session, prompt }: Begun) => {
  const id = session?.id ?? randomBytes(12).toString('hex');
  const before = turns.past.filter(createSessionTest(id));
  let entries: readonly ConversationEntry[] = restoreEntries(before);
  let turn = turns.next - 1;
  const noted = new Map<number, NotedAction[]>(
    before.map(({ seq, facts, text }) => [
      seq,
      facts.actions.map((action) => ({ ...action, said: text(action.input.digest) })),
    ]),
  );
  let decision = lastDecision(noted);
  let others: string | null = null;
  let fresh: TurnDraft['context']['parts'] = [];

  const appendMessages = (...messages: ConversationEntry['message'][]): void => {
    entries = [...entries, ...messages.map((message) => ({ turn, message }))];
  };
  const say = (content: string, name: 'order' | 'notice' = 'notice'): void => {
    const order = name === 'order' ? ({ order: true } as const) : {};
    entries = [...entries, { turn: turn + 1, message: { role: 'user', content }, ...order }];
    fresh = [...fresh, { kind: 'message', name, text: content }];
  };
  say(prompt, 'order');
  const showMap = (text: string): void => {
    entries = [...entries, { turn: turn + 1, message: { role: 'user', content: text } }];
    fresh = [...fresh, { kind: 'map', name: 'map', text }];
  };
  const answer = (said: ModelAnswer, results: readonly Result[]): void => {
    const named = results.map((one) => ({
      ...one,
      tool: said.calls.find((call) => call.id === one.id)?.name ?? '',
    }));
    appendMessages(
      ...(said.message ? [said.message] : []),
      ...(named.length > 0 ? [toToolResultMessage(named)] : []),
    );
    if (others !== null) appendMessages({ role: 'user', content: others });
    others = null;
  };
  return {
    id,
    isNew: before.length === 0,
    turns: () => turn,
    decision: () => decision,
    hearsOfOthers: (notice: string | null): void => void (others = notice),
    begins: (): void => void (turn += 1),
    decided: (by: ActionDecision | null): void => void (decision = by),
    fresh: (): TurnDraft['context']['parts'] => {
      const now = fresh;
      fresh = [];
      return now;
    },
    fits: (system: string, most: number): FittedConversation | null =>
      fitConversation(entries, system, most, (left) =>
        summariseTurns(left.flatMap((seq) => noted.get(seq) ?? [])),
      ),
    acted: (actions: readonly DraftedAction[]): void =>
      void noted.set(
        turn,
        actions.map((action) => ({ ...action, said: action.input })),
      ),
    say,
    showMap,
    answer,
    refuse: (said: ModelAnswer, why: string): void => {
      const calls = said.message === null ? [] : said.calls;
      answer(
        said,
        calls.map((call) => ({ id: call.id, ok: false, text: `Nothing was done: ${why}.` })),
      );
      if (calls.length === 0) say(`${why[0]?.toUpperCase()}${why.slice(1)}.`);
    },
  };
};
