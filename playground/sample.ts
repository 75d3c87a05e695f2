/**
 * The sample repository: a small real package whose documentation is right, whose tests pass, and
 * which has one bug.
 */
import { fileURLToPath } from 'node:url';
import type { CiJob } from './github/model.ts';

/** A goal that a person would give for it. */
export const sampleGoal =
  'Waits start at twice the documented time (200 ms instead of 100 ms). Fix the first wait, with a test.';

/** What its visitors may order: the goal, and what there is to see. */
export const sampleTasks: readonly { goal: string; about: string }[] = [
  { goal: sampleGoal, about: 'a bug: checks fail, a reviewer wants more' },
  { goal: 'Say in the README what one try does.', about: 'a few words: low risk, two taps' },
  {
    goal: 'Add a workflow that runs npm test on each pull request.',
    about: 'what runs on the code host: high risk, three taps',
  },
];

/** Its CI: the tests that contributors run too, and one check that only CI knows. */
export const sampleCi: readonly CiJob[] = [
  { name: 'test', command: 'npm test' },
  { name: 'changelog', command: 'node scripts/check-changelog.mjs' },
];

/** What its maintainer asks for when the checks are green. */
export const sampleReview =
  'The fix is right. Please say in the README what `waits()` gives with the defaults.';

/**
 * Its CI where it is somebody else's: one check is slow as long as `cache` is not there, and stopped
 * for it; run again, it passes.
 */
export const flakyCi = (cache: string): readonly CiJob[] => [
  { name: 'test', command: 'npm test' },
  {
    name: 'examples',
    timeoutMs: 8_000,
    command: `if mkdir '${cache}' 2>/dev/null; then sleep 60; fi; node -e "import('./src/index.js')"`,
  },
];

/** What a maintainer says of lines there, and what its visitor does about each. */
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

/** The directory with its files; a build copies it. */
export const sampleDirectory = (): string => fileURLToPath(import.meta.resolve('#sample'));
