/**
 * O7: what costs most of people's attention, and what could be changed about it. Nothing is advised
 * from fewer cases than `LEAST`, and nothing whose interval holds the opposite.
 */
import { BUDGETS, type Budget } from '../bounds.ts';
import { difference, middleOf, share, type Interval, type Middle, type Share } from './interval.ts';
import { grouped, sharedOut, spentOf, totalOf } from './table.ts';
import { NOTHING, type RunFigures, type Spent } from './of-run.ts';

/** Runs of each side of a comparison; answers to a stop; cards that were read. */
export const LEAST = { runs: 20, answers: 10, cards: 200 } as const;

export const COSTLY = ['failure', 'skill', 'engine', 'repository'] as const;
export type Costly = (typeof COSTLY)[number];
export type Cost = {
  name: string;
  spent: Spent;
  /** Runs that it stopped for a person, of all that could be. */
  stopped: Share;
  /** By how much more than the others, where both are enough to say so. */
  more: (Interval & { by: number }) | null;
};

export const CARDS = ['open_pr', 'push', 'reply'] as const;
export type CardCost = { kind: (typeof CARDS)[number]; spent: Spent; denied: Share };

/** E7: one of the sets of prompts that were tried side by side. */
export type Arm = {
  prompt: string;
  stopped: Share;
  /** Of those whose first checks at the code host have said something. */
  firstCi: Share;
  attention: Middle;
  /** By how much more they stopped for a person than all the other runs on trial. */
  more: Cost['more'];
};

type Compared = { from: string; to: string; own: Share; other: Share; more: Interval & { by: number } };
export type Advice =
  | ({ change: 'engine' | 'prompt' } & Compared)
  /** `onward`: of the stops at this limit, those that people let go on. */
  | { change: 'budget'; budget: Budget; onward: Share }
  | { change: 'pushes'; cards: number };

export type Insights = {
  since: number;
  until: number;
  runs: number;
  spent: Spent;
  /** What cost most comes first. */
  costs: Record<Costly, Cost[]>;
  cards: CardCost[];
  /** Runs whose prompts were drawn, by version; empty where fewer than two were. */
  trial: Arm[];
  advice: Advice[];
};
/** What runs get that say nothing of it. */
export type Usual = { engine: string; prompt: string };
type About = Pick<Insights, 'since' | 'until'>;

const stoppedOf = (runs: readonly RunFigures[]): Share =>
  share(runs.filter(({ needsHuman }) => needsHuman).length, runs.length);
const isEnough = ({ of }: Share): boolean => of >= LEAST.runs;
const compared = (a: Share, b: Share): Cost['more'] => (isEnough(a) && isEnough(b) ? difference(a, b) : null);

const byCost = (a: Cost, b: Cost): number =>
  b.spent.ms - a.spent.ms ||
  b.spent.taps - a.spent.taps ||
  b.spent.pings - a.spent.pings ||
  (a.name < b.name ? -1 : 1);

const ofGroups = (runs: readonly RunFigures[], by: 'engine' | 'repository'): Cost[] =>
  [...grouped(runs, by)]
    .map(([name, own]) => {
      const inside = new Set(own);
      const stopped = stoppedOf(own);
      const more = compared(stopped, stoppedOf(runs.filter((one) => !inside.has(one))));
      return { name, spent: totalOf(own.map(spentOf)), stopped, more };
    })
    .sort(byCost);

const STOP = 'stop.';
/** Of what runs stopped for: each run's accounts by name. */
const ofAccounts = (
  runs: readonly RunFigures[],
  accounts: (one: RunFigures) => readonly (readonly [string, Spent])[],
): Cost[] => {
  const all = new Map<string, Spent[]>();
  for (const one of runs)
    for (const [name, spent] of accounts(one)) {
      const found = all.get(name);
      if (found) found.push(spent);
      else all.set(name, [spent]);
    }
  return [...all]
    .map(([name, own]) => {
      const stopped = share(own.filter(({ stops }) => stops > 0).length, runs.length);
      return { name, spent: totalOf(own), stopped, more: null };
    })
    .sort(byCost);
};
const stopsOf = ({ causes }: RunFigures) =>
  Object.entries(causes)
    .filter(([cause]) => cause.startsWith(STOP))
    .map(([cause, spent]) => [cause.slice(STOP.length), spent] as const);

const cardsOf = (runs: readonly RunFigures[]): CardCost[] =>
  CARDS.map((kind) => {
    const spent = totalOf(runs.map(({ causes }) => causes[`card.${kind}`] ?? NOTHING));
    return { kind, spent, denied: share(spent.denied, spent.answers) };
  }).filter(({ spent }) => spent.answers > 0);

