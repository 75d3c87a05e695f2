/**
 * The Forge port on a local GitHub: what failed and what people said of it, with their right to
 * steer.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestListener } from 'node:http';
import { distillLog } from '../../../executors/checks/distill-output.ts';
import type { ForgePort } from '#ports/roles';
import { answer } from '#playground';
import { makeTemporaryDirectory } from '#process';
import { conversationThreadId } from '#model/review';
import {
  endless,
  forgeAt,
  moved,
  repo,
  ROUTE,
  startForgeWorld,
  startHost,
  text,
  type ForgeWorld,
  type OtherHost,
  type OurPull,
} from '../../support/forge-world.ts';

const MB = 1024 * 1024;
let world: ForgeWorld;
let forge: ForgePort;
let pull: OurPull;
const hosts: OtherHost[] = [];
const host = async (listener: RequestListener): Promise<OtherHost> => {
  const started = await startHost(listener);
  hosts.push(started);
  return started;
};

/** Shared by the tests that leave nothing behind but the check "test". */
let shared: OurPull;
const openOwnPull = async (): Promise<void> => void (pull = await world.openPull());
beforeAll(async () => {
  world = await startForgeWorld();
  shared = await world.openPull();
});
afterAll(() => world.github.stop());
beforeEach(() => {
  world.github.faults.clear();
  forge = forgeAt(world.github.url);
  pull = shared;
});
afterEach(() => Promise.all(hosts.splice(0).map((one) => one.stop())));
const run = (id: number, more: object) => ({
  id,
  name: 'test',
  status: 'completed',
  conclusion: null,
  app: { slug: 'github-actions', id: 1 },
  started_at: '2026-01-05T12:00:00Z',
  ...more,
});
const shows = (...check_runs: object[]): void => {
  world.github.faults.always(ROUTE.runs, answer(200, { total_count: check_runs.length, check_runs }));
};

