/**
 * C2: a command of the repository makes pictures of the change, and the same on its base. They are
 * for people to look at: they judge nothing, and what fails here stops nothing.
 */
import { usedUp } from '../core/machine/budget.ts';
import type { Run } from '../core/machine/run.ts';
import { sidesOf, type PicturesKept, type PictureSide } from '../core/pictures.ts';
import { OutsideFailure, type Export } from '../ports.ts';
import type { Meter } from './meter.ts';
import { need, type EffectParts } from './parts.ts';
import type { Runner } from './trial.ts';

type Ways = {
  /** With the dependencies installed. */
  exportOf: (run: Run) => Promise<Export>;
  runner: (called: (name: string) => string) => Runner;
  meter: Meter;
  signal: AbortSignal;
};

export const picturesOf = async (
  { workspaces }: Pick<EffectParts, 'workspaces'>,
  run: Run,
  { exportOf, runner, meter, signal }: Ways,
): Promise<PictureSide[]> => {
  const { pictures } = run.contract ?? {};
  const commit = need(run.commit, 'commit');
  const takenOf = async (of: Run, called: (name: string) => string): Promise<PicturesKept | null> => {
    const { ms, outputBytes } = meter.rest();
    const soFar = { workedMs: run.workedMs + ms, outputBytes: run.outputBytes + outputBytes };
    if (!pictures || signal.aborted || usedUp({ ...run, ...soFar }, 'check')) return null;
    let place: Export | null = null;
    try {
      place = await exportOf(of);
      await place.renew({ last: true });
      const { command, dir, from } = pictures;
      const { result } = await runner(called)({ kind: 'check', name: 'pictures', command, dir }, place);
      if (result.outcome !== 'passed' || signal.aborted) return null;
      return await workspaces.pictures({ runId: run.id, dir: place.dir, folder: from });
    } catch (error) {
      if (signal.aborted || !(error instanceof OutsideFailure)) throw error;
      return null;
    } finally {
      await place?.remove();
    }
  };
  const after = await takenOf(run, (name) => name);
  if (!after) return [];
  const base: Run = { ...run, commit: { ...commit, sha: commit.base, diff: { ...commit.diff, files: [] } } };
  return sidesOf(await takenOf(base, (name) => `${name} (base)`), after);
};
