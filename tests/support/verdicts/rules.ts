/** Cases of other ruleset rules: workflows, code scanning, merge queues, unknown ones. */
import {
  APPS,
  requires,
  requiresScan,
  requiresWorkflow,
  rule,
  run,
  suite,
  workflow,
  type Case,
} from './github.ts';
import { SOURCE } from './sources.ts';

const CI = '.github/workflows/ci.yml';
const AWAY = 'acme/rules/.github/workflows/ci.yml@main';
const scan = (says: string) => run('CodeQL', says, { app: APPS.codeql });
const IRRELEVANT = [
  'pull_request',
  'required_signatures',
  'non_fast_forward',
  'commit_message_pattern',
  'file_path_restriction',
  'copilot_code_review',
];
const UNKNOWN = ['required_deployments', 'license_compliance_scanning', 'a_rule_of_tomorrow'];
const WORKFLOW_ENDS = {
  success: 'GREEN',
  failure: 'RED',
  startup_failure: 'RED',
  in_progress: 'PENDING',
  action_required: 'AWAITING_MAINTAINER',
} as const;

export const RULES: Case[] = [
  ...IRRELEVANT.map((type): Case => ({
    name: `the rule ${type} asks nothing of checks`,
    source: SOURCE.availableRules,
    says: 'GREEN',
    given: { rules: [rule(type, {})], runs: [run('build')] },
  })),
  ...UNKNOWN.map((type): Case => ({
    name: `the rule ${type} is not known to be kept`,
    source: SOURCE.availableRules,
    says: 'GREEN_SEEN',
    given: { rules: [rule(type, {})], runs: [run('build')] },
    why: [{ kind: 'unsure', name: type }],
  })),
  ...Object.entries(WORKFLOW_ENDS).map(([ends, says]): Case => ({
    name: `a required workflow: ${ends}`,
    source: SOURCE.workflowRule,
    says,
    given: { rules: [requiresWorkflow(CI)], runs: [run('build')], workflows: [workflow(1, ends)] },
  })),
  {
    name: 'a rule that nobody can judge, and a check failed',
    source: SOURCE.availableRules,
    given: { rules: [rule('required_deployments', {})], runs: [run('build', 'failure')] },
    says: 'RED',
  },
  {
    name: 'a required workflow never ran',
    source: SOURCE.workflowRule,
    given: { rules: [requiresWorkflow(CI)], runs: [run('build')], workflows: [] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'ci.yml' }],
  },
  {
    name: 'a required workflow never ran, and nothing else either',
    source: SOURCE.workflowRule,
    given: { rules: [requiresWorkflow(CI)] },
    says: 'PENDING',
  },
  {
    name: 'another workflow than the required one ran',
    source: SOURCE.workflowRule,
    given: {
      rules: [requiresWorkflow(CI)],
      runs: [run('build')],
      workflows: [workflow(1, 'success', { path: '.github/workflows/other.yml' })],
    },
    says: 'PENDING',
  },
  {
    name: 'a required workflow ran for a push and failed for the pull request',
    source: SOURCE.workflowRule,
    given: {
      rules: [requiresWorkflow(CI)],
      workflows: [workflow(1, 'success', { event: 'push' }), workflow(2, 'failure')],
    },
    says: 'RED',
  },
  {
    name: 'a required workflow was run again, and passed',
    source: SOURCE.reruns,
    given: {
      rules: [requiresWorkflow(CI)],
      runs: [run('build')],
      workflows: [workflow(1, 'failure'), workflow(2, 'success', { number: 2 })],
    },
    says: 'GREEN',
  },
  ...[
    { whose: 'acme/rules', says: 'GREEN' as const },
    { whose: 'evil/rules', says: 'GREEN_SEEN' as const },
  ].map(({ whose, says }): Case => ({
    name: `a required workflow of ${whose} passed in one of acme/rules`,
    source: SOURCE.workflowSchema,
    says,
    given: {
      rules: [requiresWorkflow(CI, 99)],
      repositories: { 99: whose },
      runs: [run('build')],
      workflows: [workflow(1, 'success', { path: AWAY, workflow: 9 })],
    },
  })),
  {
    name: 'a required workflow of a repository that is hidden from us passed',
    source: SOURCE.workflowSchema,
    given: {
      rules: [requiresWorkflow(CI, 99)],
      runs: [run('build')],
      workflows: [workflow(1, 'success', { path: AWAY, workflow: 9 })],
    },
    says: 'GREEN_SEEN',
    why: [{ kind: 'unsure', name: 'ci.yml' }],
  },
  {
    name: 'a required workflow of another repository failed',
    source: SOURCE.workflowSchema,
    given: {
      rules: [requiresWorkflow(CI, 99)],
      workflows: [workflow(1, 'failure', { path: AWAY, workflow: 9 })],
    },
    says: 'RED',
  },
  {
    name: 'a workflow of ours imitates the required one of another repository',
    source: SOURCE.workflowRule,
    given: { rules: [requiresWorkflow(CI, 99)], runs: [run('build')], workflows: [workflow(1)] },
    says: 'GREEN_SEEN',
    why: [{ kind: 'unsure', name: 'ci.yml' }],
  },
  {
    name: 'a required workflow, and workflows may not be read',
    source: SOURCE.workflowRule,
    given: { rules: [requiresWorkflow(CI)], runs: [run('build')], workflows: 403 },
    says: 'PENDING',
  },
  {
    name: 'a required scan passed',
    source: SOURCE.scanning,
    given: { rules: [requiresScan('CodeQL')], runs: [scan('success')] },
    says: 'GREEN',
  },
  {
    name: 'a required scan found something',
    source: SOURCE.scanning,
    given: { rules: [requiresScan('CodeQL')], runs: [scan('failure')] },
    says: 'RED',
  },
  {
    name: 'a required scan is under way',
    source: SOURCE.scanning,
    given: { rules: [requiresScan('CodeQL')], runs: [scan('in_progress')] },
    says: 'PENDING',
  },
  {
    name: 'a required scan is not set up',
    source: SOURCE.scanning,
    given: { rules: [requiresScan('CodeQL')], runs: [run('build')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'CodeQL' }],
  },
  {
    name: 'a job of a workflow imitates a required scan',
    source: SOURCE.scanning,
    given: { rules: [requiresScan('CodeQL')], runs: [run('CodeQL')] },
    says: 'PENDING',
    why: [{ kind: 'imitated', name: 'CodeQL' }],
  },
  {
    name: 'a required scan is stricter than what its check tells',
    source: SOURCE.scanRule,
    given: { rules: [requiresScan('CodeQL', 'all', 'all')], runs: [scan('success')] },
    says: 'GREEN_SEEN',
  },
  {
    name: 'one of two required scanners is missing',
    source: SOURCE.scanRule,
    given: { rules: [requiresScan('CodeQL'), requiresScan('Semgrep')], runs: [scan('success')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'Semgrep' }],
  },
  {
    name: 'a merge queue, and everything passed',
    source: SOURCE.queue,
    given: { rules: [rule('merge_queue', {}), requires('build')], runs: [run('build')] },
    says: 'GREEN',
    why: [{ kind: 'queue' }],
  },
  {
    name: 'a merge queue whose required check has not reported on the pull request',
    source: SOURCE.queue,
    given: { rules: [rule('merge_queue', {}), requires('build')], runs: [run('lint')] },
    says: 'PENDING',
  },
  {
    name: 'a merge queue that requires no check',
    source: SOURCE.queueOnly,
    given: { rules: [rule('merge_queue', {})], runs: [run('lint', 'failure')] },
    says: 'RED',
  },
  {
    name: 'a merge queue, and nothing runs on the pull request',
    source: SOURCE.queueOnly,
    given: { rules: [rule('merge_queue', {})] },
    says: 'NO_CI',
  },
  {
    name: 'a rule about checks without what it is about',
    source: SOURCE.branchRules,
    given: { rules: [rule('required_status_checks')], runs: [run('build')] },
    says: 'GREEN_SEEN',
  },
  {
    name: 'a deployment of a job waits for a reviewer',
    source: SOURCE.environments,
    given: { runs: [run('build'), run('deploy', 'waiting')], suites: [suite(1, 'waiting')] },
    says: 'AWAITING_MAINTAINER',
  },
];
