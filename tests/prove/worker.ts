/** Runs one thread's share of a claim. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Job, Part, Play } from './claim.ts';

const PARTS: Record<string, () => Promise<Play>> = {
  histories: async () => (await import('./claims/histories.ts')).play,
  deliveries: async () => (await import('./claims/deliveries.ts')).play,
  cluster: async () => (await import('./claims/cluster.ts')).play,
  gate: async () => (await import('./claims/gate.ts')).play,
  'gate-git': async () => (await import('./claims/gate-git.ts')).play,
  mutations: async () => (await import('./claims/mutations.ts')).play,
  'mutations-git': async () => (await import('./claims/mutations-git.ts')).play,
  duplicates: async () => (await import('./claims/duplicates.ts')).play,
  caps: async () => (await import('./claims/caps.ts')).play,
  looks: async () => (await import('./claims/looks.ts')).play,
  'lost-answers': async () => (await import('./claims/lost-answers.ts')).play,
  moves: async () => (await import('./claims/moves.ts')).play,
  billing: async () => (await import('./claims/billing.ts')).play,
  shown: async () => (await import('./claims/shown.ts')).play,
  permissions: async () => (await import('./claims/permissions.ts')).play,
  postgres: async () => (await import('./claims/postgres.ts')).play,
  copy: async () => (await import('./claims/copy.ts')).play,
  tamper: async () => (await import('./claims/tamper.ts')).play,
};

const job = workerData as Job;
const load = PARTS[job.part];
if (!load) throw new Error(`no claim has a part ${job.part}`);
const play = await load();
const before = process.threadCpuUsage();
const part = await play(job, (done) => parentPort?.postMessage({ done }));
const { user, system } = process.threadCpuUsage(before);
parentPort?.postMessage({ part: { ...part, cpuMs: (user + system) / 1_000 } satisfies Part });
