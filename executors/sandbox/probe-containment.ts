/** Finds out which box works on this machine, by building each and testing it from inside (E3). */
import { existsSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContainmentLevel } from '#model/evidence';
import { childEnvironment } from '../process/box-environment.ts';
import { MARK_LIMIT_NAMES, type LimitName } from '../process/process-tree.ts';
import { spawnProcess, type SpawnResult } from '../process/spawn.ts';
import { makeTemporaryDirectory } from '../process/temporary-directories.ts';
import { classifyBoxFault, readKernelLimits, type BoxFault } from './box-faults.ts';
import { FILTER_LOADER } from './box-commands.ts';
import { createSeccompFilter, type CallFilter } from './seccomp-filter.ts';
import type { CallGroup } from './box-settings.ts';
import {
  createCommandWrapper,
  wrapInLimits,
  type BoxKind,
  type BoxMeans,
  type BoxProfile,
  type ContainedCommand,
} from './wrap-command.ts';

type ContainmentProbe = {
  level: ContainmentLevel;
  profile: BoxProfile;
  tags: readonly LimitName[];
  /** Sentences that explain why nothing stronger is used. */
  weaknesses: readonly string[];
  /** Why the strongest box that was asked for does not work; null where it does. */
  fault: BoxFault | null;
};

type Candidate = { kind: Exclude<BoxKind, 'group'>; ownProc: boolean };
const CANDIDATES: readonly Candidate[] = [
  { kind: 'bwrap', ownProc: true },
  { kind: 'bwrap', ownProc: false },
  { kind: 'unshare', ownProc: true },
];

const runProbe = (wrapped: ContainedCommand): Promise<SpawnResult> =>
  spawnProcess({ ...wrapped, timeoutMs: 10_000, maxOutputBytes: 16_384 });

/** Prints every broken guarantee of the box. */
const CANARY = String.raw`
[ -z "$4" ] || grep -q '^Seccomp:[^0-9]*2$' /proc/self/status || echo "its system calls are not filtered"
[ "$(readlink /proc/self/ns/pid)" != "$3" ] || echo "it shares the process ids of the host"
echo x >written || echo "it cannot write to the workspace"
[ -z "$(ls -A "$1" 2>/dev/null)" ] || echo "it sees what is to be hidden"
( : >/etc/.agentpr ) 2>/dev/null && echo "it can write to /etc"
( : >>/proc/sys/kernel/core_pattern ) 2>/dev/null && echo "it can change the kernel's settings"
( : >"$2" ) 2>/dev/null && echo "it can write to its own node program"
echo alive`;

