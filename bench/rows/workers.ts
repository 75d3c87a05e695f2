/** Workers over one Postgres: reaction time, scaling to four, and recovery after a kill (L7). */
import { join } from 'node:path';
import { openSharedLedger } from '../../db/directory/shared-ledger.ts';
import { loadOrCreateKey } from '../../db/directory/ledger-key.ts';
import { startPostgres, type Server } from '../../tests/support/postgres.ts';
import { work, write } from '../../tests/support/ledger.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, quantile, round, spread, timed } from '../measure.ts';
import { startNode, type Running } from '../processes.ts';
import { amountOf, type BenchOptions, type Measurement, type Row } from '../row.ts';

const WORKER = join(import.meta.dirname, '../load/worker.ts');

const createInstallation = async (server: Server) => {
  const { dir, remove } = temporaryDirectory();
  const database = await server.database();
  const { ledger, clock } = await openSharedLedger({
    dataDir: dir,
    database,
    role: 'control',
    onTrouble: (error) => console.error(error),
  });
  loadOrCreateKey(join(dir, 'keys', 'seal.key'), { mayMake: true });
  // The control process finds abandoned leases while nobody commits.
  const looks = setInterval(() => {
    ledger.claim({ now: clock.now(), leaseMs: 1, limit: 1, kinds: ['start_run'] }).catch(() => {});
  }, 2_000);
  const workers: Running[] = [];
  let made = 0;
  return {
    start: async (sleeps: number, atOnce: number): Promise<Running> => {
      const worker = startNode([WORKER, dir, database, String(sleeps), String(atOnce)]);
      workers.push(worker);
      await worker.says(/ready/);
      return worker;
    },
    commit: () => write(ledger, `r${(made += 1)}`, { effects: [work('discover')], now: clock.now() }),
    stopWorkers: async () => {
      for (const one of workers.splice(0)) await one.stop();
    },
    close: async () => {
      clearInterval(looks);
      for (const one of workers.splice(0)) await one.stop();
      await ledger.close();
      remove();
    },
  };
};

const begun = (worker: Running): number => worker.stdout().match(/^begun/gm)?.length ?? 0;
const ended = (workers: readonly Running[]): number =>
  workers.reduce((n, one) => n + (one.stdout().match(/^ended/gm)?.length ?? 0), 0);
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const wake = async (server: Server, { quick }: BenchOptions): Promise<Row> => {
  const installation = await createInstallation(server);
  try {
    const worker = await installation.start(0, 4);
    const took: number[] = [];
    for (let i = 0; i < (quick ? 40 : 200); i += 1) {
      const before = begun(worker);
      await installation.commit();
      const committed = Date.now();
      await until(() => begun(worker) > before);
      const at = Number(/begun \d+ (\d+)\n(?!.*begun)/s.exec(worker.stdout())?.[1]);
      if (i > 4) took.push(Math.max(0, at - committed));
    }
    return {
      name: 'workers-wake',
      value: quantile(took, 0.95),
      unit: 'ms',
      bar: { is: '<=', at: 20 },
      note: `from a commit to the start of its work in another process, p95 of ${took.length}; median ${quantile(took, 0.5)} ms`,
    };
  } finally {
    await installation.close();
  }
};

/** Long enough that starting an agent hardly counts (ms). */
const SLEEPS = 2_000;
const AT_ONCE = 2;
const spreadOut = async (server: Server, options: BenchOptions): Promise<Row> => {
  const installation = await createInstallation(server);
  const runs = amountOf(options, 16, 32, 32);
  const with_ = async (n: number): Promise<number> => {
    const workers = await Promise.all(Array.from({ length: n }, () => installation.start(SLEEPS, AT_ONCE)));
    const ms = await timed(async () => {
      for (let i = 0; i < runs; i += 1) await installation.commit();
      await until(() => ended(workers) >= runs);
    });
    await installation.stopWorkers();
    return ms;
  };
  try {
    const paired = await inPairs(
      amountOf(options, 1, 1, 3),
      () => with_(1),
      () => with_(4),
    );
    return {
      name: 'workers-four',
      value: paired.ratio,
      unit: 'x one',
      bar: { is: '>=', at: 3 },
      note: `${runs} runs whose agent sleeps ${SLEEPS} ms, ${AT_ONCE} at once in each process: one ${round(paired.a)} ms, four ${round(paired.b)} ms; ${spread(paired)}`,
    };
  } finally {
    await installation.close();
  }
};

const takeover = async (server: Server, options: BenchOptions): Promise<Row> => {
  const installation = await createInstallation(server);
  const took: number[] = [];
  try {
    for (let i = 0; i < amountOf(options, 1, 1, 3); i += 1) {
      const victim = await installation.start(600_000, 1);
      await installation.commit();
      await until(() => begun(victim) > 0);
      process.kill(victim.pid, 'SIGKILL');
      await victim.ended;
      const killed = performance.now();
      const heir = await installation.start(0, 1);
      await until(() => begun(heir) > 0);
      took.push(performance.now() - killed);
      await installation.stopWorkers();
    }
    return {
      name: 'workers-takeover',
      value: Math.max(...took) / 1_000,
      unit: 's',
      bar: { is: '<=', at: 45 },
      note: `from the SIGKILL of a worker until another works on its run, the longest of ${took.length}`,
    };
  } finally {
    await installation.close();
  }
};

export const workers: Measurement = {
  name: 'workers',
  about: 'workers over one Postgres: commit to start, four beside one, takeover after a kill',
  run: async (options): Promise<Row[]> => {
    const server = await startPostgres([]);
    try {
      return [await wake(server, options), await spreadOut(server, options), await takeover(server, options)];
    } finally {
      await server.stop();
    }
  },
};
