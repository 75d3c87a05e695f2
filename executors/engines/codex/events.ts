/** Folds the events of `codex exec --json` into a reading. */
import path from 'node:path';
import { z } from 'zod';
import { engineFailure, PROVIDER_OUTAGE, type EngineFailure } from '../shared/engine-failure.ts';
import { toCallText } from '../shared/repeated-calls.ts';
import {
  withSessionTotal,
  sessionNamed,
  sessionId,
  tokenCount,
  withWords,
  type RoundReading,
} from '../shared/round-reading.ts';

const count = tokenCount;
const Item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command_execution'), command: z.string() }),
  z.object({ type: z.literal('file_change'), changes: z.array(z.object({ path: z.string() })) }),
  z.object({ type: z.literal('agent_message'), text: z.string() }),
]);
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: sessionId }),
  z.object({ type: z.enum(['item.started', 'item.completed']), item: Item }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: count, output_tokens: count }).optional().catch(undefined),
  }),
]);

/** Order matters: quota messages may mention limits. */
const CODEX_FAILURE_PATTERNS: readonly [RegExp, EngineFailure['class']][] = [
  [/status 40[13]\b|missing environment variable|not logged in|refresh token|sign in again/i, 'auth_missing'],
  [/usage limit.{0,300}try again (at|in)/i, 'rate_limited'],
  [/quota exceeded|insufficient_quota|usage limit|out of credits/i, 'quota_exhausted'],
  [/status:? 429\b|rate limit/i, 'rate_limited'],
  [/ran out of room|context window|context_length|reason: max_output_tokens/i, 'context_exceeded'],
  [/does not exist|model_not_found|status:? 404\b|status:? 400\b/i, 'bad_config'],
  [/status:? (408|5\d\d)\b|routing discovery/i, 'model_unavailable'],
  [PROVIDER_OUTAGE, 'model_unavailable'],
];

/** A boxed program may have written it (characters). */
const MAX_MESSAGE_LENGTH = 64_000;

export const toCodexFailure = (whole: string): EngineFailure => {
  const message = whole.slice(0, MAX_MESSAGE_LENGTH);
  return engineFailure(
    CODEX_FAILURE_PATTERNS.find(([words]) => words.test(message))?.[1] ?? 'crashed',
    message,
  );
};

const stripShell = (command: string): string =>
  /^\S*sh -l?c (['"]?)(.*)\1$/s.exec(command)?.[2]?.split('\n')[0] ?? command;

const saysOf = (item: z.infer<typeof Item>): string | null => {
  switch (item.type) {
    case 'command_execution':
      return `$ ${stripShell(item.command)}`;
    case 'file_change':
      return `edits ${item.changes.map((change) => path.basename(change.path)).join(', ')}`;
    case 'agent_message':
      return item.text.trimStart().startsWith('{') ? null : item.text;
  }
};

export const applyCodexEvent = (before: RoundReading, line: unknown): RoundReading => {
  const event = Event.safeParse(line).data;
  if (event === undefined) return { ...before, says: null };
  const reading: RoundReading = { ...before, says: null, waits: false };
  // Activity after an end means that the turn had not ended.
  if (event.type === 'item.started' || event.type === 'item.completed') reading.ended = null;
  switch (event.type) {
    case 'thread.started':
      return { ...reading, session: sessionNamed(before, event.thread_id) };
    case 'item.started':
      return {
        ...reading,
        says: saysOf(event.item),
        works: event.item.type === 'command_execution',
        calls:
          event.item.type === 'command_execution'
            ? [toCallText('shell', { command: event.item.command })]
            : [],
        words: event.item.type === 'agent_message' ? reading.words : null,
      };
    case 'item.completed':
      if (event.item.type === 'command_execution') return { ...reading, works: false };
      if (event.item.type === 'file_change') return { ...reading, says: saysOf(event.item) };
      return { ...withWords(reading, event.item.text), says: saysOf(event.item), report: event.item.text };
    case 'error': {
      // Each retry prints one, so it is not the end.
      const waits = event.message.startsWith('Reconnecting');
      return { ...reading, failure: toCodexFailure(event.message), waits, says: event.message };
    }
    case 'turn.failed':
      return { ...reading, ended: 'failed', failure: toCodexFailure(event.error.message) };
    case 'turn.completed': {
      const { input_tokens, output_tokens } = event.usage ?? { input_tokens: 0, output_tokens: 0 };
      const total = { inputTokens: input_tokens, outputTokens: output_tokens, costUsd: 0 };
      const id = before.session?.id;
      const ended = { ...reading, ended: 'completed' } as const;
      return id === undefined ? { ...ended, usage: total } : withSessionTotal(ended, id, total);
    }
  }
};
