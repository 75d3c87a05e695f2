/**
 * Trains the classifier of free text on `training/` and the phrases that the grammar was improved
 * on, and writes its weights: `npm run phrases`. The same phrases give the same weights.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { phrasesFor } from '../../bot/language/languages.ts';
import {
  CLASSIFIED_INTENTS,
  applySoftmax,
  WEIGHT_LEVELS,
  type ClassifiedIntent,
} from '../../bot/phrases/classifier-intents.ts';
import {
  FEATURE_COUNT,
  featuresOf,
  maskNames,
  REPOSITORY_MARK,
  RUN_MARK,
} from '../../bot/phrases/classify.ts';
import { normalizePhrase } from '../../bot/phrases/normalize-phrase.ts';
import { casesOf, RUNS } from './measure.ts';

export type Example = { text: string; guess: ClassifiedIntent };

const file = (name: string): string => readFileSync(new URL(`training/${name}.txt`, import.meta.url), 'utf8');

/** Mulberry32: the same numbers each time. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Line = { name: string; phrases: string[] };
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const at = line.indexOf(':');
      return {
        name: line.slice(0, at).trim(),
        phrases: line
          .slice(at + 1)
          .split('|')
          .map((one) => one.trim())
          .filter(Boolean),
      };
    });

const REFERENCES = {
  en: [
    RUN_MARK,
    RUN_MARK,
    `the ${RUN_MARK} one`,
    `the ${RUN_MARK} run`,
    'it',
    'that',
    'the first one',
    'this run',
  ],
  zh: [RUN_MARK, RUN_MARK, `${RUN_MARK}那个`, '这个', '第一个', '它', `${RUN_MARK}的任务`],
} as const;
const AROUND = {
  en: {
    before: ['please ', 'hey ', 'can you ', 'could you please ', 'ok ', 'i want to ', 'now ', 'pls '],
    after: [' please', ' pls', ' thanks', ' now', ' for me', '?', ' asap'],
  },
  zh: {
    before: ['请', '帮我', '麻烦', '现在', '你', '快', '我想', '把'],
    after: ['吧', '一下', '谢谢', '了', '呢', '啊', '？'],
  },
} as const;
/** What only such words would tell apart is not changed. */
const FIXED: readonly string[] = ['none', 'chat', 'fix', 'new'];

const filled = (
  phrase: string,
  lang: 'en' | 'zh',
  verbs: readonly string[],
  random: () => number,
): string[] => {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const ways =
    phrase.includes('{v}') || phrase.includes('{ing}') || phrase.includes('{past}')
      ? verbs.map((verb) => verb.split(' '))
      : [[]];
  return ways.flatMap(([v = '', ing = v, past = ing]) => {
    const verbal = phrase.replaceAll('{v}', v).replaceAll('{ing}', ing).replaceAll('{past}', past);
    const named = phrase.includes('{r}')
      ? (ways.length > 1 ? [pick(REFERENCES[lang]) ?? ''] : [RUN_MARK, ...REFERENCES[lang].slice(2)]).map(
          (r) => verbal.replaceAll('{r}', r),
        )
      : [verbal];
    return named.map((one) => one.replaceAll('{o}', REPOSITORY_MARK));
  });
};

/** GB 2312 lists its 3,755 common characters by their sound: neighbours are what input methods mix up. */
const BY_SOUND: readonly string[] = Array.from({ length: 0xd8 - 0xb0 }, (_, row) =>
  Array.from({ length: 94 }, (__, cell) => Uint8Array.of(0xb0 + row, 0xa1 + cell)),
)
  .flat()
  .map((bytes) => new TextDecoder('gb18030').decode(bytes));
const MAX_SOUND_DISTANCE = 6;
const soundsLike = (character: string, random: () => number): string => {
  const at = BY_SOUND.indexOf(character);
  const away = 1 + Math.floor(random() * MAX_SOUND_DISTANCE);
  return (at < 0 ? undefined : BY_SOUND[at + (random() < 0.5 ? away : -away)]) ?? character;
};

/** A slip of a thumb: a letter left out, doubled, swapped with the next, or another one. */
const slipped = (text: string, lang: 'en' | 'zh', random: () => number): string => {
  const characters = [...text];
  const places = characters.flatMap((c, at) => (/[a-z\p{Script=Han}]/u.test(c) ? [at] : []));
  const at = places[Math.floor(random() * places.length)];
  if (at === undefined || places.length < (lang === 'zh' ? 3 : 4)) return text;
  const one = characters[at] ?? '';
  const way = random();
  if (lang === 'zh') characters[at] = way < 0.2 ? '' : soundsLike(one, random);
  else if (way < 0.3) characters[at] = '';
  else if (way < 0.5) characters[at] = `${one}${one}`;
  else if (way < 0.8) [characters[at], characters[at + 1]] = [characters[at + 1] ?? '', one];
  else characters[at] = 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)] ?? '';
  return characters.join('');
};

