/**
 * E1, S6: git reads what strangers wrote, so none of its commands may run for ever, and each ends
 * when it is told to.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGit, withAbortSignals } from '../../../executors/git/trusted-git.ts';
import { createIgnores } from '../../../executors/git/workspace/stage-change.ts';
import { listTree } from '../../../executors/git/read-objects.ts';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import { eventually } from '../../support/contained.ts';
import { AT, AUTHOR, createWorld, TOKEN, write, type World } from '../../support/git-world.ts';

/** Each `**` tries every folder again for every try of the one before it. */
const RULES = `/${'**/*/'.repeat(20)}b\n`;
const DEEP = `${'a/'.repeat(80)}a`;

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.close());

const hostile = async (runId: string) => {
  const repo = world.repo(runId, { '.gitignore': RULES, 'a.txt': 'a\n' });
  const { sha, ws } = await world.prepare(runId, repo);
  write(ws, { [DEEP]: 'new\n' });
  return { input: { runId, base: sha, parent: sha, message: 'm', author: AUTHOR, at: AT }, sha };
};

/** Living gits that look at ignore rules for this run. */
const searching = (runId: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return argv.includes('check-ignore') && environ.includes(`/${runId}/git`);
    } catch {
      return false; // Gone, or no process.
    }
  }).length;

it('S6: a harvest that ignore rules hold up ends at once when its run is stopped', async () => {
  const { input } = await hostile('rules-1');
  const stop = new AbortController();
  const harvest = world.workspaces.harvest({ ...input, signal: stop.signal });
  const outcome = expect(harvest).rejects.toMatchObject({ class: 'cancelled' });
  expect(await eventually(() => searching('rules-1') > 0)).toBe(true);
  stop.abort();
  await outcome;
  expect(searching('rules-1')).toBe(0);
});

it('S6: it ends when AgentPR itself is to end, and so does every git after it', async () => {
  const { input, sha } = await hostile('rules-2');
  const closing = new AbortController();
  const credential = (): Promise<string> => Promise.resolve(TOKEN);
  const closed = { dataDir: world.data, serverUrl: world.host.origin, credential, signal: closing.signal };
  const workspaces = createWorkspaces(closed);
  const outcome = expect(workspaces.harvest(input)).rejects.toMatchObject({ class: 'cancelled' });
  expect(await eventually(() => searching('rules-2') > 0)).toBe(true);
  closing.abort();
  await outcome;
  await expect(workspaces.export({ runId: 'rules-2', sha })).rejects.toMatchObject({ class: 'cancelled' });
  const patch = { runId: 'rules-2', base: sha, head: sha, limit: 1_000 };
  await expect(workspaces.patch(patch)).rejects.toMatchObject({ class: 'cancelled' });
});

it('S6: ignore rules that nobody stops are given up after a while, with a sentence on what to do', async () => {
  const { sha } = await hostile('rules-3');
  const git = createGit('https');
  const gitDir = join(world.data, 'runs', 'rules-3', 'git');
  const scratch = join(world.dir, 'rules-3');
  mkdirSync(scratch);
  const ignores = await createIgnores(git, gitDir, await listTree(git, gitDir, sha), scratch, 300);
  await expect(ignores([{ path: DEEP, folder: false }])).rejects.toMatchObject({
    class: 'timed_out',
    message: expect.stringMatching(/^git check-ignore did not end within .* Simplify the rules/) as string,
  });
});

it('a git that may be stopped by several is stopped by each of them', async () => {
  const { sha } = await hostile('rules-4');
  const gitDir = join(world.data, 'runs', 'rules-4', 'git');
  for (const which of [0, 1, 2]) {
    const stops = [0, 1, 2].map((i) => (i === which ? AbortSignal.abort() : new AbortController().signal));
    const git = withAbortSignals(createGit('https'), stops[0], undefined, stops[1]);
    await expect(git(['ls-tree', sha], { gitDir, signal: stops[2]! })).rejects.toMatchObject({
      class: 'cancelled',
    });
  }
});
