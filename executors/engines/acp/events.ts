/** Folds the messages of the Agent Client Protocol into a reading. */
import { z } from 'zod';
import { shouldWaitForProvider } from '#model/failure';
import { engineFailure, type EngineFailure } from '../shared/engine-failure.ts';
import { applyPermissionEvent } from '../shared/answer-permission-requests.ts';
import { classifyProviderFailure } from '../shared/provider-failure.ts';
import { toCallText } from '../shared/repeated-calls.ts';
import {
  withSessionTotal,
  dollarsSchema,
  modelName,
  sessionId,
  tokenCount,
  type RoundReading,
} from '../shared/round-reading.ts';

const text = z.string().catch('');
const Used = z.object({ totalTokens: tokenCount, inputTokens: tokenCount, outputTokens: tokenCount });
const used = Used.nullish().catch(null);
const input = z.record(z.string(), z.unknown()).catch({});

const Update = z.discriminatedUnion('sessionUpdate', [
  z.object({
    sessionUpdate: z.literal('agent_message_chunk'),
    content: z.object({ type: z.string(), text }),
    messageId: z.string().nullish().catch(null),
    _meta: z.object({ usage: used }).nullish().catch(null),
  }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk') }),
  z.object({ sessionUpdate: z.literal('tool_call'), toolCallId: text, title: text, rawInput: input }),
  z.object({
    sessionUpdate: z.literal('tool_call_update'),
    toolCallId: text,
    status: z.string().nullish().catch(null),
    title: text,
    rawInput: input,
  }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z
      .object({ amount: dollarsSchema, currency: z.literal('USD') })
      .nullish()
      .catch(null),
  }),
]);

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), id: sessionId }),
  z.object({ type: z.literal('model'), name: modelName }),
  z.object({ type: z.literal('prompted') }),
  z.object({ type: z.literal('update'), update: Update }),
  z.object({ type: z.literal('ended'), stopReason: z.string(), usage: used }),
  z.object({
    type: z.literal('refused'),
    at: z.enum(['start', 'session', 'turn']),
    code: z.number(),
    message: z.string(),
    data: z.unknown().optional(),
  }),
]);
type Heard = z.infer<typeof Event>;
type HeardUpdate = z.infer<typeof Update>;

const withUsed = (reading: RoundReading, more: z.infer<typeof used>): RoundReading => {
  if (!more) return reading;
  // Some agents count cached tokens as input, some separately.
  const read = Math.max(more.inputTokens, more.totalTokens - more.outputTokens);
  const addCounts = (sum: RoundReading['usage']): RoundReading['usage'] => ({
    ...sum,
    inputTokens: sum.inputTokens + read,
    outputTokens: sum.outputTokens + more.outputTokens,
  });
  const { session } = reading;
  return {
    ...reading,
    usage: addCounts(reading.usage),
    session: session === null ? null : { ...session, usage: addCounts(session.usage) },
  };
};

const withCost = (reading: RoundReading, amount: number): RoundReading => {
  const { session } = reading;
  if (session === null) return reading;
  return withSessionTotal(reading, session.id, { ...session.usage, costUsd: amount });
};

const saysOf = (title: string, { command }: Readonly<Record<string, unknown>>): string | null => {
  if (typeof command === 'string') return `$ ${command.split('\n')[0] ?? ''}`;
  return title === '' ? null : title;
};

type HeardCall = Extract<HeardUpdate, { toolCallId: string }>;
/** Some agents send the input only with a later update; each call counts once. */
const withCall = (reading: RoundReading, { toolCallId: id, title, rawInput }: HeardCall): RoundReading => {
  if (id === '' || id === reading.callId || Object.keys(rawInput).length === 0) return reading;
  return { ...reading, callId: id, calls: [toCallText(title, rawInput)] };
};

