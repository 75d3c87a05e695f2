/** F10: where no pull request of ours can be opened, nothing is spent, pushed or opened. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createGitHubForge } from '../../forge/github.ts';
import { createDiscoverHandler } from '../../orchestrator/kernel/preparation/discover.effect.ts';
import type { EffectContext } from '#kernel';
import type { Run } from '#run';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import type { PullsRefused } from '#ports/forge';
import { toFailedReason } from '../../orchestrator/kernel/run/reasons.ts';
import { at } from '../support/core.ts';
import { claimOf, never, opening, said, signed } from '../support/doors.ts';

const OFF: PullsRefused = { kind: 'pulls_off', says: 'has_pull_requests: false' };
const MIRROR: PullsRefused = { kind: 'is_mirror', says: 'mirror_url: git://a' };
const MEMBERS: PullsRefused = {
  kind: 'collaborators_only',
  says: 'pull_request_creation_policy: collaborators_only',
};

let server: Server | undefined;
afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

const refusedBy = async (fields: Record<string, unknown>): Promise<PullsRefused | undefined> => {
  const repo = { id: 1, full_name: 'acme/app', default_branch: 'main', clone_url: 'u', html_url: 'h' };
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...repo, ...fields }));
  });
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const forge = createGitHubForge({
    apiUrl: `http://127.0.0.1:${port}/`,
    token: () => Promise.resolve('tok'),
    userAgent: 'agentpr-test',
    clock: { now: () => 1_700_000_000_000 },
  });
  return (await forge.repo('acme/app')).pullsRefused;
};

describe('what the host says of pull requests', () => {
  it.each([
    ['switched off', { has_pull_requests: false }, OFF],
    ['for collaborators alone', { pull_request_creation_policy: 'collaborators_only' }, MEMBERS],
    ['a mirror', { mirror_url: 'git://a' }, MIRROR],
    [
      'a mirror in words',
      { description: 'Read-only mirror of GitLab' },
      { kind: 'is_mirror', says: 'description: Read-only mirror of GitLab' },
    ],
    [
      'reviewed elsewhere',
      { homepage: 'https://gerrit.example.org/r/app' },
      { kind: 'is_mirror', says: 'homepage: https://gerrit.example.org/r/app' },
    ],
    [
      'not read',
      { description: 'Kernel. Pull requests are not monitored.' },
      { kind: 'is_mirror', says: 'description: Kernel. Pull requests are not monitored.' },
    ],
  ] as const)('F10: %s is the host’s own field', async (_, fields, refused) => {
    expect(await refusedBy(fields)).toEqual(refused);
  });

  it.each([
    ['everybody', { has_pull_requests: true, pull_request_creation_policy: 'all', mirror_url: null }],
    ['us, who may push', { pull_request_creation_policy: 'collaborators_only', permissions: { push: true } }],
    ['everybody, whatever it copies', { description: 'Mirror of Apache Kafka' }],
    ['everybody, on an older host', {}],
    ['everybody, whatever its page writes about', { homepage: 'https://example.org/gerrit-plugin' }],
    ['everybody, with a page that is no address', { homepage: 'gerrit' }],
  ])('F10: they are for %s', async (_, fields) => {
    expect(await refusedBy(fields)).toBeUndefined();
  });
});

const refusedWith = ({ kind, says: field }: PullsRefused) => ({
  class: 'not_allowed' as const,
  detail: { kind, field },
});

it.each([OFF, MEMBERS, MIRROR])('F10: the sentence of $kind names the field, in each language', (no) => {
  const { class: failure, detail: refusal } = refusedWith(no);
  const reason = toFailedReason({ class: failure, message: '', detail: refusal });
  for (const { reasons } of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh])
    expect(sayRecord(reasons, reason)).toMatch(new RegExp(`[(（]${no.says}[)）]`));
});

describe('where the host takes no pull request of ours', () => {
  it.each([OFF, MEMBERS, MIRROR])(
    'F10: nothing is cloned, installed or asked of an agent: $kind',
    async (no) => {
      const { run } = at('DISCOVERY');
      const touched: string[] = [];
      const nothing = new Proxy({}, { get: (_, name) => void touched.push(String(name)) });
      const parts = {
        ledger: { query: { run: async () => run } },
        forge: { repo: async () => ({ id: '1', name: run.order.repo, archived: false, pullsRefused: no }) },
        workspaces: nothing,
        settings: nothing,
      } as unknown as EffectContext;
      await expect(
        createDiscoverHandler(parts)(claimOf(run, { kind: 'discover' }), never),
      ).rejects.toMatchObject(refusedWith(no));
      expect(touched).toEqual([]);
    },
  );

  it.each([OFF, MEMBERS, MIRROR])(
    'F10: nothing is pushed, and nothing opened, though it was signed: $kind',
    async (no) => {
      const push = await signed({ takesNone: no });
      await expect(push.call()).rejects.toMatchObject(refusedWith(no));
      expect(push.world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
      const open = await opening({ takesNone: no });
      await expect(open.call()).rejects.toMatchObject(refusedWith(no));
      expect(open.world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
    },
  );
});

describe('a pull request of somebody else for the same issue', () => {
  const forIssue = (run: Run): Run => ({
    ...run,
    order: { ...run.order, goal: `${run.order.goal} (#12)` },
  });
  const same = (run: Run): Run => run;
  it('F10: is looked for again right before the opening, and whoever signed is asked anew', async () => {
    const quiet = await opening({}, same, forIssue);
    expect(said(await quiet.call())[0]).toBe('worker.pr.opened');
    const late = await opening({ rivals: ['bo'] }, same, forIssue);
    const outcome = await late.call();
    expect(said(outcome)[0]).toBe('seal_moved');
    expect(JSON.stringify(outcome)).toContain('"pulls":[{"id":"#40","author":"bo"}]');
    expect(late.world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
  });
  it('F10: that GitHub does not let us see is said before the opening, with what was not shown', async () => {
    const late = await opening({ pullsUnread: 'timeline: 403' }, same, forIssue);
    const outcome = await late.call();
    expect(said(outcome)[0]).toBe('seal_moved');
    expect(JSON.stringify(outcome)).toContain('"kind":"pulls_unread","issue":"#12","unread":"timeline: 403"');
    expect(late.world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
  });
  it('F10: matters to nobody whose change is for no issue', async () => {
    const other = await opening({ rivals: ['bo'] });
    expect(said(await other.call())[0]).toBe('worker.pr.opened');
  });
});
