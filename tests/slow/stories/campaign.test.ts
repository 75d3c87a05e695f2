/**
 * F5 through the real process: a campaign is planned at the host, started on the phone, survives a
 * kill, and ends in one pull request for each repository.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };
const NAMES = ['one', 'two', 'three'];

let product: Product | undefined;
afterAll(() => product?.close());

it('F5, L6: plan, start, canary, kill, widen, one card for the rest; nothing begins twice', async () => {
  product = await createProduct({ script: 'echo better >> app.txt' });
  const { ana, github, dir } = product;
  const at = product;
  const cli = (args: string[]): ReturnType<Product['cli']> => at.cli(args);
  const repos: RepoHandle[] = [];
  for (const name of NAMES)
    repos.push(
      await github.addRepo({
        owner: 'acme',
        name,
        from: { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' },
      }),
    );
  writeFileSync(
    join(dir, 'campaign.yml'),
    [
      'name: Make it better',
      'repositories: [acme/one, acme/two, acme/three, acme/nowhere]',
      'goal: Say that it is better',
      'fixes:',
      '  - { title: Say that it is better, script: echo better >> app.txt }',
      '  - { title: Drop the old notes, script: rm -f notes.txt }',
      "  - { title: 'Greet {{name}}', script: echo hello >> hello.txt }",
      'engine: script',
      'checks: [grep -q better app.txt]',
      'pace: { canary: 1, next: approved }',
    ].join('\n'),
  );
  const planned = await cli(['campaign', 'plan', 'campaign.yml', '--json']);
  expect(planned).toMatchObject({ code: 0 });
  const { campaign: id } = JSON.parse(planned.out) as { campaign: string };

  product.start();
  const preview = await ana.waitForMessage(/^PREVIEW · Make it better/, WITHIN);
  expect(preview.text).toContain('3 of 4 repositories take part');
  expect(preview.text).toContain('Left out: 1 not there, or hidden from us: acme/nowhere');
  await tapOn(ana, preview, /^Start 3/);
  const count = (): number => product?.runs().length ?? 0;
  await product.waitFor(() => count() === 1, { ...WITHIN, what: 'the canary' });
  await product.restart();
  // Of its three fixes one has nothing to do.
  const card = await cardFor(ana, 'acme/one');
  expect(card.text).toContain('Changed nothing, and left out: Drop the old notes');
  await approves(ana, 'acme/one');
  const many = await ana.waitForMessage(/^Open these 2 pull requests with the same change\?/, WITHIN);
  expect(many.text).toContain('acme/three');
  expect(count()).toBe(3);
  await tapOn(ana, many, /^Approve 2/);
  const armed = await ana.waitForMessage((m) => m.buttons.flat().some((b) => b.text === 'Confirm 2'), WITHIN);
  await tapOn(ana, armed, /^Confirm 2/);
  await product.waitFor(() => repos.every(({ pulls }) => pulls.length === 1), {
    ...WITHIN,
    what: 'three pull requests',
  });
  const body = repos[0]?.pulls[0]?.body ?? '';
  expect(body).toContain('2 fixes in this pull request:\n\n- Say that it is better.\n- Greet one.');
  expect(body).not.toContain('Drop the old notes');
  const adopted = await cli(['campaign', 'adopt', id, `${github.url}/acme/one/pull/1`, 'acme/two#99']);
  expect(adopted).toMatchObject({ code: 3, out: '' });
  expect(adopted.err).toContain('acme/one#1: a run of ours opened it');
  expect(adopted.err).toContain('acme/two#99: not there');
  expect(count()).toBe(3);
  const closed = await cli(['campaign', 'close', id, '--json']);
  expect(JSON.parse(closed.out)).toMatchObject({ kind: 'written', state: 'closed' });
  const asks = await cli(['campaign', 'close', id, '--pulls']);
  expect(asks.code).not.toBe(0);
  expect(asks.err).toContain('3 pull requests of ours will be closed');
  expect(repos[0]?.pulls[0]?.state).toBe('open');
  expect(await cli(['campaign', 'close', id, '--pulls', '--confirm'])).toMatchObject({ code: 0 });
  await product.waitFor(() => repos.every(({ pulls }) => pulls[0]?.state === 'closed'), {
    ...WITHIN,
    what: 'three pull requests to be closed',
  });
  ana.sends(`/campaign ${id}`);
  await ana.waitForMessage(/^CLOSED · Make it better/, WITHIN);
  const replay = JSON.parse((await cli(['replay', '--all', '--json'])).out) as unknown;
  expect(replay).toMatchObject({ findings: [] });
}, 240_000);
