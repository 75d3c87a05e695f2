/**
 * What repositories of a campaign ask before any work begins, where many ask alike: an issue first,
 * an agreement, another branch. They are shown on one card, and a tap answers those that it shows.
 * Pure.
 */
import { z } from 'zod';
import { RULE_KINDS } from '../rule.ts';
import type { Run } from './run.ts';

const Wish = z.object({
  rule: z.enum(RULE_KINDS),
  value: z.string().nullable(),
  quote: z.string(),
  file: z.string(),
  line: z.number(),
});

/** A run that waits for a person before it works, and all that its repository asks for. */
export const AskedFirst = z.object({ run: z.string(), repo: z.string(), wishes: z.array(Wish) });
export type AskedFirst = z.infer<typeof AskedFirst>;

/** Runs that one card shows: a tap says no more than what was read. */
export const MOST_ASKED = 12;

/**
 * Null where nothing is asked, and where a person must look at it by itself: what may be a ban, a
 * list of people, somebody who is at the same already.
 */
export const askedFirst = (run: Run): AskedFirst | null => {
  const { order, state, escalation } = run;
  if (order.campaign === undefined || state !== 'PLAN_READY' || escalation === null) return null;
  const of = (wishes: AskedFirst['wishes']): AskedFirst => ({ run: run.id, repo: order.repo, wishes });
  switch (escalation.kind) {
    case 'asked':
      return of(escalation.missing.map(({ what: _, ...wish }) => wish));
    case 'rule_unmet': {
      const { kind: _, ...wish } = escalation;
      // guard: F5-some-ask-alone
      return wish.rule === 'base_branch' ? of([wish]) : null;
    }
    default:
      return null;
  }
};

/** What a repository asks for, without its own words and names. */
const kindOf = ({ wishes }: AskedFirst): string => wishes.map(({ rule }) => rule).join(' ');

/** Those that ask alike, in the order in which they first came. */
export const alikeIn = (asked: readonly AskedFirst[]): AskedFirst[][] => [
  ...Map.groupBy(asked, kindOf).values(),
];

/** Those of a card that still ask just that. */
export const stillAsked = (shown: readonly AskedFirst[], now: readonly AskedFirst[]): AskedFirst[] => {
  const words = new Map(now.map((one) => [one.run, JSON.stringify(one.wishes)]));
  // guard: F5-answers-what-was-shown
  return shown.filter(({ run, wishes }) => words.get(run) === JSON.stringify(wishes));
};
