/** E9: one turn of the governed loop as the ledger keeps it: facts for good, texts within a quota. */
import { z } from 'zod';
import { ModelUsage } from './change-records.ts';

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
    thought: z.object({ kind: z.enum(THOUGHTS), text: text.nullable(), problem: text.nullable() }),
    actions: z.array(
      z.object({
        id: z.string(),
        call: z.string(),
        tool: z.string(),
        input: text,
        request: z.object({ tool: z.string(), files: names.nullable(), outside: z.boolean() }),
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

/** L5: the newest turn of a round, so that the run's log shows when one is gone. */
export const TurnHead = z.object({ seq: z.number(), hash: z.string() });
export type TurnHead = z.infer<typeof TurnHead>;

export const StoredTexts = z.record(z.string(), z.string());

export const turnFacts = (draft: TurnDraft, ref: (text: string) => TextRef): TurnFacts => {
  const or = (text: string | null): TextRef | null => (text === null ? null : ref(text));
  const { context, thought, actions } = draft;
  return {
    ...draft,
    context: { ...context, parts: context.parts.map((part) => ({ ...part, text: ref(part.text) })) },
    thought: { ...thought, text: or(thought.text), problem: or(thought.problem) },
    actions: actions.map((action) => ({
      ...action,
      input: ref(action.input),
      answer: or(action.answer),
      decision: action.decision && {
        ...action.decision,
        reason: or(action.decision.reason),
        input: or(action.decision.input),
      },
    })),
  };
};

export const textsOfTurn = ({ context, thought, actions }: TurnFacts): TextRef[] =>
  [
    ...context.parts.map((part) => part.text),
    thought.text,
    thought.problem,
    ...actions.flatMap(({ input, answer, decision }) => [
      input,
      answer,
      decision?.reason ?? null,
      decision?.input ?? null,
    ]),
  ].filter((text) => text !== null);

export const isLegalWay = (states: readonly TurnState[]): boolean =>
  states[0] === 'THINKING' &&
  states.every((state, i) => i === 0 || TURN_TRANSITIONS[states[i - 1] ?? 'ENDED'].includes(state));
