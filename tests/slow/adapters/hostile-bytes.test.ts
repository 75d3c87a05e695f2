/**
 * O10: whatever strangers write, each reader is done with it in a moment, in a time that grows with
 * its length, and in the memory of a thread that reads.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createReaderThreads } from '../../../executors/process/reader-threads.ts';
import { PARSERS } from '../../support/fuzz/parsers.ts';
import { isSuspicious, type Measured, type readerTasks } from '../../support/fuzz/tasks.ts';

const MODULE = new URL('../../support/fuzz/tasks.ts', import.meta.url).href;
const threads = createReaderThreads({ threads: 1, fileMs: 60_000, totalMs: 600_000 });
afterAll(() => threads.end());

const told = ({ shape, ms, half, limit }: Measured): string =>
  `${shape}: ${Math.round(ms)} ms of ${Math.round(limit)}, ${Math.round(half ?? 0)} ms for half of it`;

describe('128 KB that nobody would write', () => {
  it.each(Object.keys(PARSERS))('O10: %s', async (parser) => {
    const found = await threads.ask<typeof readerTasks, 'measure'>(MODULE, 'measure', { parser });
    expect(found.filter(isSuspicious).map(told)).toEqual([]);
  });
});
