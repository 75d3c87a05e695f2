/** Finds what costs most attention, and advises only on samples of at least `MIN_SAMPLE_SIZES` (O7). */
import { BUDGET_KINDS, type BudgetKind } from '#model/limits';
import {
  shareDifference,
  medianInterval,
  measureShare,
  type ConfidenceInterval,
  type MedianInterval,
  type MeasuredShare,
} from './confidence-interval.ts';
import { groupRuns, shareOutAttention, sumAttentionSpent, totalOf } from './period-report.ts';
import { NO_ATTENTION, type RunFigures, type AttentionSpent } from './run-figures.ts';

/** Minimum sample sizes: runs per side, answers to a stop, cards read. */
export const MIN_SAMPLE_SIZES = { runs: 20, answers: 10, cards: 200 } as const;

export const COST_GROUPS = ['failure', 'skill', 'engine', 'repository'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];
export type AttentionCost = {
  name: string;
  spent: AttentionSpent;
  stopped: MeasuredShare;
  /** Excess over the other runs, when significant. */
  more: (ConfidenceInterval & { by: number }) | null;
};

const COSTED_CARDS = ['open_pr', 'push', 'reply'] as const;
export type CardCost = { kind: (typeof COSTED_CARDS)[number]; spent: AttentionSpent; denied: MeasuredShare };

/** E7: one of the prompt versions on trial. */
export type PromptArm = {
  prompt: string;
  stopped: MeasuredShare;
  /** Runs whose first CI result is known. */
  firstCi: MeasuredShare;
  attention: MedianInterval;
  /** Excess of stops over the other arms. */
  more: AttentionCost['more'];
};

type Compared = {
  from: string;
  to: string;
  own: MeasuredShare;
  other: MeasuredShare;
  more: ConfidenceInterval & { by: number };
};
export type InsightAdvice =
  | ({ change: 'engine' | 'prompt' } & Compared)
  /** `onward`: stops at this limit after which users let the run continue. */
  | { change: 'budget'; budget: BudgetKind; onward: MeasuredShare }
  | { change: 'pushes'; cards: number };

export type AttentionInsights = {
  since: number;
  until: number;
  runs: number;
  spent: AttentionSpent;
  costs: Record<CostGroup, AttentionCost[]>;
  cards: CardCost[];
  /** Runs with a drawn prompt, by version; empty with fewer than two versions. */
  trial: PromptArm[];
  advice: InsightAdvice[];
};
/** Last change of each limit (epoch ms). */
type ChangedLimits = Partial<Record<BudgetKind, number>>;
type UsualSettings = { engine: string; prompt: string };
type About = Pick<AttentionInsights, 'since' | 'until'>;

const stopShareOf = (runs: readonly RunFigures[]): MeasuredShare =>
  measureShare(runs.filter(({ needsHuman }) => needsHuman).length, runs.length);
const isEnough = ({ of }: MeasuredShare): boolean => of >= MIN_SAMPLE_SIZES.runs;
const compareShares = (share: MeasuredShare, otherShare: MeasuredShare): AttentionCost['more'] =>
  isEnough(share) && isEnough(otherShare) ? shareDifference(share, otherShare) : null;

const byCost = (one: AttentionCost, other: AttentionCost): number =>
  other.spent.ms - one.spent.ms ||
  other.spent.taps - one.spent.taps ||
  other.spent.pings - one.spent.pings ||
  (one.name < other.name ? -1 : 1);

const ofGroups = (runs: readonly RunFigures[], by: 'engine' | 'repository'): AttentionCost[] =>
  [...groupRuns(runs, by)]
    .map(([name, own]) => {
      const inside = new Set(own);
      const stopped = stopShareOf(own);
      const more = compareShares(stopped, stopShareOf(runs.filter((one) => !inside.has(one))));
      return { name, spent: totalOf(own.map(sumAttentionSpent)), stopped, more };
    })
    .sort(byCost);

const STOP = 'stop.';
const ofAccounts = (
  runs: readonly RunFigures[],
  accounts: (one: RunFigures) => readonly (readonly [string, AttentionSpent])[],
): AttentionCost[] => {
  const all = new Map<string, AttentionSpent[]>();
  for (const one of runs)
    for (const [name, spent] of accounts(one)) {
      const found = all.get(name);
      if (found) found.push(spent);
      else all.set(name, [spent]);
    }
  return [...all]
    .map(([name, own]) => {
      const stopped = measureShare(own.filter(({ stops }) => stops > 0).length, runs.length);
      return { name, spent: totalOf(own), stopped, more: null };
    })
    .sort(byCost);
};
const stopsOf = ({ causes }: RunFigures) =>
  Object.entries(causes)
    .filter(([cause]) => cause.startsWith(STOP))
    .map(([cause, spent]) => [cause.slice(STOP.length), spent] as const);

const cardsOf = (runs: readonly RunFigures[]): CardCost[] =>
  COSTED_CARDS.map((kind) => {
    const spent = totalOf(runs.map(({ causes }) => causes[`card.${kind}`] ?? NO_ATTENTION));
    return { kind, spent, denied: measureShare(spent.denied, spent.answers) };
  }).filter(({ spent }) => spent.answers > 0);

