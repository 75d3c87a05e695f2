/** Offers what one repository taught (a denial, a review, failed checks) to its open siblings. */
import type { Feedback } from '../model/feedback.ts';
import { showInvisible } from '#text-safety';
import type { CampaignLesson } from '../model/campaign-lesson.ts';
import type { Input } from '../kernel/run/inputs.ts';
import type { RoundKind } from '../kernel/run/round-table.ts';
import type { Run } from '../kernel/run/run.ts';
import type { Person } from '../model/order.ts';
import { isWatching } from '../model/run-states.ts';

/** Longer lessons are cut, so that a card shows all that a tap sends (characters). */
const MAX_LESSON_LENGTH = 900;
export const MAX_LESSONS = 3;

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

const toldTo = ({ agent: { round } }: Run): string[] => [...round.feedback, ...round.purpose].flatMap(textIn);

const lessonOf = (run: Run): CampaignLesson | null => {
  const { kind, feedback: told } = run.agent.round;
  const from = FROM[kind];
  const all = told.flatMap(textIn).map((text) => text.trim());
  const text = showInvisible(all.filter(Boolean).join('\n\n')).slice(0, MAX_LESSON_LENGTH);
  return from && text !== '' ? { repo: run.order.repo, from, text } : null;
};

export const lessonsIn = (runs: readonly Run[]): CampaignLesson[] => {
  const known = new Map<string, CampaignLesson>();
  for (const run of [...runs].sort((a, b) => b.lifecycle.stateEnteredAt - a.lifecycle.stateEnteredAt)) {
    const lesson = lessonOf(run);
    if (lesson && !known.has(lesson.text)) known.set(lesson.text, lesson);
  }
  return [...known.values()];
};

/** The run waits for a decision on its change, or its pull request is polled. */
const canHear = ({ gate: { approval }, upstream: { pullRequest: pr }, lifecycle: { state } }: Run): boolean =>
  approval === null ? pr !== null && isWatching(state) : approval.kind !== 'reply';

export const siblingsFor = (runs: readonly Run[], { repo, text }: CampaignLesson): Run[] =>
  runs.filter(
    (run) => run.order.repo !== repo && canHear(run) && !toldTo(run).some((told) => told.includes(text)),
  );

/** Equals *Ask for changes*: the agent gets the wish and continues at once. */
export const changeRequestInput = ({ gate: { approval } }: Run, by: Person, wish: string): Input =>
  approval === null
    ? { type: 'command.iterate', by, instruction: wish }
    : {
        type: 'command.deny',
        by,
        reason: wish,
        final: false,
        approvalId: approval.id,
        retryNow: true,
      };
