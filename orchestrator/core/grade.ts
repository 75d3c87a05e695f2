/** E13: the grade of an attempt, from evidence that we gathered; whoever speaks for a model may lower it and never raise it. */
import { z } from 'zod';
import type { CheckResult, Commit, Contract, Finding, Judges } from './facts.ts';
import { firstLine } from './feedback.ts';
import { isTest } from './govern/paths.ts';
import { thinsTest } from './govern/risk.ts';

export const GRADES = ['PASS', 'NEEDS_REVIEW', 'FAIL'] as const;
export type GradeLevel = (typeof GRADES)[number];

/** `PASS` on a reason: it is worth saying, and changes nothing. */
const Reason = z.object({ id: z.string(), level: z.enum(GRADES), says: z.string() });
export type GradeReason = z.infer<typeof Reason>;
export const Grade = z.object({
  level: z.enum(GRADES),
  /** The checks that stand behind it, by name; empty when none could be run. */
  judgedBy: z.array(z.string()),
  reasons: z.array(Reason),
});
export type Grade = z.infer<typeof Grade>;

/** What an agent says of its own work, besides its summary. */
export const Claims = z.object({
  status: z.enum(['done', 'blocked']),
  /** Commands that it says it ran. */
  ran: z.array(z.object({ command: z.string(), passed: z.boolean() })),
});
export type Claims = z.infer<typeof Claims>;
export const NO_CLAIMS: Claims = { status: 'done', ran: [] };

export type Evidence = {
  commit: Commit | null;
  checks: readonly CheckResult[];
  contract: Pick<Contract, 'checks'> | null;
  /** The order named the checks: they are what was asked for, whatever they test. */
  ordered: boolean;
  /** What judges the change and is part of it. */
  judges?: Judges | null;
  summary: string;
  claims: Claims;
};

const worse = (a: GradeLevel, b: GradeLevel): GradeLevel => (GRADES.indexOf(a) >= GRADES.indexOf(b) ? a : b);
const reason = (id: string, level: GradeLevel, says: string): GradeReason => ({ id, level, says });
const review = (id: string, says: string): GradeReason => reason(id, 'NEEDS_REVIEW', says);

const TESTS =
  /\b(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|rspec|tox|nox|ctest|acceptance)(?:\b|:| \d)/i;
const runsTests = ({ name, command }: CheckResult): boolean => TESTS.test(name) || TESTS.test(command);

const fromChecks = ({ checks, ordered, contract }: Evidence): GradeReason[] => {
  const of = (...outcomes: CheckResult['outcome'][]): CheckResult[] =>
    checks.filter((c) => outcomes.includes(c.outcome));
  const failed = of('failed', 'timed_out').map((c) => {
    const exit = c.exitCode === null ? '' : ` (exit ${c.exitCode})`;
    return reason(
      'check-failed',
      'FAIL',
      `${c.name} ${c.outcome === 'failed' ? 'failed' : 'timed out'}${exit}`,
    );
  });
  const missing = of('not_run').map((c) => review('check-not-run', `${c.name} could not be run`));
  const passed = of('passed');
  if (failed.length > 0) return [...failed, ...missing];
  if (passed.length === 0)
    return [...missing, review('no-check', 'no check of this repository could be run')];
  // Whoever is judged does not choose alone by what.
  const named = new Set(contract?.checks.filter(({ by }) => by === 'agent').map(({ command }) => command));
  const tests = passed.filter(runsTests);
  if (ordered || tests.some(({ command }) => !named.has(command))) return missing;
  if (tests.length > 0) {
    const sources = (contract?.checks ?? []).filter((c) => named.has(c.command)).map((c) => c.source);
    return [...missing, review('agents-check', `only the agent found which tests to run (${some(sources)})`)];
  }
  const names = passed.map((c) => c.name).join(', ');
  return [...missing, review('no-tests', `no tests were run; judged by ${names}`)];
};

const LOST: Partial<Record<Finding['kind'], readonly [id: string, what: string]>> = {
  test_removed: ['tests-removed', 'tests go away'],
  test_skipped: ['tests-skipped', 'tests are skipped'],
  test_weakened: ['tests-weakened', 'tests check less'],
};

