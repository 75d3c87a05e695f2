/** O10: what strangers wrote is read in threads that end at a limit, and nobody else waits for it. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { maxTextLengthOf } from '../../executors/process/answer-length.ts';
import {
  createReaderThreads,
  type ReaderLimits,
  type ReaderTasks,
} from '../../executors/process/reader-threads.ts';
import { createRepositoryReader } from '../../executors/git/reader/repository-reader.ts';
import { KB, MB } from '#model/values';
import { UnreadableFailure } from '#ports/forge';
import type { readerTasks } from '../support/reader-faults.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODULE = new URL('../support/reader-faults.ts', import.meta.url).href;
const opened: { end(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.end();
});
const threads = (limits: Partial<ReaderLimits> = {}, usedMs?: () => number) => {
  const made = createReaderThreads(limits, usedMs);
  opened.push(made);
  return {
    made,
    ask: (task: keyof typeof readerTasks, input = 'w.yml'): Promise<unknown> =>
      made.ask<typeof readerTasks, typeof task>(MODULE, task, input),
  };
};
const caught = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

describe('a thread that reads bytes of strangers', () => {
  it('O10: is ended at the time of one file, named in the failure; the next question gets a new one', async () => {
    const { ask } = threads({ threads: 1, fileMs: 300 });
    const failure = await caught(ask('spin'));
    expect(failure).toBeInstanceOf(UnreadableFailure);
    expect(failure).toMatchObject({
      class: 'repository_unreadable',
      unreadable: { file: 'w.yml', limit: 'time', limitValue: 0.3, sha: null },
    });
    expect(await ask('echo', 'on')).toBe('on');
  });

  it('O10: is given more time while the processor is busy with other work, and not for ever', async () => {
    const used = [0, 0, 0, 40, 100];
    const busy = threads({ threads: 1, fileMs: 100 }, () => used.shift() ?? 100);
    expect(await caught(busy.ask('spin'))).toMatchObject({ unreadable: { limit: 'time', limitValue: 0.1 } });
    expect(used).toEqual([]);
    const starved = threads({ threads: 1, fileMs: 100 }, () => 0);
    expect(await caught(starved.ask('spin'))).toMatchObject({ unreadable: { limitValue: 0.1 } });
  });

  it('O10: is ended at the time of all files together', async () => {
    const { ask } = threads({ threads: 1, fileMs: 60_000, totalMs: 1_000 });
    expect(await caught(ask('spin'))).toMatchObject({ unreadable: { limit: 'time', limitValue: 1 } });
  });

  it('O10: is ended at its memory, and at the depth of its stack', async () => {
    const { ask } = threads({ threads: 1, heapMb: 32 });
    expect(await caught(ask('grow'))).toMatchObject({
      unreadable: { file: 'w.yml', limit: 'memory', limitValue: 32 },
    });
    expect(await caught(ask('recurse', 'deep.json'))).toMatchObject({
      unreadable: { file: 'deep.json', limit: 'memory' },
    });
    expect(await ask('echo', 'on')).toBe('on');
  });

  it('L9: gives no text back that is longer than its task says, at whatever depth', async () => {
    const { ask } = threads({ threads: 1 });
    const [short, long, longest] = [48, 49, 65].map((length) => 'a'.repeat(length * KB));
    const tooLong = { class: 'repository_unreadable', unreadable: { limit: 'size' } };
    expect(await ask('echo', short)).toBe(short);
    expect(await caught(ask('echo', long))).toMatchObject(tooLong);
    expect(await ask('nested', short)).toBeInstanceOf(Map);
    expect(await caught(ask('nested', long))).toMatchObject(tooLong);
    expect(await ask('bytes', long)).toHaveLength(49 * KB);
    expect(await ask('show', long)).toBe(long);
    expect(await caught(ask('show', longest))).toMatchObject(tooLong);
    expect(await ask('echo', 'on')).toBe('on');
  });

  it('L9: reads each answer of a task at its length: those of more than 48 KB are here', async () => {
    const files = globSync('{app,cli,executors}/**/*-tasks.ts', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(7);
    const lengths: Record<string, number> = {};
    for (const file of files) {
      const { readerTasks } = (await import(join(ROOT, file))) as { readerTasks: ReaderTasks };
      for (const [name, task] of Object.entries(readerTasks)) lengths[name] = maxTextLengthOf(task);
    }
    const long = Object.entries(lengths).filter(([, length]) => length > 48 * KB);
    expect(Object.keys(lengths).length - long.length).toBeGreaterThan(15);
    expect(Object.fromEntries(long)).toEqual({
      // A script, whose reader is measured at that length (tests/support/fuzz/parsers.ts).
      sentFile: 100_000,
      campaignFile: 100_000,
      // Shown as they are.
      show: 16 * MB,
      pages: 16 * MB,
      book: 16 * MB,
      // Sent as a file, and distilled in a thread again.
      readLog: 16 * MB,
      // Written beside the change for its checks.
      readCheckConfig: 4 * MB,
    });
  });

  it('O10: leaves this thread to others while it is stuck, and other questions to other threads', async () => {
    const { ask } = threads({ threads: 2, fileMs: 1_000 });
    let over = false;
    const stuck = caught(ask('spin')).finally(() => (over = true));
    expect(await ask('echo', 'on')).toBe('on');
    expect(over).toBe(false);
    let turns = 0;
    while (!over) {
      await turn();
      turns += 1;
    }
    await stuck;
    expect(turns).toBeGreaterThan(20);
  });

  it('O10: tells a bug of ours from what could not be read', async () => {
    const { ask } = threads({ threads: 1 });
    expect(await caught(ask('throws'))).toMatchObject({ name: 'TypeError', message: 'a bug of ours' });
    expect(await caught(ask('leaves'))).toMatchObject({ message: 'the thread that reads has ended' });
    expect(await ask('echo', 'on')).toBe('on');
  });

  it('O10: answers many questions in turn with few threads, and ends when it has nothing to do', async () => {
    const { ask, made } = threads({ threads: 2, idleMs: 50 });
    const many = Array.from({ length: 40 }, (_, i) => String(i));
    expect(await Promise.all(many.map((one) => ask('echo', one)))).toEqual(many);
    while (made.count() > 0) await turn();
  });

  it('F10, O9: knows the host that the repository is on, so that it is no other place', async () => {
    const { made } = threads({ threads: 1 });
    const text = 'Open a pull request at https://git.corp.example/team/app.\n';
    const texts = { paths: ['CONTRIBUTING.md'], files: new Map([['CONTRIBUTING.md', text]]) };
    const placesBy = async (reader: ReturnType<typeof createRepositoryReader>): Promise<unknown[]> => {
      const contract = await reader.contract({ ...texts, owner: null });
      const read = [await reader.contribution(texts), ...('problem' in contract ? [] : [contract])];
      return read.map(({ rules }) => rules.find(({ kind }) => kind === 'elsewhere')?.value);
    };
    const ours = createRepositoryReader(made, { serverUrl: 'https://git.corp.example:8443' });
    expect(await placesBy(ours)).toEqual([undefined, undefined]);
    expect(await placesBy(createRepositoryReader(made))).toEqual(['git.corp.example', 'git.corp.example']);
  });

  it('F6: a log that goes past a limit is shown by its end', async () => {
    const { made } = threads({ threads: 1, totalMs: 1 });
    const log = `${'x\n'.repeat(100_000)}the end`;
    expect(await createRepositoryReader(made).distillLog(log)).toBe(log.slice(-4_000));
  });
});
