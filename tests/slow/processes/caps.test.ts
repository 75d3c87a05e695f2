/**
 * E2: memory, processes and disk of a contained tree are bounded, and whoever went too far is told
 * which bound it was.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  findLimitWeaknesses,
  createTreeLimiter,
  findUsableGroupHomes,
} from '../../../executors/sandbox/resource-limits.ts';
import { DEFAULT_LIMITS, type BoxLimits } from '../../../executors/sandbox/box-settings.ts';
import {
  createControlGroup,
  findControlGroupHomes,
  removeStaleControlGroups,
} from '../../../executors/sandbox/control-groups.ts';
import { createCheckExecutor } from '../../../executors/checks/run-check.ts';
import { createScriptExecutor } from '../../../executors/engines/script/script.ts';
import { createSandbox, type CommandSandbox } from '../../../executors/sandbox/create-sandbox.ts';
import { markPrefix } from '../../../executors/process/process-tree.ts';
import type { CapExcess } from '#ports/processes';
import { dataDirectory, inBox, lacking, LEVELS, type Level } from '../../support/contained.ts';

const LITTLE: Partial<BoxLimits> = { memoryMb: 300, processes: 60, diskMb: 40 };

const boxOf = async (
  setting: Level,
  dataDir: string,
  limits: Partial<BoxLimits> = LITTLE,
): Promise<CommandSandbox> => {
  const outcome = await createSandbox({ setting, dataDir, limits });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  return outcome.sandbox;
};
const homes = await findUsableGroupHomes(null, 'agentpr.caps-test.');
const counted = homes.flatMap((home) => home.controllers);

const hog = (ms: number): string =>
  `node -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), ${ms})'`;
const BOMB = `node -e '
  const { spawn } = require("child_process");
  for (let i = 0; i < 200; i++) spawn("sleep", ["100"]).on("error", () => {});
  setInterval(() => {}, 1000);'`;

for (const level of LEVELS) {
  const reason = await lacking(level);
  describe.skipIf(reason !== null)(`caps at level ${level}${reason === null ? '' : ` (${reason})`}`, () => {
    it('E2: stops a tree that starts too many processes, and says so', async () => {
      const at = dataDirectory();
      const end = await inBox(await boxOf(level, at.dataDir), at, BOMB);
      expect(end.excess).toMatchObject({ limit: 'processes', says: expect.stringContaining('60') as string });
      expect(end.ended).toBe('over_limit');
    });

    it('E2: stops a tree that takes too much memory, and says so', async () => {
      const at = dataDirectory();
      const slow = await inBox(await boxOf(level, at.dataDir), at, hog(80));
      expect(slow.excess).toMatchObject({
        limit: 'memory',
        says: expect.stringMatching(/used more than 300 MB/) as string,
      });
    });

    it('E2: stops a tree that fills the disk in one file', async () => {
      const at = dataDirectory();
      const sandbox = await boxOf(level, at.dataDir);
      const one = await inBox(sandbox, at, 'exec dd if=/dev/zero of=big bs=1M count=60 2>/dev/null');
      expect(one.excess).toMatchObject({ limit: 'disk' });
    });

    it.skipIf(counted.includes('pids'))(
      'E2: believes a tree that ends because it could start no more processes',
      async () => {
        const at = dataDirectory();
        const says = /could start no more processes; a run may have 60 processes and threads/;
        for (const words of ['sh: 1: Cannot fork', 'bash: fork: retry: Resource temporarily unavailable']) {
          const end = await inBox(await boxOf(level, at.dataDir), at, `echo "${words}" >&2; exit 2`);
          expect(end.excess).toMatchObject({
            limit: 'processes',
            says: expect.stringMatching(says) as string,
          });
        }
        const other = await inBox(
          await boxOf(level, at.dataDir),
          at,
          'echo "the fork of this project" >&2; exit 2',
        );
        expect(other.excess).toBeUndefined();
      },
    );

    it('leaves an ordinary tree in peace, and no group behind', async () => {
      const at = dataDirectory();
      const end = await inBox(await boxOf(level, at.dataDir), at, 'node -p 1+1; ulimit -f');
      expect(end).toMatchObject({ ended: 'exited', exitCode: 0 });
      expect(end.excess).toBeUndefined();
      expect(end.stdout).toMatch(/^2\n\d+\n$/);
      const ours = markPrefix(at.dataDir, 'r1').replaceAll('/', '.');
      for (const home of homes) expect(readdirSync(home.dir).filter((n) => n.includes(ours))).toEqual([]);
    });
  });
}

for (const level of ['bwrap', 'unshare'] as const) {
  const reason = await lacking(level);
  it.skipIf(reason !== null)(`E2: bounds what a box by ${level} keeps in memory as files`, async () => {
    const at = dataDirectory();
    const text = `for d in /tmp /var/tmp /dev/shm; do
        head -c 90000000 /dev/zero >$d/big 2>/dev/null; echo $(( $(stat -c %s $d/big) <= 76 * 1024 * 1024 )); rm $d/big
      done; (: >/dev/x) 2>/dev/null && echo "wrote to /dev"; true`;
    const end = await inBox(await boxOf(level, at.dataDir, { memoryMb: 300, diskMb: 4000 }), at, text);
    expect(end.stdout).toBe('1\n1\n1\n');
  });
}

describe('whatever the box is', () => {
  it('E2: stops a tree that takes too much memory at once, and says so', async () => {
    const at = dataDirectory();
    const sandbox = await boxOf('group', at.dataDir);
    const atOnce = await inBox(sandbox, at, 'dd if=/dev/zero of=/dev/null bs=900M count=1');
    const says = counted.includes('memory') ? /used more than 300 MB/ : /ran out of memory; .* 300 MB/;
    expect(atOnce.excess).toMatchObject({ limit: 'memory', says: expect.stringMatching(says) as string });
  });

  it('E2: stops a tree that fills the disk in many files', async () => {
    const at = dataDirectory();
    const many = await inBox(
      await boxOf('group', at.dataDir),
      at,
      // Goes on: what others free on the same disk meanwhile hides a little of what it writes.
      'i=0; while [ $i -lt 60 ]; do head -c 9000000 /dev/zero >~/f$i; i=$((i+1)); sleep 0.1; done; exec sleep 60',
    );
    expect(many).toMatchObject({ ended: 'over_limit', excess: { limit: 'disk' } });
  });
});

describe('what a person hears of it', () => {
  it('E5: a run that went too far used up its budget, and the reason names limit and setting', async () => {
    const at = dataDirectory();
    const sandbox = await boxOf('group', at.dataDir);
    const done = await createScriptExecutor({ sandbox }).run({
      runId: 'r1',
      prompt: '',
      engineArgs: [BOMB],
      workspace: at.workspace,
      home: at.home,
      session: null,
      writes: 'change',
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    expect(done.failure).toMatchObject({
      class: 'budget_exceeded',
      message:
        'The script was stopped: it started more than 60 processes and threads (sandboxLimits.processes).',
      retryAt: null,
    });
  });

  it.skipIf(!counted.includes('pids'))(
    'E12: an exit code of 0 counts for nothing when the kernel refused something before',
    async () => {
      const at = dataDirectory();
      const sandbox = await boxOf('group', at.dataDir);
      const command = BOMB.replace('setInterval(() => {}, 1000)', 'process.exit(0)');
      const same = { runId: 'r1', home: at.home, timeoutMs: 30_000, signal: new AbortController().signal };
      const { result } = await createCheckExecutor({ sandbox }).run({
        ...same,
        kind: 'check',
        name: 'test',
        command,
        dir: at.workspace,
        folder: '',
        onStart: () => {},
      });
      // On a busy machine it is stopped before it ends by itself.
      expect([0, null]).toContain(result.exitCode);
      expect(result.outcome).toBe('failed');
      expect(result.tail).toMatch(/^The check went too far: it started more than 60 processes/);
      const done = await createScriptExecutor({ sandbox }).run({
        ...same,
        prompt: '',
        engineArgs: [command],
        workspace: at.workspace,
        session: null,
        writes: 'change',
        onEvent: () => {},
      });
      expect(done.failure?.class).toBe('budget_exceeded');
    },
  );

  it('says what the kernel does not count here', () => {
    expect(findLimitWeaknesses([])).toEqual([expect.stringMatching(/memory and the number of processes/)]);
    expect(findLimitWeaknesses(['memory', 'pids'])).toEqual([]);
  });
});

describe('the disk', () => {
  const watch = (limits: Partial<BoxLimits>, measure: () => Promise<number | null>) => {
    const dir = mkdtempSync(path.join(tmpdir(), 'agentpr-caps-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const make = createTreeLimiter({ homes: [], limits: { ...DEFAULT_LIMITS, ...limits }, measure });
    const { caps } = make('agentpr.t', [dir]);
    caps.open();
    return { dir, look: (): Promise<CapExcess | null> => caps.measure({ root: null, start: 0, mark: null }) };
  };

  it('is measured only when the file system has grown by what the run has left', async () => {
    let measured = 0;
    const { dir, look } = watch({ diskMb: 20 }, async () => {
      measured += 1;
      return 30 * 1024 * 1024;
    });
    expect(await look()).toBeNull();
    writeFileSync(path.join(dir, 'big'), Buffer.alloc(40 * 1024 * 1024, 1));
    expect(await look()).toMatchObject({ limit: 'disk' });
    expect(measured).toBe(1);
  });
});

describe('control groups', () => {
  /** A hierarchy as the kernel shows it, made of plain files. */
  const machine = (
    own: string,
    mounts: (root: string) => string[],
    files: Record<string, string>,
  ): string => {
    const root = mkdtempSync(path.join(tmpdir(), 'agentpr-groups-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(path.join(root, 'proc'));
    writeFileSync(path.join(root, 'proc/cgroup'), own);
    writeFileSync(path.join(root, 'proc/mountinfo'), mounts(root).join('\n'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    return root;
  };
  const unified = (root: string): string[] => [`31 23 0:28 / ${root}/sys rw - cgroup2 cgroup2 rw`];
  const split = (root: string): string[] => [
    `1 2 0:3 / ${root}/memory rw - cgroup cgroup rw,memory`,
    `1 2 0:4 / ${root}/pids rw - cgroup cgroup rw,pids`,
  ];
  const find = (root: string, named: string | null, isRoot: boolean) =>
    findControlGroupHomes(named, { proc: path.join(root, 'proc'), root: isRoot }).map((home) => ({
      ...home,
      dir: path.relative(root, home.dir),
    }));

  it('are made beside our own where an ordinary user was given the place', () => {
    const root = machine('0::/user/app/agentpr\n', unified, {
      'sys/user/app/agentpr/cgroup.subtree_control': '',
      'sys/user/app/cgroup.subtree_control': 'memory pids',
    });
    // Switching a controller on beside processes fails in the kernel; in plain files it cannot.
    rmSync(path.join(root, 'sys/user/app/agentpr/cgroup.subtree_control'));
    mkdirSync(path.join(root, 'sys/user/app/agentpr/cgroup.subtree_control'));
    expect(find(root, null, false)).toEqual([
      { dir: 'sys/user/app', version: 2, controllers: ['memory', 'pids'] },
    ]);
  });

  it('are not made by root in a group that belongs to somebody else, unless the operator names it', () => {
    const files = { 'memory/theirs/x': '', 'pids/theirs/x': '', 'memory/ours/x': '', 'pids/ours/x': '' };
    const root = machine('2:pids:/theirs\n1:memory:/theirs\n', split, files);
    expect(find(root, null, true)).toEqual([]);
    expect(find(root, '/ours', true)).toEqual([
      { dir: 'memory/ours', version: 1, controllers: ['memory'] },
      { dir: 'pids/ours', version: 1, controllers: ['pids'] },
    ]);
  });

  it('get their limits, in the words of either version, and tell what happened in them', () => {
    const root = machine('', () => [], { 'v1/x': '', 'v2/x': '' });
    const at = (name: string): string => path.join(root, name);
    const both = ['memory', 'pids'] as const;
    const group = createControlGroup(
      [
        { dir: at('v1'), version: 1, controllers: both },
        { dir: at('v2'), version: 2, controllers: both },
      ],
      'g',
    );
    expect(group.open({ memory: 1000, pids: 7 })).toBe(true);
    const said = ['v1/g/memory.limit_in_bytes', 'v1/g/pids.max', 'v2/g/memory.max', 'v2/g/memory.swap.max'];
    expect(said.map((name) => readFileSync(at(name), 'utf8'))).toEqual(['1000', '7', '1000', '0']);
    expect(group.events()).toEqual({ oomKills: 0, refusedForks: 0 });
    writeFileSync(at('v1/g/memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n');
    writeFileSync(at('v2/g/memory.events'), 'oom 1\noom_kill 1\noom_group_kill 0\n');
    writeFileSync(at('v2/g/pids.events'), 'max 5\n');
    expect(group.events()).toEqual({ oomKills: 3, refusedForks: 5 });
  });

  it('are swept when a crash left them empty; those of others only when they are old', () => {
    const root = machine('', () => [], { 'v2/x': '', 'v2/agentpr.ours.full/y': '' });
    const dir = path.join(root, 'v2');
    for (const name of ['agentpr.ours.1', 'agentpr.other.1', 'somebody']) mkdirSync(path.join(dir, name));
    removeStaleControlGroups([{ dir, version: 2, controllers: ['pids'] }], 'agentpr.ours.', 'agentpr.');
    expect(readdirSync(dir).sort()).toEqual(['agentpr.other.1', 'agentpr.ours.full', 'somebody', 'x']);
  });

  it.skipIf(!counted.includes('pids'))('are left by no process alive when they are closed', async () => {
    const group = createControlGroup(homes, `agentpr.caps-test.${process.pid}`);
    group.open({ memory: 1e8, pids: 16 });
    const events = await group.close();
    expect(events).toEqual({ oomKills: 0, refusedForks: 0 });
    for (const home of homes)
      expect(existsSync(path.join(home.dir, `agentpr.caps-test.${process.pid}`))).toBe(false);
  });
});
