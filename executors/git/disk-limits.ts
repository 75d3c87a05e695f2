/** Limits of mirrors and installations: the days that they are kept, and their share of the disk. */
export type MirrorLimits = {
  keepDays: number;
  diskMb: number;
};
export const DEFAULT_MIRROR_LIMITS: MirrorLimits = { keepDays: 30, diskMb: 20_480 };

export type InstallLimits = { diskMb: number; keepDays: number };
export const DEFAULT_INSTALL_LIMITS: InstallLimits = { diskMb: 8_192, keepDays: 7 };
