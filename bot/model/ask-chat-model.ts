/** Asks a model one question through the AI SDK (C7). Actions happen only in the tools. */
import type { ToolSet } from 'ai';
import type { z } from 'zod';

export type ChatModelWay = {
  provider: 'anthropic' | 'openai';
  model: string;
  key: string;
  url: string | null;
};
export type ModelTool = { does: string; input: z.ZodType; run: (input: never) => Promise<string> };
export type ToModel = {
  system: string;
  text: string;
  tools: Readonly<Record<string, ModelTool>>;
  signal: AbortSignal;
};
/** `tokens` includes usage before a failure. */
type ModelWords = { text: string | null; tokens: number };
export type AskChatModel = (question: ToModel) => Promise<ModelWords>;

const MAX_MODEL_ANSWER_BYTES = 1_000_000;
const MOST_TOKENS = 1_000;
const MOST_STEPS = 6;

/** Security: follows no redirects, which would leak the key, and limits the size of an answer. */
const fetchWithLimit: typeof fetch = async (input, init) => {
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

const loadLanguageModel = async ({ provider, model, key, url }: ChatModelWay) => {
  const options = { apiKey: key, fetch: fetchWithLimit };
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

/** Never throws for model failures; returns a null text instead. */
export const createModelClient =
  (way: ChatModelWay, onTrouble: (error: unknown) => void): AskChatModel =>
  async ({ system, text, tools, signal }) => {
    const { generateText, isStepCount, tool } = await import('ai');
    const given = Object.fromEntries(
      Object.entries(tools).map(([name, { does, input, run }]) => [
        name,
        // The SDK reports invalid tool input to the model, which may try again.
        tool({ description: does, inputSchema: input, execute: async (read) => run(read as never) }),
      ]),
    ) as ToolSet;
    let tokens = 0;
    try {
      const result = await generateText({
        model: await loadLanguageModel(way),
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
