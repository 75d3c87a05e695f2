/** L6: after a crash nothing that a run started is left, and nothing else is touched. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createReaper } from '#process';
import { findProcessStartTime } from '../../executors/process/process-tree.ts';
import { dataDirectory, eventually, hostile, sleepers, uniqueSleep } from '../support/contained.ts';

/**
 * A process that started a hostile command without a box and was then killed; its attempt row is
 * what it had stored.
 */
const crashed = async (dataDir: string, duration: string) => {
  const script = fileURLToPath(new URL('../support/orchestrator.ts', import.meta.url));
  const command = `${hostile(duration)}\nsleep ${duration}`;
  const child = spawn(process.execPath, [script, JSON.stringify({ setting: 'group' }), dataDir, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let attempt = { runId: 'r1', pid: null as number | null, pidStart: null as string | null };
  let lost = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, pid, pidStart] = line.split(' ');
    if (word === 'started' && pidStart !== undefined) attempt = { runId: 'r1', pid: Number(pid), pidStart };
    lost = word === 'lost';
    if (lost) break;
  }
  if (!lost) throw new Error('the hostile command ended before its children were there');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  return attempt;
};

/** The test itself must leave nobody behind, whatever it finds. */
const cleanUp = (duration: string) =>
  onTestFinished(() => {
    for (const pid of sleepers(duration)) process.kill(pid, 'SIGKILL');
  });

it('L6: ends everything that a killed orchestrator left, the children that hid included', async () => {
  const at = dataDirectory();
  const duration = uniqueSleep();
  cleanUp(duration);
  const attempt = await crashed(at.dataDir, duration);
  expect(sleepers(duration).length).toBeGreaterThanOrEqual(5);
  const reaper = createReaper(at);
  expect(await reaper.reap([attempt])).toBeGreaterThanOrEqual(5);
  expect(sleepers(duration)).toEqual([]);
  expect(await reaper.reap([attempt])).toBe(0);
});

it('finds the processes of a run by their mark alone, when the crash came before the pid was stored', async () => {
  const at = dataDirectory();
  const duration = uniqueSleep();
  cleanUp(duration);
  await crashed(at.dataDir, duration);
  expect(await createReaper(at).reap([{ runId: 'r1', pid: null, pidStart: null }])).toBeGreaterThanOrEqual(5);
  expect(sleepers(duration)).toEqual([]);
});

it('opens what a killed agent had locked, so that the next step of its run can be taken', async () => {
  const at = dataDirectory();
  mkdirSync(`${at.home}/.codex`);
  writeFileSync(`${at.home}/.codex/auth.json`, '{}');
  for (const place of [`${at.home}/.codex/auth.json`, `${at.home}/.codex`, at.home, at.workspace])
    chmodSync(place, 0);
  expect(await createReaper(at).reap([{ runId: 'r1', pid: null, pidStart: null }])).toBe(0);
  const modes = [at.workspace, at.home, `${at.home}/.codex`, `${at.home}/.codex/auth.json`].map(
    (place) => statSync(place).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  expect(statSync(at.other).mode & 0o077).not.toBe(0);
});

it('never touches another run, or a run of the same name in another data directory', async () => {
  const [at, other] = [dataDirectory(), dataDirectory()];
  const duration = uniqueSleep();
  cleanUp(duration);
  await crashed(at.dataDir, duration);
  const before = sleepers(duration);
  const nobody = { pid: null, pidStart: null };
  expect(await createReaper(other).reap([{ runId: 'r1', ...nobody }])).toBe(0);
  expect(
    await createReaper(at).reap([
      { runId: 'r', ...nobody },
      { runId: 'r2', ...nobody },
    ]),
  ).toBe(0);
  // One more may have come to life meanwhile; none is gone.
  expect(sleepers(duration)).toEqual(expect.arrayContaining(before));
});

it('L6: leaves a stranger alone that got the pid of an attempt', async () => {
  const at = dataDirectory();
  const duration = uniqueSleep();
  const stranger = spawn('sleep', [duration], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const pid = stranger.pid ?? 0;
  expect(await eventually(() => sleepers(duration).length === 1)).toBe(true);
  const wrongStart = String(Number(findProcessStartTime(pid)) - 1);
  expect(await createReaper(at).reap([{ runId: 'r1', pid, pidStart: wrongStart }])).toBe(0);
  expect(await createReaper(at).reap([{ runId: 'r1', pid, pidStart: null }])).toBe(0);
  expect(sleepers(duration)).toEqual([pid]);
});
