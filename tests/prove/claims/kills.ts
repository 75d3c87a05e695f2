/** L6: SIGKILL of the real process at commits, at requests to the local servers and at any instant: nothing lost, nothing twice, nobody left. */
import { factsLine, timed, trialsOf, type Claim } from '../claim.ts';
import { killTrials, type Trial } from '../kill.ts';

const bar = { quick: 12, full: 1_000 };
/** More than cores: a trial waits for processes to start and for people to look. */
const BESIDE = 3;
/** So many batches, at most, until enough kills were reached. */
const BATCHES = 5;

export const kills: Claim = {
  name: 'kills',
  says: 'SIGKILL of the real process at every commit, every request and random instants: 0 acknowledged inputs lost, 0 doubled effects, 0 orphans',
  bar,
  run: (options) =>
    timed(async () => {
      const { quick, seed, progress } = options;
      const wanted = trialsOf({ bar }, options);
      const trials: Trial[] = [];
      const killed = (): number => trials.filter((t) => t.killed).length;
      const facts: Record<string, number> = { commits: 0, requests: 0, instants: 0 };
      for (let batch = 0; batch < BATCHES && killed() < wanted; batch += 1) {
        const missing = wanted - killed();
        // The named places once, then instants; a short run takes some of as many kinds as it can.
        const points = batch > 0 ? 0 : quick ? Math.ceil(missing * 0.7) : ('all' as const);
        const done = trials.length;
        const instants = batch > 0 ? missing : quick ? Math.floor(missing * 0.3) : Math.max(0, missing - 200);
        trials.push(
          ...(await killTrials({
            ...{ points, seed: seed + batch, parallel: quick ? 2 : BESIDE, instants },
            onTrial: (_, n) => progress(done + n, wanted),
          })),
        );
        if (trials.some((t) => t.violations.length > 0)) break;
      }
      for (const { point, killed: hit } of trials)
        if (hit) facts[`${point.at}s`] = (facts[`${point.at}s`] ?? 0) + 1;
      return {
        trials: killed(),
        violations: trials.flatMap((t) => t.violations.map((v) => `${t.where}: ${v}`)),
        note: `${factsLine(facts)}; ${trials.length - killed()} not reached`,
      };
    }),
};
