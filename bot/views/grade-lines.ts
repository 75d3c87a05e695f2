/** Renders a run's last grade with its reasons (E13). */
import { listDecidingReasons } from '#governor';
import type { Grade, GradeLevel } from '#model/assessment';
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { momentText, codeLine } from '../text/telegram-html.ts';

const GRADE_MARKS: Readonly<Record<GradeLevel, string>> = { PASS: '·', NEEDS_REVIEW: '⚠', FAIL: '✗' };
const MAX_SHOWN_GRADES = 6;

const explainGrade = (grade: Grade, words: LanguageTexts): string =>
  listDecidingReasons(grade).map(words.judgement).join('; ');

const gradeOfRun = ({ change: { evaluation } }: Run): Grade | null => evaluation?.grade ?? null;

export const gradeLine = (run: Run, words: LanguageTexts): string => {
  const grade = gradeOfRun(run);
  if (!grade || grade.level === 'PASS') return '';
  return `${GRADE_MARKS[grade.level]} ${words.grade.levels[grade.level]}: ${codeLine(explainGrade(grade, words), 120)}`;
};

export const gradeHistory = (
  grades: readonly { at: number; grade: Grade }[],
  now: number,
  words: LanguageTexts,
): string[] => {
  if (grades.length < 2) return [];
  const { levels, earlier } = words.grade;
  return [
    `<b>${earlier}</b>`,
    ...grades.slice(-MAX_SHOWN_GRADES).map(({ at, grade }) => {
      const because = grade.level === 'PASS' ? '' : ` ${codeLine(explainGrade(grade, words), 120)}`;
      return `${momentText(at, now, words.calendar)} ${GRADE_MARKS[grade.level]} ${levels[grade.level]}${because}`;
    }),
  ];
};

export const gradeLines = (run: Run, words: LanguageTexts): string[] => {
  const grade = gradeOfRun(run);
  if (!grade) return [];
  const { title, levels, gradedBy } = words.grade;
  const by = grade.gradedBy.length > 0 ? ` · ${gradedBy} ${codeLine(grade.gradedBy.join(', '), 100)}` : '';
  return [
    `<b>${title}</b> ${levels[grade.level]}${by}`,
    ...grade.reasons
      .slice(0, MAX_SHOWN_GRADES)
      .map((r) => `${GRADE_MARKS[r.level]} ${codeLine(words.judgement(r.reason), 160)}`),
  ];
};
