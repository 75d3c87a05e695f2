/** Cases of check runs and statuses without requirements, for each conclusion. */
import { run, status, suite, APPS, type Case } from './github.ts';
import { SOURCE } from './sources.ts';

const RUN_ENDS = {
  success: 'GREEN',
  neutral: 'GREEN',
  skipped: 'GREEN',
  failure: 'RED',
  timed_out: 'RED',
  startup_failure: 'RED',
  cancelled: 'RED',
  action_required: 'AWAITING_MAINTAINER',
  stale: 'PENDING',
  'a word that GitHub adds later': 'AWAITING_MAINTAINER',
  queued: 'PENDING',
  in_progress: 'PENDING',
  requested: 'PENDING',
  pending: 'PENDING',
  waiting: 'AWAITING_MAINTAINER',
} as const;
const STATUS_ENDS = { success: 'GREEN', pending: 'PENDING', failure: 'RED', error: 'RED' } as const;
const WORST = {
  failure: 'RED',
  in_progress: 'PENDING',
  action_required: 'AWAITING_MAINTAINER',
  stale: 'PENDING',
} as const;

export const RUNS: Case[] = [
  ...Object.entries(RUN_ENDS).map(([ends, says]): Case => ({
    name: `a check run: ${ends}`,
    source: SOURCE.runSchema,
    says,
    given: { runs: [run('build', ends)] },
  })),
  ...Object.entries(WORST).map(([ends, says]): Case => ({
    name: `a check run that passed beside one: ${ends}`,
    source: SOURCE.statusChecks,
    says,
    given: { runs: [run('lint'), run('build', ends)] },
  })),
  ...Object.entries(STATUS_ENDS).map(([state, says]): Case => ({
    name: `a commit status: ${state}`,
    source: SOURCE.statusSchema,
    says,
    given: { statuses: [status('ci/legacy', state)] },
  })),
  ...Object.entries(STATUS_ENDS).map(([state, says]): Case => ({
    name: `a passed check run beside a commit status: ${state}`,
    source: SOURCE.statuses,
    says,
    given: { runs: [run('build')], statuses: [status('ci/legacy', state)] },
  })),
  {
    name: 'nothing was reported, and nobody waited for it',
    source: SOURCE.lateChecks,
    given: {},
    young: true,
    says: 'PENDING',
    why: [{ kind: 'silent' }],
  },
  { name: 'nothing was reported for long', source: SOURCE.statuses, given: {}, says: 'NO_CI' },
  {
    name: 'everything passed a moment ago',
    source: SOURCE.lateChecks,
    given: { runs: [run('build')] },
    young: true,
    says: 'PENDING',
    why: [{ kind: 'settles' }],
  },
  {
    name: 'something failed a moment ago',
    source: SOURCE.statusChecks,
    given: { runs: [run('build', 'failure')] },
    young: true,
    says: 'RED',
    why: [{ kind: 'failed', name: 'build' }],
  },
  {
    name: 'all were skipped: to GitHub a success, and said',
    source: SOURCE.statusChecks,
    given: { runs: [run('a', 'skipped'), run('b', 'neutral')] },
    says: 'GREEN',
    why: [{ kind: 'none_ran' }],
  },
  {
    name: 'a job that needed the failed one was skipped',
    source: SOURCE.needs,
    given: { runs: [run('build', 'failure'), run('deploy', 'skipped')] },
    says: 'RED',
  },
  {
    name: 'two apps use one name, and one of them failed',
    source: SOURCE.runs,
    given: { runs: [run('test', 'success', { app: APPS.ci }), run('test', 'failure', { app: APPS.other })] },
    says: 'RED',
  },
  {
    name: 'a check run of an app that is gone',
    source: SOURCE.runSchema,
    given: { runs: [run('test', 'success', { app: null })] },
    says: 'GREEN',
  },
  {
    name: 'check runs may not be read, and jobs passed: never green',
    source: SOURCE.tokens,
    given: {
      runs: 403,
      suites: 403,
      workflows: [{ id: 10, check_suite_id: 1, status: 'completed', conclusion: 'success' }],
      jobs: { 10: [run('build')] },
    },
    says: 'GREEN_SEEN',
    why: [{ kind: 'unread' }],
  },
  {
    name: 'check runs may not be read, and a job failed',
    source: SOURCE.tokens,
    given: {
      runs: 403,
      suites: 403,
      workflows: [{ id: 10, check_suite_id: 1, status: 'completed', conclusion: 'failure' }],
      jobs: { 10: [run('build', 'failure')] },
    },
    says: 'RED',
  },
  {
    name: 'check runs may not be read, and a workflow failed before its jobs',
    source: SOURCE.tokens,
    given: {
      runs: 403,
      suites: 403,
      workflows: [{ id: 10, check_suite_id: 1, status: 'completed', conclusion: 'startup_failure' }],
    },
    says: 'RED',
  },
  {
    name: 'check runs may not be read, and a workflow waits for a maintainer',
    source: SOURCE.tokens,
    given: {
      runs: 403,
      suites: 403,
      workflows: [{ id: 10, check_suite_id: 1, status: 'completed', conclusion: 'action_required' }],
    },
    says: 'AWAITING_MAINTAINER',
  },
  {
    name: 'check runs may not be read, and a workflow has no jobs yet',
    source: SOURCE.tokens,
    given: {
      runs: 403,
      suites: 403,
      workflows: [{ id: 10, check_suite_id: 1, status: 'queued', conclusion: null }],
    },
    says: 'PENDING',
  },
  {
    name: 'statuses may not be read',
    source: SOURCE.statuses,
    given: { runs: [run('build')], statuses: 403 },
    says: 'GREEN_SEEN',
  },
  {
    name: 'neither checks nor statuses may be read',
    source: SOURCE.tokens,
    given: { runs: 403, suites: 403, workflows: 403, statuses: 403 },
    says: 'PENDING',
    why: [{ kind: 'unread' }],
  },
  {
    name: 'a check that passed has vanished',
    source: SOURCE.forks,
    given: { runs: [run('build')] },
    then: {},
    says: 'NO_CI',
  },
  {
    name: 'a required check that passed has vanished',
    source: SOURCE.forks,
    given: { rules: [], branch: {}, runs: [run('build'), run('lint', 'success', { app: APPS.ci })] },
    then: {
      branch: { protected: true, protection: { required_status_checks: { contexts: ['build'] } } },
      runs: [run('lint', 'success', { app: APPS.ci })],
    },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'build' }],
  },
  {
    name: 'a check that failed has vanished, and the others passed',
    source: SOURCE.forks,
    given: { runs: [run('build', 'failure'), run('lint')] },
    then: { runs: [run('lint')] },
    says: 'GREEN',
  },
  {
    name: 'what cannot be read any more has not vanished',
    source: SOURCE.tokens,
    given: { runs: [run('build', 'failure')], suites: [suite(1, 'failure')] },
    then: { runs: 403, suites: 403, workflows: 403 },
    says: 'RED',
  },
];
