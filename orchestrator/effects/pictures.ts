/**
 * C2: a command of the repository makes pictures of the change, and the same on its base. They are
 * for people to look at: they judge nothing, and what fails here stops nothing.
 */
import type { Run } from '../core/machine/run.ts';
import { sidesOf, type PicturesKept, type PictureSide } from '../core/pictures.ts';
import { OutsideFailure, type Export } from '../ports.ts';
import { onBase } from './baselines.ts';
import { need, type EffectParts } from './parts.ts';
import { prepared } from './prepared.ts';
import type { Pass, Runner } from './trial.ts';

export const picturesOf = async (
  parts: Pick<EffectParts, 'workspaces'>,
  run: Run,
  { runner, meter, signal }: Pass,
): Promise<PictureSide[]> => {
  const { pictures } = run.target.contract ?? {};
  const commit = need(run.change.commit, 'commit');
  const plain = runner((name) => name);
  const takenOf = async (of: Run, by: Runner): Promise<PicturesKept | null> => {
    if (!pictures || signal.aborted || meter.usedUp()) return null;
    let place: Export | null = null;
    try {
      place = await prepared(parts, of, plain, signal);
      await place.renew({ last: true });
      const { command, dir, from } = pictures;
      const { result } = await by({ kind: 'check', name: 'pictures', command, dir }, place);
      if (result.outcome !== 'passed' || signal.aborted) return null;
      return await parts.workspaces.pictures({ runId: run.id, dir: place.dir, folder: from });
    } catch (error) {
      if (signal.aborted || !(error instanceof OutsideFailure)) throw error;
      return null;
    } finally {
      await place?.remove();
    }
  };
  const after = await takenOf(run, plain);
  if (!after) return [];
  const base: Run = {
    ...run,
    change: { ...run.change, commit: { ...commit, sha: commit.base, diff: { ...commit.diff, files: [] } } },
  };
  return sidesOf(await takenOf(base, runner(onBase)), after);
};
