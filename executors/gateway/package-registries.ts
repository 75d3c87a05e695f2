/** Package registries that the gateway serves, read-only and without credentials (E16). */
import { EGRESS_PORT } from '#sandbox';
import { knownRegistries } from '#tools/packages';

const rewritesNothing = (): boolean => false;
const ROOT = `http://127.0.0.1:${EGRESS_PORT}/registry`;
export type ServedRegistry = {
  base: string;
  /** True if the operator configured it; it may be in a private network. */
  own: boolean;
  rewrites: (userAgent: string) => boolean;
};
export type ServedRegistries = {
  /** Keys are the first path segment below `/registry/`. */
  served: ReadonlyMap<string, ServedRegistry>;
  changes: readonly (readonly [from: string, to: string])[];
  env: Readonly<Record<string, string>>;
  files: readonly { folder: string; name: string; content: string }[];
  hosts: readonly string[];
};

const findRegistryUrl = (
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): string | null | undefined => {
  const value = names.map((name) => env[name]).find((one) => one !== undefined && one !== '');
  if (value === undefined) return undefined;
  return (
    value
      .split(/[,|]/)
      .find((one) => /^https?:\/\//.test(one))
      ?.replace(/(?<!\/)\/+$/, '') ?? null
  );
};

const parentOf = (base: string): string =>
  new URL(base).pathname === '/' ? base : base.replace(/\/[^/]*$/, '');

export const resolveServedRegistries = (
  names: readonly string[],
  pass: Readonly<Record<string, string>>,
): ServedRegistries => {
  const served = new Map<string, ServedRegistry>();
  const changes: [string, string][] = [];
  const env: Record<string, string> = {};
  const files: ServedRegistries['files'][number][] = [];
  const hosts: string[] = [];
  for (const name of names) {
    const row = knownRegistries().byName.get(name);
    if (row === undefined) continue;
    const own = findRegistryUrl(row.namedIn ?? [], pass);
    if (own === null) continue;
    const url = `${ROOT}/${row.path}`;
    const siblings = (own === undefined ? [] : (row.beside ?? [])).map((path) => ({
      path,
      base: `${parentOf(own ?? '')}/${path}`,
    }));
    for (const place of [{ path: row.path, base: own ?? row.base }, ...siblings, ...(row.more ?? [])]) {
      const isMain = place.path === row.path;
      served.set(place.path, {
        base: place.base,
        own: own !== undefined && (isMain || siblings.some(({ path }) => path === place.path)),
        // Other places serve hashed files, which must not be changed.
        rewrites: isMain ? row.rewritesFor : rewritesNothing,
      });
      changes.push([place.base, `${ROOT}/${place.path}`]);
    }
    const settings = row.settingsFor({ url, root: ROOT });
    Object.assign(env, settings.env);
    files.push(...settings.files);
    hosts.push(...(row.readOnlyHosts ?? []));
  }
  // Longest first, because one may be a prefix of another.
  changes.sort(([a], [b]) => b.length - a.length);
  return { served, changes, env, files, hosts };
};
