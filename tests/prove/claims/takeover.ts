/** L7: other workers soon take over a killed worker's runs, without loss or repetition. */
import { startPostgres } from '../../support/postgres.ts';
import { timed, trialsOf, type Claim } from '../claim.ts';
import { takeOver } from '../takeover.ts';

const bar = { quick: 3, full: 200 };

export const takeover: Claim = {
  name: 'takeover',
  says: 'workers killed in the middle of their agents, several at once and sometimes with the control: others go on within 45 s, and each run has one push and one pull request, as approved',
  bar,
  run: (options) =>
    timed(async () => {
      const server = await startPostgres([]);
      try {
        const kills = trialsOf({ bar }, options);
        const progress = (done: number): void => options.progress(done, kills);
        const result = await takeOver(server, { kills, seed: options.seed, progress });
        const sorted = result.took.toSorted((a, b) => a - b);
        const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
        return {
          trials: result.kills,
          violations: result.violations,
          note: `${result.runs} runs; ${sorted.length} waves of kills, median ${(median / 1_000).toFixed(1)} s until others were at it`,
          measured: [
            { name: 'takeover-longest', value: longest / 1_000, unit: 's', bar: { is: '<=', at: 45 } },
          ],
        };
      } finally {
        await server.stop();
      }
    }),
};
