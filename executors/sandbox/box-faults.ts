/** Says why a box cannot be built here, from what its program printed and the kernel's settings. */
import { existsSync, readFileSync } from 'node:fs';

type BoxProgram = 'bwrap' | 'unshare' | 'docker' | 'podman';
export const BOX_FAULT_KINDS = [
  'box_absent',
  'box_apparmor',
  'box_userns_off',
  'box_container',
  'box_proc_covered',
  'box_setuid',
  'box_too_old',
  'box_engine_silent',
  'box_other',
] as const;
export type BoxFault =
  | { kind: Exclude<(typeof BOX_FAULT_KINDS)[number], 'box_userns_off'>; program: BoxProgram; said: string }
  /** `setting` is what `sysctl -w` takes. */
  | { kind: 'box_userns_off'; program: BoxProgram; said: string; setting: string };

/** Null where this kernel has no such setting. */
export type KernelLimits = {
  appArmor: string | null;
  usersMayClone: string | null;
  maxNamespaces: string | null;
  /** A container, or a service with a filter of its own. */
  isConfined: boolean;
};

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

export const readKernelLimits = (): KernelLimits => ({
  appArmor: textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
  usersMayClone: textOf('/proc/sys/kernel/unprivileged_userns_clone'),
  maxNamespaces: textOf('/proc/sys/user/max_user_namespaces'),
  isConfined:
    existsSync('/.dockerenv') ||
    existsSync('/run/.containerenv') ||
    /^Seccomp:\s*2$/m.test(textOf('/proc/self/status') ?? ''),
});

const ABSENT =
  /failed to execute (?:bwrap|unshare|setpriv):|"(?:bwrap|unshare|setpriv|prlimit)" was not found/;
const SETUID = /setuid|old file caps config|Unexpected capabilities/i;
const TOO_OLD = /[Uu]nknown option|unrecognized option/;
const PROC_COVERED = /mount proc|mount .{0,200}\/proc.{0,200} failed|mounting? \/proc/i;
const APPARMOR = /setting up uid map: Permission denied|RTM_NEWADDR|write failed \/proc\/self\/uid_map/;
const TOO_MANY = /No space left on device|ENOSPC|nesting depth/;
const DENIED = /namespace|Operation not permitted|Permission denied|unshare failed/;

/** Pure. `said` is the first line of the error. */
export const classifyBoxFault = (program: BoxProgram, said: string, limits: KernelLimits): BoxFault => {
  const told = { program, said };
  const isOff = limits.maxNamespaces === '0' || TOO_MANY.test(said);
  if (ABSENT.test(said)) return { kind: 'box_absent', ...told };
  if (SETUID.test(said)) return { kind: 'box_setuid', ...told };
  if (TOO_OLD.test(said)) return { kind: 'box_too_old', ...told };
  if (PROC_COVERED.test(said)) return { kind: 'box_proc_covered', ...told };
  if (isOff) return { kind: 'box_userns_off', ...told, setting: 'user.max_user_namespaces=15000' };
  if (APPARMOR.test(said) && limits.appArmor !== '0') return { kind: 'box_apparmor', ...told };
  if (!DENIED.test(said)) return { kind: 'box_other', ...told };
  if (limits.usersMayClone === '0')
    return { kind: 'box_userns_off', ...told, setting: 'kernel.unprivileged_userns_clone=1' };
  if (limits.isConfined) return { kind: 'box_container', ...told };
  return limits.appArmor === '1' ? { kind: 'box_apparmor', ...told } : { kind: 'box_other', ...told };
};
