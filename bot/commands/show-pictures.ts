/** C2: sends the old and the new version of a changed image. */
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import type { PictureSide } from '../../orchestrator/model/change-pictures.ts';
import { pictureIn } from '../text/recognise-picture.ts';
import { patchFilesByRisk, type HunksView } from '../views/change-viewer.ts';
import { viewReply, type CommandContext } from './command-context.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

export const showPictures = async (c: CommandContext, run: Run, view: HunksView): PendingTapAnswer => {
  const { tap, viewer } = c.words;
  const patch = await c.patch(run.id, view.since);
  if (patch) await c.readPages(patch.text);
  const path = patch ? patchFilesByRisk(run, patch)[view.file]?.path : undefined;
  if (path === undefined || !run.change.commit) return answerTap(c, tap.gone, true);
  const was = run.change.commit.diff.files.find((one) => one.path === path)?.oldPath ?? path;
  const base =
    view.since === 'pushed' && run.change.pushedHead ? run.change.pushedHead.sha : run.change.commit.base;
  const sides = [
    { side: 'before', sha: base, path: was },
    { side: 'after', sha: view.sha, path },
  ] as const;
  const found: PictureSide[] = [];
  for (const one of sides) {
    const bytes = await c.fileOf?.(run.id, one.sha, one.path);
    if (bytes && pictureIn(bytes)) found.push(one);
  }
  return found.length === 0
    ? answerTap(c, viewer.noPicture, true)
    : answerTap(c, tap.shown, false, viewReply({ view: 'pictures', sides: found }, run.id));
};
