/** Folds the events of `claude -p --output-format stream-json` into a reading. */
import { failureDetail } from '#model/failure';
import type { ModelUsage } from '#model/reports';
import path from 'node:path';
import { z } from 'zod';
import { engineFailure, PROVIDER_OUTAGE, type EngineFailure } from '../shared/engine-failure.ts';
import { toCallText } from '../shared/repeated-calls.ts';
import {
  withSessionTotal,
  dollarsSchema,
  modelName,
  sessionNamed,
  sessionId,
  tokenCount,
  withWords,
  type RoundReading,
} from '../shared/round-reading.ts';

const count = tokenCount;
const text = z.string().nullish().catch(null);
const Tokens = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});
const Block = z.object({
  type: z.string(),
  text: text,
  name: text,
  input: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const Result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  session_id: sessionId,
  result: text,
  structured_output: z.unknown().optional(),
  errors: z.array(z.string()).optional().catch(undefined),
  api_error_status: z.number().nullish().catch(null),
  terminal_reason: text,
  total_cost_usd: dollarsSchema,
  usage: Tokens.optional().catch(undefined),
  modelUsage: z
    .record(
      z.string(),
      z.object({
        inputTokens: count,
        outputTokens: count,
        cacheReadInputTokens: count,
        cacheCreationInputTokens: count,
      }),
    )
    .optional()
    .catch(undefined),
  permission_denials: z
    .array(z.object({ tool_name: z.string() }))
    .optional()
    .catch(undefined),
});
const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('system'),
    subtype: z.literal('init'),
    session_id: sessionId,
    model: modelName,
  }),
  z.object({
    type: z.literal('assistant'),
    error: text,
    message: z.object({
      id: text,
      content: z.array(Block).catch([]),
      usage: Tokens.optional().catch(undefined),
    }),
  }),
  z.object({ type: z.literal('user') }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish().catch(null) }),
  }),
  Result,
]);
type Result = z.infer<typeof Result>;
type Assistant = Extract<z.infer<typeof Event>, { type: 'assistant' }>;

const FAILURE_CLASS_BY_WORD: Readonly<Record<string, EngineFailure['class']>> = {
  authentication_failed: 'auth_missing',
  oauth_org_not_allowed: 'auth_missing',
  billing_error: 'quota_exhausted',
  rate_limit: 'rate_limited',
  model_not_found: 'bad_config',
  invalid_request: 'bad_config',
  max_output_tokens: 'context_exceeded',
  overloaded: 'model_unavailable',
  server_error: 'model_unavailable',
};
const SUBTYPES: Readonly<Record<string, EngineFailure['class']>> = {
  error_max_structured_output_retries: 'invalid_output',
  error_max_turns: 'budget_exceeded',
  error_max_budget_usd: 'budget_exceeded',
};
const ofStatus = (status: number | null | undefined): EngineFailure['class'] | null => {
  if (status === 401 || status === 403) return 'auth_missing';
  if (status === 429) return 'rate_limited';
  if (status === 404 || status === 400) return 'bad_config';
  return typeof status === 'number' && (status >= 500 || status === 408) ? 'model_unavailable' : null;
};
const ofText = (message: string): EngineFailure['class'] | null => {
  if (/no conversation found/i.test(message)) return 'session_lost';
  if (/credit balance/i.test(message)) return 'quota_exhausted';
  if (/usage limit|rate limit|\blimit reached\b/i.test(message)) return 'rate_limited';
  if (/not logged in|invalid api key|please run \/login/i.test(message)) return 'auth_missing';
  return PROVIDER_OUTAGE.test(message) ? 'model_unavailable' : null;
};

/** An assistant event has set `before`, with the provider's retry time. */
const toEngineFailure = (result: Result, before: EngineFailure | null): EngineFailure => {
  const message = result.errors?.join(' ') ?? result.result ?? result.subtype;
  const tooLong = result.terminal_reason === 'prompt_too_long' ? 'context_exceeded' : null;
  const of =
    SUBTYPES[result.subtype] ??
    tooLong ??
    before?.class ??
    ofStatus(result.api_error_status) ??
    ofText(message);
  return engineFailure(of ?? 'crashed', message, of === 'rate_limited' ? (before?.retryAt ?? null) : null);
};

const readTokens = (tokens: z.infer<typeof Tokens>): number =>
  tokens.input_tokens + tokens.cache_creation_input_tokens + tokens.cache_read_input_tokens;

/** Counts by model cover the session, plain ones this process only. */
const totalUsageOf = (result: Result, before: ModelUsage): ModelUsage => {
  const models = Object.values(result.modelUsage ?? {});
  if (models.length > 0 || result.usage === undefined)
    return {
      inputTokens: models.reduce(
        (sum, m) => sum + m.inputTokens + m.cacheReadInputTokens + m.cacheCreationInputTokens,
        0,
      ),
      outputTokens: models.reduce((sum, m) => sum + m.outputTokens, 0),
      costUsd: result.total_cost_usd,
    };
  return {
    inputTokens: before.inputTokens + readTokens(result.usage),
    outputTokens: before.outputTokens + result.usage.output_tokens,
    costUsd: Math.max(before.costUsd, result.total_cost_usd),
  };
};

