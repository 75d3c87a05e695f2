/** Holds one step under construction: the next run, its effects and approval changes. */
import { findFirstQuestion } from '../run/first-question.ts';
import {
  chatFor,
  type ApprovalChange,
  type Effect,
  type MessageView,
  type WorkEffect,
} from '../effects/effect-types.ts';
import type { QuestionOutcome } from '#model/agent';
import type { Input, InputStamp } from '../run/input-types.ts';
import {
  copyRun,
  digestFor,
  patchRun,
  type ApprovalKind,
  type PersonQuestion,
  type Run,
} from '../run/run.ts';
import { permissionQuestionOf } from '../run/permissions.ts';
import { findHostStop } from './campaign-exclusion.ts';
import type { Reason } from '../run/reasons.ts';
import { demandsOf, signatureProgress } from '#model/assessment';
import { isUnsignable } from '#model/seal';
import type { PollOutage } from '#model/failure';
import { isTerminal } from '#model/run';

export type StepDraft = { run: Run; stamp: InputStamp; effects: Effect[]; approvals: ApprovalChange[] };

export const beginStep = (run: Run, stamp: InputStamp): StepDraft => ({
  run: patchRun(copyRun(run), { lifecycle: { version: run.lifecycle.version + 1, updatedAt: stamp.at } }),
  stamp,
  effects: [],
  approvals: [],
});

export const addWork = (draft: StepDraft, effect: WorkEffect, delay = 0): number => {
  if (effect.kind === 'implement') closeRepeatedCalls(draft);
  return draft.effects.push({ do: effect, dueAt: draft.stamp.at + delay }) - 1;
};

export const addOfferedInput = (draft: StepDraft, input: Input, delay: number): void => {
  draft.effects.push({ do: { kind: 'offer_input', input }, dueAt: draft.stamp.at + delay });
};

/** E17: the workspace is reset once, before the next agent round; null takes the request back. */
export const requestReset = ({ run: { change }, stamp }: StepDraft, sha: string | null): void => {
  change.resetTo = sha;
  if (sha === null) delete change.resetAskedAt;
  else change.resetAskedAt = stamp.at;
};

/** Views that a campaign's card shows for its runs. Questions are sent separately. */
const ON_ITS_CARD: readonly MessageView['view'][] = ['progress', 'ended', 'budget', 'pictures'];
const isOnItsCard = (run: Run, show: MessageView): boolean =>
  ON_ITS_CARD.includes(show.view) ||
  (show.view === 'note' && show.note.kind === 'pull_changed') ||
  (show.view === 'attention' && (findHostStop(run) !== null || findFirstQuestion(run) !== null));

type Telling = { slot?: string; urgent?: boolean; sound?: boolean };
export const addMessage = (
  draft: StepDraft,
  show: MessageView,
  { slot, urgent = false, sound = false }: Telling = {},
): void => {
  if (chatFor(draft.run.order, show) === null) return;
  if (draft.run.order.campaign !== undefined && isOnItsCard(draft.run, show)) return;
  const effect: Effect = {
    do: { kind: 'chat_message', slot: slot ?? null, content: show, urgent, sound },
    dueAt: draft.stamp.at,
  };
  // A slot keeps its newest message, replaced in place: approvals name effects by index.
  const same = draft.effects.findIndex(
    (e) => e.do.kind === 'chat_message' && e.do.slot !== null && e.do.slot === slot,
  );
  if (same >= 0) draft.effects[same] = effect;
  else draft.effects.push(effect);
};

/** C4: nobody stops an agent by the message of a round that is over. */
export const closeRepeatedCalls = (draft: StepDraft): void => {
  const { agent } = draft.run;
  for (const { slot, ...repeated } of agent.repeatedCalls ?? [])
    addMessage(draft, { view: 'repeated_call', ...repeated, answered: 'over' }, { slot });
  if (agent.repeatedCalls) agent.repeatedCalls = [];
};

/** C4: the agent's question reaches people while its work goes on. */
export const reportQuestion = (draft: StepDraft, question: string | null): void => {
  // guard: C4-question-told
  if (question !== null)
    addMessage(draft, { view: 'note', note: { kind: 'agent_asked', question } }, { urgent: true });
};

export const refreshProgress = (draft: StepDraft, before: Run): void => {
  const { run } = draft;
  const blind = run.upstream.observed.outage ?? before.upstream.observed.outage;
  if (
    run.lifecycle.epoch !== before.lifecycle.epoch ||
    !(run.upstream.pullRequest || blind) ||
    isTerminal(run.lifecycle.state)
  )
    return;
  const progressFactsOf = ({ lifecycle: { reason }, upstream: { observed: seen } }: Run): string =>
    JSON.stringify([reason, seen.ci, seen.reviews, seen.pull?.baseStatus, seen.outage]);
  if (progressFactsOf(run) !== progressFactsOf(before))
    addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
};

