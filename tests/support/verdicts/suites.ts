/** Cases of suites: own conclusions, equal job names, and replaced attempts. */
import { APPS, requires, run, suite, workflow, type Case } from './github.ts';
import { SOURCE } from './sources.ts';

const EMPTY = {
  queued: 'PENDING',
  in_progress: 'PENDING',
  pending: 'PENDING',
  requested: 'PENDING',
  waiting: 'AWAITING_MAINTAINER',
  action_required: 'AWAITING_MAINTAINER',
  failure: 'RED',
  startup_failure: 'RED',
  timed_out: 'RED',
  cancelled: 'RED',
  stale: 'PENDING',
  success: 'NO_CI',
  neutral: 'NO_CI',
  skipped: 'NO_CI',
} as const;

export const SUITES: Case[] = [
  ...Object.entries(EMPTY).map(([ends, says]): Case => ({
    name: `a suite of Actions without runs: ${ends}`,
    source: SOURCE.suiteSchema,
    says,
    given: { suites: [suite(1, ends)], workflows: [workflow(1, ends)] },
  })),
  {
    name: 'a queued suite of an app that never speaks, alone',
    source: SOURCE.queuedCursor,
    given: { suites: [suite(1, 'queued', APPS.ci)] },
    says: 'NO_CI',
  },
  {
    name: 'a queued suite of an app that never speaks, beside what passed',
    source: SOURCE.silentSuite,
    given: { runs: [run('build')], suites: [suite(1), suite(2, 'queued', APPS.ci)] },
    says: 'GREEN',
  },
  {
    name: 'a queued suite of an app, before its silence means anything',
    source: SOURCE.ignoredQueue,
    given: { runs: [run('build')], suites: [suite(1), suite(2, 'queued', APPS.ci)] },
    young: true,
    says: 'PENDING',
  },
  {
    name: 'the suite of an app went stale without a word',
    source: SOURCE.queuedCodecov,
    given: { runs: [run('build')], suites: [suite(1), suite(2, 'stale', APPS.ci)] },
    says: 'GREEN',
  },
  {
    name: 'an app that never spoke, and whose check is required',
    source: SOURCE.queuedCodecov,
    given: { rules: [requires('cov')], runs: [run('build')], suites: [suite(2, 'queued', APPS.ci)] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'cov' }],
  },
  {
    name: 'the suite of an app failed without runs',
    source: SOURCE.suites,
    given: { runs: [run('build')], suites: [suite(1), suite(2, 'failure', APPS.ci)] },
    says: 'RED',
  },
  {
    name: 'the suite of an app runs, and has no runs yet',
    source: SOURCE.suites,
    given: { runs: [run('build')], suites: [suite(1), suite(2, 'in_progress', APPS.ci)] },
    says: 'PENDING',
  },
  {
    name: 'an optional suite failed without runs beside a required check',
    source: SOURCE.suites,
    given: {
      rules: [requires('build')],
      runs: [run('build')],
      suites: [suite(1), suite(2, 'startup_failure')],
      workflows: [workflow(1), workflow(2, 'startup_failure', { workflow: 2 })],
    },
    says: 'GREEN_REQUIRED',
    why: [{ kind: 'failed', name: 'CI' }],
  },
  {
    name: 'all jobs so far have passed, and the workflow has more to come',
    source: SOURCE.needs,
    given: {
      runs: [run('build')],
      suites: [suite(1, 'in_progress')],
      workflows: [workflow(1, 'in_progress')],
    },
    says: 'PENDING',
    why: [{ kind: 'runs', name: 'CI' }],
  },
  {
    name: 'all jobs have passed, and their workflow failed',
    source: SOURCE.suiteSchema,
    given: { runs: [run('build')], suites: [suite(1, 'failure')], workflows: [workflow(1, 'failure')] },
    says: 'RED',
  },
  {
    name: 'a job may fail where its workflow passes, and is told',
    source: SOURCE.runs,
    given: { runs: [run('build'), run('nightly', 'failure')], suites: [suite(1)] },
    says: 'RED',
  },
  {
    name: 'the suite waits for a maintainer beside what passed',
    source: SOURCE.forks,
    given: { runs: [run('cla', 'success', { app: APPS.ci })], suites: [suite(1, 'action_required')] },
    says: 'AWAITING_MAINTAINER',
    why: [{ kind: 'awaits_maintainer', name: null }],
  },
  {
    name: 'the suite waits for a maintainer beside what failed',
    source: SOURCE.forks,
    given: { runs: [run('cla', 'failure', { app: APPS.ci })], suites: [suite(1, 'action_required')] },
    says: 'RED',
  },
  {
    name: 'the suite waits for a maintainer, required checks and all',
    source: SOURCE.forks,
    given: { rules: [requires('build')], suites: [suite(1, 'action_required')] },
    says: 'AWAITING_MAINTAINER',
    why: [{ kind: 'missing', name: 'build' }],
  },
  {
    name: 'a maintainer let the checks go',
    source: SOURCE.forks,
    given: { suites: [suite(1, 'action_required')] },
    then: { runs: [run('build', 'queued')], suites: [suite(1, 'queued')] },
    says: 'PENDING',
  },
  {
    name: 'nobody let the checks go, and GitHub deleted them',
    source: SOURCE.forks,
    given: { suites: [suite(1, 'action_required')] },
    then: {},
    young: true,
    says: 'PENDING',
  },
  {
    name: 'a workflow waits for another one of its concurrency group',
    source: SOURCE.concurrency,
    given: {
      runs: [run('lint')],
      suites: [suite(1), suite(2, 'pending')],
      workflows: [workflow(1), workflow(2, 'pending', { workflow: 2 })],
    },
    says: 'PENDING',
  },
  {
    name: 'two workflows have one job name: the older one failed',
    source: SOURCE.protection,
    given: {
      runs: [run('test', 'failure', { suite: 1 }), run('test', 'success', { suite: 2, from: 9 })],
      workflows: [workflow(1, 'failure'), workflow(2, 'success', { workflow: 2 })],
    },
    says: 'RED',
  },
  {
    name: 'two workflows have one job name: the newer one failed',
    source: SOURCE.protection,
    given: {
      runs: [run('test', 'success', { suite: 1 }), run('test', 'failure', { suite: 2, from: 9 })],
      workflows: [workflow(1), workflow(2, 'failure', { workflow: 2 })],
    },
    says: 'RED',
  },
  {
    name: 'two workflows have one required job name, and one of them runs',
    source: SOURCE.protection,
    given: {
      rules: [requires('test')],
      runs: [run('test', 'success', { suite: 1 }), run('test', 'in_progress', { suite: 2 })],
      workflows: [workflow(1), workflow(2, 'in_progress', { workflow: 2 })],
    },
    says: 'PENDING',
  },
  {
    name: 'two workflows have one job name, and workflows may not be read',
    source: SOURCE.protection,
    given: {
      runs: [run('test', 'failure', { suite: 1 }), run('test', 'success', { suite: 2, from: 9 })],
      workflows: 403,
    },
    says: 'RED',
  },
  {
    name: 'one workflow for a push and for a pull request: one of them failed',
    source: SOURCE.workflowRuns,
    given: {
      runs: [run('test', 'failure', { suite: 1 }), run('test', 'success', { suite: 2, from: 9 })],
      workflows: [workflow(1, 'failure', { event: 'push' }), workflow(2)],
    },
    says: 'RED',
  },
  {
    name: 'one workflow ran anew on the same commit, and passed',
    source: SOURCE.workflowRuns,
    given: {
      runs: [run('test', 'failure', { suite: 1 }), run('test', 'success', { suite: 2, from: 9 })],
      suites: [suite(1, 'failure'), suite(2)],
      workflows: [workflow(1, 'failure'), workflow(2, 'success', { number: 2 })],
    },
    says: 'GREEN',
  },
  {
    name: 'one workflow ran anew on the same commit, and failed',
    source: SOURCE.workflowRuns,
    given: {
      runs: [run('test', 'success', { suite: 1 }), run('test', 'failure', { suite: 2, from: 9 })],
      workflows: [workflow(1), workflow(2, 'failure', { number: 2 })],
    },
    says: 'RED',
  },
  {
    name: 'a workflow without jobs failed, and ran anew',
    source: SOURCE.reruns,
    given: {
      runs: [run('test', 'success', { suite: 2 })],
      suites: [suite(1, 'startup_failure'), suite(2)],
      workflows: [workflow(1, 'startup_failure'), workflow(2, 'success', { number: 2 })],
    },
    says: 'GREEN',
  },
  {
    name: 'a concurrency group cancelled the older run of the workflow',
    source: SOURCE.concurrency,
    given: {
      runs: [run('test', 'cancelled', { suite: 1 }), run('test', 'success', { suite: 2, from: 9 })],
      suites: [suite(1, 'cancelled'), suite(2)],
      workflows: [workflow(1, 'cancelled'), workflow(2, 'success', { number: 2 })],
    },
    says: 'GREEN',
  },
  {
    name: 'a job was run again, and passed',
    source: SOURCE.reruns,
    given: { runs: [run('test', 'failure', { from: 1, to: 2 }), run('test', 'success', { from: 5 })] },
    says: 'GREEN',
  },
  {
    name: 'a job was run again, and failed',
    source: SOURCE.reruns,
    given: { runs: [run('test', 'success', { from: 1, to: 2 }), run('test', 'failure', { from: 5 })] },
    says: 'RED',
  },
  {
    name: 'a job is run again',
    source: SOURCE.reruns,
    given: { runs: [run('test', 'failure', { from: 1, to: 2 }), run('test', 'queued', { from: 5 })] },
    says: 'PENDING',
  },
  {
    name: 'a job is run again, whatever the order of the list',
    source: SOURCE.reruns,
    given: { runs: [run('test', 'success', { from: 5 }), run('test', 'failure', { from: 1, to: 2 })] },
    says: 'GREEN',
  },
  {
    name: 'two jobs of one name ran at once in one workflow, and one failed',
    source: SOURCE.protection,
    given: { runs: [run('test', 'failure', { from: 1, to: 9 }), run('test', 'success', { from: 2, to: 3 })] },
    says: 'RED',
  },
  {
    name: 'the check of an app was made anew, and passed',
    source: SOURCE.runs,
    given: {
      runs: [
        run('t', 'failure', { app: APPS.ci, from: 1, to: 2 }),
        run('t', 'success', { app: APPS.ci, from: 5 }),
      ],
    },
    says: 'GREEN',
  },
];
