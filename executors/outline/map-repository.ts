/** E9: makes the map of a tree for a goal within a budget of tokens. Nothing of it stays in memory. */
import { UnreadableFailure, type RepositoryMap } from '../../orchestrator/kernel/ports/index.ts';
import { KB, MB, MINUTE, SECOND } from '../../orchestrator/model/units.ts';
import { createReaderThreads, type ReaderThreads } from '../process/reader-threads.ts';
import { languageOf } from './languages.ts';
import type { FileOutline } from './outline-types.ts';
import { identifiersIn, outlinesByPath } from './rank-outlines.ts';
import { renderMap } from './render-map.ts';
import type { MapQuestion, RankedFile } from './rank-files.ts';
import type { tasks, TreeFile } from './outline-tasks.ts';

export const OUTLINE_TASKS_MODULE = '#programs/outline-tasks';

/** Gives the bytes of each blob to `take`; one that is larger than `maxBytes` may be left out. */
export type MappedTree = {
  list: () => Promise<readonly TreeFile[]>;
  read: (
    oids: readonly string[],
    maxBytes: number,
    take: (oid: string, bytes: Uint8Array) => void,
  ) => Promise<void>;
};
export type MapOptions = {
  tokens?: number;
  cache?: string | null;
};

export const MAP_TOKENS = 6_000;
const MAX_FILES = 30_000;
const MAX_COUNTED_BYTES = 160 * KB;
const MAX_COUNTED_TOTAL = 200 * MB;
const BLOBS_AT_ONCE = 20;
const MAX_PARSED_FILES = 90;
const NO_OUTLINE: FileOutline = { definitions: [], calls: [], imports: [] };
const FILES_AT_ONCE = 15;
const MAX_ENDED_THREADS = 3;

const NOT_READ =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|woff2?|ttf|otf|eot|mp[34]|mov|webm|ogg|wav|flac|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|so|dll|dylib|exe|bin|o|a|pyc|wasm|db|sqlite|lock|snap|map|min\.js|min\.css|svg|csv|parquet|npy|onnx|pt|pb)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum)$/i;

const MAP_THREADS = {
  threads: 1,
  fileMs: 10 * SECOND,
  totalMs: MINUTE,
  heapMb: 96,
  youngMb: 6,
  idleMs: 20 * SECOND,
};

/** Two areas take turns, so that a batch is read while the one before is counted, and neither is copied. */
const countAll = async (threads: ReaderThreads, tree: MappedTree, oids: readonly string[]): Promise<void> => {
  const areas = [0, 1].map(() => new Uint8Array(new SharedArrayBuffer(BLOBS_AT_ONCE * MAX_COUNTED_BYTES)));
  let counting: Promise<unknown> = Promise.resolve();
  let room = MAX_COUNTED_TOTAL;
  for (let at = 0; at < oids.length && room > 0; at += BLOBS_AT_ONCE) {
    const area = areas[(at / BLOBS_AT_ONCE) % 2] ?? new Uint8Array();
    const blobs: { oid: string; from: number; to: number }[] = [];
    let from = 0;
    await tree.read(oids.slice(at, at + BLOBS_AT_ONCE), MAX_COUNTED_BYTES, (oid, bytes) => {
      area.set(bytes, from);
      blobs.push({ oid, from, to: from + bytes.length });
      from += bytes.length;
    });
    room -= from;
    await counting;
    const batch = { area, blobs };
    counting = threads.ask<typeof tasks, 'count'>(OUTLINE_TASKS_MODULE, 'count', batch);
    counting.catch(() => undefined);
  }
  await counting;
};

/** A file that ends its thread is left out, and the others are read by a new one. */
const outlineAll = async (
  threads: ReaderThreads,
  tree: MappedTree,
  files: readonly RankedFile[],
): Promise<[string, FileOutline][]> => {
  const texts = new Map<string, string>();
  const oids = [...new Set(files.map(({ oid }) => oid))];
  await tree.read(oids, MAX_COUNTED_BYTES, (oid, bytes) =>
    texts.set(oid, Buffer.from(bytes).toString('utf8')),
  );
  const left = files.flatMap(({ path, oid }) => {
    const text = texts.get(oid);
    return text === undefined ? [] : [{ path, oid, text }];
  });
  const found: [string, FileOutline][] = [];
  let ended = 0;
  while (left.length > 0 && ended < MAX_ENDED_THREADS) {
    const some = left.slice(0, FILES_AT_ONCE);
    try {
      const outlines = await threads.ask<typeof tasks, 'outline'>(OUTLINE_TASKS_MODULE, 'outline', {
        files: some,
      });
      for (const [i, outline] of outlines.entries()) {
        const file = some[i];
        if (outline && file) found.push([file.oid, outline]);
      }
      left.splice(0, some.length);
    } catch (error) {
      if (!(error instanceof UnreadableFailure)) throw error;
      ended += 1;
      const at = left.findIndex(({ path }) => path === error.unreadable.file);
      for (const { oid } of left.splice(Math.max(0, at), 1)) found.push([oid, NO_OUTLINE]);
    }
  }
  return found;
};

/** Throws UnreadableFailure where the repository goes past the limits of its reader. */
export const mapRepository = async (
  tree: MappedTree,
  question: MapQuestion,
  { tokens = MAP_TOKENS, cache = null }: MapOptions = {},
): Promise<RepositoryMap> => {
  const threads = createReaderThreads(MAP_THREADS);
  try {
    const plain = await tree.list();
    const files = plain.filter(({ path }) => !NOT_READ.test(path)).slice(0, MAX_FILES);
    const oids = await threads.ask<typeof tasks, 'missing'>(OUTLINE_TASKS_MODULE, 'missing', {
      cache,
      listed: files,
    });
    await countAll(threads, tree, oids);
    const { ranked, outlines } = await threads.ask<typeof tasks, 'rank'>(OUTLINE_TASKS_MODULE, 'rank', {
      cache,
      question,
      counted: oids.length > 0,
      most: MAX_PARSED_FILES,
    });
    const known = new Set(outlines.map(([oid]) => oid));
    const unread = ranked
      .slice(0, MAX_PARSED_FILES)
      .filter(({ path, oid }) => !known.has(oid) && languageOf(path) !== null);
    const fresh = await outlineAll(threads, tree, unread);
    const all = [...outlines, ...fresh];
    const refined = await threads.ask<typeof tasks, 'refine'>(OUTLINE_TASKS_MODULE, 'refine', {
      cache,
      ranked,
      outlines: all,
      question,
      parsed: fresh.length > 0,
    });
    // What makes text safe to show is loaded here, and takes longer to load in a thread than to use.
    const byPath = outlinesByPath(ranked, new Map(all));
    return renderMap(refined.ranked, byPath, refined.calls, identifiersIn(question), tokens);
  } finally {
    await threads.end();
  }
};
