/** Sends files: artifacts, patches, reports and pictures, as they are at sending time. */
import { setImmediate as turn } from 'node:timers/promises';
import { KB } from '#model/values';
import { isAgentWorking } from '#model/run';
import type { MessageView } from '#effects';
import { repositoryOf, type Run } from '#run';
import { redactSecrets } from '../text-safety/index.ts';
import { formatReportDays } from '#model/reports';
import type { ChatPort, ChatPicture } from '#ports/chat';
import type { ClaimedEffect, EffectFinish } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { FileOf, PatchOf } from './commands/command-context.ts';
import type { ReportService } from '#reports';
import type { LanguageTexts, WordsFor } from './language/languages.ts';
import { countHiddenLines } from './text/visible-patch.ts';
import { recognisePicture } from './text/recognise-picture.ts';
import { markRepeated } from './views/render-view.ts';
import { reportMarkdown } from './views/reports/report-screen.ts';
import { escapeSentence, shortSha, escapeLine as shown, showPath } from './text/telegram-html.ts';

const PART = 64 * KB;

/** Redacts in parts so that it blocks nobody; the text must be redacted as a whole before (C5). */
const redactParts = async (text: string): Promise<string> => {
  const shown: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PART) + 1 || text.length;
    shown.push(redactSecrets(text.slice(from, end)));
    from = end;
    await turn();
  }
  return shown.join('');
};

type DocumentParts = {
  chat: ChatPort;
  ledger: { query: Pick<Ledger['query'], 'artifact'> };
  wordsFor: WordsFor;
  patch: PatchOf;
  fileOf?: FileOf;
  /** O10: renders a patch for people off the main thread, so that a long one blocks nobody. */
  shownPatch: (patch: string) => Promise<string>;
  reports?: ReportService;
};

const FILE_VIEWS = ['document', 'patch', 'pictures', 'report'] as const;
export type FileView = Extract<MessageView, { view: (typeof FILE_VIEWS)[number] }>;
export const isFile = (show: MessageView): show is FileView => FILE_VIEWS.some((one) => one === show.view);

type Document = { name: string; content: string; caption: string };

const patchOf = async (
  parts: DocumentParts,
  { since }: Extract<MessageView, { view: 'patch' }>,
  run: Run | null,
  words: LanguageTexts,
): Promise<Document | null> => {
  const patch = run && (await parts.patch(run.id, since));
  if (!run || !patch || patch.text === '') return null;
  const content = await parts.shownPatch(patch.text);
  const { diff } = words;
  const hidden = countHiddenLines(content);
  const caption = [
    diff.caption(
      repositoryOf(run),
      run.id,
      shortSha(since === 'theirs' ? run.change.foreignHead?.sha : run.change.commit?.sha),
    ),
    since === 'unfinished'
      ? isAgentWorking(run.lifecycle.state)
        ? diff.atWork
        : diff.unfinished
      : since === 'base'
        ? ''
        : diff.fix(shortSha(run.change.pushedHead?.sha)),
    patch.omitted > 0 ? diff.omitted(patch.omitted) : '',
    hidden > 0 ? diff.hidden(hidden) : '',
    content.includes('⟦') ? diff.signs : '',
  ];
  return {
    name: `run-${run.id}${{ base: '', pushed: '-fix', theirs: '-theirs', unfinished: '-unfinished' }[since]}.patch`,
    content,
    caption: shown(caption.filter(Boolean).join(' · '), 600),
  };
};

