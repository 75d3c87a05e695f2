/** What the recently closed pull requests of a repository say of the next one. Only a hint. */
import { z } from 'zod';
import { workOfTitle } from './branch-names.ts';

export const PastPull = z.object({
  title: z.string().max(300),
  merged: z.boolean(),
  /** From its opening to its end. */
  hours: z.number(),
  /** From its opening to the first answer of somebody else; null for none, and missing where not asked. */
  answeredHours: z.number().nullable().exactOptional(),
  /** Neither an owner nor a member made it. */
  outsider: z.boolean(),
});
export type PastPull = z.infer<typeof PastPull>;

const Count = z.object({ closed: z.number(), merged: z.number() });
export const PullForecast = z.object({
  outsiders: Count,
  /** Those of outsiders that are the same kind of work. */
  alike: Count.extend({ work: z.string().max(20) }).nullable(),
  /** Half of the outsiders' had ended by then. */
  medianHours: z.number(),
  /** Half of the `of` newest of outsiders had an answer by then. */
  firstAnswer: z.object({ hours: z.number(), of: z.number() }).exactOptional(),
});
export type PullForecast = z.infer<typeof PullForecast>;

/** Fewer say nothing. */
const MIN_PULLS = 5;

const countPulls = (pulls: readonly PastPull[]): z.infer<typeof Count> => ({
  closed: pulls.length,
  merged: pulls.filter((p) => p.merged).length,
});

/** Null where too few ended to say anything. */
export const forecastPull = (
  pulls: readonly PastPull[],
  goal: string,
  us: { mayPush: boolean } = { mayPush: false },
): PullForecast | null => {
  if (us.mayPush) return null;
  const theirs = pulls.filter((p) => p.outsider);
  if (theirs.length < MIN_PULLS) return null;
  const work = workOfTitle(goal);
  const same = theirs.filter((p) => workOfTitle(p.title) === work);
  const asked = theirs.flatMap(({ answeredHours: h }) => (h === undefined ? [] : [h ?? Infinity]));
  const answered = asked.length < MIN_PULLS ? Infinity : medianOf(asked);
  return {
    outsiders: countPulls(theirs),
    alike: same.length < MIN_PULLS ? null : { ...countPulls(same), work },
    medianHours: medianOf(theirs.map((p) => p.hours)),
    ...(answered === Infinity ? {} : { firstAnswer: { hours: answered, of: asked.length } }),
  };
};

const medianOf = (hours: readonly number[]): number =>
  hours.toSorted((a, b) => a - b)[Math.floor((hours.length - 1) / 2)] ?? 0;
