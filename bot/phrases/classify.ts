/** Rates intents with a linear model, loaded on first use (C4). It only orders guesses. */
import {
  CLASSIFIED_INTENTS,
  applySoftmax,
  WEIGHT_LEVELS,
  type ClassifiedIntent,
} from './classifier-intents.ts';
import type { KnownRun } from './find-meant-runs.ts';

/** Rows of the weight table; a larger table did not improve accuracy. */
export const FEATURE_COUNT = 8_192;
const MAX_PIECE_CHARACTERS = 4;
const MAX_CHARACTERS = 300;

export const RUN_MARK = '№';
export const REPOSITORY_MARK = '⌂';

const LINK_OR_REPOSITORY = /https?:\/\/\S+|(?<![\w.-])[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*/g;
const ID =
  /(?<![\w.-])(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{5,12}(?![\w-])|#\d+|(?<![\w.-])\d{2,}(?![\w.-])/g;
const CLAUSE_END = /[.!,;:~"'“”()，。！；：、～（）]+/g;

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const namesOf = (runs: readonly KnownRun[]): string[] => {
  const names = runs.flatMap(({ id, repo }) => {
    const short = repo.toLowerCase().split('/')[1] ?? '';
    return [id.toLowerCase(), short, ...short.split(/[-_.]/)];
  });
  return [...new Set(names)].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);
};

export const maskNames = (said: string, runs: readonly KnownRun[]): string => {
  const names = namesOf(runs).map(escapeRegExp).join('|');
  const known = names === '' ? /(?!)/g : new RegExp(`(?<![a-z0-9_-])(?:${names})(?![a-z0-9_-])`, 'g');
  return said
    .slice(0, MAX_CHARACTERS)
    .replace(LINK_OR_REPOSITORY, ` ${REPOSITORY_MARK} `)
    .replace(known, ` ${RUN_MARK} `)
    .replace(ID, ` ${RUN_MARK} `)
    .replace(CLAUSE_END, ' ')
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
};

const hashFeature = (text: string): number => {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return ((h ^ (h >>> 15)) >>> 0) % FEATURE_COUNT;
};

export const featuresOf = (masked: string): number[] => {
  const found = new Set<number>();
  const characters = [...`^${masked}$`];
  for (let size = 1; size <= MAX_PIECE_CHARACTERS; size += 1)
    for (let at = 0; at + size <= characters.length; at += 1)
      found.add(hashFeature(characters.slice(at, at + size).join('')));
  const words = masked.split(' ');
  words.forEach((word, at) => {
    found.add(hashFeature(`w ${word}`));
    const next = words[at + 1];
    if (next !== undefined) found.add(hashFeature(`b ${word} ${next}`));
  });
  return [...found];
};

export type GuessResult = { guess: ClassifiedIntent; likelihood: number };
type Model = { levels: Uint8Array; bias: readonly number[]; step: number };

const LEVEL_OF = new Uint8Array(128);
[...WEIGHT_LEVELS].forEach((character, level) => (LEVEL_OF[character.charCodeAt(0)] = level));

const loadModel = async (): Promise<Model> => {
  const { default: weights } = await import('./weights.json', { with: { type: 'json' } });
  const levels = new Uint8Array(weights.rows.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = LEVEL_OF[weights.rows.charCodeAt(at)] ?? 0;
  return { levels, bias: weights.bias, step: weights.step };
};
let model: Promise<Model> | undefined;

/** Returns guesses by likelihood (sum 1). `said` must be lower-cased and normalized. */
export const classifyPhrase = async (said: string, runs: readonly KnownRun[]): Promise<GuessResult[]> => {
  const { levels, bias, step } = await (model ??= loadModel());
  const found = featuresOf(maskNames(said, runs));
  const scores = new Float64Array(CLASSIFIED_INTENTS.length);
  for (const feature of found)
    for (let k = 0; k < CLASSIFIED_INTENTS.length; k += 1)
      scores[k] =
        (scores[k] ?? 0) + (levels[feature * CLASSIFIED_INTENTS.length + k] ?? 0) - WEIGHT_LEVELS.length / 2;
  const scale = step / Math.sqrt(found.length);
  for (let k = 0; k < CLASSIFIED_INTENTS.length; k += 1)
    scores[k] = (scores[k] ?? 0) * scale + (bias[k] ?? 0);
  applySoftmax(scores);
  return CLASSIFIED_INTENTS.map((guess, k) => ({ guess, likelihood: scores[k] ?? 0 })).sort(
    (a, b) => b.likelihood - a.likelihood,
  );
};
