/**
 * E2: what a change is made of never changes, so git is asked of it once, whoever reads it later.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { AT, AUTHOR, createWorld, write, type World } from '../support/git-world.ts';

let world: World;
let run: { sha: string; ws: string };
/** How git was asked to compare, in order. */
let compared: string[] = [];
const noted = (message: unknown): void => {
  const { spawnargs } = (message as { process: ChildProcess }).process;
  if (spawnargs.includes('diff-tree')) compared.push(spawnargs.includes('--raw') ? 'files' : 'patch');
};
// What was started is known a moment after the channel tells of it.
const heard = (message: unknown): void => void setImmediate(noted, message);

beforeAll(async () => {
  world = await createWorld();
  run = await world.prepare('once', world.repo('once', { 'a.txt': 'a\n' }));
});
afterAll(() => world.close());
beforeEach(() => {
  compared = [];
  subscribe('child_process', heard);
});
afterEach(() => unsubscribe('child_process', heard));

const harvested = async (message: string) => {
  const made = await world.workspaces.harvest({
    runId: 'once',
    base: run.sha,
    parent: run.sha,
    message,
    author: AUTHOR,
    at: AT,
  });
  if (made.kind !== 'commit') throw new Error(made.kind);
  return made.commit;
};
const read = (head: string, limit: number) =>
  world.workspaces.patch({ runId: 'once', base: run.sha, head, limit });

it('E2: a card, its document and another commit of the same tree cost no further comparison', async () => {
  write(run.ws, { 'a.txt': 'b\n'.repeat(100) });
  const first = await harvested('First words');
  expect(compared).toEqual(['files']);
  const card = await read(first.sha, 100_000);
  const document = await read(first.sha, 2_000_000);
  expect(compared.slice(1)).toEqual(['patch']);
  expect(document).toEqual(card);
  const second = await harvested('Other words');
  expect(second.sha).not.toBe(first.sha);
  expect(second.diff).toEqual(first.diff);
  expect(compared.slice(2)).toEqual(['files']);
  expect(await read(second.sha, 100_000)).toMatchObject({ text: card.text, omitted: 0 });
  expect((await read(second.sha, 100_000)).messages.join()).toContain('Other words');
});

it('G8: a patch that was cut is not taken for the whole one, nor the other way round', async () => {
  write(run.ws, { 'a.txt': 'c\n'.repeat(100) });
  const { sha } = await harvested('Words');
  const part = await read(sha, 150);
  expect(part.omitted).toBeGreaterThan(0);
  const whole = await read(sha, 100_000);
  expect(whole).toMatchObject({ text: expect.stringContaining('+c\n') as string, omitted: 0 });
  expect(whole.text.length).toBe(part.text.length + part.omitted);
  expect(await read(sha, 150)).toEqual(part);
});
