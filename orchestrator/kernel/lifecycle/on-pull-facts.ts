/** Handles what the code host shows of a pull request: it folds in, then the state is settled. */
import { z } from 'zod';
import { CheckFact, MergeRequirement } from '#model/ci';
import { OpaqueId } from '#model/order';
import { MAX_REMARKS, ReviewRemark } from '#model/review';
import { STATE_TRAITS } from '#model/run';
import { ACCESS, showReview } from '../reviews/on-comment.ts';
import { recordReviewRemarks } from '../reviews/on-open-remarks.ts';
import { addReviewToTriage } from '../reviews/on-review-threads.ts';
import { copyRun, type Run } from '../run/run.ts';
import { LIVE, OPENED, SETTLED, WATCHING } from '../run/state-groups.ts';
import { reportPullChanges } from '../upstream/report-pull-changes.ts';
import { defineFact, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import { foldFact, PULL_FIELDS, type ObservedFact } from './fold-facts.ts';
import { followRepository } from './on-repository-changed.ts';
import { settleState } from './settle-state.ts';
import { addMessage, attentionView, attentionSlot, type StepDraft } from './step-draft.ts';

const onObserved = (draft: StepDraft, input: ObservedFact): HandlerRuling => {
  const { run } = draft;
  const { state } = run.lifecycle;
  const known: Run = copyRun(run);
  const stood = run.upstream.observed.pull?.baseStatus;
  const told = foldFact(draft, input);
  const conflicted = stood !== 'conflicts' && run.upstream.observed.pull?.baseStatus === 'conflicts';
  const brought = input.type === 'forge.review.submitted' && addReviewToTriage(draft, input);
  if (input.type === 'forge.review.submitted') recordReviewRemarks(draft, input);
  const waits = run.review.remarks !== known.review.remarks;
  const heard =
    input.type === 'forge.review.submitted' && !input.remarks && showReview(draft, input, { changed: told });
  const followed = input.type === 'forge.pull.observed' && followRepository(draft);
  settleState(draft);
  if (conflicted && run.lifecycle.epoch === known.lifecycle.epoch) tellConflict(draft);
  reportPullChanges(draft, known);
  return told || brought || heard || waits || followed || run.lifecycle.state !== state
    ? undefined
    : { ignore: 'nothing new' };
};

/** S10: a conflicting pull request cannot be merged until it is updated. */
const tellConflict = (draft: StepDraft): void => {
  if (STATE_TRAITS[draft.run.lifecycle.state].updates)
    addMessage(draft, attentionView(draft.run), {
      slot: attentionSlot(draft.run),
      urgent: true,
      sound: true,
    });
};

export const OBSERVED_FACTS = [
  defineFact({
    type: 'forge.pull.observed',
    fields: PULL_FIELDS,
    moves: [
      moveFrom(
        ['PAUSED'],
        [...SETTLED, 'FAILED_RETRYABLE'],
        'pushes work again: to where it was; then a kept result and the facts',
      ),
      moveFrom([...WATCHING, 'ITERATING', 'FAILED_RETRYABLE'], ['PAUSED'], 'nothing can be pushed'),
      ...stayIn(LIVE, 'a fact'),
      moveFrom(OPENED, ['DONE', 'FAILED_TERMINAL'], 'merged, closed'),
      moveFrom(
        [...WATCHING, 'ITERATING', 'FAILED_RETRYABLE'],
        ['NEEDS_HUMAN_REVIEW'],
        'a head that is not ours',
      ),
      moveFrom(WATCHING, ['ITERATING'], 'red on the old base: compared with the new one'),
    ],
    handle: (d, input): HandlerRuling => onObserved(d, input),
  }),
  defineFact({
    type: 'forge.head.observed',
    fields: { branch: z.string(), sha: z.string().nullable() },
    moves: [
      ...stayIn(LIVE, 'a fact'),
      moveFrom(
        LIVE.filter((state) => state !== 'PAUSED'),
        ['NEEDS_HUMAN_REVIEW'],
        'a head that is not ours',
      ),
    ],
    handle: (d, input): HandlerRuling => onObserved(d, input),
  }),
  defineFact({
    type: 'forge.check.observed',
    fields: { sha: z.string(), check: CheckFact },
    moves: [
      ...stayIn(LIVE, 'a fact'),
      moveFrom(WATCHING, ['CI_WAIT', 'ITERATING', 'NEEDS_HUMAN_REVIEW'], 'red, or running again'),
    ],
    handle: (d, input): HandlerRuling => onObserved(d, input),
  }),
  defineFact({
    type: 'forge.ci.observed',
    fields: {
      sha: z.string(),
      checks: z.array(CheckFact),
      required: z.array(MergeRequirement),
      awaitsMaintainer: z.boolean().default(false),
      /** Some checks may not be read, or are too many. */
      partial: z.boolean().default(false),
      usesMergeQueue: z.boolean().default(false),
      /** The base branch is protected or has rules; absent when unknown. */
      isProtected: z.boolean().exactOptional(),
      /** Start of the poll (epoch ms); null counts as now. */
      polledAt: z.number().nullable().default(null),
    },
    moves: [
      ...stayIn(LIVE, 'a fact'),
      moveFrom(WATCHING, SETTLED, 'verdict'),
      moveFrom(['NEEDS_HUMAN_REVIEW'], ['REVIEW_WAIT'], 'passed when somebody else ran it again'),
    ],
    handle: (d, input): HandlerRuling => onObserved(d, input),
  }),
  defineFact({
    type: 'forge.review.submitted',
    fields: {
      id: OpaqueId,
      url: z.string(),
      reviewer: z.string(),
      access: ACCESS,
      state: z.enum(['approved', 'wants_changes', 'remarked', 'withdrawn']),
      commitSha: z.string(),
      body: z.string(),
      submittedAt: z.number(),
      bot: z.literal(true).exactOptional(),
      /** Remarks on lines; false or absent when more exist than were read. */
      remarks: z.array(ReviewRemark).max(MAX_REMARKS).exactOptional(),
      hasAllRemarks: z.boolean().exactOptional(),
    },
    moves: [
      ...stayIn(LIVE, 'a fact'),
      moveFrom(WATCHING, ['ITERATING', 'NEEDS_HUMAN_REVIEW'], 'changes requested'),
    ],
    handle: (d, input): HandlerRuling => onObserved(d, input),
  }),
];