export const sendDocument = async (
  parts: DocumentParts,
  claim: ClaimedEffect,
  show: FileView,
  run: Run | null,
  { chat, silent }: { chat: string; silent: boolean },
): Promise<EffectFinish> => {
  const words = await parts.wordsFor(chat);
  if (show.view === 'pictures') {
    const found = run ? await picturesOf(parts, show, run, words) : [];
    return sendPictures(parts, claim, found, words, { chat, silent });
  }
  const made = await findDocument(parts, show, run, words);
  if (!made && (show.view !== 'patch' || !run))
    return { kind: 'dead', reason: 'The file to be sent is no longer there.' };
  if (!made) {
    const id = run?.id ?? '';
    const isUnfinished = show.view === 'patch' && show.since === 'unfinished';
    const { elsewhere, unchanged, none } = words.diff;
    const isElsewhere = isUnfinished && (await parts.patch(id, 'unfinished'))?.isElsewhere === true;
    const html = escapeSentence((isElsewhere ? elsewhere : isUnfinished ? unchanged : none)(id));
    return {
      kind: 'done',
      result: { ...(await parts.chat.send({ chat, html, buttons: [], silent })), epoch: null },
    };
  }
  const caption = claim.tries > 1 ? markRepeated(made.caption, words) : made.caption;
  const sent = await parts.chat.document({
    chat,
    silent,
    name: made.name,
    content: await redactParts(made.content),
    caption: redactSecrets(caption),
  });
  return { kind: 'done', result: { ...sent, epoch: null } };
};

const findDocument = async (
  parts: DocumentParts,
  show: Exclude<FileView, { view: 'pictures' }>,
  run: Run | null,
  words: LanguageTexts,
): Promise<Document | null> => {
  switch (show.view) {
    case 'patch':
      return patchOf(parts, show, run, words);
    case 'report':
      return reportIn(parts, show, words);
    case 'document':
      return findStoredDocument(parts, run, show);
  }
};

const reportIn = async (
  { reports }: DocumentParts,
  { days, by }: Extract<MessageView, { view: 'report' }>,
  words: LanguageTexts,
): Promise<Document | null> => {
  if (!reports) return null;
  const { report: found } = await reports.report({ days, by });
  const caption = shown(`${words.report.title(days)}. ${words.report.caption(words.report.by[by])}`, 600);
  return {
    name: `report-${formatReportDays(days)}-${by}.md`,
    content: reportMarkdown(found, words),
    caption,
  };
};

const findStoredDocument = async (
  { ledger }: DocumentParts,
  run: Run | null,
  { name, caption, artifact }: Extract<MessageView, { view: 'document' }>,
): Promise<Document | null> => {
  const row = run && (await ledger.query.artifact(run.id, artifact));
  return row && { name, caption, content: row.content };
};

/** Uses file names of ours, because the repository's could mislead about the content. */
const picturesOf = async (
  { fileOf }: DocumentParts,
  { sides }: Extract<MessageView, { view: 'pictures' }>,
  run: Run,
  { viewer }: LanguageTexts,
): Promise<ChatPicture[]> => {
  const found: ChatPicture[] = [];
  for (const { side, sha, path } of sides) {
    const bytes = await fileOf?.(run.id, sha, path);
    const picture = bytes ? recognisePicture(bytes) : null;
    if (!bytes || !picture) continue;
    const { kind, width: wide, height: high } = picture;
    const caption = `<b>${viewer.sides[side]}</b> · <code>${showPath(path, 200)}</code> · ${wide} × ${high}`;
    const no = sides.length > 2 ? `-${found.length + 1}` : '';
    found.push({ name: `run-${run.id}-${side}${no}.${kind}`, content: bytes, caption, wide, high });
  }
  return found;
};

const sendPictures = async (
  parts: DocumentParts,
  claim: ClaimedEffect,
  found: readonly ChatPicture[],
  words: LanguageTexts,
  { chat, silent }: { chat: string; silent: boolean },
): Promise<EffectFinish> => {
  const pictures = found.map((one) => ({
    ...one,
    caption: redactSecrets(claim.tries > 1 ? markRepeated(one.caption, words) : one.caption),
  }));
  const [first, ...more] = pictures;
  if (!first) return { kind: 'dead', reason: 'The pictures to be sent are no longer there.' };
  const sent =
    more.length === 0
      ? await parts.chat.document({ chat, silent, ...first })
      : await parts.chat.album({ chat, silent, pictures });
  return { kind: 'done', result: { ...sent, epoch: null } };
};
