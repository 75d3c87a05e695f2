/** Remarks of people on our pull request that nobody has answered yet (F7). */
import { backoffDelay, DAY } from '#model/values';
import { REMARK_PRAISE, REMARK_REQUEST } from './review-threads.ts';

export type OpenRemark = {
  id: string;
  from: string;
  url: string;
  excerpt: string;
  writtenAt: number;
  receivedAt: number;
  review?: string;
  underway?: true;
};

export type RemarkRecord = {
  open: readonly OpenRemark[];
  knownIds: readonly string[];
  calledAt: readonly number[];
  unanswered: number;
};
export const NO_REMARKS: RemarkRecord = { open: [], knownIds: [], calledAt: [], unanswered: 0 };

export const isAnswerWanted = (body: string): boolean => {
  const text = body.trim();
  return text !== '' && (!REMARK_PRAISE.test(text) || REMARK_REQUEST.test(text) || /[?？]/.test(text));
};

type Waiting = {
  review: { remarks?: RemarkRecord };
  order: { bounds: { answerMs?: number } };
};
const DEFAULT_ANSWER_MS = 3 * DAY;

export const remarkCallDueAt = ({ review, order }: Waiting): number | null => {
  const { open, calledAt } = review.remarks ?? NO_REMARKS;
  if (open.length === 0) return null;
  const first = order.bounds.answerMs ?? DEFAULT_ANSWER_MS;
  const pause = backoffDelay(calledAt.length - 1, { first, most: 64 * first });
  return Math.max(Math.min(...open.map(({ receivedAt: heardAt }) => heardAt)), ...calledAt) + pause;
};

/** The first call asks for an answer; later ones also offer to close the pull request. */
export const shouldOfferClosing = ({ calledAt }: Pick<RemarkRecord, 'calledAt'>): boolean =>
  calledAt.length > 1;

export const hasOpenRemark = ({ review }: Pick<Waiting, 'review'>, comment: string): boolean =>
  (review.remarks?.open ?? []).some(({ id, review: of }) => id === comment && of === undefined);

export const remarkCallSlot = (run: string, calledAt: number): string => `remarks:${run}:${calledAt}`;

const VARYING = /<!--[\s\S]*?(?:-->|$)|https?:\/\/\S+|\b[0-9a-f]{7,64}\b|\d+/gi;
const MAX_SAYING_LENGTH = 160;
/** F7: equal for a program that says the same again of other lines, commits and times. */
export const remarkFingerprint = (author: string, body: string): string => {
  const plain = body.replace(VARYING, '').replace(/\s+/g, ' ').trim();
  return `${author} ${plain.length} ${plain.slice(0, MAX_SAYING_LENGTH)}`;
};
