/** E20: what is left, and what is lost, when something of it is killed or a disk is full. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { childEnvironment } from '#process';
import { approves, buttonOf, tapOn } from '../support/approves.ts';
import { dataDirectory, eventually, sleepers, uniqueSleep, type Home } from '../support/contained.ts';
import {
  lacksEngine,
  makeImage,
  mountDisk,
  startEngine,
  type EngineUnderTest,
} from '../support/container-engines.ts';
import { createProduct, type Product } from '../support/product.ts';
import type { RepoHandle } from '#playground';

const LONG = 1_800_000;
const IMAGE = 'perl:5.36';
const SERVED = {
  images: [],
  services: [{ name: 'db', image: IMAGE, env: {}, ports: [], health: 'true' }],
};

for (const name of ['docker', 'podman'] as const) {
  const reason = lacksEngine(name);
  describe.skipIf(reason !== null)(`crashes beside ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    let engine: EngineUnderTest;
    beforeAll(async () => {
      engine = await startEngine(name);
      makeImage(engine, IMAGE, 'perl', `ENTRYPOINT ${JSON.stringify(['sh', '-c', 'sleep 86400'])}`);
    }, LONG);
    afterAll(async () => engine.close(), LONG);

    const containers = () => ({ engine: name, env: engine.env, image: IMAGE, allowed: ['perl'] });
    const open = async (dataDir: string): Promise<CommandSandbox> => {
      const outcome = await createSandbox({ setting: 'container', dataDir, containers: containers() });
      if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
      return outcome.sandbox;
    };
    const names = (): string[] =>
      engine.ask('ps', '--all', '--format', '{{.Names}}').split('\n').filter(Boolean);

    /** Runs a command as a check does; `meanwhile` is called when it has said something. */
    const runOnce = async (at: Home, text: string, meanwhile: () => void, opened?: CommandSandbox) => {
      const sandbox = opened ?? (await open(at.dataDir));
      const box = await sandbox.prepare?.({
        ...({ runId: 'r1', kind: 'check', wish: null, network: 'none' } as const),
        signal: new AbortController().signal,
      });
      if (!box || 'says' in box) throw new Error(box?.says);
      const end = await box.run(
        {
          ...({ runId: 'r1', argv: ['sh', '-c', text], cwd: at.workspace, network: 'none' } as const),
          writable: [at.workspace, at.home],
          env: childEnvironment({ home: at.home }),
        },
        { timeoutMs: 300_000, maxOutputBytes: 100_000, onStdout: meanwhile },
      );
      await box.close();
      return end;
    };

    it(
      'E20: a container that somebody kills ends as a killed command, and one that is gone as a lost one',
      async () => {
        const at = dataDirectory();
        const duration = uniqueSleep();
        const killed = await runOnce(
          at,
          `echo up; sleep ${duration}`,
          () => void engine.ask('kill', ...names()),
        );
        expect(killed).toMatchObject({ ended: 'exited', exitCode: 137 });
        expect(killed.excess).toBeUndefined();
        const gone = await runOnce(
          at,
          `echo up; sleep ${duration}`,
          () => void engine.ask('rm', '--force', ...names()),
        );
        expect(gone.excess).toMatchObject({ limit: 'lost' });
        expect(names()).toEqual([]);
        expect(sleepers(duration)).toEqual([]);
      },
      LONG,
    );

    it(
      'L6: AgentPR that is killed leaves services until its next start, and nothing then',
      async () => {
        const at = dataDirectory();
        const start = { setting: 'container', containers: containers() };
        const script = fileURLToPath(new URL('../support/orchestrator.ts', import.meta.url));
        const child = spawn(
          process.execPath,
          [script, JSON.stringify(start), at.dataDir, 'echo up; sleep 86400', JSON.stringify(SERVED)],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        onTestFinished(() => void child.kill('SIGKILL'));
        for await (const line of createInterface({ input: child.stdout })) if (line === 'up') break;
        expect(names()).toHaveLength(3);
        child.kill('SIGKILL');
        expect(await eventually(() => names().length <= 2, 120_000)).toBe(true);
        await open(at.dataDir);
        expect(names()).toEqual([]);
      },
      LONG,
    );

    it(
      'E2: a full disk in the middle stops the command, and leaves nothing',
      async () => {
        const disk = mkdtempSync(path.join(tmpdir(), 'agentpr-full-'));
        mountDisk(disk, 330);
        onTestFinished(() => {
          spawnSync('umount', ['-l', disk]);
          rmSync(disk, { recursive: true, force: true });
        });
        const [workspace, home] = [path.join(disk, 'ws'), path.join(disk, 'home')];
        for (const folder of [workspace, home]) mkdirSync(folder);
        const at = { dataDir: disk, workspace, home, other: '' };
        const end = await runOnce(at, `head -c 250000000 /dev/zero >big; sleep 86400`, () => {});
        expect(end.excess).toMatchObject({ limit: 'reserve' });
        expect(names()).toEqual([]);
      },
      LONG,
    );

    it.skipIf(name === 'podman')(
      'E20: a daemon that dies takes nothing along but the attempt',
      async () => {
        const at = dataDirectory();
        const duration = uniqueSleep();
        const sandbox = await open(at.dataDir);
        const crashes: Promise<void>[] = [];
        const crash = (): void => {
          if (crashes.length === 0) crashes.push(engine.crash());
        };
        const end = await runOnce(at, `echo up; sleep ${duration}`, crash, sandbox);
        await Promise.all(crashes);
        expect(end.excess).toMatchObject({ limit: 'lost' });
        expect(sleepers(duration)).toEqual([]);
        await engine.restart();
        // What it left goes with the next command, and needs no new start of ours.
        expect(await runOnce(at, 'true', () => {}, sandbox)).toMatchObject({ exitCode: 0 });
        expect(names()).toEqual([]);
      },
      LONG,
    );
  });
}

