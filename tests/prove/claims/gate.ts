/** Gate interleavings in memory: from each state of the gate, each move, with a crash at each port call that its handling passes. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage, pack } from '../coverage.ts';
import { createGateProver } from '../gate.ts';
import { spread } from '../spread.ts';

const bar = { quick: 20_000, full: 1_000_000 };
/** A chat that approvers, viewers and strangers share, so that only their roles tell them apart. */
const GROUP = -7;

export const play: Play = async ({ seed, count, share, quick }, progress) => {
  const half = Math.ceil(count / 2);
  const patience = quick ? 5 : 150;
  const coverage = createCoverage();
  const alone = await (
    await createGateProver({ seed, group: null, share, coverage })
  ).run(half, patience, progress);
  const shared = await (
    await createGateProver({ seed: seed + 1, group: GROUP, share, coverage })
  ).run(count - half, patience, (n) => progress(half + n));
  const both = (f: (r: typeof alone) => number): number => f(alone) + f(shared);
  return {
    coverage: pack(coverage),
    trials: both((r) => r.trials),
    violations: [...alone.violations, ...shared.violations].map((v) => `--only gate --seed ${seed}: ${v}`),
    facts: {
      'state × move pairs': both((r) => r.pairs),
      'crash points': both((r) => r.points),
      'of them not reached': both((r) => r.missed.length),
      'pull requests': both((r) => r.pulls),
    },
  };
};

export const gate: Claim = {
  name: 'gate',
  says: 'gate interleavings in memory: no PR call without a live approval for exactly what it shows',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts, coverage } = await spread('gate', { bar }, options);
      return { trials, violations, note: factsLine(facts), coverage };
    }),
};
