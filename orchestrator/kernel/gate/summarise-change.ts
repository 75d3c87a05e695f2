/** Chooses the words for the whole change; those of a late fix never replace them (F11). */
import type { RunAgent, RunLifecycle, Run } from '../run/run.ts';
import {
  MAX_REPORT_LENGTHS,
  mergeReports,
  EMPTY_REPORT,
  mergePartReports,
  type ReportedChange,
  type StepReport,
} from '#model/agent';
import { currentOrderedFix } from '../rounds/ordered-fixes.ts';
import type { AgentRound } from '../run/round-table.ts';

type Report = { said?: ReportedChange | undefined; summary: string };
type Words = { agent: Pick<RunAgent, 'agentReports' | 'planStepReports'> };

const FIXES: readonly AgentRound['kind'][] = [
  'check_fix',
  'ci_fix',
  'review_fix',
  'suggested_edits',
  'person_request',
  'update_from_base',
  'plan_fix',
];

const repairsFix = ({ agent: { round }, change: { commit, evaluation } }: Run): boolean =>
  round.kind === 'report_repair' &&
  commit !== null &&
  evaluation?.commitSha === commit.sha &&
  !evaluation.passed;

/** Before it is public, a change that a person wants more of is still the same change. */
export const isAddition = ({ agent: { round }, upstream: { pullRequest } }: Run): boolean =>
  pullRequest === null &&
  round.kind === 'rejection_fix' &&
  round.feedback.every((told) => told.kind !== 'refused' || told.denialReason === 'tests');

/** The report of a fix describes an edit, not the change as a whole. */
const isFixRound = (run: Run): boolean =>
  run.upstream.pullRequest !== null ||
  FIXES.includes(run.agent.round.kind) ||
  isAddition(run) ||
  repairsFix(run);

/** F11: the last line of an engine that gave no report is shown to people, and never published. */
export const publicSummaryOf = ({
  summary,
  claims,
}: {
  summary: string;
  claims?: { reported?: ReportedChange | undefined } | undefined;
}): string => (claims?.reported === undefined ? '' : summary);

/** F11: the summary of the newest round that made the whole change; no fix overwrites it. */
export const wholeSummaryAfter = (run: Run, { summary }: Report): string | undefined =>
  currentPlanStep(run) || currentOrderedFix(run) || hasParts(run) || isFixRound(run) || summary.trim() === ''
    ? run.agent.wholeSummary
    : summary;

export const currentPlanStep = (run: {
  agent: Pick<RunAgent, 'plan'>;
  lifecycle: Pick<RunLifecycle, 'state'>;
}) => (run.lifecycle.state === 'IMPLEMENTING' ? (run.agent.plan?.plan.next ?? null) : null);

const withStep = (
  run: Run,
  { id, text }: { id: string; text: string },
  { said = EMPTY_REPORT, summary }: Report,
): StepReport[] => {
  const all = run.agent.planStepReports ?? [];
  const now = { ...said, what: said.what ?? subjectOf(summary) };
  const before = all.find((one) => one.id === id);
  const report = {
    id,
    text,
    report: before ? mergeReports(before.report, now, { isFix: isFixRound(run) }) : now,
  };
  return before ? all.map((one) => (one === before ? report : one)) : [...all, report];
};

const subjectOf = (summary: string): string | null =>
  summary.trim() === '' ? null : summary.trim().slice(0, MAX_REPORT_LENGTHS.what).toWellFormed();

/** Continuing a change of several parts makes none of them anew. */
const hasParts = ({ agent: { planStepReports: stepReports = [] }, order }: Run): boolean =>
  stepReports.length > 1 || order.fixes !== undefined;

/** Parts have their own words; otherwise the next report would lose the summary of the whole. */
const reportOfWhole = (run: Run): ReportedChange =>
  hasParts(run) || run.agent.wholeSummary !== undefined
    ? run.agent.agentReports
    : {
        ...run.agent.agentReports,
        what: run.agent.agentReports.what ?? subjectOf(publicSummaryOf(run.agent)),
      };

const stepReportsOf = ({ agent: { planStepReports: stepReports } }: Run): Pick<RunAgent, 'planStepReports'> =>
  stepReports ? { planStepReports: stepReports } : {};

export const summaryAfter = (run: Run, report: Report): Words => {
  const { said = EMPTY_REPORT } = report;
  const step = currentPlanStep(run);
  if (step) {
    const stepReports = withStep(run, step, report);
    return {
      agent: {
        planStepReports: stepReports,
        agentReports: mergePartReports(stepReports.map((one) => one.report)),
      },
    };
  }
  // The fix may turn out to change nothing; that is known at the end of all fixes.
  if (currentOrderedFix(run)) return { agent: { agentReports: run.agent.agentReports } };
  const isFix = hasParts(run) || isFixRound(run);
  return {
    agent: {
      ...stepReportsOf(run),
      agentReports: mergeReports(isFix ? reportOfWhole(run) : run.agent.agentReports, said, { isFix }),
    },
  };
};

export const finishedPlanSteps = (run: { agent: Pick<RunAgent, 'planStepReports'> }): string[] => {
  const reports = run.agent.planStepReports ?? [];
  return reports.length < 2 ? [] : reports.map(({ text, report }) => report.what ?? text);
};