export const attentionView = (run: Run): MessageView => {
  const question = permissionQuestionOf(run);
  if (question) return { view: 'attention', question: question.id };
  const { foreignHead: foreign } = run.change;
  return foreign?.head ? { view: 'attention', head: foreign.head.sha } : { view: 'attention' };
};

/** A halt has one call for attention, edited when more is known. */
export const attentionSlot = ({ id, lifecycle: { epoch } }: Run): string => `attention:${id}:${epoch}`;
/** A reminder rings, so it is a message of its own, which loses its buttons with the call. */
export const reminderSlot = (run: Run, no: number): string => `${attentionSlot(run)}:${no}`;
/** An outage has one message per chat: the first run's message rings, later ones edit it. */
export const addOutageMessage = (draft: StepDraft, blind: PollOutage | null): void => {
  if (!blind) return;
  const { outageId: spell } = blind;
  const slot = `blind:${draft.run.order.chat}:${spell}`;
  addMessage(
    draft,
    { view: 'outage', outageId: spell },
    { slot, sound: draft.run.upstream.observed.outage !== null },
  );
};

export const gateSlot = (approvalId: string): string => `gate:${approvalId}`;
export const progressSlot = (runId: string): string => `progress:${runId}`;

export const showGate = (draft: StepDraft, approvalId: string, { sound }: { sound: boolean }): void =>
  addMessage(
    draft,
    { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    { slot: gateSlot(approvalId), urgent: true, sound },
  );

/** Asks to sign `run.proposal`. The id is the step's nonce, so that nobody can guess it. */
export const askToSign = (draft: StepDraft, kind: ApprovalKind): void => {
  const { order } = draft.run;
  const digest = digestFor(draft.run, kind);
  const { proposal } = draft.run.gate;
  if (digest === null) throw new Error(`no proposal to ask about on run ${draft.run.id}`);
  if (kind !== 'reply' && proposal && isUnsignable(proposal, kind))
    throw new Error(`nobody can sign a conflict away on run ${draft.run.id}`);
  closeApproval(draft, 'void', { kind: 'card_replaced' });
  const { approvalMs, approvals } = order.bounds;
  const judged = kind === 'reply' ? null : proposal?.fields.assessment;
  // guard: G10-needed
  const { needed } = signatureProgress(demandsOf(judged ?? { reasons: [] }, approvals), []);
  const expiresAt = draft.stamp.at + approvalMs;
  // guard: G3-random-card-id
  const id = draft.stamp.nonce;
  draft.run.gate.approval = { id, kind, digest, expiresAt, needed, signatures: [] };
  draft.approvals.push({ op: 'open', id, kind, digest, expiresAt, needed });
  // guard: G3-card-timer
  addOfferedInput(draft, { type: 'timer.approval.expired', approvalId: id }, approvalMs);
  showGate(draft, id, { sound: true });
};

export const closeApproval = (
  draft: StepDraft,
  state: 'void' | 'denied' | 'expired',
  reason: Reason,
): void => {
  const { approval } = draft.run.gate;
  if (!approval) return;
  draft.run.gate.approval = null;
  draft.approvals.push({ op: 'close', id: approval.id, state, reason });
  // guard: G4-void-card-shown
  showGate(draft, approval.id, { sound: false });
};

/** E21: the newest questions stay on the pages of the run. */
const MAX_KEPT_QUESTIONS = 5;

export const keepQuestion = ({ run }: StepDraft, question: PersonQuestion): void => {
  const others = (run.agent.personQuestions ?? []).filter(({ id }) => id !== question.id);
  run.agent.personQuestions = [...others, question].slice(-MAX_KEPT_QUESTIONS);
};

/** E21: whoever asked hears what became of it. */
export const endQuestion = (draft: StepDraft, question: PersonQuestion, outcome: QuestionOutcome): void => {
  const ended = { ...question, outcome };
  keepQuestion(draft, ended);
  addMessage(draft, { view: 'answer', question: ended }, { urgent: true, sound: true });
};

export const rememberOwnCommit = (run: Run, sha: string): void => {
  if (!run.change.ownCommits.includes(sha)) run.change.ownCommits = [...run.change.ownCommits, sha];
};

/** Retries are reset only when a state is left by success, so that they stay bounded inside it. */
export const clearRetries = (draft: StepDraft): void => {
  draft.run.lifecycle.counts = { ...draft.run.lifecycle.counts, retries: 0, providerWaits: 0 };
  draft.run.lifecycle.providerWait = null;
};
