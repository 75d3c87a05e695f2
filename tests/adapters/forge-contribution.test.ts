/**
 * E7: what contributions depend on at GitHub besides the repository: the owner's files and an
 * issue, read over HTTP.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OWNER_FILES } from '../../discovery/rule-files.ts';
import { createGitHubForge } from '../../forge/github.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

const answering = async (answers: Record<string, unknown>) => {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    asked.push(pathname);
    const answer = answers[pathname];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'Not Found' }));
  });
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { asked, base: `http://127.0.0.1:${port}` };
};

const forgeAt = (base: string) =>
  createGitHubForge({
    apiUrl: `${base}/`,
    token: () => Promise.resolve('tok'),
    userAgent: 'agentpr-test',
    clock: { now: () => 1_700_000_000_000 },
  });
const encoded = (text: string) => ({
  content: Buffer.from(text).toString('base64'),
  encoding: 'base64',
});
const blob = (path: string, sha: string, size = 9) => ({ path, type: 'blob', sha, size });

describe('what contributions depend on at GitHub', () => {
  it('E7: reads the guides and templates of the owner, in one look and a bounded number of files', async () => {
    const { base, asked } = await answering({
      '/repos/acme/.github/git/trees/HEAD': {
        tree: [
          blob('CONTRIBUTING.md', 'a'),
          blob('PULL_REQUEST_TEMPLATE.md', 'b'),
          blob('AI_POLICY.md', 'c', 300_000),
          blob('profile/README.md', 'd'),
        ],
      },
      '/repos/acme/.github/git/blobs/a': encoded('Be kind.'),
      '/repos/acme/.github/git/blobs/b': encoded('## What'),
    });
    expect(await forgeAt(base).files('acme/.github', OWNER_FILES)).toEqual([
      { path: 'CONTRIBUTING.md', text: 'Be kind.' },
      { path: 'PULL_REQUEST_TEMPLATE.md', text: '## What' },
    ]);
    expect(asked).toHaveLength(3);
  });

  it('E7: an owner without such a repository is fine', async () => {
    const { base } = await answering({});
    expect(await forgeAt(base).files('acme/.github', OWNER_FILES)).toEqual([]);
  });

  it('P3: an issue is shown with its state, its labels and whom it is assigned to; none is none', async () => {
    const { base } = await answering({
      '/repos/acme/api/issues/7': {
        state: 'open',
        locked: true,
        assignees: [{ login: 'bo' }],
        labels: ['bug', { name: 'good first issue' }],
      },
    });
    const forge = forgeAt(base);
    expect(await forge.issue('acme/api', '#7')).toEqual({
      state: 'open',
      assignees: ['bo'],
      labels: ['bug', 'good first issue'],
      locked: true,
    });
    expect(await forge.issue('acme/api', '#8')).toBeNull();
  });

  const repository = {
    '/repos/acme/api': {
      id: 1,
      full_name: 'acme/api',
      default_branch: 'main',
      clone_url: 'x',
      html_url: 'y',
    },
  };
  const reference = (one: object): object => ({
    event: 'cross-referenced',
    source: { type: 'issue', issue: { ...one, state: 'open', pull_request: {} } },
  });
  const pull = (number: number, title: string, body = '') => ({
    number,
    html_url: `https://x/acme/api/pull/${number}`,
    title,
    body,
    user: { login: 'bo' },
    head: { ref: 'b' },
  });

  it('F9: open pull requests for the same issue or the same files are found, and no others', async () => {
    const { base } = await answering({
      ...repository,
      '/repos/acme/api/issues/12/timeline': [],
      '/repos/acme/api/pulls': [
        pull(3, 'Fix retry', 'Fixes #12'),
        pull(4, 'Other', 'Fixes #123'),
        pull(5, 'Docs'),
      ],
      '/repos/acme/api/pulls/4/files': [{ filename: 'src/retry.ts' }],
      // Of the last one nothing may be read.
    });
    const about = { issue: '#12', paths: ['src/retry.ts'] };
    expect(await forgeAt(base).competingPulls('acme/api', about)).toEqual({
      pulls: [
        expect.objectContaining({ id: '#3', matchedBy: 'issue', author: 'bo' }),
        expect.objectContaining({ id: '#4', matchedBy: 'files' }),
      ],
    });
  });

  it('F10: of many for the same issue the same ones are named, whichever was touched last', async () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((number) => pull(number, 'Fix retry', 'Fixes #12'));
    const about = { issue: '#12', paths: [] };
    for (const open of [many, many.toReversed()]) {
      const { base } = await answering({
        ...repository,
        '/repos/acme/api/issues/12/timeline': open.map(reference),
      });
      const { pulls: found } = await forgeAt(base).competingPulls('acme/api', about);
      expect(found.map(({ id }) => id)).toEqual(['#1', '#2', '#3', '#4', '#5']);
    }
  });

  it('F9: the last closed pull requests are read with their end and who made them, without bots', async () => {
    const made = (title: string, more: object): object => ({
      ...pull(9, title),
      author_association: 'CONTRIBUTOR',
      created_at: '2026-01-01T00:00:00Z',
      closed_at: '2026-01-03T12:00:00Z',
      merged_at: null,
      ...more,
    });
    const { base } = await answering({
      '/repos/acme/api/pulls': [
        made('Fix retry', { merged_at: '2026-01-03T12:00:00Z' }),
        made('Own', { number: 10, author_association: 'MEMBER' }),
        made('Bump it', { user: { login: 'renovate', type: 'Bot' } }),
        made('Deps', { user: { login: 'dependabot[bot]' } }),
        made('Of a deleted account', { number: 11, user: null, author_association: null }),
        made('Without an end', { closed_at: null }),
        made('With an end that is none', { closed_at: 'soon' }),
        made('Without a beginning', { created_at: '' }),
      ],
      '/repos/acme/api/issues/9/timeline': [
        { event: 'commented', actor: { login: 'bo' }, created_at: '2026-01-01T01:00:00Z' },
        { event: 'commented', actor: { login: 'ci[bot]' }, created_at: '2026-01-01T02:00:00Z' },
        { event: 'labeled', actor: { login: 'max' }, created_at: '2026-01-01T03:00:00Z' },
        { event: 'reviewed', user: { login: 'max' }, submitted_at: '2026-01-01T05:00:00Z' },
        { event: 'merged', actor: { login: 'max' }, created_at: '2026-01-03T12:00:00Z' },
      ],
    });
    expect(await forgeAt(base).pastPulls('acme/api')).toEqual([
      { title: 'Fix retry', merged: true, hours: 60, outsider: true, answeredHours: 5 },
      { title: 'Own', merged: false, hours: 60, outsider: false },
      { title: 'Of a deleted account', merged: false, hours: 60, outsider: false },
    ]);
  });

  it('F9: who answered first is unknown where it cannot be read, and nobody where nobody did', async () => {
    const of = (number: number): object => ({
      ...pull(number, 'Fix'),
      author_association: 'NONE',
      created_at: '2026-01-01T00:00:00Z',
      closed_at: '2026-01-02T00:00:00Z',
    });
    const { base } = await answering({
      '/repos/acme/api/pulls': [of(7), of(8)],
      '/repos/acme/api/issues/8/timeline': [],
    });
    expect(await forgeAt(base).pastPulls('acme/api')).toEqual([
      { title: 'Fix', merged: false, hours: 24, outsider: true },
      { title: 'Fix', merged: false, hours: 24, outsider: true, answeredHours: null },
    ]);
  });

  const pulls = (merged_at: string | null) => [{ pull_request: { merged_at } }, {}];
  it.each([
    ['is ours', 'acme', [], true],
    ['has merged none of ours', 'us', pulls(null), false],
    ['has merged one of ours', 'us', pulls('2026-01-01T00:00:00Z'), true],
  ])('F9: whether people know us whose repository %s', async (_, login, closed, knows) => {
    const { base } = await answering({
      '/user': { login },
      ...repository,
      '/repos/acme/api/issues': closed,
    });
    expect(await forgeAt(base).knowsUs('acme/api')).toBe(knows);
  });
});
