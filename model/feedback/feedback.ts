/** Feedback for an agent round, as data: prompts, commit titles and cards word it themselves. */
import { z } from 'zod';
import { CampaignLesson } from './campaign-lesson.ts';
import { SkippedFile } from '#model/change';
import { PolicyObjections } from '#model/assessment';

const plainFeedback = <K extends string>(kind: K) => z.object({ kind: z.literal(kind) });

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

export const DENIAL_REASONS = ['approach', 'big', 'tests', 'unneeded'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

export const Feedback = z.discriminatedUnion('kind', [
  /** `lesson`: words that a sibling of the campaign gave occasion to. */
  z.object({ kind: z.literal('words'), text: z.string(), lesson: CampaignLesson.exactOptional() }),
  z.object({ kind: z.literal('red'), checks: z.array(z.string()) }),
  z.object({ kind: z.literal('review'), reviewer: z.string(), body: z.string() }),
  /** Chosen remarks on lines; `answer` asks for an answer and no change. */
  z.object({ kind: z.literal('remarks'), items: z.array(AskedRemark) }),
  z.object({ kind: z.literal('denied'), objections: PolicyObjections }),
  z.object({ kind: z.literal('refused'), denialReason: z.enum(DENIAL_REASONS) }),
  plainFeedback('checks_failed'),
  /** E19: the tests of the change pass on the base without the rest of it. */
  plainFeedback('tests_pass_on_base'),
  z.object({ kind: z.literal('step'), id: z.string(), text: z.string() }),
  z.object({ kind: z.literal('step_passed'), id: z.string() }),
  z.object({ kind: z.literal('step_changed_nothing'), id: z.string(), skippedFiles: z.array(SkippedFile) }),
  plainFeedback('plan_has_no_step'),
  plainFeedback('goal_changed'),
  z.object({ kind: z.literal('acceptance_lost'), commands: z.array(z.string()) }),
  plainFeedback('done_lost'),
  plainFeedback('done_added'),
]);
export type Feedback = z.infer<typeof Feedback>;

export const wordsFeedback = (text: string, lesson?: CampaignLesson): Feedback[] =>
  text === '' ? [] : [{ kind: 'words', text, ...(lesson ? { lesson } : {}) }];

export const firstLine = (text: string): string =>
  (text.split('\n').find((l) => l.trim() !== '') ?? '').slice(0, 200);

export const feedbackSummary = ([first]: readonly Feedback[]): Feedback | null => {
  if (!first) return null;
  if (first.kind === 'words') return { ...first, text: firstLine(first.text) };
  if (first.kind === 'remarks')
    return { ...first, items: first.items.map((one) => ({ ...one, hunk: '', body: '' })) };
  return first.kind === 'review' ? { ...first, body: '' } : first;
};
