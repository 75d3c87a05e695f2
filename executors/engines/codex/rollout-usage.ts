/** Reads a codex thread's usage from its session file. Untrusted: follows no link. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ModelUsage } from '#model/reports';
import { KB } from '#model/values';

const count = z.number().int().min(0).catch(0);
const Account = z.object({
  type: z.literal('event_msg'),
  payload: z.object({
    type: z.literal('token_count'),
    info: z.object({ total_token_usage: z.object({ input_tokens: count, output_tokens: count }) }),
  }),
});

const MAX_ROLLOUT_TAIL_BYTES = 256 * KB;
const MAX_ROLLOUT_ENTRIES = 400;

const newestFirst = (dir: string): string[] => {
  try {
    return readdirSync(dir).sort().reverse().slice(0, MAX_ROLLOUT_ENTRIES);
  } catch {
    return [];
  }
};

/** Path: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`. */
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
    return '';
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

const parseJsonOrNull = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

export const findRolloutUsage = (directory: string, thread: string): ModelUsage | null => {
  if (!/^[\w-]{1,100}$/.test(thread)) return null;
  const file = rolloutOf(directory, thread);
  if (file === null) return null;
  const newest = tailOf(file)
    .split('\n')
    .filter((line) => line.includes('token_count'))
    .map((line) => Account.safeParse(parseJsonOrNull(line)).data)
    .findLast((account) => account !== undefined);
  if (newest === undefined) return null;
  const { input_tokens, output_tokens } = newest.payload.info.total_token_usage;
  return { inputTokens: input_tokens, outputTokens: output_tokens, costUsd: 0 };
};
