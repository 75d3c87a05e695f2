/** Renders one page of a diff, with buttons for paging and back to the card (C2). */
import type { MessageView } from '#effects';
import { repositoryOf, type Run } from '#run';
import type { ApprovalRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import type { FilePatch } from '../text/parse-patch.ts';
import { orderPatchFiles, paginateFile, findPageAfter, type PageStep } from '../text/hunk-pages.ts';
import { escapeHtml, fitLines, escapeLine, showPath } from '../text/telegram-html.ts';
import { renderClosed } from './closed-card.ts';
import { isCardLive } from './live-card.ts';
import { sortFilesByRisk, deservesAttention, naturesOf, formatDiffSize } from './file-facts.ts';
import { runHeadline } from './run-lines.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

export type HunksView = Extract<MessageView, { view: 'diff_page' }>;

export const patchFilesByRisk = ({ change: { commit } }: Run, patch: { text: string }): FilePatch[] =>
  orderPatchFiles(patch.text, commit ? sortFilesByRisk(commit.diff).map(({ path }) => path) : []);

/** Returns true while the page shows the commit that its open card would publish. */
export const isCurrentPage = (
  { sha, approvalId }: HunksView,
  run: Run,
  approval: ApprovalRow | null,
  now: number,
): boolean =>
  run.change.commit?.sha === sha &&
  (approvalId === null || (approval !== null && isCardLive(run, approval, now)));

const isFlagged = ({ change: { commit } }: Run, { path }: FilePatch): boolean => {
  const file = commit?.diff.files.find((f) => f.path === path);
  return file !== undefined && commit !== null && deservesAttention(commit.diff, file);
};

/** Wraps around; returns -1 when no other file is flagged. */
export const nextFlaggedFileIndex = (run: Run, book: readonly FilePatch[], from: number): number => {
  const after = book.findIndex((file, i) => i > from && isFlagged(run, file));
  return after >= 0 ? after : book.findIndex((file, i) => i < from && isFlagged(run, file));
};

export const renderHunks = (view: HunksView, scene: ViewScene, words: LanguageTexts): RenderedMessage => {
  const { run, approval, patch, now } = scene;
  if (!isCurrentPage(view, run, approval, now)) {
    if (view.approvalId !== null) return renderClosed(scene, words);
    return { html: fitLines([runHeadline(words.viewer.title, run), words.viewer.over]), buttons: [] };
  }
  const book = patch ? patchFilesByRisk(run, patch) : [];
  const file = book[view.file];
  const pages = file ? paginateFile(file) : [];
  const page = pages[Math.min(view.page, pages.length - 1)];
  if (!file || !page || !patch)
    return { html: fitLines([runHeadline(words.viewer.title, run), words.diff.none(run.id)]), buttons: [] };
  const { viewer } = words;
  return {
    html: [
      `<b>${viewer.title}</b> · ${showPath(repositoryOf(run), 36)} · ${words.card.run(escapeLine(run.id, 12))}`,
      escapeLine(viewer.at(view.file + 1, book.length, page)),
      fileLine(run, file, words),
      ...(page.text === '' ? [] : [`<pre><code class="language-diff">${escapeHtml(page.text)}</code></pre>`]),
      ...(patch.omitted > 0 ? [words.card.omitted(patch.omitted)] : []),
    ].join('\n'),
    buttons: viewerButtons(view, run, book, words),
  };
};

const fileLine = (run: Run, file: FilePatch, words: LanguageTexts): string => {
  const { card, findings } = words;
  const diff = run.change.commit?.diff;
  const known = diff?.files.find(({ path }) => path === file.path);
  const told = [
    (known?.binary ?? file.binary) ? card.binary : formatDiffSize(file),
    known?.status === 'deleted' ? card.deleted : '',
    ...(diff && known ? naturesOf(diff, known).map((one) => card.natures[one]) : []),
  ];
  const found = [
    ...new Set(diff?.findings.flatMap(({ kind, path }) => (path === file.path ? [findings[kind]] : []))),
  ];
  const warns = isFlagged(run, file)
    ? ` ⚠${found.length > 0 ? ` ${escapeLine(found.slice(0, 2).join(', '), 120)}` : ''}`
    : '';
  return `<code>${showPath(file.path, 120)}</code> ${told.filter(Boolean).join(' ')}${warns}`;
};

/** A guess; the bytes decide once the image is requested. */
const mayBePicture = ({ change: { commit } }: Run, { path, binary }: FilePatch): boolean =>
  binary ||
  commit?.diff.files.find((one) => one.path === path)?.binary === true ||
  /\.(?:png|jpe?g|gif|webp)$/i.test(path);

const viewerButtons = (
  view: HunksView,
  run: Run,
  book: readonly FilePatch[],
  words: LanguageTexts,
): ViewButton[][] => {
  const { viewer } = words;
  const several = book.length > 1;
  const selectButtons = (steps: readonly (readonly [PageStep, ViewButton])[]): ViewButton[] =>
    steps.flatMap(([step, button]) => (findPageAfter(book, view, step) === null ? [] : [button]));
  const rows: ViewButton[][] = [
    selectButtons([
      ['back', { verb: 'diff.hunk_back', text: viewer.back }],
      ['on', { verb: 'diff.hunk_on', text: viewer.on }],
    ]),
    several
      ? selectButtons([
          ['file_back', { verb: 'diff.file_back', text: viewer.fileBack }],
          ['file_on', { verb: 'diff.file_on', text: viewer.fileOn }],
        ])
      : [],
  ];
  const file = book[view.file];
  const picture: ViewButton[] =
    file && mayBePicture(run, file) ? [{ verb: 'diff.pictures', text: viewer.picture }] : [];
  const risky: ViewButton[] =
    nextFlaggedFileIndex(run, book, view.file) >= 0 ? [{ verb: 'diff.next_risk', text: viewer.risky }] : [];
  const card: ViewButton[] = view.approvalId === null ? [] : [{ verb: 'diff.to_card', text: viewer.toCard }];
  const last =
    picture.length + risky.length === 2 ? [[...picture, ...risky], card] : [[...picture, ...risky, ...card]];
  return [...rows, ...last].filter((row) => row.length > 0);
};
