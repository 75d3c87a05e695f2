/** Grades an attempt by evidence that we gathered; a model may only lower the grade (E13). */
import type { Contract } from '#model/contract';
import {
  isBlockingCheck,
  isPassingEvidence,
  isExcusedRed,
  isRedWithoutNames,
  passingOnlyWithChange,
  type CheckResult,
  type CheckConfigFiles,
} from '#model/evidence';
import {
  GRADE_LEVELS,
  type Grade,
  type GradeLevel,
  type GradeReason,
  AssessmentReason,
  type PathsKind,
} from '#model/assessment';
import type { Commit, DiffFacts, Finding } from '#model/change';
import { firstLine } from '#model/feedback';
import type { AgentClaims } from '#model/agent';
import { isCode, isTest, findingLocation, canRunnerFindTests, isTestShrunk } from '#model/paths';
import { toPathReasons, shortenPaths } from './shorten-paths.ts';

export type GradeInput = {
  commit: Commit | null;
  checks: readonly CheckResult[];
  contract: Pick<Contract, 'checks'> | null;
  /** The order named the checks, so they count whatever they test. */
  ordered: boolean;
  checkConfig?: CheckConfigFiles | null;
  summary: string;
  claims: AgentClaims;
};

const worseLevel = (left: GradeLevel, right: GradeLevel): GradeLevel =>
  GRADE_LEVELS.indexOf(left) >= GRADE_LEVELS.indexOf(right) ? left : right;
const createGradeReason = (level: GradeLevel, reason: AssessmentReason): GradeReason => ({ level, reason });
const reviewReason = (reason: AssessmentReason): GradeReason => createGradeReason('NEEDS_REVIEW', reason);

const TESTS =
  /\b(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|rspec|tox|nox|ctest|acceptance)(?:\b|:| \d)/i;
export const isTestCheck = ({ name, command }: Pick<CheckResult, 'name' | 'command'>): boolean =>
  // guard: E19-looks-are-no-tests
  !/(?:^| )(?:lint|format|types)$/.test(name) && (TESTS.test(name) || TESTS.test(command));

/** E15: failures of the base are told, but prove nothing. */
const fromBase = (checks: readonly CheckResult[]): GradeReason[] => {
  const reasonsForChecks = (
    kind: 'red_before' | 'red_unnamed' | 'flaky_before' | 'ran_no_test',
    is: (c: CheckResult) => boolean,
  ): GradeReason[] => {
    const names = checks.filter(is).map((c) => c.name);
    return names.length === 0 ? [] : [reviewReason({ kind, names })];
  };
  return [
    ...reasonsForChecks('red_before', (c) => isExcusedRed(c) && !isRedWithoutNames(c)),
    ...reasonsForChecks('red_unnamed', isRedWithoutNames),
    ...reasonsForChecks('ran_no_test', (c) => c.outcome === 'ran_no_test' && !isBlockingCheck(c)),
    ...reasonsForChecks('flaky_before', (c) => c.outcome === 'passed' && !isPassingEvidence(c)),
  ];
};

const isRun = (checks: readonly CheckResult[]): boolean => checks.some((c) => c.outcome !== 'not_run');

const fromChecks = ({ checks, ordered, contract }: GradeInput): GradeReason[] => {
  const checksWith = (...outcomes: CheckResult['outcome'][]): CheckResult[] =>
    checks.filter((c) => outcomes.includes(c.outcome));
  const failed = checksWith('failed', 'timed_out', 'ran_no_test')
    .filter(isBlockingCheck)
    .map(({ name, outcome, exitCode, commandFailure }) =>
      createGradeReason(
        'FAIL',
        outcome === 'ran_no_test'
          ? { kind: 'tests_stopped', names: [name] }
          : {
              kind: 'check_failed',
              name,
              timedOut: outcome === 'timed_out',
              exitCode,
              ...(commandFailure?.limit ? { limit: commandFailure.limit } : {}),
            },
      ),
    );
  const missing = [
    ...checksWith('not_run').map(({ name }) => reviewReason({ kind: 'check_not_run', name })),
    ...fromBase(checks),
  ];
  const passed = checks.filter(isPassingEvidence);
  if (failed.length > 0) return [...failed, ...missing];
  if (passed.length === 0) return isRun(checks) ? missing : [...missing, reviewReason({ kind: 'no_check' })];
  // Checks that only the agent named cannot pass its own work.
  const agents = contract?.checks.filter(({ by }) => by === 'agent') ?? [];
  const named = new Set(agents.map(({ command }) => command));
  const tests = passed.filter(isTestCheck);
  // guard: E13-agents-tests
  if (ordered || tests.some(({ command }) => !named.has(command))) return missing;
  if (tests.length > 0) {
    return [
      ...missing,
      reviewReason({ kind: 'tests_found_by_agent', ...listDistinctPaths(agents.map((c) => c.source)) }),
    ];
  }
  // Tests that ran and prove nothing are reported already, with the names of their checks.
  if (checks.some((c) => c.outcome === 'ran_no_test' || (isTestCheck(c) && c.outcome !== 'not_run')))
    return missing;
  return [...missing, reviewReason({ kind: 'no_tests', names: passed.map((c) => c.name) })];
};

const LOST: readonly (readonly [Finding['kind'], PathsKind])[] = [
  ['test_removed', 'tests_removed'],
  ['test_skipped', 'tests_skipped'],
  ['test_weakened', 'tests_weakened'],
];

