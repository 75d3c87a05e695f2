/**
 * What a host may lack or name wrongly: a place for temporary files, an account, descriptors, a git
 * that will do.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findOwnStopFailure } from '../../../executors/engines/shared/engine-failure.ts';
import { makeTemporaryDirectory } from '#process';
import type { ProcessEnd } from '#ports/processes';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const run = ([program = '', ...args]: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(program, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });
/** Runs a module of TypeScript text in a process of its own, perhaps under another program. */
const inProcess = (code: string, under: readonly string[] = []) =>
  run([...under, process.execPath, '--input-type=module', '-e', code]);
const works = (...argv: [string, ...string[]]): boolean => spawnSync(argv[0], argv.slice(1)).status === 0;

describe('a host', () => {
  const before = process.env.TMPDIR;
  afterEach(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });

  it.each(['/nonexistent/x', '/etc/passwd'])('whose TMPDIR is %s is told so in a sentence', (place) => {
    process.env.TMPDIR = place;
    expect(() => makeTemporaryDirectory('agentpr-test-')).toThrow(
      /^Nothing can be written to \/.* \(ENO\w+\)\. Make it/,
    );
  });

  const asNobody = ['setpriv', '--reuid', '58999', '--regid', '58999', '--clear-groups', '--'];
  it.skipIf(!works('setpriv', ...asNobody.slice(1), 'test', '-r', path.join(ROOT, 'package.json')))(
    'that runs us as a number without an account still makes boxes',
    () => {
      const code = `
        const { boxLayout: layout } = await import('./executors/sandbox/box-layout.ts');
        console.log(layout({ hidden: [], writable: ['/tmp'], readable: [] }).length);`;
      const end = inProcess(code, asNobody);
      expect(end.stderr).toBe('');
      expect(Number(end.stdout)).toBeGreaterThan(3);
    },
  );

  it('that has no descriptors left is told from one without the program, and tried again', () => {
    const code = `
      import { closeSync, openSync } from 'node:fs';
      const { spawnProcess } = await import('./executors/process/spawn.ts');
      const ask = () => spawnProcess({ argv: ['true'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 9_000, maxOutputBytes: 100 });
      await ask();
      const held = [];
      try { for (;;) held.push(openSync('/dev/null')); } catch {}
      for (const fd of held.splice(-3)) closeSync(fd);
      const end = await ask();
      for (const fd of held) closeSync(fd);
      console.log(JSON.stringify(end));`;
    const end = JSON.parse(inProcess(code, ['prlimit', '--nofile=128', '--']).stdout) as ProcessEnd;
    expect(end).toMatchObject({ ended: 'not_started', excess: { limit: 'host' } });
    expect(findOwnStopFailure(end, 'The script')).toMatchObject({
      class: 'crashed',
      message: expect.stringMatching(
        /^The script could not be started: too many files are open; allow more/,
      ) as string,
    });
    expect(
      findOwnStopFailure({ ...end, excess: undefined } as unknown as ProcessEnd, 'The script')?.class,
    ).toBe('agent_missing');
  });

  const git = execFileSync('sh', ['-c', 'command -v git'], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    encoding: 'utf8',
  }).trim();
  const mounts = ['unshare', '-rm', '--', 'sh', '-c'] as const;
  it.skipIf(!works(...mounts, `mount --bind /dev/null ${git}`))(
    'whose git will not do is told so at the start',
    () => {
      const without = (what: string): string[] => [...mounts, `${what}; exec "$@"`, 'sh'];
      const gone = without(`mount --bind /dev/null ${git}`);
      const old = without(
        `mount -t tmpfs none /mnt; printf '#!/bin/sh\\necho git version 2.30.2\\n' >/mnt/git; chmod +x /mnt/git; mount --bind /mnt/git ${git}`,
      );
      const code = `console.log((await (await import('./executors/git/trusted-git.ts')).assertGit()) ?? null);`;
      expect(inProcess(code, gone).stderr).toMatch(/: git was not found \(in \/usr\/local\/bin, /);
      expect(inProcess(code, old).stderr).toMatch(/: git version 2\.30\.2 is too old \(in /);
      expect(inProcess(code).stdout).toBe('null\n');
      const dir = makeTemporaryDirectory('agentpr-host-');
      const env = {
        TELEGRAM_BOT_TOKEN: '1:x',
        TELEGRAM_ADMIN_IDS: '1',
        GITHUB_TOKEN: 'x',
        AGENTPR_DATA_DIR: dir,
      };
      const end = run([...old, process.execPath, 'cli/agentpr.js', 'start'], env);
      rmSync(dir, { recursive: true });
      expect(end.status).toBeGreaterThan(0);
      expect(end.stderr).toMatch(/git version 2\.30\.2 is too old .* Install git 2\.38 or newer there\.\n$/);
    },
  );

  it.skipIf(!works(...mounts, 'mount -t tmpfs -o size=64m none /mnt'))(
    'whose disk an agent fills gets its room back before anything else is stored, whatever the agent says of it',
    () => {
      const code = `
        import { existsSync, mkdirSync, readdirSync, statfsSync } from 'node:fs';
        const { createSandbox } = await import('./executors/sandbox/create-sandbox.ts');
        const { createScriptExecutor } = await import('./executors/engines/script/script.ts');
        const at = { workspace: '/mnt/data/runs/r1/ws', home: '/mnt/data/runs/r1/home' };
        for (const place of Object.values(at)) mkdirSync(place, { recursive: true });
        const { sandbox } = await createSandbox({ setting: 'group', dataDir: '/mnt/data' });
        const done = await createScriptExecutor({ sandbox }).run({
          ...at, runId: 'r1', prompt: '', session: null, writes: 'change', timeoutMs: 60_000,
          engineArgs: ['dd if=/dev/zero of=fill bs=1M; dd if=/dev/zero of=$HOME/fill bs=1; exit 0'],
          signal: new AbortController().signal, onEvent: () => {},
        });
        const { bavail, bsize } = statfsSync('/mnt');
        const left = [existsSync(at.workspace), readdirSync(at.home)];
        console.log(JSON.stringify({ failure: done.failure, left, free: bavail * bsize }));`;
      const end = inProcess(code, [...mounts, 'mount -t tmpfs -o size=64m none /mnt; exec "$@"', 'sh']);
      expect(end.stderr).toBe('');
      const said = JSON.parse(end.stdout) as { failure: { class: string }; left: unknown; free: number };
      expect(said).toMatchObject({ failure: { class: 'disk_full' }, left: [false, []] });
      expect(said.free).toBeGreaterThan(60 * 1024 * 1024);
    },
  );
});
