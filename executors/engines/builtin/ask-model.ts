/** Sends one request to the model by the SDK of its protocol, loaded on demand. */
import http from 'node:http';
import type { JSONSchema7, ToolSet } from 'ai';
import { z } from 'zod';
import { classifyProviderFailure } from '../shared/provider-failure.ts';
import { engineFailure, type EngineFailure } from '../shared/engine-failure.ts';
import type { RunPicture } from '#ports/processes';
import type { ModelWay } from '../shared/program-conversation.ts';
import { ConversationMessage } from './fit-conversation.ts';
import { BUILTIN_TOOLS, type ProposedCall, type ToolName } from './parse-thought.ts';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { shortSocketPath } from '../../process/unix-socket.ts';
import { PROPOSER_HEADER } from '#gateway';
import type { BoxReach } from '#sandbox';

const headersOf = (headers: http.IncomingHttpHeaders): Headers => {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') kept.set(name, value);
  return kept;
};

const fetchThrough =
  (reach: BoxReach, proposer: string | null = null): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const named = proposer === null ? {} : { [PROPOSER_HEADER]: encodeURIComponent(proposer) };
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...named };
      const body = typeof init?.body === 'string' ? init.body : '';
      const short = typeof reach === 'string' ? null : shortSocketPath(reach.socket);
      const socket = short === null ? {} : { socketPath: short.path };
      const request = http.request(
        url,
        {
          ...socket,
          agent: false,
          method: init?.method ?? 'GET',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          ...(init?.signal ? { signal: init.signal } : {}),
        },
        (answer) => {
          const stream = Readable.toWeb(answer) as WebStream<Uint8Array>;
          resolve(
            new Response(stream, {
              status: answer.statusCode ?? 502,
              headers: headersOf(answer.headers),
            }),
          );
        },
      );
      request.once('close', () => short?.close());
      request.on('error', reject);
      request.end(body);
    });

export type ModelReply =
  | {
      kind: 'said';
      text: string;
      calls: readonly ProposedCall[];
      message: ConversationMessage | null;
      cut: boolean;
    }
  | { kind: 'refused'; failure: EngineFailure };

export type AskedModel = {
  system: string;
  messages: readonly ConversationMessage[];
  tools: readonly ToolName[];
  picture?: Pick<RunPicture, 'mime' | 'bytes'> | null;
  mostTokens: number;
  signal: AbortSignal;
  onPiece: () => void;
};

const MAX_MODEL_ANSWER_LENGTH = 600_000;

const Refused = z.object({
  statusCode: z.number().optional().catch(undefined),
  message: z.string().catch(''),
  responseBody: z.string().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  lastError: z.unknown().optional(),
});

const refusalOf = (error: unknown): EngineFailure => {
  const outer = Refused.safeParse(error).data;
  const told = outer?.lastError === undefined ? outer : (Refused.safeParse(outer.lastError).data ?? outer);
  const words = `${told?.message ?? ''} ${told?.responseBody?.slice(0, 2_000) ?? ''}`.trim();
  const seconds = Number(told?.responseHeaders?.['retry-after']);
  const at = Number.isFinite(seconds) && seconds > 0 ? Date.now() + seconds * 1_000 : null;
  const of = classifyProviderFailure(words, told?.statusCode ?? null) ?? 'model_unavailable';
  return engineFailure(of, words, at);
};

const schemaOf = (name: ToolName) => {
  const { $schema: _, ...schema } = z.toJSONSchema(BUILTIN_TOOLS[name].input);
  return schema as JSONSchema7;
};

const ToolCall = z.object({ toolCallId: z.string(), toolName: z.string(), input: z.unknown().optional() });
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Providers accept earlier tool inputs only as objects. */
const repairMessage = (message: unknown): ConversationMessage | null => {
  const read = ConversationMessage.safeParse(JSON.parse(JSON.stringify(message))).data;
  if (read?.role !== 'assistant' || typeof read.content === 'string') return read ?? null;
  const content = read.content
    .filter(({ type }) => type === 'text' || type === 'tool-call' || type === 'reasoning')
    .map((part) => (part.type === 'tool-call' && !isRecord(part['input']) ? { ...part, input: {} } : part));
  return { ...read, content };
};

/** Each request tells the whole conversation anew, so the picture stands in each of them. */
const withPicture = (
  messages: AskedModel['messages'],
  picture: Pick<RunPicture, 'mime' | 'bytes'> | null,
): object[] => {
  const at = picture === null ? -1 : messages.findIndex(({ role }) => role === 'user');
  return messages.map((message, i) =>
    i === at && picture !== null
      ? {
          role: 'user',
          content: [
            { type: 'text', text: message.content },
            { type: 'file', data: picture.bytes, mediaType: picture.mime },
          ],
        }
      : message,
  );
};

export const createModelRequester = async (way: ModelWay, model: string, proposer: string | null = null) => {
  const { jsonSchema, streamText, tool } = await import('ai');
  const options = { baseURL: `${way.url}/v1`, apiKey: way.token, fetch: fetchThrough(way.reach, proposer) };
  const language =
    way.provider === 'anthropic'
      ? (await import('@ai-sdk/anthropic')).createAnthropic(options)(model)
      : (await import('@ai-sdk/openai-compatible'))
          .createOpenAICompatible({ ...options, name: 'openai', includeUsage: true })
          .chatModel(model);

  return async (asked: AskedModel): Promise<ModelReply> => {
    const { system, messages, tools, picture = null, mostTokens, signal, onPiece } = asked;
    const tooLong = new AbortController();
    const given = Object.fromEntries(
      tools.map((name) => [
        name,
        // We validate the input, so that the model gets our messages.
        tool({ description: BUILTIN_TOOLS[name].does, inputSchema: jsonSchema(schemaOf(name)) }),
      ]),
    );
    const result = streamText({
      model: language,
      instructions: system,
      messages: withPicture(messages, picture) as NonNullable<Parameters<typeof streamText>[0]['messages']>,
      tools: given as ToolSet,
      maxRetries: 0,
      maxOutputTokens: mostTokens,
      abortSignal: AbortSignal.any([signal, tooLong.signal]),
      onError: () => {},
    });
    let text = '';
    let size = 0;
    let finish = '';
    let wrong: unknown = null;
    const calls: ProposedCall[] = [];
    try {
      for await (const part of result.fullStream) {
        onPiece();
        if (part.type === 'text-delta') text += part.text;
        if (part.type === 'text-delta' || part.type === 'reasoning-delta') size += part.text.length;
        if (part.type === 'tool-input-delta') size += part.delta.length;
        if (part.type === 'tool-call') {
          const call = ToolCall.parse(part);
          calls.push({ id: call.toolCallId, name: call.toolName, input: call.input });
        }
        if (part.type === 'finish') finish = part.finishReason;
        if (part.type === 'error') wrong ??= part.error;
        if (size > MAX_MODEL_ANSWER_LENGTH) tooLong.abort();
      }
    } catch (error) {
      wrong ??= error;
    }
    if (tooLong.signal.aborted) return { kind: 'said', text: '', calls: [], message: null, cut: true };
    if (wrong !== null) return { kind: 'refused', failure: refusalOf(wrong) };
    const [message] = (await result.response).messages.filter(({ role }) => role === 'assistant');
    return {
      kind: 'said',
      text,
      calls,
      message: message ? repairMessage(message) : null,
      cut: finish === 'length',
    };
  };
};
