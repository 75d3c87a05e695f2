/** What a repository needs before work: its contract, bans, tools and baseline. */
export { bansStoppingRun } from './ai-bans.ts';
export { learnContract } from './discover.effect.ts';
export { fallbackUnlessUnavailable } from './read-contribution-rules.io.ts';
export { inspectTools, tryCommands, baselineRequestOf } from './run-baseline.io.ts';
