/** Handles a person's question to the agent: card, seal and state stay as they are (E21). */
import { z } from 'zod';
import { QuestionOutcome } from '#model/agent';
import { Person } from '#model/order';
import { ContainmentLevel, ExposedCredential } from '#model/evidence';
import { AgentSession, ModelUsage } from '#model/reports';
import { isWorking } from '#model/run';
import { recordContainment } from '../gate/on-take-back.ts';
import { defineCommand, defineResult, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from '../lifecycle/result-fields.ts';
import { toBudgetReason } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { addMessage, addWork, endQuestion, keepQuestion, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { permissionQuestionOf } from '../run/permissions.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { findOpenQuestion, type Run } from '../run/run.ts';
import { CHECKING, LIVE, WATCHING } from '../run/state-groups.ts';

/** In these states nothing of ours may work in the workspace. */
const ASKABLE = [...CHECKING, 'PUSHED', ...WATCHING, 'NEEDS_HUMAN_REVIEW'] as const;

/** Checks and fixes work until their card is there, and after its approval nothing is left but publishing. */
const isAtWork = ({ lifecycle: { state, epoch }, gate: { approval, consumedApproval } }: Run): boolean =>
  isWorking(state) && approval === null && consumedApproval?.epoch !== epoch;

const onQuestion = (draft: StepDraft, { by, text, chat }: InputOf<'command.question.ask'>): HandlerRuling => {
  const { run, stamp } = draft;
  const { id: of } = run;
  // guard: E21-not-at-work
  if (isAtWork(run)) return { refuse: { kind: 'agent_at_work', run: of } };
  if (text.trim() === '') return { refuse: { kind: 'text_missing' } };
  // guard: E21-cannot-answer-told
  if (run.agent.session === null)
    return { refuse: { kind: 'no_conversation', run: of, engine: engineOf(run) } };
  if (permissionQuestionOf(run)) return { refuse: { kind: 'permission_first', run: of } };
  if (findOpenQuestion(run)) return { refuse: { kind: 'question_open', run: of } };
  const spent = findExhaustedBudget(run);
  // guard: E21-within-budget
  if (spent) return { refuse: { kind: 'run_stopped', by: toBudgetReason(run, spent) } };
  const id = stamp.nonce;
  keepQuestion(draft, {
    id,
    text: text.trim(),
    by: by.name,
    chat: chat ?? null,
    askedAt: stamp.at,
    outcome: null,
  });
  addWork(draft, { kind: 'answer_question', question: id, askedAt: stamp.at });
  return undefined;
};

/** What it cost counts in any case; only the open question has an answer. */
const onAnswered = (draft: StepDraft, input: InputOf<'worker.question.answered'>): HandlerRuling => {
  const { run } = draft;
  const question = findOpenQuestion(run);
  const isAwaited = question?.id === input.question;
  countSpending(draft, { ...input, session: isAwaited ? input.session : null });
  recordContainment(run, input);
  if (!isAwaited) return undefined;
  if (input.outcome.kind === 'failed' && input.outcome.class === 'session_lost') run.agent.session = null;
  endQuestion(draft, question, input.outcome);
  if (input.discardedEdits)
    addMessage(draft, { view: 'discarded_edits', discardedEdits: input.discardedEdits });
  return undefined;
};

export const QUESTION_COMMANDS = [
  defineCommand({
    type: 'command.question.ask',
    fields: {
      by: Person,
      /** People’s limits are lower: what is invisible is written out. */
      text: z.string().max(20_000),
      /** Where it was asked; the answer comes there. */
      chat: z.string().exactOptional(),
    },
    moves: stayIn(ASKABLE, 'a question to the agent: card and seal stay'),
    handle: (d, input): HandlerRuling => onQuestion(d, input),
  }),
];

export const QUESTION_RESULTS = [
  defineResult({
    type: 'worker.question.answered',
    fields: {
      question: z.string(),
      outcome: QuestionOutcome,
      session: AgentSession.nullable(),
      usage: ModelUsage,
      /** Agent time (ms). */
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
      turns: TURNS,
      containment: ContainmentLevel.nullable(),
      exposedCredentials: ExposedCredential.nullable().exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: stayIn(LIVE, 'the answer to a question'),
    late: (d, input): HandlerRuling => onAnswered(d, input),
    handle: (d, input): HandlerRuling => onAnswered(d, input),
  }),
];
