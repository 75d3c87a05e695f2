/**
 * F5 through the real process: three waves of repositories, each begun when those before it are merged
 * or released, while the process is killed. `CAMPAIGN_SIZE=10` plays the full size, and
 * `CAMPAIGN_KILLS=99` kills it again and again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { addRepos, campaignFileOf, killing, tapUntil } from '../../support/campaign-play.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const SIZE = Number(process.env['CAMPAIGN_SIZE'] ?? 1);
const KILL_EVERY_MS = Number(process.env['CAMPAIGN_KILL_MS'] ?? 6_000);
const KILLS = Number(process.env['CAMPAIGN_KILLS'] ?? 2);
const WITHIN = { deadlineMs: PATIENCE };
const LONG_MS = 5 * PATIENCE + 60_000 * SIZE;
const HOSTILE_TAG = 'v1;touch$IFS"x"';

let product: Product | undefined;
afterAll(() => product?.close());

it(
  'F5, L6: three waves in order, with what came before; a failed one stops what follows; nothing twice',
  async () => {
    product = await createProduct({
      script: 'false',
      webhooks: true,
      config: { maxParallelRuns: 4, maxRunsPerDay: 500 },
    });
    const at = product;
    const { ana, dir } = product;
    const numbers = Array.from({ length: SIZE }, (_, i) => i);
    const wave = (name: string) =>
      addRepos(
        at,
        numbers.map((i) => `${name}-${i}`),
      );
    const [apis, services, clients] = [await wave('api'), await wave('service'), await wave('client')];
    const [evil, closed, afterEvil, afterClosed] = await addRepos(product, [
      'evil',
      'closed',
      'after-evil',
      'after-closed',
    ]);
    if (!evil || !closed || !afterEvil || !afterClosed) throw new Error('no repositories');
    const bump = 'echo new > app.txt';
    const repositories = [
      ...[...apis, evil, closed].map(({ fullName: repo }) => ({ repo, script: bump })),
      ...services.map(({ fullName: repo }, i) => ({
        repo,
        after: { repo: apis[i]?.fullName, until: 'released' },
        script: 'echo {{after_tag}} {{after_version}} > app.txt',
      })),
      ...clients.map(({ fullName: repo }, i) => ({
        repo,
        after: [services[i]?.fullName, apis[i]?.fullName],
        script: 'echo {{after_commit}} {{after_2_link}} > app.txt',
      })),
      { repo: afterEvil.fullName, after: { repo: evil.fullName, until: 'released' }, script: bump },
      { repo: afterClosed.fullName, after: closed.fullName, script: bump },
    ];
    const campaign = {
      name: 'Go on to the new API',
      repositories,
      goal: 'Use the new API',
      checks: ['test -s app.txt'],
      install: 'none',
      pace: { canary: 4, steps: [100], stop: { failures: 1, denials: 1 } },
      limits: { perOwner: 500, open: 500 },
    };
    writeFileSync(join(dir, 'campaign.yml'), campaignFileOf(campaign));
    product.start();
    await product.running();
    const planned = await product.cli(['campaign', 'plan', 'campaign.yml', '--json']);
    expect(planned).toMatchObject({ code: 0 });
    const { campaign: id } = JSON.parse(planned.out) as { campaign: string };
    const stop = killing(product, { everyMs: KILL_EVERY_MS, most: KILLS });

    type Repo = (typeof apis)[number];
    const done = new Set<Repo>();
    const outOfOrder: string[] = [];
    /** Nothing of a repository is public before those that it comes after are done. */
    const watch = (repo: Repo | undefined, ...before: (Repo | undefined)[]): void => {
      if (repo && repo.pushes.length > 0 && !before.every((one) => one && done.has(one)))
        outOfOrder.push(repo.fullName);
    };
    const merge = async (repo: Repo, tag?: string): Promise<void> => {
      if (done.has(repo) || repo.pulls.length === 0) return;
      await repo.merge(1, 'squash');
      if (tag !== undefined) await repo.release(tag);
      done.add(repo);
    };
    const round = async (): Promise<boolean> => {
      for (const i of numbers) {
        watch(services[i], apis[i]);
        watch(clients[i], services[i], apis[i]);
      }
      for (const [i, repo] of apis.entries()) await merge(repo, `v2.${i}.0`);
      for (const repo of [...services, ...clients]) await merge(repo);
      await merge(evil, HOSTILE_TAG);
      if (closed.pulls[0]?.state === 'open') await closed.close(1);
      const said = ana.messages().map(({ text }) => text);
      return (
        clients.every((repo) => done.has(repo)) &&
        said.some((text) => text.includes('a name that no command may hold')) &&
        said.some((text) => text.includes(`${closed.fullName} ended without being merged`))
      );
    };
    await tapUntil(product, round, 'three waves', LONG_MS);
    const deaths = await stop();
    await product.waitFor(() => at.alive(), { ...WITHIN, what: 'it to be back' });
    expect(deaths).toBeGreaterThan(0);
    expect(outOfOrder).toEqual([]);
    const all = [...apis, ...services, ...clients, evil, closed];
    expect(all.filter(({ pulls }) => pulls.length !== 1).map(({ fullName }) => fullName)).toEqual([]);
    expect([afterEvil, afterClosed].map(({ pushes }) => pushes.length)).toEqual([0, 0]);
    for (const [i, repo] of services.entries()) {
      expect(await repo.read('app.txt')).toBe(`v2.${i}.0 2.${i}.0`);
      expect(repo.pulls[0]?.body).toContain(`${apis[i]?.fullName}/pull/1 | merged as \``);
      expect(repo.pulls[0]?.body).toContain(`released as \`v2.${i}.0\``);
    }
    for (const [i, repo] of clients.entries())
      expect(await repo.read('app.txt')).toMatch(
        new RegExp(`^[0-9a-f]{40} http://[^ ]+/${apis[i]?.fullName}/pull/1$`),
      );
    await product.waitFor(
      async () => (await at.cli(['campaign', 'show', id, '--json'])).out.includes('"finished"'),
      { deadlineMs: LONG_MS, what: 'its end' },
    );
    const shown = await product.cli(['campaign', 'show', id]);
    expect(shown.out).toContain('Wave 3 of 3');
    expect(shown.out).toContain(`not started: ${closed.fullName} was denied`);
    const replay = JSON.parse((await product.cli(['replay', '--all', '--json'])).out) as unknown;
    expect(replay).toMatchObject({ findings: [] });
    process.stderr.write(`chain of 3 x ${SIZE}: ${deaths} kills, 0 doubled, 0 out of order\n`);
  },
  LONG_MS * 3,
);
