/** `npm run prove`: claims, trials, violations and time, with what repeats a trial. `--quick` fits in CI. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { playHistory } from './history.ts';
import type { Job, Report } from './worker.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    seed: { type: 'string' },
    histories: { type: 'string' },
    interleavings: { type: 'string' },
  },
});

const amount = (given: string | undefined, full: number, quick: number): number =>
  given === undefined ? (values.quick ? quick : full) : Number(given);

/** Plays one seed and prints what happened: how a failing trial is looked at. */
const repeat = async (seed: number): Promise<void> => {
  const result = await playHistory(seed, new Map());
  console.log(result.trace.join('\n'));
  console.log(result.violations.length === 0 ? 'No violation.' : result.violations.join('\n'));
  process.exitCode = result.violations.length === 0 ? 0 : 1;
};

const work = (job: Job): Promise<Report> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

/** Splits a job over the cores; each part has seeds of its own. */
const spread = async (kind: Job['kind'], count: number): Promise<Report & { ms: number }> => {
  const started = Date.now();
  const cores = Math.max(1, Math.min(availableParallelism(), count));
  const parts = await Promise.all(
    Array.from({ length: cores }, (_, i) => {
      const from = Math.floor((count * i) / cores);
      return work({
        kind,
        from: from + 1,
        count: Math.floor((count * (i + 1)) / cores) - from,
        share: { of: cores, at: i },
      });
    }),
  );
  const facts: Record<string, number> = {};
  for (const part of parts) for (const [k, n] of Object.entries(part.facts)) facts[k] = (facts[k] ?? 0) + n;
  return {
    trials: parts.reduce((n, p) => n + p.trials, 0),
    violations: parts.flatMap((p) => p.violations),
    facts,
    ms: Date.now() - started,
  };
};

const prove = async (): Promise<void> => {
  const rows: { claim: string; report: Report & { ms: number } }[] = [];
  const claims: [string, Job['kind'], number][] = [
    [
      'whole histories with crashes: one PR, nothing lost, nothing done twice',
      'history',
      amount(values.histories, 20_000, 2_000),
    ],
    [
      'gate interleavings: no PR without a live matching approval',
      'gate',
      amount(values.interleavings, 1_000_000, 100_000),
    ],
  ];
  for (const [claim, kind, count] of claims) rows.push({ claim, report: await spread(kind, count) });
  const failed = rows.flatMap((r) => r.report.violations);
  if (values.json) {
    const out = Object.fromEntries(
      rows.map(({ claim, report }) => [
        claim,
        {
          value: report.violations.length,
          unit: 'violations',
          bar: '= 0',
          holds: report.violations.length === 0,
          trials: report.trials,
          ms: report.ms,
          ...report.facts,
        },
      ]),
    );
    console.log(JSON.stringify(out, null, 2));
  } else {
    for (const { claim, report } of rows) {
      const { trials, violations, ms, facts } = report;
      console.log(`${violations.length === 0 ? '✔' : '✘'} ${claim}`);
      console.log(
        `    ${trials} trials, ${violations.length} violations, ${(ms / 1_000).toFixed(1)} s (${Math.round((trials * 1_000) / ms)} a second)`,
      );
      console.log(
        `    ${Object.entries(facts)
          .map(([k, n]) => `${n} ${k}`)
          .join(', ')}`,
      );
      for (const v of violations.slice(0, 10)) console.log(`    ${v}`);
    }
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
};

await (values.seed === undefined ? prove() : repeat(Number(values.seed)));
