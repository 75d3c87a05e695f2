/**
 * F11: which words the whole change is published with, after each report: those of the round that
 * made it, of all steps of its plan, or of all ordered fixes; never those of the last fix alone.
 */
import {
  LONGEST_SAID,
  laterSaid,
  NOTHING_SAID,
  reportOfParts,
  type Reported,
  type StepReport,
} from '../report.ts';
import { fixNow } from './ordered-fixes.ts';
import type { Round } from './rounds.ts';
import type { Run } from './run.ts';

type Report = { said?: Reported | undefined; summary: string };
type Words = Pick<Run, 'said' | 'stepReports'>;

const FIXES: readonly Round['kind'][] = [
  'reflect',
  'ci_fix',
  'review_fix',
  'suggested',
  'told',
  'merge_base',
  'plan_fix',
];

/** A report that is asked for once more is about what the round before it did. */
const repairsFix = ({ round, commit, evaluation }: Run): boolean =>
  round.kind === 'report_repair' &&
  commit !== null &&
  evaluation?.commitSha === commit.sha &&
  !evaluation.passed;

/** Whether the round's report tells of an edit to the change, and not of the change as a whole. */
const isFixRound = (run: Run): boolean =>
  run.pr !== null || FIXES.includes(run.round.kind) || repairsFix(run);

/** F11: the summary of the whole, which no fix overwrites; that of the newest round that made it anew. */
export const wholeSummaryAfter = (run: Run, { summary }: Report): string | undefined =>
  stepNow(run) || fixNow(run) || hasParts(run) || isFixRound(run) || summary.trim() === ''
    ? run.wholeSummary
    : summary;

/** The step that is being done; null where there is no plan, or it is done. */
export const stepNow = ({ plan, state }: Pick<Run, 'plan' | 'state'>) =>
  state === 'IMPLEMENTING' ? (plan?.plan.next ?? null) : null;

const withStep = (
  run: Run,
  { id, text }: { id: string; text: string },
  { said = NOTHING_SAID, summary }: Report,
): StepReport[] => {
  const all = run.stepReports ?? [];
  const now = { ...said, what: said.what ?? subjectOf(summary) };
  const before = all.find((one) => one.id === id);
  const report = { id, text, said: before ? laterSaid(before.said, now, isFixRound(run)) : now };
  return before ? all.map((one) => (one === before ? report : one)) : [...all, report];
};

const subjectOf = (summary: string): string | null =>
  summary.trim() === '' ? null : summary.trim().slice(0, LONGEST_SAID.what).toWellFormed();

/** Whoever goes on with several parts has made none of them anew. */
const hasParts = ({ stepReports = [], order }: Run): boolean =>
  stepReports.length > 1 || order.fixes !== undefined;

/** Parts have their own words; else a summary of the whole would be lost with the next one. */
const keptWhole = (run: Run): Reported =>
  hasParts(run) || run.wholeSummary !== undefined
    ? run.said
    : { ...run.said, what: run.said.what ?? subjectOf(run.summary) };

const kept = ({ stepReports }: Run): Omit<Words, 'said'> => (stepReports ? { stepReports } : {});

/** `run` is as it was before this report. */
export const wordsAfter = (run: Run, report: Report): Words => {
  const { said = NOTHING_SAID } = report;
  const step = stepNow(run);
  if (step) {
    const stepReports = withStep(run, step, report);
    return { stepReports, said: reportOfParts(stepReports.map((one) => one.said)) };
  }
  // One of several fixes; which of them changed something is known when all had their turn.
  if (fixNow(run)) return { said: run.said };
  const isFix = hasParts(run) || isFixRound(run);
  return { ...kept(run), said: laterSaid(isFix ? keptWhole(run) : run.said, said, isFix) };
};

/** What each step of a plan did, in its own words, where there were several. */
export const stepsDone = ({ stepReports = [] }: Pick<Run, 'stepReports'>): string[] =>
  stepReports.length < 2 ? [] : stepReports.map(({ text, said }) => said.what ?? text);
