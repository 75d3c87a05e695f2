/** O7: what is said of a merged change is what GitHub shows of it, and nothing where it shows a part. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer } from '#playground';
import { forgeAt, repo, startForgeWorld, type ForgeWorld } from '../../support/forge-world.ts';

let world: ForgeWorld;
beforeEach(async () => {
  world = await startForgeWorld();
});
afterEach(() => world.github.stop());

it('O7: says nothing of files that a list of GitHub’s leaves out, and counts those that are gone', async () => {
  const base = (await world.acme.head()) ?? '';
  const { id, number, head, path } = await world.openPull();
  await world.acme.merge(number);
  await world.acme.advance({ [path]: null, 'other.ts': 'other\n' });
  const survival = () => forgeAt(world.github.url).survival(repo, { pull: id, base, head });
  expect(await survival()).toMatchObject({ reverted: false, remaining: 0 });
  const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
  world.github.faults.always(route, answer(200, { tree: [], truncated: true }));
  expect(await survival()).toBeNull();
});
