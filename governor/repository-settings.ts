/** Selects the operator's settings that hold for one repository. */
import type { PolicySettings } from '#model/settings';
import { matchesGlob } from '#text-safety';

type Limits = Omit<PolicySettings, 'custom' | 'repositories' | 'groups'>;

const narrowLimits = (limits: Limits, more: PolicySettings['repositories'][string]): Limits => ({
  maxFiles: more.maxFiles ?? limits.maxFiles,
  maxLines: more.maxLines ?? limits.maxLines,
  maxBytes: more.maxBytes ?? limits.maxBytes,
  smallFiles: more.smallFiles ?? limits.smallFiles,
  smallLines: more.smallLines ?? limits.smallLines,
  forbiddenPaths: [...limits.forbiddenPaths, ...(more.forbiddenPaths ?? [])],
  protectedPaths: [...limits.protectedPaths, ...(more.protectedPaths ?? [])],
  protectedBranches: [...limits.protectedBranches, ...(more.protectedBranches ?? [])],
  maxOpenPrs: more.maxOpenPrs ?? limits.maxOpenPrs,
  maxFirstLines: more.maxFirstLines ?? limits.maxFirstLines,
  maxCommentLength: more.maxCommentLength ?? limits.maxCommentLength,
  separatePush: more.separatePush ?? limits.separatePush,
});

/** The last matching entry of the file wins. */
export const selectRepositorySettings = (
  { custom, repositories, groups, ...limits }: PolicySettings,
  repo: string,
): PolicySettings => ({
  ...Object.entries(repositories)
    .filter(([pattern]) => matchesGlob(repo, [pattern]))
    .reduce((now, [, more]) => narrowLimits(now, more), limits),
  custom: custom.filter(({ when }) => when.repos === undefined || matchesGlob(repo, when.repos)),
  repositories: {},
  ...(groups === undefined ? {} : { groups }),
});
