/**
 * L7: one control and three workers over one Postgres, killed where it hurts: the story ends with one
 * pull request, and its bytes are what was approved.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutReceipt } from '../../../pull-text/pull-body.ts';
import { canonicalJson } from '#model/seal';
import { sha256Hex } from '#runtime';
import { arms } from '../../support/approves.ts';
import { createFleet } from '../../support/fleet.ts';
import { startOtlp } from '../../support/otlp.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { storedRuns } from '../../support/stored-runs.ts';

type Claimed = { owner: string | null; taken: number; state: string };

describe('one control and three workers', () => {
  let server: Server;
  let database: string;
  let product: Product;
  let fleet: ReturnType<typeof createFleet>;
  const gate = join(tmpdir(), `agentpr-gate-${process.pid}`);
  let otlp: Awaited<ReturnType<typeof startOtlp>>;
  beforeAll(async () => {
    otlp = await startOtlp();
    server = await startPostgres([]);
    database = await server.database();
    mkdirSync(gate);
    product = await createProduct({
      script: `while [ ! -e ${gate}/open ]; do sleep 0.05; done; ${QUICK_AGENT}`,
      config: { readable: [gate] },
      env: { DATABASE_URL: database, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url },
      servers: { telegram: { heldSlotMs: 4_000 } },
    });
    fleet = createFleet(product);
  });
  afterAll(async () => {
    await fleet.stop();
    otlp.close();
    await product.close();
    await server.stop();
  });

  const effect = async (kind: string): Promise<Claimed | undefined> => {
    const sql = `select lease_owner as owner, lease_epoch as taken, state from effects where kind = '${kind}' order by n desc limit 1`;
    return (await server.ask<Claimed>(database, sql))[0];
  };
  const until = (what: () => Promise<boolean>): Promise<unknown> =>
    expect.poll(what, { timeout: PATIENCE, interval: 20 }).toBe(true);

  it('L7: opens exactly one pull request with the approved bytes, although a worker and the control are killed', async () => {
    const { ana } = product;
    const control = fleet.start('control');
    for (let n = 1; n <= 3; n += 1) fleet.start('worker');
    const [, one] = fleet.members;
    await one?.running();
    await until(async () => (await fetch(`${one?.address()}/readyz`)).ok);
    const metrics = await (await fetch(`${one?.address()}/metrics`)).text();
    expect(metrics).toMatch(/^agentpr_worker_places\{pool="heavy",state="free"\} 3$/m);
    const repo = await askForChange(product, 'kept');
    await until(async () => (await effect('implement'))?.state === 'claimed');
    const standby = fleet.start('control');
    const [, place] = (await effect('implement'))?.owner?.split(':') ?? [];
    const at = ['1', '2', '3'].find(
      (n) => readFileSync(join(product.dataDir, 'workers', n, 'place'), 'utf8') === place,
    );
    const pid = Number(readFileSync(join(product.dataDir, 'workers', at ?? '', 'lock.pid'), 'utf8'));
    const worker = fleet.members.find(({ child }) => child.pid === pid);
    const killedAt = performance.now();
    await worker?.kill();
    writeFileSync(join(gate, 'open'), '');
    await until(async () => (await effect('implement'))?.taken === 2);
    // Its lease and what pg-boss has to notice: nobody waits for longer than this.
    expect(performance.now() - killedAt).toBeLessThan(45_000);
    expect((await effect('implement'))?.owner?.split(':')[1]).not.toBe(place);
    await arms(ana);
    ana.taps('Confirm');
    await until(async () => (await effect('open_pr')) !== undefined);
    await control.kill();
    // Telegram refuses whoever takes over, until it has let go of the one that was killed.
    ana.sends('/status');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    expect(standby.said()).toContain('This one stands by.');
    await standby.running();
    const scraped = await Promise.all(
      fleet.members
        .filter((member) => member.alive())
        .map(async (member) => (await fetch(`${member.address()}/metrics`)).text()),
    );
    // Each agent is told of by the process that had it, and the ledger by the control alone.
    expect(scraped.join('\n')).toMatch(/^agentpr_attempt_seconds_count\{step="agent",engine="script"/m);
    expect(scraped.filter((text) => /^agentpr_pull_requests 1$/m.test(text))).toHaveLength(1);
    expect(scraped.filter((text) => text.includes('agentpr_queue_depth{'))).toHaveLength(1);
    await until(async () => product.telegram.pendingUpdates() === 0);

    // O4: what the worker that took over did is in the trace that the killed one began.
    await until(async () => otlp.spans.some(({ name }) => name === 'open_pr'));
    expect(new Set(otlp.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(otlp.spans.map(({ process }) => process['agentpr.role']))).toEqual(
      new Set(['control', 'worker']),
    );
    expect(otlp.spans.find(({ name }) => name === 'implement')?.attributes['agentpr.try']).toBe(2);

    const [run] = await storedRuns(product.dataDir, database);
    const fields = run?.gate.proposal?.fields;
    const [pull, ...more] = repo.pulls;
    expect(more).toEqual([]);
    expect(pull).toMatchObject({ title: fields?.title, headSha: fields?.headSha });
    expect(withoutReceipt(pull?.body ?? '')).toBe(fields?.body);
    expect(run?.gate.consumedApproval?.digest).toBe(sha256Hex(canonicalJson(fields)));
    const second = await product.cli(['start'], '', { AGENTPR_DATA_DIR: join(product.dir, 'other') });
    expect(second.err).toMatch(/is using the ledger/);
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(JSON.parse(replayed.out)).toMatchObject({ runs: 1, findings: [] });
  });
});
