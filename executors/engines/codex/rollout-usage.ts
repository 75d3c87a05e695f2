/**
 * What a thread of codex has used by now, from the account that codex keeps beside the
 * conversation. Nothing is printed of it before the end of a turn. The agent may have written
 * there: no link is followed and little is read.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ModelUsage } from '../../../orchestrator/core/change-facts.ts';
import { KB } from '../../../orchestrator/core/units.ts';

const count = z.number().int().min(0).catch(0);
const Account = z.object({
  type: z.literal('event_msg'),
  payload: z.object({
    type: z.literal('token_count'),
    info: z.object({ total_token_usage: z.object({ input_tokens: count, output_tokens: count }) }),
  }),
});

/** How much of the end of the file is read, in bytes. */
const MAX_ROLLOUT_TAIL_BYTES = 256 * KB;
/** Folders of years, months and days, and files in one: more are nobody's thread. */
const MAX_ROLLOUT_ENTRIES = 400;

const newestFirst = (dir: string): string[] => {
  try {
    return readdirSync(dir).sort().reverse().slice(0, MAX_ROLLOUT_ENTRIES);
  } catch {
    return []; // Not there yet.
  }
};

/** `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`; a thread stays in the file it began in. */
const rolloutOf = (directory: string, thread: string): string | null => {
  const top = path.join(directory, 'sessions');
  for (const year of newestFirst(top))
    for (const month of newestFirst(path.join(top, year)).slice(0, 2))
      for (const day of newestFirst(path.join(top, year, month)).slice(0, 7)) {
        const file = newestFirst(path.join(top, year, month, day)).find((name) =>
          name.endsWith(`-${thread}.jsonl`),
        );
        if (file !== undefined) return path.join(top, year, month, day, file);
      }
  return null;
};

const tailOf = (file: string): string => {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return ''; // Gone, or a link.
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return '';
    const { size } = stat;
    const length = Math.min(size, MAX_ROLLOUT_TAIL_BYTES);
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, size - length)).toString('utf8');
  } finally {
    closeSync(fd);
  }
};

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null; // Half a line: the beginning was cut, or the end is not written yet.
  }
};

export const usedInRollout = (directory: string, thread: string): ModelUsage | null => {
  if (!/^[\w-]{1,100}$/.test(thread)) return null;
  const file = rolloutOf(directory, thread);
  if (file === null) return null;
  const newest = tailOf(file)
    .split('\n')
    .filter((line) => line.includes('token_count'))
    .map((line) => Account.safeParse(parse(line)).data)
    .findLast((account) => account !== undefined);
  if (newest === undefined) return null;
  const { input_tokens, output_tokens } = newest.payload.info.total_token_usage;
  return { inputTokens: input_tokens, outputTokens: output_tokens, costUsd: 0 };
};
