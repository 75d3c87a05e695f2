/**
 * L7: what a run needs to move lies in a bucket: the worker that has its check is killed, and
 * another one goes on with the change from there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory } from '#playground';
import { arms } from '../../support/approves.ts';
import { KEYS, startBucket } from '../../support/bucket.ts';
import { createFleet } from '../../support/fleet.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT } from '../../support/quick-change.ts';

describe('two workers and a bucket', () => {
  let server: Server;
  let database: string;
  let product: Product;
  let fleet: ReturnType<typeof createFleet>;
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  const gate = join(tmpdir(), `agentpr-bucket-gate-${process.pid}`);
  beforeAll(async () => {
    bucket = await startBucket();
    server = await startPostgres([]);
    database = await server.database();
    mkdirSync(gate);
    product = await createProduct({
      script: QUICK_AGENT,
      config: { readable: [gate] },
      env: {
        DATABASE_URL: database,
        AGENTPR_BUCKET_URL: bucket.url,
        AGENTPR_BUCKET_KEY_ID: KEYS.keyId,
        AGENTPR_BUCKET_SECRET: KEYS.secret,
        AGENTPR_BUCKET_REGION: KEYS.region,
      },
    });
    fleet = createFleet(product);
  });
  afterAll(async () => {
    await fleet.stop();
    await product.close();
    await server.stop();
    await bucket.close();
  });

  type Found = { owner: string | null; taken: number; state: string };
  const newest = async (kind: string): Promise<Found | undefined> => {
    const sql = `select lease_owner as owner, lease_epoch as taken, state from effects where kind = '${kind}' order by n desc limit 1`;
    return (await server.ask<Found>(database, sql))[0];
  };
  const until = (what: () => Promise<boolean>): Promise<unknown> =>
    expect.poll(what, { timeout: PATIENCE, interval: 20 }).toBe(true);

  it('L7: a worker that was killed in the check left the change in the bucket, and another goes on with it', async () => {
    const { ana } = product;
    fleet.start('control');
    const workers = [fleet.start('worker'), fleet.start('worker')];
    await Promise.all(workers.map((worker) => worker.running()));
    const repo = await product.github.addRepo({ owner: 'acme', name: 'kept', from: sampleDirectory() });
    // The base passes at once; the change waits for the gate.
    const waits = `if grep -q 'failed - 1' src/waits.js; then until test -e ${gate}/open; do sleep 0.05; done; fi`;
    ana.sends(`/new ${repo.fullName} Mend the first wait check="${waits}; grep -q failed src/waits.js"`);
    await until(async () => (await newest('check'))?.state === 'claimed');
    const [, place] = (await newest('check'))?.owner?.split(':') ?? [];
    const at = ['1', '2'].find(
      (n) => readFileSync(join(product.dataDir, 'workers', n, 'place'), 'utf8') === place,
    );
    const pid = Number(readFileSync(join(product.dataDir, 'workers', at ?? '', 'lock.pid'), 'utf8'));
    await workers.find(({ child }) => child.pid === pid)?.kill();
    expect(bucket.asked.filter((line) => line.startsWith('PUT /moves/'))).not.toEqual([]);
    writeFileSync(join(gate, 'open'), '');
    await until(async () => (await newest('check'))?.taken === 2);
    expect((await newest('check'))?.owner?.split(':')[1]).not.toBe(place);
    await arms(ana);
    ana.taps('Confirm');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    expect(bucket.asked.filter((line) => line.startsWith('GET /moves/'))).not.toEqual([]);
    expect(repo.pulls).toHaveLength(1);
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ runs: 1, findings: [] });
  });
});
