/** Tests the local GitHub's webhooks: signature, shape and unreliable delivery. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Octokit } from '@octokit/rest';
import { Webhooks } from '@octokit/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGitHub, type Delivery, type GitHub, type RepoHandle } from '../../index.ts';

type Got = { event: string; guid: string; headers: IncomingHttpHeaders; raw: string; body: Payload };
type Payload = Record<string, unknown> & { action?: string };

const secret = "It's a Secret to Everybody";
const token = 'ghp_playground';
const at = { owner: 'acme', repo: 'api' };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let github: GitHub;
let repo: RepoHandle;
let octokit: Octokit;
let receiver: Awaited<ReturnType<typeof receive>>;

async function receive() {
  const got: Got[] = [];
  const reply: { status: number | null } = { status: 202 };
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const raw = bytes.toString();
      const { headers } = request;
      const guid = String(headers['x-github-delivery']);
      const event = String(headers['x-github-event']);
      got.push({ event, guid, headers, raw, body: JSON.parse(raw) as Payload });
      if (reply.status !== null) response.writeHead(reply.status, { 'x-seen': 'yes' }).end('thank you');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    got,
    reply,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

beforeEach(async () => {
  github = await startGitHub({ login: 'agentpr-bot', token });
  repo = await github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'One\nTwo\nThree\n' } });
  octokit = new Octokit({ baseUrl: github.url, auth: token, log: quiet });
  receiver = await receive();
});
afterEach(async () => {
  await github.stop();
  await receiver.stop();
});

const hook = (events?: string[]) =>
  github.addWebhook({ url: receiver.url, secret, ...(events && { events }) });
const open = async (branch = 'fix/it'): Promise<string> => {
  const sha = await repo.pushForeign(branch);
  await octokit.pulls.create({ ...at, title: 'fix: it', body: 'Because', head: branch, base: 'main' });
  return sha;
};
const arrived = async (): Promise<string[]> => {
  await github.idleDeliveries();
  return receiver.got.map(({ event, body }) => (body.action ? `${event}.${body.action}` : event));
};
const bodyOf = (name: string): Payload => {
  const one = receiver.got.findLast(({ event, body }) => [event, `${event}.${body.action}`].includes(name));
  if (!one) throw new Error(`No ${name} has arrived`);
  return one.body;
};
const burst = async (count: number): Promise<unknown[]> => {
  const sha = (await repo.head()) ?? '';
  for (let n = 0; n < count; n += 1) repo.setStatus(sha, { context: `ci/${n}`, state: 'success' });
  await github.idleDeliveries();
  return receiver.got.filter(({ event }) => event === 'status').map(({ body }) => body['context']);
};

describe('a delivery', () => {
  it('carries the headers of GitHub, and a signature over exactly its bytes', async () => {
    const { id } = hook();
    await github.idleDeliveries();
    const [ping] = receiver.got;
    expect(ping?.headers).toMatchObject({
      'x-github-event': 'ping',
      'x-github-hook-id': String(id),
      'content-type': 'application/json',
      'x-github-delivery': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//) as string,
      'x-github-hook-installation-target-type': 'integration',
    });
    const signature = String(ping?.headers['x-hub-signature-256']);
    const ours = new Webhooks({ secret });
    expect(await ours.verify(ping?.raw ?? '', signature)).toBe(true);
    expect(await ours.verify(`${ping?.raw} `, signature)).toBe(false);
    expect(await new Webhooks({ secret: 'wrong' }).verify(ping?.raw ?? '', signature)).toBe(false);
    expect(ping?.body).toMatchObject({ hook_id: id, hook: { type: 'App', active: true, events: ['*'] } });
  });

  it('is remembered with what was sent and what was answered', async () => {
    receiver.reply.status = 503;
    hook();
    await github.idleDeliveries();
    expect(github.deliveries()).toMatchObject([
      {
        event: 'ping',
        action: null,
        repo: null,
        state: 'answered',
        status: 503,
        redelivered: false,
        request: { headers: { 'X-GitHub-Event': 'ping' }, body: receiver.got[0]?.raw },
        response: { headers: { 'x-seen': 'yes' }, body: 'thank you' },
      },
    ]);
    expect(github.deliveries()[0]?.ms).toBeGreaterThanOrEqual(0);
    await receiver.stop();
    repo.archive();
    await github.idleDeliveries();
    expect(github.deliveries()[1]).toMatchObject({ state: 'failed', status: null, response: null });
    expect(github.deliveries()[1]?.error).toContain('ECONNREFUSED');
  });

  it('goes to the hooks of its repository that want its event, under a GUID for each', async () => {
    hook(['push']);
    repo.addWebhook({ url: receiver.url, secret, events: ['push', 'repository'] });
    const other = await github.addRepo({ owner: 'acme', name: 'web', from: { a: 'b' } });
    await other.advance({ a: 'c' });
    await repo.advance({ a: 'c' });
    repo.archive();
    expect((await arrived()).toSorted()).toEqual([
      'ping',
      'ping',
      'push',
      'push',
      'push',
      'repository.archived',
    ]);
    expect(new Set(receiver.got.map(({ guid }) => guid)).size).toBe(6);
    const installed = receiver.got
      .filter(({ body }) => 'installation' in body)
      .map(({ body }) => body['repository']);
    expect(installed).toMatchObject([{ full_name: 'acme/web' }, { full_name: 'acme/api' }]);
  });

  it('is sent once, whatever the answer, and again only on request, with the same GUID and bytes', async () => {
    receiver.reply.status = 500;
    hook();
    await github.idleDeliveries();
    const [first] = github.deliveries();
    github.weather({ drop: 1 });
    const again = github.redeliver(first?.id ?? 0);
    await github.idleDeliveries();
    expect(receiver.got).toHaveLength(2);
    expect(receiver.got[1]).toEqual(receiver.got[0]);
    expect(again).toMatchObject({ guid: first?.guid, redelivered: true, status: 500 });
    expect(again.id).not.toBe(first?.id);
    expect(() => github.redeliver(1)).toThrow('no delivery 1');
  });

  it('fails when the answer takes too long, and ends when the server stops', async () => {
    receiver.reply.status = null;
    github.addWebhook({ url: receiver.url, secret, timeoutMs: 100 });
    await github.idleDeliveries();
    expect(github.deliveries()).toMatchObject([
      { state: 'failed', status: null, response: null, error: 'No answer within 0.1 seconds' },
    ]);
    hook();
    await github.waitFor(() => github.deliveries().at(-1)?.state === 'under way');
    await github.stop();
    expect(github.deliveries().at(-1)).toMatchObject({ state: 'failed', status: null });
  });

  it('is one of at most 2,000 that are remembered', async () => {
    hook(['status']);
    await github.idleDeliveries();
    github.weather({ drop: 1 });
    await burst(2_010);
    expect(github.deliveries()).toHaveLength(2_000);
    expect(JSON.parse(github.deliveries().at(-1)?.request.body ?? '')).toMatchObject({ context: 'ci/2009' });
  });
});

describe('the payload', () => {
  beforeEach(() => {
    hook();
  });

  it('of a push names the ref, both commits and the files of each commit', async () => {
    const before = await repo.head();
    const after = await repo.advance({ 'README.md': 'New\n', 'a b.txt': 'x\n' }, 'docs: say more');
    await repo.pushForeign('fix/it', { message: 'fix: it' });
    await repo.deleteBranch('fix/it');
    expect(await arrived()).toEqual(['ping', 'push', 'push', 'push']);
    const [moved, made, gone] = receiver.got.slice(1).map(({ body }) => body);
    expect(moved).toMatchObject({
      ref: 'refs/heads/main',
      before,
      after,
      created: false,
      deleted: false,
      forced: false,
      head_commit: { id: after, message: 'docs: say more', author: { name: 'Kim Stranger' } },
      commits: [{ id: after, added: ['a b.txt'], modified: ['README.md'], removed: [] }],
      pusher: { name: 'kim-stranger' },
      sender: { login: 'kim-stranger' },
      repository: { full_name: 'acme/api', default_branch: 'main', owner: { login: 'acme' } },
      installation: { id: expect.any(Number) as number },
    });
    const zero = '0'.repeat(40);
    expect(made).toMatchObject({
      ref: 'refs/heads/fix/it',
      before: zero,
      created: true,
      commits: [{ message: 'fix: it' }],
    });
    expect(gone).toMatchObject({ after: zero, deleted: true, head_commit: null, commits: [] });
    expect(moved).not.toHaveProperty('action');
  });

  it('of a pull request shows it as it stood, with both heads when it moved', async () => {
    const before = await open();
    const after = await repo.pushForeign('fix/it');
    await octokit.pulls.update({ ...at, pull_number: 1, title: 'fix: that' });
    repo.convertToDraft(1);
    repo.readyForReview(1);
    await repo.close(1);
    await repo.reopen(1);
    await repo.merge(1);
    const told = (await arrived()).filter((name) => name.startsWith('pull_request'));
    expect(told.map((name) => name.split('.')[1])).toEqual([
      ...['opened', 'synchronize', 'edited', 'converted_to_draft', 'ready_for_review', 'closed', 'reopened'],
      'closed',
    ]);
    expect(bodyOf('pull_request.opened')).toMatchObject({
      number: 1,
      pull_request: {
        number: 1,
        state: 'open',
        draft: false,
        title: 'fix: it',
        commits: 1,
        changed_files: 1,
        head: { ref: 'fix/it', sha: before, repo: { id: repo.id } },
        base: { ref: 'main' },
        user: { login: 'agentpr-bot' },
        merged: false,
        node_id: expect.any(String) as string,
      },
      sender: { login: 'agentpr-bot' },
    });
    expect(bodyOf('pull_request.synchronize')).toMatchObject({
      before,
      after,
      pull_request: { head: { sha: after }, title: 'fix: it', commits: 2 },
      sender: { login: 'kim-stranger' },
    });
    expect(bodyOf('pull_request.edited')).toMatchObject({ changes: { title: { from: 'fix: it' } } });
    expect(bodyOf('pull_request.closed')).toMatchObject({
      pull_request: { merged: true, merged_by: { login: 'acme' }, merged_at: expect.any(String) as string },
      sender: { login: 'acme' },
    });
    const closed = receiver.got.find(({ body }) => body.action === 'closed');
    expect(closed?.body).toMatchObject({ pull_request: { merged: false, state: 'closed' } });
  });

  it('of reviews and comments says who said what, where and on which commit', async () => {
    const sha = await open();
    const comments = [{ path: 'README.md', line: 2, body: 'Why two?' }];
    repo.review(1, { user: 'maya', state: 'CHANGES_REQUESTED', body: 'Nearly', comments });
    repo.reviewComment(1, { user: 'maya', path: 'README.md', line: 3, body: 'And this' });
    repo.comment(1, { user: 'maya', body: 'Hello' });
    repo.review(1, { user: 'maya', state: 'DISMISSED' });
    expect((await arrived()).slice(3)).toEqual([
      ...['pull_request_review.submitted', 'pull_request_review_comment.created'],
      ...['pull_request_review.submitted', 'pull_request_review_comment.created'],
      ...['issue_comment.created', 'pull_request_review.dismissed'],
    ]);
    const [review, line] = receiver.got.slice(3).map(({ body }) => body);
    expect(review).toMatchObject({
      review: { state: 'changes_requested', commit_id: sha, body: 'Nearly', user: { login: 'maya' } },
      pull_request: { number: 1 },
      sender: { login: 'maya' },
    });
    const { id } = review?.['review'] as { id: number };
    expect(line).toMatchObject({
      comment: { path: 'README.md', line: 2, side: 'RIGHT', body: 'Why two?', pull_request_review_id: id },
    });
    expect(bodyOf('issue_comment')).toMatchObject({
      issue: { number: 1, pull_request: { url: `${github.url}/repos/acme/api/pulls/1` } },
      comment: { body: 'Hello', author_association: 'NONE' },
    });
  });

  it('of checks names suite, app and commit; of those from a fork it names no pull request', async () => {
    const sha = await open();
    repo.setCheck(sha, { name: 'test', status: 'in_progress' });
    repo.setCheck(sha, { name: 'test', conclusion: 'failure', output: { title: 'No', summary: '1 failed' } });
    repo.setStatus(sha, { context: 'ci/old', state: 'failure', description: 'No' });
    expect((await arrived()).slice(3)).toEqual([
      ...[
        'check_suite.requested',
        'check_run.created',
        'check_run.completed',
        'check_suite.completed',
        'status',
      ],
    ]);
    expect(bodyOf('check_run.completed')).toMatchObject({
      check_run: {
        name: 'test',
        head_sha: sha,
        status: 'completed',
        conclusion: 'failure',
        output: { title: 'No', summary: '1 failed' },
        app: { slug: 'github-actions', id: 15368 },
        check_suite: { head_sha: sha, head_branch: 'fix/it', app: { slug: 'github-actions' } },
        pull_requests: [{ number: 1, head: { sha, ref: 'fix/it' } }],
      },
      sender: { login: 'github-actions[bot]', type: 'Bot' },
    });
    expect(bodyOf('check_suite.completed')).toMatchObject({
      check_suite: { head_sha: sha, status: 'completed', conclusion: 'failure', latest_check_runs_count: 1 },
    });
    expect(bodyOf('status')).toMatchObject({ sha, context: 'ci/old', state: 'failure', description: 'No' });

    const fork = (await octokit.repos.createFork(at)).data;
    const forked = await github.repo(fork.full_name).pushForeign('topic', { message: 'fork' });
    await octokit.pulls.create({ ...at, title: 't', head: 'agentpr-bot:topic', base: 'main' });
    repo.setCheck(forked, { name: 'test', conclusion: 'success' });
    await github.idleDeliveries();
    expect(bodyOf('check_run.completed')).toMatchObject({
      check_run: {
        head_sha: forked,
        pull_requests: [],
        check_suite: { head_branch: null, pull_requests: [] },
      },
    });
  });
});

describe('the weather', () => {
  const order = (count: number): string[] => Array.from({ length: count }, (_, n) => `ci/${n}`);
  const through = async (weather: Parameters<GitHub['weather']>[0], count = 30): Promise<unknown[]> => {
    receiver.got.length = 0;
    github.weather(weather);
    return burst(count);
  };

  beforeEach(async () => {
    hook(['status']);
    await github.idleDeliveries();
  });

  it('is fair by default: everything arrives once and in order', async () => {
    expect(await through({})).toEqual(order(30));
  });

  it('loses some, the same ones for the same seed, and remembers them', async () => {
    const first = await through({ drop: 0.5, seed: 7 });
    expect(first.length).toBeGreaterThan(5);
    expect(first.length).toBeLessThan(25);
    const lost = github.deliveries().filter(({ state }) => state === 'dropped');
    expect(lost).toHaveLength(30 - first.length);
    expect(await through({ drop: 0.5, seed: 7 })).toEqual(first);
    expect(await through({ drop: 0.5, seed: 8 })).not.toEqual(first);
    expect(await through({ drop: 1 })).toEqual([]);
    const odd = ({ request }: Delivery): boolean => /"ci\/\d*[13579]"/.test(request.body);
    expect(await through({ drop: odd }, 6)).toEqual(['ci/0', 'ci/2', 'ci/4']);
  });

  it('sends copies with one GUID', async () => {
    expect(await through({ copies: 3 }, 2)).toEqual(['ci/0', 'ci/0', 'ci/0', 'ci/1', 'ci/1', 'ci/1']);
    expect(new Set(receiver.got.map(({ guid }) => guid)).size).toBe(2);
    expect(github.deliveries().slice(1)).toHaveLength(6);
  });

  it('sends some twice, the same ones for the same seed, and remembers when each left', async () => {
    const first = await through({ twice: 0.5, seed: 7 });
    const extra = first.length - 30;
    expect(extra).toBeGreaterThan(5);
    expect(extra).toBeLessThan(25);
    expect(new Set(first).size).toBe(30);
    expect(github.deliveries().every(({ at, leftAt }) => leftAt !== null && leftAt >= at)).toBe(true);
    expect(await through({ twice: 0.5, seed: 7 })).toEqual(first);
  });

  it('shuffles what is held together, the same way for the same seed', async () => {
    const first = await through({ shuffle: true, delayMs: [20, 20], seed: 3 });
    expect(first).not.toEqual(order(30));
    expect([...first].sort()).toEqual(order(30).sort());
    expect(await through({ shuffle: true, delayMs: [20, 20], seed: 3 })).toEqual(first);
    expect(await through({ shuffle: true, delayMs: [20, 20], seed: 4 })).not.toEqual(first);
  });

  it('holds deliveries as long as it says, without changing their order', async () => {
    const started = performance.now();
    expect(await through({ delayMs: [40, 60] }, 5)).toEqual(order(5));
    expect(performance.now() - started).toBeGreaterThanOrEqual(39);
  });
});
