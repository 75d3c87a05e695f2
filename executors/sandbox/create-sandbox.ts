/** Puts a command into the strongest box that works on this machine (E3). */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ContainmentLevel } from '#model/evidence';
import type { ProcessEnd } from '#ports/processes';
import type { BoxFault } from './box-faults.ts';
import { findLimitWeaknesses, createTreeLimiter, findUsableGroupHomes } from './resource-limits.ts';
import { DEFAULT_LIMITS, type BoxLimits, type CallGroup } from './box-settings.ts';
import { removeStaleControlGroups } from './control-groups.ts';
import { createEtcCopier } from './box-etc.ts';
import { markPrefix } from '../process/process-tree.ts';
import { measureDirs } from './measure-directories.ts';
import { probeContainment } from './probe-containment.ts';
import {
  createContainerSandbox,
  NO_CONTAINER_SETUP,
  type ContainerSetup,
} from './create-container-sandbox.ts';
import { spawnProcess } from '../process/spawn.ts';
import type { BoxRequest, PrepareBox, PreparedBox } from './containers/prepared-box.ts';
import {
  createCommandWrapper,
  GROUP_PREFIX,
  controlGroupName,
  type BoxKind,
  type ContainedCommand,
  type WrapInput,
} from './wrap-command.ts';

export type ContainmentSetting = 'auto' | BoxKind | 'container';
export type CommandSandbox = {
  level: ContainmentLevel;
  /** Sentences that explain why nothing stronger is used. */
  weaknesses: readonly string[];
  wrap(input: WrapInput): ContainedCommand;
  /** E20: chooses image and services; levels that have neither have no such function. */
  prepare?: PrepareBox;
  /** Returns a sentence if the box itself failed and the command never ran. */
  refusal(end: Pick<ProcessEnd, 'exitCode' | 'stdout' | 'stderr'>): string | null;
};
export type ContainmentOutcome =
  | { kind: 'ready'; sandbox: CommandSandbox }
  | { kind: 'refused'; weaknesses: readonly string[]; fault: BoxFault };

const BOX_FAILURE = /^(bwrap|unshare|setpriv|prlimit|mount|containment): .*/m;

const otherFault = (kind: BoxKind, weaknesses: readonly string[]): BoxFault => ({
  kind: 'box_other',
  program: kind === 'unshare' ? kind : 'bwrap',
  said: weaknesses.join(' '),
});

/** The end of a command whose box could not be had; `refusal` reads the sentence in it. */
export const endWithoutBox = (says: string): ProcessEnd & { stdoutBytes: Buffer } => ({
  exitCode: 126,
  ended: 'exited',
  signal: null,
  ms: 0,
  stdout: '',
  stderr: `containment: ${says}\n`,
  stdoutBytes: Buffer.alloc(0),
});

/** A box in which commands run, at every level; `says` is why there is none. */
export const prepareBox = async (
  sandbox: CommandSandbox,
  request: BoxRequest,
): Promise<PreparedBox | { says: string }> =>
  sandbox.prepare?.(request) ?? {
    run: (input, request) => spawnProcess({ ...sandbox.wrap(input), ...request }),
    used: null,
    logs: () => Promise.resolve(''),
    close: () => Promise.resolve(),
  };

/** Default: `bwrap`. A weaker level must be requested. */
export const createSandbox = async (input: {
  setting: ContainmentSetting;
  /** Hidden, and part of every process's mark. */
  dataDir: string;
  hidden?: readonly string[];
  readable?: readonly string[];
  tools?: readonly string[];
  limits?: Partial<BoxLimits>;
  /** Groups of system calls that the filter lets through. */
  allowedCalls?: readonly CallGroup[];
  /** A control group that we may divide, as a path below each hierarchy's top. */
  controlGroup?: string | null;
  containers?: ContainerSetup;
}): Promise<ContainmentOutcome> => {
  const { setting } = input;
  const limits = { ...DEFAULT_LIMITS, ...input.limits };
  const places = {
    dataDir: realpathSync(input.dataDir),
    hidden: input.hidden ?? [],
    readable: input.readable ?? [],
    tools: input.tools ?? [],
  };
  if (setting === 'container') {
    const settings = input.containers ?? NO_CONTAINER_SETUP;
    const outcome = await createContainerSandbox({
      settings,
      places,
      limits,
      allowedCalls: input.allowedCalls ?? [],
    });
    return outcome.kind === 'ready' ? outcome : { ...outcome, weaknesses: [outcome.fault.said] };
  }
  const probe = await probeContainment(setting === 'auto' ? undefined : setting, input.allowedCalls);
  if (setting !== 'auto' && probe.profile.kind !== setting)
    return {
      kind: 'refused',
      weaknesses: probe.weaknesses,
      fault: probe.fault ?? otherFault(setting, probe.weaknesses),
    };
  const weak =
    probe.level === 'group' ? ['Nothing is hidden from a run and it may write wherever we may.'] : [];
  const prefix = controlGroupName(markPrefix(places.dataDir, '')).replace(/(?<!\.)\.+$/, '.');
  const homes = await findUsableGroupHomes(input.controlGroup ?? null, prefix);
  removeStaleControlGroups(homes, prefix, GROUP_PREFIX);
  const capsFor = createTreeLimiter({ homes, limits, measure: measureDirs });
  return {
    kind: 'ready',
    sandbox: {
      level: probe.level,
      weaknesses: [
        ...probe.weaknesses,
        ...weak,
        ...findLimitWeaknesses(homes.flatMap(({ controllers }) => controllers)),
      ],
      wrap: createCommandWrapper(probe.profile, places, {
        tags: probe.tags,
        capsFor,
        scratchMb: limits.memoryMb / 4,
        etc: probe.level === 'group' ? null : createEtcCopier(path.join(places.dataDir, 'box')),
      }),
      refusal: ({ exitCode, stdout, stderr }) =>
        exitCode === 0 || stdout !== '' || probe.level === 'group'
          ? null
          : (BOX_FAILURE.exec(stderr.slice(0, 1000))?.[0] ?? null),
    },
  };
};