const applyMessageChunk = (
  reading: RoundReading,
  { content, messageId }: Extract<HeardUpdate, { messageId?: unknown }>,
): RoundReading => {
  const message = messageId ?? null;
  const said = typeof reading.report === 'string' ? reading.report : '';
  const report = said + (said !== '' && message !== reading.message ? '\n' : '') + content.text;
  if (report === '') return reading;
  return { ...reading, message, report, says: report.trimStart().startsWith('{') ? null : report };
};

const applyUpdate = (before: RoundReading, update: HeardUpdate): RoundReading => {
  // Activity after an end means that the turn had not ended.
  const reading: RoundReading = { ...before, ended: null };
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return withUsed({ ...applyMessageChunk(reading, update), works: false }, update._meta?.usage);
    case 'agent_thought_chunk':
      return { ...reading, works: false };
    case 'tool_call':
      return {
        ...withCall(reading, update),
        report: null,
        works: true,
        says: saysOf(update.title, update.rawInput),
      };
    case 'tool_call_update': {
      const over = update.status === 'completed' || update.status === 'failed';
      if (over) return { ...withCall(reading, update), works: false };
      return {
        ...withCall(reading, update),
        report: null,
        works: true,
        says: saysOf(update.title, update.rawInput),
      };
    }
    case 'usage_update':
      return update.cost ? withCost(before, update.cost.amount) : before;
  }
};

const STOPS: Readonly<Record<string, EngineFailure>> = {
  max_tokens: engineFailure('context_exceeded', 'The model stopped at its limit in the middle of an answer.'),
  max_turn_requests: engineFailure(
    'budget_exceeded',
    'The agent reached its own limit of requests in one turn.',
  ),
  refusal: engineFailure('crashed', 'The model refused to go on.'),
  cancelled: engineFailure('crashed', 'The agent ended its turn in the middle.'),
};

/** The protocol's error code for a missing sign-in. */
export const SIGN_IN_CODE = -32_000;

const Data = z.object({
  statusCode: z.number().nullish().catch(null),
  status: z.number().nullish().catch(null),
});
const failureOfRefusal = ({
  at,
  code,
  message,
  data,
}: Extract<Heard, { type: 'refused' }>): EngineFailure => {
  if (code === SIGN_IN_CODE) return engineFailure('auth_missing', `The agent is not signed in: ${message}`);
  const told = Data.safeParse(data).data;
  const more = data === undefined || data === null ? '' : JSON.stringify(data).slice(0, 2_000);
  // The protocol's own codes are negative; gemini puts the provider's status there.
  const status = told?.statusCode ?? told?.status ?? (code >= 400 && code < 600 ? code : null);
  const by = classifyProviderFailure(`${message} ${more}`, status);
  if (at === 'session' && !(by && (shouldWaitForProvider(by) || by === 'auth_missing')))
    return engineFailure('session_lost', `The agent does not know this conversation any more: ${message}`);
  return engineFailure(by ?? 'crashed', more === '' ? message : `${message} ${more}`);
};

export const applyAcpEvent = (before: RoundReading, heard: unknown): RoundReading => {
  const event = Event.safeParse(heard).data;
  const reading: RoundReading = { ...before, says: null };
  const asking = applyPermissionEvent(reading, heard);
  if (asking) return asking;
  if (event === undefined) return reading;
  switch (event.type) {
    case 'session':
      return { ...reading, session: before.session ?? { id: event.id, usage: before.usage } };
    case 'model':
      return { ...reading, model: event.name ?? before.model };
    case 'prompted':
      return { ...reading, report: null, ended: null, failure: null };
    case 'update':
      return applyUpdate(reading, event.update);
    case 'ended': {
      const told = withUsed(reading, event.usage);
      const wrong = STOPS[event.stopReason];
      return wrong ? { ...told, ended: 'failed', failure: wrong } : { ...told, ended: 'completed' };
    }
    case 'refused':
      return { ...reading, ended: 'failed', failure: failureOfRefusal(event) };
  }
};
