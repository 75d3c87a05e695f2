/** Samples for core tests: an order, a contract, commits, assessments and proposals. */
import type { Baseline } from '#model/evidence';
import { RunBounds } from '#model/limits';
import type { Contract } from '#model/contract';
import type { Assessment } from '#model/assessment';
import type { Commit } from '#model/change';
import type { Order } from '#model/order';
import type { Proposal, SealFields } from '#model/seal';

export const START = 1_000_000;
export const ana = { id: '1', name: 'Ana' };
export const ben = { id: '2', name: 'Ben' };
export const sha = (letter: string): string => letter.repeat(40).slice(0, 40);
export const BRANCH = 'feature/agentpr-r1';

export const bounds = (change: Partial<RunBounds> = {}): RunBounds => ({ ...RunBounds.parse({}), ...change });

export const budgeted = (change: Partial<RunBounds> = {}): RunBounds => ({
  ...RunBounds.parse({ maxTokens: 100 }),
  ...change,
});

export const order = (change: Partial<Order> = {}): Order => ({
  repo: 'ana/app',
  goal: 'Say hello in French',
  base: null,
  branch: null,
  title: null,
  engine: 'script',
  engineArgs: [],
  promptVersion: '1',
  checks: [],
  requester: ana,
  chat: '10',
  decider: null,
  flow: 'direct',
  discovery: 'files',
  bounds: bounds(),
  ...change,
});

export const contract = (change: Partial<Contract> = {}): Contract => ({
  ecosystems: ['node'],
  packageManager: 'npm',
  installs: [],
  checks: [{ name: 'test', command: 'npm test', dir: '', source: 'package.json' }],
  tools: [],
  branchRule: null,
  titleRule: null,
  rules: [],
  template: null,
  riskFlags: [],
  ...change,
});

export const commit = (letter: string): Commit => ({
  sha: sha(letter),
  tree: sha('7'),
  base: sha('0'),
  message: 'Say hello in French',
  diff: {
    files: [],
    added: 1,
    deleted: 0,
    digest: `diff of ${letter}`,
    bytes: 10,
    documentBytes: 10,
    findings: [],
  },
});

export const assessment = (change: Partial<Assessment> = {}): Assessment => ({
  decision: 'allow',
  risk: 'low',
  reasons: [],
  factors: [],
  policyVersion: 'p1',
  ...change,
});

export const proposal = (
  action: SealFields['action'],
  headSha: string,
  change: Partial<SealFields> = {},
): Proposal => {
  const fields: SealFields = {
    action,
    baseRepoId: '1',
    headRepoId: '1',
    baseRef: 'main',
    rules: [],
    mergeBase: sha('0'),
    headSha,
    tree: sha('7'),
    diff: 'd',
    branch: BRANCH,
    author: 'bot',
    title: 'Say hello in French',
    body: '',
    draft: false,
    maintainerCanModify: false,
    conflicts: false,
    policyVersion: 'p1',
    assessment: assessment(),
    evidence: [],
    ...change,
  };
  return { digest: `${action} ${headSha.slice(0, 6)} ${fields.title}`, fields };
};

export const lacking: Pick<Baseline, 'installs'> = {
  installs: [
    {
      name: 'install',
      command: 'npm ci',
      exitCode: 127,
      outcome: 'not_run',
      ms: 1,
      tail: '',
      commandFailure: { kind: 'no_program', program: 'npm', says: 'sh: 1: npm: not found' },
    },
  ],
};

export const seenOnBase: Pick<Baseline, 'checks'> = {
  checks: [{ name: 'test', command: 'npm test', exitCode: 0, outcome: 'passed', ms: 1, tail: '' }],
};