/** Returns null if this kind of box works here, else the reason. */
const tryProfile = async (profile: BoxProfile, tags: BoxMeans['tags']): Promise<string | null> => {
  const root = makeTemporaryDirectory('agentpr-probe-');
  try {
    const [secret, workspace] = [path.join(root, 'secret'), path.join(root, 'secret/workspace')];
    mkdirSync(workspace, { recursive: true });
    writeFileSync(path.join(secret, 'token'), 'hidden');
    const inside = path.join(root, 'other');
    mkdirSync(inside);
    writeFileSync(path.join(inside, 'token'), 'hidden');
    const places = { dataDir: secret, hidden: [inside], readable: [], tools: [] };
    const wrap = createCommandWrapper(profile, places, { tags, capsFor: null, scratchMb: 16, etc: null });
    const node = path.join(path.dirname(process.execPath), '.agentpr');
    const outside = readlinkSync('/proc/self/ns/pid');
    const end = await runProbe(
      wrap({
        runId: 'probe',
        argv: ['sh', '-c', CANARY, 'sh', inside, node, outside, profile.filter ? 'filter' : ''],
        cwd: workspace,
        writable: [workspace],
        network: 'shared',
        env: childEnvironment({ home: workspace }),
      }),
    );
    const said = end.stdout.split('\n').filter((line) => line !== '' && line !== 'alive');
    if (said.length > 0) return `${said.join(', ')}.`;
    if (end.exitCode === 0 && end.stdout.endsWith('alive\n')) return null;
    return end.stderr.trim().split('\n').slice(0, 2).join(' ').slice(0, 300) || `it ended as ${end.ended}.`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const candidateTitle = ({ kind, ownProc }: Candidate): string =>
  kind === 'bwrap' ? `bubblewrap${ownProc ? '' : ' without its own /proc'}` : 'unshare';

/** An existing limit may be lower than the mark and cannot be raised. */
const usableTags = async (): Promise<LimitName[]> => {
  const canLimit = async (tags: readonly LimitName[]): Promise<boolean> => {
    const argv = wrapInLimits(['true'], 'a/b/c', tags);
    const env = childEnvironment({ home: '/' });
    return (await runProbe({ argv, cwd: '/', env, inherit: [], pipes: true })).exitCode === 0;
  };
  if (await canLimit(MARK_LIMIT_NAMES)) return [...MARK_LIMIT_NAMES];
  const usable: LimitName[] = [];
  for (const name of MARK_LIMIT_NAMES) if (await canLimit([name])) usable.push(name);
  return usable;
};

/** `unshare` has no option for a filter, so perl sets it. */
const filterFor = (kind: Candidate['kind'], filter: CallFilter | null): CallFilter | string => {
  if (!filter) return `none is known for this processor (${process.arch}).`;
  if (kind === 'unshare' && !existsSync(FILTER_LOADER)) return `unshare needs ${FILTER_LOADER} for it.`;
  return filter;
};

type Tried = { profile: BoxProfile; unfiltered: string | null } | { why: string };
const tryCandidate = async (
  candidate: Candidate,
  all: CallFilter | null,
  tags: BoxMeans['tags'],
): Promise<Tried> => {
  const filter = filterFor(candidate.kind, all);
  let unfiltered = typeof filter === 'string' ? filter : null;
  if (typeof filter !== 'string') {
    unfiltered = await tryProfile({ ...candidate, filter }, tags);
    if (unfiltered === null) return { profile: { ...candidate, filter }, unfiltered };
  }
  const why = await tryProfile({ ...candidate, filter: null }, tags);
  return why === null ? { profile: { ...candidate, filter: null }, unfiltered } : { why };
};

const levelOf = ({ kind, filter }: BoxProfile): ContainmentLevel =>
  kind === 'bwrap' && filter === null ? 'bwrap_unfiltered' : kind;

export const probeContainment = async (
  only?: BoxKind,
  allowedCalls: readonly CallGroup[] = [],
): Promise<ContainmentProbe> => {
  const tags = await usableTags();
  const filter = createSeccompFilter(process.arch, allowedCalls);
  const weaknesses: string[] = [];
  let fault: BoxFault | null = null;
  for (const candidate of CANDIDATES) {
    if (only !== undefined && candidate.kind !== only) continue;
    const tried = await tryCandidate(candidate, filter, tags);
    if ('profile' in tried) {
      const { profile, unfiltered } = tried;
      if (!profile.ownProc) weaknesses.push('A contained process sees the names of processes outside.');
      if (unfiltered !== null) weaknesses.push(`No filter of system calls holds: ${unfiltered}`);
      const level = levelOf(profile);
      return { level, profile, weaknesses, tags, fault: candidate.kind === 'bwrap' ? null : fault };
    }
    weaknesses.push(`${candidateTitle(candidate)} does not work here: ${tried.why}`);
    fault ??= classifyBoxFault(candidate.kind, tried.why, readKernelLimits());
  }
  if (process.platform === 'linux' && tags.length === 0)
    weaknesses.push(
      'prlimit does not work here, so a process that hides well may be missed when a run is stopped.',
    );
  const profile: BoxProfile = { kind: 'group', ownProc: false, filter: null };
  return { level: 'group', profile, weaknesses, tags, fault };
};
