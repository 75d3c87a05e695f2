/** E16: package registries that the gateway serves, read-only and without credentials. */
import { EGRESS_PORT } from '#sandbox';

type Place = { path: string; base: string };

type Registry = Place & {
  /** The first variable with an HTTP address names the registry. */
  named: readonly string[];
  env: (url: string) => Readonly<Record<string, string>>;
  files?: (url: string) => readonly { folder: string; name: string; content: string }[];
  more?: readonly Place[];
  /** Relative addresses in an operator's registry lead there. */
  beside?: readonly string[];
  /** Some programs rewrite addresses themselves. */
  rewrites: (userAgent: string) => boolean;
};

const INIT = (url: string): string => `// Written by AgentPR: there is no other way out of this box.
def here = { repos -> repos.all { repo ->
  if (repo instanceof org.gradle.api.artifacts.repositories.MavenArtifactRepository) {
    def at = repo.url.toString()
    if (at.startsWith('https://repo.maven.apache.org/maven2') || at.startsWith('https://repo1.maven.org/maven2')) {
      repo.url = uri('${url}/'); repo.allowInsecureProtocol = true
    } else if (at.startsWith('https://plugins.gradle.org/m2')) {
      repo.url = uri('${url.replace(/maven$/, 'gradle-plugins')}/'); repo.allowInsecureProtocol = true
    }
  }
} }
settingsEvaluated { settings ->
  here(settings.pluginManagement.repositories)
  here(settings.dependencyResolutionManagement.repositories)
}
allprojects { here(buildscript.repositories); here(repositories) }
`;

const MIRROR = (url: string): string => `<!-- Written by AgentPR: there is no other way out of this box. -->
<settings><mirrors><mirror><id>agentpr</id><mirrorOf>central</mirrorOf><url>${url}/</url></mirror></mirrors></settings>
`;

const CARGO = (url: string): string => `# Written by AgentPR: there is no other way out of this box.
[source.crates-io]
replace-with = "agentpr"
[source.agentpr]
registry = "sparse+${url}/"
`;

const never = (): boolean => false;
const always = (): boolean => true;

export const PACKAGE_REGISTRIES = {
  npm: {
    path: 'npm',
    base: 'https://registry.npmjs.org',
    named: ['NPM_CONFIG_REGISTRY', 'npm_config_registry'],
    env: (url) => ({
      npm_config_registry: `${url}/`,
      // Lock files contain the registry that they were written with.
      npm_config_replace_registry_host: 'always',
      YARN_NPM_REGISTRY_SERVER: url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      COREPACK_NPM_REGISTRY: url,
    }),
    // npm would write rewritten addresses into its lock file.
    rewrites: (userAgent) => !/^npm\//.test(userAgent),
  },
  pypi: {
    path: 'pypi',
    base: 'https://pypi.org/simple',
    named: ['PIP_INDEX_URL'],
    env: (url) => ({ PIP_INDEX_URL: `${url}/` }),
    more: [{ path: 'pypi-files', base: 'https://files.pythonhosted.org' }],
    // Artifactory, Nexus and mirrors; GitLab; devpi.
    beside: ['packages', 'files', '+f'],
    rewrites: always,
  },
  cargo: {
    path: 'cargo',
    base: 'https://index.crates.io',
    named: [],
    env: () => ({}),
    files: (url) => [{ folder: '.cargo', name: 'config.toml', content: CARGO(url) }],
    more: [{ path: 'crates', base: 'https://static.crates.io/crates' }],
    rewrites: always,
  },
  go: {
    path: 'go',
    base: 'https://proxy.golang.org',
    named: ['GOPROXY'],
    env: (url) => ({ GOPROXY: url }),
    rewrites: never,
  },
  maven: {
    path: 'maven',
    base: 'https://repo.maven.apache.org/maven2',
    named: [],
    env: () => ({}),
    files: (url) => [{ folder: '.m2', name: 'settings.xml', content: MIRROR(url) }],
    rewrites: never,
  },
  gradle: {
    path: 'gradle-plugins',
    base: 'https://plugins.gradle.org/m2',
    named: [],
    env: () => ({}),
    files: (url) => [
      {
        folder: '.gradle/init.d',
        name: 'agentpr.gradle',
        content: INIT(url.replace(/gradle-plugins$/, 'maven')),
      },
    ],
    rewrites: never,
  },
} as const satisfies Record<string, Registry>;

export type RegistryName = keyof typeof PACKAGE_REGISTRIES;
export const REGISTRY_NAMES = Object.keys(PACKAGE_REGISTRIES) as [RegistryName, ...RegistryName[]];

/** Lock files of uv and poetry contain these hosts, which are read-only. */
export const READ_ONLY_HOSTS: Readonly<Partial<Record<RegistryName, readonly string[]>>> = {
  pypi: ['pypi.org', 'files.pythonhosted.org'],
};

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

const namedIn = (
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): string | null | undefined => {
  const value = names.map((name) => env[name]).find((one) => one !== undefined && one !== '');
  if (value === undefined) return undefined;
  return (
    value
      .split(/[,|]/)
      .find((one) => /^https?:\/\//.test(one))
      ?.replace(/\/+$/, '') ?? null
  );
};

const parentOf = (base: string): string =>
  new URL(base).pathname === '/' ? base : base.replace(/\/[^/]*$/, '');

export const registriesFor = (
  names: readonly RegistryName[],
  pass: Readonly<Record<string, string>>,
): ServedRegistries => {
  const served = new Map<string, ServedRegistry>();
  const changes: [string, string][] = [];
  const env: Record<string, string> = {};
  const files: ServedRegistries['files'][number][] = [];
  const hosts: string[] = [];
  for (const name of names) {
    const row: Registry = PACKAGE_REGISTRIES[name];
    const own = namedIn(row.named, pass);
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
        rewrites: isMain ? row.rewrites : never,
      });
      changes.push([place.base, `${ROOT}/${place.path}`]);
    }
    Object.assign(env, row.env(url));
    files.push(...(row.files?.(url) ?? []));
    hosts.push(...(READ_ONLY_HOSTS[name] ?? []));
  }
  // Longest first, because one may be a prefix of another.
  changes.sort(([a], [b]) => b.length - a.length);
  return { served, changes, env, files, hosts };
};
