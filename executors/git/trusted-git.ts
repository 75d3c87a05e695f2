/** Runs trusted git without foreign configuration, hooks, filters, helpers or redirects. */
import { OutsideFailure } from '#ports/forge';
import { cleanGitOutput, networkFailure, toStartFailure } from './git-failure.ts';
import { toNetworkGitConfig, type GitNetwork } from './git-network.ts';
import { SILENCE_MS } from './object-reader.ts';
import { createObjectReaders, type ReadObjects } from './object-readers.ts';
import { spawnProcess, type SpawnResult } from '../process/spawn.ts';
import { startPlainProcess } from '../process/start-plain-process.ts';
import { MINUTE, MB, formatTimeSpan } from '#model/values';

export type GitOptions = {
  gitDir: string;
  /** Never a workspace that an agent has touched. */
  workTree?: string;
  index?: string;
  stdin?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
  network?: { askpass: string; token: string | null; serverUrl: string };
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Advice for the user if the command times out, as a sentence. */
  slow?: string;
  maxOutputBytes?: number;
  answers?: readonly number[];
};

export type TrustedGit = {
  (args: readonly string[], options: GitOptions): Promise<SpawnResult>;
  readObjects: ReadObjects;
  /** Call it after a directory got another alternate; without argument, after a repair. */
  closeReaders: (gitDir?: string) => void;
};

const TOKEN_FD = 9;

/** Code hosts accept these historical mistakes; fsck refuses all others. */
const TOLERATED = [
  'zeroPaddedFilemode',
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingNameBeforeEmail',
  'badFilemode',
];

