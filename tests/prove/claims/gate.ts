/** Gate interleavings: from each state, each move, with a crash at each port call. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack } from '../coverage.ts';
import { createGateProver, createProver, type GateResult } from '../gate.ts';
import { keptInSqlite } from '../kept.ts';
import { spread } from '../spread.ts';

const bar = { quick: 4_000, full: 1_000_000 };
/** One chat for approvers, viewers and strangers, so that only roles differ. */
const GROUP = '-7';

/** Shares of trials: private chats, a group, two signatures, and SQLite (tenths). */
const SCENES = [
  { tenths: 4, group: null, signers: 1, sqlite: false },
  { tenths: 4, group: GROUP, signers: 1, sqlite: false },
  { tenths: 1, group: GROUP, signers: 2, sqlite: false },
  { tenths: 1, group: GROUP, signers: 1, sqlite: true },
] as const;

export const play: Play = async ({ seed, count, share, quick }, progress) => {
  const coverage = createCoverage();
  const all: GateResult[] = [];
  for (const [i, { tenths, group, signers, sqlite }] of SCENES.entries()) {
    const options = { seed: seed + i, group, signers, share, coverage };
    const prover = sqlite
      ? await createProver(options, await keptInSqlite())
      : await createGateProver(options);
    const done = sum(all, 'trials');
    // Rare crash points get more tries where trials are cheap.
    const patience = sqlite || quick ? 0 : 150;
    all.push(await prover.run(Math.ceil((count * tenths) / 10), patience, (n) => progress(done + n)));
  }
  return {
    coverage: pack(coverage),
    trials: sum(all, 'trials'),
    violations: all.flatMap((r, i) => r.violations.map((v) => `--only gate --seed ${seed}+${i}: ${v}`)),
    facts: {
      'state × move pairs': sum(all, 'pairs'),
      'crash points': sum(all, 'points'),
      'of them not reached': all.slice(0, 3).reduce((n, r) => n + r.missed.length, 0),
      'pull requests': sum(all, 'pulls'),
      'on SQLite': all[3]?.trials ?? 0,
    },
  };
};

const sum = (all: readonly GateResult[], what: 'trials' | 'pairs' | 'points' | 'pulls'): number =>
  all.reduce((n, r) => n + r[what], 0);

export const gate: Claim = {
  name: 'gate',
  says: 'gate interleavings in memory and on SQLite: no PR call without a live approval for exactly what it shows',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage } = await spread('gate', { bar }, options);
      return { trials, violations, note: factsLine(facts), coverage };
    }),
};
