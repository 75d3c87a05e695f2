/**
 * C7: one question to a model, with typed tools, by the SDK that speaks its protocol; loaded only
 * when it is asked. Whatever comes back is text: what a tool may do stands in the tool.
 */
import type { ToolSet } from 'ai';
import type { z } from 'zod';

export type ChatModelWay = {
  provider: 'anthropic' | 'openai';
  model: string;
  key: string;
  /** Where it is served; null for the provider's own address. */
  url: string | null;
};
export type ModelTool = { does: string; input: z.ZodType; run: (input: never) => Promise<string> };
export type ToModel = {
  system: string;
  text: string;
  tools: Readonly<Record<string, ModelTool>>;
  signal: AbortSignal;
};
/** `tokens` counts what was answered, also before it failed. */
export type ModelWords = { text: string | null; tokens: number };
export type AskChatModel = (question: ToModel) => Promise<ModelWords>;

/** Of one answer (bytes, tokens), and how often tools are used. */
const MAX_MODEL_ANSWER_BYTES = 1_000_000;
const MOST_TOKENS = 1_000;
const MOST_STEPS = 6;

/** Follows nobody elsewhere with the key, and reads no answer without end. */
const bounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  let left = MAX_MODEL_ANSWER_BYTES;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, to) {
        left -= chunk.byteLength;
        // guard: C7-answer-bounded
        if (left < 0) throw new Error(`the model's answer has more than ${MAX_MODEL_ANSWER_BYTES} bytes`);
        to.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted ?? null, { status, statusText, headers });
};

const languageOf = async ({ provider, model, key, url }: ChatModelWay) => {
  const options = { apiKey: key, fetch: bounded };
  if (provider === 'anthropic')
    return (await import('@ai-sdk/anthropic')).createAnthropic({
      ...options,
      ...(url === null ? {} : { baseURL: url }),
    })(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    ...options,
    name: 'openai',
    baseURL: url ?? 'https://api.openai.com/v1',
  }).chatModel(model);
};

/** Never throws for what the model does: then it has said nothing. */
export const createModelClient =
  (way: ChatModelWay, onTrouble: (error: unknown) => void): AskChatModel =>
  async ({ system, text, tools, signal }) => {
    const { generateText, isStepCount, tool } = await import('ai');
    const given = Object.fromEntries(
      Object.entries(tools).map(([name, { does, input, run }]) => [
        name,
        // What does not fit the schema comes to no tool: the model is told so, and may try again.
        tool({ description: does, inputSchema: input, execute: async (read) => run(read as never) }),
      ]),
    ) as ToolSet;
    let tokens = 0;
    try {
      const result = await generateText({
        model: await languageOf(way),
        instructions: system,
        prompt: text,
        tools: given,
        stopWhen: isStepCount(MOST_STEPS),
        maxRetries: 0,
        maxOutputTokens: MOST_TOKENS,
        abortSignal: signal,
        onStepFinish: ({ usage }) => void (tokens += usage.totalTokens ?? 0),
      });
      return { text: result.text, tokens };
    } catch (error) {
      onTrouble(error);
      return { text: null, tokens };
    }
  };
