/**
 * F1, F5: what GitHub says when it refuses is read by its words: as a failure of each way of asking,
 * and as a sentence with a next step in every language.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answer } from '#playground';
import { readConfig } from '../../../app/config.ts';
import { toProbeLine } from '../../../app/probes/host-result.ts';
import { checkGitHub } from '../../../app/probes/code-host.ts';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { HOST_REFUSALS } from '../../../model/failure/host-refusal.ts';
import type { HostRefusal } from '#model/failure';
import { toFailedReason } from '../../../orchestrator/kernel/run/reasons.ts';
import { OutsideFailure, toFailure } from '#ports/forge';
import {
  forgeAt,
  repo,
  ROUTE,
  startForgeWorld,
  type ForgeWorld,
  type OurPull,
} from '../../support/forge-world.ts';

const READ = 'GET /repos/{owner}/{repo}';
const FORK = 'POST /repos/{owner}/{repo}/forks';
const OPEN = 'POST /repos/{owner}/{repo}/pulls';
const wish = { title: 'x', body: '', base: 'main', draft: false, maintainerCanModify: true };

let world: ForgeWorld;
let pull: OurPull;
beforeAll(async () => {
  world = await startForgeWorld();
  pull = await world.openPull();
});
afterAll(() => world.github.stop());
afterEach(() => world.github.faults.clear());

const failing = async (go: Promise<unknown>): Promise<OutsideFailure> => {
  const error: unknown = await go.then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof OutsideFailure) return error;
  throw new Error(`no failure of the outside: ${String(error)}`);
};

const CLASSIC =
  '`acme` forbids access via a personal access token (classic). Please use a GitHub App, OAuth App, or a personal access token with fine-grained permissions.';
const LISTED =
  'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.';
/** Of what any request may be answered. */
const ANSWERS: readonly [string, number, HostRefusal, string, Record<string, string>?][] = [
  [
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
    403,
    { kind: 'sign_on_required' },
    'permission_denied',
  ],
  [LISTED, 403, { kind: 'address_not_allowed', organisation: 'acme' }, 'forge_refused'],
  ['Head ref must be a branch', 422, { kind: 'head_unseen' }, 'forge_refused'],
  ['No commits between main and agentpr/fix-1', 422, { kind: 'nothing_to_merge' }, 'forge_refused'],
  [
    'Although you appear to have the correct authorization credentials, the `acme` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited.',
    403,
    { kind: 'app_not_approved', organisation: 'acme' },
    'forge_refused',
  ],
  [CLASSIC, 403, { kind: 'classic_token_forbidden', organisation: 'acme' }, 'forge_refused'],
  [
    "The 'acme' organization forbids access via a fine-grained personal access tokens if the token's lifetime is greater than 366 days. Please adjust your token's lifetime at the following URL: https://github.com/settings/personal-access-tokens/1",
    403,
    { kind: 'token_lives_too_long', organisation: 'acme', days: 366 },
    'forge_refused',
  ],
  [
    "The 'acme' organization forbids access via a personal access token (classic) if the token's lifetime is greater than 30 days.",
    403,
    { kind: 'token_lives_too_long', organisation: 'acme', days: 30 },
    'forge_refused',
  ],
  [
    '`acme` forbids access via a fine-grained personal access token.',
    403,
    { kind: 'fine_grained_token_forbidden', organisation: 'acme' },
    'forge_refused',
  ],
  ['Resource not accessible by personal access token', 403, { kind: 'right_missing' }, 'forge_refused'],
  ['Resource not accessible by integration', 403, { kind: 'right_missing' }, 'forge_refused'],
  ['Sorry. Your account was suspended', 403, { kind: 'account_suspended' }, 'account_suspended'],
  ['This installation has been suspended', 403, { kind: 'app_suspended' }, 'account_suspended'],
  ['Repository access blocked', 403, { kind: 'access_blocked' }, 'repository_missing'],
  ['Repository access blocked', 451, { kind: 'access_blocked' }, 'repository_missing'],
  ['Repository was archived so is read-only.', 403, { kind: 'archived' }, 'repository_archived'],
  ['You have exceeded a secondary rate limit.', 403, { kind: 'secondary_limit' }, 'rate_limited'],
  ['You have exceeded a secondary rate limit.', 429, { kind: 'secondary_limit' }, 'rate_limited'],
  [
    'API rate limit exceeded for user ID 1.',
    403,
    { kind: 'hourly_limit' },
    'rate_limited',
    { 'x-ratelimit-remaining': '0', 'retry-after': '9' },
  ],
];

/** Of what a pull request may be answered. */
const OPENING: readonly [string, number, HostRefusal['kind']][] = [
  ['User is blocked', 403, 'user_blocked'],
  ['You have been blocked from this repository', 403, 'user_blocked'],
  ['must be a collaborator', 422, 'collaborators_only'],
  [
    'An owner of this repository has limited the ability to open a pull request to users that are collaborators on this repository.',
    422,
    'collaborators_only',
  ],
  [
    'An owner of this repository has limited the ability to open a pull request to users that have contributed to this repository in the past.',
    422,
    'newcomers_limited',
  ],
  ['Pull requests are disabled for this repository', 403, 'pulls_off'],
];

