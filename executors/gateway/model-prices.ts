/** E16: model prices in dollars per million tokens. The operator's come first. */
import { z } from 'zod';
import type { TokenCounts } from './api-shapes.ts';

/** The provider's cache: `cached` is read, `stored` written; default: `input`. */
export const ModelPrice = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cached: z.number().min(0).optional(),
  stored: z.number().min(0).optional(),
  /** Prompts of more tokens cost twice as much, and their answers half as much again. */
  beyond: z.number().int().positive().optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

const LONG_PROMPT_PRICING = { factorIn: 2, factorOut: 1.5 };
const GPT_LONG = 272_000;
const GEMINI_LONG = 200_000;

type Listed = readonly [input: number, output: number, cached: number, stored: number, beyond?: number];
export const PRICES_AS_OF = '2026-11-22';
/** Source: https://models.dev, as shipped with opencode-ai 1.18.33; Gemini’s of 2026-07-02. */
const LISTED: Readonly<Record<string, Listed>> = {
  'claude-fable-5': [10, 50, 1, 12.5],
  'claude-fable-5-1': [10, 50, 0.25, 12.5],
  'claude-haiku-4-5': [1, 5, 0.1, 1.25],
  'claude-opus-4-5': [5, 25, 0.5, 6.25],
  'claude-opus-4-6': [5, 25, 0.5, 6.25],
  'claude-opus-4-7': [5, 25, 0.5, 6.25],
  'claude-opus-4-8': [5, 25, 0.5, 6.25],
  'claude-opus-5': [5, 25, 0.5, 6.25],
  'claude-opus-5-5': [4, 20, 0.2, 5],
  'claude-sonnet-4-5': [3, 15, 0.3, 3.75],
  'claude-sonnet-4-6': [3, 15, 0.3, 3.75],
  'claude-sonnet-5': [2, 10, 0.2, 2.5],
  'gemini-2.5-flash': [0.3, 2.5, 0.03, 0.3],
  'gemini-2.5-flash-lite': [0.1, 0.4, 0.01, 0.1],
  'gemini-2.5-pro': [1.25, 10, 0.125, 1.25, GEMINI_LONG],
  'gemini-3-flash-preview': [0.5, 3, 0.05, 0.5],
  'gemini-3-pro-preview': [2, 12, 0.2, 2, GEMINI_LONG],
  'gemini-3.1-flash-lite': [0.25, 1.5, 0.025, 0.25],
  'gemini-3.1-pro-preview': [2, 12, 0.2, 2, GEMINI_LONG],
  'gemini-3.1-pro-preview-customtools': [2, 12, 0.2, 2, GEMINI_LONG],
  'gemini-3.5-flash': [1.5, 9, 0.15, 1.5],
  'gpt-4.1': [2, 8, 0.5, 2],
  'gpt-4.1-mini': [0.4, 1.6, 0.1, 0.4],
  'gpt-4o': [2.5, 10, 1.25, 2.5],
  'gpt-4o-mini': [0.15, 0.6, 0.075, 0.15],
  'gpt-5': [1.25, 10, 0.125, 1.25],
  'gpt-5-mini': [0.25, 2, 0.025, 0.25],
  'gpt-5-nano': [0.05, 0.4, 0.005, 0.05],
  'gpt-5-pro': [15, 120, 15, 15],
  'gpt-5.1': [1.25, 10, 0.125, 1.25],
  'gpt-5.2': [1.75, 14, 0.175, 1.75],
  'gpt-5.2-pro': [21, 168, 21, 21],
  'gpt-5.3-codex': [1.75, 14, 0.175, 1.75],
  'gpt-5.3-codex-spark': [1.75, 14, 0.175, 1.75],
  'gpt-5.4': [2.5, 15, 0.25, 2.5, GPT_LONG],
  'gpt-5.4-mini': [0.75, 4.5, 0.075, 0.75],
  'gpt-5.4-nano': [0.2, 1.25, 0.02, 0.2],
  'gpt-5.4-pro': [30, 180, 30, 30, GPT_LONG],
  'gpt-5.5': [5, 30, 0.5, 5, GPT_LONG],
  'gpt-5.5-pro': [30, 180, 30, 30, GPT_LONG],
  'gpt-5.6': [4, 20, 0.4, 5, GPT_LONG],
  'gpt-5.6-luna': [0.2, 1.2, 0.02, 0.25, GPT_LONG],
  'gpt-5.6-luna-pro': [0.2, 1.2, 0.02, 0.25, GPT_LONG],
  'gpt-5.6-pro': [4, 20, 0.4, 5, GPT_LONG],
  'gpt-5.6-sol': [4, 20, 0.4, 5, GPT_LONG],
  'gpt-5.6-sol-pro': [4, 20, 0.4, 5, GPT_LONG],
  'gpt-5.6-terra': [2, 12, 0.2, 2.5, GPT_LONG],
  'gpt-5.6-terra-pro': [2, 12, 0.2, 2.5, GPT_LONG],
  'gpt-6-astra': [10, 50, 1, 12.5, GPT_LONG],
  'gpt-6-astra-pro': [10, 50, 1, 12.5, GPT_LONG],
  'gpt-6-luna': [0.1, 0.5, 0.01, 0.125, GPT_LONG],
  'gpt-6-luna-pro': [0.1, 0.5, 0.01, 0.125, GPT_LONG],
  'gpt-6-sol': [2, 10, 0.2, 2.5, GPT_LONG],
  'gpt-6-sol-pro': [2, 10, 0.2, 2.5, GPT_LONG],
  o3: [2, 8, 0.5, 2],
  'o3-pro': [20, 80, 20, 20],
};

/** Routers prefix the provider and write versions with a dot. */
const bare = (model: string): string => {
  const name = model.slice(model.lastIndexOf('/') + 1).replace(/[@:].*$/, '');
  return name.startsWith('claude-') ? name.replaceAll('.', '-') : name;
};
/** A date or `latest` may follow a name; any other suffix is another model. */
const undated = (name: string): string => name.replace(/-(?:latest|\d{8}|\d{4}-\d\d-\d\d)$/, '');

export const priceOf = (model: string, own: ModelPrices): ModelPrice | null => {
  const name = bare(model);
  for (const key of [model, name, undated(name)]) {
    // A model may be called `constructor`.
    // guard: E18-price-written-down
    const given = Object.hasOwn(own, key) ? own[key] : undefined;
    if (given !== undefined) return given;
  }
  const listed = Object.hasOwn(LISTED, undated(name)) ? LISTED[undated(name)] : undefined;
  if (listed === undefined) return null;
  const [input, output, cached, stored, beyond] = listed;
  return { input, output, cached, stored, ...(beyond === undefined ? {} : { beyond }) };
};

const TOKENS_PER_PRICE = 1_000_000;
/** Multiple of the price of fresh input. */
const HOUR_FACTOR = 2;
export const costOf = (price: ModelPrice, counts: TokenCounts): number => {
  const { fresh, cached, stored, storedLong, output } = counts;
  const { input } = price;
  const long = price.beyond !== undefined && fresh + cached + stored + storedLong > price.beyond;
  const read =
    fresh * input +
    cached * (price.cached ?? input) +
    stored * (price.stored ?? input) +
    storedLong * Math.max(HOUR_FACTOR * input, price.stored ?? 0);
  return (
    (read * (long ? LONG_PROMPT_PRICING.factorIn : 1) +
      output * price.output * (long ? LONG_PROMPT_PRICING.factorOut : 1)) /
    TOKENS_PER_PRICE
  );
};
