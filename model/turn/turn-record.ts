/** One turn of the governed loop as the ledger keeps it: facts for good, texts within a quota (E9). */
import { z } from 'zod';
import { ModelUsage } from '#model/reports';

const STATES = [
  'THINKING',
  'PROPOSING',
  'GOVERNING',
  'EXECUTING',
  'OBSERVING',
  'EVALUATING',
  'ENDED',
] as const;
export type TurnState = (typeof STATES)[number];

export const TURN_TRANSITIONS: Readonly<Record<TurnState, readonly TurnState[]>> = {
  THINKING: ['PROPOSING', 'EVALUATING', 'ENDED'],
  PROPOSING: ['GOVERNING', 'EVALUATING'],
  GOVERNING: ['EXECUTING', 'OBSERVING', 'ENDED'],
  EXECUTING: ['OBSERVING'],
  OBSERVING: ['GOVERNING', 'EVALUATING'],
  EVALUATING: ['THINKING', 'ENDED'],
  ENDED: [],
};

export const TextRef = z.object({ digest: z.string(), length: z.number() });
export type TextRef = z.infer<typeof TextRef>;

const VERDICTS = ['approved', 'modified', 'rejected', 'waits'] as const;
const THOUGHTS = ['none', 'actions', 'report', 'question', 'invalid', 'cut'] as const;
const EVALUATIONS = [
  'goes_on',
  'done',
  'unchanged',
  'asks',
  'waits',
  'invalid',
  'failed',
  'interrupted',
] as const;
const PARTS = ['system', 'guide', 'map', 'message'] as const;
/** Our own measurements of a proposal; no model's word is among them. */
const EVIDENCE = ['agreed', 'read', 'fits', 'checked'] as const;
export type KnownOfProposal = (typeof EVIDENCE)[number];
const PROPOSAL_RESULTS = ['chosen', 'not_chosen', 'denied', 'invalid', 'failed'] as const;
export type ProposalResult = (typeof PROPOSAL_RESULTS)[number];
const Level = z.enum(['low', 'medium', 'high']);
const names = z.array(z.string());

/** P4: `policyVersion` is of the policies that were asked, whoever decided in the end. */
const decisionOf = <T extends z.ZodType>(text: T) =>
  z.object({
    verdict: z.enum(VERDICTS),
    by: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('policy') }),
      z.object({ kind: z.literal('human'), name: z.string() }),
    ]),
    policies: names,
    policyVersion: z.string(),
    reason: text.nullable(),
    original: z.string().nullable(),
    input: text.nullable(),
  });

/** SHA-256 of a file's bytes; null where there is no plain file. `before` is absent when unknown. */
const TurnFileChange = z.object({
  path: z.string(),
  before: z.string().nullable().exactOptional(),
  after: z.string().nullable(),
});

const createThoughtSchema = <T extends z.ZodType>(text: T) =>
  z.object({ kind: z.enum(THOUGHTS), text: text.nullable(), problem: text.nullable() });

const requestSchema = z.object({ tool: z.string(), files: names.nullable(), outside: z.boolean() });

const proposalOf = <T extends z.ZodType>(text: T) =>
  z.object({
    proposer: z.string(),
    model: z.string(),
    prompt: text.nullable(),
    thought: createThoughtSchema(text),
    failure: z.string().nullable(),
    actions: z.array(
      z.object({
        tool: z.string(),
        input: text,
        request: requestSchema,
        verdict: z.enum(['allow', 'granted', 'ask', 'refused', 'deny']),
        risk: Level,
        policies: names,
        policyVersion: z.string(),
        reason: text.nullable(),
        /** Who allowed exactly this, once: as the first proposal of an earlier turn, or in its place. */
        allowedBy: z.string().exactOptional(),
      }),
    ),
    ends: z.boolean(),
    evidence: z.array(z.enum(EVIDENCE)),
    size: z.number(),
    result: z.enum(PROPOSAL_RESULTS),
    usage: ModelUsage,
    ms: z.number(),
  });

const choiceOf = <T extends z.ZodType>(text: T) =>
  z.object({ ranking: z.string(), isLastTurn: z.boolean(), proposals: z.array(proposalOf(text)).max(8) });

