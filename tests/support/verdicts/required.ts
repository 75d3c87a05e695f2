/** Cases of required checks by name and by app. */
import { APPS, by, guarded, requires, run, status, type Answers, type Case } from './github.ts';
import { SOURCE } from './sources.ts';

const ci = (name: string, says = 'success') => run(name, says, { app: APPS.ci });
const other = (name: string, says = 'success') => run(name, says, { app: APPS.other });
/** Covers a ruleset and classic protection. */
const both = (
  name: string,
  source: string,
  rest: Omit<Case, 'name' | 'source' | 'given'> & { given: Answers },
): Case[] => [
  { ...rest, name: `ruleset: ${name}`, source, given: { rules: [requires('build')], ...rest.given } },
  { ...rest, name: `protection: ${name}`, source, given: { branch: guarded(['build']), ...rest.given } },
];
const BOUND: [string, Answers][] = [
  ['ruleset', { rules: [requires(['build', 5])] }],
  ['protection', { branch: guarded(['build'], [{ context: 'build', app_id: 5 }]) }],
];
const bound = (name: string, rest: Omit<Case, 'name' | 'source'>): Case[] =>
  BOUND.map(([where, given]) => ({
    ...rest,
    name: `${where}: ${name}`,
    source: SOURCE.bound,
    given: { ...given, ...rest.given },
  }));

