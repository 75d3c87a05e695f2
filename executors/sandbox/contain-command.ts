/** E3: puts a command into the strongest box that works on this machine. */
import { mkdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ContainmentLevel } from '../../orchestrator/model/change-records.ts';
import type { ProcessEnd } from '../../orchestrator/kernel/ports/index.ts';
import { bwrapBox, unshareBox, type BoxCommand, type BoxInput } from './box-commands.ts';
import {
  capWeaknesses,
  createCaps,
  DEFAULT_LIMITS,
  usableHomes,
  type CappedCommand,
  type BoxLimits,
} from './resource-caps.ts';
import { sweepGroups } from './control-groups.ts';
import { certificatesIn, childEnvironment } from '../process/box-environment.ts';
import { createEtc } from './box-etc.ts';
import { egressMounts, throughEgress, type BoxEgress } from './box-egress.ts';
import { boxLayout } from './box-layout.ts';
import {
  MARK_LIMIT_NAMES,
  limitTag,
  RUN_MARK_VARIABLE,
  markPrefix,
  type LimitName,
} from '../process/process-tree.ts';
import { makeTemporary } from '../process/temporary-files.ts';
import { spawnProcess, type ProcessCaps, type SpawnResult } from '../process/spawn.ts';
import { measureDirs } from './measure-directories.ts';

export type ContainmentSetting = 'auto' | ContainmentLevel;
/** The machine's network, none, or a loopback with a `Door` to one socket outside. */
export type BoxReach = 'shared' | 'none' | BoxEgress;
export type WrapInput = {
  runId: string;
  argv: readonly [string, ...string[]];
  cwd: string;
  writable: readonly string[];
  shownAs?: Readonly<Record<string, string>>;
  /** Shown read-only, even below a hidden directory. */
  readable?: readonly string[];
  network: BoxReach;
  env: Readonly<Record<string, string>>;
};
export type ContainedCommand = BoxCommand & {
  cwd: string;
  env: Record<string, string>;
  pipes: true;
  caps?: ProcessCaps;
};
export type CommandSandbox = {
  level: ContainmentLevel;
  /** Sentences that explain why nothing stronger is used. */
  weaknesses: readonly string[];
  wrap(input: WrapInput): ContainedCommand;
  /** Returns a sentence if the box itself failed and the command never ran. */
  refusal(end: Pick<ProcessEnd, 'exitCode' | 'stdout' | 'stderr'>): string | null;
};
export type ContainmentOutcome =
  | { kind: 'ready'; sandbox: CommandSandbox }
  | { kind: 'refused'; weaknesses: readonly string[] };
export type ContainmentProbe = { level: ContainmentLevel; weaknesses: readonly string[]; ownProc: boolean };

type Profile = { level: ContainmentLevel; ownProc: boolean };
type Places = {
  dataDir: string;
  hidden: readonly string[];
  readable: readonly string[];
  tools: readonly string[];
};
type Means = {
  tags: readonly LimitName[];
  capsFor: ((name: string, writable: readonly string[]) => CappedCommand) | null;
  scratchMb: number;
  etc: (() => string) | null;
};

const PROFILES: readonly Profile[] = [
  { level: 'bwrap', ownProc: true },
  { level: 'bwrap', ownProc: false },
  { level: 'unshare', ownProc: true },
];

const box = (profile: Profile, input: BoxInput): BoxCommand => {
  switch (profile.level) {
    case 'bwrap':
      return bwrapBox(input);
    case 'unshare':
      return unshareBox(input);
    case 'group':
      return { argv: [...input.argv], inherit: [] };
  }
};

/** Marks of one data directory share a prefix, and so do their group names. */
const GROUP_PREFIX = 'agentpr.';
const groupName = (mark: string): string => GROUP_PREFIX + mark.replaceAll('/', '.');

/** Descendants cannot remove this mark by changing their environment; see `limitTag`. */
const limited = (
  argv: BoxCommand['argv'],
  mark: string,
  tags: readonly LimitName[],
  more: readonly string[] = [],
): BoxCommand['argv'] => {
  const tag = limitTag(mark);
  // guard: E3-no-core-dumps
  return ['prlimit', ...tags.map((name) => `--${name}=${tag}:${tag}`), '--core=0:0', ...more, '--', ...argv];
};

