/**
 * F7: what reviewers say of lines, what is proposed about each remark, and what is answered: data,
 * without a sentence of ours.
 */
import { z } from 'zod';
import { Assessment } from './change-facts.ts';
import { editOf } from './suggested-edits.ts';

/** Rights of somebody on the repository; only `write` may steer an agent (P5). */
const access = z.enum(['write', 'read', 'unknown']);

/** In characters; of a longer remark or hunk the rest is cut. */
const LONGEST_REMARK = 20_000;
const LONGEST_HUNK = 4_000;
/** As many as one look brings. */
export const MAX_REMARKS = 100;

/** One remark on a line of the diff. */
export const ReviewRemark = z.object({
  id: z.string(),
  /** The first comment of its thread: answers go there. */
  thread: z.string(),
  /** Null for the words of the review itself. */
  path: z.string().nullable(),
  /** 1-based in the new file; null when the line is gone, or none is meant. */
  line: z.number().nullable(),
  hunk: z.string().max(LONGEST_HUNK),
  body: z.string().max(LONGEST_REMARK),
  url: z.string(),
  /** The first of several lines. */
  start: z.number().exactOptional(),
  /** `Name <address>`, for the commit that takes a suggestion over. */
  by: z.string().max(300).exactOptional(),
});
export type ReviewRemark = z.infer<typeof ReviewRemark>;
export const cutRemark = (one: ReviewRemark): ReviewRemark => ({
  ...one,
  // The line that is meant is the last one of its hunk.
  hunk: one.hunk.slice(-LONGEST_HUNK),
  body: one.body.slice(0, LONGEST_REMARK),
});

/** `apply`: the lines that it suggests, without an agent. */
export const REMARK_CHOICES = ['apply', 'fix', 'reply', 'ignore'] as const;
export type RemarkChoice = (typeof REMARK_CHOICES)[number];

/** A remark that waits for a person's choice, or for what was chosen to be done. */
export const TriageItem = ReviewRemark.extend({
  review: z.string(),
  reviewer: z.string(),
  access,
  choice: z.enum(REMARK_CHOICES),
  /** The answer; null while there is none. */
  answer: z.string().nullable(),
  /** Who chose the words. */
  answeredBy: z.enum(['person', 'agent']).nullable(),
  /** What happened to the remark since the card was shown first. */
  changedSince: z.enum(['edited', 'withdrawn', 'gone', 'rights_lost']).nullable(),
  /** The commit that a fix for it was pushed with. */
  fixedIn: z.string().nullable(),
});
export type TriageItem = z.infer<typeof TriageItem>;

/** One card for all that waits; `card` names it. */
export type ReviewTriage = { card: string; items: TriageItem[] };

const REMARK_REQUEST =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bshould\b|\bneeds? to\b|\bmust\b|请|应该|改成|改为/i;
const OPTIONAL = /\boptional\b|\bnon-?blocking\b|\bfeel free\b|\bup to you\b|\bno need\b|可选|随意|不强求/i;
const PRAISE =
  /^\W*(?:lgtm|nice|great|good (?:catch|job|work|idea|point)|looks good|love (?:it|this)|well done|thanks?|thank you|awesome|perfect|cool|不错|很好|赞|谢谢)/i;
const QUESTION =
  /[?？]\s*$|吗\s*[。]?\s*$|^(?:why|what|how|when|where|who|is|are|does|do|did|was)\b.*[?？]|为什么/im;
const SUGGESTION = /^[ \t]*(?:`{3,}|~{3,})suggestion\b/m;

/** Whether a remark brings the lines that it wants. */
export const hasSuggestion = (body: string): boolean => SUGGESTION.test(body);

/** F7: what is proposed about a remark, by its words alone; a person decides. */
export const proposedFor = (
  remark: Pick<ReviewRemark, 'body' | 'path'> & Partial<Pick<ReviewRemark, 'line' | 'start'>>,
  may: TriageItem['access'],
): RemarkChoice => {
  const { body, path } = remark;
  // guard: P5-outsiders-ignored
  if (may === 'read') return 'ignore';
  if (hasSuggestion(body)) return editOf({ line: null, ...remark }) ? 'apply' : 'fix';
  if (OPTIONAL.test(body)) return 'ignore';
  const asks = REMARK_REQUEST.test(body);
  if (PRAISE.test(body.trim()) && !asks) return 'ignore';
  if (!asks && QUESTION.test(body.trim())) return path === null ? 'ignore' : 'reply';
  return 'fix';
};

/** The choice after this one, as a tap goes round: of what can be done about this remark. */
export const nextChoice = (
  item: Pick<TriageItem, 'choice' | 'path' | 'body'> & Partial<Pick<TriageItem, 'line' | 'start'>>,
): RemarkChoice => {
  // The words of a review have no thread to answer in.
  const round = REMARK_CHOICES.filter(
    (c) =>
      (c !== 'reply' || item.path !== null) && (c !== 'apply' || editOf({ line: null, ...item }) !== null),
  );
  return round[(round.indexOf(item.choice) + 1) % round.length] ?? 'ignore';
};

/** One answer as it becomes public, and where. */
export const ThreadAnswer = z.object({
  thread: z.string(),
  to: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  body: z.string(),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswer>;

/** G6: what a signature on answers covers: exactly these bytes, in these threads. */
export const ReplyFields = z.object({
  action: z.literal('reply'),
  repoId: z.string(),
  pull: z.string(),
  answers: z.array(ThreadAnswer),
  /** Reviewers who are asked to look again. */
  again: z.array(z.string()),
  policyVersion: z.string(),
  assessment: Assessment,
});
export type ReplyFields = z.infer<typeof ReplyFields>;
export const ReplyProposal = z.object({ digest: z.string(), fields: ReplyFields });
export type ReplyProposal = z.infer<typeof ReplyProposal>;

export const ANSWER_OUTCOMES = ['posted', 'gone', 'locked', 'refused'] as const;
/** What became of one answer. */
export const AnswerOutcome = z.object({
  thread: z.string(),
  outcome: z.enum(ANSWER_OUTCOMES),
  /** Where people read it. */
  url: z.string().nullable(),
  message: z.string(),
});
export type AnswerOutcome = z.infer<typeof AnswerOutcome>;

/** Answers that wait for a signature, or are being posted since somebody gave it. */
export type PendingReplies = { proposal: ReplyProposal; signature: { id: string; by: string } | null };
/** What became of those that were signed last. */
export type PostedAnswers = {
  id: string;
  by: string;
  outcomes: AnswerOutcome[];
  reviewRequest: 'asked' | 'failed' | null;
};

/** Of a fix that is public, or of a remark that somebody has words for. */
export const isAnswerable = ({ path, answer: words, fixedIn }: TriageItem): boolean =>
  path !== null && (words !== null || fixedIn !== null);

/** L4: the hidden line by which an answer of ours is known again. */
export const replyMark = (run: string, remark: string): string => `<!-- agentpr:${run}/${remark} -->`;
