/**
 * What a round of the agent is about, as data: prompts, commit titles and cards say it each in
 * their own words.
 */
import { z } from 'zod';
import { SkippedFile, PolicyObjections } from './change-facts.ts';

const plain = <K extends string>(kind: K) => z.object({ kind: z.literal(kind) });

export const AskedRemark = z.object({
  no: z.number(),
  author: z.string(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  hunk: z.string(),
  body: z.string(),
  answer: z.boolean(),
});
export type AskedRemark = z.infer<typeof AskedRemark>;

/** Why an approver refuses a change, where a word is enough. */
export const DENIAL_REASONS = ['approach', 'big', 'tests', 'unneeded'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

export const Feedback = z.discriminatedUnion('kind', [
  /** As a person, an agent or a tool put it. */
  z.object({ kind: z.literal('words'), text: z.string() }),
  /** Checks of the code host that failed. */
  z.object({ kind: z.literal('red'), checks: z.array(z.string()) }),
  z.object({ kind: z.literal('review'), reviewer: z.string(), body: z.string() }),
  /** Remarks on lines that a person chose; `answer`: it is to be answered, and nothing changed. */
  z.object({ kind: z.literal('remarks'), items: z.array(AskedRemark) }),
  /** P4: what policies say against the change. */
  z.object({ kind: z.literal('denied'), objections: PolicyObjections }),
  z.object({ kind: z.literal('refused'), denialReason: z.enum(DENIAL_REASONS) }),
  /** Our checks failed and printed nothing. */
  plain('checks_failed'),
  /** The step of the plan that is to be done. */
  z.object({ kind: z.literal('step'), id: z.string(), text: z.string() }),
  z.object({ kind: z.literal('step_passed'), id: z.string() }),
  z.object({ kind: z.literal('step_changed_nothing'), id: z.string(), skippedFiles: z.array(SkippedFile) }),
  plain('plan_has_no_step'),
  /** What the agent changed in a plan and may not. */
  plain('goal_changed'),
  z.object({ kind: z.literal('acceptance_lost'), commands: z.array(z.string()) }),
  plain('done_lost'),
  plain('done_added'),
]);
export type Feedback = z.infer<typeof Feedback>;

export const wordsFeedback = (text: string): Feedback[] => (text === '' ? [] : [{ kind: 'words', text }]);

/** The first line that is not blank, at most 200 characters of it. */
export const firstLine = (text: string): string =>
  (text.split('\n').find((l) => l.trim() !== '') ?? '').slice(0, 200);

/** The first of it, short enough to stand in a reason. */
export const feedbackSummary = ([first]: readonly Feedback[]): Feedback | null => {
  if (!first) return null;
  if (first.kind === 'words') return { ...first, text: firstLine(first.text) };
  if (first.kind === 'remarks')
    return { ...first, items: first.items.map((one) => ({ ...one, hunk: '', body: '' })) };
  return first.kind === 'review' ? { ...first, body: '' } : first;
};
