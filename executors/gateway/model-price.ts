/** The price of a model in dollars per million tokens (E16). */
import { z } from 'zod';
import type { TokenCounts } from './api-shapes.ts';

const Dollars = z.number().min(0);
/** Prompts of more tokens than `start` cost the `price` of that tier, and so do their answers. */
const Rate = z.union([
  Dollars,
  z.strictObject({
    base: Dollars,
    tiers: z.array(z.strictObject({ start: z.int().positive(), price: Dollars })),
  }),
]);
/** The provider's cache: `cached` is read, `stored` written, `storedLong` for an hour; default: `input`. */
export const ModelPrice = z.strictObject({
  input: Rate,
  output: Rate,
  cached: Rate.optional(),
  stored: Rate.optional(),
  storedLong: Rate.optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

const rateFor = (rate: z.infer<typeof Rate>, prompt: number): number => {
  if (typeof rate === 'number') return rate;
  const reached = rate.tiers.filter(({ start }) => prompt > start);
  return reached.reduce((most, tier) => (tier.start > most.start ? tier : most), {
    start: 0,
    price: rate.base,
  }).price;
};

const TOKENS_PER_PRICE = 1_000_000;
/** Multiple of the price of fresh input, where nobody tells another. */
const HOUR_FACTOR = 2;
/** `atMost`: what is stored costs no less than what is not, so that no reservation is too low. */
export const costOf = (price: ModelPrice, counts: TokenCounts, { atMost = false } = {}): number => {
  const { fresh, cached, stored, storedLong, output } = counts;
  const prompt = fresh + cached + stored + storedLong;
  const input = rateFor(price.input, prompt);
  const written = Math.max(rateFor(price.stored ?? input, prompt), atMost ? input : 0);
  return (
    (fresh * input +
      cached * rateFor(price.cached ?? input, prompt) +
      stored * written +
      storedLong * rateFor(price.storedLong ?? Math.max(HOUR_FACTOR * input, written), prompt) +
      output * rateFor(price.output, prompt)) /
    TOKENS_PER_PRICE
  );
};
