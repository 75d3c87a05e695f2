/** Remarks of reviewers on lines, the choices for each, and the answers, as data (F7). */
import { z } from 'zod';
import { Assessment } from '#model/assessment';
import { findSuggestedEdit } from '#model/change';

/** Rights on the repository; only `write` may steer an agent (P5). */
const access = z.enum(['write', 'read', 'unknown']);

/** Longer texts are cut (characters). */
const LONGEST_REMARK = 20_000;
const LONGEST_HUNK = 4_000;
export const MAX_REMARKS = 100;

export const ReviewRemark = z.object({
  id: z.string(),
  /** First comment of the thread, which answers reply to. */
  thread: z.string(),
  path: z.string().nullable(),
  /** 1-based in the new file; null when the line is gone or none is meant. */
  line: z.number().nullable(),
  hunk: z.string().max(LONGEST_HUNK),
  body: z.string().max(LONGEST_REMARK),
  url: z.string(),
  start: z.number().exactOptional(),
  /** `Name <address>` for the commit of a suggested edit. */
  by: z.string().max(300).exactOptional(),
  answered: z.literal(true).exactOptional(),
});
export type ReviewRemark = z.infer<typeof ReviewRemark>;
export const cutRemark = (one: ReviewRemark): ReviewRemark => ({
  ...one,
  // The last line of a hunk is the one that is meant.
  hunk: one.hunk.slice(-LONGEST_HUNK),
  body: one.body.slice(0, LONGEST_REMARK),
});

/** `apply` takes the suggested lines without an agent. */
export const REMARK_CHOICES = ['apply', 'fix', 'reply', 'ignore'] as const;
export type RemarkChoice = (typeof REMARK_CHOICES)[number];

export const TriageItem = ReviewRemark.extend({
  review: z.string(),
  reviewer: z.string(),
  access,
  choice: z.enum(REMARK_CHOICES),
  answer: z.string().nullable(),
  answeredBy: z.enum(['person', 'agent']).nullable(),
  /** Change of the remark since the card was first shown. */
  changedSince: z.enum(['edited', 'withdrawn', 'deleted', 'rights_lost']).nullable(),
  fixedIn: z.string().nullable(),
});
export type TriageItem = z.infer<typeof TriageItem>;

export type ReviewTriage = { card: string; items: TriageItem[] };

export const REMARK_REQUEST =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bshould\b|\bneeds? to\b|\bmust\b|请|应该|改成|改为/i;
const OPTIONAL = /\boptional\b|\bnon-?blocking\b|\bfeel free\b|\bup to you\b|\bno need\b|可选|随意|不强求/i;
export const REMARK_PRAISE =
  /^\W*(?:lgtm|nice|great|good (?:catch|job|work|idea|point)|looks good|love (?:it|this)|well done|thanks?|thank you|awesome|perfect|cool|不错|很好|赞|谢谢)/i;
const QUESTION =
  /[?？]\s*$|吗\s*(?:。\s*)?$|^(?:why|what|how|when|where|who|is|are|does|do|did|was)\b.{0,1000}[?？]|为什么/im;
const SUGGESTION = /^[ \t]*(?:`{3,}|~{3,})suggestion\b/m;

const hasSuggestion = (body: string): boolean => SUGGESTION.test(body);

/** F7: a proposal from the remark's text; a user decides. */
export const proposeChoice = (
  remark: Pick<ReviewRemark, 'body' | 'path'> & Partial<Pick<ReviewRemark, 'line' | 'start'>>,
  may: TriageItem['access'],
): RemarkChoice => {
  const { body, path } = remark;
  // guard: P5-outsiders-ignored
  if (may === 'read') return 'ignore';
  if (hasSuggestion(body)) return findSuggestedEdit({ line: null, ...remark }) ? 'apply' : 'fix';
  if (OPTIONAL.test(body)) return 'ignore';
  const asks = REMARK_REQUEST.test(body);
  if (REMARK_PRAISE.test(body.trim()) && !asks) return 'ignore';
  if (!asks && QUESTION.test(body.trim())) return path === null ? 'ignore' : 'reply';
  return 'fix';
};

export const nextChoice = (
  item: Pick<TriageItem, 'choice' | 'path' | 'body'> & Partial<Pick<TriageItem, 'line' | 'start'>>,
): RemarkChoice => {
  // A review's summary has no thread.
  const round = REMARK_CHOICES.filter(
    (c) =>
      (c !== 'reply' || item.path !== null) &&
      (c !== 'apply' || findSuggestedEdit({ line: null, ...item }) !== null),
  );
  return round[(round.indexOf(item.choice) + 1) % round.length] ?? 'ignore';
};

export const ThreadAnswer = z.object({
  thread: z.string(),
  to: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  body: z.string(),
  wordsOf: z.enum(['person', 'agent', 'product']).exactOptional(),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswer>;

/** G6: a signature covers exactly these texts in these threads. */
export const ReplyFields = z.object({
  action: z.literal('reply'),
  repoId: z.string(),
  pull: z.string(),
  answers: z.array(ThreadAnswer),
  again: z.array(z.string()),
  policyVersion: z.string(),
  assessment: Assessment,
});
export type ReplyFields = z.infer<typeof ReplyFields>;
export const ReplyProposal = z.object({ digest: z.string(), fields: ReplyFields });
export type ReplyProposal = z.infer<typeof ReplyProposal>;

const ANSWER_OUTCOMES = ['posted', 'deleted', 'locked', 'refused'] as const;
export const AnswerOutcome = z.object({
  thread: z.string(),
  outcome: z.enum(ANSWER_OUTCOMES),
  url: z.string().nullable(),
  message: z.string(),
});
export type AnswerOutcome = z.infer<typeof AnswerOutcome>;

export type PendingReplies = { proposal: ReplyProposal; signature: { id: string; by: string } | null };
export type PostedAnswers = {
  id: string;
  by: string;
  outcomes: AnswerOutcome[];
  reviewRequest: 'asked' | 'failed' | null;
};

const CONVERSATION = 'conversation:';
/** F7: the thread of an answer to a comment on the pull request itself. */
export const conversationThreadId = (comment: string): string => `${CONVERSATION}${comment}`;
export const isConversation = ({ thread }: { thread: string }): boolean => thread.startsWith(CONVERSATION);
export const hasThread = (item: Pick<TriageItem, 'path' | 'thread'>): boolean =>
  item.path !== null || isConversation(item);

export const isAnswerable = (
  { path, thread, answer: words, answeredBy, fixedIn }: TriageItem,
  own: boolean,
): boolean => {
  if (!hasThread({ path, thread })) return false;
  return own ? words !== null && answeredBy === 'person' : words !== null || fixedIn !== null;
};

/** L4: a hidden line by which our answer is recognised. */
export const replyMark = (run: string, remark: string): string => `<!-- agentpr:${run}/${remark} -->`;
