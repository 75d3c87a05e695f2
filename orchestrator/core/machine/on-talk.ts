/**
 * F7: reviews with remarks on lines: one card to choose from, one round for what is to be fixed, one
 * card for what is answered.
 */
import { answers, ask, showGate, tell, work, type Draft } from './draft.ts';
import { denials } from '../facts.ts';
import { words, type AskedRemark } from '../feedback.ts';
import type { Ruling } from './handler.ts';
import type { InputOf } from './inputs.ts';
import type { Begun } from './effects.ts';
import type { ProposedReply } from '../report.ts';
import type { Approval, Run } from './run.ts';
import { isTerminal, isWatching } from '../states.ts';
import { iterate, settle } from './settle.ts';
import { editOf, type Edit } from '../suggestions.ts';
import { proposedFor, type Item, type Remark } from '../talk.ts';

/** How many remarks are remembered as brought. */
const KNOWN = 1_000;

export const triageSlot = (run: Pick<Run, 'id'>, card: string): string => `triage:${run.id}:${card}`;

const show = (d: Draft, card: string, begun: Begun | null, sound: boolean, page = 0): void =>
  tell(d, { view: 'triage', card, page, begun }, { slot: triageSlot(d.run, card), urgent: true, sound });

type ReviewFact = InputOf<'forge.review.submitted'>;

/**
 * Brings what a review says of lines to a person, once each, and what became of it since: on the
 * card that waits, or a new one. Returns whether it was news.
 */
export const bring = (d: Draft, fact: ReviewFact): boolean => {
  const { run } = d;
  if (!run.upstream.pullRequest || !fact.remarks || fact.bot || isTerminal(run.lifecycle.state)) return false;
  const before = run.review.triage?.items ?? [];
  const kept = before.flatMap((item) => followed(item, fact));
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
    triagedRemarks: [...run.upstream.observed.triagedRemarks, ...fresh.map(({ id }) => id)].slice(-KNOWN),
  };
  show(d, card, null, fresh.length > 0);
  return true;
};

const itemOf = (remark: Remark, { id: review, reviewer, access }: ReviewFact): Item => ({
  ...remark,
  review,
  reviewer,
  access,
  choice: proposedFor(remark, access),
  answer: null,
  answeredBy: null,
  changedSince: null,
  fixedIn: null,
});

/** What a review that is read again says of a remark that waits: nobody acts on what is over. */
const followed = (item: Item, { id, reviewer, access, state, remarks = [], whole }: ReviewFact): Item => {
  if (item.review !== id || item.reviewer !== reviewer) return item;
  const now = remarks.find((one) => one.id === item.id);
  const over: Item['changedSince'] =
    state === 'withdrawn'
      ? 'withdrawn'
      : !now && whole
        ? 'gone'
        : item.access !== 'read' && access === 'read'
          ? 'rights_lost'
          : null;
  // guard: F7-over-is-ignored
  if (over !== null)
    return item.changedSince === over ? item : { ...item, access, changedSince: over, choice: 'ignore' };
  if (!now || (now.body === item.body && now.line === item.line)) return item;
  // Other words are another wish; what a person wrote in answer to the old ones does not fit.
  if (now.body === item.body) return { ...item, ...now };
  return {
    ...item,
    ...now,
    changedSince: 'edited',
    choice: proposedFor(now, access),
    answer: null,
    answeredBy: null,
  };
};

export const choose = (d: Draft, input: InputOf<'command.review.choose'>): Ruling => {
  const { run } = d;
  const { card, remark, choice, words } = input;
  const item = run.review.triage?.items.find(({ id }) => id === remark);
  if (run.review.triage?.card !== card || !item) return { refuse: { kind: 'no_remark' } };
  // Words of a review stand in no thread that could be answered in.
  if (choice === 'reply' && item.path === null) return { refuse: { kind: 'no_remark' } };
  const said = words === undefined ? {} : ({ answer: words, answeredBy: 'person' } as const);
  run.review.triage = {
    card,
    items: run.review.triage.items.map((one) => (one === item ? { ...one, choice, ...said } : one)),
  };
  show(d, card, null, false, Math.floor(run.review.triage.items.findIndex(({ id }) => id === remark) / PAGE));
  return undefined;
};

/** Remarks on one screen. */
export const PAGE = 8;

export const begin = (d: Draft, { by, card }: InputOf<'command.review.begin'>): Ruling => {
  const { run } = d;
  const {
    review: { triage },
  } = run;
  if (triage?.card !== card) return { refuse: { kind: 'no_remark' } };
  const applies = triage.items.filter(({ choice }) => choice === 'apply');
  const fixes = triage.items.filter(({ choice }) => choice === 'fix');
  const replies = triage.items.filter(({ choice }) => choice === 'reply');
  const unsaid = replies.filter(({ answer: words }) => words === null);
  // An agent that has something to fix proposes the answers as well.
  if (fixes.length === 0 && unsaid.length > 0)
    return { refuse: { kind: 'no_answer', nos: unsaid.map((one) => triage.items.indexOf(one) + 1) } };
  const fix = applies.length + fixes.length;
  const ignore = triage.items.length - fix - replies.length;
  const begun = { by: by.name, fix, reply: replies.length, ignore };
  run.review.triage = null;
  const taken = applies.map((item) => ({ ...item, choice: 'fix' as const }));
  run.review.chosenRemarks = [...run.review.chosenRemarks, ...taken, ...fixes, ...replies];
  const told = { feedback: [asked(run.review.chosenRemarks)], purpose: [] };
  // An agent that works all the same takes the suggestions over with the rest.
  if (fixes.length > 0) iterate(d, { kind: 'review_fix', ...told });
  else if (applies.length > 0) iterate(d, { kind: 'suggested_edits', ...told, ...editsOf(applies) });
  else if (replies.length > 0 && !run.gate.approval) answers(d);
  show(d, card, begun, false);
  return undefined;
};

