/**
 * L6: SIGKILL of the real process at commits, at requests to the local servers and at any instant:
 * nothing lost, nothing twice, nobody left.
 */
import { factsLine, timed, trialsOf, type Claim } from '../claim.ts';
import { killTrials, type Trial } from '../kill.ts';

const bar = { quick: 6, full: 1_000 };
/** More than cores: a trial waits for processes to start and for people to look. */
const BESIDE = 3;
/** Kills after the first one of a story, at instants after its restarts. */
const MORE = 4;
/** So many batches, at most, until enough kills were reached. */
const BATCHES = 5;

const LATER = 'instants after a restart';

export const kills: Claim = {
  name: 'kills',
  says: 'SIGKILL of the real process at every commit, every request and random instants: 0 acknowledged inputs lost, 0 doubled effects, 0 orphans',
  bar,
  run: (options) =>
    timed(async () => {
      const { quick, seed, progress } = options;
      const wanted = trialsOf({ bar }, options);
      const trials: Trial[] = [];
      const killed = (): number => trials.reduce((n, t) => n + t.kills, 0);
      const facts: Record<string, number> = { commits: 0, requests: 0, instants: 0, [LATER]: 0 };
      for (let batch = 0; batch < BATCHES && killed() < wanted; batch += 1) {
        const missing = wanted - killed();
        // The named places once, then instants; a short run takes some of as many kinds as it can.
        const short = quick || missing < 500;
        const stories = Math.ceil(missing / (1 + MORE));
        const points = batch > 0 ? 0 : short ? Math.ceil(stories * 0.7) : ('all' as const);
        const instants = batch > 0 ? stories : short ? Math.ceil(stories * 0.3) : 0;
        trials.push(
          ...(await killTrials({
            points,
            seed: seed + batch,
            parallel: quick ? 2 : BESIDE,
            instants,
            more: MORE,
            onTrial: () => progress(killed(), wanted),
          })),
        );
        if (trials.some((t) => t.violations.length > 0)) break;
      }
      for (const { point, killed: hit, kills: all } of trials) {
        if (hit) facts[`${point.at}s`] = (facts[`${point.at}s`] ?? 0) + 1;
        facts[LATER] = (facts[LATER] ?? 0) + Math.max(0, all - 1);
      }
      return {
        trials: killed(),
        violations: trials.flatMap((t) => t.violations.map((v) => `${t.where}: ${v}`)),
        note: `${trials.length} stories: ${factsLine(facts)}; ${trials.filter((t) => !t.killed).length} not reached`,
      };
    }),
};
