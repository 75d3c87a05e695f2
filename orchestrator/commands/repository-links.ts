/**
 * C1: addresses of repositories as people paste them from a browser or from git, read as
 * owner/name. Pure.
 */

/**
 * `pull` and `issue` are numbers, where the address names one; `tree` is the branch of its page, or a
 * branch with a folder behind it.
 */
export type RepoLink = {
  host: string;
  repo: string;
  pull: string | null;
  issue: string | null;
  tree: string | null;
};

/** What a chat or a sentence leaves around an address. */
const ADDRESS_DECORATION = /^[<("'[]+|[>)"'\],;!?.]+$/g;
const IPV6_HOST = String.raw`\[[0-9a-f:.]+\]`;
/** `https://host/…`, `ssh://git@host/…`, `git@host:…`, and an address without its scheme. */
const FORMS = {
  web: new RegExp(`^(https?)://(?:[^@/\\s]+@)?((?:${IPV6_HOST}|[^/\\s:[\\]]+)(?::\\d+)?)/+(\\S+)$`, 'i'),
  git: new RegExp(
    `^(?:git|ssh|git\\+ssh|git\\+https)://(?:[^@/\\s]+@)?(${IPV6_HOST}|[^/\\s:[\\]]+)(?::\\d+)?/+(\\S+)$`,
    'i',
  ),
  scp: new RegExp(`^[\\w.-]+@(${IPV6_HOST}|[\\w.-]+):/?(\\S+)$`, 'i'),
  bare: /^((?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|localhost:\d+)\/(\S+)$/i,
};
/** Where a code host gives out files and answers of a repository. */
const OTHER_DOORS =
  /^https?:\/\/(?:raw\.githubusercontent\.com|codeload\.github\.com|api\.github\.com\/repos)\//i;
const NUMBERED = { pull: ['pull', 'pulls', 'merge_requests'], issue: ['issues'] } as const;
/** What may stand behind owner and name in an address of a page. */
const PAGES: ReadonlySet<string> = new Set([
  ...NUMBERED.pull,
  ...NUMBERED.issue,
  ...['-', 'actions', 'activity', 'archive', 'attestations', 'blame', 'blob', 'branches', 'checks', 'commit'],
  ...['commits', 'community', 'compare', 'contributors', 'custom-properties', 'deployments', 'discussions'],
  ...['edit', 'find', 'fork', 'forks', 'graphs', 'info', 'invitations', 'labels', 'milestone', 'milestones'],
  ...['network', 'new', 'packages', 'pkgs', 'projects', 'pulse', 'raw', 'releases', 'rules', 'search'],
  ...['security', 'settings', 'stargazers', 'subscription', 'suites', 'tags', 'tarball', 'traffic', 'tree'],
  ...['upload', 'watchers', 'wiki', 'zipball'],
]);
/** Pages of a code host that stand where an owner would. */
const NO_OWNERS: ReadonlySet<string> = new Set([
  ...['orgs', 'users', 'topics', 'settings', 'search', 'marketplace', 'sponsors', 'collections', 'stars'],
]);
/** GitHub's own addresses: its API answers beside them, and nothing stands before an owner. */
const CLOUD = /^(?:github\.com|[a-z0-9-]+\.ghe\.com)$/;

/** Null when it is no address; the part after owner and name says what of it is meant. */
export const readLink = (text: string): RepoLink | null => {
  const bare = text
    .replace(ADDRESS_DECORATION, '')
    .replace(/^(?:git\+)?(?:github|gh):(?=[\w.-]+\/)/i, 'https://github.com/')
    .replace(OTHER_DOORS, 'https://github.com/');
  const address = addressIn(bare);
  if (!address) return null;
  const place = placeOf(address);
  const [owner = '', whole = '', ...more] = place.path;
  // As installers pin them: `…/name.git@v1`. No name has the sign.
  const [name = '', ref] = whole.split(/@(.*)/s);
  const repo = `${owner}/${name.replace(/\.git$/i, '')}`;
  if (owner === '' || repo.endsWith('/') || NO_OWNERS.has(owner.toLowerCase())) return null;
  if (ref) return { host: place.host, repo, pull: null, issue: null, tree: [ref, ...more].join('/') };
  const page = more[0] === '-' ? more.slice(1) : more;
  const [kind = '', number = ''] = page;
  const of = (names: readonly string[]): string | null =>
    names.includes(kind) && /^\d+$/.test(number) ? number : null;
  const tree = kind === 'tree' && page.length > 1 ? page.slice(1).join('/') : null;
  return { host: place.host, repo, pull: of(NUMBERED.pull), issue: of(NUMBERED.issue), tree };
};

/** Behind these a page names a folder: git takes no other branch below one of that name. */
const TRUNK = /^(main|master|develop|dev|trunk)\//;

/** The branch of a page, as far as that can be told: what follows it may be a folder. */
export const branchOf = ({ tree }: Pick<RepoLink, 'tree'>): string | null =>
  tree === null ? null : (TRUNK.exec(tree)?.[1] ?? tree);

type Address = { host: string; path: string[]; isWeb: boolean };

const addressIn = (text: string): Address | null => {
  const parts = (path: string): string[] =>
    path
      .replace(/[?#].*$/, '')
      .split('/')
      .filter(Boolean);
  const [, scheme = 'https', host, path] = FORMS.web.exec(text) ?? [
    undefined,
    undefined,
    ...(FORMS.bare.exec(text) ?? []).slice(1),
  ];
  if (host !== undefined && path !== undefined) {
    // As addresses are compared: without the usual port, IPv6 in its short form.
    const at = URL.parse(`${scheme}://${host}`)?.host ?? host.toLowerCase();
    return { host: at.replace(/^www\./, ''), path: parts(path), isWeb: true };
  }
  const [, git, below] = FORMS.git.exec(text) ?? FORMS.scp.exec(text) ?? [];
  if (git === undefined || below === undefined) return null;
  // Ports of git's own say nothing of the pages: where 22 is closed, hosts take ssh at ssh.<host>:443.
  const at = URL.parse(`https://${git}`)?.host ?? git.toLowerCase();
  return { host: at.replace(/^ssh\./, ''), path: parts(below), isWeb: false };
};

/**
 * Where owner and name begin. What stands before them is a part of the host: an Enterprise Server
 * may lie below a path.
 */
const placeOf = ({ host, path, isWeb }: Address): { host: string; path: string[] } => {
  const api = host.replace(/^api\.(?=github\.com$|[a-z0-9-]+\.ghe\.com$)/, '');
  if (api !== host && path[0] === 'repos') return { host: api, path: path.slice(1) };
  if (!isWeb || CLOUD.test(host)) return { host, path };
  const root = path.findIndex((_, i) => path[i] === 'api' && path[i + 1] === 'v3' && path[i + 2] === 'repos');
  const first = root >= 0 ? root : firstOf(path);
  return {
    host: [host, ...path.slice(0, first)].join('/'),
    path: path.slice(root >= 0 ? root + 3 : first),
  };
};

/** Owner and name are the two before the first word that names a page; else the last two. */
const firstOf = (path: readonly string[]): number => {
  const page = path.findIndex((part, i) => i >= 2 && PAGES.has(part));
  return Math.max(0, (page < 0 ? path.length : page) - 2);
};
