/** What is learned from a request of an agent to its model, before it is passed on. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CHARACTERS_A_TOKEN } from './reader.ts';

const Body = z.object({
  model: z.string().max(200).optional().catch(undefined),
  max_tokens: z.number().int().min(0).optional().catch(undefined),
  max_output_tokens: z.number().int().min(0).optional().catch(undefined),
  max_completion_tokens: z.number().int().min(0).optional().catch(undefined),
  messages: z.array(z.unknown()).optional().catch(undefined),
  input: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .catch(undefined),
});

export type ModelRequest = {
  model: string | null;
  /** Characters that a model reads as text; pictures and other long blobs are left out. */
  characters: number;
  /** The most tokens that the answer may have. */
  most: number;
  /** What stands in the conversation, oldest first. */
  items: readonly unknown[];
  /** The agent's newest calls of tools, in a form that can be compared; null when there are none. */
  call: string | null;
};

/** An answer without a bound of its own; more is not set aside for it. */
const USUAL_MOST = 8_000;
/** A string without blanks that is longer than this is no text. */
const BLOB = 4_000;

/** Nobody's conversation is deeper; what is gets no further than here. */
const DEEPEST = 64;

const textIn = (value: unknown, depth = 0): number => {
  if (depth > DEEPEST) return 0;
  if (typeof value === 'string')
    return value.length > BLOB && !/\s/.test(value.slice(0, BLOB)) ? 0 : value.length;
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
});

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_use']);
/** The calls in one item of a conversation; their ids differ each time. */
const callsIn = (item: unknown): unknown[] => {
  const read = Call.safeParse(item).data;
  if (read === undefined) return [];
  if (read.type !== undefined && CALLS.has(read.type)) return [[read.name, read.arguments ?? read.input]];
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

/** null when it is no JSON object: such a request asks no model for anything. */
export const readAsked = (bytes: Buffer): ModelRequest | null => {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  const read = Body.safeParse(json).data;
  if (read === undefined || Array.isArray(json)) return null;
  const items = read.messages ?? (typeof read.input === 'string' ? [read.input] : (read.input ?? []));
  const bounds = [read.max_tokens, read.max_output_tokens, read.max_completion_tokens];
  return {
    model: read.model ?? null,
    characters: textIn(json),
    most: bounds.find((one) => one !== undefined) ?? USUAL_MOST,
    items,
    call: lastCall(items),
  };
};

export const tokensAsked = ({ characters, most }: ModelRequest): { input: number; output: number } => ({
  input: Math.ceil(characters / CHARACTERS_A_TOKEN),
  output: most,
});
