/** Turns the output of a failed git into an outside failure with a sentence for people. */
import { OutsideFailure, failureWithDetail, diskFull } from '#ports/forge';
import { networkFailureOf, findNetworkRefusal } from '#network-faults';
import type { SpawnResult } from '../process/spawn.ts';
import type { FailureClass, HostRefusalKind } from '#model/failure';
import { isCredentialRefusal, readGitRefusal } from './git-refusals.ts';

const MAX_END_LENGTH = 4_000;
/** L9: a code host may send more than the expressions below can read; git speaks last. */
export const cutMiddle = (text: string): string =>
  text.length <= 2 * MAX_END_LENGTH
    ? text
    : `${text.slice(0, MAX_END_LENGTH)}\n${text.slice(-MAX_END_LENGTH)}`;

export const cleanGitOutput = (text: string, limit = 500): string =>
  text
    .replace(/\u001b\[[0-9;?]*[a-z]/gi, '')
    .replace(/'?https?:\/\/\S+/g, '(address)')
    .replace(/[^\P{C}\n]/gu, ' ')
    .split('\n')
    .map((line) => line.replace(/^remote:\s?/, '').trim())
    .filter((line) => line !== '' && !/^(To |hint:|Done$)/.test(line))
    .join('\n')
    .slice(0, limit);

const NETWORK: readonly (readonly [RegExp, FailureClass, string])[] = [
  [
    /no space left on device|disk quota exceeded/i,
    'disk_full',
    'The disk is full. Free some space, then retry.',
  ],
  // Lines beginning with "remote:" are the code host's and must not match.
  [
    /^(?:error|fatal|warning): (?!unable to access).*(?:read-only file system|input\/output error|too many open files|cannot allocate memory|permission denied)$/im,
    'env_missing',
    'Git could not use our own copy of the repository. Look at the disk and the limits of this machine.',
  ],
  [
    /mismatched algorithms|object.format/i,
    'forge_refused',
    'The repository names its objects by SHA-256, which we do not support. Use one that names them by SHA-1.',
  ],
  [
    /returned error: 413\b|HTTP code = 413\b/i,
    'push_rejected',
    'The push is larger than the code host, or the proxy before it, takes.',
  ],
  [/returned error: 429/i, 'rate_limited', 'The code host asked us to wait before using git again.'],
  [
    /returned error: 5\d\d|internal server error|bad gateway/i,
    'forge_unavailable',
    'The code host failed to answer git.',
  ],
  [
    /redirect|returned error: 30\d/i,
    'repository_missing',
    'The repository has moved to another address. Use its new name.',
  ],
  [
    /repository .{0,300}not found|returned error: 404|does not appear to be a git repository/i,
    'repository_missing',
    'The repository was not found, or our credential may not read it.',
  ],
  [
    /authentication failed|returned error: 40[13]|could not read (username|password)|terminal prompts disabled|permission to .{0,300} denied/i,
    'repository_missing',
    'The code host refused our credential for this repository. Check the token and what it may reach.',
  ],
  [
    /fsck|index-pack failed.{0,300}(bad|invalid)|transport '.{0,300}' not allowed/i,
    'forge_refused',
    'Git refused what the code host sent, because it is damaged or unsafe.',
  ],
];

const REFUSED: Partial<Record<HostRefusalKind, readonly [FailureClass, string]>> = {
  archived: ['repository_archived', 'The repository was archived, so that nobody can push to it.'],
  account_suspended: [
    'account_suspended',
    'The code host has suspended our account. Its support can lift that.',
  ],
};
const NOT_LET_IN = ['permission_denied', 'The code host does not let our credential in.'] as const;

const readByGit = (stderr: string): readonly [FailureClass, string] => {
  const known = NETWORK.find(([pattern]) => pattern.test(stderr));
  return known ? [known[1], known[2]] : ['forge_unavailable', 'Git did not reach the code host.'];
};

/** `serverUrl` is the connected code host; links to other hosts are not shown. */
export const networkFailure = (output: string, serverUrl: string | null = null): OutsideFailure => {
  const stderr = cutMiddle(output);
  const said = new Error(stderr);
  const fault = networkFailureOf('the code host', said);
  if (fault !== null) return fault;
  const refusal = readGitRefusal({ stderr }, serverUrl);
  const refused = isCredentialRefusal(refusal) ? NOT_LET_IN : refusal && REFUSED[refusal.kind];
  const [kind, sentence] = refused ?? readByGit(stderr);
  const words = cleanGitOutput(stderr, 300);
  const says = words === '' ? sentence : `${sentence} Git said: ${words}`;
  const way = refusal === null && kind === 'forge_unavailable' ? findNetworkRefusal(said) : null;
  if (kind === 'disk_full') return diskFull();
  if (kind === 'push_rejected') return failureWithDetail(kind, says, { kind: 'push_too_large' });
  return new OutsideFailure(kind, says, { detail: refusal ?? way });
};

export const toStartFailure = (end: Pick<SpawnResult, 'stderr' | 'excess'>): OutsideFailure =>
  new OutsideFailure(end.excess ? 'crashed' : 'env_missing', end.stderr);

export const translateDiskErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull();
    throw error;
  }
};
