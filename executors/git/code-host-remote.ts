/** The only git traffic with the code host: one origin, the token on a descriptor (G5, E14). */
import { type FailureDetail, failureDetail } from '#model/failure';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OutsideFailure } from '#ports/forge';
import type { PushOutcome, RepoRef } from '#ports/workspaces';
import { cutMiddle, cleanGitOutput, networkFailure } from './git-failure.ts';
import { isCredentialRefusal, readGitRefusal, remoteLines } from './git-refusals.ts';
import { ASKPASS_SCRIPT, type TrustedGit, type GitOptions } from './trusted-git.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { isBranchName } from './path-names.ts';

type Network = NonNullable<GitOptions['network']>;
export type ReadCredential = (repo: string) => Promise<string | null>;

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Accepts `https://host[:port][/path]`, and http on this machine only. */
export const parseServerUrl = (text: string): { serverUrl: string; scheme: 'http' | 'https' } => {
  const url = new URL(text);
  const serverUrl = `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
  if (url.protocol === 'https:') return { serverUrl, scheme: 'https' };
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) return { serverUrl, scheme: 'http' };
  throw new Error(`The code host "${text}" must be an https address, or http on this machine.`);
};

/** Throws for anything but a plain path below the code host. */
const requireCloneUrl = (serverUrl: string, cloneUrl: string): string => {
  const path = cloneUrl.startsWith(`${serverUrl}/`) ? cloneUrl.slice(serverUrl.length) : '';
  const parts = path.slice(1).split('/');
  // guard: G5-clone-url
  if (parts.every((part) => /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/.test(part))) return cloneUrl;
  throw new OutsideFailure(
    'forge_refused',
    `Only repositories below ${serverUrl} may be used, and this run names another address. If your repositories are there, set GITHUB_URL.`,
  );
};

const placeAskpass = async (file: string): Promise<void> => {
  const there = await readFile(file, 'utf8').catch(() => null);
  if (there === ASKPASS_SCRIPT) return;
  await mkdir(dirname(file), { recursive: true });
  const made = `${file}.${randomUUID()}.new`;
  await writeFile(made, ASKPASS_SCRIPT);
  await chmod(made, 0o700);
  await rename(made, file);
};

const NAMING_RULE_PATTERN =
  /\b(branch|ref|reference)[ _-]?names?\b|naming (rule|convention|pattern)|name of (the|this) branch|creations? (is |are )?(being )?restricted|cannot create ref|refs\/heads\/\S{1,300}' exists|funny refname|invalid ref/i;
const CLOSED = /permission to .{0,300} denied|not (allowed|authori[sz]ed) to push|returned error: 403/i;
const AUTH =
  /without `?workflows?`? (scope|permission)|returned error: 401|authentication failed|could not read (username|password)/i;

type Rejected = Extract<PushOutcome, { kind: 'rejected' }>;
const DETAILS = {
  stale: 'branch_moved',
  name: 'branch_name_refused',
  auth: 'push_credential_refused',
  closed: 'push_forbidden',
  archived: 'push_refused',
  other: 'push_refused',
} as const satisfies Record<Rejected['because'], FailureDetail['kind']>;

export const readRejection = (
  stdout: string,
  output: string,
  serverUrl: string | null = null,
): Rejected | null => {
  const stderr = cutMiddle(output);
  const reason = /^!\t[^\t]*\t(.*)$/m.exec(stdout)?.[1];
  const words = remoteLines(stderr).join('\n');
  const refusal = readGitRefusal({ stderr, reason: reason ?? '' }, serverUrl);
  const said = cleanGitOutput([reason ?? '', words].join('\n'));
  const toPushRejection = (because: Rejected['because'], text: string): Rejected => ({
    kind: 'rejected',
    detail: refusal ?? failureDetail({ kind: DETAILS[because], says: said }),
    reason: said === '' ? text : `${text} It said: ${said}`,
    because,
  });
  const all = stderr + (reason ?? '');
  if (refusal?.kind === 'archived') return toPushRejection('archived', 'The repository was archived.');
  if (isCredentialRefusal(refusal) || AUTH.test(all))
    return toPushRejection('auth', 'The code host refused our credential for pushing.');
  if (CLOSED.test(all)) return toPushRejection('closed', 'The code host does not let us push this.');
  if (reason === undefined) return null;
  if (/\((stale info|fetch first|non-fast-forward)\)/.test(reason))
    return toPushRejection('stale', 'The branch on the code host is not where we left it.');
  if (NAMING_RULE_PATTERN.test(`${reason}\n${words}`))
    return toPushRejection('name', 'The code host refused the name of the branch.');
  return toPushRejection('other', 'The code host refused the push.');
};

/** Asks the code host's API, which is cheaper than git; null if git has to ask. */
export type ReadRemoteHead = (repo: string, branch: string) => Promise<string | null>;

/** The API may lag by seconds, so it counts only if it repeats git's last answer. */
export const matchesRemoteHead = async (
  told: ReadRemoteHead,
  repo: RepoRef,
  branch: string,
  known: string,
): Promise<boolean> => {
  const now = await told(repo.name, branch).catch(() => null);
  // guard: E14-told-head
  return now === known;
};

const MAX_KNOWN_HEADS = 1_000;

export const createRemote = (deps: {
  git: TrustedGit;
  serverUrl: string;
  askpass: string;
  credential: ReadCredential;
  told: ReadRemoteHead;
}) => {
  const { git, serverUrl, askpass, credential, told } = deps;
  const known = createBoundedCache<string>(MAX_KNOWN_HEADS, () => 1);
  const keyOf = (repo: RepoRef, branch: string): string => `${repo.cloneUrl} ${branch}`;

  const reach = async (repo: RepoRef): Promise<{ url: string; network: Network }> => {
    const url = requireCloneUrl(serverUrl, repo.cloneUrl);
    await placeAskpass(askpass);
    return { url, network: { askpass, token: await credential(repo.name), serverUrl } };
  };

  const head = async (gitDir: string, repo: RepoRef, branch: string): Promise<string | null> => {
    if (!isBranchName(branch)) return null;
    const last = known.get(keyOf(repo, branch));
    if (last !== undefined && (await matchesRemoteHead(told, repo, branch, last))) return last;
    const { url, network } = await reach(repo);
    const ref = `refs/heads/${branch}`;
    const end = await git(['ls-remote', '--exit-code', url, ref], {
      gitDir,
      network,
      answers: [2],
      timeoutMs: 120_000,
    });
    for (const text of end.stdout.split('\n')) {
      const [sha, name] = text.split('\t');
      if (name !== ref || sha === undefined) continue;
      known.add(keyOf(repo, branch), sha);
      return sha;
    }
    return null;
  };

  const push = async (input: {
    gitDir: string;
    repo: RepoRef;
    sha: string;
    branch: string;
    expect: string | null;
  }): Promise<PushOutcome> => {
    const { gitDir, repo, sha, branch, expect } = input;
    if (!isBranchName(branch))
      return {
        kind: 'rejected',
        because: 'name',
        reason: `"${branch}" cannot be the name of a branch.`,
        detail: failureDetail({ kind: 'branch_name_refused' }),
      };
    const { url, network } = await reach(repo);
    const ref = `refs/heads/${branch}`;
    const flags = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', '--no-thin'];
    // guard: E14-no-force
    const lease = `--force-with-lease=${ref}:${expect ?? ''}`;
    const end = await git(['push', ...flags, '--recurse-submodules=no', lease, url, `${sha}:${ref}`], {
      gitDir,
      network,
      answers: [1, 128],
    });
    // git does not check the lease if the commit is there already; the caller reads it back.
    if (end.exitCode === 0) {
      known.add(keyOf(repo, branch), sha);
      return { kind: 'pushed', branch, sha };
    }
    const rejection = readRejection(end.stdout, end.stderr, serverUrl);
    if (rejection?.detail?.kind === 'account_suspended') throw networkFailure(end.stderr, serverUrl);
    // Throws if reading is refused too: then the repository is lost.
    if (rejection?.because === 'auth' || rejection?.because === 'closed') await head(gitDir, repo, branch);
    if (rejection) return rejection;
    // The answer may be lost although the push arrived.
    if ((await head(gitDir, repo, branch)) === sha) return { kind: 'pushed', branch, sha };
    throw networkFailure(end.stderr, serverUrl);
  };

  /** Removes the branch only if it is where we left it; throws if it stays. */
  const remove = async (input: {
    gitDir: string;
    repo: RepoRef;
    branch: string;
    sha: string;
  }): Promise<void> => {
    const { gitDir, repo, branch, sha } = input;
    if ((await head(gitDir, repo, branch)) !== sha) return;
    const { url, network } = await reach(repo);
    const ref = `refs/heads/${branch}`;
    const lease = `--force-with-lease=${ref}:${sha}`;
    const flags = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags'];
    const end = await git(['push', ...flags, lease, url, `:${ref}`], { gitDir, network, answers: [1, 128] });
    // The answer may be lost although the branch is gone.
    if (end.exitCode === 0 || (await head(gitDir, repo, branch)) !== sha) return;
    const rejection = readRejection(end.stdout, end.stderr, serverUrl);
    if (rejection) {
      const { reason, detail = null } = rejection;
      throw new OutsideFailure('permission_denied', reason, { detail });
    }
    throw networkFailure(end.stderr, serverUrl);
  };

  return { reach, head, push, remove };
};