const describeTarget = (input: Readonly<Record<string, unknown>>): string => {
  const { command, file_path: file, description } = input;
  if (typeof command === 'string') return `$ ${command.split('\n')[0] ?? ''}`;
  if (typeof file === 'string') return path.basename(file);
  return typeof description === 'string' ? description : '';
};

const saysOf = (blocks: readonly z.infer<typeof Block>[]): string | null => {
  const said = blocks.flatMap((block) => {
    if (block.type === 'text') return block.text ?? [];
    if (block.type !== 'tool_use' || block.name === 'StructuredOutput') return [];
    const what = describeTarget(block.input ?? {});
    return block.name === 'Bash' ? what : `${block.name ?? 'tool'} ${what}`.trim();
  });
  return said.at(-1) ?? null;
};

const callsOf = (blocks: readonly z.infer<typeof Block>[]): string[] =>
  blocks.flatMap(({ type, name, input }) =>
    type === 'tool_use' && name !== 'StructuredOutput' ? toCallText(name ?? 'tool', input ?? {}) : [],
  );

/** Messages are summed until the result arrives; one comes as several events. */
const withTokens = (reading: RoundReading, { message }: Assistant): RoundReading => {
  const { id, usage } = message;
  if (usage === undefined || typeof id !== 'string' || id === reading.message) return reading;
  const addCounts = ({ inputTokens, outputTokens, costUsd }: ModelUsage): ModelUsage => ({
    inputTokens: inputTokens + readTokens(usage),
    outputTokens: outputTokens + usage.output_tokens,
    costUsd,
  });
  const { session } = reading;
  return {
    ...reading,
    message: id,
    usage: addCounts(reading.usage),
    session: session === null ? null : { ...session, usage: addCounts(session.usage) },
  };
};

/** A command after a question means that it did not wait for the answer. */
const withQuestion = (reading: RoundReading, { message: { content } }: Assistant): RoundReading => {
  if (content.some(({ type, name }) => type === 'tool_use' && name !== 'StructuredOutput'))
    return { ...reading, words: null };
  const texts = content.flatMap(({ type, text: words }) => (type === 'text' ? (words ?? []) : []));
  return withWords(reading, texts.join('\n'));
};

const applyAssistant = (before: RoundReading, event: Assistant): RoundReading => {
  const says = saysOf(event.message.content);
  // Activity after an end means that the turn had not ended.
  const reading = { ...withTokens(before, event), says, ended: null };
  // An answer after a failure means that it was overcome.
  if (event.error === null || event.error === undefined)
    return withQuestion({ ...reading, failure: null }, event);
  const of = FAILURE_CLASS_BY_WORD[event.error];
  if (of === undefined) return reading;
  const at = before.failure?.class === of ? before.failure.retryAt : null;
  return { ...reading, failure: engineFailure(of, says ?? event.error, at) };
};

/** The session's count lacks killed processes, so our own count is the minimum. */
const atLeast = ({ usage: all, ...reading }: RoundReading, { usage }: Result): RoundReading => ({
  ...reading,
  usage: {
    inputTokens: Math.max(all.inputTokens, usage === undefined ? 0 : readTokens(usage)),
    outputTokens: Math.max(all.outputTokens, usage?.output_tokens ?? 0),
    costUsd: all.costUsd,
  },
});

const applyResult = (reading: RoundReading, result: Result): RoundReading => {
  const ended: RoundReading = {
    ...atLeast(withSessionTotal(reading, result.session_id, totalUsageOf(result, reading.base)), result),
    report: result.structured_output ?? result.result ?? null,
    denied: [...new Set((result.permission_denials ?? []).map((denial) => denial.tool_name))],
  };
  if (!result.is_error && result.subtype === 'success') return { ...ended, ended: 'completed' };
  return { ...ended, ended: 'failed', report: null, failure: toEngineFailure(result, reading.failure) };
};

export const applyClaudeEvent = (before: RoundReading, line: unknown): RoundReading => {
  const event = Event.safeParse(line).data;
  const reading: RoundReading = { ...before, says: null };
  if (event === undefined) return reading;
  switch (event.type) {
    case 'system':
      return {
        ...reading,
        session: sessionNamed(before, event.session_id),
        model: event.model ?? null,
      };
    case 'rate_limit_event': {
      const { status, resetsAt } = event.rate_limit_info;
      if (status !== 'rejected') return reading;
      const at = typeof resetsAt === 'number' ? resetsAt * 1000 : null;
      return {
        ...reading,
        failure: engineFailure(
          'rate_limited',
          'The usage limit is reached.',
          at,
          failureDetail({ kind: 'usage_limit_reached' }),
        ),
      };
    }
    case 'user':
      return { ...reading, works: false };
    case 'assistant':
      return {
        ...applyAssistant(reading, event),
        works: event.message.content.some(({ type }) => type === 'tool_use'),
        calls: callsOf(event.message.content),
      };
    case 'result':
      return applyResult(reading, event);
  }
};