const turnOf = <T extends z.ZodType>(text: T) =>
  z.object({
    session: z.string(),
    engine: z.string(),
    model: z.string(),
    context: z.object({
      digest: z.string(),
      tokens: z.number(),
      parts: z.array(z.object({ kind: z.enum(PARTS), name: z.string(), text })),
      files: z.array(z.object({ path: z.string(), digest: z.string() })),
      summarised: z.number(),
      shortened: z.number(),
    }),
    tools: z.object({ version: z.string(), names }),
    choice: choiceOf(text).exactOptional(),
    thought: createThoughtSchema(text),
    actions: z.array(
      z.object({
        id: z.string(),
        call: z.string(),
        tool: z.string(),
        input: text,
        request: requestSchema,
        risk: Level.nullable(),
        decision: decisionOf(text).nullable(),
        after: z.string().nullable(),
        replaces: z.string().nullable(),
        outcome: z
          .object({
            ok: z.boolean(),
            exitCode: z.number().nullable(),
            ms: z.number(),
            files: z.array(TurnFileChange),
          })
          .nullable(),
        answer: text.nullable(),
      }),
    ),
    evaluation: z.object({ kind: z.enum(EVALUATIONS), failure: z.string().nullable() }).nullable(),
    states: z.array(z.enum(STATES)),
    usage: ModelUsage,
  });

export const TurnFacts = turnOf(TextRef);
export type TurnFacts = z.infer<typeof TurnFacts>;
export type TurnAction = TurnFacts['actions'][number];
const TurnTexts = turnOf(z.string());
export type TurnDraft = z.infer<typeof TurnTexts>;
export type DraftedAction = TurnDraft['actions'][number];
export type TurnChoice = NonNullable<TurnFacts['choice']>;
export type DraftedChoice = NonNullable<TurnDraft['choice']>;
export type DraftedProposal = DraftedChoice['proposals'][number];

/** L5: the newest turn of a round, so that the run's log shows when one is gone. */
export const TurnHead = z.object({ seq: z.number(), hash: z.string() });
export type TurnHead = z.infer<typeof TurnHead>;

export const StoredTexts = z.record(z.string(), z.string());

const proposalFacts =
  (ref: (text: string) => TextRef) =>
  ({ prompt, thought, actions, ...rest }: DraftedProposal): TurnChoice['proposals'][number] => {
    const refOrNull = (text: string | null): TextRef | null => (text === null ? null : ref(text));
    return {
      ...rest,
      prompt: refOrNull(prompt),
      thought: { ...thought, text: refOrNull(thought.text), problem: refOrNull(thought.problem) },
      actions: actions.map((one) => ({ ...one, input: ref(one.input), reason: refOrNull(one.reason) })),
    };
  };

export const turnFacts = (draft: TurnDraft, ref: (text: string) => TextRef): TurnFacts => {
  const refOrNull = (text: string | null): TextRef | null => (text === null ? null : ref(text));
  const { choice, ...rest } = draft;
  const { context, thought, actions } = rest;
  return {
    ...rest,
    ...(choice ? { choice: { ...choice, proposals: choice.proposals.map(proposalFacts(ref)) } } : {}),
    context: { ...context, parts: context.parts.map((part) => ({ ...part, text: ref(part.text) })) },
    thought: { ...thought, text: refOrNull(thought.text), problem: refOrNull(thought.problem) },
    actions: actions.map((action) => ({
      ...action,
      input: ref(action.input),
      answer: refOrNull(action.answer),
      decision: action.decision && {
        ...action.decision,
        reason: refOrNull(action.decision.reason),
        input: refOrNull(action.decision.input),
      },
    })),
  };
};

export const textsOfTurn = ({ context, choice, thought, actions }: TurnFacts): TextRef[] =>
  [
    ...context.parts.map((part) => part.text),
    ...(choice?.proposals ?? []).flatMap((one) => [
      one.prompt,
      one.thought.text,
      one.thought.problem,
      ...one.actions.flatMap(({ input, reason }) => [input, reason]),
    ]),
    thought.text,
    thought.problem,
    ...actions.flatMap(({ input, answer, decision }) => [
      input,
      answer,
      decision?.reason ?? null,
      decision?.input ?? null,
    ]),
  ].filter((text) => text !== null);

export const isLegalTurnPath = (states: readonly TurnState[]): boolean =>
  states[0] === 'THINKING' &&
  states.every((state, i) => i === 0 || TURN_TRANSITIONS[states[i - 1] ?? 'ENDED'].includes(state));

export type RecordedTurn = { seq: number; facts: TurnFacts; text: (digest: string) => string | null };
