/** Keeps what reviewers wait for, and calls a person when an answer is late (F7). */
import { z } from 'zod';
import { Person } from '#model/order';
import { OPENED, WATCHING } from '../run/state-groups.ts';
import {
  NO_REMARKS,
  shouldOfferClosing,
  remarkCallDueAt,
  remarkCallSlot,
  isAnswerWanted,
  type OpenRemark,
  type RemarkRecord,
  conversationThreadId,
  type TriageItem,
} from '#model/review';
import { isTerminal, isWatching } from '#model/run';
import { cutText } from '#model/values';
import { defineCommand, defineFact, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import { addRemarkCall, endRemarkCalls, requestReplies } from '../lifecycle/enter-state.ts';

const MAX_OPEN_REMARKS = 100;
const MAX_KNOWN_REMARKS = 1_000;
const MAX_EXCERPT_LENGTH = 200;

type NewRemark = Omit<OpenRemark, 'excerpt' | 'receivedAt'> & { body: string; answered?: true };

const recordOf = (draft: StepDraft): RemarkRecord => draft.run.review.remarks ?? NO_REMARKS;

const hearRemark = (draft: StepDraft, { body, answered, ...remark }: NewRemark): void => {
  if (answered) return closeRemarks(draft, ({ id }) => id === remark.id);
  const record = recordOf(draft);
  // guard: F7-heard-once
  if (record.knownIds.includes(remark.id) || !isAnswerWanted(body)) return;
  const excerpt = cutText(body.trim(), MAX_EXCERPT_LENGTH);
  draft.run.review.remarks = {
    ...record,
    open: [...record.open, { ...remark, excerpt, receivedAt: draft.stamp.at }].slice(-MAX_OPEN_REMARKS),
    knownIds: [...record.knownIds, remark.id].slice(-MAX_KNOWN_REMARKS),
  };
  if (record.open.length === 0 && isWatching(draft.run.lifecycle.state)) addRemarkCall(draft);
};

export const closeRemarks = (
  draft: StepDraft,
  isClosed: (remark: OpenRemark) => boolean,
  { left = false }: { left?: boolean } = {},
): void => {
  const record = recordOf(draft);
  const open = record.open.filter((remark) => !isClosed(remark));
  const closed = record.open.length - open.length;
  if (closed === 0) return;
  if (open.length === 0) endRemarkCalls(draft);
  draft.run.review.remarks = {
    ...record,
    open,
    calledAt: open.length === 0 ? [] : record.calledAt,
    unanswered: record.unanswered + (left ? closed : 0),
  };
};

export const giveRemarksToAgent = (draft: StepDraft, isGiven: (remark: OpenRemark) => boolean): void => {
  const record = recordOf(draft);
  const isNews = (remark: OpenRemark): boolean => remark.underway !== true && isGiven(remark);
  if (!record.open.some(isNews)) return;
  const open = record.open.map((remark) =>
    isNews(remark) ? { ...remark, underway: true as const } : remark,
  );
  draft.run.review.remarks = { ...record, open };
};

const isReviewer = (draft: StepDraft, { access, bot }: { access: string; bot?: true }): boolean =>
  draft.run.upstream.pullRequest !== null &&
  !isTerminal(draft.run.lifecycle.state) &&
  access !== 'read' &&
  !bot;

export const recordReviewRemarks = (draft: StepDraft, fact: InputOf<'forge.review.submitted'>): void => {
  if (!isReviewer(draft, fact)) return;
  const {
    id: review,
    reviewer: from,
    state,
    submittedAt: writtenAt,
    remarks = [],
    body,
    url,
    hasAllRemarks,
  } = fact;
  const said = new Set([`review:${review}`, ...remarks.map(({ id }) => id)]);
  if (state === 'withdrawn') return closeRemarks(draft, (one) => one.review === review || said.has(one.id));
  if (state === 'approved') closeRemarks(draft, (one) => one.from === from && one.writtenAt < writtenAt);
  if (hasAllRemarks) closeRemarks(draft, (one) => one.review === review && !said.has(one.id));
  const about = { from, writtenAt, review };
  for (const { id, url: at, body: words, answered } of remarks)
    hearRemark(draft, { ...about, id, url: at, body: words, ...(answered ? { answered } : {}) });
  if (remarks.length > 0 || body.trim() === '') return;
  const own = `review:${review}`;
  hearRemark(draft, { ...about, id: own, url, body });
  if (state === 'wants_changes' && fact.access === 'write') giveRemarksToAgent(draft, ({ id }) => id === own);
};

export const recordCommentRemark = (draft: StepDraft, fact: InputOf<'forge.comment.created'>): void => {
  if (!isReviewer(draft, fact)) return;
  const { url, author: from, createdAt: writtenAt, body, answered } = fact;
  hearRemark(draft, { id: url, url, from, writtenAt, body, ...(answered ? { answered } : {}) });
};

const onRemarksDue = (draft: StepDraft): HandlerRuling => {
  const due = remarkCallDueAt(draft.run);
  if (due === null) return { ignore: 'nobody asks' };
  if (due <= draft.stamp.at) {
    const record = recordOf(draft);
    const now = { ...record, calledAt: [...record.calledAt, draft.stamp.at] };
    draft.run.review.remarks = now;
    addMessage(
      draft,
      { view: 'open_remarks', remarks: now.open.map(({ id }) => id), closes: shouldOfferClosing(now) },
      { slot: remarkCallSlot(draft.run.id, draft.stamp.at), urgent: true, sound: true },
    );
  }
  addRemarkCall(draft);
  return undefined;
};

/** F7: a person's own words for a comment in the conversation; a card signs them before they are posted. */
const onCommentAnswer = (
  draft: StepDraft,
  { comment, words }: InputOf<'command.comment.answer'>,
): HandlerRuling => {
  const { run } = draft;
  const remark = recordOf(draft).open.find(({ id }) => id === comment);
  // guard: F7-comment-known
  if (!remark || remark.review !== undefined) return { refuse: { kind: 'no_remark' } };
  const thread = conversationThreadId(remark.id);
  const item: TriageItem = {
    id: `comment-${run.lifecycle.version}`,
    thread,
    path: null,
    line: null,
    hunk: '',
    body: remark.excerpt,
    url: remark.url,
    review: '',
    reviewer: remark.from,
    access: 'unknown',
    choice: 'reply',
    answer: words,
    answeredBy: 'person',
    changedSince: null,
    fixedIn: null,
  };
  run.review.chosenRemarks = [...run.review.chosenRemarks.filter((one) => one.thread !== thread), item];
  if (isWatching(run.lifecycle.state) && !run.gate.approval) requestReplies(draft);
  return undefined;
};

const onRemarksAnswered = (
  draft: StepDraft,
  { remarks }: InputOf<'command.remarks.answered'>,
): HandlerRuling => {
  const named = new Set(remarks);
  if (!recordOf(draft).open.some(({ id }) => named.has(id))) return { refuse: { kind: 'no_remark' } };
  closeRemarks(draft, ({ id }) => named.has(id));
  return undefined;
};

export const REMARK_COMMANDS = [
  /** F7: a person says that those remarks are answered; others stay open. */
  defineCommand({
    type: 'command.remarks.answered',
    fields: { by: Person, remarks: z.array(z.string()).max(100) },
    moves: stayIn(OPENED, 'answered on the code host'),
    handle: (d, input): HandlerRuling => onRemarksAnswered(d, input),
  }),
  defineCommand({
    type: 'command.comment.answer',
    fields: { by: Person, comment: z.string().max(2_000), words: z.string().min(1).max(2_000) },
    moves: stayIn(OPENED, 'words for a comment; a card signs them'),
    handle: (d, input): HandlerRuling => onCommentAnswer(d, input),
  }),
];

export const REMARK_FACTS = [
  defineFact({
    type: 'timer.remarks.due',
    fields: { epoch: z.number() },
    moves: stayIn(WATCHING, 'a reviewer waits for an answer'),
    handle: (d): HandlerRuling => onRemarksDue(d),
  }),
];
