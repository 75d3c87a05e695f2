/** E13: the grade of a run's last checked attempt, with the reasons that it was given for. */
import { decidedBy } from '../../orchestrator/core/govern/grade.ts';
import type { Grade, GradeLevel } from '../../orchestrator/core/facts.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Texts } from '../language/language.ts';
import { moment, said } from '../text/text.ts';

const MARKS: Readonly<Record<GradeLevel, string>> = { PASS: '·', NEEDS_REVIEW: '⚠', FAIL: '✗' };
const MOST = 6;

/** What decided, in the language of the chat. */
const why = (grade: Grade, words: Texts): string => decidedBy(grade).map(words.judgement).join('; ');

const gradeOfRun = ({ change: { evaluation } }: Run): Grade | null => evaluation?.grade ?? null;

/** A line of its own for any other grade. */
export const gradeLine = (run: Run, words: Texts): string => {
  const grade = gradeOfRun(run);
  if (!grade || grade.level === 'PASS') return '';
  return `${MARKS[grade.level]} ${words.grade.levels[grade.level]}: ${said(why(grade, words), 120)}`;
};

/**
 * How the tries before this one were judged, which is what a person who decides about a third one
 * wants to know.
 */
export const gradeHistory = (
  grades: readonly { at: number; grade: Grade }[],
  now: number,
  words: Texts,
): string[] => {
  if (grades.length < 2) return [];
  const { levels, earlier } = words.grade;
  return [
    `<b>${earlier}</b>`,
    ...grades.slice(-MOST).map(({ at, grade }) => {
      const because = grade.level === 'PASS' ? '' : ` ${said(why(grade, words), 120)}`;
      return `${moment(at, now, words.calendar)} ${MARKS[grade.level]} ${levels[grade.level]}${because}`;
    }),
  ];
};

export const gradeLines = (run: Run, words: Texts): string[] => {
  const grade = gradeOfRun(run);
  if (!grade) return [];
  const { title, levels, judgedBy } = words.grade;
  const by = grade.judgedBy.length > 0 ? ` · ${judgedBy} ${said(grade.judgedBy.join(', '), 100)}` : '';
  return [
    `<b>${title}</b> ${levels[grade.level]}${by}`,
    ...grade.reasons.slice(0, MOST).map((r) => `${MARKS[r.level]} ${said(words.judgement(r.reason), 160)}`),
  ];
};
