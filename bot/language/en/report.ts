/** English: the report of many runs. Plain text, not escaped. */
import type { Grouping } from '../../../orchestrator/core/reported.ts';
import { counted } from '../../../orchestrator/core/text.ts';
import { grouped, signed } from '../../text/catalogue.ts';

const by: Record<Grouping, string> = {
  engine: 'Engines',
  ecosystem: 'Ecosystems',
  repository: 'Repositories',
  prompt: 'Prompt versions',
  campaign: 'Campaigns',
};

export const report = {
  title: (days: number | null) =>
    days === null ? 'Report of all runs' : `Report of the last ${counted(days, 'day', 'days')}`,
  none: 'No runs were ordered in this period.',
  late: 'Older runs are still being counted; ask again in a minute.',
  size: (runs: number, pulls: number) =>
    `${counted(runs, 'run', 'runs')}, ${counted(pulls, 'pull request', 'pull requests')}.`,
  shares: {
    firstCi: 'CI green on the first commit',
    needsHuman: 'Stopped for a person',
    merged7: 'Merged within 7 days',
    merged30: 'Merged within 30 days',
  },
  counts: (yes: number, of: number) => `${grouped(yes)} of ${grouped(of)}`,
  share: (name: string, share: string) => `${name}: ${share}`,
  /** After the counts; in percent. */
  rate: (percent: number, low: number, high: number) => ` (${percent} %; 95 % interval ${low}–${high} %)`,
  /** What a share differs from that of the time before by, in points of percent. */
  since: (by: number, low: number, high: number) =>
    `; ${signed(by)} points compared with the period before (${signed(low)} to ${signed(high)})`,
  ready: (half: string, most: string, of: number) =>
    `From the order to the first card: median ${half}, 90 % within ${most} (${counted(of, 'run', 'runs')})`,
  rounds: (half: string, most: string, of: number) =>
    `A round of the agent: median ${half}, 90 % within ${most} (${counted(of, 'round', 'rounds')})`,
  perPull: (taps: string, sounds: string, time: string, fixes: string) =>
    `Each pull request took ${taps} taps, ${sounds} sounds, ${time} of attention and ${fixes} fixes`,
  cost: (all: string, each: string) => `Models: ${all}, ${each} for each pull request`,
  costUnknown: (runs: number) => `Cost unknown: ${counted(runs, 'run')}`,
  /** A budget, by its name. */
  usedUp: (budget: string) => `no budget left (${budget})`,
  failures: (all: string) => `What failed: ${all}`,
  by,
  /** Of what is not known, or was never read. */
  unnamed: 'unknown',
  more: (n: number) => `and ${grouped(n)} more in the table`,
  period: (days: number | null) => (days === null ? 'All' : `${days} days`),
  whole: 'The whole table',
  columns: {
    name: 'Group',
    runs: 'Runs',
    pulls: 'PRs',
    firstCi: 'CI green first',
    needsHuman: 'Stopped for a person',
    ready: 'First card, p50 / p90',
    rounds: 'Agent’s round, p50 / p90',
    iterations: 'Fixes / PR',
    taps: 'Taps / PR',
    pings: 'Sounds / PR',
    attention: 'Attention / PR',
    merged7: 'Merged, 7 days',
    merged30: 'Merged, 30 days',
    cost: 'Cost',
    failures: 'What failed',
  },
  all: 'All',
  caption: (group: string) => `Report by group: ${group}. Intervals of 95 % (Wilson).`,
};
