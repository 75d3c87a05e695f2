/** Keeps what people and checks said of a change, for its campaign and its repository (F5, E21). */
import type { CampaignLesson, HeardLesson, Feedback } from '#model/feedback';
import { showInvisible } from '#text-safety';
import { isUncompared } from '../ci/compared-checks.ts';
import type { StepDraft } from '../lifecycle/step-draft.ts';
import type { AgentRound, RoundKind } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';

/** Longer lessons are cut, so that a card shows all that a tap sends (characters). */
const MAX_LESSON_LENGTH = 900;

const FROM: Partial<Record<RoundKind, CampaignLesson['from']>> = {
  rejection_fix: 'denial',
  person_request: 'denial',
  review_fix: 'review',
  suggested_edits: 'review',
  ci_fix: 'checks',
};

const textIn = (one: Feedback): string[] => {
  switch (one.kind) {
    case 'words':
      return [one.text];
    case 'review':
      return [one.body];
    case 'remarks':
      return one.items.flatMap(({ body, answer }) => (answer ? [] : [body]));
    case 'red':
      return [one.checks.join(', ')];
    default:
      return [];
  }
};

const lessonIn = ({ kind, feedback }: AgentRound): Omit<HeardLesson, 'at'> | null => {
  const told = feedback.find((one) => one.kind === 'words' && one.lesson !== undefined);
  if (told?.kind === 'words' && told.lesson)
    return { from: told.lesson.from, text: told.lesson.text, taught: true };
  const from = FROM[kind];
  const all = feedback.flatMap(textIn).map((text) => text.trim());
  const text = showInvisible(all.filter(Boolean).join('\n\n')).slice(0, MAX_LESSON_LENGTH);
  return from && text !== '' ? { from, text } : null;
};

/** Red checks teach nothing before it is known that they are not red on the base. */
const isHeard = (run: Run, before: Run): boolean =>
  run.agent.round !== before.agent.round && !(run.agent.round.kind === 'ci_fix' && isUncompared(run));

export const recordLesson = ({ run, stamp }: StepDraft, before: Run): void => {
  const lesson = isHeard(run, before) ? lessonIn(run.agent.round) : null;
  const { lessons = [] } = run.agent;
  if (!lesson || lessons.some(({ text }) => text === lesson.text)) return;
  run.agent.lessons = [...lessons, { ...lesson, at: stamp.at }];
};
