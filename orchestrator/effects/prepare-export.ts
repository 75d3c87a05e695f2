/** E15: exports a commit and installs its dependencies, or finds the cause of the failure. */
import type { CheckResult } from '../core/change-facts.ts';
import { firstLine } from '../core/feedback.ts';
import { mayChangeInstall } from '../core/reusable-installs.ts';
import type { Run } from '../core/machine/run.ts';
import { pathsOf } from '../core/path-kinds.ts';
import { installsOf, isOrdered } from '../core/check-selection.ts';
import { isEnvironment, registryFailureOf, registryWords } from '../core/command-failure.ts';
import { OutsideFailure, type CommitExport, type OverlaidPaths } from '../ports.ts';
import { historyFor } from './check-history.ts';
import { cachedInstallOf } from './run-baseline.ts';
import { required, type EffectContext } from './effect-context.ts';
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
  { workspaces, forge }: Pick<EffectContext, 'workspaces' | 'forge'>,
  run: Run,
  runner: CommandRunner,
  signal: AbortSignal,
  over: OverlaidPaths | null = null,
): Promise<CommitExport> => {
  const { sha, diff } = required(run.change.commit, 'commit');
  const installs = installsOf(run);
  const touches = diff.files.flatMap(pathsOf).some((path) => mayChangeInstall(path, installs));
  const kept = cachedInstallOf(run);
  const place = await workspaces.export({
    runId: run.id,
    sha,
    signal,
    ...(await historyFor({ forge }, run)),
    ...(over ? { over } : {}),
    ...(kept === null ? {} : { reuse: kept }),
  });
  if (place.reused === 'installed') return place;
  try {
    for (const one of installs) {
      if (run.target.waivedChecks.includes(one.name)) continue;
      const { result } = await runner({ kind: 'install', ...one }, place);
      if (result.outcome === 'passed' || isOrdered(run) || signal.aborted) continue;
      throw installFailed(result, touches);
    }
    return place;
  } catch (error) {
    await place.remove();
    throw error;
  }
};

const installFailed = (result: CheckResult, touches: boolean): Error => {
  const { commandFailure: trouble, command } = result;
  const says = `\`${command}\`: ${trouble ? registryWords(trouble) : firstLine(result.tail)}`;
  const registry = trouble ? registryFailureOf(trouble) : null;
  if (registry) return new OutsideFailure(registry, says);
  if (trouble && isEnvironment(trouble)) return new OutsideFailure('env_missing', says);
  return touches ? new ChangeBreaksInstall(result) : new OutsideFailure('install_failed', says);
};
