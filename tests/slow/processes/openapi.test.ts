/**
 * F1: every request that we send and every answer of our local GitHub, judged by GitHub's own
 * OpenAPI description.
 */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeManifestCode, appCreationUrl, createAppManifest } from '../../../forge/app-manifest.ts';
import { createGitHubClient, type ClientParts } from '../../../forge/github-client.ts';
import { createForgeCredentials } from '../../../forge/credentials.ts';
import { pullNumber } from '../../../forge/github-facts.ts';
import { createGitHubForge } from '../../../forge/github.ts';
import { repositoryHasLabel } from '../../../forge/repository-has-label.ts';
import { readTokenRights } from '../../../forge/token-rights.ts';
import type { ForgePort } from '#ports/roles';
import { answer, startGitHub, type Call, type GitHub } from '#playground';
import { apiCalls, judge } from '../../support/openapi/judge.ts';
import { startProxy } from '../../support/openapi/proxy.ts';
import { conversationThreadId } from '#model/review';
import { ROUTES } from '../../support/openapi/routes.ts';

const QUEUE = {
  check_response_timeout_minutes: 60,
  grouping_strategy: 'ALLGREEN',
  merge_method: 'MERGE',
  max_entries_to_build: 5,
  max_entries_to_merge: 5,
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 5,
};
const PULLS = 'POST /repos/{owner}/{repo}/pulls';
const WISH = { title: 'x', head: 'fix', base: 'main' };
const CALL: Omit<Call, 'route' | 'method' | 'params'> = {
  n: 1,
  path: '',
  headers: {},
  at: 0,
  ms: 0,
  outcome: 'answered',
  status: 404,
  answer: null,
  fault: null,
};
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
let github: GitHub;
beforeAll(async () => {
  const app = { id: '7', slug: 'agentpr', publicKey };
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'], app });
});
afterAll(() => github.stop());

const partsAt = (apiUrl: string): ClientParts => ({
  apiUrl,
  userAgent: 'agentpr-test',
  clock: { now: () => 0 },
  token: () => Promise.resolve('tok'),
});
const forgeAt = (apiUrl: string): ForgePort => createGitHubForge(partsAt(apiUrl));
const ownerOf = (name: string): string => name.split('/')[0] ?? '';
type Story = { id: string; head: string; repository: string };
/** A pull request that failed in every way, and that people have something to say about. */
const story = async (owner: string): Promise<Story> => {
  const files = { 'a.ts': 'one\n', 'CONTRIBUTING.md': 'Be kind.\n' };
  const ci = [{ name: 'test', command: 'echo no; exit 1' }];
  const acme = await github.addRepo({ owner, name: 'api', from: files, ci });
  acme.grant('bot', 'write');
  acme.grant('max', 'write');
  github.addTeam(`${owner}/web`, [`${owner}/api`]);
  const required = [{ context: 'test' }, { context: 'cov', integration_id: 5 }];
  const parameters = { required_status_checks: required, strict_required_status_checks_policy: true };
  acme.addRule({ type: 'required_status_checks', branch: 'main', parameters });
  acme.addRule({ type: 'merge_queue', branch: 'main', parameters: QUEUE });
  const head = await acme.pushForeign('fix', { files: { 'b.ts': 'two\n' } });
  const issue = acme.openIssue({ title: 'Broken', body: 'It is.', user: 'eve' });
  const wish = { title: 'Fix', body: `Because of #${issue}.`, head: 'fix', base: 'main', draft: false };
  const made = await forgeAt(github.url).createPull(`${owner}/api`, { ...wish, maintainerCanModify: true });
  const id = made?.id ?? '';
  await github.ciIdle();
  const annotations = [{ path: 'b.ts', line: 1, level: 'failure' as const, message: 'no' }];
  acme.setCheck(head, { name: 'lint', app: 'ci', conclusion: 'failure', annotations });
  acme.setStatus(head, { context: 'cov', state: 'failure', description: 'low', by: 'cov[bot]' });
  const comments = [{ path: 'b.ts', line: 1, body: 'Why?' }];
  acme.review(pullNumber(id), { user: 'max', state: 'CHANGES_REQUESTED', body: 'No.', comments });
  acme.review(pullNumber(id), { user: 'eve', state: 'COMMENTED', body: 'Hm.' });
  acme.comment(pullNumber(id), { user: 'eve', body: 'Nice.' });
  acme.labelIssue(issue, 'AgentPR', 'max');
  acme.changeIssue(issue, { assignees: ['max'], locked: true });
  acme.connectIssue(issue);
  return { id, head, repository: String(acme.id) };
};
/** Everything that the product reads of it. */
const readAll = async (forge: ForgePort, name: string, { id, head, repository }: Story) => ({
  login: await forge.login(),
  repo: await forge.repo(name),
  name: await forge.nameOf(repository),
  files: await forge.files(name, ['CONTRIBUTING.md']),
  found: {
    org: await forge.findRepositories({ by: 'org', text: ownerOf(name) }),
    team: await forge.findRepositories({ by: 'team', text: `${ownerOf(name)}/web` }),
    repos: await forge.findRepositories({ by: 'repos', text: `api org:${ownerOf(name)}` }),
    code: await forge.findRepositories({ by: 'code', text: `filename:a.ts org:${ownerOf(name)}` }),
  },
  issue: await forge.issue(name, id),
  labelled: await forge.labelled(name, 'agentpr'),
  asked: await forge.askedBy(name, (await forge.labelled(name, 'agentpr'))[0]?.id ?? '', 'agentpr'),
  rivals: await forge.competingPulls(name, { issue: '#1', paths: ['a.ts'] }),
  pulls: await forge.pullsByHead(name, 'fix'),
  open: await forge.openPulls(name),
  checks: await forge.checks(name, head, 'main'),
  reviews: await forge.reviews(name, id),
  failed: await forge.failedChecks(name, head),
  red: await forge.findRedOnBaseOrFlaky(name, head, 'main'),
  ours: await forge.ourReplies(name, id),
  comments: await forge.comments(name, id),
});

