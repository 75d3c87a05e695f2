/**
 * `.agentpr.json` of a repository: it makes the operator's policies stricter and does nothing else.
 */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { Contract } from '#model/contract';
import { requiredTrailers } from '#model/trailers';
import { readContract, readContributionRequirements } from '../../discovery/read-repository.ts';
import { mergeCurrentRules } from '../../discovery/merge-current-rules.ts';
import { checkApprovers, DEFAULT_POLICY_SETTINGS, RepositoryPolicies } from '#model/settings';
import type { PolicyContext } from '../../governor/policy-types.ts';
import { explainAssessment } from '../../governor/explain-assessment.ts';
import { assessAction } from '../../governor/assess-action.ts';
import { VERDICT_RANK } from '../../governor/combine-assessments.ts';
import {
  mergeRepositoryPolicies,
  readRepositoryFile,
  describeRepositoryPolicies,
} from '../../governor/repository-policies.ts';
import { selectRepositorySettings } from '../../governor/repository-settings.ts';
import { context, contract, file, own, pull, push } from '../support/actions.ts';

const around = (policies: unknown): PolicyContext => ({
  ...context,
  contract: { ...contract, policies: RepositoryPolicies.parse(policies) },
});

describe('reading the file', () => {
  it('takes limits, paths and policies of its own', () => {
    const text = '{"policies":{"maxFiles":5,"forbiddenPaths":["billing/**"]}}';
    expect(readRepositoryFile(text)).toEqual({
      policies: { maxFiles: 5, forbiddenPaths: ['billing/**'], custom: [] },
    });
    expect(readRepositoryFile('{}')).toEqual({ policies: { custom: [] } });
  });

  it.each([
    [null, 'too large, or no text'],
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['[]', 'expected object'],
    ['{"policy":{}}', 'policy'],
    ['{"policies":{"maxFile":1}}', 'maxFile'],
    ['{"policies":{"maxFiles":0}}', 'policies.maxFiles'],
    ['{"policies":{"custom":[{"id":"x","when":{"paths":["a"]},"verdict":"allow","reason":"y"}]}}', 'verdict'],
    ['{"policies":{"repositories":{}}}', 'repositories'],
  ])('P1: refuses %j with a sentence that says why', (text, why) => {
    expect(readRepositoryFile(text)).toEqual({ problem: expect.stringContaining(why) as string });
  });
});

it('F9, F13: says the trailer of commits, and what is set on pull requests', () => {
  const text = '{"trailer":"Generated-by","pull":{"labels":["needs triage"],"reviewers":["@kim"]}}';
  const texts = { paths: ['.agentpr.json'], files: new Map([['.agentpr.json', text]]), owner: null };
  const read = readContract(texts, () => {});
  if ('problem' in read) throw new Error(read.problem);
  expect(read.pull).toEqual({ labels: ['needs triage'], reviewers: ['kim'] });
  const maker = { signOff: null, engine: 'codex', model: null, coAuthor: null, changeId: 'I1' } as const;
  expect(requiredTrailers(read, maker)).toEqual(['Generated-by: codex (AgentPR)']);
  expect(read.rules[0]).toMatchObject({ quote: '"trailer":"Generated-by"', line: 1 });
  // The base moves: what the file says today holds.
  const today = readContributionRequirements(texts, () => {});
  expect(mergeCurrentRules(read, today, 'acme/')).toMatchObject({ rules: [read.rules[0]], pull: read.pull });
  const gone = readContributionRequirements({ paths: [], files: new Map() }, () => {});
  expect(mergeCurrentRules(read, gone, 'acme/')).toMatchObject({ rules: [], pull: undefined });
  const broken = new Map([['.agentpr.json', '{"trailer":']]);
  const unread = readContributionRequirements({ paths: ['.agentpr.json'], files: broken }, () => {});
  expect(mergeCurrentRules(read, unread, 'acme/')).toMatchObject({ rules: [read.rules[0]], pull: read.pull });
  expect(readRepositoryFile('{"trailer":"Signed-off-by"}')).toHaveProperty('problem');
  expect(readRepositoryFile('{"pull":{"draft":true}}')).toHaveProperty('problem');
});

it('G10: a group that the operator does not name is refused with its line and what to do', () => {
  const policy = {
    id: 'x',
    when: { paths: ['*.sql'] },
    verdict: 'escalate',
    reason: 'y',
    approvers: ['admin', '@dba'],
  };
  const text = JSON.stringify({ policies: { custom: [policy] } }, null, 2);
  const of = { file: '.agentpr.json', text };
  const policies = RepositoryPolicies.parse({ custom: [policy] });
  const { problem = '' } = checkApprovers(policies, { groups: { lead: ['7'] } }, of) ?? {};
  expect(text.split('\n')[Number(/^\.agentpr\.json:(\d+): /.exec(problem)?.[1]) - 1]).toContain('"@dba"');
  expect(problem).toContain('policies.custom #1.approvers: there is no group @dba. There are: @lead. Write');
  expect(problem).toContain('policies.groups of agentpr.config.json');
  expect(checkApprovers(policies, { groups: { dba: ['7'] } }, of)).toBeNull();
  const two = RepositoryPolicies.parse({ custom: [{ ...policy, approvals: 2, approvers: ['@dba'] }] });
  expect(checkApprovers(two, { groups: { dba: ['7'] } }, of)?.problem).toBe(
    '.agentpr.json:5: policies.custom #1.approvals: 2 people have to approve, but approvers names one person: name more, or ask for fewer approvals.',
  );
});

