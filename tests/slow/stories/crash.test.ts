/**
 * L6 through the real process: killed where it hurts most, and at places that chance picks;
 * `CRASH=all` takes every place there is.
 */
import { describe, expect, it } from 'vitest';
import { killTrials, type Trial } from '../../prove/kill.ts';

/**
 * What a crash must never cut in two; the rest of the sample is chance, the same chance every time.
 */
const WORST = [
  /^before insert inbox/,
  /^after insert inbox/,
  /^before insert approval_signatures/,
  /^after insert approval_signatures/,
  /^before github git-receive-pack$/,
  /^after github git-receive-pack$/,
  /^before github POST .*pulls$/,
  /^after github POST .*pulls$/,
  /^after telegram sendMessage$/,
  /^after telegram editMessageText$/,
  /^after telegram getUpdates$/,
  /^before telegram answerCallbackQuery$/,
];
const everything = process.env.CRASH === 'all';
const SAMPLE = 13;

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
