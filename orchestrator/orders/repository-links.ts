/** Reads repository URLs, as copied from a browser or git, into owner/name (C1). Pure. */
import { trimEndCharacters } from '#model/values';

/** `pull` and `issue`: numbers in the URL. `tree`: a branch, perhaps followed by a folder. */
export type RepoLink = {
  host: string;
  repo: string;
  pull: string | null;
  issue: string | null;
  tree: string | null;
};

const OPENING_SIGNS = /^[<("'[]+/;
const CLOSING_SIGNS = `>)"'],;!?.`;
const IPV6_HOST = String.raw`\[[0-9a-f:.]+\]`;
const FORMS = {
  web: new RegExp(
    `^(https?)://(?:[^@/\\s]+@)?((?:${IPV6_HOST}|[^/\\s:[\\]]+)(?::\\d+)?)/+([^\\s/]\\S*)$`,
    'i',
  ),
  git: new RegExp(
    `^(?:git|ssh|git\\+ssh|git\\+https)://(?:[^@/\\s]+@)?(${IPV6_HOST}|[^/\\s:[\\]]+)(?::\\d+)?/+([^\\s/]\\S*)$`,
    'i',
  ),
  scp: new RegExp(`^[\\w.-]+@(${IPV6_HOST}|[\\w.-]+):/?(\\S+)$`, 'i'),
  bare: /^((?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|localhost:\d+)\/(\S+)$/i,
};
const OTHER_DOORS =
  /^https?:\/\/(?:raw\.githubusercontent\.com|codeload\.github\.com|api\.github\.com\/repos)\//i;
const NUMBERED = { pull: ['pull', 'pulls', 'merge_requests'], issue: ['issues'] } as const;
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
/** GitHub pages in the place of an owner. */
const NO_OWNERS: ReadonlySet<string> = new Set([
  ...['orgs', 'users', 'topics', 'settings', 'search', 'marketplace', 'sponsors', 'collections', 'stars'],
]);
/** Hosts of GitHub's cloud, whose API host is separate and whose owners have no path prefix. */
const CLOUD = /^(?:github\.com|[a-z0-9-]+\.ghe\.com)$/;

export const parseRepoLink = (text: string): RepoLink | null => {
  const bare = trimEndCharacters(text.replace(OPENING_SIGNS, ''), CLOSING_SIGNS)
    .replace(/^(?:git\+)?(?:github|gh):(?=[\w.-]+\/)/i, 'https://github.com/')
    .replace(OTHER_DOORS, 'https://github.com/');
  const address = addressIn(bare);
  if (!address) return null;
  const place = placeOf(address);
  const [owner = '', whole = '', ...more] = place.path;
  // Installers pin versions as `…/name.git@v1`; no repository name contains `@`.
  const [name = '', ref] = whole.split(/@(.*)/s);
  const repo = `${owner}/${name.replace(/\.git$/i, '')}`;
  if (owner === '' || repo.endsWith('/') || NO_OWNERS.has(owner.toLowerCase())) return null;
  if (ref) return { host: place.host, repo, pull: null, issue: null, tree: [ref, ...more].join('/') };
  const page = more[0] === '-' ? more.slice(1) : more;
  const [kind = '', number = ''] = page;
  const numberFor = (names: readonly string[]): string | null =>
    names.includes(kind) && /^\d+$/.test(number) ? number : null;
  const tree = kind === 'tree' && page.length > 1 ? page.slice(1).join('/') : null;
  return { host: place.host, repo, pull: numberFor(NUMBERED.pull), issue: numberFor(NUMBERED.issue), tree };
};

/** A branch of this name excludes branches below it in git, so the rest is a folder. */
const TRUNK = /^(main|master|develop|dev|trunk)\//;

/** Best guess: the rest of the path may be a folder. */
export const branchOf = ({ tree }: Pick<RepoLink, 'tree'>): string | null =>
  tree === null ? null : (TRUNK.exec(tree)?.[1] ?? tree);

type Address = { host: string; path: string[]; isWeb: boolean };

const addressIn = (text: string): Address | null => {
  const partsOf = (path: string): string[] =>
    path
      .replace(/[?#][^]*$/, '')
      .split('/')
      .filter(Boolean);
  const [, scheme = 'https', host, path] = FORMS.web.exec(text) ?? [
    undefined,
    undefined,
    ...(FORMS.bare.exec(text) ?? []).slice(1),
  ];
  if (host !== undefined && path !== undefined) {
    // Normalises the default port and IPv6.
    const at = URL.parse(`${scheme}://${host}`)?.host ?? host.toLowerCase();
    return { host: at.replace(/^www\./, ''), path: partsOf(path), isWeb: true };
  }
  const [, git, below] = FORMS.git.exec(text) ?? FORMS.scp.exec(text) ?? [];
  if (git === undefined || below === undefined) return null;
  // Ports of git say nothing about the web host; GitHub also serves ssh at ssh.<host>:443.
  const at = URL.parse(`https://${git}`)?.host ?? git.toLowerCase();
  return { host: at.replace(/^ssh\./, ''), path: partsOf(below), isWeb: false };
};

/** A path prefix belongs to the host, as an Enterprise Server may be served below a path. */
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

/** Owner and name precede the first page word, else they are the last two parts. */
const firstOf = (path: readonly string[]): number => {
  const page = path.findIndex((part, i) => i >= 2 && PAGES.has(part));
  return Math.max(0, (page < 0 ? path.length : page) - 2);
};
