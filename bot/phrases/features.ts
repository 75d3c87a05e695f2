/** C4: extracts the classifier's features (hashed n-grams and words, names masked). Pure. */
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const namesOf = (runs: readonly KnownRun[]): string[] => {
  const names = runs.flatMap(({ id, repo }) => {
    const short = repo.toLowerCase().split('/')[1] ?? '';
    return [id.toLowerCase(), short, ...short.split(/[-_.]/)];
  });
  return [...new Set(names)].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);
};

export const maskNames = (said: string, runs: readonly KnownRun[]): string => {
  const names = namesOf(runs).map(escaped).join('|');
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

const hash = (text: string): number => {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return ((h ^ (h >>> 15)) >>> 0) % FEATURE_COUNT;
};

export const featuresOf = (masked: string): number[] => {
  const found = new Set<number>();
  const characters = [...`^${masked}$`];
  for (let size = 1; size <= MAX_PIECE_CHARACTERS; size += 1)
    for (let at = 0; at + size <= characters.length; at += 1)
      found.add(hash(characters.slice(at, at + size).join('')));
  const words = masked.split(' ');
  words.forEach((word, at) => {
    found.add(hash(`w ${word}`));
    const next = words[at + 1];
    if (next !== undefined) found.add(hash(`b ${word} ${next}`));
  });
  return [...found];
};
