/** E21: a film of a long run shows its last steps, and reads no log that it does not show. */
import { expect, it } from 'vitest';
import type { AttemptRow } from '#ports/ledger';
import { LANGUAGE_TEXTS } from '#language';
import { listFrames } from '../../board/run-film.ts';

const attemptAt = (id: number) =>
  ({
    id,
    runId: 'r1',
    step: 'check:test',
    command: 'npm test',
    startedAt: id,
    outcome: 'passed',
    exitCode: 0,
    stdout: `log ${id}`,
    stderr: '',
  }) as AttemptRow;

it('E21: reads the logs of the last 400 steps alone', async () => {
  const read: string[] = [];
  const context = {
    words: LANGUAGE_TEXTS.en,
    parts: {
      readLog: async (log: string) => {
        read.push(log);
        return { shown: log, text: log, steps: [] };
      },
    },
  } as unknown as Parameters<typeof listFrames>[3];
  const early = Array.from({ length: 300 }, (_, i) => attemptAt(i));
  const late = Array.from({ length: 350 }, (_, i) => attemptAt(1_000 + i));
  const turns = Array.from({ length: 100 }, (_, i) => attemptAt(2_000 + i));
  const { frames, cut } = await listFrames([], [...turns, ...early, ...late], [], context);
  expect(frames).toHaveLength(400);
  expect(cut).toBe(350);
  expect(read).toHaveLength(400);
  expect(read[0]).toBe('log 1050');
  expect(read.at(-1)).toBe('log 2099');
});
