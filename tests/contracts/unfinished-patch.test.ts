/** E21, E1: how what an agent has not finished is read: with care, and where its files are. */
import { expect, it } from 'vitest';
import { createPatchReader } from '../../app/run-patches.ts';
import { at } from '../support/core.ts';

type Parts = Parameters<typeof createPatchReader>;
const { run } = at('IMPLEMENTING');
const patch = { text: 'diff', omitted: 0, messages: [] };

const read = async (outcomes: readonly string[], more: Parts[2] = {}) => {
  const opened: unknown[] = [];
  const query = { run: async () => run, attempts: async () => outcomes.map((outcome) => ({ outcome })) };
  const workspaces = {
    exists: async () => true,
    harvest: async ({ isAtWork }: { isAtWork?: boolean }) => {
      opened.push(isAtWork);
      return { kind: 'commit', commit: { sha: 'a'.repeat(40) } };
    },
    patch: async () => patch,
  };
  const patchOf = createPatchReader(
    { query } as unknown as Parts[0],
    workspaces as unknown as Parts[1],
    more,
  );
  return { found: await patchOf(run.id, 'unfinished'), opened };
};

it('E1: opens every folder with care, because an agent may begin while it is read', async () => {
  for (const outcomes of [['running'], ['completed'], []])
    expect(await read(outcomes)).toEqual({ found: patch, opened: [true] });
});

it('L7: says that another worker has it while its agent works there, and reads no older copy', async () => {
  const { found, opened } = await read(['running'], { isElsewhere: true });
  expect(found).toMatchObject({ text: '', isElsewhere: true });
  expect(opened).toEqual([]);
  expect((await read(['completed'], { isElsewhere: true })).found).toEqual(patch);
});
