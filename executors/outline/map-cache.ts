/** Keeps what was counted and outlined of blobs in two bounded files of the data directory, by the blobs' ids. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { MB } from '#model/values';
import type { FileOutline } from './outline-types.ts';
import type { WordCounts } from './word-index.ts';

/** Raise it whenever what is counted or outlined changes. */
const CACHE_VERSION = 2;
const MAGIC = 0x41504d57;
const HEAD_WORDS = 4;
const MAX_WORDS_BYTES = 24 * MB;
const MAX_OUTLINES = 800;
const MAX_OUTLINES_BYTES = 8 * MB;
const MAX_FOLDER_BYTES = 256 * MB;

export type WordCache = Map<string, WordCounts>;
type OutlineCache = Map<string, FileOutline>;

const cacheFileOf = (cache: string, kind: 'words' | 'outlines'): string => `${cache}.${kind}`;

const bytesIn = (file: string, most: number): Buffer | null => {
  try {
    if (statSync(file).size > most) return null;
    const bytes = readFileSync(file);
    const now = new Date();
    utimesSync(file, now, now);
    return bytes;
  } catch {
    return null;
  }
};

/** A file that does not fit its own lengths counts as none. */
export const readWordCache = (cache: string): WordCache => {
  const found: WordCache = new Map();
  const bytes = bytesIn(cacheFileOf(cache, 'words'), MAX_WORDS_BYTES + MB);
  if (bytes === null || bytes.length % 4 !== 0 || bytes.length < HEAD_WORDS * 4) return found;
  const all = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const idBytes = all[2] ?? 0;
  if (all[0] !== MAGIC || all[1] !== CACHE_VERSION || (idBytes !== 20 && idBytes !== 32)) return found;
  let at = HEAD_WORDS;
  for (let left = all[3] ?? 0; left > 0; left -= 1) {
    const id = bytes.toString('hex', at * 4, at * 4 + idBytes);
    const length = all[at + idBytes / 4];
    const from = at + idBytes / 4 + 1;
    if (length === undefined || from + length > all.length) return new Map();
    found.set(id, all.subarray(from, from + length));
    at = from + length;
  }
  return found;
};

/** Two runs of one repository may write at once. What cannot be kept is counted again. */
const writeWhole = (file: string, parts: readonly Uint8Array[]): void => {
  const draft = `${file}.${process.pid}-${threadId}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat(parts), { mode: 0o600 });
    renameSync(draft, file);
    removeOld(path.dirname(file));
  } catch {
    rmSync(draft, { force: true });
  }
};

export const writeWordCache = (cache: string, words: WordCache, first: ReadonlySet<string>): void => {
  const parts: Uint8Array[] = [];
  let [size, count, idBytes] = [0, 0, 0];
  const addWords = (id: string, counts: WordCounts): void => {
    idBytes ||= id.length / 2;
    const length = idBytes + 4 + counts.byteLength;
    if (id.length !== idBytes * 2 || size + length > MAX_WORDS_BYTES) return;
    size += length;
    count += 1;
    parts.push(Buffer.from(id, 'hex'), new Uint8Array(Uint32Array.of(counts.length).buffer));
    parts.push(new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength));
  };
  for (const [id, counts] of words) if (first.has(id)) addWords(id, counts);
  for (const [id, counts] of words) if (!first.has(id)) addWords(id, counts);
  const head = new Uint8Array(Uint32Array.of(MAGIC, CACHE_VERSION, idBytes, count).buffer);
  writeWhole(cacheFileOf(cache, 'words'), [head, ...parts]);
};

const DIGEST_LENGTH = 64;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A file that does not fit its own digest counts as none, so that its form need not be looked at. */
export const readOutlineCache = (cache: string): OutlineCache => {
  const stored =
    bytesIn(cacheFileOf(cache, 'outlines'), MAX_OUTLINES_BYTES + DIGEST_LENGTH)?.toString('utf8') ?? '';
  const text = stored.slice(DIGEST_LENGTH);
  if (stored.slice(0, DIGEST_LENGTH) !== digestOf(text)) return new Map();
  const kept = JSON.parse(text) as StoredOutlines;
  return new Map(kept.version === CACHE_VERSION ? kept.outlines : []);
};
type StoredOutlines = { version: number; outlines: [string, FileOutline][] };

export const writeOutlineCache = (cache: string, outlines: OutlineCache): void => {
  let kept = [...outlines].slice(-MAX_OUTLINES);
  const serializeOutlines = (): string =>
    JSON.stringify({ version: CACHE_VERSION, outlines: kept } satisfies StoredOutlines);
  let text = serializeOutlines();
  while (text.length > MAX_OUTLINES_BYTES && kept.length > 0) {
    kept = kept.slice(Math.ceil(kept.length / 2));
    text = serializeOutlines();
  }
  writeWhole(cacheFileOf(cache, 'outlines'), [Buffer.from(digestOf(text) + text)]);
};

const removeOld = (folder: string): void => {
  const byAge = readdirSync(folder)
    .map((name) => ({ file: path.join(folder, name), ...timesOf(path.join(folder, name)) }))
    .sort((a, b) => b.at - a.at);
  let room = MAX_FOLDER_BYTES;
  for (const { file, size } of byAge) {
    room -= size;
    if (room < 0) rmSync(file, { force: true });
  }
};
const timesOf = (file: string): { at: number; size: number } => {
  const there = statSync(file, { throwIfNoEntry: false });
  return { at: there?.mtimeMs ?? 0, size: there?.size ?? 0 };
};