/** Of the newest ones that were read; null where one of them was denied, or they are too few. */
const neverDenied = (runs: readonly RunFigures[]): number | null => {
  let read = 0;
  for (const { causes } of [...runs].sort((a, b) => b.createdAt - a.createdAt)) {
    const { answers, hasty, denied } = causes['card.push'] ?? NOTHING;
    if (denied > 0) return null;
    read += answers - hasty;
    if (read >= LEAST.cards) return read;
  }
  return null;
};

const attentionOf = (runs: readonly RunFigures[]): Middle =>
  middleOf(runs.map((one) => spentOf(one).ms / 1_000));

const armsOf = (all: readonly RunFigures[]): Arm[] => {
  const runs = all.filter(({ drawn }) => drawn);
  const groups = [...grouped(runs, 'prompt')].sort(([a], [b]) => (a < b ? -1 : 1));
  if (groups.length < 2) return [];
  return groups.map(([prompt, own]) => {
    const stopped = stoppedOf(own);
    const checked = own.filter(({ firstCi }) => firstCi !== null);
    return {
      prompt,
      stopped,
      attention: attentionOf(own),
      firstCi: share(checked.filter(({ firstCi }) => firstCi === 'passed').length, checked.length),
      more: compared(stopped, stoppedOf(runs.filter((one) => one.prompt !== prompt))),
    };
  });
};

/** The one of the others that people were called to less often, for certain. */
const better = (runs: readonly RunFigures[], change: 'engine' | 'prompt', from: string): Advice[] => {
  const groups = [...grouped(runs, change)].map(([name, own]) => ({ name, stopped: stoppedOf(own) }));
  const own = groups.find(({ name }) => name === from)?.stopped;
  if (!own) return [];
  return groups
    .flatMap(({ name, stopped: other }): Advice[] => {
      const more = name === from ? null : compared(own, other);
      return more && more.low > 0 ? [{ change, from, to: name, own, other, more }] : [];
    })
    .sort((a, b) => ('more' in a && 'more' in b ? b.more.low - a.more.low : 0))
    .slice(0, 1);
};

/** Limits at which people mostly said that it may go on. */
const tooTight = (runs: readonly RunFigures[]): Advice[] =>
  BUDGETS.flatMap((budget): Advice[] => {
    const spent = totalOf(runs.map(({ causes }) => causes[`${STOP}budget_${budget}`] ?? NOTHING));
    const onward = share(spent.onward, spent.answers);
    return onward.of >= LEAST.answers && (onward.low ?? 0) > 0.5
      ? [{ change: 'budget', budget, onward }]
      : [];
  });

const within = (runs: readonly RunFigures[], { since, until }: About): RunFigures[] =>
  sharedOut(runs).filter(({ createdAt }) => createdAt >= since && createdAt <= until);

export const insightsOf = (all: readonly RunFigures[], about: About, usual: Usual): Insights => {
  const runs = within(all, about);
  const cards = neverDenied(runs);
  return {
    ...about,
    runs: runs.length,
    spent: totalOf(runs.map(spentOf)),
    costs: {
      failure: ofAccounts(runs, stopsOf),
      skill: ofAccounts(runs, ({ skills }) => Object.entries(skills)),
      engine: ofGroups(runs, 'engine'),
      repository: ofGroups(runs, 'repository'),
    },
    cards: cardsOf(runs),
    trial: armsOf(runs),
    advice: [
      ...better(runs, 'engine', usual.engine),
      // Prompts that somebody chose were chosen for some kind of goal.
      ...better(
        runs.filter(({ drawn }) => drawn),
        'prompt',
        usual.prompt,
      ),
      ...tooTight(runs),
      ...(cards === null ? [] : [{ change: 'pushes' as const, cards }]),
    ],
  };
};

/** What people gave to each run (seconds), and how often they were called. */
type Side = { stopped: Share; attention: Middle };
export type Measured = { before: Side; after: Side; more: Cost['more'] };

/** Runs that have come to something on both sides of a moment. */
export const measuredAround = (all: readonly RunFigures[], at: number, about: About): Measured => {
  const runs = within(all, about).filter(({ endedAt, readyAt }) => endedAt !== null || readyAt !== null);
  const side = (own: readonly RunFigures[]): Side => ({
    stopped: stoppedOf(own),
    attention: attentionOf(own),
  });
  const before = side(runs.filter(({ createdAt }) => createdAt < at));
  const after = side(runs.filter(({ createdAt }) => createdAt >= at));
  return { before, after, more: compared(after.stopped, before.stopped) };
};
