/**
 * L5 through the real process: put back to a backup of before a pull request was opened, it says so,
 * and opens no second one.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { PATIENCE, type Product } from '../../support/product.ts';
import { createProductAtGate, REPO_AT_GATE as REPO } from '../../support/run-at-gate.ts';

let product: Product | undefined;
afterEach(() => product?.close());

it('L5, L6: a backup of before the opening is restored: people are told, and no second pull request is opened', async () => {
  const { product: it, repo } = await createProductAtGate();
  product = it;
  it.start();
  await it.running();
  await cardFor(it.ana, REPO);
  // Beside the running one.
  const file = join(it.dir, 'backup.tar.gz');
  expect(await it.cli(['backup', file, '--plain'])).toMatchObject({ code: 0 });
  await approves(it.ana, REPO);
  await it.ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  expect(await it.stop()).toMatchObject({ code: 0 });
  expect(await it.cli(['restore', file])).toMatchObject({ code: 1 });
  renameSync(it.dataDir, `${it.dataDir}-old`);
  const said = await it.cli(['restore', file]);
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(said.out).toContain('is as it was at');
  it.start();
  await it.ana.waitForMessage('The ledger was put back to an earlier state', { deadlineMs: PATIENCE });
  it.ana.sends('/pending');
  // The card of then is closed on the phone: it comes anew.
  await tapOn(it.ana, await cardFor(it.ana, '', /^Decide\b/), /^Decide\b/);
  await approves(it.ana, REPO);
  await it.waitForState('CI_WAIT');
  expect(repo.pulls.length).toBe(1);
  await it.stop();
  const replayed = await it.cli(['replay', '--all']);
  expect(replayed.out).toContain('installation 1 is an older copy');
  expect(await it.cli(['audit', 'accept'])).toMatchObject({ code: 0 });
  expect((await it.cli(['replay', '--all'])).code).toBe(0);
});
