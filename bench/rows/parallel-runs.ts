/** Processor time and memory per run of a hundred parallel runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { sampleDirectory } from '#playground';
import { startHost, type Host } from '../host.ts';
import { forgetPeak, peakMb, processorSeconds, residentMb } from '../processes.ts';
import { amountOf, type Measurement, type Row } from '../row.ts';

/** Long enough for all of them to overlap (s). */
const NAP = 30;
const REST_MS = 3_000;
const LONGEST_MS = 900_000;

const count = (host: Host, sql: string): number => host.look<{ n: number }>(sql)[0]?.n ?? 0;
const CARDS =
  "select count(distinct run_id) as n from effects where kind = 'chat_message' and state = 'done' and json_extract(request_json, '$.content.view') = 'gate'";
const AT_WORK =
  "select count(*) as n from step_attempts where step = 'agent' and pid is not null and outcome = 'running'";

const cards = async (host: Host, runs: number): Promise<number> => {
  const until = performance.now() + LONGEST_MS;
  let together = 0;
  while (count(host, CARDS) < runs) {
    if (performance.now() > until) throw new Error(`Only ${count(host, CARDS)} of ${runs} runs had a card.`);
    together = Math.max(together, count(host, AT_WORK));
    await pause(500);
  }
  return together;
};

export const parallelRuns: Measurement = {
  name: 'parallel-runs',
  about: 'processor time and memory of our own process for 40 runs at the same time (--full: 100)',
  run: async (options): Promise<Row[]> => {
    const runs = amountOf(options, 20, 40, 100);
    const script = `sleep ${NAP}; echo "$$" >> note.txt; seq 2000; echo done`;
    const host = await startHost({ settings: { maxParallelRuns: runs, script } });
    try {
      const { fullName } = await host.github.addRepo({
        owner: 'acme',
        name: 'crowd',
        from: sampleDirectory(),
      });
      const product = await host.start();
      await pause(REST_MS);
      const [before, used] = [residentMb(product.pid), processorSeconds(product.pid)];
      forgetPeak(product.pid);
      const order = `/new ${fullName} Write a note check="test -s note.txt"`;
      for (let i = 0; i < runs; i += 1) host.ana.sends(order);
      const together = await cards(host, runs).catch((error: unknown) => {
        throw new Error(`Not every run had a card:\n${product.stderr().slice(-2_000)}`, { cause: error });
      });
      const cpu = (processorSeconds(product.pid) - used) / runs;
      const growth = (peakMb(product.pid) - before) / runs;
      const about = `${runs} orders in one go, each through workspace, contained script, check, push and card; ${together} scripts were at work together`;
      return [
        { name: 'run-processor', value: cpu, unit: 's', bar: { is: '<=', at: 0.2 }, note: about },
        {
          name: 'run-memory',
          value: growth,
          unit: 'MB',
          bar: { is: '<=', at: 1.5 },
          note: `peak of the resident memory over that at rest (${before.toFixed(0)} MB), a run; all of it, libraries and caches of the first run included`,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