const inBox = (place: string, shownAs: Readonly<Record<string, string>>): string => {
  for (const [from, to] of Object.entries(shownAs)) {
    const real = realpathSync(from);
    if (place === real || place.startsWith(`${real}/`)) return to + place.slice(real.length);
  }
  return place;
};

const createSandbox = (profile: Profile, places: Places, means: Means): Pick<CommandSandbox, 'wrap'> => ({
  wrap: (input) => {
    const mark = markPrefix(places.dataDir, input.runId) + randomBytes(6).toString('hex');
    const cwd = realpathSync(input.cwd);
    const env: Record<string, string> = { ...input.env, [RUN_MARK_VARIABLE]: mark };
    if (profile.level === 'group') {
      if (input.network !== 'shared')
        throw new Error('Containment by process group cannot cut the network. Install bubblewrap.');
      env['TMPDIR'] = path.join(realpathSync(env['HOME'] ?? cwd), '.tmp');
      mkdirSync(env['TMPDIR'], { recursive: true });
    }
    const visible = {
      hidden: [places.dataDir, ...places.hidden],
      writable: input.writable,
      shownAs: input.shownAs ?? {},
      readable: [...places.readable, ...(input.readable ?? []), ...certificatesIn(env)],
      tools: places.tools,
      more: typeof input.network === 'string' ? [] : egressMounts(input.network),
      ...(means.etc ? { etc: means.etc() } : {}),
    };
    const capped = means.capsFor?.(groupName(mark), input.writable) ?? null;
    // All processes of the operator would count without a box.
    const inside = means.tags.length > 0 && profile.level !== 'group' ? (capped?.inside ?? []) : [];
    const argvInside: BoxInput['argv'] =
      inside.length > 0 ? ['prlimit', ...inside, '--', ...input.argv] : input.argv;
    const boxed = box(profile, {
      argv: typeof input.network === 'string' ? argvInside : throughEgress(input.network, argvInside),
      scratchMb: means.scratchMb,
      cwd: inBox(cwd, input.shownAs ?? {}),
      network: input.network === 'shared',
      ownProc: profile.ownProc,
      places: profile.level === 'group' ? [] : boxLayout(visible),
    });
    const argv = means.tags.length > 0 ? limited(boxed.argv, mark, means.tags, capped?.around) : boxed.argv;
    return capped === null
      ? { ...boxed, argv, cwd, env, pipes: true }
      : { ...boxed, argv: [...capped.join, ...argv], cwd, env, pipes: true, caps: capped.caps };
  },
});

const start = (wrapped: ContainedCommand): Promise<SpawnResult> =>
  spawnProcess({ ...wrapped, timeoutMs: 10_000, maxOutputBytes: 16_384 });

/** Prints every broken guarantee of the box. */
const CANARY = String.raw`
[ "$(readlink /proc/self/ns/pid)" != "$3" ] || echo "it shares the process ids of the host"
echo x >written || echo "it cannot write to the workspace"
[ -z "$(ls -A "$1" 2>/dev/null)" ] || echo "it sees what is to be hidden"
( : >/etc/.agentpr ) 2>/dev/null && echo "it can write to /etc"
( : >>/proc/sys/kernel/core_pattern ) 2>/dev/null && echo "it can change the kernel's settings"
( : >"$2" ) 2>/dev/null && echo "it can write to its own node program"
echo alive`;

