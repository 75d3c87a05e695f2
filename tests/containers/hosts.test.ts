/** E20: checks on other machines, real Docker behind a real ssh server: by label, killed mid-turn, and without a key. */
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EGRESS_PORT } from '../../executors/sandbox/box-egress.ts';
import { pruneHost } from '../../executors/sandbox/hosts/remote-boxes.ts';
import type { BoxReach } from '../../executors/sandbox/wrap-command.ts';
import { approves, buttonOf } from '../support/approves.ts';
import {
  createSshClient,
  lacksBoxHost,
  startBoxHost,
  type BoxHostUnderTest,
  type SshClient,
} from '../support/box-hosts.ts';
import { createSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { childEnvironment } from '#process';
import { dataDirectory } from '../support/contained.ts';
import { makeImage, startEngine, type EngineUnderTest } from '../support/container-engines.ts';
import { createProduct, TOKENS, WEBHOOK_SECRET, type Product } from '../support/product.ts';

const LONG = 1_800_000;
const SECRET = 'sk-agentpr-planted-for-hosts';
const reason = lacksBoxHost();

const REPOSITORY = {
  cpanfile: "requires 'perl', '5.036';\n",
  'lib/App.pm': 'package App;\nsub two { 3 }\n1;\n',
  // Long enough to be met while it runs.
  't/app.t': 'use Test::More tests => 1;\nuse App;\nsleep 10;\nis(App::two(), 2);\n',
  '.github/workflows/ci.yml': `name: ci
on: pull_request
jobs:
  test:
    runs-on: [self-hosted, gpu]
    container: perl:5.36
    steps:
      - uses: actions/checkout@v5
      - run: prove -l t
`,
};

/** Leaves 100 MB, and fails as a command without room does. */
const FILL = 'set -- $(df -Pk . | tail -n 1); head -c $((($4 - 100000) * 1024)) /dev/zero >big; exit 1';

/** Without sockets and names of networks, which cannot be read. */
const GREP = ['-rlaF', '-D', 'skip', '--exclude-dir=netns'];
/** Files of a machine in which one of these words stands. */
const filesWith = (dir: string, ...words: string[]): string[] => {
  const patterns = words.flatMap((word) => ['-e', word]);
  const { status, stdout } = spawnSync('grep', [...GREP, ...patterns, dir], {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  if (status === null || status > 1) throw new Error(`grep ended with ${status}`);
  return stdout.split('\n').filter(Boolean);
};

describe.skipIf(reason !== null)(`box hosts${reason === null ? '' : ` (${reason})`}`, () => {
  let client: SshClient;
  let local: EngineUnderTest;
  let hosts: BoxHostUnderTest[] = [];
  let product: Product | undefined;
  beforeAll(async () => {
    client = createSshClient();
    local = await startEngine('docker');
    hosts = [await startBoxHost(client), await startBoxHost(client)];
    for (const engine of [local, ...hosts.map((one) => one.engine)]) makeImage(engine, 'perl:5.36', 'perl');
  }, LONG);
  afterAll(async () => {
    for (const one of [...hosts, local, client]) await one.close();
  }, LONG);
  afterEach(async () => {
    await product?.close();
    product = undefined;
  });

  it(
    'E20: a host that is drained ends what it has and gets nothing new, without a new start of ours',
    async () => {
      const [first, second] = hosts as [BoxHostUnderTest, BoxHostUnderTest];
      const at = dataDirectory();
      const outcome = await createSandbox({
        setting: 'container',
        dataDir: at.dataDir,
        containers: {
          engine: 'docker',
          env: { ...local.env, ...client.env },
          image: 'perl:5.36',
          allowed: [],
          hosts: hosts.map(({ host }) => ({ host, labels: [], parallel: 4 })),
        },
      });
      if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
      const { sandbox } = outcome;
      const prepare = async () => {
        const { signal } = new AbortController();
        const about = { runId: 'r1', kind: 'check', wish: null, network: 'none', signal } as const;
        const box = await sandbox.prepare?.(about);
        if (!box || 'says' in box) throw new Error(box?.says);
        return box;
      };
      const command = {
        runId: 'r1',
        argv: ['sh', '-c', 'echo up; read line; echo $line'],
        network: 'none',
        cwd: at.workspace,
        writable: [at.workspace, at.home],
        env: childEnvironment({ home: at.home }),
        shownAs: { [at.workspace]: '/box/tree', [at.home]: '/box/home' },
      } as const;
      const before = await prepare();
      expect(before.used?.host).toBe(first.host);
      const { promise: isUp, resolve } = Promise.withResolvers<void>();
      let goOn = (): void => {};
      const ending = before.run(command, {
        timeoutMs: 300_000,
        maxOutputBytes: 1_000,
        onStdin: (stdin) => void (goOn = () => stdin.end('done\n')),
        onStdout: () => resolve(),
      });
      await isUp;
      first.engine.reload({ labels: ['agentpr.drain=true'] });
      await expect.poll(() => first.engine.ask('info', '--format', '{{.Labels}}')).toContain('drain');
      const after = await Promise.all([prepare(), prepare(), prepare()]);
      expect(after.map(({ used }) => used?.host)).toEqual([second.host, second.host, second.host]);
      goOn();
      expect(await ending).toMatchObject({ exitCode: 0, stdout: 'up\ndone\n' });
      for (const one of [before, ...after]) await one.close();
      for (const { engine } of hosts) expect(engine.ask('ps', '--all', '--quiet')).toBe('');
      first.engine.reload({ labels: [] });
      await expect.poll(() => first.engine.ask('info', '--format', '{{.Labels}}')).not.toContain('drain');
    },
    LONG,
  );

  it(
    'E2, E20: a host whose disk is full is named, what ran there is not judged, and it goes on once there is room',
    async () => {
      const small = await startBoxHost(client, { diskMb: 1200 });
      onTestFinished(() => small.close(), LONG);
      makeImage(small.engine, 'perl:5.36', 'perl');
      const at = dataDirectory();
      const host = { host: small.host, labels: [], parallel: 4 };
      const env = { ...local.env, ...client.env };
      const containers = { engine: 'docker', env, image: 'perl:5.36', allowed: [], hosts: [host] } as const;
      const outcome = await createSandbox({ setting: 'container', dataDir: at.dataDir, containers });
      if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
      const runIn = async (network: BoxReach, text: string) => {
        const { signal } = new AbortController();
        const about = { runId: 'r1', kind: 'check', wish: null, network, signal } as const;
        const box = await outcome.sandbox.prepare?.(about);
        if (!box || 'says' in box) throw new Error(box?.says);
        const end = await box.run(
          {
            runId: 'r1',
            argv: ['sh', '-c', text],
            network,
            cwd: at.workspace,
            writable: [at.workspace, at.home],
            env: childEnvironment({ home: at.home }),
            shownAs: { [at.workspace]: '/box/tree', [at.home]: '/box/home' },
          },
          { timeoutMs: 300_000, maxOutputBytes: 1_000 },
        );
        await box.close();
        return end;
      };
      const filler = path.join(small.dir, 'filler');
      for (const network of ['none', { socket: path.join(at.dataDir, 'out'), port: EGRESS_PORT }] as const) {
        expect(await runIn(network, FILL)).toMatchObject({
          exitCode: 1,
          excess: {
            limit: 'reserve',
            says: expect.stringContaining(`the disk of ${small.host}`) as string,
          },
        });
        expect(small.engine.ask('volume', 'ls', '--quiet')).toBe('');
        const { bavail, bsize } = statfsSync(small.dir);
        const count = Math.floor((bavail * bsize) / 1_048_576) - 100;
        spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M', `count=${count}`]);
        await expect(runIn(network, 'true')).rejects.toThrow(`the disk of ${small.host}`);
        rmSync(filler);
        expect(await runIn(network, 'true')).toMatchObject({ exitCode: 0 });
      }
      const doors = () => small.engine.ask('image', 'ls', '--quiet', 'agentpr-door');
      expect(doors()).not.toBe('');
      await pruneHost(small.host, { dataDir: at.dataDir, env });
      expect(doors()).toBe('');
    },
    LONG,
  );

  it(
    'E20: takes a job by its label, costs an attempt where its machine dies, and leaves no key on any',
    async () => {
      const [first, second] = hosts as [BoxHostUnderTest, BoxHostUnderTest];
      product = await createProduct({
        script: "sed -i 's/3/2/' lib/App.pm",
        bounds: { retryMs: 1_000 },
        config: {
          containers: { engine: 'docker', allowed: ['perl'] },
          boxes: hosts.map(({ host }) => ({ host, labels: ['gpu'], parallel: 2 })),
          network: { scripts: 'none', installs: 'none', checks: 'none' },
        },
        env: {
          ...local.env,
          ...client.env,
          HOME: process.env['HOME'],
          AGENTPR_SANDBOX: 'container',
          PLANTED_TOKEN: SECRET,
        },
      });
      const repo = await product.github.addRepo({ owner: 'acme', name: 'perl', from: REPOSITORY });
      product.start();
      await product.running();
      product.ana.sends('/new acme/perl Mend the number');
      // A check has begun there: it is one of the containers that hold no network.
      await expect
        .poll(
          () =>
            boxesOn(first)
              .slice(0, 1)
              .map((one) => first.engine.ask('top', one))
              .join(''),
          {
            timeout: 900_000,
            interval: 200,
          },
        )
        .toContain('prove');
      first.kill();

      const card = await product.ana.waitForMessage((m) => buttonOf(m, /^Open PR\b/) !== '', {
        deadlineMs: 900_000,
        what: 'a card',
      });
      expect(card.text).toContain('in perl:5.36');
      const outcomes = product
        .look()
        .attempts()
        .map(({ outcome }) => outcome);
      expect(outcomes.filter((one) => one === 'box_lost')).toHaveLength(1);
      const checks = product.run()?.change.evaluation?.checks ?? [];
      expect(checks.map(({ outcome, box }) => [outcome, box?.host])).toEqual([['passed', second.host]]);
      await approves(product.ana, 'acme/perl');
      await product.waitForState(['CI_WAIT', 'REVIEW_WAIT']);
      expect(repo.pulls).toHaveLength(1);

      expect(second.engine.ask('ps', '--all', '--quiet')).toBe('');
      expect(second.engine.ask('volume', 'ls', '--quiet')).toBe('');
      expect(local.ask('ps', '--all', '--quiet')).toBe('');
      // The workspace of the check that was cut off is still there, so that grep would find what went along.
      expect(filesWith(first.dir, 'use Test::More tests => 1;\nuse App;'.split('\n')[1] ?? '')).not.toEqual(
        [],
      );
      for (const { dir } of hosts)
        expect(
          filesWith(dir, SECRET, TOKENS.telegram, TOKENS.github, WEBHOOK_SECRET, 'SQLite format 3'),
        ).toEqual([]);
    },
    LONG,
  );

  const boxesOn = ({ engine }: BoxHostUnderTest): string[] =>
    engine
      .ask('ps', '--filter', 'label=agentpr.run', '--format', '{{.Names}}')
      .split('\n')
      .filter((name) => name !== '' && !name.endsWith('.net'));
});
