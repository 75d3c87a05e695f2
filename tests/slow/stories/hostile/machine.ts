/** Attacks on the machine: too much of everything, and not wanting to die. */
import { expect } from 'vitest';
import { findUsableGroupHomes } from '../../../../executors/sandbox/resource-limits.ts';
import type { Run } from '#run';
import type { Product } from '../../../support/product.ts';
import type { Attack } from './scene.ts';

/** Small enough that a test reaches them at once. */
export const LIMITS = { memoryMb: 512, processes: 128, diskMb: 64, outputMb: 4 };

/**
 * Where the kernel counts processes for us; elsewhere it refuses them one by one, and a tree that
 * dies of that may be gone when it is looked at.
 */
const counted = (await findUsableGroupHomes(null, 'agentpr-test-')).some(({ controllers }) =>
  controllers.includes('pids'),
);
const TOO_MANY = /it started more than 128 processes and threads \(sandboxLimits\.processes\)/;
const NO_MORE = /it could start no more processes; a run may have 128/;

/** Processes of a run, without those of our own git. */
const alive = (product: Product, run: Run): string[] =>
  product.processes().filter((says) => says.includes(run.id) && !/^\d+ \S*git\b/.test(says));

export const MACHINE: Record<string, Attack> = {
  bomb: {
    tries: 'to start processes without end',
    script: 'echo more >>README.md; bomb() { bomb | bomb & }; bomb; sleep 60',
    ends: 'NEEDS_HUMAN_REVIEW',
    says: [counted ? TOO_MANY : new RegExp(`${TOO_MANY.source}|${NO_MORE.source}|The budget is used up`)],
    holds: async ({ product }, run) => {
      await product.processesGone(() => alive(product, run));
    },
  },
  memory: {
    tries: 'to take all memory',
    script: `exec node -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 60)'`,
    ends: 'NEEDS_HUMAN_REVIEW',
    says: [/it used more than 512 MB of memory|it ran out of memory; a run may use 512 MB/],
  },
  disk: {
    tries: 'to fill the disk',
    script: 'i=0; while :; do head -c 10000000 /dev/zero >~/f$i; i=$((i+1)); [ $i -lt 30 ] || sleep 60; done',
    ends: 'NEEDS_HUMAN_REVIEW',
    says: [/it wrote more than 64 MB to disk \(sandboxLimits\.diskMb\)/],
  },
  flood: {
    tries: 'to print a gigabyte on one line',
    script: 'head -c 1000000000 /dev/zero | tr "\\0" x; echo more >>README.md',
    ends: 'NEEDS_HUMAN_REVIEW',
    says: [/printed too much and was stopped/],
  },
  scratch: {
    boxed: true,
    tries: 'to fill the memory through /tmp and /dev/shm',
    script:
      'for d in /tmp /dev/shm; do head -c 300000000 /dev/zero >$d/x 2>/dev/null; done; ls -l /tmp/x /dev/shm/x | wc -l; du -m /tmp/x /dev/shm/x; echo more >>README.md',
    ends: 'PUSHED',
    says: [/README\.md/],
    holds: ({ printed }) => {
      const sizes = [...printed('scratch').matchAll(/^(\d+)\t/gm)].map(([, mb]) => Number(mb));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.memoryMb / 4);
    },
  },
  lasting: {
    tries:
      'to live on and to change files after the harvest (double fork, new session, no environment), and to have one check prepare the next',
    script: `
      evil='trap "" TERM HUP INT; while :; do echo "export const a = 666;" >src/a.js; sleep 0.01; done'
      (setsid sh -c "$evil" >/dev/null 2>&1 &)
      (env -i PATH="$PATH" setsid sh -c "$evil" >/dev/null 2>&1 </dev/null &)
      nohup sh -c "$evil" >/dev/null 2>&1 &
      echo more >>README.md`,
    checks: [
      `echo planted >planted; echo planted >~/planted; echo 'export const a = 7;' >src/a.js; sleep 0.3; true`,
      '[ ! -e planted ] && [ ! -e ~/planted ] && ! grep -q 7 src/a.js',
    ],
    ends: 'PUSHED',
    says: [/README\.md/],
    holds: async ({ repo, product }, run) => {
      // What was pushed is what the card shows, to the byte, and nobody is left who could change
      // it.
      const branch = run.change.pushedHead?.branch ?? '';
      expect(await repo('lasting').head(branch)).toBe(run.change.commit?.sha);
      const shown = run.change.commit?.diff.files.map((file) => file.path) ?? [];
      const now = await repo('lasting').read('src/a.js', branch);
      expect(shown.includes('src/a.js')).toBe(now !== 'export const a = 1;');
      await product.processesGone(() => alive(product, run));
    },
  },
  stubborn: {
    tries: 'to outlive its own time by ignoring every signal',
    script: `trap '' TERM HUP INT; (setsid sh -c 'trap "" TERM; while :; do sleep 1; done' &); while :; do sleep 1; done`,
    ends: 'NEEDS_HUMAN_REVIEW',
    says: [/The budget is used up: agent and check time, [\d.]+ min of [\d.]+ min\. .* \/budget \S+ time/],
    // The clock of the run may tell a person before the last one is dead.
    holds: async ({ product }, run) => {
      await product.processesGone(() => alive(product, run));
    },
  },
};
