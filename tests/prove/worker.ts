/** One core's share of the trials. */
import { parentPort, workerData } from 'node:worker_threads';
import { createGateProver } from './gate.ts';
import { playHistory } from './history.ts';
import type { Coverage } from './scheduler.ts';

export type Job = { kind: 'history' | 'gate'; from: number; count: number };
export type Report = { trials: number; violations: string[]; facts: Record<string, number> };

const histories = async ({ from, count }: Job): Promise<Report> => {
  const coverage: Coverage = new Map();
  const violations: string[] = [];
  const facts = { crashes: 0, 'pull requests': 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await playHistory(seed, coverage);
    facts.crashes += result.crashes;
    facts['pull requests'] += result.pulls;
    for (const v of result.violations) violations.push(`--seed ${seed}: ${v}`);
  }
  return { trials: count, violations, facts };
};

const gate = async ({ from, count }: Job): Promise<Report> => {
  const prover = await createGateProver(from);
  const { trials, violations, pairs, points, missed, pulls } = await prover.run(count);
  const facts = {
    'state × move pairs': pairs,
    'crash points': points,
    'crash points not reached': missed.length,
    'pull requests': pulls,
  };
  return { trials, violations, facts };
};

const job = workerData as Job;
parentPort?.postMessage(await (job.kind === 'history' ? histories(job) : gate(job)));
