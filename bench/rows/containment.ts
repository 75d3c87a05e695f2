/** Cost of starting a box, and survivors of a kill. */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { childEnvironment, spawnProcess } from '#process';
import type { SpawnRequest } from '../../executors/process/spawn.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, median, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const LIMITS = { timeoutMs: 30_000, maxOutputBytes: 65_536 };
/** A duration that no other process uses (s). */
const NAP = 1_000_000 + process.pid;
const ESCAPES = [
  `setsid sleep ${NAP} >/dev/null 2>&1 &`,
  `(setsid sh -c "sleep ${NAP} & sleep ${NAP}" >/dev/null 2>&1 &)`,
  `nohup env -i setsid sleep ${NAP} >/dev/null 2>&1 &`,
  'sleep 0.3; trap "" TERM; echo ready; while :; do sleep 1; done',
].join('\n');
const ESCAPED = 4;

const wrapped = (sandbox: CommandSandbox, runId: string, dirs: string[], command: string): SpawnRequest => {
  const [cwd = '', home = ''] = dirs;
  const env = childEnvironment({ home });
  const box = sandbox.wrap({
    runId,
    argv: ['sh', '-c', command],
    cwd,
    writable: dirs,
    network: 'shared',
    env,
  });
  return { ...box, ...LIMITS };
};

const asleep = (): number =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${NAP}\0`;
    } catch {
      return false;
    }
  }).length;

export const containment: Measurement = {
  name: 'containment',
  about: 'start-up of a contained process, and survivors of a kill',
  run: async ({ pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    const dirs = ['ws', 'home'].map((name) => join(dir, 'data/runs/r1', name));
    for (const made of dirs) mkdirSync(made, { recursive: true });
    const contained = await createSandbox({ setting: 'auto', dataDir: join(dir, 'data') });
    if (contained.kind === 'refused') throw new Error(contained.weaknesses.join(' '));
    const { sandbox } = contained;
    const [cwd = '', home = ''] = dirs;
    try {
      const boxed = (): Promise<number> => timed(() => spawnProcess(wrapped(sandbox, 'r1', dirs, 'true')));
      const plain = { argv: ['sh', '-c', 'true'] as const, cwd, env: childEnvironment({ home }), ...LIMITS };
      const bare = (): Promise<number> => timed(() => spawnProcess({ ...plain, argv: [...plain.argv] }));
      const { a, b } = await inPairs(pairs * 4, boxed, bare);
      const kills: number[] = [];
      let left = 0;
      for (let i = 0; i < pairs; i += 1) {
        const stop = new AbortController();
        let began = 0;
        const ready = (): void => {
          if (asleep() !== ESCAPED) throw new Error('the tree that is to be killed did not grow');
          began = performance.now();
          stop.abort();
        };
        const request = { ...wrapped(sandbox, 'r1', dirs, ESCAPES), signal: stop.signal, graceMs: 0 };
        await spawnProcess({ ...request, onStdout: ready });
        kills.push(performance.now() - began);
        left += asleep();
      }
      return [
        {
          name: 'contained-start',
          value: Math.max(0, a - b),
          unit: 'ms',
          bar: null,
          note: `sh -c true in a box of level ${sandbox.level} ${a.toFixed(1)} ms, without one ${b.toFixed(1)} ms`,
        },
        {
          name: 'kill-survivors',
          value: left,
          unit: 'processes',
          bar: { is: '=', at: 0 },
          note: `${pairs} kills of a tree that leaves its group and its session and ignores TERM; all gone after ${median(kills).toFixed(0)} ms`,
        },
      ];
    } finally {
      remove();
    }
  },
};
