/** A data directory with one run, the available sandboxes, and hostile commands. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { probeContainment } from '../../executors/sandbox/probe-containment.ts';
import type { WrapInput } from '../../executors/sandbox/wrap-command.ts';
import { childEnvironment, spawnProcess, type SpawnResult } from '#process';
import type { SpawnRequest } from '../../executors/process/spawn.ts';
import { roomy, shareBox } from './shared-box.ts';

export const LEVELS = ['bwrap', 'unshare', 'group'] as const;
export type Level = (typeof LEVELS)[number];

/** Returns why a level cannot be tested here, or null. */
export const lacking = async (level: Level): Promise<string | null> => {
  const { profile, weaknesses } = await probeContainment(level);
  return profile.kind === level ? null : weaknesses.join(' ');
};

export type Home = { dataDir: string; workspace: string; home: string; other: string };

export const dataDirectory = (): Home => {
  const dataDir = mkdtempSync(path.join(roomy(), 'agentpr-test-'));
  const [workspace, home] = [path.join(dataDir, 'runs/r1/ws'), path.join(dataDir, 'runs/r1/home')];
  const other = path.join(dataDir, 'runs/r2/ws');
  for (const directory of [workspace, home, other]) mkdirSync(directory, { recursive: true });
  shareBox(dataDir);
  writeFileSync(path.join(dataDir, 'ledger.db'), 'rows');
  writeFileSync(path.join(other, 'theirs'), 'other run');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  return { dataDir, workspace, home, other };
};

export const sandboxOf = async (
  level: Level,
  dataDir: string,
  hidden: string[] = [],
): Promise<CommandSandbox> => {
  const outcome = await createSandbox({ setting: level, dataDir, hidden });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  return outcome.sandbox;
};

/** Runs shell text in the run's workspace, sandboxed. */
export const inBox = (
  sandbox: CommandSandbox,
  at: Home,
  text: string,
  more: Partial<SpawnRequest> & { wrap?: Partial<WrapInput> } = {},
): Promise<SpawnResult> => {
  const { wrap, ...request } = more;
  const wrapped = sandbox.wrap({
    runId: 'r1',
    argv: ['sh', '-c', text],
    cwd: at.workspace,
    writable: [at.workspace, at.home],
    network: 'shared',
    env: childEnvironment({ home: at.home }),
    ...wrap,
  });
  return spawnProcess({ ...wrapped, timeoutMs: 60_000, maxOutputBytes: 1_000_000, ...request });
};

let counter = 0;
/** A unique duration, so that tests find their own sleepers. */
export const uniqueSleep = (): string => `86400.${process.pid}${Date.now() % 1_000_000}${(counter += 1)}`;

export const sleepers = (duration: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const [program, argument] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return program?.endsWith('sleep') === true && argument === duration ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

/** Spawns children that try to escape, reports that, and ignores SIGTERM. */
export const hostile = (duration: string): string => `
sleep ${duration} &
nohup sleep ${duration} >/dev/null 2>&1 &
setsid env -i sleep ${duration} >/dev/null 2>&1 </dev/null &
(setsid sh -c 'trap "" TERM HUP; sleep ${duration} & wait' >/dev/null 2>&1 &)
(cd /; env -i setsid sh -c '(setsid env -i sleep ${duration} >/dev/null 2>&1 </dev/null &)' &)
trap '' TERM HUP INT
n=0; while [ $n -lt 5 ]; do n=0; for p in /proc/[0-9]*; do case $(tr '\\0' ' ' <$p/cmdline 2>/dev/null) in "sleep ${duration} "*) n=$((n+1));; esac; done; done
echo lost
`;

/** Returns whether the fact came true before the deadline. */
export const eventually = async (fact: () => boolean, deadlineMs = 60_000): Promise<boolean> => {
  const end = performance.now() + deadlineMs;
  while (!fact()) {
    if (performance.now() > end) return false;
    await pause(5);
  }
  return true;
};
