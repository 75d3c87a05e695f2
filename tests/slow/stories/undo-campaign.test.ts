/**
 * F5 through the real process: what a campaign merged is taken back by git's own reverts, each
 * approved like any other, while the process is killed. `CAMPAIGN_SIZE=30` plays the full size, and
 * `CAMPAIGN_KILLS=99` kills it again and again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { addRepos, campaignFileOf, killing, tapUntil } from '../../support/campaign-play.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const SIZE = Number(process.env['CAMPAIGN_SIZE'] ?? 2);
const KILL_EVERY_MS = Number(process.env['CAMPAIGN_KILL_MS'] ?? 4_000);
const KILLS = Number(process.env['CAMPAIGN_KILLS'] ?? 2);
const WITHIN = { deadlineMs: PATIENCE };
const LONG_MS = 3 * PATIENCE + 40_000 * SIZE;

let product: Product | undefined;
afterAll(() => product?.close());

it(
  'F5, L6: undo reverts what is merged, closes what is open, settles what is gone; nothing twice',
  async () => {
    product = await createProduct({
      script: 'echo better >> app.txt',
      config: { maxParallelRuns: 4, maxRunsPerDay: 500 },
    });
    const at = product;
    const { ana, dir } = product;
    const names = Array.from({ length: SIZE }, (_, i) => `merged-${i}`);
    const all = await addRepos(product, [...names, 'open', 'gone', 'moved']);
    const [merged, [open, gone, moved]] = [all.slice(0, SIZE), all.slice(SIZE)];
    if (!open || !gone || !moved) throw new Error('no repositories');
    const campaign = {
      name: 'Make it better',
      repositories: all.map(({ fullName }) => fullName),
      goal: 'Say that it is better',
      title: 'Say that {{name}} is better',
      script: 'echo better >> app.txt',
      checks: ['test -s app.txt'],
      install: 'none',
      pace: { canary: 3, steps: [50], stop: { failures: 1, denials: 1 } },
      limits: { perOwner: 500, open: 500 },
    };
    writeFileSync(join(dir, 'campaign.yml'), campaignFileOf(campaign));
    product.start();
    await product.running();
    const planned = await product.cli(['campaign', 'plan', 'campaign.yml', '--json']);
    expect(planned).toMatchObject({ code: 0 });
    const { campaign: id } = JSON.parse(planned.out) as { campaign: string };
    const nothing = await product.cli(['campaign', 'undo', id]);
    expect(nothing).toMatchObject({ code: 3 });
    expect(nothing.err).toContain('nothing to take back');
    await tapUntil(product, () => all.every(({ pulls }) => pulls.length === 1), 'pull requests', LONG_MS);
    for (const [i, repo] of [...merged, gone, moved].entries())
      await repo.merge(1, i % 2 === 0 ? 'merge' : 'squash');
    await gone.advance({ 'app.txt': 'good\n' }, 'Somebody took it back by hand');
    await moved.advance({ 'app.txt': 'good\nbest\n' }, 'Somebody went on');
    await product.waitFor(
      () => at.runs().filter(({ lifecycle: { state } }) => state === 'DONE').length === SIZE + 2,
      { deadlineMs: LONG_MS, what: 'the runs to hear of it' },
    );

    ana.sends(`/campaign ${id} undo`);
    const preview = await ana.waitForMessage(/^PREVIEW · Undo Make it better/, WITHIN);
    expect(preview.text).toContain(`Takes back what ${id} merged`);
    expect(preview.text).toContain('closes 1 open pull request');
    expect(preview.buttons.flat().map(({ text }) => text)).toContain(`Undo ${SIZE + 2}`);
    expect(open.pulls[0]?.state).toBe('open');
    const stop = killing(product, { everyMs: KILL_EVERY_MS, most: KILLS });
    const states = (): Map<string, string> =>
      new Map(
        at
          .runs()
          .flatMap(({ order, lifecycle: { state } }) =>
            order.reverts ? [[order.repo, state] as const] : [],
          ),
      );
    await tapUntil(
      product,
      () =>
        merged.every(({ pulls }) => pulls.length === 2) &&
        open.pulls[0]?.state === 'closed' &&
        states().get(gone.fullName) === 'SKIPPED' &&
        states().get(moved.fullName) === 'NEEDS_HUMAN_REVIEW',
      'reverts',
      LONG_MS,
    );
    const deaths = await stop();
    await product.waitFor(() => at.alive(), { ...WITHIN, what: 'it to be back' });
    expect(deaths).toBeGreaterThan(0);
    for (const repo of merged) {
      const [first, revert, ...more] = repo.pulls;
      expect(more).toEqual([]);
      expect(revert?.title).toBe(`Revert "${first?.title}"`);
      expect(revert?.body).toContain(`${repo.fullName}/pull/1, which was merged as \``);
      expect(revert?.body).toContain('Made by `git revert`');
      const [, branch = ''] = revert?.head.split(':') ?? [];
      expect(await repo.read('app.txt', branch)).toBe('good');
    }
    expect([gone, moved, open].map(({ pulls }) => pulls.length)).toEqual([1, 1, 1]);
    await product.waitFor(async () => (await open.branches()).length === 1, {
      ...WITHIN,
      what: 'the branch of what was closed to go',
    });
    const reasons = at.runs().flatMap(({ order, lifecycle: { reason } }) => (order.reverts ? [reason] : []));
    expect(reasons).toContainEqual({ kind: 'revert_empty' });
    expect(reasons).toContainEqual(
      expect.objectContaining({ detail: { kind: 'revert_needs_agent', pull: '#1' } }),
    );
    for (const repo of merged) await repo.merge(2);
    await product.waitFor(
      () =>
        at.runs().filter(({ order, lifecycle: { state } }) => order.reverts && state === 'DONE').length ===
        SIZE,
      { deadlineMs: LONG_MS, what: 'the reverts to be merged' },
    );
    for (const repo of merged) expect(await repo.read('app.txt')).toBe('good');
    // Asked again, it shows the undo that is at work.
    const again = await product.cli(['campaign', 'undo', id]);
    expect(again.out).toContain(`Takes back what ${id} merged`);
    const replay = JSON.parse((await product.cli(['replay', '--all', '--json'])).out) as unknown;
    expect(replay).toMatchObject({ findings: [] });
    process.stderr.write(`undo of ${SIZE}: ${deaths} kills, 0 doubled\n`);
  },
  LONG_MS * 4,
);
