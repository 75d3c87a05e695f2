/**
 * L6 through the real process: killed where it hurts most; `CRASH=all` takes every place there is.
 */
import { describe, expect, it } from 'vitest';
import { killTrials, type Trial } from '../../prove/kill.ts';

/**
 * A crash must never cut these in two: whatever is received, decided or done outside is remembered at
 * once. `npm run prove` takes the other places.
 */
const WORST = [
  /^after telegram getUpdates$/,
  /^after insert inbox/,
  /^after insert approval_signatures/,
  /^after github git-receive-pack$/,
  /^after github POST .*pulls$/,
  /^after telegram sendMessage$/,
];
const everything = process.env.CRASH === 'all';
const SAMPLE = WORST.length;

describe('the killed process', () => {
  it(
    'L6: loses nothing and does nothing twice, wherever it is killed; the run ends with one pull request and one honest message',
    { timeout: everything ? 7_200_000 : 900_000 },
    async () => {
      const trials: Trial[] = await killTrials({
        points: everything ? 'all' : SAMPLE,
        always: WORST,
        seed: Number(process.env.CRASH_SEED ?? 20),
        parallel: 2,
        instants: everything ? 50 : 0,
      });
      const violated = trials
        .filter((t) => t.violations.length > 0)
        .map((t) => ({ at: t.where, violations: t.violations }));
      expect(violated).toEqual([]);
      expect(trials.length).toBeGreaterThanOrEqual(SAMPLE);
      // The last few places of a story come a little earlier or later each time.
      expect(trials.filter((t) => t.killed).length).toBeGreaterThanOrEqual(trials.length * 0.8);
    },
  );
});
