/** E10: agents ask, people answer, and processes crash in between. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { playPermissions } from '../permissions.ts';
import { spread } from '../spread.ts';

const bar = { quick: 100, full: 1_000 };

export const play: Play = async ({ from, count }, progress) => {
  const violations: string[] = [];
  const facts = { executed: 0, edited: 0, questions: 0, crashes: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await playPermissions(seed);
    facts.executed += result.executed;
    facts.edited += result.edited;
    facts.questions += result.questions;
    facts.crashes += result.crashes;
    for (const v of result.violations) violations.push(`--only permissions --seed ${seed}: ${v}`);
    if (seed % 50 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts };
};

export const permissions: Claim = {
  name: 'permissions',
  says: 'permissions with crashes anywhere: nothing runs without a live grant for just that, and each yes counts once',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('permissions', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const { trace, violations } = await playPermissions(seed);
    return { lines: trace, violations };
  },
};
