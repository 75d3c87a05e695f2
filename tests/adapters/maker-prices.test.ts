/** Prices of makers, as the package itself would count them; names that it does not list have none (E18). */
import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { loadMakerPrices } from '../../executors/gateway/load-maker-prices.ts';
import { costOf } from '../../executors/gateway/model-price.ts';
import { findModelPrice } from '../../executors/gateway/model-prices.ts';
import { NO_TOKENS } from '../../executors/gateway/api-shapes.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const MAKERS = ['anthropic', 'openai', 'google'];
const { models } = loadMakerPrices();

const SPENT = [
  { ...NO_TOKENS, fresh: 1_000, output: 100 },
  { ...NO_TOKENS, fresh: 600, cached: 300_000, output: 2_000 },
  { ...NO_TOKENS, fresh: 10, stored: 50_000, output: 7 },
  { ...NO_TOKENS, fresh: 900_000, output: 30_000 },
];
const HOUR = { ...NO_TOKENS, fresh: 5, storedLong: 210_000, output: 9 };

const costByPackage = (name: string, spent: typeof HOUR, timestamp: Date): number | undefined => {
  const usage = {
    input_tokens: spent.fresh + spent.cached + spent.stored + spent.storedLong,
    output_tokens: spent.output,
    cache_read_tokens: spent.cached,
    cache_write_tokens: spent.stored + spent.storedLong,
    ...(spent.storedLong > 0 ? { cache_write_1h_tokens: spent.storedLong } : {}),
  };
  for (const providerId of MAKERS) {
    const found = calcPrice(usage, name, { providerId, timestamp });
    if (found) return found.total_price;
  }
  return undefined;
};

describe('the price of a model', () => {
  it('E18: comes to what the package counts, for each name, in every kind of token', () => {
    const names = Object.keys(models);
    expect(names.length).toBeGreaterThan(200);
    for (const name of names)
      for (const spent of name.startsWith('claude-') ? [...SPENT, HOUR] : SPENT) {
        const price = models[name]?.findLast(({ from }) => from === null || Date.parse(from) <= NOW)?.price;
        const counted = costByPackage(name, spent, new Date(NOW));
        if (price && price.storedLong === undefined && spent === HOUR) continue;
        expect([name, price && costOf(price, spent)]).toEqual([name, expect.closeTo(counted ?? -1, 9)]);
      }
  });

  it('E18: changes on its day', () => {
    const dated = Object.entries(models).find(([, prices]) =>
      prices.some(({ from }) => from === '2027-01-01'),
    );
    const name = dated?.[0] ?? '';
    const after = Date.parse('2027-01-02T00:00:00Z');
    expect(findModelPrice(name, {}, NOW)).not.toEqual(findModelPrice(name, {}, after));
    for (const at of [NOW, after]) {
      const price = findModelPrice(name, {}, at);
      expect(price && costOf(price, HOUR)).toBeGreaterThan(0);
    }
  });

  it.each([
    ['claude-opus-4-5', 'claude-opus-4-5-20251101', 'anthropic/claude-opus-4.5', 'claude-opus-4-5-latest'],
    ['gpt-5-mini', 'openai/gpt-5-mini', 'gpt-5-mini-2025-08-07'],
  ])('E18: of %s is found by its other names', (name, ...others) => {
    expect(findModelPrice(name, {}, NOW)).not.toBeNull();
    for (const other of others)
      expect([other, findModelPrice(other, {}, NOW)]).toEqual([other, findModelPrice(name, {}, NOW)]);
  });

  it.each([
    'claude-opus-4-5-ultra',
    'claude-haiku-4-55',
    'gpt-5-nano-next',
    'gpt-4o-2',
    'gemini-2.5-pro-max',
    'claude',
    'constructor',
    '__proto__',
    '',
  ])('E18: of %j is unknown, since nobody lists that name', (name) => {
    expect(findModelPrice(name, {}, NOW)).toBeNull();
  });

  it('E18: of an operator goes before all, with tiers of long prompts', () => {
    const own = { 'gpt-5': { input: { base: 1, tiers: [{ start: 100, price: 3 }] }, output: 2 } };
    const price = findModelPrice('gpt-5', own, NOW);
    expect(price && costOf(price, { ...NO_TOKENS, fresh: 100 })).toBeCloseTo(100 / 1e6, 12);
    expect(price && costOf(price, { ...NO_TOKENS, fresh: 101 })).toBeCloseTo(303 / 1e6, 12);
    // What is stored is reserved at no less than what is not, in the tier that the prompt reaches.
    expect(
      price && costOf({ ...price, stored: 1 }, { ...NO_TOKENS, stored: 101 }, { atMost: true }),
    ).toBeCloseTo(303 / 1e6, 12);
  });
});