describe('GitHub’s description', () => {
  it('F1: knows every request that we send, and every answer of our local GitHub is one that it describes', async () => {
    const forge = forgeAt(github.url);
    const told = await story('acme');
    const all = await readAll(forge, 'acme/api', told);
    expect(all).toMatchObject({ open: 1, name: 'acme/api', files: [{ text: 'Be kind.\n' }] });
    expect(all).toMatchObject({
      labelled: [{ title: 'Broken', body: 'It is.' }],
      asked: { by: 'max', bot: false, access: 'write' },
    });
    const one = { repos: [{ name: 'acme/api', archived: false, isFork: false, mayPush: true }], of: 1 };
    expect(all.found).toMatchObject({ org: one, team: one, repos: one });
    expect(all.rivals).toMatchObject({ pulls: [{ id: told.id, matchedBy: 'issue' }] });
    // What GitHub says of a repository beside code is less.
    expect(all.found.code).toMatchObject({ repos: [{ name: 'acme/api', mayPush: null }], of: 1 });
    await forge.rerun('acme/api', told.head);
    const [thread] = all.reviews.flatMap((one) => one.remarks ?? []).filter(({ path }) => path !== null);
    await forge.reply('acme/api', told.id, thread?.thread ?? '', 'Because.');
    await forge.askAgain('acme/api', told.id, ['max']);
    const client = createGitHubClient(partsAt(github.url));
    expect(await repositoryHasLabel(client, { owner: 'acme', repo: 'api' }, 'agentpr')).toBe(true);
    expect(await repositoryHasLabel(client, { owner: 'acme', repo: 'api' }, 'area/web')).toBe(false);
    await forge.describe('acme/api', told.id, 'Because it failed.');
    const closed = await forge.close('acme/api', told.id, 'Thank you.');
    expect(closed).toMatchObject({ state: 'closed', body: 'Thank you.' });
    const runs = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';
    github.faults.next(runs, answer(403, { message: 'Resource not accessible' }));
    await forge.checks('acme/api', told.head, 'main');
    // Where Actions has nothing to run again, the suites of other apps are asked for anew.
    const other = await github.addRepo({ owner: 'acme', name: 'plain', from: { 'a.ts': 'one\n' } });
    other.grant('bot', 'write');
    const head = (await other.head()) ?? '';
    other.setCheck(head, { name: 'lint', app: 'ci', conclusion: 'failure' });
    await forge.rerun('acme/plain', head);
    await other.pushForeign('next', { files: { 'c.ts': 'three\n' }, message: 'Say three' });
    const next = { ...WISH, head: 'next', body: '', draft: false, maintainerCanModify: true };
    const made = await forge.createPull('acme/plain', next);
    expect(await forge.mergedPull('acme/plain', made?.id ?? '')).toBeNull();
    const sameFile = await forge.competingPulls('acme/plain', { issue: null, paths: ['c.ts'] });
    expect(sameFile.pulls).toMatchObject([{ id: made?.id, matchedBy: 'files' }]);
    const commit = await other.merge(1, 'squash');
    expect(await forge.mergedPull('acme/plain', '#1')).toEqual({
      pull: '#1',
      commit,
      baseRef: 'main',
      subjects: ['Say three'],
    });
    const pushed = { pull: '#1', base: head, head: made?.headSha ?? '' };
    expect(await forge.survival('acme/plain', pushed)).toEqual({ reverted: false, added: 1, remaining: 1 });
    // A release of before has not got it; one with a name for a shell is told as it is.
    await other.release('v0.9', head);
    expect(await forge.releasesWith('acme/plain', commit)).toEqual([]);
    await other.advance({ 'd.ts': 'four\n' });
    await other.release('v1$(id)/x');
    await other.release('v1.1');
    expect(await forge.releasesWith('acme/plain', commit)).toEqual(['v1$(id)/x', 'v1.1']);
    await other.advance({ 'c.ts': 'four\n' }, `Revert "Say three"\n\nThis reverts commit ${commit}.`);
    expect(await forge.survival('acme/plain', pushed)).toEqual({ reverted: true, added: 1, remaining: 0 });
    await forge.reply('acme/api', told.id, conversationThreadId('https://x/1'), 'Yes.');
    await github.addRepo({ owner: 'kim', name: 'api', from: { 'a.ts': 'one\n' }, access: 'read' });
    const fork = await forge.fork('kim/api', null);
    await github.repo('kim/api').advance({ 'b.ts': 'two\n' });
    expect(await forge.followParent(fork.name, 'main')).toBe(true);
    expect(await forge.seenByAll('acme/api', told.id)).toBe(true);
    github.installApp('acme', { contents: 'write', pull_requests: 'write' });
    const parts = { apiUrl: github.url, token: null, app: { id: '7', key: KEY } };
    const credentials = createForgeCredentials({ ...parts, clock: { now: () => Date.now() } });
    await credentials.token('acme/plain');
    await credentials.installations();
    const wish = { name: 'agentpr-1', home: github.url, redirect: 'http://127.0.0.1:1/made', hook: null };
    const agreed = await fetch(appCreationUrl(github.url, null, 's'), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ manifest: JSON.stringify(createAppManifest(wish)) }),
    });
    const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    expect((await exchangeManifestCode(github.url, code, { now: () => 0 })).slug).toBe('agentpr-1');
    // What it asks of a token cannot be taken as it is: only that it is asked for is of interest.
    const before = github.calls.length;
    expect((await readTokenRights({ apiUrl: github.url, token: 'tok' })).missing).toEqual([]);
    const [listed] = github.calls.splice(before);
    github.calls.push(...(listed ? [listed] : []));
    await github.ciIdle();
    expect([...new Set(apiCalls(github).flatMap(judge))]).toEqual([]);
    const asked = new Set(github.calls.map(({ route }) => route));
    expect(ROUTES.filter((route) => !asked.has(route))).toEqual([]);
  });

  it('F1: names every field that we read: without all others, the facts are the same', async () => {
    const told = await story('beta');
    const proxy = await startProxy(github.url, 'named');
    try {
      const plain = await readAll(forgeAt(github.url), 'beta/api', told);
      expect(await readAll(forgeAt(proxy.url), 'beta/api', told)).toEqual(plain);
    } finally {
      await proxy.stop();
    }
  });

  it('F8: allows no answer that we cannot read, even where it promises least', async () => {
    const told = await story('gamma');
    const proxy = await startProxy(github.url, 'least');
    try {
      const least = await readAll(forgeAt(proxy.url), 'gamma/api', told);
      expect(least.checks.checks.map(({ outcome }) => outcome)).not.toContain('passed');
    } finally {
      await proxy.stop();
    }
  });

  it.each([
    ['a route', { route: 'GET /repos/{owner}/{repo}/nothing' }, /no such route/],
    ['a parameter', { params: { per_page: '100', colour: 'red' } }, /no parameter colour/],
    ['a value', { params: { state: 'half-open' } }, /state: .*allowed values/],
    ['a field of a body', { method: 'POST', route: PULLS, params: { ...WISH, colour: 'red' } }, /no colour/],
    ['a body', { method: 'POST', route: PULLS, params: { title: 'x', base: 'main' } }, /'head'/],
    ['an answer', { answer: [{ id: 1 }], status: 200 }, /required property 'url'/],
  ])('F1: finds %s that GitHub does not know', (_what, wrong, says) => {
    const call = { route: 'GET /repos/{owner}/{repo}/pulls', method: 'GET', params: {}, ...CALL, ...wrong };
    expect(judge(call).join('\n')).toMatch(says);
  });
});
