/**
 * Prices of the makers of models, as `@pydantic/genai-prices` lists them (E18). A bundle has this
 * module's place taken by one that holds them as JSON (`build.js`), because the package lists every
 * reseller too and takes a tenth of a second to load.
 */
import { createRequire } from 'node:module';
import type { findProvider } from '@pydantic/genai-prices';
import { ModelPrice } from './model-price.ts';

type Maker = NonNullable<ReturnType<typeof findProvider>>;
type Listed = Maker['models'][number];
type Match = Listed['match'];

/** `from` is the day on which it begins (YYYY-MM-DD); null has no beginning. */
type DatedPrice = { from: string | null; price: ModelPrice };
/** By exact name; `version` is that of the list. */
export type MakerPrices = {
  version: string;
  models: Readonly<Record<string, readonly DatedPrice[]>>;
};

/** Resellers list models of the same names at prices of their own. */
const MAKERS = ['anthropic', 'openai', 'google'];

/** Null where a price is not of tokens, or holds at certain hours. */
const readDatedPrices = ({ prices }: Listed): DatedPrice[] | null => {
  const all = Array.isArray(prices) ? prices : [{ prices }];
  const dated = all.flatMap(({ constraint, prices: told }): DatedPrice[] => {
    const price = ModelPrice.safeParse({
      input: told['input_mtok'],
      output: told['output_mtok'],
      cached: told['cache_read_mtok'],
      stored: told['cache_write_mtok'],
      storedLong: told['cache_write_1h_mtok'],
    }).data;
    if (price === undefined || constraint?.type === 'time_of_date') return [];
    return [{ from: constraint?.start_date ?? null, price }];
  });
  return dated.length === all.length ? dated : null;
};

/** Names that are told in full: a pattern may fit a model that is not listed. */
const PLAIN_NAME = /^[\w.-]+$/;
const namesIn = (match: Match): string[] => {
  if ('or' in match) return match.or.flatMap(namesIn);
  if ('equals' in match) return [match.equals];
  return 'starts_with' in match ? [match.starts_with] : [];
};

export const loadMakerPrices = (): MakerPrices => {
  const load = createRequire(import.meta.url);
  const list = load('@pydantic/genai-prices') as { findProvider: typeof findProvider };
  // The package does not tell its own version, and ours is exact.
  const { dependencies } = load('#package') as { dependencies: Record<string, string> };
  const models: Record<string, DatedPrice[]> = {};
  for (const maker of MAKERS)
    for (const model of list.findProvider({ providerId: maker })?.models ?? []) {
      const prices = readDatedPrices(model);
      if (prices === null) continue;
      for (const name of [model.id, ...namesIn(model.match)])
        if (PLAIN_NAME.test(name)) models[name] ??= prices;
    }
  return { version: dependencies['@pydantic/genai-prices'] ?? '', models };
};