export const REQUIRED: Case[] = [
  ...both('passed', SOURCE.required, { given: { runs: [run('build')] }, says: 'GREEN' }),
  ...both('failed', SOURCE.required, {
    given: { runs: [run('build', 'failure')] },
    says: 'RED',
    why: [{ kind: 'failed', name: 'build', required: true }],
  }),
  ...both('runs', SOURCE.required, {
    given: { runs: [run('build', 'in_progress')] },
    says: 'PENDING',
    why: [{ kind: 'runs', name: 'build', required: true }],
  }),
  ...both('never reported', SOURCE.required, {
    given: { runs: [run('lint')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'build' }],
  }),
  ...both('never reported, and nothing else either', SOURCE.required, {
    given: {},
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'build' }],
  }),
  ...both('never reported, and another one failed', SOURCE.required, {
    given: { runs: [run('lint', 'failure')] },
    says: 'PENDING',
    why: [
      { kind: 'missing', name: 'build' },
      { kind: 'failed', name: 'lint', required: false },
    ],
  }),
  ...both('never reported, and another one waits for a maintainer', SOURCE.forks, {
    given: { runs: [run('lint', 'action_required')] },
    says: 'AWAITING_MAINTAINER',
    why: [{ kind: 'missing', name: 'build' }],
  }),
  ...both('skipped', SOURCE.statusChecks, {
    given: { runs: [run('build', 'skipped')] },
    says: 'GREEN',
    why: [{ kind: 'skipped', name: 'build' }],
  }),
  ...both('skipped, since an optional one failed', SOURCE.needs, {
    given: { runs: [run('build', 'skipped'), run('lint', 'failure')] },
    says: 'GREEN_REQUIRED',
    why: [{ kind: 'skipped', name: 'build' }],
  }),
  ...both('neutral', SOURCE.statusChecks, { given: { runs: [run('build', 'neutral')] }, says: 'GREEN' }),
  ...both('cancelled', SOURCE.required, { given: { runs: [run('build', 'cancelled')] }, says: 'RED' }),
  ...both('passed, an optional one failed', SOURCE.protection, {
    given: { runs: [run('build'), run('lint', 'failure')] },
    says: 'GREEN_REQUIRED',
  }),
  ...both('passed, an optional one runs', SOURCE.protection, {
    given: { runs: [run('build'), run('lint', 'in_progress')] },
    says: 'PENDING',
    why: [{ kind: 'runs', name: 'lint', required: false }],
  }),
  ...both('passed, an optional one is queued', SOURCE.stuckQueue, {
    given: { runs: [run('build'), run('lint', 'queued')] },
    says: 'PENDING',
  }),
  ...both('passed, an optional one is stale', SOURCE.runSchema, {
    given: { runs: [run('build'), run('lint', 'stale')] },
    says: 'PENDING',
    why: [{ kind: 'stale', name: 'lint' }],
  }),
  ...both('passed, an optional one waits for a maintainer', SOURCE.environments, {
    given: { runs: [run('build'), run('deploy', 'waiting')] },
    says: 'AWAITING_MAINTAINER',
  }),
  ...both('a status instead of a check', SOURCE.statuses, {
    given: { statuses: [status('build')] },
    says: 'GREEN',
  }),
  ...both('a status in another case', SOURCE.statuses, {
    given: { statuses: [status('Build')] },
    says: 'GREEN',
  }),
  ...both('a check in another case is another one', SOURCE.required, {
    given: { runs: [run('Build')] },
    says: 'PENDING',
  }),
  ...both('a check and a status of that name, and the status failed', SOURCE.required, {
    given: { runs: [run('build')], statuses: [status('build', 'failure')] },
    says: 'RED',
  }),
  ...both('a check and a status of that name, and the check failed', SOURCE.required, {
    given: { runs: [run('build', 'failure')], statuses: [status('build')] },
    says: 'RED',
  }),
  ...both('a check and a status of that name, and the status is pending', SOURCE.required, {
    given: { runs: [run('build')], statuses: [status('build', 'pending')] },
    says: 'PENDING',
  }),
  ...both('a longer name is another one', SOURCE.unrelated, {
    given: { runs: [run('build (windows)')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'build' }],
  }),
  ...both('two apps report it, and one failed', SOURCE.runs, {
    given: { runs: [ci('build'), other('build', 'failure')] },
    says: 'RED',
  }),
  ...bound('its app says so', { given: { runs: [ci('build')] }, says: 'GREEN' }),
  ...bound('another app says so', {
    given: { runs: [other('build')] },
    says: 'PENDING',
    why: [{ kind: 'imitated', name: 'build' }],
  }),
  ...bound('another app failed under its name', {
    given: { runs: [ci('build'), other('build', 'failure')] },
    says: 'GREEN_REQUIRED',
  }),
  ...bound('its app failed, another one passed', {
    given: { runs: [ci('build', 'failure'), other('build')] },
    says: 'RED',
  }),
  ...bound('its app still runs, another one passed', {
    given: { runs: [ci('build', 'in_progress'), other('build')] },
    says: 'PENDING',
  }),
  ...bound('a status of nobody’s imitates it', {
    given: { statuses: [status('build')] },
    says: 'PENDING',
    why: [{ kind: 'imitated', name: 'build' }],
  }),
  ...bound('a status of a person imitates it', {
    given: { statuses: [status('build')], listed: [by('mallory', 'build')] },
    says: 'PENDING',
  }),
  ...bound('a status of another app imitates it', {
    given: { statuses: [status('build')], listed: [by('other[bot]', 'build')], apps: { other: 6 } },
    says: 'PENDING',
  }),
  ...bound('a status in another case imitates it', {
    given: { statuses: [status('BUILD')], listed: [by('mallory', 'BUILD')] },
    says: 'PENDING',
  }),
  ...bound('its app reports by status', {
    given: { statuses: [status('build')], listed: [by('ci[bot]', 'build')], apps: { ci: 5 } },
    says: 'GREEN',
  }),
  ...bound('its app reported by status, and a person after it', {
    given: {
      statuses: [status('build')],
      listed: [by('mallory', 'build'), by('ci[bot]', 'build', 'failure')],
      apps: { ci: 5 },
    },
    says: 'PENDING',
  }),
  ...bound('its app and a status of a person', {
    given: { runs: [ci('build')], statuses: [status('build', 'failure')], listed: [by('mallory', 'build')] },
    says: 'GREEN_REQUIRED',
  }),
  {
    name: 'bound to Actions, and only one of many jobs is required',
    source: SOURCE.boundToActions,
    given: {
      rules: [requires(['merge readiness', 15_368])],
      runs: [run('merge readiness'), run('WASM', 'failure')],
    },
    says: 'GREEN_REQUIRED',
  },
  {
    name: 'protection: anybody’s is -1',
    source: SOURCE.branchSchema,
    given: { branch: guarded(['build'], [{ context: 'build', app_id: -1 }]), runs: [other('build')] },
    says: 'GREEN',
  },
  {
    name: 'protection: anybody’s is null',
    source: SOURCE.branchSchema,
    given: { branch: guarded(['build'], [{ context: 'build', app_id: null }]), runs: [other('build')] },
    says: 'GREEN',
  },
  {
    name: 'protection that is switched off requires nothing',
    source: SOURCE.branchSchema,
    given: { branch: guarded(['build'], [], 'off'), runs: [run('lint')] },
    says: 'GREEN',
  },
  {
    name: 'a ruleset and classic protection both count',
    source: SOURCE.availableRules,
    given: { rules: [requires('build')], branch: guarded(['lint']), runs: [run('build')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'lint' }],
  },
  {
    name: 'two rulesets both count',
    source: SOURCE.availableRules,
    given: { rules: [requires('build'), requires('lint')], runs: [run('build')] },
    says: 'PENDING',
    why: [{ kind: 'missing', name: 'lint' }],
  },
  {
    name: 'a protected branch that is not told how',
    source: SOURCE.branchSchema,
    given: { branch: { protected: true }, runs: [run('build')] },
    says: 'GREEN_SEEN',
    why: [{ kind: 'unsure' }],
  },
  {
    name: 'the rules may not be read',
    source: SOURCE.branchRules,
    given: { rules: 403, runs: [run('build')] },
    says: 'GREEN_SEEN',
  },
  {
    name: 'the rules are hidden, and a check failed',
    source: SOURCE.branchRules,
    given: { rules: 404, runs: [run('build', 'failure')] },
    says: 'RED',
  },
  {
    name: 'the branch may not be read',
    source: SOURCE.branchRules,
    given: { branch: 403, runs: [run('build')] },
    says: 'GREEN_SEEN',
  },
  {
    name: 'a check became required later',
    source: SOURCE.required,
    given: { runs: [run('build')] },
    then: { rules: [requires('lint')], runs: [run('build')] },
    says: 'PENDING',
  },
];