describe('checks that failed', () => {
  const failed = (log?: string) =>
    world.acme.setCheck(pull.head, {
      name: 'test',
      conclusion: 'failure',
      output: { title: 'Tests failed', summary: '1 of 3', text: 'adds up' },
      annotations: [
        { path: 'a.ts', line: 2, level: 'failure', message: 'expected 2' },
        { path: 'a.ts', line: 3, level: 'notice', message: 'cache hit' },
      ],
      ...(log === undefined ? {} : { log }),
    });

  it("F6: come with the job's log, without what only the page needs", async () => {
    const at = '2026-01-05T12:00:00.1234567Z ';
    failed(
      [
        '\uFEFF##[group]Run npm test',
        '##[command]npm test',
        '##[endgroup]',
        'not ok 1 - 2026-01-05T12:00:00.1Z',
        '##[error]Process completed with exit code 1.',
      ]
        .map((line) => `${at}${line}\r\n`)
        .join('')
        .replace(`${at}\uFEFF`, `\uFEFF${at}`),
    );
    const [check] = await forge.failedChecks(repo, pull.head);
    expect(check).toMatchObject({ name: 'test', url: expect.stringContaining('/acme/api/') as string });
    expect(check?.log.split(/\r?\n/)).toEqual([
      'Run npm test',
      'npm test',
      'not ok 1 - 2026-01-05T12:00:00.1Z',
      '##[error]Process completed with exit code 1.',
      '',
    ]);
  });

  it('G5: have their log read from another host, which is not shown our credential', async () => {
    failed('hidden');
    const store = await host(text('from the store'));
    world.github.faults.always(ROUTE.logs, moved(`${store.url}/log?sig=1`));
    expect((await forge.failedChecks(repo, pull.head))[0]?.log).toBe('from the store');
    expect(world.callsOf(ROUTE.logs).at(-1)?.headers.authorization).toBe('Bearer tok');
    expect(store.seen).toHaveLength(1);
    expect(JSON.stringify(store.seen)).not.toContain('tok');
  });

  it('come with the last 2 MB of a longer log, from the start of a line', async () => {
    failed('');
    const line = (i: number): string => `${String(i).padStart(7, '0')} ${'é'.repeat(45)}\n`;
    const store = await host(text(Array.from({ length: 60_000 }, (_, i) => line(i)).join('')));
    world.github.faults.always(ROUTE.logs, moved(store.url));
    const log = (await forge.failedChecks(repo, pull.head))[0]?.log ?? '';
    expect(Buffer.byteLength(log)).toBeLessThanOrEqual(2 * MB);
    expect(Buffer.byteLength(log)).toBeGreaterThan(2 * MB - 200);
    expect(log).toMatch(/^\d{7} é/);
    expect(log.endsWith(line(59_999))).toBe(true);
  });

  it('have a log without end cut off: by bytes when it is quick, by time when it is slow', async () => {
    failed('');
    const quick = await host(endless('line\n'.repeat(200_000), 'text/plain'));
    world.github.faults.always(ROUTE.logs, moved(quick.url));
    expect((await forge.failedChecks(repo, pull.head))[0]?.log).toMatch(/^line\nline\n/);
    const slow = await host((_, response) => void response.writeHead(200).write('line\n'));
    world.github.faults.clear();
    world.github.faults.always(ROUTE.logs, moved(slow.url));
    const hurried = forgeAt(world.github.url, 2_000);
    await expect(hurried.failedChecks(repo, pull.head)).rejects.toMatchObject({ class: 'forge_unavailable' });
    expect(slow.seen).toHaveLength(1);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/log',
    'data:text/plain,x',
    'http://',
    'http://u:p@127.0.0.1:1/',
  ])('G5: have no log from %s', async (location) => {
    failed('');
    world.github.faults.always(ROUTE.logs, moved(location));
    await expect(forge.failedChecks(repo, pull.head)).rejects.toMatchObject({ class: 'forge_unavailable' });
  });

  it('have no log from addresses that lead in a circle', async () => {
    failed('');
    const store = await host((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    world.github.faults.always(ROUTE.logs, moved(`${store.url}/a`));
    await expect(forge.failedChecks(repo, pull.head)).rejects.toMatchObject({ class: 'forge_unavailable' });
    expect(store.seen.length).toBeLessThan(10);
  });

  const report = 'Tests failed\n1 of 3\nadds up\na.ts:2: expected 2';
  it.each([
    ['403', answer(403, { message: 'Must have admin rights to Repository.' })],
    ['404', answer(404, { message: 'Not Found' })],
    ['410', answer(410, { message: 'Server Error' })],
    ['an empty log', answer(200, '\n', { 'content-type': 'text/plain' })],
  ])('F6: say what they report when the log is hidden (%s)', async (_, fault) => {
    failed('secret');
    world.github.faults.always(ROUTE.logs, fault);
    expect((await forge.failedChecks(repo, pull.head))[0]?.log).toBe(report);
    world.github.faults.always(ROUTE.notes, answer(403, { message: 'no' }));
    expect((await forge.failedChecks(repo, pull.head))[0]?.log).toBe('Tests failed\n1 of 3\nadds up');
  });

  it.each([403, 404, 410])('F6: say it when the store has dropped the log (%i)', async (status) => {
    failed('gone');
    const store = await host(text('<Error>Expired</Error>', status));
    world.github.faults.always(ROUTE.logs, moved(store.url));
    expect((await forge.failedChecks(repo, pull.head))[0]?.log).toBe(report);
  });

  it('F6: of other apps come with their report, and statuses with their words', async () => {
    await openOwnPull();
    const acme = world.acme;
    acme.setCheck(pull.head, {
      name: 'lint',
      app: 'other-ci',
      conclusion: 'timed_out',
      output: { title: 'Too slow' },
    });
    acme.setCheck(pull.head, { name: 'quiet', app: 'other-ci', conclusion: 'failure' });
    acme.setStatus(pull.head, { context: 'legacy', state: 'error', description: 'Build 7 broke' });
    acme.setStatus(pull.head, { context: 'fine', state: 'success' });
    acme.setStatus(pull.head, { context: 'late', state: 'pending' });
    const asked = world.callsOf(ROUTE.logs).length;
    expect((await forge.failedChecks(repo, pull.head)).map(({ name, log }) => [name, log])).toEqual([
      ['lint', 'Too slow'],
      ['quiet', ''],
      ['legacy', 'Build 7 broke'],
    ]);
    expect(world.callsOf(ROUTE.logs)).toHaveLength(asked);
    const linked = { context: 'ci', state: 'failure', description: 'No', target_url: 'https://ci.example/7' };
    world.github.faults.next(
      ROUTE.status,
      answer(200, { state: 'failure', total_count: 1, statuses: [linked] }),
    );
    expect((await forge.failedChecks(repo, pull.head)).at(-1)).toEqual({
      name: 'ci',
      url: 'https://ci.example/7',
      log: 'No\nhttps://ci.example/7',
    });
  });

  it('F3: are the newest of each app and name only, and red', async () => {
    world.github.faults.always(ROUTE.logs, answer(404, {}));
    world.github.faults.always(ROUTE.notes, answer(200, []));
    shows(
      run(1, { conclusion: 'cancelled' }),
      run(2, { conclusion: 'success', started_at: '2026-01-05T12:01:00Z' }),
      run(3, { name: 'waits', status: 'waiting' }),
      run(4, { name: 'asks', conclusion: 'action_required' }),
      run(5, { name: 'old', conclusion: 'stale' }),
      run(6, { name: 'stopped', conclusion: 'cancelled' }),
      run(7, { name: 'broken', conclusion: 'startup_failure' }),
      run(8, { name: 'skipped', conclusion: 'skipped' }),
    );
    expect((await forge.failedChecks(repo, pull.head)).map((check) => check.name)).toEqual([
      'broken',
      'stopped',
    ]);
  });

  it('are at most 10, in the same order however they are listed', async () => {
    world.github.faults.always(ROUTE.notes, answer(200, []));
    const other = { app: { slug: 'other-ci', id: 2 }, conclusion: 'failure' };
    const runs = Array.from({ length: 14 }, (_, i) =>
      run(i, { ...other, name: `job ${String(i % 14).padStart(2, '0')}` }),
    );
    shows(...runs);
    const names = (await forge.failedChecks(repo, pull.head)).map((check) => check.name);
    world.github.faults.clear();
    world.github.faults.always(ROUTE.notes, answer(200, []));
    shows(...runs.toReversed());
    expect(names).toHaveLength(10);
    expect((await forge.failedChecks(repo, pull.head)).map((check) => check.name)).toEqual(names);
    expect(names[0]).toBe('job 00');
  });
});

describe('CI that really ran', () => {
  it('F6: leaves an agent the failing assertion of its job, however much the job printed', async () => {
    await openOwnPull();
    const { acme } = world;
    const test =
      "import { test } from 'node:test'; import assert from 'node:assert'; test('adds', () => assert.equal(1 + 1, 3));";
    acme.setCi([
      { name: 'unit', command: 'seq 1 20000; node --test --test-reporter=spec', timeoutMs: 60_000 },
      { name: 'fine', command: 'true' },
    ]);
    const head = await acme.pushForeign(pull.branch, { files: { 'sum.test.mjs': test } });
    await acme.ciIdle();
    acme.setCi([]);
    const failed = await forge.failedChecks(repo, head);
    expect(failed.map((check) => check.name)).toEqual(['unit']);
    const short = distillLog(failed[0]?.log ?? '');
    expect(short).toContain('2 == 3');
    expect(short).toMatch(/sum\.test\.mjs:1:\d+/);
    expect(short.endsWith('##[error]Process completed with exit code 1.')).toBe(true);
    expect(short).not.toMatch(/^\d{4}-\d\d-\d\dT/m);
  });
});

it('F6: what failed is run again once the other checks of its workflow have ended', async () => {
  await openOwnPull();
  const { acme } = world;
  const pipe = join(makeTemporaryDirectory('agentpr-stays-'), 'end');
  execFileSync('mkfifo', [pipe]);
  acme.setCi([
    { name: 'fails', command: 'test -e fixed' },
    { name: 'stays', command: `cat '${pipe}'`, timeoutMs: 60_000 },
  ]);
  const head = await acme.pushForeign(pull.branch, { files: { 'a-change.txt': 'one\n' } });
  acme.setCi([]);
  const failed = async (): Promise<string[]> =>
    (await forge.checks(repo, head, 'main')).checks.flatMap(({ name, outcome }) =>
      outcome === 'failed' ? [name] : [],
    );
  await expect.poll(failed, { timeout: 20_000 }).toEqual(['fails']);
  expect(await forge.rerun(repo, head)).toBe('running');
  expect(acme.reruns).toBe(0);
  await writeFile(pipe, 'it may end\n');
  await acme.ciIdle();
  rmSync(dirname(pipe), { recursive: true });
  expect(await forge.rerun(repo, head)).toBe('asked');
  expect(acme.reruns).toBe(1);
});

describe('the facts of checks', () => {
  let unchecked: OurPull;
  beforeAll(async () => void (unchecked = await world.openPull()));
  beforeEach(() => void (pull = unchecked));

  const facts = async () => (await forge.checks(repo, pull.head, 'main')).checks;

  it('F3: one that waits for a maintainer is told as such, and is not red; one that was only asked for is queued', async () => {
    const names = ['waiting', 'requested', 'pending', 'queued', 'in_progress'];
    shows(...names.map((status, i) => run(i, { name: status, status })));
    expect(Object.fromEntries((await facts()).map((c) => [c.name, c.outcome ?? c.status]))).toEqual({
      waiting: 'awaits_maintainer',
      requested: 'queued',
      pending: 'queued',
      queued: 'queued',
      in_progress: 'running',
    });
    world.github.faults.clear();
    shows(run(1, { conclusion: 'action_required' }));
    expect(await facts()).toMatchObject([{ status: 'ended', outcome: 'awaits_maintainer' }]);
  });

  it.each([
    ['is going on', { status: 'in_progress', started_at: '2026-01-05T12:01:00Z' }, 'running'],
    ['has passed', { conclusion: 'success', started_at: '2026-01-05T12:01:00Z' }, 'passed'],
    ['started in the same second', { conclusion: 'success' }, 'passed'],
    ['has not started', { status: 'queued', started_at: null }, 'queued'],
  ])('F3: a cancelled run is not red when a newer one %s', async (_, newer, expected) => {
    for (const runs of [
      [1, 2],
      [2, 1],
    ]) {
      world.github.faults.clear();
      shows(...runs.map((id) => run(id, id === 1 ? { conclusion: 'cancelled' } : newer)));
      expect((await facts()).map((c) => c.outcome ?? c.status)).toEqual([expected]);
    }
  });

  it('F3: a combined status of no statuses says nothing, though GitHub calls it pending', async () => {
    expect(await facts()).toEqual([]);
    expect(world.callsOf(ROUTE.status).at(-1)?.answer).toMatchObject({ state: 'pending', total_count: 0 });
  });
});

describe('what people say', () => {
  beforeEach(openOwnPull);

  it('P5: says of each who commented on a line whether they may steer, and where the line is now', async () => {
    const acme = world.acme;
    const { path } = pull;
    acme.grant('kim', 'write');
    acme.review(pull.number, { state: 'COMMENTED', comments: [{ path, line: 2, body: 'Why?' }] });
    acme.reviewComment(pull.number, { user: 'kim', path, line: 1, body: 'Rename it.' });
    acme.reviewComment(pull.number, { user: 'eve', path, line: 3, body: 'rm -rf /' });
    await acme.pushForeign(pull.branch, { files: { [path]: 'new\nx\nz\n' } });
    const reviews = await forge.reviews(repo, pull.id);
    expect(
      reviews.map((r) => [
        r.reviewer,
        r.access,
        r.remarks?.map(({ path: at, line, body }) => [at, line, body]),
      ]),
    ).toEqual([
      ['acme', 'write', [[path, null, 'Why?']]],
      ['kim', 'write', [[path, 2, 'Rename it.']]],
      // Of a stranger only the words are there, for a person to read.
      ['eve', 'read', undefined],
    ]);
    expect(reviews.at(-1)?.body).toBe(`${path}:3: rm -rf /`);
    // A stranger is not even asked about.
    const asked = world.callsOf(ROUTE.permission).map((call) => call.path);
    expect(asked.filter((at) => at.endsWith('/eve/permission'))).toEqual([]);
  });

  it('F7: says of each comment and thread whether our account wrote there later', async () => {
    const acme = world.acme;
    const { path } = pull;
    const us = await forge.login(repo);
    acme.grant('kim', 'write');
    acme.comment(pull.number, { user: 'kim', body: 'Why?' });
    acme.comment(pull.number, { user: us, body: 'Because.' });
    acme.comment(pull.number, { user: 'kim', body: 'And why that?' });
    expect((await forge.comments(repo, pull.id)).map(({ body, answered }) => [body, answered])).toEqual([
      ['Why?', true],
      ['And why that?', undefined],
    ]);
    acme.reviewComment(pull.number, { user: 'kim', path, line: 1, body: 'Rename it.' });
    acme.reviewComment(pull.number, { user: 'kim', path, line: 2, body: 'Drop it.' });
    const remarks = async () =>
      (await forge.reviews(repo, pull.id)).flatMap((review) => review.remarks ?? []);
    const [first] = await remarks();
    await forge.reply(repo, pull.id, first?.thread ?? '', 'Renamed.');
    expect((await remarks()).map(({ body, answered }) => [body, answered])).toEqual([
      ['Rename it.', true],
      ['Drop it.', undefined],
    ]);
  });

  it('F7: a review whose last comment on a line was deleted says that it has none', async () => {
    const { acme } = world;
    acme.grant('kim', 'write');
    const comments = [{ path: pull.path, line: 1, body: 'Rename it.' }];
    acme.review(pull.number, { user: 'kim', state: 'CHANGES_REQUESTED', body: 'No.', comments });
    const remarks = async () => {
      const review = (await forge.reviews(repo, pull.id)).at(-1);
      return [review?.hasAllRemarks, review?.remarks?.map(({ body }) => body)];
    };
    expect(await remarks()).toEqual([true, ['No.', 'Rename it.']]);
    acme.editLineComment(acme.lineComments(pull.number)[0]?.id ?? 0, null);
    expect(await remarks()).toEqual([true, []]);
  });

  it('F7: answers a comment in the conversation, and finds that answer again by its mark', async () => {
    world.acme.comment(pull.number, { user: 'kim', body: 'Why?' });
    const [asked] = await forge.comments(repo, pull.id);
    const thread = conversationThreadId(asked?.url ?? '');
    const { url } = await forge.reply(repo, pull.id, thread, 'Because.\n\n<!-- agentpr:r1/comment-9 -->');
    expect(url).toContain('#issuecomment-');
    const ours = await forge.ourReplies(repo, pull.id);
    expect(ours.filter(({ body }) => body.includes('agentpr:r1/comment-9'))).toMatchObject([{ url }]);
    expect((await forge.comments(repo, pull.id)).map(({ body, answered }) => [body, answered])).toEqual([
      ['Why?', true],
    ]);
  });

  it('P5: takes nobody for a writer whose permission is hidden, or whose account is gone', async () => {
    const acme = world.acme;
    acme.grant('kim', 'write');
    acme.comment(pull.number, { user: 'kim', body: 'hi' });
    world.github.faults.always(ROUTE.permission, answer(403, { message: 'Must have push access' }));
    expect(await forge.comments(repo, pull.id)).toMatchObject([{ author: 'kim', access: 'unknown' }]);
    const gone = {
      id: 1,
      user: null,
      body: null,
      created_at: '2026-01-05T12:00:00Z',
      author_association: 'OWNER',
    };
    world.github.faults.always(ROUTE.comments, answer(200, [{ ...gone, html_url: 'https://x' }]));
    expect(await forge.comments(repo, pull.id)).toMatchObject([
      { author: 'ghost', access: 'unknown', body: '' },
    ]);
  });

  it('gives no line of the old file, and none to a comment on a whole file', async () => {
    const on = (more: object) => ({
      id: 1,
      user: { login: 'acme' },
      body: 'x',
      created_at: '2026-01-05T12:00:00Z',
      pull_request_review_id: 1,
      path: 'a.ts',
      line: 3,
      ...more,
    });
    const all = [
      on({ side: 'RIGHT', subject_type: 'line' }),
      on({ side: 'LEFT' }),
      on({ subject_type: 'file' }),
      on({ line: null }),
    ];
    world.github.faults.always(ROUTE.lines, answer(200, all));
    const review = { id: 1, html_url: 'https://x', user: { login: 'acme' }, state: 'COMMENTED' };
    world.github.faults.always(ROUTE.reviews, answer(200, [{ ...review, author_association: 'OWNER' }]));
    const [read] = await forge.reviews(repo, pull.id);
    expect(read?.remarks?.map(({ line }) => line)).toEqual([3, null, null, null]);
  });

  it('reads the newest 100 comments on lines, and says that there are more', async () => {
    for (let i = 0; i < 130; i += 1) {
      world.acme.reviewComment(pull.number, { path: pull.path, line: 1, body: `${i}` });
    }
    const said = (await forge.reviews(repo, pull.id)).flatMap(({ remarks = [], hasAllRemarks: whole }) =>
      remarks.map(({ body }) => [body, whole]),
    );
    expect(said).toEqual(Array.from({ length: 100 }, (_, i) => [`${i + 30}`, false]));
  });

  it('gives the newest 100 comments of others, oldest first, and sees one more at once', async () => {
    const acme = world.acme;
    for (let i = 0; i < 240; i += 1) {
      acme.comment(pull.number, { user: i % 6 === 5 ? 'bot' : 'acme', body: `${i}` });
    }
    const others = Array.from({ length: 240 }, (_, i) => i).filter((i) => i % 6 !== 5);
    const bodies = async () => (await forge.comments(repo, pull.id)).map((c) => c.body);
    const asked = world.callsOf(ROUTE.comments).length;
    expect(await bodies()).toEqual(others.slice(-100).map(String));
    // The first of its three pages is not needed.
    expect(
      world
        .callsOf(ROUTE.comments)
        .slice(asked)
        .map((call) => call.params['page']),
    ).toEqual(['2', '3']);
    acme.comment(pull.number, { user: 'eve', body: 'last' });
    const after = await forge.comments(repo, pull.id);
    expect(after.map((c) => c.body)).toEqual([...others.slice(-99).map(String), 'last']);
    expect(after.at(-1)).toMatchObject({
      author: 'eve',
      access: 'read',
      url: expect.stringMatching(/^http.*#issuecomment-\d+$/) as string,
      createdAt: expect.any(Number) as number,
    });
    expect(after.some((c) => c.author === 'bot')).toBe(false);
  });
});

describe('being frugal', () => {
  beforeEach(openOwnPull);

  it('F1: asks for everything but logs with the ETag that it knows', async () => {
    const acme = world.acme;
    acme.setCheck(pull.head, { name: 'test', conclusion: 'failure', log: 'one' });
    acme.setCheck(pull.head, { name: 'lint', app: 'other-ci', conclusion: 'failure' });
    acme.grant('kim', 'write');
    acme.comment(pull.number, { user: 'kim', body: 'hi' });
    acme.reviewComment(pull.number, { user: 'kim', path: pull.path, line: 1, body: 'hi' });
    const all = async () => [
      await forge.failedChecks(repo, pull.head),
      await forge.reviews(repo, pull.id),
      await forge.comments(repo, pull.id),
    ];
    const first = await all();
    const from = world.github.calls.length;
    expect(await all()).toEqual(first);
    const again = world.github.calls.slice(from);
    const isLog = (call: (typeof again)[number]): boolean =>
      call.route === ROUTE.logs || call.path.startsWith('/_logs/');
    expect(again.filter((call) => !isLog(call)).map((call) => call.status)).toEqual(
      again.filter((call) => !isLog(call)).map(() => 304),
    );
    expect(again.filter(isLog).every((call) => !call.headers['if-none-match'])).toBe(true);
    expect(again.length).toBeGreaterThanOrEqual(8);
  });
});