const countCardsNeverDenied = (runs: readonly RunFigures[]): number | null => {
  let read = 0;
  for (const { causes } of [...runs].sort((a, b) => b.createdAt - a.createdAt)) {
    const { answers, hasty, denied } = causes['card.push'] ?? NO_ATTENTION;
    if (denied > 0) return null;
    read += answers - hasty;
    if (read >= MIN_SAMPLE_SIZES.cards) return read;
  }
  return null;
};

const attentionOf = (runs: readonly RunFigures[]): MedianInterval =>
  medianInterval(runs.map((one) => sumAttentionSpent(one).ms / 1_000));

const armsOf = (all: readonly RunFigures[]): PromptArm[] => {
  const runs = all.filter(({ drawn }) => drawn);
  const groups = [...groupRuns(runs, 'prompt')].sort(([a], [b]) => (a < b ? -1 : 1));
  if (groups.length < 2) return [];
  return groups.map(([prompt, own]) => {
    const stopped = stopShareOf(own);
    const checked = own.filter(({ firstCi }) => firstCi !== null);
    return {
      prompt,
      stopped,
      attention: attentionOf(own),
      firstCi: measureShare(checked.filter(({ firstCi }) => firstCi === 'passed').length, checked.length),
      more: compareShares(stopped, stopShareOf(runs.filter((one) => one.prompt !== prompt))),
    };
  });
};

/** The alternative that stopped significantly less often. */
const findBetter = (
  runs: readonly RunFigures[],
  change: 'engine' | 'prompt',
  from: string,
): InsightAdvice[] => {
  const groups = [...groupRuns(runs, change)].map(([name, own]) => ({ name, stopped: stopShareOf(own) }));
  const own = groups.find(({ name }) => name === from)?.stopped;
  if (!own) return [];
  return groups
    .flatMap(({ name, stopped: other }): InsightAdvice[] => {
      const more = name === from ? null : compareShares(own, other);
      return more && more.low > 0 ? [{ change, from, to: name, own, other, more }] : [];
    })
    .sort((a, b) => ('more' in a && 'more' in b ? b.more.low - a.more.low : 0))
    .slice(0, 1);
};

/** Limits after which users mostly continued. Runs before a change of the limit say nothing of today's. */
const adviseWiderLimits = (runs: readonly RunFigures[], changedAt: ChangedLimits): InsightAdvice[] =>
  BUDGET_KINDS.flatMap((budget): InsightAdvice[] => {
    const since = changedAt[budget] ?? -Infinity;
    const under = runs.filter(({ createdAt }) => createdAt > since);
    const spent = totalOf(under.map(({ causes }) => causes[`${STOP}budget_${budget}`] ?? NO_ATTENTION));
    const onward = measureShare(spent.onward, spent.answers);
    return onward.of >= MIN_SAMPLE_SIZES.answers && (onward.low ?? 0) > 0.5
      ? [{ change: 'budget', budget, onward }]
      : [];
  });

const runsWithin = (runs: readonly RunFigures[], { since, until }: About): RunFigures[] =>
  shareOutAttention(runs).filter(({ createdAt }) => createdAt >= since && createdAt <= until);

export const insightsOf = (
  all: readonly RunFigures[],
  about: About,
  usual: UsualSettings,
  changedAt: ChangedLimits = {},
): AttentionInsights => {
  const runs = runsWithin(all, about);
  const cards = countCardsNeverDenied(runs);
  return {
    ...about,
    runs: runs.length,
    spent: totalOf(runs.map(sumAttentionSpent)),
    costs: {
      failure: ofAccounts(runs, stopsOf),
      skill: ofAccounts(runs, ({ skills }) => Object.entries(skills)),
      engine: ofGroups(runs, 'engine'),
      repository: ofGroups(runs, 'repository'),
    },
    cards: cardsOf(runs),
    trial: armsOf(runs),
    advice: [
      ...findBetter(runs, 'engine', usual.engine),
      // Prompts that a user chose are biased by the goal.
      ...findBetter(
        runs.filter(({ drawn }) => drawn),
        'prompt',
        usual.prompt,
      ),
      ...adviseWiderLimits(runs, changedAt),
      ...(cards === null ? [] : [{ change: 'pushes' as const, cards }]),
    ],
  };
};

/** Attention per run (seconds), and its stops. */
type Side = { stopped: MeasuredShare; attention: MedianInterval };
export type ChangeEffect = { before: Side; after: Side; more: AttentionCost['more'] };

export const measureChangeEffect = (all: readonly RunFigures[], at: number, about: About): ChangeEffect => {
  const runs = runsWithin(all, about).filter(({ endedAt, readyAt }) => endedAt !== null || readyAt !== null);
  const toSide = (own: readonly RunFigures[]): Side => ({
    stopped: stopShareOf(own),
    attention: attentionOf(own),
  });
  const before = toSide(runs.filter(({ createdAt }) => createdAt < at));
  const after = toSide(runs.filter(({ createdAt }) => createdAt >= at));
  return { before, after, more: compareShares(after.stopped, before.stopped) };
};
