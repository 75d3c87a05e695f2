/** The sample repository: a small package with correct documentation, passing tests and one bug. */
import { fileURLToPath } from 'node:url';
import type { CiJob } from './github/model.ts';

export const sampleGoal =
  'Waits start at twice the documented time (200 ms instead of 100 ms). Fix the first wait, with a test.';

export const sampleTasks: readonly { goal: string; about: string }[] = [
  { goal: sampleGoal, about: 'a bug: checks fail, a reviewer wants more' },
  { goal: 'Say in the README what one try does.', about: 'a few words: low risk, two taps' },
  {
    goal: 'Add a workflow that runs npm test on each pull request.',
    about: 'what runs on the code host: high risk, three taps',
  },
];

/** The changelog check runs only in CI. */
export const sampleCi: readonly CiJob[] = [
  { name: 'test', command: 'npm test' },
  { name: 'changelog', command: 'node scripts/check-changelog.mjs' },
];

export const sampleReview =
  'The fix is right. Please say in the README what `waits()` gives with the defaults.';

/** One check times out until `cache` exists, so a rerun passes. */
export const flakyCi = (cache: string): readonly CiJob[] => [
  { name: 'test', command: 'npm test' },
  {
    name: 'examples',
    timeoutMs: 8_000,
    command: `if mkdir '${cache}' 2>/dev/null; then sleep 60; fi; node -e "import('./src/index.js')"`,
  },
];

export const sampleRemarks = [
  { path: 'src/waits.js', line: 5, body: sampleReview, does: 'fix' },
  {
    path: 'test/waits.test.js',
    line: 20,
    body: 'Why four tries, and not the default of three?',
    does: { says: 'Four show that each wait is twice the one before.' },
  },
  { path: 'src/waits.js', line: 4, body: 'nit: counting from 0 would read better.', does: 'ignore' },
] as const;

/** A build copies this directory. */
export const sampleDirectory = (): string => fileURLToPath(import.meta.resolve('#sample'));
