/** Handles remarks on lines: a card of choices, a round of fixes, a card of answers (F7). */
import { z } from 'zod';
import { requestReplies } from '../lifecycle/enter-state.ts';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import type { AskedRemark } from '#model/feedback';
import type { ProposedReply } from '#model/agent';
import { Person } from '#model/order';
import { isTerminal } from '#model/run';
import { hasRequirementRule } from '#model/requirements';
import { findSuggestedEdit, type SuggestedEdit } from '#model/change';
import { hasThread, proposeChoice, REMARK_CHOICES, type TriageItem, type ReviewRemark } from '#model/review';
import { defineCommand, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import type { StartedTriage } from '../effects/effect-types.ts';
import { listHintsWithoutPull } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import { OPENED, WATCHING } from '../run/state-groups.ts';
import { enterIteration } from '../lifecycle/settle-state.ts';
import { closeRemarks, giveRemarksToAgent } from './on-open-remarks.ts';

const MAX_REMEMBERED_REMARKS = 1_000;

export const triageSlot = (run: Pick<Run, 'id'>, card: string): string => `triage:${run.id}:${card}`;

const showTriage = (
  draft: StepDraft,
  card: string,
  begun: StartedTriage | null,
  sound: boolean,
  page = 0,
): void =>
  addMessage(
    draft,
    { view: 'triage', card, page, begun },
    { slot: triageSlot(draft.run, card), urgent: true, sound },
  );

type ReviewFact = InputOf<'forge.review.submitted'>;

/** Shows each remark once, and follows its changes. Returns whether it was news. */
export const addReviewToTriage = (draft: StepDraft, fact: ReviewFact): boolean => {
  const { run } = draft;
  if (!run.upstream.pullRequest || !fact.remarks || fact.bot || isTerminal(run.lifecycle.state)) return false;
  const before = run.review.triage?.items ?? [];
  const kept = before.flatMap((item) => updateRemark(item, fact));
  const changed = kept.some((item, i) => item !== before[i]);
  // guard: F7-brought-once
  const fresh =
    fact.state === 'withdrawn'
      ? []
      : fact.remarks.filter(({ id }) => !run.upstream.observed.triagedRemarks.includes(id));
  if (fresh.length === 0 && !changed) return false;
  const card = run.review.triage?.card ?? String(run.lifecycle.version);
  run.review.triage = { card, items: [...kept, ...fresh.map((remark) => itemOf(remark, fact))] };
  run.upstream.observed = {
    ...run.upstream.observed,
    triagedRemarks: [...run.upstream.observed.triagedRemarks, ...fresh.map(({ id }) => id)].slice(
      -MAX_REMEMBERED_REMARKS,
    ),
  };
  showTriage(draft, card, null, fresh.length > 0);
  return true;
};

const itemOf = (remark: ReviewRemark, { id: review, reviewer, access }: ReviewFact): TriageItem => ({
  ...remark,
  review,
  reviewer,
  access,
  choice: proposeChoice(remark, access),
  answer: null,
  answeredBy: null,
  changedSince: null,
  fixedIn: null,
});

/** Updates a waiting remark from a re-read review, so that nobody acts on an outdated one. */
const updateRemark = (
  item: TriageItem,
  { id, reviewer, access, state, remarks = [], hasAllRemarks }: ReviewFact,
): TriageItem => {
  if (item.review !== id || item.reviewer !== reviewer) return item;
  const now = remarks.find((one) => one.id === item.id);
  const over: TriageItem['changedSince'] =
    state === 'withdrawn'
      ? 'withdrawn'
      : !now && hasAllRemarks
        ? 'deleted'
        : item.access !== 'read' && access === 'read'
          ? 'rights_lost'
          : null;
  // guard: F7-over-is-ignored
  if (over !== null)
    return item.changedSince === over ? item : { ...item, access, changedSince: over, choice: 'ignore' };
  if (!now || (now.body === item.body && now.line === item.line)) return item;
  // An edited remark is a new wish; a user's answer to the old text does not fit.
  if (now.body === item.body) return { ...item, ...now };
  return {
    ...item,
    ...now,
    changedSince: 'edited',
    choice: proposeChoice(now, access),
    answer: null,
    answeredBy: null,
  };
};

const onReviewChoice = (draft: StepDraft, input: InputOf<'command.review.choose'>): HandlerRuling => {
  const { run } = draft;
  const { card, remark, choice, words } = input;
  const item = run.review.triage?.items.find(({ id }) => id === remark);
  if (run.review.triage?.card !== card || !item) return { refuse: { kind: 'no_remark' } };
  // A review's summary has no thread to reply in.
  if (choice === 'reply' && item.path === null) return { refuse: { kind: 'no_remark' } };
  const said = words === undefined ? {} : ({ answer: words, answeredBy: 'person' } as const);
  run.review.triage = {
    card,
    items: run.review.triage.items.map((one) => (one === item ? { ...one, choice, ...said } : one)),
  };
  showTriage(
    draft,
    card,
    null,
    false,
    Math.floor(run.review.triage.items.findIndex(({ id }) => id === remark) / REMARKS_PER_PAGE),
  );
  return undefined;
};

export const REMARKS_PER_PAGE = 8;

const onReviewBegin = (draft: StepDraft, { by, card }: InputOf<'command.review.begin'>): HandlerRuling => {
  const { run } = draft;
  const { triage } = run.review;
  if (triage?.card !== card) return { refuse: { kind: 'no_remark' } };
  const applies = triage.items.filter(({ choice }) => choice === 'apply');
  const fixes = triage.items.filter(({ choice }) => choice === 'fix');
  const replies = triage.items.filter(({ choice }) => choice === 'reply');
  const unsaid = replies.filter(({ answer: words }) => words === null);
  // An agent that fixes something also proposes the answers.
  if (fixes.length === 0 && unsaid.length > 0)
    return { refuse: { kind: 'no_answer', nos: unsaid.map((one) => triage.items.indexOf(one) + 1) } };
  const fix = applies.length + fixes.length;
  const ignore = triage.items.length - fix - replies.length;
  const begun = { by: by.name, fix, reply: replies.length, ignore };
  run.review.triage = null;
  const taken = applies.map((item) => ({ ...item, choice: 'fix' as const }));
  run.review.chosenRemarks = [...run.review.chosenRemarks, ...taken, ...fixes, ...replies];
  const idsOf = (items: readonly TriageItem[]): Set<string> => new Set(items.map(({ id }) => id));
  const ignored = idsOf(triage.items.filter((item) => item.choice === 'ignore'));
  const fixed = idsOf(triage.items.filter(({ fixedIn }) => fixedIn !== null));
  closeRemarks(draft, ({ id }) => ignored.has(id) && fixed.has(id));
  closeRemarks(draft, ({ id }) => ignored.has(id), { left: true });
  // The words of a review have no thread: the push is its answer.
  const whole = idsOf([...applies, ...fixes].filter(({ path }) => path === null));
  giveRemarksToAgent(draft, ({ id }) => whole.has(id));
  const told = { feedback: [toAskedFeedback(run.review.chosenRemarks)], purpose: [] };
  if (fixes.length > 0) enterIteration(draft, { kind: 'review_fix', ...told });
  else if (applies.length > 0)
    enterIteration(draft, { kind: 'suggested_edits', ...told, ...editsOf(applies) });
  else if (replies.length > 0 && !run.gate.approval) requestReplies(draft);
  showTriage(draft, card, begun, false);
  return undefined;
};

const editsOf = (items: readonly TriageItem[]): { suggestedEdits: SuggestedEdit[]; authors: string[] } => ({
  suggestedEdits: items.flatMap((item) => findSuggestedEdit(item) ?? []),
  authors: [...new Set(items.flatMap(({ by }) => by ?? []))],
});

const toAskedFeedback = (talk: readonly TriageItem[]): { kind: 'remarks'; items: AskedRemark[] } => ({
  kind: 'remarks',
  items: talk.flatMap((item, i) =>
    isOpen(item)
      ? [
          {
            no: i + 1,
            author: item.reviewer,
            path: item.path,
            line: item.line,
            hunk: item.hunk,
            body: item.body,
            answer: item.choice === 'reply',
          },
        ]
      : [],
  ),
});
const isOpen = ({ choice, answer: words, fixedIn }: TriageItem): boolean =>
  choice === 'fix' ? fixedIn === null : words === null;

/** An agent's proposed answer never replaces a user's; each is shown before it is public. */
export const applyProposedReplies = (run: Run, replies: readonly ProposedReply[]): void => {
  // guard: F7-own-words
  if (hasRequirementRule(run.target.contract, 'words')) return;
  if (
    run.agent.round.kind !== 'review_fix' &&
    run.agent.round.kind !== 'suggested_edits' &&
    run.agent.round.purpose[0]?.kind !== 'remarks'
  )
    return;
  run.review.chosenRemarks = run.review.chosenRemarks.map((item, i) => {
    const said = replies.find(({ to }) => to === i + 1);
    return said && isOpen(item) && item.choice === 'reply'
      ? { ...item, answer: said.text, answeredBy: 'agent' }
      : item;
  });
};

/** The fix is public: its remarks can be answered; those without an answer wait again. */
export const markRemarksFixed = (draft: StepDraft, sha: string): void => {
  const { run } = draft;
  closeRemarks(draft, ({ underway }) => underway === true);
  const own = hasRequirementRule(run.target.contract, 'words');
  const now = run.review.chosenRemarks
    .filter((item) => hasThread(item) || (item.choice === 'reply' && item.answer === null))
    .map((item) => (item.choice === 'fix' && item.fixedIn === null ? { ...item, fixedIn: sha } : item));
  const unsaid = now.filter(({ choice, answer: words }) => words === null && (choice === 'reply' || own));
  run.review.chosenRemarks = now.filter((item) => !unsaid.includes(item));
  if (unsaid.length === 0) return;
  const asked = unsaid.map((item) => ({ ...item, choice: 'reply' as const }));
  const card = run.review.triage?.card ?? String(run.lifecycle.version);
  run.review.triage = { card, items: [...(run.review.triage?.items ?? []), ...asked] };
  showTriage(draft, card, null, true);
};

export const TRIAGE_COMMANDS = [
  /** F7: decides about a remark; `card` and `remark` name it, `words` is an answer. */
  defineCommand({
    type: 'command.review.choose',
    fields: {
      by: Person,
      card: z.string(),
      remark: z.string(),
      choice: z.enum(REMARK_CHOICES),
      words: z.string().min(1).max(2_000).exactOptional(),
    },
    moves: stayIn(OPENED, 'what to do about a remark'),
    handle: (d, input): HandlerRuling => onReviewChoice(d, input),
  }),
  defineCommand({
    type: 'command.review.begin',
    fields: { by: Person, card: z.string() },
    moves: [
      ...stayIn(WATCHING, 'answers, or nothing'),
      moveFrom(WATCHING, ['ITERATING', 'NEEDS_HUMAN_REVIEW'], 'a fix'),
    ],
    pushes: true,
    instead: listHintsWithoutPull,
    handle: (d, input): HandlerRuling => onReviewBegin(d, input),
  }),
];