export const writtenExamples = (): Example[] => {
  const random = createRandom(7);
  return (['en', 'zh'] as const).flatMap((lang) => {
    const lines = linesOf(file(lang));
    const verbs = lines.find(({ name }) => name === 'verbs')?.phrases ?? [];
    return lines.flatMap(({ name, phrases }): Example[] => {
      if (name === 'verbs') return [];
      const guess = CLASSIFIED_INTENTS.find((one) => one === name);
      if (guess === undefined) throw new Error(`${name} is no intent`);
      return phrases.flatMap((phrase) =>
        filled(phrase, lang, verbs, random).flatMap((text) => {
          const { before, after } = AROUND[lang];
          const around = FIXED.includes(guess)
            ? []
            : [
                `${before[Math.floor(random() * before.length)]}${text}`,
                `${text}${after[Math.floor(random() * after.length)]}`,
              ];
          const clean = [text, ...around];
          return [
            ...clean,
            ...clean.map((one) => slipped(one, lang, random)),
            slipped(slipped(text, lang, random), lang, random),
          ].map((one) => ({ text: one, guess }));
        }),
      );
    });
  });
};

export const maskedOf = (text: string, lang: 'en' | 'zh'): string =>
  maskNames(normalizePhrase(text, phrasesFor(text, lang)), RUNS);

/** What the grammar was improved on; answers to a message of ours mean something by it alone. */
export const improvedExamples = (): Example[] => {
  const random = createRandom(11);
  return (['frozen', 'learned'] as const).flatMap((set) =>
    casesOf(set)
      .filter(({ to }) => to === null)
      .flatMap(({ text, lang, intent, words }): Example[] => {
        const masked = maskedOf(text, lang);
        const name = intent === 'language' ? `language_${words}` : intent;
        const isChat = name === 'none' && !phrasesFor(text, lang).doubt.test(masked);
        const guess = CLASSIFIED_INTENTS.find((one) => one === (isChat ? 'chat' : name));
        if (guess === undefined) return [];
        return [masked, masked, slipped(masked, lang, random), slipped(masked, lang, random)].map((one) => ({
          text: one,
          guess,
        }));
      }),
  );
};

const trainingExamples = (): Example[] => [...writtenExamples(), ...improvedExamples()];

export type Trained = { weights: Float64Array; bias: Float64Array };

/** Softmax regression by AdaGrad, with classes weighted so that rare ones count. */
export const train = (examples: readonly Example[], epochs = 8): Trained => {
  const classes = CLASSIFIED_INTENTS.length;
  const weights = new Float64Array(FEATURE_COUNT * classes);
  const steps = new Float64Array(FEATURE_COUNT * classes).fill(1e-4);
  const bias = new Float64Array(classes);
  const rows = examples.map(({ text, guess }) => ({
    found: featuresOf(text),
    is: CLASSIFIED_INTENTS.indexOf(guess),
  }));
  const count = new Float64Array(classes);
  for (const { is } of rows) count[is] = (count[is] ?? 0) + 1;
  const usual = rows.length / classes;
  const random = createRandom(3);
  const p = new Float64Array(classes);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let i = rows.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      const [a, b] = [rows[i], rows[j]];
      if (a && b) [rows[i], rows[j]] = [b, a];
    }
    for (const { found, is } of rows) {
      const scale = 1 / Math.sqrt(found.length);
      scoreInto(p, found, scale, weights, bias);
      applySoftmax(p);
      const importance = Math.sqrt(usual / (count[is] ?? 1));
      for (let k = 0; k < classes; k += 1) {
        const error = ((p[k] ?? 0) - (k === is ? 1 : 0)) * importance;
        if (Math.abs(error) < 1e-4) continue;
        bias[k] = (bias[k] ?? 0) - 0.01 * error;
        const g = error * scale;
        for (const f of found) {
          const at = f * classes + k;
          const decayed = g + 2e-5 * (weights[at] ?? 0);
          steps[at] = (steps[at] ?? 0) + decayed * decayed;
          weights[at] = (weights[at] ?? 0) - (0.3 * decayed) / Math.sqrt(steps[at] ?? 1);
        }
      }
    }
  }
  return { weights, bias };
};

const scoreInto = (
  p: Float64Array,
  found: readonly number[],
  scale: number,
  weights: Float64Array,
  bias: Float64Array,
): void => {
  const classes = CLASSIFIED_INTENTS.length;
  p.fill(0);
  for (const f of found)
    for (let k = 0; k < classes; k += 1) p[k] = (p[k] ?? 0) + (weights[f * classes + k] ?? 0);
  for (let k = 0; k < classes; k += 1) p[k] = (p[k] ?? 0) * scale + (bias[k] ?? 0);
};

/** Of what the weights are trained on, as the classifier sees it: a test compares it with the one beside them. */
export const trainingDigest = (): string => {
  const hash = createHash('sha256');
  for (const { text, guess } of trainingExamples()) hash.update(`${guess} ${featuresOf(text).join()}\n`);
  return hash.update(CLASSIFIED_INTENTS.join()).digest('hex');
};

/** One character a weight: 64 steps between the smallest and the largest. */
export const packWeights = ({ weights, bias }: Trained): { rows: string; bias: number[]; step: number } => {
  const most = weights.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
  const step = most / (WEIGHT_LEVELS.length / 2 - 1);
  const rows = Array.from(
    weights,
    (one) => WEIGHT_LEVELS[Math.round(one / step) + WEIGHT_LEVELS.length / 2],
  ).join('');
  return { rows, bias: Array.from(bias, (one) => Math.round(one * 1e4) / 1e4), step };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packed = packWeights(train(trainingExamples()));
  const file = new URL('../../bot/phrases/weights.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify({ trainedOn: trainingDigest(), ...packed }, null, 2)}\n`);
}