const some = (paths: readonly string[]): string => {
  const all = [...new Set(paths)];
  return `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
};

const fromTests = ({ commit }: Evidence): GradeReason[] => {
  const { findings = [], files = [] } = commit?.diff ?? {};
  const lost = Object.entries(LOST).flatMap(([kind, [id, what]]) => {
    const at = findings
      .filter((f) => f.kind === kind)
      .map((f) => (f.line > 0 ? `${f.path}:${f.line}` : f.path));
    return at.length === 0 ? [] : [review(id, `${what}: ${some(at)}`)];
  });
  const named = new Set(findings.filter((f) => f.kind in LOST).map((f) => f.path));
  const thinner = files.filter((f) => thinsTest(f) && !named.has(f.path)).map((f) => f.path);
  return thinner.length === 0
    ? lost
    : [...lost, review('tests-thinner', `tests lose lines: ${some(thinner)}`)];
};

/** What judges the change is part of it: it may have been made easier. */
const fromJudges = ({ judges }: Evidence): GradeReason[] => {
  if (!judges) return [];
  const files = some(judges.files);
  const touched = review('checks-changed', `the change touches what the checks run: ${files}`);
  if (judges.base === null)
    return [
      touched,
      review('checks-not-compared', `not run with the base’s version of ${files}: ${judges.note}`),
    ];
  const failed = judges.base.filter((c) => c.outcome !== 'passed').map((c) => c.name);
  if (failed.length === 0) return [touched];
  return [
    review('checks-made-to-pass', `${failed.join(', ')} passes only with the changed ${files}`),
    touched,
  ];
};

const ADDED_TEST =
  /\b(?:add(?:s|ed)?|wr(?:ite|ote)s?|extend(?:s|ed)?|new|includ(?:es|ed|ing))\b[^.;]{0,60}\btests?\b/i;
const ALL_PASS = /\b(?:tests?|checks?|suite)\b[^.;]{0,40}\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b/i;

/** The agent's claims beside what was seen; a claim that nothing contradicts is not worth a line. */
const fromClaims = ({ commit, checks, summary, claims }: Evidence): GradeReason[] => {
  const out: GradeReason[] = [];
  for (const { command, passed } of claims.ran) {
    const ours = checks.find((c) => c.command === command);
    if (!ours) out.push(reason('claim-unseen', 'PASS', `the agent says that it ran ${command}; we did not`));
    else if (passed !== (ours.outcome === 'passed'))
      out.push(
        review(
          'claim-differs',
          `the agent says that ${command} ${passed ? 'passes' : 'fails'}; here it ${ours.outcome.replace('_', ' ')}`,
        ),
      );
  }
  const tested = (commit?.diff.files ?? []).some((f) => isTest(f.path) && f.added > 0);
  if (ADDED_TEST.test(summary) && !tested)
    out.push(review('claim-differs', 'the agent says that it added a test; no test file gains a line'));
  if (ALL_PASS.test(summary) && checks.some((c) => c.outcome !== 'passed'))
    out.push(review('claim-differs', 'the agent says that the checks pass; here they do not'));
  return out;
};

/** Of an attempt that left a commit, or none. */
export const gradeOf = (seen: Evidence): Grade => {
  const reasons =
    seen.commit === null
      ? [reason('no-changes', 'FAIL', 'nothing was changed')]
      : [...fromChecks(seen), ...fromTests(seen), ...fromJudges(seen), ...fromClaims(seen)];
  const grade: Grade = {
    level: reasons.reduce<GradeLevel>((level, r) => worse(level, r.level), 'PASS'),
    judgedBy: seen.checks.filter((c) => c.outcome === 'passed').map((c) => c.name),
    reasons: reasons.sort(worstFirst),
  };
  if (seen.claims.status !== 'blocked') return grade;
  const says = `the agent says that it is not done: ${firstLine(seen.summary) || 'no reason given'}`;
  return lowered(grade, { level: 'NEEDS_REVIEW', says });
};

const worstFirst = (a: GradeReason, b: GradeReason): number =>
  GRADES.indexOf(b.level) - GRADES.indexOf(a.level);

/** What a model thinks of it: a better opinion than the evidence is kept as words, and changes nothing. */
export const lowered = (grade: Grade, opinion: { level: GradeLevel; says: string }): Grade => ({
  ...grade,
  level: worse(grade.level, opinion.level),
  reasons: [...grade.reasons, reason('model', opinion.level, opinion.says)].sort(worstFirst),
});

/** The reasons that decided. */
export const decidedBy = ({ level, reasons, judgedBy }: Grade): string[] => {
  const deciding = reasons.filter((r) => r.level === level && level !== 'PASS').map((r) => r.says);
  return deciding.length > 0 ? deciding : [`judged by ${judgedBy.join(', ') || 'nothing'}`];
};
export const whyGraded = (grade: Grade): string => decidedBy(grade).join('; ');
