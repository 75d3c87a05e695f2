/**
 * F1: where a branch is, the API of the code host may say. It is believed where it says what git
 * said before; in everything else git has the word.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import type { RepoRef } from '#ports/workspaces';
import { AT, AUTHOR, createWorld, git, TOKEN, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.close());

/** What the API says next: the truth, something else, nothing, or a failure. */
type Says = (repo: RepoRef, branch: string) => Promise<string | null>;
const truth: Says = (repo, branch) =>
  Promise.resolve(git(world.bare(repo), 'rev-parse', `refs/heads/${branch}`));

const open = (repo: RepoRef) => {
  const api = { says: truth, asked: 0 };
  const workspaces = createWorkspaces({
    dataDir: world.data,
    serverUrl: world.host.origin,
    credential: () => Promise.resolve(TOKEN),
    told: (name, branch) => {
      api.asked += 1;
      expect(name).toBe(repo.name);
      return api.says(repo, branch);
    },
  });
  const prepare = (runId: string) =>
    workspaces.prepare({
      runId,
      repo,
      base: null,
      defaultBranch: 'main',
      signal: new AbortController().signal,
    });
  /** How many requests git made of the code host for this. */
  const requests = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const before = world.host.requests.length;
    return [await work(), world.host.requests.length - before];
  };
  return { api, workspaces, prepare, requests };
};

it('F1: a base that did not move is not fetched again, and one that did is', async () => {
  const repo = world.repo('base', { 'a.txt': 'a\n' });
  const { api, prepare, requests } = open(repo);
  const [first, asked] = await requests(() => prepare('base-1'));
  expect(asked).toBeGreaterThan(0);
  expect(api.asked).toBe(0);
  const [second, none] = await requests(() => prepare('base-2'));
  expect([second, none]).toEqual([first, 0]);
  const sha = world.advance(repo, { 'a.txt': 'b\n' });
  const [third, again] = await requests(() => prepare('base-3'));
  expect(third.sha).toBe(sha);
  expect(again).toBeGreaterThan(0);
});

it.each<[string, Says]>([
  ['another commit', () => Promise.resolve('1'.repeat(40))],
  ['nothing', () => Promise.resolve(null)],
  ['a failure', () => Promise.reject(new Error('rate limited'))],
])('F1: where it says %s, git has the word', async (what, says) => {
  const name = what.replaceAll(' ', '-');
  const repo = world.repo(name, { 'a.txt': 'a\n' });
  const { api, workspaces, prepare, requests } = open(repo);
  const first = await prepare(`${name}-1`);
  api.says = says;
  const [second, asked] = await requests(() => prepare(`${name}-2`));
  expect(second).toEqual(first);
  expect(asked).toBeGreaterThan(0);
  const [head, again] = await requests(() =>
    workspaces.remoteHead({ runId: `${name}-1`, repo, branch: 'main' }),
  );
  expect(head).toBe(first.sha);
  expect(again).toBeGreaterThan(0);
});

it('E14: a push is read back without git where the API shows it, and by git where it does not yet', async () => {
  const repo = world.repo('pushed', { 'a.txt': 'a\n' });
  const { api, workspaces, prepare, requests } = open(repo);
  const { sha: base } = await prepare('pushed-1');
  write(workspaces.places('pushed-1').workspace, { 'a.txt': 'b\n' });
  const input = { runId: 'pushed-1', base, parent: base, message: 'm', author: AUTHOR, at: AT };
  const made = await workspaces.harvest(input);
  if (made.kind !== 'commit') throw new Error(made.kind);
  const at = { runId: 'pushed-1', repo, branch: 'fix' };
  expect(await workspaces.remoteHead(at)).toBeNull();
  const { sha } = made.commit;
  expect((await workspaces.push({ ...at, sha, expect: null })).kind).toBe('pushed');
  expect(await requests(() => workspaces.remoteHead(at))).toEqual([sha, 0]);
  // Somebody else pushes; the API has not heard of it.
  git(world.bare(repo), 'update-ref', 'refs/heads/fix', base);
  api.says = () => Promise.resolve(null);
  const [seen, asked] = await requests(() => workspaces.remoteHead(at));
  expect(seen).toBe(base);
  expect(asked).toBeGreaterThan(0);
  // It still shows what was there before: git saw something else since.
  api.says = () => Promise.resolve(sha);
  expect((await requests(() => workspaces.remoteHead(at)))[0]).toBe(base);
});
