/** Reverts a round's forbidden edits, and reports each one (E8, E17). */
import type { DiscardedEdits } from '#model/change';
import { workspaceShaOf, type Run } from '../run/run.ts';
import { toDiscardedEdits } from './record-discarded-edits.ts';
import type { WorkspaceLeftovers } from '#ports/workspaces';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';

type Needs = Pick<EffectContext, 'workspaces'>;

export const findLeftovers = (
  { workspaces }: Needs,
  run: Run,
  signal?: AbortSignal,
): Promise<WorkspaceLeftovers> =>
  workspaces.left({
    runId: run.id,
    base: requireValue(run.target.base, 'base').sha,
    sha: requireValue(workspaceShaOf(run), 'base'),
    ...(signal ? { signal } : {}),
  });

/** Only needed without a box, which would forbid other writes. */
export const restoreGuardedFiles = async (
  parts: Needs,
  run: Run,
  before: WorkspaceLeftovers,
): Promise<DiscardedEdits | null> => {
  const after = await findLeftovers(parts, run);
  if (JSON.stringify(after) === JSON.stringify(before)) return null;
  const base = requireValue(run.target.base, 'base').sha;
  await parts.workspaces.reset({ runId: run.id, sha: requireValue(workspaceShaOf(run), 'base'), base });
  return toDiscardedEdits('guard', [...after.files, ...after.unfit.map(({ path }) => path)]);
};
