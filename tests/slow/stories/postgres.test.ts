/**
 * L7: the story with its ledger in a real Postgres, through the real process: both are killed on the
 * way, and one pull request is what was approved.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutReceipt } from '../../../pull-text/pull-body.ts';
import { canonicalJson } from '#model/seal';
import { sha256Hex } from '#runtime';
import { arms } from '../../support/approves.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { storedRuns } from '../../support/stored-runs.ts';

describe('the story in Postgres', () => {
  let server: Server;
  let database: string;
  let product: Product;
  beforeAll(async () => {
    server = await startPostgres([]);
    database = await server.database();
    product = await createProduct({ script: QUICK_AGENT, env: { DATABASE_URL: database } });
  });
  afterAll(async () => {
    await product.close();
    await server.stop();
  });

  it('L7: opens exactly one pull request with the approved bytes, although process and Postgres are killed', async () => {
    const { ana } = product;
    product.start();
    const repo = await askForChange(product, 'kept');
    await arms(ana);
    // Who taps a card before it is recorded is asked to tap again.
    const telling = "select n from effects where kind = 'chat_message' and state in ('pending', 'claimed')";
    await expect.poll(() => server.ask(database, telling), { timeout: PATIENCE }).toEqual([]);
    await server.kill();
    // Tapped while nothing can be stored: it is heard later, and once.
    const tap = ana.taps('Confirm');
    await product.waitFor(() => product.stderr().includes('cannot be reached'), { what: 'it to say so' });
    await product.kill();
    product.start();
    await server.start();
    expect((await tap.answered({ deadlineMs: PATIENCE })).text).toBe('Recorded: approved.');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    expect(existsSync(join(product.dataDir, 'ledger.db'))).toBe(false);
    const [run] = await storedRuns(product.dataDir, database);
    const fields = run?.gate.proposal?.fields;
    const [pull, ...more] = repo.pulls;
    expect(more).toEqual([]);
    expect(pull).toMatchObject({ title: fields?.title, headSha: fields?.headSha });
    expect(withoutReceipt(pull?.body ?? '')).toBe(fields?.body);
    expect(run?.gate.consumedApproval?.digest).toBe(sha256Hex(canonicalJson(fields)));
    const second = await product.cli(['start']);
    expect(second.err).toMatch(/Another agentpr/);
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ runs: 1, findings: [] });
    expect(replayed.code).toBe(0);
  });
});
