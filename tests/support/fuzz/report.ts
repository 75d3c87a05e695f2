/** O10: `npm run hostile [-- <KB>]` times every reader on every shape; exits with 1 if too slow. */
import { createReaderThreads } from '../../../executors/process/reader-threads.ts';
import { KB } from '#model/values';
import { UnreadableFailure } from '#ports/forge';
import { PARSERS } from './parsers.ts';
import type { readerTasks } from './tasks.ts';

const MODULE = new URL('./tasks.ts', import.meta.url).href;
const size = Number(process.argv[2] ?? 1_024) * KB;

let late = 0;
for (const [parser, { away }] of Object.entries(PARSERS)) {
  // The product's limits, one file at a time.
  const threads = createReaderThreads({ threads: 1, totalMs: 600_000 });
  const where = away ? 'away' : 'here';
  try {
    const { bytes, shape, ms, limit } = await threads.ask<typeof readerTasks, 'slowest'>(MODULE, 'slowest', {
      parser,
      size,
    });
    const isLate = ms > limit;
    if (isLate) late += 1;
    const told = `${`${Math.round(ms)} ms`.padStart(8)} of ${Math.round(limit)}  ${shape}`;
    console.log(
      `${isLate ? '✘' : '✔'} ${parser.padEnd(44)} ${where} ${`${bytes / KB}`.padStart(6)} KB ${told}`,
    );
  } catch (error) {
    if (!(error instanceof UnreadableFailure)) throw error;
    if (!away) late += 1;
    const { file, limit } = error.unreadable;
    console.log(`${away ? '✔' : '✘'} ${parser.padEnd(44)} ${where} refused: ${limit}, ${file}`);
  } finally {
    await threads.end();
  }
}
process.exitCode = late > 0 ? 1 : 0;
