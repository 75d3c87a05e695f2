/** The App where installed, else an account's token; only the client and git get tokens (F1, G5). */
import { sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { MINUTE } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import type { ForgeAccess } from '#ports/roles';
import type { SystemClock } from '#ports/processes';
import { createOctokit, SILENT_LOG } from './octokit.ts';
import { toGitHubFailure, headersOf, findHttpStatus } from './github-failures.ts';
import { findServerTime } from './rate-limits.ts';
import { parsePrivateKey } from './private-key.ts';
import { missingPermissions } from './required-permissions.ts';

export type ForgeCredentials = Omit<ForgeAccess, 'mayWork'> & {
  app: (repo: string) => Promise<AppAccount | null>;
  installations: () => Promise<{ login: string; on: AppInstallation[] } | null>;
  hasAccount: boolean;
};
type AppAccount = { login: string; mayPush: boolean };
type AppInstallation = z.infer<typeof AppInstallation>;

const Permissions = z.record(z.string(), z.string()).default({});
const AppInstallation = z.object({
  id: z.number(),
  account: z.object({ login: z.string() }).nullish(),
  permissions: Permissions,
  suspended_at: z.string().nullish(),
  html_url: z.string().default(''),
});
const App = z.object({ slug: z.string() });

const hasPushRights = ({ permissions }: AppInstallation): boolean =>
  !missingPermissions({ permissions }).some(({ must }) => must);

const INSTALLATION_MAX_AGE_MS = 5 * MINUTE;
const TOKEN_TIMEOUT_MS = 15_000;
/** JWT lifetime (s); at most ten minutes (GitHub, "Generating a JSON Web Token"). */
const JWT_LIFETIME_S = { before: 60, after: 540 };

const ACCOUNT = 'account';

export const createAccountCredentials = (token: string): ForgeCredentials => ({
  token: () => Promise.resolve(token),
  app: () => Promise.resolve(null),
  identity: () => Promise.resolve(ACCOUNT),
  forget: () => {},
  installations: () => Promise.resolve(null),
  hasAccount: true,
});

const suspensionFailure = ({ account, html_url: at }: AppInstallation): OutsideFailure =>
  new OutsideFailure(
    'account_suspended',
    `${account?.login ?? 'The owner'} has suspended our GitHub App. They can lift that in the settings of the installation${at === '' ? '' : ` (${at})`}; runs go on by themselves then`,
    { status: 403, detail: { kind: 'app_suspended' } },
  );

const jwtOf = (id: string, key: KeyObject, now: number): string => {
  const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iat: now - JWT_LIFETIME_S.before, exp: now + JWT_LIFETIME_S.after, iss: id };
  const body = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`;
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
};

export const createForgeCredentials = (parts: {
  apiUrl: string;
  token: string | null;
  app: { id: string; key: string };
  clock: SystemClock;
}): ForgeCredentials => {
  const { apiUrl, token: account, app, clock } = parts;
  const key = parsePrivateKey(app.key);
  const octokit = createOctokit(apiUrl);
  /** Difference of GitHub's clock to ours (ms). */
  let ahead = 0;
  const secondsNow = (): number => Math.floor((clock.now() + ahead) / 1_000);
  const loadAppAuth = async () =>
    (await import('@octokit/auth-app')).createAppAuth({
      appId: app.id,
      request: octokit.request,
      log: SILENT_LOG,
      createJwt: async (id) => ({
        jwt: jwtOf(String(id), key, secondsNow()),
        expiresAt: new Date((secondsNow() + JWT_LIFETIME_S.after) * 1_000).toISOString(),
      }),
    });
  let loaded: ReturnType<typeof loadAppAuth> | null = null;
  const authOf = (): ReturnType<typeof loadAppAuth> => (loaded ??= loadAppAuth());

  /** Retries once with GitHub's clock when it rejects ours. */
  const asApp = async <T>(go: () => Promise<T>): Promise<T> => {
    try {
      return await go().catch((error: unknown) => {
        const theirs = findHttpStatus(error) === 401 ? findServerTime(headersOf(error)) : null;
        const apart = (theirs ?? NaN) - clock.now();
        if (!Number.isFinite(apart) || Math.abs(apart - ahead) < 30_000) throw error;
        ahead = apart;
        return go();
      });
    } catch (error) {
      throw toGitHubFailure(error, clock.now());
    }
  };
  const askAsApp = <T>(route: string, params: object, schema: z.ZodType<T>): Promise<T> =>
    asApp(async () => {
      const headers = { authorization: `Bearer ${jwtOf(app.id, key, secondsNow())}` };
      const request = { signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS) };
      const answer: { data: unknown } = await octokit.request(`GET ${route}`, {
        ...params,
        headers,
        request,
      });
      return schema.parse(answer.data);
    });
  const mintToken = (installationId: number, { refresh }: { refresh: boolean }): Promise<string> =>
    asApp(async () => (await (await authOf())({ type: 'installation', installationId, refresh })).token);

  let itself: Promise<string> | null = null;
  const readLogin = (): Promise<string> => {
    itself ??= askAsApp('/app', {}, App)
      .then(({ slug }) => `${slug}[bot]`)
      .catch((error: unknown) => {
        itself = null;
        throw error;
      });
    return itself;
  };

  const known = new Map<string, { at: number; found: Promise<AppInstallation | null> }>();
  const findInstallation = (repo: string): Promise<AppInstallation | null> => {
    const name = repo.toLowerCase();
    const last = known.get(name);
    if (last && Math.abs(clock.now() - last.at) < INSTALLATION_MAX_AGE_MS) return last.found;
    const [owner = '', rest = ''] = repo.split('/');
    const found = askAsApp(
      '/repos/{owner}/{repo}/installation',
      { owner, repo: rest },
      AppInstallation,
    ).catch((error: unknown) => {
      if (error instanceof OutsideFailure && error.status === 404) return null;
      known.delete(name);
      throw error;
    });
    known.set(name, { at: clock.now(), found });
    return found;
  };
  /** The account writes where the App may not; without an account, the App only reads. */
  const findUsableInstallation = async (repo: string): Promise<AppInstallation | null> => {
    const here = await findInstallation(repo);
    return here && ((hasPushRights(here) && !here.suspended_at) || account === null) ? here : null;
  };
  const listInstallations = (): Promise<AppInstallation[]> =>
    askAsApp('/app/installations', { per_page: 100 }, z.array(AppInstallation));
  let any: { at: number; one: AppInstallation } | null = null;
  const findAnyInstallation = async (): Promise<AppInstallation | undefined> => {
    if (any && Math.abs(clock.now() - any.at) < INSTALLATION_MAX_AGE_MS) return any.one;
    const one = (await listInstallations()).find((each) => !each.suspended_at);
    any = one ? { at: clock.now(), one } : null;
    return one;
  };

  return {
    hasAccount: account !== null,
    async token(repo, refused) {
      const here = repo === null ? null : await findUsableInstallation(repo);
      // guard: F5-installation-suspended
      if (here?.suspended_at) throw suspensionFailure(here);
      if (here) return mintToken(here.id, { refresh: refused !== undefined });
      if (account !== null) return account;
      // Any installation's token can read public data.
      const other = await findAnyInstallation();
      if (other)
        return mintToken(other.id, { refresh: refused !== undefined }).catch((error: unknown) => {
          any = null;
          throw error;
        });
      throw new OutsideFailure(
        'auth_missing',
        'The GitHub App is installed nowhere, and there is no GITHUB_TOKEN. Install the App on the account whose repositories you want to change',
      );
    },
    async app(repo) {
      const here = await findUsableInstallation(repo);
      return here && !here.suspended_at ? { login: await readLogin(), mayPush: hasPushRights(here) } : null;
    },
    async identity(repo) {
      const here = repo === null ? null : await findUsableInstallation(repo);
      if (here) return `installation:${here.id}`;
      if (account !== null) return ACCOUNT;
      const other = await findAnyInstallation();
      return other ? `installation:${other.id}` : ACCOUNT;
    },
    forget: () => {
      known.clear();
      any = null;
    },
    installations: async () => ({ login: await readLogin(), on: await listInstallations() }),
  };
};
