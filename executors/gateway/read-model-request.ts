/** Analyses an agent's request to its model before it is forwarded. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { hasMoreJsonValues } from '#model/values';
import { readBilling, type BillingTerms } from './request-billing.ts';
import { findModelInPath, type ShapeName } from './api-shapes.ts';
import { clipExchangeText } from './model-transcript.ts';

const Body = z.object({
  model: z.string().max(200).optional().catch(undefined),
  messages: z.array(z.unknown()).optional().catch(undefined),
  contents: z.array(z.unknown()).optional().catch(undefined),
  input: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .catch(undefined),
});

export type ModelRequest = {
  model: string | null;
  /** Pictures and other long blobs are excluded. */
  characters: number;
  billing: BillingTerms;
  /** Serialised again, so that no reader can take duplicate names differently. */
  body: Uint8Array;
  items: number;
  fresh: string;
  /** The latest tool calls in comparable form; null if there are none. */
  call: string | null;
};

/** A longer string without blanks is not text (characters). */
const MIN_BLOB_LENGTH = 4_000;

const MAX_REQUEST_DEPTH = 64;

const textIn = (value: unknown, depth = 0): number => {
  if (depth > MAX_REQUEST_DEPTH) return 0;
  if (typeof value === 'string')
    return value.length > MIN_BLOB_LENGTH && !/\s/.test(value.slice(0, MIN_BLOB_LENGTH)) ? 0 : value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [name, inner] of Object.entries(value)) sum += name.length + textIn(inner, depth + 1);
  return sum;
};

const Call = z.object({
  type: z.string().optional().catch(undefined),
  role: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  function: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).optional().catch(undefined),
  content: z.unknown().optional(),
  parts: z.array(z.unknown()).optional().catch(undefined),
  functionCall: z.object({ name: z.unknown(), args: z.unknown() }).optional().catch(undefined),
});

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_use']);
/** Ids are left out, because they differ each time. */
const callsIn = (item: unknown): unknown[] => {
  const read = Call.safeParse(item).data;
  if (read === undefined) return [];
  if (read.type !== undefined && CALLS.has(read.type)) return [[read.name, read.arguments ?? read.input]];
  if (read.functionCall !== undefined) return [[read.functionCall.name, read.functionCall.args]];
  if (read.role === 'model' && read.parts !== undefined) return read.parts.flatMap(callsIn);
  if (read.tool_calls !== undefined)
    return read.tool_calls.map((one) => Call.safeParse(one).data?.function ?? null);
  return read.role === 'assistant' && Array.isArray(read.content) ? read.content.flatMap(callsIn) : [];
};

const lastCall = (items: readonly unknown[]): string | null => {
  for (let i = items.length - 1; i >= 0 && i > items.length - 20; i -= 1) {
    const calls = callsIn(items[i]);
    if (calls.length > 0) return createHash('sha256').update(JSON.stringify(calls)).digest('hex');
  }
  return null;
};

const jsonOf = (bytes: Uint8Array): Record<string, unknown> | null => {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    return isObject ? Object.fromEntries(Object.entries(json)) : null;
  } catch {
    return null;
  }
};
const bytesOf = (json: object): Buffer | null => {
  try {
    return Buffer.from(JSON.stringify(json));
  } catch {
    return null;
  }
};

/** Streamed chat completions report usage only on request. */
const askingForUsage = (json: Record<string, unknown>, path: string): Record<string, unknown> => {
  if (path !== '/v1/chat/completions' || json.stream !== true) return json;
  const { stream_options: options } = json;
  const own = typeof options === 'object' && options !== null ? options : {};
  return { ...json, stream_options: { ...own, include_usage: true } };
};

const MAX_VALUES = 100_000;

export type ModelRequestTarget = { shape: ShapeName; path: string; known: number };

const freshIn = (items: readonly unknown[], known: number): string =>
  clipExchangeText(JSON.stringify(items.slice(items.length > known ? known : Math.max(0, items.length - 1))));

/** Returns a reason if it has no model or its cost cannot be bounded. */
export const readModelRequest = (
  bytes: Uint8Array,
  { shape, path, known }: ModelRequestTarget,
): ModelRequest | { refused: string } => {
  // guard: O10-request-values
  if (hasMoreJsonValues(bytes, MAX_VALUES))
    return { refused: `The request has more than ${MAX_VALUES} values.` };
  const fields = jsonOf(bytes);
  if (fields === null) return { refused: 'The request is not JSON.' };
  const body = bytesOf(askingForUsage(fields, path));
  if (body === null) return { refused: 'The request is nested too deeply.' };
  const read = Body.parse(fields);
  const items =
    read.messages ?? read.contents ?? (typeof read.input === 'string' ? [read.input] : (read.input ?? []));
  const named = shape === 'google' ? findModelInPath(path) : (read.model ?? null);
  // guard: E18-one-model
  if (shape === 'google' && fields.model !== undefined) return { refused: 'The model is named twice.' };
  const billing = readBilling(fields, shape, path, bytes.length);
  if ('refused' in billing) return billing;
  return {
    model: named,
    characters: textIn(fields),
    billing,
    body,
    items: items.length,
    fresh: freshIn(items, known),
    call: lastCall(items),
  };
};
