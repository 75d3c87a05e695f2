/**
 * What is public before somebody taps: a branch, which goes again when they say no; or nothing at
 * all, where the operator wants that.
 */
import { afterEach, expect, it } from 'vitest';
import { cardFor, approves } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product, type ProductOptions } from '../../support/product.ts';

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

const ordered = async (options: ProductOptions = {}) => {
  const it = await createProduct({ script: 'echo fine >> app.txt', ...options });
  product = it;
  const repo = await it.github.addRepo({
    owner: 'acme',
    name: 'app',
    from: { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' },
  });
  it.start();
  await it.running();
  it.ana.sends('/new acme/app Say that it is fine check="true"');
  const card = await cardFor(it.ana, 'acme/app');
  return { it, repo, card };
};

it('G6: with push after_approval nothing is on the code host before the tap, which pushes and opens', async () => {
  const { it, repo } = await ordered({ bounds: { push: 'after_approval' } });
  expect(repo.pushes).toEqual([]);
  expect(await repo.branches()).toEqual(['main']);
  await approves(it.ana, 'acme/app');
  await it.ana.waitForMessage((m) => /Pull request #\d+ opened/.test(m.text), { deadlineMs: PATIENCE });
  expect([repo.pushes.length, repo.pulls.length]).toEqual([1, 1]);
  expect(it.run()).toMatchObject({
    gate: { consumedApproval: { fields: { pushes: true, headSha: repo.pulls[0]?.headSha } } },
  });
  const replay = JSON.parse((await it.cli(['replay', '--all', '--json'])).out) as unknown;
  expect(replay).toMatchObject({ findings: [] });
});

it('G6: a no leaves nothing behind where nothing was pushed', async () => {
  const { it, repo } = await ordered({ bounds: { push: 'after_approval' } });
  it.ana.sends(`/deny ${it.run()?.id} --final not now`);
  await it.waitForState('FAILED_TERMINAL', 'acme/app');
  await it.atRest();
  expect(repo.pushes).toEqual([]);
});

it.each(['before', 'after'] as const)(
  'L6: a denied run takes its branch away once, killed %s the code host removes it',
  async (phase) => {
    const { it, repo } = await ordered();
    const { branch = '' } = it.run()?.change.pushedHead ?? {};
    expect(await repo.branches()).toContain(branch);
    let killed = false;
    it.github.onRequest(async ({ phase: now, call }) => {
      if (killed || now !== phase || call.route !== 'git-receive-pack' || call.method !== 'POST')
        return undefined;
      killed = true;
      await it.kill();
      return undefined;
    });
    it.ana.sends(`/deny ${it.run()?.id} --final not now`);
    await it.github.waitFor(() => killed, { deadlineMs: PATIENCE });
    it.start();
    await it.waitForState('FAILED_TERMINAL', 'acme/app');
    await it.atRest();
    expect(await repo.branches()).toEqual(['main']);
    const removals = repo.pushes.filter((push) => /^0+$/.test(push.new) && push.refused === null);
    expect(removals).toHaveLength(1);
    expect(repo.pulls).toEqual([]);
    const replay = JSON.parse((await it.cli(['replay', '--all', '--json'])).out) as unknown;
    expect(replay).toMatchObject({ findings: [] });
  },
);
