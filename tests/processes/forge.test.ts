/**
 * The Forge port on a local GitHub: facts as they are, failures as classified data, and no write
 * that is repeated.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pullNumber } from '../../forge/github-facts.ts';
import { foldCiObservation, createCiFacts } from '../../orchestrator/kernel/ci/ci-facts.ts';
import { toCheckRequirement } from '#model/ci';
import { ciVerdict } from '../../orchestrator/kernel/ci/ci-verdict.ts';
import { createGitHubForge } from '../../forge/github.ts';
import type { PullFacts } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import {
  answer,
  badGateway,
  commitThenDrop,
  delay,
  drop,
  type FaultAction,
  garbage,
  type GitHub,
  secondaryLimit,
  serverError,
  startGitHub,
} from '#playground';

const NOW = 1_767_614_400_000;
const repo = 'acme/api';
let github: GitHub;
let forge: ForgePort;
let head = '';
let branches = 0;

const forgeWith = (token: string, timeoutMs?: number): ForgePort =>
  createGitHubForge({
    apiUrl: `${github.url}/`,
    token: () => Promise.resolve(token),
    userAgent: 'agentpr-test',
    clock: { now: () => NOW },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
  const made = await github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'hi\n' } });
  made.grant('bot', 'write');
  forge = forgeWith('tok');
});
afterAll(() => github.stop());
beforeEach(() => github.faults.clear());

const branch = async (): Promise<string> => {
  const name = `fix-${(branches += 1)}`;
  execFileSync('git', ['-C', github.repo(repo).dir, 'branch', name, 'main']);
  head = await github.repo(repo).pushForeign(name, { files: { [`${name}.txt`]: 'x\n' } });
  return name;
};
const open = async (name: string): Promise<PullFacts> => {
  const made = await forge.createPull(repo, {
    title: 'Fix it',
    body: 'Because.',
    head: name,
    base: 'main',
    draft: false,
    maintainerCanModify: true,
  });
  if (!made) throw new Error('there was one already');
  return made;
};
const since = (from: number, route: string) => github.calls.slice(from).filter((c) => c.route === route);
const POST = 'POST /repos/{owner}/{repo}/pulls';

describe('facts', () => {
  it('tells who we are and what a repository is', async () => {
    expect(await forge.login()).toBe('bot');
    expect(await forge.repo(repo)).toMatchObject({ defaultBranch: 'main', archived: false, mayPush: true });
    expect(github.calls.at(-1)?.headers['user-agent']).toContain('agentpr-test');
  });

  it('F1: opens a pull request and reads it back as it is', async () => {
    const name = await branch();
    const made = await open(name);
    expect(made).toMatchObject({
      state: 'open',
      merged: false,
      author: 'bot',
      baseRef: 'main',
      headRef: name,
      headSha: head,
      title: 'Fix it',
      body: 'Because.',
    });
    expect(await forge.pull(repo, made.id)).toEqual(made);
    expect(await forge.pullsByHead(repo, name)).toEqual([made]);
    expect(await forge.pullsByHead(repo, 'no-such')).toEqual([]);
    await github.repo(repo).merge(pullNumber(made.id));
    expect(await forge.pull(repo, made.id)).toMatchObject({
      state: 'closed',
      merged: true,
      mergedBy: 'acme',
    });
  });

  it('F3: folds check runs and statuses to the newest of each app and name, with what the branch requires', async () => {
    await branch();
    const acme = github.repo(repo);
    acme.setCheck(head, { name: 'test', conclusion: 'failure' });
    acme.setCheck(head, { name: 'test', conclusion: 'success' });
    acme.setCheck(head, { name: 'test', app: 'other-ci', status: 'in_progress' });
    acme.setStatus(head, { context: 'legacy', state: 'pending' });
    acme.requireChecks('main', ['test', 'legacy']);
    const { checks, required } = await forge.checks(repo, head, 'main');
    const suite = acme.checkRuns.findLast((run) => run.name === 'test' && run.suite.app === 'github-actions')
      ?.suite.id;
    expect(required).toEqual(['test', 'legacy'].map((name) => toCheckRequirement(name)));
    expect(Object.fromEntries(checks.map((c) => [c.key, c.outcome ?? c.status]))).toEqual({
      [`github-actions/${suite}/test`]: 'passed',
      'other-ci/test': 'running',
      'status/legacy': 'running',
    });
    acme.setStatus(head, { context: 'legacy', state: 'error' });
    const after = (await forge.checks(repo, head, 'main')).checks.find((c) => c.key === 'status/legacy');
    expect(after?.outcome).toBe('failed');
  });

  it('F3: does not take the check of another app for the one that the branch waits for', async () => {
    await branch();
    const run = (id: number) => ({
      id,
      name: 'test',
      status: 'completed',
      conclusion: 'success',
      started_at: null,
      app: { slug: `app-${id}`, id },
    });
    const says = async (...ran: number[]): Promise<string> => {
      const checks = [{ context: 'test', app_id: 5 }];
      const protection = { required_status_checks: { contexts: ['test'], checks } };
      github.faults.next('GET /repos/{owner}/{repo}/rules/branches/{branch}', answer(200, []));
      github.faults.next('GET /repos/{owner}/{repo}/branches/{branch}', answer(200, { protection }));
      const check_runs = ran.map(run);
      github.faults.next('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', answer(200, { check_runs }));
      const look = { ...(await forge.checks(repo, head, 'main')), partial: false, polledAt: NOW };
      return ciVerdict(foldCiObservation(createCiFacts(0), look, 0, { ciSettleMs: 0, noCiMs: 0 }));
    };
    expect(await says()).toBe('PENDING');
    expect(await says(6)).toBe('PENDING');
    expect(await says(6, 5)).toBe('GREEN');
    github.repo(repo).setStatus(head, { context: 'TEST', state: 'success' });
    expect(await says(6)).toBe('PENDING');
  });

  it('G8: knows a base that takes only signed commits, by its rules and by its protection', async () => {
    const wants = (): Promise<boolean> => forge.wantsSigned(repo, 'main');
    expect(await wants()).toBe(false);
    const [rules, classic] = ['rules/branches/{branch}', 'branches/{branch}'].map(
      (path) => `GET /repos/{owner}/{repo}/${path}`,
    ) as [string, string];
    github.faults.next(rules, answer(200, [{ type: 'required_signatures' }]));
    expect(await wants()).toBe(true);
    github.faults.next(classic, answer(200, { protection: { required_signatures: { enabled: true } } }));
    expect(await wants()).toBe(true);
    for (const route of [rules, classic]) github.faults.next(route, answer(403, { message: 'Forbidden' }));
    expect(await wants()).toBe(false);
  });

  it('F3: knows of checks that do not begin before a maintainer allows them', async () => {
    await branch();
    const acme = github.repo(repo);
    expect(await forge.checks(repo, head, 'main')).toMatchObject({ checks: [], awaitsMaintainer: false });
    acme.holdChecks(head);
    acme.setCheck(head, { name: 'licence', app: 'other-ci', conclusion: 'success' });
    expect(await forge.checks(repo, head, 'main')).toMatchObject({ checks: [{}], awaitsMaintainer: true });
    acme.setCheck(head, { name: 'test', conclusion: 'success' });
    expect(await forge.checks(repo, head, 'main')).toMatchObject({
      checks: [{}, {}],
      awaitsMaintainer: false,
    });
  });

  it('F3: takes the newest run of a check that several suites ran, in whatever order they are listed', async () => {
    await branch();
    const run = (id: number, conclusion: string, started_at: string) => ({
      id,
      name: 'test',
      status: 'completed',
      conclusion,
      started_at,
      app: { slug: 'github-actions', id: 1 },
    });
    const [old, young] = [
      run(1, 'failure', '2026-01-05T12:00:00Z'),
      run(2, 'success', '2026-01-05T12:01:00Z'),
    ];
    for (const check_runs of [
      [old, young],
      [young, old],
    ]) {
      github.faults.next('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', answer(200, { check_runs }));
      expect((await forge.checks(repo, head, 'main')).checks).toMatchObject([{ outcome: 'passed' }]);
    }
  });

  it('P5: says of each reviewer whether they may steer', async () => {
    const { id } = await open(await branch());
    const [acme, number] = [github.repo(repo), pullNumber(id)];
    acme.grant('kim', 'write');
    acme.review(number, { state: 'CHANGES_REQUESTED', body: 'Please add a test.' });
    acme.review(number, { user: 'kim', state: 'APPROVED' });
    acme.review(number, { user: 'eve', state: 'CHANGES_REQUESTED', body: 'do as I say' });
    // A collaborator by name, who may read and no more.
    acme.grant('mia', 'read');
    acme.review(number, { user: 'mia', state: 'CHANGES_REQUESTED', body: 'do as I say, too' });
    const reviews = await forge.reviews(repo, id);
    expect(reviews.map((r) => [r.reviewer, r.access, r.state])).toEqual([
      ['acme', 'write', 'wants_changes'],
      ['kim', 'write', 'approved'],
      ['eve', 'read', 'wants_changes'],
      ['mia', 'read', 'wants_changes'],
    ]);
    expect(reviews[0]).toMatchObject({ commitSha: head, body: 'Please add a test.' });
  });

  it('P5: gives with a remark what it says of lines, which may be all of it', async () => {
    const name = await branch();
    const { id } = await open(name);
    const [acme, number] = [github.repo(repo), pullNumber(id)];
    const path = `${name}.txt`;
    const on = (body: string) => ({ path, line: 1, body });
    acme.reviewComment(number, { user: 'eve', ...on('Why this?') });
    acme.reviewComment(number, { user: 'bot', ...on('Because.') });
    acme.review(number, { user: 'eve', state: 'COMMENTED', body: 'Nearly.', comments: [on('a'), on('b')] });
    acme.review(number, { state: 'CHANGES_REQUESTED', body: 'Please.', comments: [on('c')] });
    expect((await forge.reviews(repo, id)).map(({ body }) => body)).toEqual([
      `${path}:1: Why this?`,
      `Nearly.\n\n${path}:1: a\n${path}:1: b`,
      'Please.',
    ]);
  });
});

describe('being frugal', () => {
  it('F1: asks with the ETag it knows, takes 304 for the same answer, and sees a change at once', async () => {
    const { id } = await open(await branch());
    const first = await forge.pull(repo, id);
    const used = github.rate.used;
    expect(await forge.pull(repo, id)).toEqual(first);
    expect(github.calls.at(-1)?.status).toBe(304);
    expect(github.rate.used).toBe(used);
    await github.repo(repo).close(pullNumber(id));
    expect((await forge.pull(repo, id)).state).toBe('closed');
  });
});

describe('failures', () => {
  const cases: [string, FaultAction, object][] = [
    ['a server error', serverError(), { class: 'forge_unavailable' }],
    ['a proxy page', badGateway(), { class: 'forge_unavailable' }],
    [
      'a page where JSON should be',
      answer(200, '<html>hi</html>', { 'content-type': 'text/html' }),
      { class: 'forge_unavailable' },
    ],
    [
      'a refusal by a proxy',
      answer(403, '<html>no</html>', { 'content-type': 'text/html' }),
      { class: 'forge_unavailable' },
    ],
    ['half an answer', garbage(), { class: 'forge_unavailable' }],
    ['a cut connection', drop(), { class: 'forge_unavailable' }],
    ['an answer of another shape', answer(200, { hello: 1 }), { class: 'forge_unavailable' }],
    [
      'a busy server',
      answer(503, { message: 'later' }, { 'retry-after': '7' }),
      { class: 'forge_unavailable', retryAt: NOW + 7_000 },
    ],
    ['the secondary limit', secondaryLimit(30), { class: 'rate_limited', retryAt: NOW + 30_000 }],
    [
      'too many requests',
      answer(429, { message: 'slow down' }),
      { class: 'rate_limited', retryAt: NOW + 60_000 },
    ],
    [
      'the primary limit',
      answer(
        403,
        { message: 'API rate limit exceeded' },
        {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(NOW / 1000 + 90),
          date: new Date(NOW).toUTCString(),
        },
      ),
      { class: 'rate_limited', retryAt: NOW + 91_000 },
    ],
    [
      'no rights',
      answer(403, { message: 'Resource not accessible' }),
      { class: 'forge_refused', message: expect.stringContaining('Resource not accessible') as string },
    ],
    [
      'what was archived',
      answer(403, { message: 'Repository was archived so is read-only.' }),
      { class: 'repository_archived' },
    ],
    [
      'what may be shown to nobody',
      answer(451, { message: 'Repository access blocked' }),
      { class: 'repository_missing' },
    ],
    [
      'what was disabled',
      answer(403, { message: 'Repository access blocked' }),
      { class: 'repository_missing' },
    ],
    ['a bad credential', answer(401, { message: 'Bad credentials' }), { class: 'auth_missing' }],
    ['nothing there', answer(404, { message: 'Not Found' }), { class: 'repository_missing' }],
  ];
  it.each(cases)('F5: classifies %s, after asking once', async (_, fault, expected) => {
    github.faults.always('GET /repos/{owner}/{repo}', fault);
    const from = github.calls.length;
    await expect(forge.repo(repo)).rejects.toMatchObject(expected);
    expect(github.calls.length - from).toBe(1);
  });

  it.each(
    [serverError(), badGateway(), drop(), commitThenDrop(), secondaryLimit(1)].map((f, i) => [i, f] as const),
  )('G1: never repeats a POST that failed (fault %i)', async (_, fault) => {
    const name = await branch();
    github.faults.next(POST, fault);
    const from = github.calls.length;
    await expect(open(name)).rejects.toMatchObject({
      class: expect.stringMatching(/forge_unavailable|rate_limited/) as string,
    });
    expect(since(from, POST)).toHaveLength(1);
  });

  it('L4: after an answer that was lost, the caller finds the pull request and does not open a second', async () => {
    const name = await branch();
    github.faults.next(POST, commitThenDrop());
    await expect(open(name)).rejects.toMatchObject({ class: 'forge_unavailable' });
    expect(await forge.pullsByHead(repo, name)).toMatchObject([{ headSha: head, author: 'bot' }]);
    await expect(open(name)).rejects.toThrow('there was one already');
    expect(await forge.pullsByHead(repo, name)).toHaveLength(1);
  });

  it('gives the words of a refusal in one short line', async () => {
    const message = `Validation\nFailed\u202e ${'x'.repeat(500)}`;
    github.faults.next(POST, answer(422, { message, errors: [{ message: 'No commits' }] }));
    const failure = await open(await branch()).then(
      () => '',
      (e: unknown) => (e as Error).message,
    );
    expect(failure).toMatch(/^GitHub refused \(422\): Validation Failed x+$/);
    expect(failure.length).toBeLessThanOrEqual(330);
  });

  it('gives up on a server that does not answer', async () => {
    github.faults.next('GET /user', delay(10_000));
    await expect(forgeWith('tok', 100).login()).rejects.toMatchObject({ class: 'forge_unavailable' });
  });

  it('G5: follows no redirect with a POST', async () => {
    const name = await branch();
    const from = github.calls.length;
    for (const status of [301, 302, 307, 308]) {
      github.faults.next(POST, answer(status, {}, { location: `${github.url}/user` }));
      await expect(open(name)).rejects.toMatchObject({
        class: 'repository_missing',
        message: expect.stringContaining('under another name') as string,
      });
    }
    expect(github.calls.slice(from).filter((call) => call.route === POST)).toHaveLength(4);
  });
});
