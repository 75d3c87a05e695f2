/** Interleavings around a cluster card, with a crash at each port call. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack } from '../coverage.ts';
import { createGateProver, createProver, type GateResult } from '../gate.ts';
import { keptInSqlite } from '../kept.ts';
import { spread } from '../spread.ts';

const bar = { quick: 600, full: 100_000 };
const GROUP = '-7';

const SCENES = [
  { tenths: 4, group: null, signers: 1, members: 3, sqlite: false },
  { tenths: 3, group: GROUP, signers: 1, members: 2, sqlite: false },
  { tenths: 2, group: GROUP, signers: 2, members: 3, sqlite: false },
  { tenths: 1, group: GROUP, signers: 1, members: 3, sqlite: true },
] as const;

export const play: Play = async ({ seed, count, share, quick }, progress) => {
  const coverage = createCoverage();
  const all: GateResult[] = [];
  const sum = (what: 'trials' | 'pairs' | 'points' | 'pulls' | 'together'): number =>
    all.reduce((n, r) => n + r[what], 0);
  for (const [i, { tenths, group, signers, members, sqlite }] of SCENES.entries()) {
    const options = { seed: seed + i, group, signers, members, share, coverage };
    const prover = sqlite
      ? await createProver(options, await keptInSqlite())
      : await createGateProver(options);
    const done = sum('trials');
    const patience = sqlite || quick ? 0 : 1;
    all.push(await prover.run(Math.ceil((count * tenths) / 10), patience, (n) => progress(done + n)));
  }
  return {
    coverage: pack(coverage),
    trials: sum('trials'),
    violations: all.flatMap((r, i) => r.violations.map((v) => `--only cluster --seed ${seed}+${i}: ${v}`)),
    facts: {
      'state × move pairs': sum('pairs'),
      'crash points': sum('points'),
      'signatures on a card of many': sum('together'),
      'pull requests': sum('pulls'),
      'on SQLite': all[3]?.trials ?? 0,
    },
  };
};

export const cluster: Claim = {
  name: 'cluster',
  says: 'cards of many alike changes: no PR of a cluster without its own live approval for exactly what the card shows of it',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage } = await spread('cluster', { bar }, options);
      return { trials, violations, note: factsLine(facts), coverage };
    }),
};