describe('what a repository adds', () => {
  it('P1: is in force beside what the operator has set, and named as the repository’s', () => {
    const policies = {
      forbiddenPaths: ['src/sum.ts'],
      custom: [
        { id: 'ask-us', when: { actions: ['open_pr'] }, verdict: 'escalate', reason: 'We look first' },
      ],
    };
    const denied = assessAction(push(), around(policies));
    expect(denied.decision).toBe('deny');
    expect(denied.reasons[0]?.policy).toBe('forbidden-paths');
    const asked = assessAction(pull({ files: [file('README.md')] }), around(policies));
    expect(asked.reasons[0]).toEqual({
      policy: 'repository:ask-us',
      verdict: 'escalate',
      reason: own('We look first'),
    });
    expect(explainAssessment(asked).can.at(-1)).toEqual({ kind: 'repository_file' });
    expect(describeRepositoryPolicies(RepositoryPolicies.parse(policies))).toBe(
      'forbiddenPaths src/sum.ts; ask-us: escalate',
    );
  });

  it('P1: has a version of its own, and none where the file says nothing', () => {
    const plain = assessAction(push(), context).policyVersion;
    expect(assessAction(push(), around({})).policyVersion).toBe(plain);
    const versions = [
      { maxFiles: 3 },
      { custom: [{ id: 'x', when: { minAdded: 900 }, verdict: 'deny', reason: 'y' }] },
    ];
    for (const policies of versions)
      expect(assessAction(push(), around(policies)).policyVersion).not.toBe(plain);
  });

  it('P1: never makes a limit looser, a list shorter, a decision milder or a risk lower', () => {
    const count = fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined });
    const globs = fc.option(fc.array(fc.constantFrom('src/**', 'docs/**', '*.md'), { maxLength: 2 }), {
      nil: undefined,
    });
    const any = fc.record(
      {
        maxFiles: count,
        maxLines: count,
        maxBytes: count,
        smallFiles: count,
        smallLines: count,
        maxOpenPrs: count,
        maxCommentLength: count,
        forbiddenPaths: globs,
        protectedPaths: globs,
        protectedBranches: globs,
      },
      { requiredKeys: [] },
    );
    const LEVELS = ['low', 'medium', 'high'];
    fc.assert(
      fc.property(any, (given) => {
        const theirs = RepositoryPolicies.parse(JSON.parse(JSON.stringify(given)));
        const ours = selectRepositorySettings(DEFAULT_POLICY_SETTINGS, context.repo);
        const { settings } = mergeRepositoryPolicies(DEFAULT_POLICY_SETTINGS, context.repo, theirs);
        for (const [name, value] of Object.entries(ours)) {
          const now = settings[name as keyof typeof settings];
          if (typeof value === 'number') expect(now).toBeLessThanOrEqual(value);
          else if (Array.isArray(value)) expect(now).toEqual(expect.arrayContaining(value as unknown[]));
        }
        for (const action of [push(), pull()]) {
          const [before, after] = [assessAction(action, context), assessAction(action, around(theirs))];
          expect(VERDICT_RANK[after.decision]).toBeGreaterThanOrEqual(VERDICT_RANK[before.decision]);
          expect(LEVELS.indexOf(after.risk)).toBeGreaterThanOrEqual(LEVELS.indexOf(before.risk));
        }
      }),
    );
  });

  it('E7: installations and checks of its own take the place of what was found, each with its folder', () => {
    const text = JSON.stringify({
      installs: [],
      checks: [
        { command: 'pnpm lint', name: 'lint' },
        { command: 'pytest -x', dir: 'backend' },
      ],
    });
    const own = readRepositoryFile(text);
    expect(Contract.parse({ ...contract, ...own })).toMatchObject({
      installs: [],
      checks: [
        { name: 'lint', command: 'pnpm lint', dir: '', source: '.agentpr.json' },
        { name: 'check 2', command: 'pytest -x', dir: 'backend', source: '.agentpr.json' },
      ],
    });
    for (const bad of [
      { checks: [] },
      { checks: [{ command: 'a\nb' }] },
      { checks: [{ command: 'a', dir: '../b' }] },
      { checks: [{ command: 'a', dir: '/b' }] },
      { installs: [{ command: '' }] },
      { checks: [{ command: 'a', name: 'A' }] },
    ])
      expect(readRepositoryFile(JSON.stringify(bad)), JSON.stringify(bad)).toHaveProperty('problem');
  });

  it('P3: a change of the file itself asks a person', () => {
    const said = assessAction(push({ files: [file('.agentpr.json')] }), context);
    expect(said).toMatchObject({ decision: 'escalate', risk: 'high' });
    expect(said.reasons.map((r) => r.policy)).toContain('agent-config-changed');
  });

  it('is kept with the contract, and a contract without it reads as before', () => {
    expect(Contract.parse(contract)).toEqual(contract);
    const policies = RepositoryPolicies.parse({ maxFiles: 2 });
    expect(Contract.parse({ ...contract, policies }).policies).toEqual(policies);
  });
});
