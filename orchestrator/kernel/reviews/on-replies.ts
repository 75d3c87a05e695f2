/** Handles answers to remarks: a card that signs them, a no to it, and what was posted (F7). */
import { z } from 'zod';
import { denyingPolicies } from '#model/assessment';
import { wordsFeedback } from '#model/feedback';
import { AnswerOutcome, ReplyProposal } from '#model/review';
import { isTerminal, isWatching, RUN_STATES } from '#model/run';
import { defineResult, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { requestReplies } from '../lifecycle/enter-state.ts';
import { enterIteration, settleState } from '../lifecycle/settle-state.ts';
import { addMessage, addWork, askToSign, showGate, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import type { LiveApproval } from '../run/run.ts';
import { SETTLED, WATCHING } from '../run/state-groups.ts';
import { closeRemarks } from './on-open-remarks.ts';

/** G6: a policy allows the answers, or a card asks to sign exactly them. */
const onRepliesSealed = (draft: StepDraft, { proposal }: InputOf<'worker.replies.sealed'>): HandlerRuling => {
  const { run } = draft;
  const { assessment } = proposal.fields;
  // guard: G6-reply-denied
  if (assessment.decision === 'deny') {
    run.review.chosenRemarks = [];
    addMessage(
      draft,
      { view: 'note', note: { kind: 'replies_denied', objections: denyingPolicies(assessment) } },
      { urgent: true, sound: true },
    );
    settleState(draft);
    return undefined;
  }
  run.review.pendingReplies = { proposal, signature: null };
  askToSign(draft, 'reply');
  return undefined;
};

export const signAnswers = (
  draft: StepDraft,
  id: string,
  digest: string,
  signatures: LiveApproval['signatures'],
): HandlerRuling => {
  const { run } = draft;
  if (!run.review.pendingReplies) throw new Error(`nothing to answer on run ${run.id}`);
  const effectIndex = addWork(draft, { kind: 'reply', approvalId: id, digest });
  draft.approvals.push({ op: 'consume', id, digest, at: draft.stamp.at, effectIndex });
  run.gate.approval = null;
  run.review.pendingReplies = {
    ...run.review.pendingReplies,
    signature: { id, by: signatures.map((s) => s.name).join(', ') },
  };
  showGate(draft, id, { sound: false });
  return undefined;
};

/** A denial with a wish goes to the agent, as on every card. */
export const denyAnswers = (
  draft: StepDraft,
  { by, reason, retryNow: again }: InputOf<'command.deny'>,
): HandlerRuling => {
  const { run } = draft;
  const { approval } = run.gate;
  if (!approval) return { ignore: 'card closed' };
  run.gate.approval = null;
  run.review.chosenRemarks = [];
  run.review.pendingReplies = null;
  const why = { kind: 'rejected', by: by.name, note: reason.trim() } as const;
  draft.approvals.push({ op: 'close', id: approval.id, state: 'denied', reason: why });
  showGate(draft, approval.id, { sound: false });
  if (again && why.note !== '')
    enterIteration(draft, { kind: 'person_request', feedback: wordsFeedback(why.note), purpose: [] });
  settleState(draft);
  return undefined;
};

/** A published answer is a fact, whatever the run has moved on to. */
const onRepliesPosted = (draft: StepDraft, input: InputOf<'worker.replies.posted'>): HandlerRuling => {
  const { run } = draft;
  const { approvalId: id, outcomes, reviewRequest: again } = input;
  if (run.review.postedReplies?.id === id) return { ignore: 'known already' };
  const by = run.review.pendingReplies?.signature?.id === id ? run.review.pendingReplies.signature.by : '';
  const done = new Set(outcomes.map(({ thread }) => thread));
  run.review.postedReplies = { id, by, outcomes, reviewRequest: again };
  const answered = run.review.chosenRemarks.filter(({ thread }) => done.has(thread));
  closeRemarks(draft, (remark) => answered.some(({ id: of, url }) => of === remark.id || url === remark.id));
  run.review.chosenRemarks = run.review.chosenRemarks.filter(({ thread }) => !done.has(thread));
  if (run.review.pendingReplies?.signature?.id === id) run.review.pendingReplies = null;
  showGate(draft, id, { sound: false });
  if (isTerminal(run.lifecycle.state)) return undefined;
  if (isWatching(run.lifecycle.state) && !run.gate.approval) requestReplies(draft);
  settleState(draft);
  return undefined;
};

export const REPLY_RESULTS = [
  defineResult({
    type: 'worker.replies.sealed',
    fields: { proposal: ReplyProposal },
    moves: stayIn(WATCHING, 'a card with the answers'),
    handle: (d, input): HandlerRuling => onRepliesSealed(d, input),
  }),
  defineResult({
    type: 'worker.replies.posted',
    fields: {
      approvalId: z.string(),
      outcomes: z.array(AnswerOutcome),
      reviewRequest: z.enum(['asked', 'failed']).nullable(),
    },
    moves: [...stayIn(RUN_STATES, 'what became of the answers'), moveFrom(WATCHING, SETTLED, 'then settled')],
    late: (d, input): HandlerRuling => onRepliesPosted(d, input),
    handle: (d, input): HandlerRuling => onRepliesPosted(d, input),
  }),
];
