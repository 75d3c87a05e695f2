/** English texts for reports. Plain text, not escaped. */
import type { ReportGrouping } from '../../../orchestrator/model/report-scope.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { groupDigits, signedNumber } from '../../text/catalogue.ts';

const by: Record<ReportGrouping, string> = {
  engine: 'Engines',
  ecosystem: 'Ecosystems',
  repository: 'Repositories',
  prompt: 'Prompt versions',
  campaign: 'Campaigns',
};

export const enReport = {
  title: (days: number | null) =>
    days === null ? 'Report of all runs' : `Report of the last ${countWords(days, 'day', 'days')}`,
  none: 'No runs were ordered in this period.',
  late: 'Older runs are still being counted; ask again in a minute.',
  size: (runs: number, pulls: number) =>
    `${countWords(runs, 'run', 'runs')}, ${countWords(pulls, 'pull request', 'pull requests')}.`,
  shares: {
    firstCi: 'CI green on the first commit',
    needsHuman: 'Stopped for a person',
    merged7: 'Merged within 7 days',
    merged30: 'Merged within 30 days',
    unanswered: 'Remarks left unanswered',
  },
  counts: (yes: number, of: number) => `${groupDigits(yes)} of ${groupDigits(of)}`,
  share: (name: string, share: string) => `${name}: ${share}`,
  rate: (percent: number, low: number, high: number) => ` (${percent} %; 95 % interval ${low}–${high} %)`,
  /** Percentage points. */
  since: (by: number, low: number, high: number) =>
    `; ${signedNumber(by)} points compared with the period before (${signedNumber(low)} to ${signedNumber(high)})`,
  ready: (half: string, most: string, of: number) =>
    `From the order to the first card: median ${half}, 90 % within ${most} (${countWords(of, 'run', 'runs')})`,
  rounds: (half: string, most: string, of: number) =>
    `A round of the agent: median ${half}, 90 % within ${most} (${countWords(of, 'round', 'rounds')})`,
  perPull: (taps: string, sounds: string, time: string, fixes: string) =>
    `Each pull request took ${taps} taps, ${sounds} sounds, ${time} of attention and ${fixes} fixes`,
  cost: (all: string, each: string) => `Models: ${all}, ${each} for each pull request`,
  costUnknown: (runs: number) => `Cost unknown: ${countWords(runs, 'run')}`,
  usedUp: (budget: string) => `no budget left (${budget})`,
  failures: (all: string) => `What failed: ${all}`,
  by,
  unnamed: 'unknown',
  more: (n: number) => `and ${groupDigits(n)} more in the table`,
  period: (days: number | null) => (days === null ? 'All' : `${days} days`),
  chart: {
    ready: 'From the order to the first card, median',
    attention: 'Attention for each pull request',
  },
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
    unanswered: 'Unanswered',
    cost: 'Cost',
    failures: 'What failed',
  },
  all: 'All',
  caption: (group: string) => `Report by group: ${group}. Intervals of 95 % (Wilson).`,
};
