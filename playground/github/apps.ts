/** A GitHub App: its installations, JSON Web Tokens and installation tokens. */
import { generateKeyPairSync, randomBytes, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../body.ts';
import { time } from './format.ts';
import { notFound, RestRefusal } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Addresses, Show } from './show.ts';
import type { State } from './state.ts';

export type AppOptions = { id: string; slug: string; publicKey: KeyObject };
export type Installed = {
  id: number;
  owner: string;
  permissions: Record<string, string>;
  suspended: boolean;
};

const HOUR = 3_600_000;
const Claims = z.object({
  iat: z.number().int(),
  exp: z.number().int(),
  iss: z.union([z.string(), z.number()]),
});

export type Apps = ReturnType<typeof createApps>;

/** Source: GitHub, "Registering a GitHub App from a manifest". */
const Manifest = z.object({
  name: z.string().max(34),
  url: z.url(),
  redirect_url: z.url(),
  hook_attributes: z.object({ url: z.url() }).optional(),
  default_permissions: z.record(z.string(), z.string()).default({}),
  default_events: z.array(z.string()).default([]),
});
type Manifest = z.infer<typeof Manifest>;

export function createApps(
  state: State,
  show: Show,
  first: AppOptions | null,
  { origin, apiUrl }: Addresses,
) {
  const installations: Installed[] = [];
  const tokens = { made: 0 };
  let app = first;
  let bot = app ? state.user(`${app.slug}[bot]`) : null;
  const agreed = new Map<string, Manifest>();

  /** Source: GitHub, "Generating a JSON Web Token (JWT) for a GitHub App". */
  function signed({ authorization = '' }: RouteCall): AppOptions {
    const one = app;
    const [head = '', body = '', signature = ''] = authorization.replace(/^bearer /i, '').split('.');
    const genuine =
      one &&
      verify('sha256', Buffer.from(`${head}.${body}`), one.publicKey, Buffer.from(signature, 'base64url'));
    const claims = Claims.safeParse(parseJson(Buffer.from(body, 'base64url').toString())).data;
    if (!genuine || String(claims?.iss) !== one.id)
      throw new RestRefusal(401, 'A JSON web token could not be decoded');
    const now = state.now() / 1_000;
    if (!claims || claims.exp <= now || claims.exp > now + 600)
      throw new RestRefusal(
        401,
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
      );
    if (claims.iat > now)
      throw new RestRefusal(
        401,
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      );
    return one;
  }
  const shown = (one: Installed, { id, slug }: AppOptions) => ({
    id: one.id,
    account: show.user(state.user(one.owner)),
    app_id: Number(id),
    app_slug: slug,
    target_id: state.user(one.owner).id,
    target_type: 'User',
    repository_selection: 'all',
    permissions: one.permissions,
    events: [],
    single_file_name: null,
    suspended_by: null,
    access_tokens_url: `${apiUrl()}/app/installations/${one.id}/access_tokens`,
    repositories_url: `${apiUrl()}/installation/repositories`,
    created_at: time(0),
    updated_at: time(0),
    html_url: `${origin()}/settings/installations/${one.id}`,
    suspended_at: one.suspended ? time(0) : null,
  });

  const routes: Record<string, Route> = {
    'GET /app': (call) => ok(show.app(signed(call).slug)),
    'GET /app/installations': (call) => {
      const by = signed(call);
      return ok(installations.map((one) => shown(one, by)));
    },
    'GET /repos/{owner}/{repo}/installation'(call) {
      const by = signed(call);
      const repo = state.repo(`${call.at['owner']}/${call.at['repo']}`);
      const found = installations.find((one) => one.owner === repo?.owner.login);
      if (!found) throw notFound();
      return ok(shown(found, by));
    },
    'POST /app-manifests/{code}/conversions'(call) {
      const code = call.at['code'] ?? '';
      const manifest = agreed.get(code);
      if (!manifest || !agreed.delete(code)) throw notFound();
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const slug = manifest.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      app = { id: String(state.nextId()), slug, publicKey };
      bot = state.user(`${slug}[bot]`);
      const { name, default_permissions: permissions, default_events: events, hook_attributes } = manifest;
      const secrets = {
        pem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
        webhook_secret: hook_attributes ? randomBytes(20).toString('hex') : null,
        client_id: `Iv1.${randomBytes(8).toString('hex')}`,
        client_secret: randomBytes(20).toString('hex'),
      };
      const value = { ...show.app(slug), id: Number(app.id), name, permissions, events, ...secrets };
      return { status: 201, value };
    },
    'POST /app/installations/{installation_id}/access_tokens'(call) {
      signed(call);
      const found = installations.find((one) => one.id === Number(call.at['installation_id']));
      if (!found || !bot) throw notFound();
      if (found.suspended) throw new RestRefusal(403, 'This installation has been suspended');
      const token = `ghs_${found.id}_${(tokens.made += 1)}`;
      const expiresAt = state.now() + HOUR;
      state.identities.set(token, { user: bot, token, scopes: null, expiresAt });
      const value = { token, expires_at: time(expiresAt), permissions: found.permissions };
      return { status: 201, value: { ...value, repository_selection: 'all' } };
    },
  };
  return {
    routes,
    /** Returns the address that the browser is redirected to after consent. */
    agree(manifest: unknown, asked: string | null): string | null {
      const { data } = Manifest.safeParse(manifest);
      if (!data) return null;
      const code = randomBytes(20).toString('hex');
      agreed.set(code, data);
      const to = new URL(data.redirect_url);
      to.searchParams.set('code', code);
      if (asked !== null) to.searchParams.set('state', asked);
      return to.href;
    },
    tokens: () => tokens.made,
    install(owner: string, permissions: Record<string, string>): Installed {
      const made = { id: state.nextId(), owner, permissions, suspended: false };
      installations.push(made);
      const access = permissions['contents'] === 'write' ? 'write' : 'read';
      for (const repo of state.repos.values())
        if (bot && repo.owner.login === owner) repo.access.set(bot.login, access);
      return made;
    },
  };
}
