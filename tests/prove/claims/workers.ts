/** L7: several processes over one Postgres, all killed at random, lose and repeat nothing. */
import { startPostgres } from '../../support/postgres.ts';
import { timed, trialsOf, type Claim } from '../claim.ts';
import { fleetTrial, type FleetTrial } from '../fleet-kill.ts';

const bar = { quick: 1, full: 40 };

export const workers: Claim = {
  name: 'workers',
  says: 'a control, one that stands by and three workers, killed with their Postgres at random instants: one pull request a run, with the approved bytes, and a ledger that replays',
  bar,
  run: (options) =>
    timed(async () => {
      const { seed, progress } = options;
      const wanted = trialsOf({ bar }, options);
      const server = await startPostgres([]);
      const trials: FleetTrial[] = [];
      try {
        for (let i = 0; i < wanted; i += 1) {
          trials.push(await fleetTrial(server, seed + i));
          progress(trials.length, wanted);
        }
      } finally {
        await server.stop();
      }
      return {
        trials: trials.length,
        violations: trials.flatMap(({ violations }) => violations),
        note: `${trials.reduce((n, { kills }) => n + kills, 0)} kills`,
      };
    }),
  repeat: async (seed) => {
    const server = await startPostgres([]);
    try {
      const { violations, kills, ms } = await fleetTrial(server, seed);
      return { lines: [`${kills} kills, ${ms} ms`], violations };
    } finally {
      await server.stop();
    }
  },
};
