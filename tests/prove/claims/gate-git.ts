/** The gate interleavings with real git and pushes over HTTP. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createGateProver } from '../gate.ts';
import { prepareGit } from '../real-git.ts';
import { spread } from '../spread.ts';

const bar = { quick: 16, full: 10_000 };

export const play: Play = async ({ seed, count, share }, progress) => {
  const real = await prepareGit();
  try {
    const prover = await createGateProver({ seed, group: share.at % 2 === 0 ? null : '-7', share, real });
    const { trials, violations, pairs, points, pulls } = await prover.run(count, 0, progress);
    return {
      trials,
      violations: violations.map((v) => `--only gate-git --seed ${seed}: ${v}`),
      facts: { 'state × move pairs': pairs, 'crash points': points, 'pull requests': pulls },
    };
  } finally {
    await real.close();
  }
};

export const gateGit: Claim = {
  name: 'gate-git',
  says: 'gate interleavings with real git: no PR call without a live approval for exactly what it shows',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('gate-git', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
};
