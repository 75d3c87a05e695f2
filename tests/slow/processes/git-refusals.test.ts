/** F1, F5: what a code host says to git when it refuses, over real git and HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OutsideFailure } from '#ports/forge';
import type { RepoRef } from '#ports/workspaces';
import type { HostRefusal } from '#model/failure';
import { networkFailure } from '../../../executors/git/git-failure.ts';
import { readRejection } from '../../../executors/git/code-host-remote.ts';
import { createWorld, TOKEN, write, type World } from '../../support/git-world.ts';

let world: World;
let repo: RepoRef;
let sha: string;
beforeAll(async () => {
  world = await createWorld();
  repo = world.repo('target', { 'a.txt': 'one\n' });
  const { sha: base, ws } = await world.prepare('p1', repo);
  write(ws, { 'a.txt': 'two\n' });
  const harvest = await world.harvest('p1', base);
  if (harvest.kind !== 'commit') throw new Error(harvest.kind);
  ({ sha } = harvest.commit);
});
afterAll(() => world.close());
beforeEach(() => {
  Object.assign(world.host.fate, { token: TOKEN, status: null });
});

const failing = async (go: Promise<unknown>): Promise<OutsideFailure> => {
  const error: unknown = await go.then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof OutsideFailure) return error;
  throw new Error(`no failure of the outside: ${String(error)}`);
};
const read = () => world.workspaces.remoteHead({ runId: 'p1', repo, branch: 'main' });
const push = (branch: string) => world.workspaces.push({ runId: 'p1', repo, sha, branch, expect: null });

const SSO = (page: string): string =>
  `The \`acme' organization has enabled or enforced SAML SSO. To access\nthis repository, visit ${page}\nand try your request again.`;
const SAYS: readonly [string, HostRefusal, string][] = [
  [
    SSO('https://github.com/orgs/acme/sso?authorization_request=A1'),
    { kind: 'sign_on_required', organisation: 'acme' },
    'permission_denied',
  ],
  [
    'The repository owner has an IP allow list enabled, and 192.0.2.1 is not permitted to access this repository.',
    { kind: 'address_not_allowed' },
    'permission_denied',
  ],
  [
    "The 'acme' organization has enabled OAuth App access restrictions.",
    { kind: 'app_not_approved', organisation: 'acme' },
    'permission_denied',
  ],
  [
    'Personal access tokens (classic) are forbidden from accessing this repository.',
    { kind: 'classic_token_forbidden' },
    'permission_denied',
  ],
  [
    "The 'acme' organization forbids access via a fine-grained personal access tokens if the token's lifetime is greater than 366 days.",
    { kind: 'token_lives_too_long', organisation: 'acme', days: 366 },
    'permission_denied',
  ],
  [
    'Fine-grained personal access tokens are forbidden from accessing this repository.',
    { kind: 'fine_grained_token_forbidden' },
    'permission_denied',
  ],
  ['This repository was archived so it is read-only.', { kind: 'archived' }, 'repository_archived'],
  ['Your account is suspended.', { kind: 'account_suspended' }, 'account_suspended'],
  ['Access to this repository has been disabled by staff.', { kind: 'access_blocked' }, 'repository_missing'],
];

describe('what a code host says to git', () => {
  it.each(SAYS)('F5: %s, as it reads', async (says, refusal, kind) => {
    world.host.fate.status = { code: 403, path: /./, says };
    const said = await failing(read());
    expect(said).toMatchObject({ class: kind });
    expect(said.detail).toEqual(refusal);
  });

  it('G5: leads to a page of the connected code host', async () => {
    const page = `${world.host.origin}/orgs/acme/sso?authorization_request=A1`;
    world.host.fate.status = { code: 403, path: /./, says: SSO(page) };
    const { message, detail: refusal } = await failing(read());
    expect(refusal).toEqual({ kind: 'sign_on_required', organisation: 'acme', url: page });
    expect(message).not.toContain('http');
  });

  it('F5: as it would push what it may read', async () => {
    for (const [says, refusal] of SAYS) {
      world.host.fate.status = { code: 403, path: /receive-pack/, says };
      const outcome = push(`b-${refusal.kind}`);
      if (refusal.kind === 'account_suspended')
        expect(await failing(outcome)).toMatchObject({ class: 'account_suspended', detail: refusal });
      else expect(await outcome).toMatchObject({ kind: 'rejected', detail: refusal });
    }
    world.host.fate.status = {
      code: 403,
      path: /receive-pack/,
      says: 'Write access to repository not granted.',
    };
    expect(await push('b-right')).toMatchObject({
      kind: 'rejected',
      because: 'closed',
      detail: { kind: 'right_missing' },
    });
  });

  it('F5: of a credential that must not change workflows, whatever their files are called', () => {
    const file = '.github/workflows/your account was suspended.yml';
    for (const whom of ['a Personal Access Token', 'an OAuth App', 'a GitHub App'])
      for (const right of ['scope', 'permission'])
        expect(
          readRejection(
            `To x\n!\tabc:refs/heads/b\t[remote rejected] (refusing to allow ${whom} to create or update workflow \`${file}\` without \`workflow${right === 'scope' ? '' : 's'}\` ${right})\nDone\n`,
            '',
          ),
        ).toMatchObject({ because: 'auth', detail: { kind: 'workflow_right_missing' } });
  });

  it('F1: nothing is read into what git itself says, or into words that nobody knows', async () => {
    for (const says of ['no', 'suspended', 'archived', 'SAML']) {
      world.host.fate.status = { code: 403, path: /./, says };
      expect(await failing(read())).toMatchObject({ class: 'repository_missing', detail: null });
    }
    expect(readRejection('', 'fatal: The account was suspended, returned error: 403')).toMatchObject({
      because: 'closed',
      detail: { kind: 'push_forbidden' },
    });
  });
});

describe('a proxy between git and the code host', () => {
  it.each([
    ['Received HTTP code 407 from proxy after CONNECT', 'proxy_refused'],
    ['CONNECT tunnel failed, response 403', 'proxy_refused'],
    ['The requested URL returned error: 407', 'proxy_refused'],
    ['CONNECT tunnel failed, response 502', 'forge_unavailable'],
    ['Proxy CONNECT aborted', 'forge_unavailable'],
    ['Could not resolve proxy: proxy.corp', 'forge_unavailable'],
  ])('F1: is named where it says “%s”', (says, failure) => {
    const told = networkFailure(`fatal: unable to access 'https://github.com/acme/api/': ${says}`);
    expect(told).toMatchObject({ class: failure, message: expect.stringMatching(/^The proxy/) as string });
  });
});