const GIT_CONFIG: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.autocrlf', 'false'],
  ['core.safecrlf', 'false'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  ['core.ignoreCase', 'false'],
  ['core.precomposeUnicode', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.quotePath', 'false'],
  ['core.sparseCheckout', 'false'],
  ['core.sshCommand', '/bin/false'],
  ['core.askPass', '/bin/false'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['push.followTags', 'false'],
  ['push.gpgSign', 'false'],
  ['commit.gpgSign', 'false'],
  ['gpg.format', 'ssh'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
  ['transfer.credentialsInUrl', 'die'],
  ['transfer.fsckObjects', 'true'],
  ...TOLERATED.map((id) => [`fetch.fsck.${id}`, 'ignore'] as const),
  ['protocol.allow', 'never'],
];

const GIT_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_PAGER: 'cat',
  GIT_EDITOR: '/bin/false',
};

const toConfigEnv = (pairs: readonly (readonly [string, string])[]): Record<string, string> => {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) };
  pairs.forEach(([key, value], i) => {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return env;
};

/** Bytes must enter and leave the trusted directory unchanged. */
export const RAW_ATTRIBUTES =
  '* -text !eol -ident -filter !working-tree-encoding !diff !merge !export-ignore !export-subst\n';

/** Passes the token on a descriptor, so it is in no argument, environment or file. */
export const ASKPASS_SCRIPT = `#!/bin/sh
case "$1" in
  Username*) echo x-access-token ;;
  *) exec cat <&${TOKEN_FD} ;;
esac
`;

const toGitFailure = (
  args: readonly string[],
  end: Pick<SpawnResult, 'ended' | 'exitCode' | 'stderr' | 'excess'>,
  { network, slow, timeoutMs }: Pick<GitOptions, 'network' | 'slow'> & { timeoutMs: number },
): Error => {
  const name = `git ${args[0] ?? ''}`;
  if (end.ended === 'aborted') return new OutsideFailure('cancelled', `${name} was stopped on request.`);
  if (end.ended === 'not_started') return toStartFailure(end);
  if (end.ended === 'timed_out')
    return network
      ? new OutsideFailure('forge_unavailable', `The code host did not answer ${name} in time.`, {
          detail: { kind: 'no_answer' },
        })
      : new OutsideFailure(
          'timed_out',
          [`${name} did not end within ${formatTimeSpan(timeoutMs)} and was stopped.`, slow ?? '']
            .join(' ')
            .trim(),
        );
  if (end.ended === 'output_limit')
    return new OutsideFailure(
      'env_missing',
      `${name} printed more than AgentPR reads: the repository is too large for it.`,
    );
  if (network) return networkFailure(end.stderr, network.serverUrl);
  if (/no space left on device|disk quota exceeded/i.test(end.stderr)) return networkFailure(end.stderr);
  if (/file name too long|cannot create directory at '.{3000}/i.test(end.stderr))
    return new OutsideFailure(
      'env_missing',
      `The repository has a path that is too long for this machine: ${cleanGitOutput(end.stderr, 200)}…`,
    );
  return new Error(`${name} failed (${end.ended}, exit ${end.exitCode}): ${cleanGitOutput(end.stderr)}`);
};

const MIN_GIT_VERSION: readonly [number, number] = [2, 38];

/** Returns git's own version line (empty without git), and whether that version is supported. */
export const gitVersion = async (): Promise<{
  says: string;
  fits: boolean;
  path: string;
  oldest: string;
}> => {
  const { PATH } = GIT_ENVIRONMENT;
  const limits = { timeoutMs: 10_000, maxOutputBytes: 1_000 };
  const end = await spawnProcess({ argv: ['git', '--version'], cwd: '/', env: { PATH }, ...limits });
  const says = end.stdout.trim();
  const [, major = '0', minor = '0'] = /(\d{1,6})\.(\d{1,6})/.exec(says) ?? [];
  const fits =
    Number(major) > MIN_GIT_VERSION[0] ||
    (Number(major) === MIN_GIT_VERSION[0] && Number(minor) >= MIN_GIT_VERSION[1]);
  return { says, fits, path: PATH.replaceAll(':', ', '), oldest: MIN_GIT_VERSION.join('.') };
};
export const assertGit = async (): Promise<void> => {
  const { says, fits, path, oldest } = await gitVersion();
  if (fits) return;
  const problem = says === '' ? 'git was not found' : `${says} is too old`;
  throw new Error(
    `AgentPR cannot work without its git: ${problem} (in ${path}). Install git ${oldest} or newer there.`,
  );
};

const READ_TIMEOUT_MS = 3 * MINUTE;
const WRITE_TIMEOUT_MS = 10 * MINUTE;
const NETWORK_TIMEOUT_MS = 20 * MINUTE;
const WRITERS: readonly string[] = ['read-tree', 'pack-objects', 'repack'];
const timeFor = (command: string | undefined, { network }: { network: boolean }): number =>
  network ? NETWORK_TIMEOUT_MS : WRITERS.includes(command ?? '') ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS;

const READ_OBJECTS = ['cat-file', '--batch-command', '--buffer'];

export const withAbortSignals = (
  git: TrustedGit,
  ...signals: readonly (AbortSignal | undefined)[]
): TrustedGit => {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length === 0) return git;
  const anySignal = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any(signal === undefined ? given : [...given, signal]);
  const runWithSignal = (args: readonly string[], options: GitOptions): Promise<SpawnResult> =>
    git(args, { ...options, signal: anySignal(options.signal) });
  const readObjects: ReadObjects = (gitDir, question) =>
    git.readObjects(gitDir, { ...question, signal: anySignal(question.signal) });
  return Object.assign(runWithSignal, { readObjects, closeReaders: git.closeReaders });
};

export const createGit = (
  scheme: 'http' | 'https',
  outside: GitNetwork = { proxy: null, certificates: null },
): TrustedGit => {
  const fixed = toConfigEnv([
    ...GIT_CONFIG,
    ...toNetworkGitConfig(outside),
    [`protocol.${scheme}.allow`, 'always'],
  ]);
  const base = { ...GIT_ENVIRONMENT, ...fixed };
  const readers = createObjectReaders({
    start: (gitDir) =>
      startPlainProcess(['git', ...READ_OBJECTS], { cwd: gitDir, env: { ...base, GIT_DIR: gitDir } }),
    failureOf: (end) => toGitFailure(READ_OBJECTS, end, { timeoutMs: SILENCE_MS }),
  });
  const runGit = async (args: readonly string[], options: GitOptions): Promise<SpawnResult> => {
    const { network } = options;
    const token = network?.token ?? null;
    const timeoutMs = options.timeoutMs ?? timeFor(args[0], { network: network !== undefined });
    const end = await spawnProcess({
      argv: ['git', ...args],
      cwd: options.workTree ?? options.gitDir,
      env: {
        ...base,
        GIT_DIR: options.gitDir,
        ...(options.workTree === undefined ? {} : { GIT_WORK_TREE: options.workTree }),
        ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }),
        ...(network && token !== null ? { GIT_ASKPASS: network.askpass } : {}),
        ...options.env,
      },
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      ...(token === null ? {} : { inherit: [{ fd: TOKEN_FD, content: `${token}\n` }] }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      timeoutMs,
      maxOutputBytes: options.maxOutputBytes ?? 256 * MB,
    });
    const answered = end.ended === 'exited' && [0, ...(options.answers ?? [])].includes(end.exitCode ?? -1);
    if (!answered) throw toGitFailure(args, end, { ...options, timeoutMs });
    return end;
  };
  return Object.assign(runGit, { readObjects: readers.read, closeReaders: readers.close });
};

export const trimOutput = (end: SpawnResult): string => end.stdout.trimEnd();
