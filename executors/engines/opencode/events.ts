/** Folds the events of `opencode run --format json` into a reading. */
import path from 'node:path';
import { z } from 'zod';
import { shouldWaitForProvider } from '#model/failure';
import { engineFailure, type EngineFailure } from '../shared/engine-failure.ts';
import { classifyProviderFailure } from '../shared/provider-failure.ts';
import { toCallText } from '../shared/repeated-calls.ts';
import {
  dollarsSchema,
  sessionNamed,
  sessionId,
  tokenCount,
  type RoundReading,
} from '../shared/round-reading.ts';

const count = tokenCount;
const text = z.string().nullish().catch(null);
const Tokens = z.object({
  input: count,
  output: count,
  reasoning: count,
  cache: z.object({ read: count, write: count }).catch({ read: 0, write: 0 }),
});
const Trouble = z.object({
  name: z.string(),
  data: z
    .object({
      message: text,
      statusCode: z.number().nullish().catch(null),
      responseBody: text,
      responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
    })
    .catch({ message: null, statusCode: null, responseBody: null }),
});
type Trouble = z.infer<typeof Trouble>;
const sessionID = sessionId;
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start'), sessionID }),
  z.object({
    type: z.literal('tool_use'),
    sessionID,
    part: z.object({
      tool: z.string(),
      state: z.object({
        status: z.string(),
        input: z.record(z.string(), z.unknown()).catch({}),
        error: text,
      }),
    }),
  }),
  z.object({ type: z.literal('text'), sessionID, part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('step_finish'),
    sessionID,
    part: z.object({ reason: z.string(), tokens: Tokens.optional().catch(undefined), cost: dollarsSchema }),
  }),
  z.object({ type: z.literal('error'), sessionID: sessionId.nullish().catch(null), error: Trouble }),
]);
type Event = z.infer<typeof Event>;
type Step = Extract<Event, { type: 'step_finish' }>['part'];

const FAILURE_CLASS_BY_NAME: Readonly<Record<string, EngineFailure['class']>> = {
  ContextOverflowError: 'context_exceeded',
  MessageOutputLengthError: 'context_exceeded',
  ProviderAuthError: 'auth_missing',
  ProviderModelNotFoundError: 'bad_config',
  ProviderInitError: 'bad_config',
  StructuredOutputError: 'invalid_output',
};

const opencodeFailure = ({ name, data }: Trouble): EngineFailure => {
  const status = data.statusCode ?? null;
  const of =
    FAILURE_CLASS_BY_NAME[name] ??
    classifyProviderFailure(`${data.message ?? ''} ${data.responseBody ?? ''}`, status) ??
    (name === 'APIError' && status === null ? 'model_unavailable' : 'crashed');
  const wait = Number(data.responseHeaders?.['retry-after']);
  const again = shouldWaitForProvider(of) && wait > 0 ? ` (try again in ${wait} s)` : '';
  return engineFailure(of, `${data.message ?? name}${again}`);
};

const saysOf = (tool: string, input: Readonly<Record<string, unknown>>): string => {
  const { command, filePath, description } = input;
  if (typeof command === 'string') return `$ ${command.split('\n')[0] ?? ''}`;
  if (typeof filePath === 'string') return `${tool} ${path.basename(filePath)}`;
  return typeof description === 'string' ? `${tool} ${description}` : tool;
};

const withStep = (reading: RoundReading, { tokens, cost }: Step): RoundReading => {
  const addCounts = (sum: RoundReading['usage']): RoundReading['usage'] => ({
    inputTokens: sum.inputTokens + (tokens ? tokens.input + tokens.cache.read + tokens.cache.write : 0),
    outputTokens: sum.outputTokens + (tokens ? tokens.output + tokens.reasoning : 0),
    costUsd: Math.round((sum.costUsd + cost) * 1e9) / 1e9,
  });
  const { session } = reading;
  return {
    ...reading,
    usage: addCounts(reading.usage),
    session: session === null ? null : { ...session, usage: addCounts(session.usage) },
  };
};

const applyStepFinish = (before: RoundReading, step: Step): RoundReading => {
  const reading = withStep(before, step);
  switch (step.reason) {
    case 'stop':
      return { ...reading, ended: 'completed' };
    case 'length':
      return {
        ...reading,
        ended: 'failed',
        failure: engineFailure(
          'context_exceeded',
          'The model stopped at its limit in the middle of an answer.',
        ),
      };
    case 'content-filter':
      return {
        ...reading,
        ended: 'failed',
        failure: engineFailure('crashed', 'The provider held back the answer of the model.'),
      };
    default:
      return reading;
  }
};

const applyError = (reading: RoundReading, trouble: Trouble): RoundReading => {
  const found = opencodeFailure(trouble);
  // It retries endlessly, so stop at the second overflow.
  const overflow = found.class === 'context_exceeded';
  const stuck = overflow && reading.failure?.class === 'context_exceeded';
  return { ...reading, says: found.message, ended: 'failed', failure: found, stuck };
};

const DENIED = /rejected permission|specified a rule which prevents/i;

const applyToolUse = (
  reading: RoundReading,
  { tool, state }: Extract<Event, { type: 'tool_use' }>['part'],
): RoundReading => {
  const says = saysOf(tool, state.input);
  if (state.status !== 'error' || !DENIED.test(state.error ?? '')) return { ...reading, says };
  return {
    ...reading,
    says,
    ended: 'failed',
    denied: [...new Set([...reading.denied, tool])],
    failure: engineFailure('permission_denied', `The agent was denied: ${tool}.`),
  };
};

export const applyOpencodeEvent = (before: RoundReading, line: unknown): RoundReading => {
  const event = Event.safeParse(line).data;
  const quiet: RoundReading = { ...before, says: null };
  if (event === undefined) return quiet;
  const session =
    typeof event.sessionID === 'string' ? sessionNamed(before, event.sessionID) : before.session;
  // Activity after an end means that the turn had not ended.
  const reading: RoundReading = { ...quiet, session, ended: null };
  switch (event.type) {
    case 'step_start':
      return { ...reading, report: null };
    case 'tool_use':
      return {
        ...applyToolUse(reading, event.part),
        calls: [toCallText(event.part.tool, event.part.state.input)],
      };
    case 'text': {
      const words = event.part.text;
      return { ...reading, report: words, says: words.trimStart().startsWith('{') ? null : words };
    }
    case 'step_finish':
      return applyStepFinish(reading, event.part);
    case 'error':
      return applyError(reading, event.error);
  }
};
