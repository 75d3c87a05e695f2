/** Finds the price of a model: the operator's come first, then those of its maker (E16). */
import { loadMakerPrices, type MakerPrices } from './load-maker-prices.ts';
import type { ModelPrice } from './model-price.ts';

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

let loaded: MakerPrices | null = null;
const makerPrices = (): MakerPrices => (loaded ??= loadMakerPrices());
export const priceListVersion = (): string => `genai-prices ${makerPrices().version}`;

/** Routers prefix the provider and write versions with a dot. */
const stripProvider = (model: string): string => {
  const name = model.slice(model.lastIndexOf('/') + 1).replace(/[@:][^]*$/, '');
  return name.startsWith('claude-') ? name.replaceAll('.', '-') : name;
};
/** A date or `latest` may follow a name; any other suffix is another model. */
const stripModelDate = (name: string): string => name.replace(/-(?:latest|\d{8}|\d{4}-\d\d-\d\d)$/, '');

export const findModelPrice = (model: string, own: ModelPrices, now = Date.now()): ModelPrice | null => {
  const name = stripProvider(model);
  for (const key of [model, name, stripModelDate(name)]) {
    // A model may be called `constructor`.
    // guard: E18-price-written-down
    const given = Object.hasOwn(own, key) ? own[key] : undefined;
    if (given !== undefined) return given;
  }
  const { models } = makerPrices();
  const key = [name, stripModelDate(name)].find((one) => Object.hasOwn(models, one));
  const dated = key === undefined ? [] : (models[key] ?? []);
  const holds = dated.findLast(({ from }) => from === null || Date.parse(from) <= now);
  return (holds ?? dated[0])?.price ?? null;
};
