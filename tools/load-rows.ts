/**
 * Our own rows. A bundle has this module's place taken by one that holds them as JSON (`build.js`); a
 * checkout reads the YAML, and keeps what it read until a file changes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listRowFiles, readRows } from './read-rows.ts';
import type { ToolRow } from './tool-schema.ts';

const ROWS_FOLDER = join(import.meta.dirname, 'rows');
const KEPT = join(import.meta.dirname, '../node_modules/.cache/agentpr/tools.json');

type Kept = { digest: string; rows: ToolRow[] };

const digestRows = (): string => {
  const hash = createHash('sha256');
  const files = listRowFiles(ROWS_FOLDER).map((name) => join(ROWS_FOLDER, name));
  for (const file of [...files, join(import.meta.dirname, 'tool-schema.ts')]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
};

const readKept = (digest: string): ToolRow[] | null => {
  try {
    const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Kept;
    return kept.digest === digest ? kept.rows : null;
  } catch {
    return null;
  }
};

/** A checkout that nobody may write to reads the YAML each time. */
const keepRows = (kept: Kept): void => {
  const draft = `${KEPT}.${process.pid}`;
  try {
    mkdirSync(dirname(KEPT), { recursive: true });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, KEPT);
  } catch {
    return;
  }
};

export const loadRows = (): ToolRow[] => {
  const digest = digestRows();
  const kept = readKept(digest);
  if (kept !== null) return kept;
  const rows = readRows(ROWS_FOLDER);
  keepRows({ digest, rows });
  return rows;
};
