/** Ranks anew the files that were parsed, by what they define, call and import. Pure. */
import { posix } from 'node:path';
import { isTest } from '#model/paths';
import type { FileOutline } from './outline-types.ts';
import type { MapQuestion, RankedFile } from './rank-files.ts';

const MAX_SEEDS = 8;
const MAX_DEFINERS = 4;
const MAX_QUESTION_LENGTH = 40_000;
const IDENTIFIER = /[A-Za-z_$][\w$]{2,}/g;

export const identifiersIn = ({ goal, failing }: MapQuestion): ReadonlySet<string> =>
  new Set(`${goal}\n${failing}`.slice(0, MAX_QUESTION_LENGTH).match(IDENTIFIER) ?? []);

export type CallGraph = ReadonlyMap<string, readonly string[]>;

const definersOf = (outlines: ReadonlyMap<string, FileOutline>): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const [path, { definitions }] of outlines)
    for (const name of new Set(definitions.map((one) => one.name))) {
      const known = found.get(name);
      if (known) known.push(path);
      else found.set(name, [path]);
    }
  return found;
};

export const buildCallGraph = (outlines: ReadonlyMap<string, FileOutline>): CallGraph => {
  const defined = definersOf(outlines);
  const found = new Map<string, string[]>();
  for (const [path, { calls }] of outlines)
    for (const { name } of calls) {
      const definers = defined.get(name);
      if (!definers || definers.length > MAX_DEFINERS || definers.includes(path)) continue;
      const known = found.get(name);
      if (known) known.push(path);
      else found.set(name, [path]);
    }
  return found;
};

const withoutEnding = (path: string): string => path.replace(/\.[A-Za-z]{1,4}$/, '');

/** Paths of the tree that an import can mean: relative ones, and modules by their dotted name. */
const resolveImports = (path: string, imports: readonly string[], stems: ReadonlyMap<string, string[]>) =>
  imports.flatMap((said) => {
    if (said.startsWith('.') && said.includes('/')) {
      const to = posix.join(posix.dirname(path), said);
      return stems.get(withoutEnding(to)) ?? stems.get(to) ?? stems.get(`${to}/index`) ?? [];
    }
    const to = said.replace(/^\.+/, '').replaceAll('.', '/');
    return (
      stems.get(to) ?? stems.get(`src/${to}`) ?? stems.get(`lib/${to}`) ?? stems.get(`${to}/__init__`) ?? []
    );
  });

export const refineRanking = (
  ranked: readonly RankedFile[],
  outlines: ReadonlyMap<string, FileOutline>,
  asked: ReadonlySet<string>,
): RankedFile[] => {
  const defined = definersOf(outlines);
  const bonus = new Map<string, number>();
  const addBonus = (path: string, weight: number): void =>
    void bonus.set(path, (bonus.get(path) ?? 0) + weight);
  for (const name of asked) {
    const definers = defined.get(name) ?? [];
    if (definers.length > MAX_DEFINERS || !/[A-Z_]|.{6}/.test(name.slice(1))) continue;
    for (const path of definers) addBonus(path, 0.4 / definers.length);
  }
  const stems = new Map<string, string[]>();
  for (const { path } of ranked) {
    const stem = withoutEnding(path);
    stems.set(stem, [...(stems.get(stem) ?? []), path]);
  }
  const seeds = ranked.slice(0, MAX_SEEDS);
  const most = Math.max(0.001, ...seeds.map(({ score }) => score));
  for (const { path, score, mentioned } of seeds) {
    const outline = outlines.get(path);
    if (!outline) continue;
    const weight = (mentioned || isTest(path) ? 0.45 : 0.2) * (score / most);
    for (const to of new Set(resolveImports(path, outline.imports, stems))) addBonus(to, weight);
    const called = new Map<string, number>();
    for (const { name } of outline.calls) {
      const definers = defined.get(name) ?? [];
      if (definers.length > MAX_DEFINERS || definers.includes(path)) continue;
      for (const to of definers) called.set(to, (called.get(to) ?? 0) + 1 / definers.length);
    }
    for (const [to, times] of called) addBonus(to, Math.min(1, times / 2) * weight * 0.7);
  }
  return ranked
    .map((file) => ({ ...file, score: file.score + Math.min(1, bonus.get(file.path) ?? 0) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
};

export const outlinesByPath = (
  files: readonly { path: string; oid: string }[],
  byId: ReadonlyMap<string, FileOutline>,
): Map<string, FileOutline> =>
  new Map(
    files.flatMap(({ path, oid }): [string, FileOutline][] => {
      const known = byId.get(oid);
      return known ? [[path, known]] : [];
    }),
  );
