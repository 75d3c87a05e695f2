/** Brings what somebody wrote into the form that the grammar reads: width, case, slips of the keyboard. Pure. */
import { editDistance } from '#model/values';
import type { KnownRun } from './find-meant-runs.ts';
import type { LanguagePhrases } from './phrase-rules.ts';

/** Longer texts are not read by the grammar (characters). */
export const MAX_PHRASE_LENGTH = 600;

export const normalizePhrase = (
  text: string,
  { variants, repairSlips }: Pick<LanguagePhrases, 'variants' | 'repairSlips'>,
): string =>
  repairSlips(
    [...text.normalize('NFKC')]
      .map((c) => variants[c] ?? c)
      .join('')
      .toLowerCase()
      .replace(/ slash /g, '/')
      .replace(/\s+/g, ' ')
      .trim(),
  );

export const toPlainWords = (text: string, phrases: LanguagePhrases, runs: readonly KnownRun[]): string => {
  const { vocabulary } = phrases;
  const names = new Set(
    runs.flatMap((run) => `${run.repo} ${run.id} ${run.what}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  );
  return normalizePhrase(text, phrases)
    .replace(/(?<![\w/.#-])[a-z]{3,}(?![\w/-])/g, (word) =>
      names.has(word) ? word : correctSpelling(word, vocabulary),
    )
    .trim();
};

const COMMON = new Set(
  'lol lot lots then them they this that there their these those with what when whom have been will well were wear here come some same shop slow show stay step shot stuff spot skin hole hold halo pans plane plans tell talk take make made like look good test tests text next need much more most many work works word words line lines file files change changed fixed code core care repo repos main page pages type types name names size side list find kind mind long last least late later early time times back pack about after also because before both but does doing done down each else even ever from give goes going gone head help into just keep know left less let line live love mean might must near never once only open other over part past play plus pull push quite rather read real really right run runs said says seem seems seen send sent set shall should since still such sure than thank thanks through today together too took tried true try turn under until upon use used very view want wants was way ways week were while whole why wish within without would year yes yet your'.split(
    ' ',
  ),
);

/** Allows one typo, or two in long words; the first letter must match. */
const correctSpelling = (word: string, vocabulary: readonly string[]): string => {
  if (COMMON.has(word) || vocabulary.some((known) => word.startsWith(known))) return word;
  if (word.length === 3)
    return vocabulary.find((known) => known.length <= 4 && isShortSlip(word, known)) ?? word;
  const near = vocabulary.filter(
    (known) =>
      known[0] === word[0] && editDistance(word, known) <= (Math.min(word.length, known.length) >= 7 ? 2 : 1),
  );
  return near.sort((a, b) => editDistance(word, a) - editDistance(word, b))[0] ?? word;
};

/** Short words allow only an omitted letter or a transposition. */
const isShortSlip = (word: string, known: string): boolean =>
  known[0] === word[0] &&
  editDistance(word, known) === 1 &&
  [...word].every((letter) => known.includes(letter));
