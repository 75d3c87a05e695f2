/** L6: a boot with a hundred interrupted runs is ready within two seconds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tellStory } from '../../../bench/story.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { createReaper } from '#process';
import { recoverAfterCrash } from '#runtime';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import { bootInboxItem } from '../../../orchestrator/notices/work-notices.ts';
import * as acts from '../../support/core-acts.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { timed, type Claim } from '../claim.ts';

const bar = { quick: 3, full: 20 };
const RUNS = 100;
const MOST_MS = 2_000;
const FROM = 1_700_000_000_000;

const fill = async (dir: string): Promise<void> => {
  const ledger = await openLedger({ dataDir: dir, now: () => FROM });
  for (let i = 0; i < RUNS; i += 1) {
    const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
    await tellStory({ ledger, from: FROM }, `busy${i}`, story);
    const root = join(dir, 'runs', `busy${i}`);
    mkdirSync(join(root, 'ws'), { recursive: true });
    writeFileSync(join(root, 'ready.json'), '{"ref":"main","sha":"0"}');
  }
  await ledger.close();
};

/** Leases effects and records processes, then ends like a power failure. */
const leave = async (ledger: Ledger, now: number): Promise<number> => {
  const claims = await ledger.claim({ now, leaseMs: 3_600_000, limit: 1_000, kinds: ['implement'] });
  for (const [i, { runId }] of claims.entries()) {
    const attempt = await ledger.attempt.start({
      runId: runId ?? '',
      step: 'agent',
      command: 'agent',
      startedAt: now,
      engine: 'script',
      model: null,
      promptHash: null,
      baseSha: null,
      containment: null,
      pid: null,
      pidStart: null,
    });
    await ledger.attempt.recordProcess(attempt, 4_000_000 + i, '1');
  }
  return claims.length;
};

const quiet = (): void => undefined;
const LOG: LogPort = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Leases effects for the next boot to find. */
const boot = async (dir: string, first: boolean): Promise<{ ms: number; wrong: string[] }> => {
  const began = performance.now();
  const now = Date.now();
  const clock = { now: () => now };
  const ledger: Ledger = await openLedger({ dataDir: dir, now: clock.now });
  const serverUrl = 'http://127.0.0.1:1';
  const workspaces = createWorkspaces({ dataDir: dir, serverUrl, credential: async () => null });
  const found = await recoverAfterCrash({
    ledger,
    workspaces,
    reaper: createReaper({ dataDir: dir }),
    clock,
    log: LOG,
  });
  await ledger.receive([bootInboxItem(found, now)], now);
  const ms = performance.now() - began;
  const wrong: string[] = [];
  if (!first && found.freed !== RUNS) wrong.push(`${found.freed} leases were freed, not ${RUNS}`);
  if (found.swept !== 0) wrong.push(`${found.swept} workspaces of live runs were removed`);
  if ((await ledger.attempt.orphans()).length > 0)
    wrong.push('attempts of the last boot still count as running');
  const claimed = await leave(ledger, now);
  if (claimed !== RUNS) wrong.push(`${claimed} rounds go on, not ${RUNS}`);
  await ledger.close();
  return { ms, wrong };
};

export const recovery: Claim = {
  name: 'recovery',
  says: `a boot over ${RUNS} runs in the middle of their work: every lease free, every round goes on, within ${MOST_MS / 1_000} s`,
  bar,
  run: ({ quick, trials, progress }) =>
    timed(async () => {
      const { dir, remove } = temporaryDirectory();
      try {
        await fill(dir);
        await boot(dir, true);
        const violations: string[] = [];
        const took: number[] = [];
        const of = trials ?? (quick ? bar.quick : bar.full);
        for (let i = 0; i < of; i += 1) {
          const { ms, wrong } = await boot(dir, false);
          took.push(ms);
          violations.push(...wrong.map((w) => `boot ${i + 1}: ${w}`));
          progress(i + 1, of);
        }
        took.sort((a, b) => a - b);
        const value = Math.round(took[Math.floor(took.length / 2)] ?? Infinity);
        return {
          trials: of,
          violations,
          note: `ledger opened, leases freed, processes looked for, workspaces looked through; slowest ${Math.round(took.at(-1) ?? 0)} ms`,
          measured: [{ name: 'recovery-median', value, unit: 'ms', bar: { is: '<=' as const, at: MOST_MS } }],
        };
      } finally {
        remove();
      }
    }),
};
