/**
 * What one repository of a campaign taught: why its change was denied, what its reviewer asked for,
 * which checks failed there. Offered to its open siblings as a person's wish; said by a tap only.
 * Pure.
 */
import type { Feedback } from '../feedback.ts';
import { showInvisible } from '#text-safety';
import type { CampaignLesson } from '../campaign-lesson.ts';
import type { Input } from '../machine/inputs.ts';
import type { RoundKind } from '../machine/rounds.ts';
import type { Run } from '../machine/run.ts';
import type { Person } from '../order.ts';
import { isWatching } from '../run-states.ts';

/** A longer one is cut, so that a card shows all that a tap says. */
const MAX_LESSON_LENGTH = 900;
/** Lessons that one card shows. */
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

/** What the run was told, in its newest round or before its checks spoke up. */
const toldTo = ({ agent: { round } }: Run): string[] => [...round.feedback, ...round.purpose].flatMap(textIn);

const lessonOf = (run: Run): CampaignLesson | null => {
  const { kind, feedback: told } = run.agent.round;
  const from = FROM[kind];
  const all = told.flatMap(textIn).map((text) => text.trim());
  const text = showInvisible(all.filter(Boolean).join('\n\n')).slice(0, MAX_LESSON_LENGTH);
  return from && text !== '' ? { repo: run.order.repo, from, text } : null;
};

/** Newest first, each once, whoever taught it. */
export const lessonsIn = (runs: readonly Run[]): CampaignLesson[] => {
  const known = new Map<string, CampaignLesson>();
  for (const run of [...runs].sort((a, b) => b.lifecycle.stateEnteredAt - a.lifecycle.stateEnteredAt)) {
    const lesson = lessonOf(run);
    if (lesson && !known.has(lesson.text)) known.set(lesson.text, lesson);
  }
  return [...known.values()];
};

/** Whether it waits for a decision on its change, or its pull request is watched. */
const canHear = ({ gate: { approval }, upstream: { pullRequest: pr }, lifecycle: { state } }: Run): boolean =>
  approval === null ? pr !== null && isWatching(state) : approval.kind !== 'reply';

/** Open siblings that were not told this, and can be told now. */
export const siblingsFor = (runs: readonly Run[], { repo, text }: CampaignLesson): Run[] =>
  runs.filter(
    (run) => run.order.repo !== repo && canHear(run) && !toldTo(run).some((told) => told.includes(text)),
  );

/** As *Ask for changes* asks one run: with words for its agent, which goes on at once. */
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
