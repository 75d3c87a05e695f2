/** E2: one place spawns processes; it bounds them and leaves nobody behind. */
import { spawnSync } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnProcess } from '#process';
import type { SpawnRequest } from '../../executors/process/spawn.ts';
import { eventually, sleepers, uniqueSleep } from '../support/contained.ts';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const run = (text: string, more: Partial<SpawnRequest> = {}) =>
  spawnProcess({
    argv: ['sh', '-c', text],
    cwd: tmpdir(),
    env: { PATH },
    timeoutMs: 20_000,
    maxOutputBytes: 1_000_000,
    ...more,
  });

describe('what a child gets', () => {
  it('E2: gives the child exactly the environment that was asked for', async () => {
    process.env['AGENTPR_TEST_SECRET'] = 'token';
    onTestFinished(() => void delete process.env['AGENTPR_TEST_SECRET']);
    const end = await run('exec env', { env: { PATH, ONE: '1' } });
    expect(
      end.stdout
        .split('\n')
        .filter((line) => !/^(PWD|_|OLDPWD|SHLVL)=/.test(line) && line !== '')
        .sort(),
    ).toEqual(['ONE=1', `PATH=${PATH}`]);
  });

  it('writes standard input and closes it', async () => {
    expect((await run('cat; echo end', { stdin: 'päckchen\n' })).stdout).toBe('päckchen\nend\n');
  });

  it('gives an empty standard input when none was asked for', async () => {
    expect((await run('cat; echo end')).stdout).toBe('end\n');
  });

  it('G5: passes a secret through a descriptor, in neither argv nor environment', async () => {
    const end = await run('cat <&9; tr "\\0" " " </proc/$$/cmdline; env', {
      inherit: [{ fd: 9, content: 'tok-123\n' }],
    });
    expect(end.stdout.match(/tok-123/g)).toHaveLength(1);
  });

  it('E2: passes on no descriptor that was left open in us', async () => {
    const script = fileURLToPath(new URL('../support/lists-descriptors.ts', import.meta.url));
    const leak = openSync(fileURLToPath(import.meta.url), 'r');
    onTestFinished(() => closeSync(leak));
    // Node protects the low numbers by itself.
    const stdio = ['ignore', 'pipe', 'pipe', ...Array<'ignore'>(37).fill('ignore'), leak] as const;
    const { stdout } = spawnSync(process.execPath, [script], { stdio: [...stdio], encoding: 'utf8' });
    expect(stdout).toContain('ran');
    expect(stdout).not.toContain('spawn.test.ts');
  });

  it('tells the pid and its start time, which together name one process', async () => {
    let seen: [number, string | null] | undefined;
    const end = await run('cut -d" " -f1,22 /proc/$$/stat', { onStart: (...started) => (seen = started) });
    expect(end.stdout.trim().split(' ')).toEqual([String(seen?.[0]), seen?.[1]]);
  });
});

describe('how it ends', () => {
  it('reports the exit code', async () => {
    expect(await run('echo no >&2; exit 3')).toMatchObject({ ended: 'exited', exitCode: 3, stderr: 'no\n' });
  });

  it('reports a signal', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({
      ended: 'signalled',
      exitCode: null,
      signal: 'SIGSEGV',
    });
  });

  it.each([
    [{ argv: ['agentpr-no-such-program'] as const }, /"agentpr-no-such-program" was not found/],
    [{ cwd: '/agentpr/nowhere' }, /directory \/agentpr\/nowhere is missing/],
    [{ argv: ['/etc/passwd'] as const }, /may not be executed/],
  ])('says in a sentence why it was not started %#', async (more, sentence) => {
    const end = await run('', more);
    expect(end).toMatchObject({ ended: 'not_started', exitCode: null });
    expect(end.stderr).toMatch(sentence);
  });

  it('E2: stops on time what ignores the polite signal, within three seconds', async () => {
    const duration = uniqueSleep();
    const stop = new AbortController();
    // On the same machine at the same time, and as slow as it: three seconds, and as much again for
    // a start.
    const witness = run('sleep 4', { signal: stop.signal }).then(() => 'four seconds are over');
    const end = await Promise.race([
      run(`trap '' TERM; echo up; while :; do sleep ${duration}; done`, { timeoutMs: 300 }),
      witness,
    ]);
    stop.abort();
    await witness;
    expect(end).toMatchObject({ ended: 'timed_out', signal: 'SIGKILL', stdout: 'up\n' });
    expect(sleepers(duration)).toEqual([]);
  });

  it('lets a process that heeds the polite signal say its last words', async () => {
    const abort = new AbortController();
    const text = `trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done`;
    const end = await run(text, { signal: abort.signal, onStdout: () => abort.abort() });
    expect(end).toMatchObject({ ended: 'aborted', exitCode: 7, stdout: 'up\nbye\n' });
  });

  it('does not start what was aborted before', async () => {
    const end = await run('echo ran', { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ ended: 'aborted', exitCode: null, stdout: '' });
  });

  it('E2: leaves no background child when the command ends by itself', async () => {
    const duration = uniqueSleep();
    const end = await run(`sleep ${duration} & sleep ${duration} >/dev/null 2>&1 & echo done`);
    expect(end).toMatchObject({ ended: 'exited', exitCode: 0, stdout: 'done\n' });
    expect(await eventually(() => sleepers(duration).length === 0, 500)).toBe(true);
  });

  it('E2: finds children that left the group while their parent lived, when it has to stop a tree', async () => {
    const duration = uniqueSleep();
    const end = await run(`setsid sleep ${duration} & echo up; wait`, {
      timeoutMs: 500,
      graceMs: 0,
    });
    expect(end.ended).toBe('timed_out');
    expect(sleepers(duration)).toEqual([]);
  });
});

describe('what is kept of the output', () => {
  it('E2: caps 50 MB on one line, keeps the first bytes and does not grow', async () => {
    const before = process.memoryUsage().rss;
    const end = await run('printf start; head -c 50000000 /dev/zero | tr "\\0" x; exec sleep 100');
    expect(end).toMatchObject({ ended: 'output_limit' });
    expect(end.stdout).toHaveLength(1_000_000);
    expect(end.stdout.startsWith('startxxx')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000);
  });

  it('caps standard error as well', async () => {
    const end = await run('yes >&2', { maxOutputBytes: 1000 });
    expect(end).toMatchObject({ ended: 'output_limit' });
    expect(end.stderr).toHaveLength(1000);
  });

  it('never splits a character, neither between chunks nor at the cap', async () => {
    const chunks = await run(`printf '\\342'; sleep 0.05; printf '\\202\\254'`);
    expect(chunks.stdout).toBe('€');
    const capped = await run(`printf 'ab€€'`, { maxOutputBytes: 6 });
    expect(capped.stdout).toBe('ab€');
    expect(capped.stdoutBytes).toHaveLength(6);
  });
});

it('finds its programs on the PATH that it was given, not on ours', async () => {
  const end = await spawnProcess({
    argv: ['sh', '-c', 'echo ran'],
    cwd: tmpdir(),
    env: { PATH: path.join(tmpdir(), 'agentpr-empty') },
    timeoutMs: 5000,
    maxOutputBytes: 100,
  });
  expect(end.ended).toBe('not_started');
});
