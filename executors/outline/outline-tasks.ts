/** Counts, ranks and outlines the files of a repository in a reader thread, which keeps what it counted meanwhile. */
import {
  readOutlineCache,
  readWordCache,
  writeOutlineCache,
  writeWordCache,
  type WordCache,
} from './map-cache.ts';
import { findNewFaults, type FileOutline, type SyntaxFault } from './outline-types.ts';
import { rankFiles, type MapQuestion, type RankedFile } from './rank-files.ts';
import {
  buildCallGraph,
  identifiersIn,
  outlinesByPath,
  refineRanking,
  type CallGraph,
} from './rank-outlines.ts';
import { findSyntaxFaults, loadGrammars, outlineSource } from './syntax-parser.ts';
import { countFileWords } from './word-index.ts';

export type TreeFile = { path: string; oid: string };
type Reading = (file: string) => void;

const NO_WORDS = new Uint32Array();
const LOOKED_AT = 8_000;
const MAX_RANKED = 2_000;
let words: WordCache = new Map();
let files: readonly TreeFile[] = [];

const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, LOOKED_AT).includes(0);

type Listed = { cache: string | null; listed: readonly TreeFile[] };
const missing = ({ cache, listed }: Listed): string[] => {
  files = listed;
  words = cache === null ? new Map() : readWordCache(cache);
  return [...new Set(files.flatMap(({ oid }) => (words.has(oid) ? [] : [oid])))];
};

type Counted = { area: Uint8Array; blobs: readonly { oid: string; from: number; to: number }[] };
const count = ({ area, blobs }: Counted): void => {
  for (const { oid, from, to } of blobs) {
    const bytes = area.subarray(from, to);
    words.set(oid, isBinary(bytes) ? NO_WORDS : countFileWords(bytes));
  }
};

type Ranked = { ranked: RankedFile[]; outlines: [string, FileOutline][] };
const rank = (input: {
  cache: string | null;
  question: MapQuestion;
  counted: boolean;
  most: number;
}): Ranked => {
  const { cache, question, most } = input;
  if (cache !== null && input.counted) writeWordCache(cache, words, new Set(files.map(({ oid }) => oid)));
  const indexed = files.map(({ path, oid }) => ({ path, oid, words: words.get(oid) ?? NO_WORDS }));
  const ranked = rankFiles(indexed, question);
  const known = cache === null ? new Map<string, FileOutline>() : readOutlineCache(cache);
  const outlines = ranked.slice(0, most).flatMap(({ oid }): [string, FileOutline][] => {
    const outline = known.get(oid);
    return outline ? [[oid, outline]] : [];
  });
  return { ranked: ranked.slice(0, MAX_RANKED), outlines };
};

const outline = async (
  { files }: { files: readonly { path: string; text: string }[] },
  reading: Reading,
): Promise<(FileOutline | null)[]> => {
  await loadGrammars(files.map(({ path }) => path));
  const found: (FileOutline | null)[] = [];
  for (const { path, text } of files) {
    reading(path);
    found.push(await orEnd(() => outlineSource(path, text)));
  }
  return found;
};

type Refined = { ranked: RankedFile[]; calls: CallGraph };
const refine = (input: {
  cache: string | null;
  ranked: readonly RankedFile[];
  outlines: readonly (readonly [string, FileOutline])[];
  question: MapQuestion;
  parsed: boolean;
}): Refined => {
  const { cache, ranked, question } = input;
  if (cache !== null && input.parsed)
    writeOutlineCache(cache, new Map([...readOutlineCache(cache), ...input.outlines]));
  const outlines = outlinesByPath(ranked, new Map(input.outlines));
  return {
    ranked: refineRanking(ranked, outlines, identifiersIn(question)),
    calls: buildCallGraph(outlines),
  };
};

/** A grammar that failed leaves a runtime that cannot go on, so the thread ends with it. */
const orEnd = <T>(read: () => T): T | Promise<T> => {
  try {
    return read();
  } catch (error) {
    setImmediate(() => {
      throw new RangeError(String(error));
    });
    return new Promise(() => {});
  }
};

/** Faults that an edit brought into a file; null where no grammar reads it. */
const faults = async (
  { path, before, after }: { path: string; before: string | null; after: string },
  reading: Reading,
): Promise<readonly SyntaxFault[] | null> => {
  await loadGrammars([path]);
  reading(path);
  const now = await orEnd(() => findSyntaxFaults(path, after));
  if (now === null || now.length === 0) return now;
  const was = before === null ? [] : await orEnd(() => findSyntaxFaults(path, before));
  return findNewFaults(was ?? [], now);
};

export const readerTasks = { missing, count, rank, outline, refine, faults };
