/** F4: reordered, repeated, late or lost deliveries and crashes end like polling alone. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import type { Weather } from '../mail.ts';
import { createRandom, seedFor } from '../random.ts';
import { spread } from '../spread.ts';
import { playStory, storyOf } from '../twin.ts';

const bar = { quick: 100, full: 10_000 };
const DEAF: Weather = { hooks: 0, lost: 0, twice: 0, late: 0 };

const mailOf = (seed: number): Weather => {
  const random = createRandom(seedFor(seed, 'mail'));
  return {
    hooks: random.pick([1, 2]),
    lost: random.pick([0, 0.2, 0.6]),
    twice: random.pick([0, 0.4]),
    late: random.pick([0, 0.4, 0.9]),
  };
};

const compare = async (
  seed: number,
): Promise<{
  violations: string[];
  lines: string[];
  deliveries: number;
  crashes: number;
  acts: string[];
}> => {
  const story = storyOf(seed);
  const looked = await playStory(seed, story, { mail: DEAF, crashes: false });
  const told = await playStory(seed, story, { mail: mailOf(seed), crashes: seed % 2 === 0 });
  const [by, other] = [JSON.stringify(looked.end), JSON.stringify(told.end)];
  const violations = [...looked.violations, ...told.violations];
  if (by !== other) violations.push(`F4: by looking it ends ${by}, by deliveries ${other}`);
  return {
    violations,
    lines: [JSON.stringify(story), 'By looking:', ...looked.trace, 'By deliveries:', ...told.trace],
    deliveries: told.deliveries,
    crashes: told.crashes,
    acts: story.heads.map((h) => h.act),
  };
};

export const play: Play = async ({ from, count }, progress) => {
  const violations: string[] = [];
  const facts: Record<string, number> = { deliveries: 0, crashes: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const found = await compare(seed);
    facts.deliveries = (facts.deliveries ?? 0) + found.deliveries;
    facts.crashes = (facts.crashes ?? 0) + found.crashes;
    for (const act of found.acts) facts[act] = (facts[act] ?? 0) + 1;
    for (const v of found.violations) violations.push(`--only deliveries --seed ${seed}: ${v}`);
    if (seed % 10 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts };
};

export const deliveries: Claim = {
  name: 'deliveries',
  says: 'deliveries twice, late, in any order or never, with crashes: the same end as by looking alone',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('deliveries', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const { lines, violations } = await compare(seed);
    return { lines, violations };
  },
};
