/** How long mirrors and installations are kept, and how much of the disk they may use. */
export type MirrorLimits = {
  keepDays: number;
  diskMb: number;
};
export const DEFAULT_MIRROR_LIMITS: MirrorLimits = { keepDays: 30, diskMb: 20_480 };

export type InstallLimits = { diskMb: number; keepDays: number };
export const DEFAULT_INSTALL_LIMITS: InstallLimits = { diskMb: 8_192, keepDays: 7 };
