/** L6: SIGKILL at commits, requests and random instants loses and repeats nothing. */
import { factsLine, timed, trialsOf, type Claim } from '../claim.ts';
import { killTrials, type Trial } from '../kill.ts';

const bar = { quick: 6, full: 1_000 };
/** More than cores, because trials mostly wait. */
const BESIDE = 3;
/** Further kills per story, after its restarts. */
const MORE = 4;
/** Maximum number of batches to reach enough kills. */
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
        // Each named place once, then instants; a short run samples the kinds.
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
