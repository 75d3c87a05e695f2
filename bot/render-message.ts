/** Renders a message's text and buttons from the run's current state. */
import type { ClusterView } from '#model/chat';
import { wordsFeedback, type Feedback } from '#model/feedback';
import type { MessageView } from '#effects';
import { repositoryOf, type Run } from '#run';
import { renderView } from './views/render-view.ts';
import type { RenderedMessage, ViewButton, ViewScene } from './views/scene.ts';
import { showsFix } from '#views';
import { readCampaignStatus } from '#campaigns';
import { windowsOfRun, type OpeningCapSettings, type OpeningSettings } from '#limits';
import { fillVaryingValues } from '#clusters';
import { createDeciderTest } from '#notices';
import type { ApprovalRow, Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import { readChangeLikeness, listVaryingValues } from './change-likeness.ts';
import { readMemberScenes } from './commands/cluster-buttons.ts';
import type { PatchOf, ReadPages } from './commands/command-context.ts';
import { findCommentForwarder } from './commands/forward-comment.ts';
import type { FileView } from './file-messages.ts';
import type { LanguageTexts } from './language/languages.ts';
import { sayRecord } from './text/sentence-catalogue.ts';
import { escapeBlock } from './text/telegram-html.ts';
import { renderCampaign } from './views/campaign-card.ts';
import { isLiveMember, renderCluster } from './views/cluster-card.ts';
import { renderSpendingCall } from './views/reports/cost-screen.ts';
import { renderConnection } from './views/connection-message.ts';
import { isCardLive, isRecordChanged } from './views/live-card.ts';
import { renderDigest } from './views/waiting-list.ts';
import { renderQuestions } from './views/permission-card.ts';
import { renderProposal } from './views/command-proposal.ts';
import { listChangedFiles } from './text/parse-patch.ts';
import { renderOutage } from './views/outage-message.ts';
import { renderTranscript } from './views/voice-transcript-card.ts';

type DrawnMessage = Pick<RenderedMessage, 'html' | 'closed'> & {
  buttons: (Omit<ViewButton, 'verb'> & { verb: string })[][];
};

export type OpeningsNow = () => { windows: OpeningSettings; caps: OpeningCapSettings };
type DrawParts = {
  ledger: Pick<Ledger, 'query'>;
  clock: SystemClock;
  patch: PatchOf;
  readPages: ReadPages;
  serverUrl?: string;
  openings?: OpeningsNow;
};
type ShownView = Exclude<MessageView, FileView>;
const HOST_VIEWS = [
  ...(['reply', 'connection', 'spending', 'command_choice', 'transcript'] as const),
  ...(['cluster', 'questions', 'campaign', 'morning_summary'] as const),
];
type HostView = Extract<ShownView, { view: (typeof HOST_VIEWS)[number] }>;
const isHostView = (show: ShownView): show is HostView =>
  (HOST_VIEWS as readonly string[]).includes(show.view);

/** Messages about several runs, or none. */
const drawHostView = async (
  parts: DrawParts,
  show: HostView,
  words: LanguageTexts,
): Promise<DrawnMessage | null> => {
  const { query } = parts.ledger;
  switch (show.view) {
    case 'reply':
      return { html: show.html, buttons: show.buttons };
    case 'connection':
      return renderConnection(show, words);
    case 'spending':
      return renderSpendingCall(show, words);
    case 'command_choice': {
      const named = show.choices.flatMap(({ targets: on }) => on.map(({ run: id }) => id));
      const runs = await Promise.all([...new Set(named)].map((id) => query.run(id)));
      return renderProposal(
        show,
        runs.filter((one) => one !== null),
        words,
      );
    }
    case 'transcript':
      return renderTranscript(show, words);
    case 'cluster':
      return drawCluster(parts, show, words);
    case 'questions': {
      const runs = await Promise.all(show.members.map(({ run: id }) => query.run(id)));
      return renderQuestions(show, runs, words);
    }
    case 'campaign': {
      const now = parts.clock.now();
      const at = await readCampaignStatus(query, show.campaign, now);
      const mostOpen = parts.openings?.().caps.openPerOwner;
      return (
        at && renderCampaign({ ...at, now, ...(mostOpen === undefined ? {} : { mostOpen }) }, show, words)
      );
    }
    case 'morning_summary': {
      const live = await query.runs({ live: true, limit: 1_000 });
      return renderDigest(live.filter(createDeciderTest(show.chat)), parts.clock.now(), words);
    }
  }
};

export const renderMessage = async (
  parts: DrawParts,
  show: ShownView,
  { run, slot }: { run: Run | null; slot: string | null },
  words: LanguageTexts,
): Promise<DrawnMessage | null> => {
  if (isHostView(show)) return drawHostView(parts, show, words);
  if (!run)
    return show.view === 'note'
      ? { html: escapeBlock(sayRecord(words.notes, show.note), 3_500), buttons: [] }
      : null;
  const { query } = parts.ledger;
  const now = parts.clock.now();
  // A message sent again must not offer what was done meanwhile.
  if (show.view === 'comment') {
    const by = show.forwardedBy ?? (await findCommentForwarder(query, run.id, slot));
    const scene = { run, approval: null, attempts: [], patch: null, now };
    return renderView({ ...show, forwardedBy: by }, scene, words);
  }
  if (show.view === 'outage') {
    const live = await query.runs({ live: true, limit: 1_000 });
    const hasSameOutage = (other: Run): boolean =>
      other.upstream.observed.outage?.outageId === show.outageId && other.order.chat === run.order.chat;
    return renderOutage(live.filter(hasSameOutage), now, words);
  }
  return renderView(show, await readScene(parts, show, run, now), words);
};

const readScene = async (
  parts: DrawParts,
  show: Exclude<ShownView, HostView>,
  run: Run,
  now: number,
): Promise<ViewScene> => {
  const { query } = parts.ledger;
  const { serverUrl } = parts;
  const card = findApprovalId(show);
  const [approval, attempts, earlier, patch] = await Promise.all([
    card === null ? Promise.resolve(null) : query.approval(card),
    show.view === 'progress' ? query.attempts(run.id) : Promise.resolve([]),
    show.view === 'progress' && run.lifecycle.state === 'DISCOVERY'
      ? earlierRun(query, run)
      : Promise.resolve(undefined),
    show.view === 'diff_page' || (show.view === 'gate' && run.gate.approval?.id === show.approvalId)
      ? parts.patch(run.id, show.view === 'diff_page' ? show.since : showsFix(run) ? 'pushed' : 'base')
      : Promise.resolve(null),
  ]);
  if (patch && show.view === 'diff_page') await parts.readPages(patch.text);
  const asked = show.view === 'gate' && patch ? await findPreviousRequest(parts, run) : null;
  const isDecided = show.view === 'gate' && (!approval || !isCardLive(run, approval, now));
  const isChanged = isDecided && approval !== null && (await isChangedRecord(query, run, approval));
  const windows =
    show.view === 'gate' && parts.openings ? await windowsOfRun(query, parts.openings().windows, run) : [];
  const othersWait = isDecided && (await doOthersWait(query, run));
  return {
    run,
    approval,
    attempts,
    patch,
    now,
    windows,
    othersWait,
    ...(isChanged ? { isRecordChanged: true } : {}),
    ...(earlier ? { earlier } : {}),
    ...(asked ? { asked } : {}),
    ...(serverUrl === undefined ? {} : { serverUrl }),
  };
};

/** A card that was closed after the run was read is no changed one, so the run is read again. */
const isChangedRecord = async (
  query: Pick<Ledger['query'], 'run'>,
  run: Run,
  approval: ApprovalRow,
): Promise<boolean> => {
  if (!isRecordChanged(run, approval)) return false;
  const now = await query.run(run.id);
  return now !== null && isRecordChanged(now, approval);
};

/** What was asked for on the last card that nobody signed. */
const findPreviousRequest = async (
  { ledger, patch }: DrawParts,
  run: Run,
): Promise<NonNullable<ViewScene['asked']> | null> => {
  const rows = await ledger.query.approvals({ runId: run.id });
  const last = rows
    .filter(
      ({ state, reason }) => state === 'denied' || state === 'consumed' || reason?.kind === 'taken_back',
    )
    .sort((a, b) => a.openedAt - b.openedAt)
    .at(-1);
  if (last?.state !== 'denied' || last.reason?.kind !== 'rejected') return null;
  const { note, denialReason: because } = last.reason;
  const feedback: Feedback[] = [
    ...(because && because !== 'unneeded' ? [{ kind: 'refused', denialReason: because } as const] : []),
    ...wordsFeedback(note),
  ];
  if (feedback.length === 0) return null;
  const since = await patch(run.id, 'card');
  return { feedback, news: since && (since.text === '' ? [] : listChangedFiles(since)) };
};

const MAX_EARLIER_RUNS = 5;
const earlierRun = async (query: Ledger['query'], run: Run): Promise<Run | undefined> => {
  const repo = { fullName: repositoryOf(run), id: run.target.base?.repoId ?? '' };
  const runs = await query.runs({ live: false, limit: MAX_EARLIER_RUNS, repo });
  return runs.find(({ id, target }) => id !== run.id && target.readingMs !== undefined);
};

const doOthersWait = async (query: Ledger['query'], run: Run): Promise<boolean> =>
  (await query.approvals({ state: 'open' })).some(({ runId }) => runId !== run.id);

const drawCluster = async (
  { ledger, patch, clock }: DrawParts,
  view: ClusterView,
  words: LanguageTexts,
): Promise<DrawnMessage> => {
  const now = clock.now();
  const members = await readMemberScenes(ledger.query, view);
  const order = (await ledger.query.campaign(view.campaign))?.order;
  const first = members.find((one) => isLiveMember(one, now))?.run;
  const varying = first && order ? listVaryingValues(first, order) : [];
  const like = first && order ? await readChangeLikeness(patch, first, varying) : null;
  const fillText = (text: string): string => fillVaryingValues(text, varying);
  const common = like && {
    title: fillText(like.title),
    text: fillText(like.common),
    ...(first && fillText(like.common) !== like.common ? { as: repositoryOf(first) } : {}),
  };
  return renderCluster(view, { members, common, name: order?.name ?? '', now }, words);
};

export const findApprovalId = (show: MessageView): string | null =>
  show.view === 'gate' || show.view === 'diff_page' ? show.approvalId : null;