/** An order for a repository whose check can be met while it runs. */
type Ordered = { product: Product; repo: RepoHandle };
const orderBeside = async (engine: EngineUnderTest): Promise<Ordered> => {
  const product = await createProduct({
    script: "sed -i 's/3/2/' lib/App.pm",
    bounds: { retryMs: 1_000 },
    config: {
      containers: { engine: engine.name, allowed: ['perl'], otherwise: IMAGE },
      network: { scripts: 'none', installs: 'none', checks: 'none' },
    },
    env: { ...engine.env, HOME: process.env['HOME'], AGENTPR_SANDBOX: 'container' },
  });
  const repo = await product.github.addRepo({
    owner: 'acme',
    name: 'perl',
    from: {
      cpanfile: "requires 'perl', '5.036';\n",
      'lib/App.pm': 'package App;\nsub two { 3 }\n1;\n',
      't/app.t': 'use Test::More tests => 1;\nuse App;\nsleep 10;\nis(App::two(), 2);\n',
    },
  });
  product.start();
  await product.running();
  product.ana.sends('/new acme/perl Mend the number');
  return { product, repo };
};
const untilChecking = async (engine: EngineUnderTest): Promise<void> => {
  const processes = (): string => {
    const [first = ''] = engine
      .ask('ps', '--filter', 'label=agentpr.run', '--format', '{{.Names}}')
      .split('\n');
    return first === '' ? '' : engine.ask('top', first);
  };
  await expect.poll(processes, { timeout: 600_000, interval: 200 }).toContain('prove');
};
/** Approves its card, and expects one pull request and no container. */
const untilOpened = async ({ product, repo }: Ordered, engine: EngineUnderTest): Promise<void> => {
  await product.ana.waitForMessage((m) => buttonOf(m, /^Open PR\b/) !== '', {
    deadlineMs: 900_000,
    what: 'a card',
  });
  await approves(product.ana, 'acme/perl');
  await product.waitForState(['CI_WAIT', 'REVIEW_WAIT']);
  expect(repo.pulls).toHaveLength(1);
  expect(engine.ask('ps', '--all', '--quiet')).toBe('');
};
/** A message behind this one, with what to do. */
const waitUntilTold = async (product: Product, engine: EngineUnderTest, after = 0) => {
  const told = await product.ana.waitForMessage(
    (m) => m.messageId > after && buttonOf(m, /^Retry\b/) !== '',
    { deadlineMs: 300_000, what: 'what to do' },
  );
  expect(told.text).toContain(`on the disk of ${engine.dir}/`);
  expect(told.text).toContain('free some space there');
  return told;
};
const outcomesOf = (product: Product): string[] =>
  product
    .look()
    .attempts()
    .map(({ outcome }) => outcome);

for (const name of ['docker', 'podman'] as const) {
  const reason = lacksEngine(name);
  describe.skipIf(reason !== null)(`a run beside ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    let engine: EngineUnderTest;
    let product: Product | undefined;
    beforeAll(async () => {
      engine = await startEngine(name, { diskMb: 1200 });
      makeImage(engine, IMAGE, 'perl');
    }, LONG);
    afterEach(async () => product?.close());
    afterAll(async () => engine.close(), LONG);

    it(
      'E2, E20: stops where the engine’s disk is full, says which, and goes on once there is room',
      async () => {
        const ordered = await orderBeside(engine);
        product = ordered.product;
        await untilChecking(engine);
        const filler = path.join(engine.dir, 'filler');
        spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']);
        const told = await waitUntilTold(product, engine);
        expect(outcomesOf(product).filter((one) => one === 'disk_full')).toHaveLength(1);
        // It is still full, so that no box can be opened.
        await tapOn(product.ana, told, /^Retry\b/);
        const again = await waitUntilTold(product, engine, told.messageId);
        expect(outcomesOf(product).filter((one) => one === 'disk_full')).toHaveLength(2);
        rmSync(filler);
        await tapOn(product.ana, again, /^Retry\b/);
        await untilOpened(ordered, engine);
      },
      LONG,
    );

    it.skipIf(name === 'podman')(
      'E20: is tried again where the daemon dies, and opened',
      async () => {
        const ordered = await orderBeside(engine);
        product = ordered.product;
        await untilChecking(engine);
        await engine.crash();
        await engine.restart();
        await untilOpened(ordered, engine);
        expect(outcomesOf(product).filter((one) => one === 'box_lost')).toHaveLength(1);
      },
      LONG,
    );
  });
}