/** Returns null if this kind of box works here, else the reason. */
const tryProfile = async (profile: Profile, tags: Means['tags']): Promise<string | null> => {
  const root = makeTemporary('agentpr-probe-');
  try {
    const [secret, workspace] = [path.join(root, 'secret'), path.join(root, 'secret/workspace')];
    mkdirSync(workspace, { recursive: true });
    writeFileSync(path.join(secret, 'token'), 'hidden');
    const inside = path.join(root, 'other');
    mkdirSync(inside);
    writeFileSync(path.join(inside, 'token'), 'hidden');
    const places = { dataDir: secret, hidden: [inside], readable: [], tools: [] };
    const sandbox = createSandbox(profile, places, { tags, capsFor: null, scratchMb: 16, etc: null });
    const node = path.join(path.dirname(process.execPath), '.agentpr');
    const end = await start(
      sandbox.wrap({
        runId: 'probe',
        argv: ['sh', '-c', CANARY, 'sh', inside, node, readlinkSync('/proc/self/ns/pid')],
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

const title = (profile: Profile): string =>
  profile.level === 'bwrap' ? `bubblewrap${profile.ownProc ? '' : ' without its own /proc'}` : 'unshare';

/** An existing limit may be lower than the mark and cannot be raised. */
const usableTags = async (): Promise<LimitName[]> => {
  const works = async (tags: readonly LimitName[]): Promise<boolean> => {
    const argv = limited(['true'], 'a/b/c', tags);
    const env = childEnvironment({ home: '/' });
    return (await start({ argv, cwd: '/', env, inherit: [], pipes: true })).exitCode === 0;
  };
  if (await works(MARK_LIMIT_NAMES)) return [...MARK_LIMIT_NAMES];
  const usable: LimitName[] = [];
  for (const name of MARK_LIMIT_NAMES) if (await works([name])) usable.push(name);
  return usable;
};

export const probeContainment = async (
  only?: ContainmentLevel,
): Promise<ContainmentProbe & Pick<Means, 'tags'>> => {
  const tags = await usableTags();
  const weaknesses: string[] = [];
  for (const profile of PROFILES) {
    if (only !== undefined && profile.level !== only) continue;
    const why = await tryProfile(profile, tags);
    if (why === null) {
      if (!profile.ownProc) weaknesses.push('A contained process sees the names of processes outside.');
      return { ...profile, weaknesses, tags };
    }
    weaknesses.push(`${title(profile)} does not work here: ${why}`);
  }
  if (process.platform === 'linux' && tags.length === 0)
    weaknesses.push(
      'prlimit does not work here, so a process that hides well may be missed when a run is stopped.',
    );
  return { level: 'group', weaknesses, ownProc: false, tags };
};

const BOX_FAILURE = /^(bwrap|unshare|setpriv|prlimit|mount|containment): .*/m;

/** Default: `bwrap`. A weaker level must be requested. */
export const createContainment = async (input: {
  setting: ContainmentSetting;
  /** Hidden, and part of every process's mark. */
  dataDir: string;
  hidden?: readonly string[];
  readable?: readonly string[];
  tools?: readonly string[];
  limits?: Partial<BoxLimits>;
  /** A control group that we may divide, as a path below each hierarchy's top. */
  controlGroup?: string | null;
}): Promise<ContainmentOutcome> => {
  const { setting } = input;
  const limits = { ...DEFAULT_LIMITS, ...input.limits };
  const probe = await probeContainment(setting === 'auto' ? undefined : setting);
  if (setting !== 'auto' && probe.level !== setting) return { kind: 'refused', weaknesses: probe.weaknesses };
  const places = {
    dataDir: realpathSync(input.dataDir),
    hidden: input.hidden ?? [],
    readable: input.readable ?? [],
    tools: input.tools ?? [],
  };
  const weak =
    probe.level === 'group' ? ['Nothing is hidden from a run and it may write wherever we may.'] : [];
  const prefix = groupName(markPrefix(places.dataDir, '')).replace(/\.+$/, '.');
  const homes = await usableHomes(input.controlGroup ?? null, prefix);
  sweepGroups(homes, prefix, GROUP_PREFIX);
  const capsFor = createCaps({ homes, limits, measure: measureDirs });
  return {
    kind: 'ready',
    sandbox: {
      level: probe.level,
      weaknesses: [...probe.weaknesses, ...weak, ...capWeaknesses(homes)],
      wrap: createSandbox(probe, places, {
        tags: probe.tags,
        capsFor,
        scratchMb: limits.memoryMb / 4,
        etc: probe.level === 'group' ? null : createEtc(path.join(places.dataDir, 'box')),
      }).wrap,
      refusal: ({ exitCode, stdout, stderr }) =>
        exitCode === 0 || stdout !== '' || probe.level === 'group'
          ? null
          : (BOX_FAILURE.exec(stderr.slice(0, 1000))?.[0] ?? null),
    },
  };
};
