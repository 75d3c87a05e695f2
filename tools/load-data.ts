/**
 * Our own data. A bundle has this module's place taken by one that holds it as JSON (`build.js`); a
 * checkout reads the YAML, and keeps what it read until a file changes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRows } from './read-rows.ts';
import { listYamlFiles } from './read-yaml.ts';
import type { ToolRow } from './tool-schema.ts';
import { readWords, toWordSources, type WordSources } from './read-words.ts';

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(ROOT, 'node_modules/.cache/agentpr');

type Kept<Data> = { digest: string; data: Data };

const digestFiles = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(ROOT, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const readKept = <Data>(file: string, digest: string): Data | null => {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept<Data>;
    return kept.digest === digest ? kept.data : null;
  } catch {
    return null;
  }
};

/** A checkout that nobody may write to reads the YAML each time. */
const keepData = <Data>(file: string, kept: Kept<Data>): void => {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, file);
  } catch {
    return;
  }
};

/** `readers` are the modules that decide what the files of the folder come to. */
const loadFolder = <Data>(
  folder: string,
  readers: readonly string[],
  read: (folder: string) => Data,
): Data => {
  const files = listYamlFiles(join(ROOT, folder)).map((name) => `${folder}/${name}`);
  const digest = digestFiles([...files, ...readers]);
  const file = join(KEPT, `${folder.replaceAll('/', '-')}.json`);
  const kept = readKept<Data>(file, digest);
  if (kept !== null) return kept;
  const data = read(join(ROOT, folder));
  keepData(file, { digest, data });
  return data;
};

export const loadRows = (): ToolRow[] => loadFolder('tools/rows', ['tools/tool-schema.ts'], readRows);

/** A language a file, by folder; with the flags of its patterns. */
export const WORD_FOLDERS = {
  'bot/phrases/words': 'u',
  'discovery/rules': 'iu',
  'pull-text/words': 'iu',
} as const;
export type WordFolder = keyof typeof WORD_FOLDERS;
export const loadWords = (folder: WordFolder): WordSources[] =>
  loadFolder(folder, ['tools/read-words.ts'], (from) => readWords(from).map(toWordSources));
