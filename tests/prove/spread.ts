/** Splits a claim's trials over threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { trialsOf, type Claim, type Job, type Part, type RunOptions } from './claim.ts';
import { createCoverage, unpackInto, type Coverage } from './coverage.ts';

export type Spread = Omit<Part, 'coverage'> & { coverage: Coverage };
type Message = { done: number } | { part: Part };

const work = (job: Job, onDone: (done: number) => void): Promise<Part> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: job,
      // Suppresses warnings about descriptors that our parent left open.
      trackUnmanagedFds: false,
    });
    worker.on('message', (message: Message) => {
      if ('part' in message) resolve(message.part);
      else onDone(message.done);
    });
    worker.once('error', reject);
  });

export const spread = async (
  part: string,
  claim: Pick<Claim, 'bar'>,
  options: RunOptions,
  most = availableParallelism(),
): Promise<Spread> => {
  const { seed, quick, progress } = options;
  const count = trialsOf(claim, options);
  const cores = Math.max(1, Math.min(availableParallelism(), most, count));
  const done = Array.from({ length: cores }, () => 0);
  const parts = await Promise.all(
    done.map((_, at) => {
      const first = Math.floor((count * at) / cores);
      const job: Job = {
        part,
        seed,
        quick,
        share: { of: cores, at },
        from: seed + first,
        count: Math.floor((count * (at + 1)) / cores) - first,
      };
      return work(job, (n) => {
        done[at] = n;
        progress(
          done.reduce((a, b) => a + b, 0),
          count,
        );
      });
    }),
  );
  const coverage = createCoverage();
  const facts: Record<string, number> = {};
  for (const one of parts) {
    for (const [what, n] of Object.entries(one.facts)) facts[what] = (facts[what] ?? 0) + n;
    if (one.coverage) unpackInto(coverage, one.coverage);
  }
  return {
    trials: parts.reduce((n, p) => n + p.trials, 0),
    violations: parts.flatMap((p) => p.violations),
    cpuMs: parts.reduce((n, p) => n + p.cpuMs, 0),
    facts,
    coverage,
  };
};
