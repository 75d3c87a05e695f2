/** Renders pictures of the change and of its base, for people only; failures are ignored (C2). */
import type { Run } from '../run/run.ts';
import { changedPictureSides, type TreePictures, type PictureSide } from '#model/change';
import { OutsideFailure } from '#ports/forge';
import type { ForgeRepository } from '#ports/roles';
import type { CommitExport } from '#ports/workspaces';
import { boxWithout, offlineWithout } from '../preparation/check-selection.ts';
import { baseStepName } from '../preparation/run-baseline.io.ts';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';
import { prepareExport } from '../handlers/prepare-export.ts';
import type { CommandPass, CommandRunner } from '../handlers/recorded-commands.ts';

export const picturesOf = async (
  parts: Pick<EffectContext, 'workspaces'> & { forge: ForgeRepository },
  run: Run,
  { runner, meter, signal }: CommandPass,
): Promise<PictureSide[]> => {
  const { pictures } = run.target.contract ?? {};
  const commit = requireValue(run.change.commit, 'commit');
  const plain = runner((name) => name);
  const takePictures = async (of: Run, by: CommandRunner): Promise<TreePictures | null> => {
    if (!pictures || signal.aborted || meter.usedUp()) return null;
    let place: CommitExport | null = null;
    try {
      place = await prepareExport(parts, of, plain, signal);
      await place.renew({ last: true });
      const { command, dir, from } = pictures;
      const { result } = await by(
        { kind: 'check', name: 'pictures', command, dir, ...boxWithout(run), ...offlineWithout(run, dir) },
        place,
      );
      if (result.outcome !== 'passed' || signal.aborted) return null;
      return await parts.workspaces.pictures({ runId: run.id, dir: place.dir, folder: from });
    } catch (error) {
      if (signal.aborted || !(error instanceof OutsideFailure)) throw error;
      return null;
    } finally {
      await place?.remove();
    }
  };
  const after = await takePictures(run, plain);
  if (!after) return [];
  const base: Run = {
    ...run,
    change: { ...run.change, commit: { ...commit, sha: commit.base, diff: { ...commit.diff, files: [] } } },
  };
  return changedPictureSides(await takePictures(base, runner(baseStepName)), after);
};
