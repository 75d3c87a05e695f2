/** English texts for `/insights`. Plain text, not escaped. */
import type { CostGroup } from '#reports';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { groupDigits, signedNumber } from '../../text/catalogue.ts';

const sorts: Record<CostGroup, string> = {
  failure: 'What runs stopped for',
  skill: 'Prompts',
  engine: 'Engines',
  repository: 'Repositories',
};

export const enInsights = {
  title: (days: number | null) =>
    days === null
      ? 'What cost attention, in all runs'
      : `What cost attention in the last ${countWords(days, 'day', 'days')}`,
  total: (runs: number, spent: string) => `${countWords(runs, 'run', 'runs')}: ${spent}.`,
  spent: (time: string, taps: number, sounds: number) =>
    `${time}, ${countWords(taps, 'tap', 'taps')}, ${countWords(sounds, 'sound', 'sounds')}`,
  sorts,
  stopped: (share: string) => `stopped for a person: ${share}`,
  rate: (counts: string, percent: number, low: number, high: number) =>
    `${counts} (${percent} %, ${low}–${high})`,
  points: (by: number, low: number, high: number) =>
    `${signedNumber(by)} points (${signedNumber(low)} to ${signedNumber(high)})`,
  cards: 'Cards',
  card: (kind: string, denied: string, seconds: number, hasty: number) =>
    `${kind}: ${denied} denied, after ${countWords(seconds, 'second', 'seconds')} on average${hasty === 0 ? '' : `; ${groupDigits(hasty)} approved within a second, which nobody can have read`}`,
  trial: 'Prompts on trial: which run got which was drawn',
  arm: (prompt: string, stopped: string, green: string, attention: string) =>
    `${prompt}: stopped for a person ${stopped}; CI green first ${green}; attention, median: ${attention}`,
  advice: 'What could be changed',
  noAdvice: 'Nothing certain enough to propose.',
  least: (runs: number, answers: number, cards: number) =>
    `Nothing is proposed from fewer than ${runs} runs on each side, ${answers} answers to a limit, or ${cards} cards in a row that were read. Intervals are of 95 %; a difference may have other causes.`,
  change: (setting: string, to: string) => `${setting}: ${to}.`,
  better: (from: string, own: string, to: string, other: string, by: string) =>
    `Runs that stopped for a person: ${own} with ${from}, ${other} with ${to}; ${by}.`,
  tight: (budget: string, share: string) =>
    `When runs had used up their ${budget}, people let ${share} of them go on.`,
  neverDenied: (cards: number) => `No push was denied in the last ${groupDigits(cards)} that were read.`,
  followed: 'What followed the changes',
  stoppedThen: (before: string, after: string) => `stopped for a person: ${before} before, ${after} after`,
  tooFew: 'too few to compare',
  attentionThen: (before: string, after: string) =>
    `attention for each run, median: ${before} before, ${after} after`,
  middle: (half: string, low: string | null, high: string | null) =>
    low === null || high === null ? half : `${half} (${low} to ${high})`,
};