const editsOf = (items: readonly Item[]): { suggestedEdits: Edit[]; authors: string[] } => ({
  suggestedEdits: items.flatMap((item) => editOf(item) ?? []),
  authors: [...new Set(items.flatMap(({ by }) => by ?? []))],
});

/** What the round is told: the remarks that nobody has dealt with, by their places. */
const asked = (talk: readonly Item[]): { kind: 'remarks'; items: AskedRemark[] } => ({
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
const isOpen = ({ choice, answer: words, fixedIn }: Item): boolean =>
  choice === 'fix' ? fixedIn === null : words === null;

/** Answers that the agent proposes: a person's words stay, and each is shown before it is public. */
export const proposedWords = (run: Run, replies: readonly ProposedReply[]): void => {
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

/** A fix is public: its remarks can be answered; those that nobody has words for wait again. */
export const fixed = (d: Draft, sha: string): void => {
  const { run } = d;
  const unsaid = run.review.chosenRemarks.filter((item) => item.choice === 'reply' && item.answer === null);
  run.review.chosenRemarks = run.review.chosenRemarks
    .filter((item) => !unsaid.includes(item) && item.path !== null)
    .map((item) => (item.choice === 'fix' && item.fixedIn === null ? { ...item, fixedIn: sha } : item));
  if (unsaid.length === 0) return;
  const card = run.review.triage?.card ?? String(run.lifecycle.version);
  run.review.triage = { card, items: [...(run.review.triage?.items ?? []), ...unsaid] };
  show(d, card, null, true);
};

/** G6: a policy's word on the answers, or a card that asks to sign exactly them. */
export const sealed = (d: Draft, { proposal }: InputOf<'worker.replies.sealed'>): Ruling => {
  const { run } = d;
  const { assessment } = proposal.fields;
  // guard: G6-reply-denied
  if (assessment.decision === 'deny') {
    run.review.chosenRemarks = [];
    tell(
      d,
      { view: 'note', note: { kind: 'replies_denied', objections: denials(assessment) } },
      { urgent: true, sound: true },
    );
    settle(d);
    return undefined;
  }
  run.review.pendingReplies = { proposal, signature: null };
  ask(d, 'reply');
  return undefined;
};

/** The last signature that was needed. */
export const signAnswers = (
  d: Draft,
  id: string,
  digest: string,
  signatures: Approval['signatures'],
): Ruling => {
  const { run } = d;
  if (!run.review.pendingReplies) throw new Error(`nothing to answer on run ${run.id}`);
  const effectIndex = work(d, { kind: 'reply', approvalId: id, digest });
  d.approvals.push({ op: 'consume', id, digest, at: d.stamp.at, effectIndex });
  run.gate.approval = null;
  run.review.pendingReplies = {
    ...run.review.pendingReplies,
    signature: { id, by: signatures.map((s) => s.name).join(', ') },
  };
  showGate(d, id, false);
  return undefined;
};

/** Words that ask for something else go to the agent, as on every card. */
export const denyAnswers = (d: Draft, { by, reason, retryNow: again }: InputOf<'command.deny'>): Ruling => {
  const { run } = d;
  const {
    gate: { approval },
  } = run;
  if (!approval) return { ignore: 'card closed' };
  run.gate.approval = null;
  run.review.chosenRemarks = [];
  run.review.pendingReplies = null;
  const why = { kind: 'rejected', by: by.name, note: reason.trim() } as const;
  d.approvals.push({ op: 'close', id: approval.id, state: 'denied', reason: why });
  showGate(d, approval.id, false);
  if (again && why.note !== '')
    iterate(d, { kind: 'person_request', feedback: words(why.note), purpose: [] });
  settle(d);
  return undefined;
};

/** What is public now is a fact, whatever the run has moved on to. */
export const posted = (d: Draft, input: InputOf<'worker.replies.posted'>): Ruling => {
  const { run } = d;
  const { approvalId: id, outcomes, reviewRequest: again } = input;
  if (run.review.postedReplies?.id === id) return { ignore: 'known already' };
  const by = run.review.pendingReplies?.signature?.id === id ? run.review.pendingReplies.signature.by : '';
  const done = new Set(outcomes.map(({ thread }) => thread));
  run.review.postedReplies = { id, by, outcomes, reviewRequest: again };
  run.review.chosenRemarks = run.review.chosenRemarks.filter(({ thread }) => !done.has(thread));
  if (run.review.pendingReplies?.signature?.id === id) run.review.pendingReplies = null;
  showGate(d, id, false);
  if (isTerminal(run.lifecycle.state)) return undefined;
  // What was chosen while these were on their way.
  if (isWatching(run.lifecycle.state) && !run.gate.approval) answers(d);
  settle(d);
  return undefined;
};
