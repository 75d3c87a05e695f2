/** Stores a session between rounds in the run's HOME, where agents can write too. */
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MB } from '../../../orchestrator/core/units.ts';
import { placeFile } from '../../process/own-files.ts';
import { ConversationMessage } from './fit-conversation.ts';

const MAX_SESSION_BYTES = 24 * MB;

const Kept = z.object({
  messages: z.array(ConversationMessage),
  turns: z.number().int().min(0).max(1e6),
  decision: z
    .object({
      id: z.string(),
      tool: z.enum(['read', 'list', 'search', 'patch', 'run']),
      verdict: z.enum(['approved', 'modified', 'rejected', 'waits']),
      by: z.string().nullable().default(null),
      after: z.string().nullable(),
      instead: z.string().nullable(),
      reason: z.string(),
    })
    .nullable(),
});
export type StoredSession = z.infer<typeof Kept>;

const nameOf = (id: string): string => `${id}.json`;

const contentOf = (directory: string, name: string): unknown => {
  const place = path.join(directory, name);
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there?.isFile() !== true || there.size > MAX_SESSION_BYTES) return null;
  try {
    return JSON.parse(readFileSync(place, 'utf8'));
  } catch {
    return null;
  }
};

export const readSession = (directory: string, id: string): StoredSession | null =>
  Kept.safeParse(contentOf(directory, nameOf(id))).data ?? null;

export const keepSession = (directory: string, id: string, kept: StoredSession): void => {
  placeFile(directory, nameOf(id), JSON.stringify(kept));
};

/** Other changed files are a person's. */
const OWN_FILES_NAME = 'ours.json';
export const readOurs = (directory: string): string[] =>
  z.array(z.string()).max(100_000).safeParse(contentOf(directory, OWN_FILES_NAME)).data ?? [];
export const keepOurs = (directory: string, files: readonly string[]): void => {
  placeFile(directory, OWN_FILES_NAME, JSON.stringify(files));
};