describe('what GitHub says against us', () => {
  it.each(ANSWERS)('F5: %s (%i)', async (message, status, refusal, kind, headers = {}) => {
    world.github.faults.always(READ, answer(status, { message }, headers));
    expect(await failing(forgeAt(world.github.url).repo(repo))).toMatchObject({
      class: kind,
      detail: refusal,
    });
    world.github.faults.clear();
    world.github.faults.always(ROUTE.pull, answer(status, { message }, headers));
    expect(await failing(forgeAt(world.github.url).pull(repo, pull.id))).toMatchObject({
      class: kind,
      detail: refusal,
    });
    world.github.faults.next(OPEN, answer(status, { message }, headers));
    const opening = failing(forgeAt(world.github.url).createPull(repo, { ...wish, head: pull.branch }));
    expect((await opening).detail).toEqual(refusal);
    world.github.faults.next(FORK, answer(status, { message }, headers));
    expect((await failing(forgeAt(world.github.url).fork(repo, null))).detail).toEqual(refusal);
  });

  it.each(OPENING)('F5: %s (%i), where a pull request would be opened', async (message, status, kind) => {
    const body =
      status === 422
        ? { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] }
        : { message };
    world.github.faults.next(OPEN, answer(status, body));
    const opening = failing(forgeAt(world.github.url).createPull(repo, { ...wish, head: pull.branch }));
    // One of ours is open there: no place that becomes free would change it.
    expect(await opening).toMatchObject({ class: 'not_allowed', detail: { kind } });
  });

  it('F5: of words that nobody knows no more is said than them', async () => {
    for (const message of ['no', 'Forbidden', '`acme` forbids it', 'archived', 'SAML', 'suspended']) {
      world.github.faults.next(READ, answer(403, { message }));
      const said = await failing(forgeAt(world.github.url).repo(repo));
      expect(said).toMatchObject({ class: 'forge_refused', detail: { kind: 'host_refused' } });
      expect(said.message).toBe(`GitHub refused (403): ${message}`);
    }
  });

  it('F8: of checks, is told beside those that can be read', async () => {
    world.github.faults.always(ROUTE.status, answer(403, { message: LISTED }));
    const { unread } = await forgeAt(world.github.url).checks(repo, pull.head, 'main');
    expect(unread).toMatchObject({
      kind: 'forbidden',
      parts: ['statuses'],
      refusal: { kind: 'address_not_allowed', organisation: 'acme' },
    });
  });

  it('O2: doctor says what it means', async () => {
    world.github.faults.always(ROUTE.user, answer(403, { message: CLASSIC }));
    const env = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'tok' };
    const [check] = await checkGitHub(
      readConfig({ ...env, GITHUB_API_URL: world.github.url }, null, '/tmp'),
      LANGUAGE_TEXTS.en,
    );
    expect(check && toProbeLine(LANGUAGE_TEXTS.en, check)).toMatchObject({
      ok: false,
      says: expect.stringMatching(/^The organisation acme forbids classic .* GITHUB_TOKEN/) as string,
    });
  });
});

describe('its sentences', () => {
  const refusals = HOST_REFUSALS.map((kind): HostRefusal => ({ kind, organisation: 'acme', days: 366 }));

  it('S9: say what happened and what to do, of each kind and in every language', () => {
    for (const { code, reasons, sight } of Object.values(LANGUAGE_TEXTS)) {
      const all = refusals.map((refusal) =>
        sayRecord(reasons, toFailedReason({ class: 'forge_refused', message: 'raw words', detail: refusal })),
      );
      expect(new Set(all).size).toBe(HOST_REFUSALS.length);
      for (const text of all) {
        expect(text).not.toContain('raw words');
        expect(text.split(/[.。]/).length, text).toBeGreaterThan(2);
        expect(/\p{Script=Han}/u.test(text)).toBe(code === 'zh');
      }
      const polled = refusals.map((refusal) =>
        sight.todo({ kind: 'forbidden', status: 403, parts: ['pull'], message: '', refusal }),
      );
      expect(new Set(polled).size).toBe(HOST_REFUSALS.length);
      expect(polled[HOST_REFUSALS.indexOf('right_missing')]).toContain('Pull requests');
      expect(polled[HOST_REFUSALS.indexOf('address_not_allowed')]).toContain('acme');
    }
  });

  it('S9: name the page where a token is authorised', () => {
    const url = 'https://github.com/orgs/acme/sso?authorization_request=A1';
    const refusal: HostRefusal = { kind: 'sign_on_required', organisation: 'acme', url };
    for (const { reasons } of Object.values(LANGUAGE_TEXTS)) {
      const text = sayRecord(
        reasons,
        toFailedReason({ class: 'permission_denied', message: '', detail: refusal }),
      );
      expect(text).toContain(` ${url} `);
      expect(text).toContain(' acme ');
    }
  });

  it('S9: of a failure that was recorded without a reason, are those of its class', () => {
    for (const { reasons, why } of Object.values(LANGUAGE_TEXTS)) {
      const failure = new OutsideFailure('forge_refused', 'GitHub refused (403): no');
      const text = sayRecord(reasons, toFailedReason(toFailure(failure)));
      expect(text).toContain(why.failures.forge_refused);
      expect(text).toContain('GitHub refused (403): no');
    }
  });
});
