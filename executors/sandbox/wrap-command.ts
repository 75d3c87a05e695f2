/** Wraps a command for one kind of box (E3). */
import { mkdirSync, realpathSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { CappedCommand } from './resource-limits.ts';
import { createBwrapCommand, createUnshareCommand, type BoxCommand, type BoxInput } from './box-commands.ts';
import { listCertificatePaths } from '../process/box-environment.ts';
import { egressMounts, wrapInEgress, type BoxEgress } from './box-egress.ts';
import { listBoxMounts } from './box-layout.ts';
import { LIFELINE, wrapInLifeline } from './box-lifeline.ts';
import { limitTag, RUN_MARK_VARIABLE, markPrefix, type LimitName } from '../process/process-tree.ts';
import type { ProcessCaps } from '../process/spawn.ts';
import type { CallFilter } from './seccomp-filter.ts';

export type BoxKind = 'bwrap' | 'unshare' | 'group';
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

/** A kind of box, as far as it works here. */
export type BoxProfile = { kind: BoxKind; ownProc: boolean; filter: CallFilter | null };
export type BoxPlaces = {
  dataDir: string;
  hidden: readonly string[];
  readable: readonly string[];
  tools: readonly string[];
};
export type BoxMeans = {
  tags: readonly LimitName[];
  capsFor: ((name: string, writable: readonly string[]) => CappedCommand) | null;
  scratchMb: number;
  etc: (() => string) | null;
};

const createBoxCommand = (profile: BoxProfile, input: BoxInput): BoxCommand => {
  if (profile.kind === 'group') return { argv: [...input.argv], inherit: [] };
  const create = profile.kind === 'bwrap' ? createBwrapCommand : createUnshareCommand;
  // guard: L6-lifeline
  const { argv, inherit } = create({ ...input, argv: wrapInLifeline(input.argv) });
  return { argv, inherit: [...inherit, LIFELINE] };
};

/** Marks of one data directory share a prefix, and so do their group names. */
export const GROUP_PREFIX = 'agentpr.';
export const controlGroupName = (mark: string): string => GROUP_PREFIX + mark.replaceAll('/', '.');

/** Descendants cannot remove this mark by changing their environment; see `limitTag`. */
export const wrapInLimits = (
  argv: BoxCommand['argv'],
  mark: string,
  tags: readonly LimitName[],
  more: readonly string[] = [],
): BoxCommand['argv'] => {
  const tag = limitTag(mark);
  // guard: E3-no-core-dumps
  return ['prlimit', ...tags.map((name) => `--${name}=${tag}:${tag}`), '--core=0:0', ...more, '--', ...argv];
};

export const toBoxPath = (place: string, shownAs: Readonly<Record<string, string>>): string => {
  for (const [from, to] of Object.entries(shownAs)) {
    const real = realpathSync(from);
    if (place === real || place.startsWith(`${real}/`)) return to + place.slice(real.length);
  }
  return place;
};

export const createCommandWrapper =
  (profile: BoxProfile, places: BoxPlaces, means: BoxMeans) =>
  (input: WrapInput): ContainedCommand => {
    const mark = markPrefix(places.dataDir, input.runId) + randomBytes(6).toString('hex');
    const cwd = realpathSync(input.cwd);
    const env: Record<string, string> = { ...input.env, [RUN_MARK_VARIABLE]: mark };
    if (profile.kind === 'group') {
      if (input.network !== 'shared')
        throw new Error('Containment by process group cannot cut the network. Install bubblewrap.');
      env['TMPDIR'] = path.join(realpathSync(env['HOME'] ?? cwd), '.tmp');
      mkdirSync(env['TMPDIR'], { recursive: true });
    }
    const visible = {
      hidden: [places.dataDir, ...places.hidden],
      writable: input.writable,
      shownAs: input.shownAs ?? {},
      readable: [...places.readable, ...(input.readable ?? []), ...listCertificatePaths(env)],
      tools: places.tools,
      more: typeof input.network === 'string' ? [] : egressMounts(input.network),
      ...(means.etc ? { etc: means.etc() } : {}),
    };
    const capped = means.capsFor?.(controlGroupName(mark), input.writable) ?? null;
    // All processes of the operator would count without a box.
    const inside = means.tags.length > 0 && profile.kind !== 'group' ? (capped?.inside ?? []) : [];
    const argvInside: BoxInput['argv'] =
      inside.length > 0 ? ['prlimit', ...inside, '--', ...input.argv] : input.argv;
    const boxed = createBoxCommand(profile, {
      argv: typeof input.network === 'string' ? argvInside : wrapInEgress(input.network, argvInside),
      scratchMb: means.scratchMb,
      cwd: toBoxPath(cwd, input.shownAs ?? {}),
      network: input.network === 'shared',
      ownProc: profile.ownProc,
      filter: profile.filter,
      places: profile.kind === 'group' ? [] : listBoxMounts(visible),
    });
    const argv =
      means.tags.length > 0 ? wrapInLimits(boxed.argv, mark, means.tags, capped?.around) : boxed.argv;
    return capped === null
      ? { ...boxed, argv, cwd, env, pipes: true }
      : { ...boxed, argv: [...capped.join, ...argv], cwd, env, pipes: true, caps: capped.caps };
  };
