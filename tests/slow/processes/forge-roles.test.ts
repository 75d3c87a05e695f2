/** GitHub has every role of a code host. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe } from 'vitest';
import { createGitHubAdapter } from '../../../forge/github-adapter.ts';
import { pullId, pullNumber } from '../../../forge/github-facts.ts';
import { type GitHub, startGitHub } from '#playground';
import { testForgeRoles, type ForgeStage } from '../../support/forge-role-suites.ts';

let github: GitHub;
let stage: ForgeStage;
let branches = 0;

beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
  const acme = await github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'hi\n' } });
  acme.grant('bot', 'write');
  acme.grant('kim', 'read');
  await github.addRepo({ owner: 'kim', name: 'tool', from: { 'README.md': 'hi\n' }, access: 'read' });
  const settings = { token: 'tok', app: null, apiUrl: github.url, serverUrl: github.url };
  stage = {
    ...createGitHubAdapter(settings, { now: () => Date.now() }).connect({}),
    repo: 'acme/api',
    theirs: 'kim/tool',
    us: 'bot',
    maintainer: 'acme',
    branch: async () => {
      const name = `fix-${(branches += 1)}`;
      execFileSync('git', ['-C', acme.dir, 'branch', name, 'main']);
      return { name, sha: await acme.pushForeign(name, { files: { [`${name}.txt`]: 'x\n' } }) };
    },
    finishes: async (sha, name, outcome) => {
      acme.setCheck(sha, { name, conclusion: outcome === 'passed' ? 'success' : 'failure', app: 'ci' });
    },
    merges: async (id) => void (await acme.merge(pullNumber(id))),
    approves: async (id, user) => void acme.review(pullNumber(id), { user, state: 'APPROVED' }),
    comments: async (id, user, body) => void acme.comment(pullNumber(id), { user, body }),
    opensIssue: async (title, label, user) => {
      const number = acme.openIssue({ title });
      acme.labelIssue(number, label, user);
      return pullId(number);
    },
  };
});
afterAll(() => github.stop());

describe('GitHub', () => {
  testForgeRoles(() => stage, []);
});
