/**
 * L7: compose.yaml as a stranger starts it: containers are killed, taken down, and come back as a
 * newer version; each order ends with one pull request.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approves, arms, cardFor } from '../support/approves.ts';
import { docker, lacksDocker } from '../support/docker.ts';
import { QUICK_AGENT, quickOrder } from '../support/quick-change.ts';
import { createStack, type Stack } from '../support/stack.ts';
import { sampleDirectory, type RepoHandle } from '#playground';

const lack = lacksDocker();
/** Containers are slow to come, and a killed one is noticed after half a minute (ms). */
const LONG = 180_000;

describe.skipIf(lack !== null)(`the product in containers${lack ? ` (${lack})` : ''}`, () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await createStack(`sleep 5; ${QUICK_AGENT}`);
    await stack.build();
  }, 900_000);
  afterAll(() => stack.close(), LONG);

  const until = (what: () => Promise<boolean>): Promise<unknown> =>
    expect.poll(what, { timeout: LONG, interval: 500 }).toBe(true);
  const asked = async (name: string): Promise<RepoHandle> => {
    const repo = await stack.github.addRepo({ owner: 'acme', name, from: sampleDirectory() });
    stack.ana.sends(quickOrder(repo.fullName));
    return repo;
  };
  const effect = (kind: string, column: string): Promise<string> =>
    stack.sql(`select ${column} from effects where kind = '${kind}' order by n desc limit 1`);
  const opened = (n: number): Promise<unknown> =>
    stack.ana.waitForMessage(`Pull request #1 opened`, { deadlineMs: LONG, what: `pull request ${n}` });
  const allHealthy = async (): Promise<boolean> => {
    const all = await stack.containers();
    return all.length === 5 && all.every(({ Health }) => Health === 'healthy');
  };

  it('L7: comes up with one command, and builds boxes of bubblewrap', { timeout: 2 * LONG }, async () => {
    await stack.compose('up', '-d');
    await until(allHealthy);
    expect(await stack.asks('/readyz')).toMatchObject({ ok: true });
    for (const service of ['control', 'worker']) {
      const said = await stack.compose('exec', '-T', service, 'agentpr', 'doctor');
      expect(said).toMatch(/✔ sandbox +bwrap works here/);
      expect(said).toMatch(/✔ data +\/data/);
      expect(said).not.toContain('✘');
    }
  });

  it('L7: opens one pull request, although a worker and the control die', { timeout: 3 * LONG }, async () => {
    const repo = await asked('killed');
    await until(async () => (await effect('implement', 'state')) === 'claimed');
    const [, place = ''] = (await effect('implement', 'lease_owner')).split(':');
    const at = await stack.compose(
      ...['exec', '-T', 'control', 'sh', '-c', `grep -l ${place} /data/workers/*/place`],
    );
    const logs = await Promise.all(
      (await stack.containers('worker')).map(async ({ Name }) => ({
        Name,
        said: await docker(stack.dir, 'logs', Name),
      })),
    );
    const worker = logs.find(({ said }) => said.includes(`in ${at.replace(/\/place$/, '')}.`));
    await docker(stack.dir, 'kill', worker?.Name ?? '');
    await until(async () => (await effect('implement', 'lease_epoch')) === '2');
    await arms(stack.ana, 'acme/killed');
    stack.ana.taps('Confirm');
    await until(async () => (await effect('open_pr', 'state')) !== '');
    // As a machine that has no memory left does it: the container comes back by itself.
    await stack.compose('exec', '-T', 'control', 'sh', '-c', 'kill -9 $(cat /proc/1/task/1/children)');
    await opened(1);
    expect(repo.pulls).toHaveLength(1);
    await stack.compose('up', '-d');
    await until(allHealthy);
  });

  it('L7: goes on after `down` and `up`', { timeout: 3 * LONG }, async () => {
    const repo = await asked('down');
    await cardFor(stack.ana, 'acme/down');
    const running = await asked('running');
    await until(async () => (await effect('implement', 'state')) === 'claimed');
    await stack.compose('down');
    await stack.compose('up', '-d');
    await until(allHealthy);
    await approves(stack.ana, 'acme/down');
    await approves(stack.ana, 'acme/running');
    await until(async () => repo.pulls.length === 1 && running.pulls.length === 1);
  });

  it('L7: becomes a newer version with another schema', { timeout: 8 * LONG }, async () => {
    const repo = await asked('upgraded');
    await cardFor(stack.ana, 'acme/upgraded');
    const list = join(stack.dir, 'db/sql/migrations/all-migrations.ts');
    const newer = `'9999-newer': { up: async (db) => { await db.schema.createTable('newer').addColumn('n', 'integer').execute(); } },\n});\n`;
    writeFileSync(list, readFileSync(list, 'utf8').replace(/\}\);\s*$/, newer));
    await stack.build();
    await stack.compose('up', '-d');
    await until(async () => (await stack.sql('select count(*) from newer').catch(() => '')) === '0');
    await until(allHealthy);
    await approves(stack.ana, 'acme/upgraded');
    await until(async () => repo.pulls.length === 1);
    const replayed = await stack.compose('exec', '-T', 'control', 'agentpr', 'replay', '--all', '--json');
    expect(JSON.parse(replayed)).toMatchObject({ runs: 4, findings: [] });
  });
});
