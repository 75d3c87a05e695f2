/** E16: model prices in dollars per million tokens. The operator's come first. */
import { z } from 'zod';
import type { TokenCounts } from './api-shapes.ts';
import listed from './model-prices.json' with { type: 'json' };

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
const LISTED_PRICES: ModelPrices = z.record(z.string(), ModelPrice).parse(listed.models);
export const PRICES_AS_OF = listed.asOf;

/** Routers prefix the provider and write versions with a dot. */
const stripProvider = (model: string): string => {
  const name = model.slice(model.lastIndexOf('/') + 1).replace(/[@:][^]*$/, '');
  return name.startsWith('claude-') ? name.replaceAll('.', '-') : name;
};
/** A date or `latest` may follow a name; any other suffix is another model. */
const stripModelDate = (name: string): string => name.replace(/-(?:latest|\d{8}|\d{4}-\d\d-\d\d)$/, '');

export const priceOf = (model: string, own: ModelPrices): ModelPrice | null => {
  const name = stripProvider(model);
  for (const key of [model, name, stripModelDate(name)]) {
    // A model may be called `constructor`.
    // guard: E18-price-written-down
    const given = Object.hasOwn(own, key) ? own[key] : undefined;
    if (given !== undefined) return given;
  }
  return Object.hasOwn(LISTED_PRICES, stripModelDate(name))
    ? (LISTED_PRICES[stripModelDate(name)] ?? null)
    : null;
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
