/** Comments and reviews reach no agent by themselves: a person sees them and may tap (P5). */
import { z } from 'zod';
import { remarkFingerprint } from '#model/review';
import { defineFact, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { OPENED } from '../run/state-groups.ts';
import { recordCommentRemark } from './on-open-remarks.ts';

/** A commenter's rights on the repository; only `write` may steer an agent (P5). */
export const ACCESS = z.enum(['write', 'read', 'unknown']);

const MAX_REMEMBERED_COMMENTS = 200;

type Words = { author: string; access: 'write' | 'read' | 'unknown'; body: string };
/** P5: comments reach no agent by themselves; a user sees them and may tap. */
const tellWords = (draft: StepDraft, { author, access, body }: Words, url: string, bot?: true): void => {
  const view = { view: 'comment', author, access, body, url, forwardedBy: null } as const;
  addMessage(draft, { ...view, ...(bot ? { bot } : {}) }, { slot: `comment:${url}` });
};

/** Shows a review that steers nothing by itself, once. Returns whether it was news. */
export const showReview = (
  draft: StepDraft,
  input: InputOf<'forge.review.submitted'>,
  { changed }: { changed: boolean },
): boolean => {
  const { pullRequest: pr, observed: seen } = draft.run.upstream;
  const { id, url, reviewer, access, state, body, submittedAt: at } = input;
  const steers = state === 'wants_changes' && access === 'write' && input.bot !== true;
  const says = body.trim() !== '' && (state === 'remarked' || state === 'wants_changes');
  // A login may be `constructor`.
  const last = Object.hasOwn(seen.reportedReviews, reviewer) ? seen.reportedReviews[reviewer] : undefined;
  const known = last?.at === at ? last.ids : [];
  // A review is shown again when its author's rights become known.
  if (!pr || steers || !says || (last && at < last.at) || (known.includes(id) && !changed)) return false;
  const heard = { at, ids: [...new Set([...known, id])] };
  draft.run.upstream.observed = { ...seen, reportedReviews: { ...seen.reportedReviews, [reviewer]: heard } };
  if (!isSaidAgain(draft, reviewer, input))
    tellWords(draft, { author: reviewer, access, body }, url, input.bot);
  return true;
};

const MAX_PROGRAM_SAYINGS = 100;

/** F7: a program that says the same again, of other lines or commits, is heard once. */
const isSaidAgain = (
  { run }: StepDraft,
  author: string,
  { body, bot }: { body: string; bot?: true },
): boolean => {
  if (!bot) return false;
  const { observed: seen } = run.upstream;
  const said = remarkFingerprint(author, body);
  const sayings = seen.reportedBotTexts ?? [];
  if (sayings.includes(said)) return true;
  run.upstream.observed = { ...seen, reportedBotTexts: [...sayings, said].slice(-MAX_PROGRAM_SAYINGS) };
  return false;
};

const onComment = (draft: StepDraft, input: InputOf<'forge.comment.created'>): HandlerRuling => {
  const { run } = draft;
  if (!run.upstream.pullRequest) return { ignore: 'no pull request' };
  const before = run.review.remarks;
  recordCommentRemark(draft, input);
  if (run.upstream.observed.reportedComments.includes(input.url))
    return run.review.remarks === before ? { ignore: 'told already' } : undefined;
  run.upstream.observed = {
    ...run.upstream.observed,
    reportedComments: [...run.upstream.observed.reportedComments, input.url].slice(-MAX_REMEMBERED_COMMENTS),
  };
  if (!isSaidAgain(draft, input.author, input)) tellWords(draft, input, input.url, input.bot);
  return undefined;
};

export const COMMENT_FACTS = [
  defineFact({
    type: 'forge.comment.created',
    fields: {
      author: z.string(),
      access: ACCESS,
      body: z.string(),
      url: z.string(),
      createdAt: z.number(),
      bot: z.literal(true).exactOptional(),
      answered: z.literal(true).exactOptional(),
    },
    moves: stayIn(OPENED, 'shown to a person'),
    handle: (d, input): HandlerRuling => onComment(d, input),
  }),
];
