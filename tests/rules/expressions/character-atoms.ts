/**
 * Which characters the places of an expression take. All characters that no place tells apart count
 * as one: a sample of each kind is tried with the real engine.
 */
import { visitRegExpAST, type AST } from '@eslint-community/regexpp';

/** A set of samples, 32 a number. */
export type CharacterSet = Uint32Array;
/** What assertions ask of a character. */
export const KINDS = ['word', 'line end', 'other'] as const;

const COMMON = 'aZ09_ \t\n\r\u00a0-./\\!"\'#,:é中я،\u2028\ufeff\u200d';
const ASTRAL = '\u{1f600}\u{20000}';

const samplesOf = (pattern: AST.Pattern, flags: string): string[] => {
  const codes = new Set<number>();
  const take = (code: number): void => {
    for (const one of [code - 1, code, code + 1])
      if (one >= 0 && one <= (/[uv]/.test(flags) ? 0x10ffff : 0xffff)) codes.add(one);
  };
  for (const sign of COMMON + (/[uv]/.test(flags) ? ASTRAL : '')) codes.add(sign.codePointAt(0) ?? 0);
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value, parent }) => {
      if (parent.type === 'Alternative') codes.add(value);
      else take(value);
    },
  });
  const signs = [...codes].map((code) => String.fromCodePoint(code));
  const cased = flags.includes('i')
    ? signs.flatMap((sign) => [sign, sign.toLowerCase(), sign.toUpperCase()])
    : signs;
  return [...new Set(cased)].filter((sign) => [...sign].length === 1);
};

export const createCharacterAtoms = (
  pattern: AST.Pattern,
  flags: string,
): { setOf: (raw: string) => CharacterSet; kinds: readonly CharacterSet[]; all: CharacterSet } => {
  const samples = samplesOf(pattern, flags);
  const setWhere = (takes: (sign: string) => boolean): CharacterSet => {
    const set = new Uint32Array(Math.ceil(samples.length / 32));
    samples.forEach((sign, i) => {
      if (takes(sign)) set[i >> 5] = (set[i >> 5] ?? 0) | (1 << (i & 31));
    });
    return set;
  };
  const kept = new Map<string, CharacterSet>();
  const means = flags.replace(/[^iuvs]/g, '');
  const setOf = (raw: string): CharacterSet => {
    const known = kept.get(raw);
    if (known) return known;
    const here = new RegExp(`^(?:${raw})$`, means);
    const set = setWhere((sign) => here.test(sign));
    kept.set(raw, set);
    return set;
  };
  const isWord = (sign: string): boolean => /^\w$/.test(sign);
  const endsLine = (sign: string): boolean => /^[\n\r\u2028\u2029]$/.test(sign);
  return {
    setOf,
    kinds: [setWhere(isWord), setWhere(endsLine), setWhere((sign) => !isWord(sign) && !endsLine(sign))],
    all: setWhere(() => true),
  };
};

export const intersectionOf = (one: CharacterSet, other: CharacterSet): CharacterSet | null => {
  const both = one.map((bits, i) => bits & (other[i] ?? 0));
  return both.some((bits) => bits !== 0) ? both : null;
};

export const unionOf = (length: number, sets: readonly CharacterSet[]): CharacterSet => {
  const union = new Uint32Array(length);
  for (const set of sets) set.forEach((bits, i) => (union[i] = (union[i] ?? 0) | bits));
  return union;
};

export const meet = (...sets: readonly CharacterSet[]): boolean => {
  const [first, second, third] = sets;
  if (first === undefined || second === undefined) return false;
  for (let i = 0; i < first.length; i += 1)
    if (((first[i] ?? 0) & (second[i] ?? 0) & (third === undefined ? -1 : (third[i] ?? 0))) !== 0)
      return true;
  return false;
};
