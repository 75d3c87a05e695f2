/** Exports a commit and installs its dependencies, or finds the cause of the failure (E15). */
import type { CheckResult } from '#model/evidence';
import { firstLine } from '#model/feedback';
import { mayChangeInstall } from '#model/contract';
import { pathsOf } from '#model/paths';
import { hasOrderedChecks } from '#model/order';
import { isEnvironmentFailure, registryFailureOf, registryWords } from '#model/environment';
import type { Run } from '../run/run.ts';
import { checksOf, installsOf } from '../preparation/check-selection.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgeRepository } from '#ports/roles';
import type { CommitExport, OverlaidPaths } from '#ports/workspaces';
import { readExportHistory } from '../rounds/export-history.io.ts';
import { findCachedInstall } from '../preparation/run-baseline.io.ts';
import { requireValue, type EffectContext } from './effect-context.ts';
import type { CommandRunner } from './recorded-commands.ts';

export class ChangeBreaksInstall extends Error {
  readonly result: CheckResult;
  constructor(result: CheckResult) {
    super(result.tail);
    this.result = result;
  }
}

/** Reuses the base's installation unless its inputs changed. Ordered checks run all the same. */
export const prepareExport = async (
  { workspaces, forge }: Pick<EffectContext, 'workspaces'> & { forge: ForgeRepository },
  run: Run,
  runner: CommandRunner,
  signal: AbortSignal,
  over: OverlaidPaths | null = null,
): Promise<CommitExport> => {
  const { sha, diff } = requireValue(run.change.commit, 'commit');
  const installs = installsOf(run);
  const touches = diff.files.flatMap(pathsOf).some((path) => mayChangeInstall(path, installs));
  const kept = findCachedInstall(run);
  const place = await workspaces.export({
    runId: run.id,
    sha,
    signal,
    ...(await readExportHistory({ forge }, run)),
    ...(over ? { over } : {}),
    ...(kept === null ? {} : { reuse: kept }),
  });
  if (place.reused === 'installed') return place;
  try {
    for (const one of installs) {
      const isWaived = run.target.waivedChecks.includes(one.name);
      const isHanging = run.target.baseline?.installs.some(
        ({ name, outcome }) => name === one.name && outcome === 'timed_out',
      );
      const isUseless = checksOf(run).every(({ name }) => run.target.waivedChecks.includes(name));
      if (isWaived && (isHanging || isUseless)) continue;
      const { result } = await runner({ kind: 'install', ...one }, place);
      // A check that passes on the base without it is tried as it was there.
      if (result.outcome === 'passed' || isWaived || hasOrderedChecks(run) || signal.aborted) continue;
      throw installFailed(result, { touches });
    }
    return place;
  } catch (error) {
    await place.remove();
    throw error;
  }
};

const installFailed = (result: CheckResult, { touches }: { touches: boolean }): Error => {
  const { commandFailure: trouble, command } = result;
  const says = `\`${command}\`: ${trouble ? registryWords(trouble) : firstLine(result.tail)}`;
  const registry = trouble ? registryFailureOf(trouble) : null;
  if (registry) return new OutsideFailure(registry, says);
  if (trouble && isEnvironmentFailure(trouble)) return new OutsideFailure('env_missing', says);
  return touches ? new ChangeBreaksInstall(result) : new OutsideFailure('install_failed', says);
};
