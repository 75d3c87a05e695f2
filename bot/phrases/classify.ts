/** C4: rates intents with a linear model, loaded on first use. It only orders guesses. */
import { featuresOf, maskNames } from './features.ts';
import {
  CLASSIFIED_INTENTS,
  turnIntoShares,
  WEIGHT_LEVELS,
  type ClassifiedIntent,
} from './classified-intents.ts';
import type { KnownRun } from './find-meant-runs.ts';

export type GuessResult = { guess: ClassifiedIntent; likelihood: number };
type Model = { levels: Uint8Array; bias: readonly number[]; step: number };

const LEVEL_OF = new Uint8Array(128);
[...WEIGHT_LEVELS].forEach((character, level) => (LEVEL_OF[character.charCodeAt(0)] = level));

const load = async (): Promise<Model> => {
  const { default: weights } = await import('./weights.json', { with: { type: 'json' } });
  const levels = new Uint8Array(weights.rows.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = LEVEL_OF[weights.rows.charCodeAt(at)] ?? 0;
  return { levels, bias: weights.bias, step: weights.step };
};
let model: Promise<Model> | undefined;

/** Returns guesses by likelihood (sum 1). `said` must be lower-cased and normalized. */
export const classifyPhrase = async (said: string, runs: readonly KnownRun[]): Promise<GuessResult[]> => {
  const { levels, bias, step } = await (model ??= load());
  const found = featuresOf(maskNames(said, runs));
  const scores = new Float64Array(CLASSIFIED_INTENTS.length);
  for (const feature of found)
    for (let k = 0; k < CLASSIFIED_INTENTS.length; k += 1)
      scores[k] =
        (scores[k] ?? 0) + (levels[feature * CLASSIFIED_INTENTS.length + k] ?? 0) - WEIGHT_LEVELS.length / 2;
  const scale = step / Math.sqrt(found.length);
  for (let k = 0; k < CLASSIFIED_INTENTS.length; k += 1)
    scores[k] = (scores[k] ?? 0) * scale + (bias[k] ?? 0);
  turnIntoShares(scores);
  return CLASSIFIED_INTENTS.map((guess, k) => ({ guess, likelihood: scores[k] ?? 0 })).sort(
    (a, b) => b.likelihood - a.likelihood,
  );
};
