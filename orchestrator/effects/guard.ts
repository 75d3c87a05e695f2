/**
 * E8, E17: what a round changed where it may not is put back, and nothing of that happens in
 * silence.
 */
import type { Undone } from '../core/facts.ts';
import { workspaceAt, type Run } from '../core/machine/run.ts';
import { undoneFiles } from '../core/machine/undone.ts';
import type { Left } from '../ports.ts';
import { need, type EffectParts } from './parts.ts';

type Needs = Pick<EffectParts, 'workspaces'>;

/** What the workspace holds beside the commit that it was last known to be. */
export const leftOf = ({ workspaces }: Needs, run: Run, signal?: AbortSignal): Promise<Left> =>
  workspaces.left({
    runId: run.id,
    base: need(run.target.base, 'base').sha,
    sha: need(workspaceAt(run), 'base'),
    ...(signal ? { signal } : {}),
  });

/**
 * Without a box that forbids it, a round that may write nothing but its note may have changed files
 * all the same.
 */
export const putBack = async (parts: Needs, run: Run, before: Left): Promise<Undone | null> => {
  const after = await leftOf(parts, run);
  if (JSON.stringify(after) === JSON.stringify(before)) return null;
  const base = need(run.target.base, 'base').sha;
  await parts.workspaces.reset({ runId: run.id, sha: need(workspaceAt(run), 'base'), base });
  return undoneFiles('guard', [...after.files, ...after.unfit.map(({ path }) => path)]);
};