const listDistinctPaths = (paths: readonly string[]): ReturnType<typeof shortenPaths> =>
  shortenPaths([...new Set(paths)]);

/** A runner of one language never sees tests in another, and nobody would know. */
const testsNotRun = (files: DiffFacts['files'], checks: readonly CheckResult[]): string[] => {
  const runs = checks.filter((c) => isTestCheck(c) && isPassingEvidence(c)).map(({ command }) => command);
  const tests = files.filter(
    (f) => f.status !== 'deleted' && f.added > 0 && isTest(f.path) && isCode(f.path),
  );
  if (runs.length === 0) return [];
  // guard: E19-unrun-tests-told
  return tests
    .map(({ path }) => path)
    .filter((path) => !runs.some((command) => canRunnerFindTests(command, [path])));
};

const fromTests = ({ findings, files }: DiffFacts, checks: readonly CheckResult[]): GradeReason[] => {
  const findingsOf = (kind: Finding['kind']): Finding[] => findings.filter((f) => f.kind === kind);
  const lost = LOST.flatMap(([kind, says]) =>
    toPathReasons(says, [...new Set(findingsOf(kind).map(findingLocation))]),
  );
  const named = new Set(LOST.flatMap(([kind]) => findingsOf(kind)).map((f) => f.path));
  const thinner = files.filter((f) => isTestShrunk(f) && !named.has(f.path)).map((f) => f.path);
  return [
    ...lost,
    ...toPathReasons('tests_thinner', thinner),
    ...toPathReasons('tests_not_run', testsNotRun(files, checks)),
  ].map(reviewReason);
};

/** The change edits its own checks, perhaps to weaken them. */
const fromCheckConfig = ({ checkConfig }: GradeInput): GradeReason[] => {
  if (!checkConfig) return [];
  const files = listDistinctPaths(checkConfig.files);
  const touched = reviewReason({ kind: 'check_config_changed', ...files });
  if (checkConfig.notCompared)
    return [
      touched,
      reviewReason({ kind: 'check_config_not_compared', ...files, why: checkConfig.notCompared }),
    ];
  const names = passingOnlyWithChange(checkConfig);
  // guard: E13-base-judges
  return names.length === 0
    ? [touched]
    : [reviewReason({ kind: 'check_config_needed', names, ...files }), touched];
};

const ADDED_TEST =
  /\b(?:add(?:s|ed)?|wr(?:ite|ote)s?|extend(?:s|ed)?|new|includ(?:es|ed|ing))\b[^.;]{0,60}\btests?\b/i;
const ALL_PASS = /\b(?:tests?|checks?|suite)\b[^.;]{0,40}\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b/i;

/** Reports only claims that the evidence contradicts. */
const fromClaims = ({ checks, summary, claims }: GradeInput, { files }: DiffFacts): GradeReason[] => {
  const out: GradeReason[] = [];
  for (const { command, passed } of claims.ran) {
    const ours = checks.find((c) => c.command === command);
    if (!ours) out.push(createGradeReason('PASS', { kind: 'claim_unseen', command }));
    else if (passed !== (ours.outcome === 'passed'))
      out.push(reviewReason({ kind: 'claim_differs', command, passed, outcome: ours.outcome }));
  }
  const tested = files.some((f) => isTest(f.path) && f.added > 0);
  if (ADDED_TEST.test(summary) && !tested) out.push(reviewReason({ kind: 'claim_of_test' }));
  if (ALL_PASS.test(summary) && checks.some((c) => c.outcome !== 'passed'))
    out.push(reviewReason({ kind: 'claim_of_green' }));
  return out;
};

export const gradeAttempt = (seen: GradeInput): Grade => {
  const diff = seen.commit?.diff ?? null;
  const reasons =
    diff === null
      ? [createGradeReason('FAIL', { kind: 'no_changes' })]
      : [
          ...fromChecks(seen),
          ...fromTests(diff, seen.checks),
          ...fromCheckConfig(seen),
          ...fromClaims(seen, diff),
        ];
  const grade: Grade = {
    level: reasons.reduce<GradeLevel>((level, r) => worseLevel(level, r.level), 'PASS'),
    gradedBy: seen.checks.filter(isPassingEvidence).map((c) => c.name),
    reasons: reasons.sort(worstFirst),
  };
  if (seen.claims.status !== 'blocked') return grade;
  return lowerGrade(grade, 'NEEDS_REVIEW', { kind: 'not_done', says: firstLine(seen.summary) });
};

const worstFirst = (left: GradeReason, right: GradeReason): number =>
  GRADE_LEVELS.indexOf(right.level) - GRADE_LEVELS.indexOf(left.level);

/** A model's better opinion is stored without effect. */
export const lowerGrade = (grade: Grade, level: GradeLevel, reason: AssessmentReason): Grade => ({
  ...grade,
  level: worseLevel(grade.level, level),
  reasons: [...grade.reasons, createGradeReason(level, reason)].sort(worstFirst),
});

export const listDecidingReasons = ({ level, reasons, gradedBy }: Grade): AssessmentReason[] => {
  const deciding = reasons.filter((r) => r.level === level && level !== 'PASS').map((r) => r.reason);
  return deciding.length > 0 ? deciding : [{ kind: 'graded_by', names: gradedBy }];
};
