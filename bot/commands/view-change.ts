/** Opens, pages and closes the diff viewer beside a card (C2). */
import { roleNeededFor } from '#commands';
import type { Run } from '#run';
import type { EffectRow } from '#ports/ledger';
import { findPageAfter, type PageAt } from '../text/hunk-pages.ts';
import {
  patchFilesByRisk,
  isCurrentPage,
  nextFlaggedFileIndex,
  type HunksView,
} from '../views/change-viewer.ts';
import { showsFix } from '#views';
import { findClosingReason } from './verify-card.ts';
import { viewReply, type CommandReply, type CommandContext } from './command-context.ts';
import {
  cardWithCheck,
  defineButton,
  runCardOn,
  type Opened,
  type RunTap,
  type ViewOf,
} from './define-button.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import type { PictureSide } from '#model/change';
import { recognisePicture } from '../text/recognise-picture.ts';

const showPictures = async (context: CommandContext, run: Run, view: HunksView): PendingTapAnswer => {
  const { tap, viewer } = context.words;
  const patch = await context.readers.patch(run.id, view.since);
  if (patch) await context.readers.readPages(patch.text);
  const path = patch ? patchFilesByRisk(run, patch)[view.file]?.path : undefined;
  if (path === undefined || !run.change.commit) return settleTap(context, tap.gone, true);
  const was = run.change.commit.diff.files.find((one) => one.path === path)?.oldPath ?? path;
  const base =
    view.since === 'pushed' && run.change.pushedHead ? run.change.pushedHead.sha : run.change.commit.base;
  const sides = [
    { side: 'before', sha: base, path: was },
    { side: 'after', sha: view.sha, path },
  ] as const;
  const found: PictureSide[] = [];
  for (const one of sides) {
    const bytes = await context.readers.fileOf?.(run.id, one.sha, one.path);
    if (bytes && recognisePicture(bytes)) found.push(one);
  }
  return found.length === 0
    ? settleTap(context, viewer.noPicture, true)
    : settleTap(context, tap.shown, false, viewReply({ view: 'pictures', sides: found }, run.id));
};

/** Each reader gets a message of their own, so that paging does not disturb others. */
export const openViewer = async (context: CommandContext, run: Run): Promise<CommandReply[]> => {
  const {
    gate: { approval },
    change: { commit },
  } = run;
  if (!commit) return [];
  const approvalId = approval && approval.kind !== 'reply' ? approval.id : null;
  const since = showsFix(run) ? 'pushed' : 'base';
  if (!(await context.readers.patch(run.id, since))?.text) return [];
  const view: HunksView = { view: 'diff_page', sha: commit.sha, approvalId, since, file: 0, page: 0 };
  return [viewReply(view, run.id, `hunks:${run.id}:${context.row.id}`)];
};

type ViewerTap = RunTap<ViewOf<'diff_page'>> & { here: (at: PageAt) => CommandReply };

const VIEWER = cardWithCheck(runCardOn('diff_page'), async (tap): Promise<Opened<ViewerTap>> => {
  const { c, run, row, show: view } = tap;
  const { slot } = row;
  const { approvalId } = view;
  if (slot === null) return settleTap(c, c.words.tap.gone, true);
  const here = (at: PageAt): CommandReply => viewReply({ ...view, ...at }, run.id, slot);
  const now = c.clock.now();
  const approval = approvalId === null ? null : await c.ledger.query.approval(approvalId);
  if (!isCurrentPage(view, run, approval, now)) {
    const closed = approval && findClosingReason(run, approval, now, c.words);
    return settleTap(c, closed ?? c.words.viewer.over, true, here(view));
  }
  // Old page buttons must not act after the message became the card again.
  if (!(await isStillViewer(c, run.id, slot))) return settleTap(c, c.words.tap.stale, true);
  return { tap: { ...tap, here } };
});

type Book = ReturnType<typeof patchFilesByRisk>;
const turnTo = async (
  { c, run, show, here }: ViewerTap,
  place: (book: Book) => PageAt | null,
): PendingTapAnswer => {
  const patch = await c.readers.patch(run.id, show.since);
  if (!patch) return settleTap(c, c.words.diff.none(run.id), true);
  await c.readers.readPages(patch.text);
  const to = place(patchFilesByRisk(run, patch));
  return to ? settleTap(c, '', false, here(to)) : settleTap(c, c.words.viewer.end, false);
};

const turnButton = <const Verb extends string>(verb: Verb, step: Parameters<typeof findPageAfter>[2]) =>
  defineButton(VIEWER, {
    verb,
    role: roleNeededFor('diff'),
    onTap: (tap): PendingTapAnswer => turnTo(tap, (book) => findPageAfter(book, tap.show, step)),
  });

export const VIEWER_BUTTONS = [
  turnButton('diff.hunk_back', 'back'),
  turnButton('diff.hunk_on', 'on'),
  turnButton('diff.file_back', 'file_back'),
  turnButton('diff.file_on', 'file_on'),
  defineButton(VIEWER, {
    verb: 'diff.next_risk',
    role: roleNeededFor('diff'),
    onTap: (tap): PendingTapAnswer =>
      turnTo(tap, (book) => {
        const file = nextFlaggedFileIndex(tap.run, book, tap.show.file);
        return file < 0 ? null : { file, page: 0 };
      }),
  }),
  defineButton(VIEWER, {
    verb: 'diff.to_card',
    role: roleNeededFor('diff'),
    async onTap({ c, run, row, show: { approvalId } }): PendingTapAnswer {
      return approvalId === null || row.slot === null
        ? settleTap(c, c.words.tap.gone, true)
        : settleTap(c, c.words.tap.shown, false, gateCardReply(approvalId, run.id, row.slot));
    },
  }),
  defineButton(VIEWER, {
    verb: 'diff.pictures',
    role: roleNeededFor('diff'),
    onTap: ({ c, run, show }): PendingTapAnswer => showPictures(c, run, show),
  }),
];

const gateCardReply = (approvalId: string, runId: string, slot: string): CommandReply =>
  viewReply({ view: 'gate', approvalId, armedBy: null, armedUntil: null }, runId, slot);

const isStillViewer = async (context: CommandContext, runId: string, slot: string): Promise<boolean> => {
  const rows = await context.ledger.query.effects({ runId, kind: 'chat_message', state: 'done' });
  const newest = rows
    .filter((row) => row.slot === slot)
    .reduce<EffectRow | null>((last, row) => (last && last.n > row.n ? last : row), null);
  return newest?.do.kind === 'chat_message' && newest.do.content.view === 'diff_page';
};
