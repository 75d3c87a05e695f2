/** Offers what one repository taught (a denial, a review, failed checks) to its open siblings. */
import type { CampaignLesson, OfferedLesson } from '#model/feedback';
import type { Person } from '#model/order';
import { isWatching } from '#model/run';
import type { Input } from '../kernel/run/input-types.ts';
import type { Run } from '../kernel/run/run.ts';

export const MAX_LESSONS = 3;

const lessonsIn = (runs: readonly Run[]): CampaignLesson[] => {
  // guard: F5-taught-not-own
  const own = runs.flatMap(({ order: { repo }, agent: { lessons = [] } }) =>
    lessons.flatMap(({ taught, from, text, at }) => (taught ? [] : [{ repo, from, text, at }])),
  );
  const known = new Map<string, CampaignLesson>();
  for (const { at: _, ...lesson } of own.sort((a, b) => b.at - a.at))
    if (!known.has(lesson.text)) known.set(lesson.text, lesson);
  return [...known.values()];
};

/** The run waits for a decision on its change, or its pull request is polled. */
const canHear = ({ gate: { approval }, upstream: { pullRequest: pr }, lifecycle: { state } }: Run): boolean =>
  approval === null ? pr !== null && isWatching(state) : approval.kind !== 'reply';

const hasHeard = ({ agent: { lessons = [] } }: Run, text: string): boolean =>
  lessons.some((one) => one.text.includes(text));

const siblingsFor = (runs: readonly Run[], { repo, text }: CampaignLesson): Run[] =>
  runs.filter((run) => run.order.repo !== repo && canHear(run) && !hasHeard(run, text));

/** Lessons that somebody can still be told, the newest first. */
export const listOfferedLessons = (runs: readonly Run[]): OfferedLesson[] =>
  lessonsIn(runs)
    .map((lesson) => ({ ...lesson, runs: siblingsFor(runs, lesson).map(({ id }) => id) }))
    .filter((lesson) => lesson.runs.length > 0);

/** Of those that a card showed, who can still be told: its button counts them, its tap tells them. */
export const selectLessonTargets = (now: readonly OfferedLesson[], shown: OfferedLesson): string[] => {
  const open = now.find(({ text }) => text === shown.text)?.runs ?? [];
  // guard: F5-lesson-to-those-shown
  return shown.runs.filter((id) => open.includes(id));
};

/** Equals *Ask for changes*: the agent gets the wish and continues at once. */
export const changeRequestInput = (
  { gate: { approval } }: Run,
  by: Person,
  wish: string,
  { repo, from, text }: CampaignLesson,
): Input => {
  const lesson = { repo, from, text };
  return approval === null
    ? { type: 'command.iterate', by, instruction: wish, lesson }
    : {
        type: 'command.deny',
        by,
        reason: wish,
        final: false,
        approvalId: approval.id,
        retryNow: true,
        lesson,
      };
};
