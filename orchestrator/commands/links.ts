/**
 * C1: addresses of repositories as people paste them from a browser or from git, read as
 * owner/name. Pure.
 */

/** `pull` and `issue` are numbers, where the address names one. */
export type RepoLink = { host: string; repo: string; pull: string | null; issue: string | null };

/** What a chat or a sentence leaves around an address. */
const AROUND = /^[<("'[]+|[>)"'\],;!?.]+$/g;
/** `https://host/…`, `ssh://git@host/…`, `git@host:…`, and an address without its scheme. */
const FORMS = [
  /^(?:https?|git|ssh|git\+ssh|git\+https):\/\/(?:[^@/\s]+@)?([^/\s:]+(?::\d+)?)\/+(\S+)$/i,
  /^[\w.-]+@([\w.-]+):\/?(\S+)$/,
  /^((?:[a-z0-9-]+\.)+[a-z]{2,})\/(\S+)$/i,
];
/** Where a code host gives out files and answers of a repository. */
const OTHER_DOORS =
  /^https?:\/\/(?:raw\.githubusercontent\.com|codeload\.github\.com|api\.github\.com\/repos)\//i;
const NUMBERED = { pull: ['pull', 'pulls', 'merge_requests'], issue: ['issues'] } as const;

/** Null when it is no address; the part after owner and name says what of it is meant. */
export const readLink = (text: string): RepoLink | null => {
  const bare = text
    .replace(AROUND, '')
    .replace(/^(?:git\+)?(?:github|gh):(?=[\w.-]+\/)/i, 'https://github.com/')
    .replace(OTHER_DOORS, 'https://github.com/');
  for (const form of FORMS) {
    const [, host, path] = form.exec(bare) ?? [];
    if (host === undefined || path === undefined) continue;
    const [owner = '', name = '', ...more] = path
      .replace(/[?#].*$/, '')
      .split('/')
      .filter(Boolean);
    const repo = `${owner}/${name.replace(/\.git$/i, '')}`;
    if (owner === '' || repo.endsWith('/')) return null;
    const [kind = '', number = ''] = more[0] === '-' ? more.slice(1) : more;
    const of = (names: readonly string[]): string | null =>
      names.includes(kind) && /^\d+$/.test(number) ? number : null;
    return {
      // Where port 22 is closed, hosts take ssh at ssh.<host>:443 as well.
      host: host
        .toLowerCase()
        .replace(/^ssh\.(.*):443$/, '$1')
        .replace(/^(?:www|ssh)\./, ''),
      repo,
      pull: of(NUMBERED.pull),
      issue: of(NUMBERED.issue),
    };
  }
  return null;
};
