/** Renders check results and objections to a change, each once (C9, E13, E19). */
import { isExitCodeContradicted, isExcusedRed, type CheckResult } from '#model/evidence';
import { objectionsOf, type AssessmentReason } from '#model/assessment';
import { hasUndescribedTests, shortCommand, unrunChecks } from '#model/contract';
import { hasOrderedChecks } from '#model/order';
import { pathsOf } from '#model/paths';
import { canonicalJson, type SealFields } from '#model/seal';
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { escapeProse, escapeLine } from '../text/telegram-html.ts';
import { selectMainObjections } from './policy-lines.ts';

const MAX_CHECKS = 3;
const MAX_CAUTIONS = 3;
const MAX_COMMAND = 32;

const checkName = (check: CheckResult): string => {
  const command = shortCommand(check.command);
  const isShown = command.length <= MAX_COMMAND && command.trim() !== '';
  return `<code>${escapeLine(isShown ? command : check.name, 40)}</code>`;
};

/** A check of an order has a number in place of a name; its command says more. */
export const stepName = ({ step, command }: { step: string; command: string }): string => {
  const numbered = /^check \d+( \(base\))?$/.exec(step);
  return numbered && command.trim() !== '' ? `${shortCommand(command)}${numbered[1] ?? ''}` : step;
};

export const checkLine = (check: CheckResult, base: string, { evidence }: LanguageTexts): string => {
  const name = checkName(check);
  const { outcome, onBase: before, flaky, environmentGap, commandFailure } = check;
  switch (outcome) {
    case 'passed':
      if (before?.outcome === 'failing') return `✓ ${evidence.fixed(name, escapeLine(base, 24))}`;
      if (before?.outcome === 'flaky') return `⚠ ${evidence.lucky(name, escapeLine(base, 24))}`;
      if (check.withTestsOnBase)
        return baseTrialLine(check.withTestsOnBase, name, escapeLine(base, 24), evidence);
      return `✓ ${flaky ? evidence.again(name) : evidence.passed(name)}`;
    case 'failed':
    case 'timed_out':
      if (before?.outcome === 'without') return `⚠ ${evidence.waived(name)}`;
      if (isExcusedRed(check) && before?.environmentGap)
        return `⚠ ${evidence.notJudged(name, escapeProse(evidence.environmentGap(before.environmentGap), 120))}`;
      if (isExitCodeContradicted(check))
        return `✗ ${isExcusedRed(check) ? evidence.countsFailuresBefore(name, escapeLine(base, 24)) : evidence.countsFailures(name)}`;
      if (isExcusedRed(check)) return `✗ ${evidence.redBefore(name, escapeLine(base, 24))}`;
      if (commandFailure?.kind === 'over_limit') return `✗ ${evidence.overLimit(name, commandFailure)}`;
      return `✗ ${outcome === 'failed' ? evidence.failed(name) : evidence.timedOut(name)}`;
    case 'not_run':
      return environmentGap
        ? `⚠ ${evidence.withheld(name, escapeProse(evidence.environmentGap(environmentGap), 120))}`
        : `⚠ ${evidence.notRun(name)}`;
    case 'ran_no_test':
      return `⚠ ${evidence.ranNoTest(name)}`;
  }
};

/** E19: red first is evidence; green first is a caution. */
const baseTrialLine = (
  tried: NonNullable<CheckResult['withTestsOnBase']>,
  name: string,
  base: string,
  evidence: LanguageTexts['evidence'],
): string => {
  if (tried === 'fails') return `✓ ${evidence.redFirst(name, base)}`;
  if (tried === 'does_not_load') return `✓ ${evidence.notLoaded(name, base)}`;
  return tried === 'passes' ? `⚠ ${evidence.greenFirst(name, base)}` : `✓ ${evidence.untried(name, base)}`;
};

const worstFirst = (checks: readonly CheckResult[]): CheckResult[] => {
  const isGood = ({ outcome, withTestsOnBase }: CheckResult): number =>
    outcome !== 'passed' ? 0 : withTestsOnBase === undefined ? 2 : 1;
  return [...checks].sort((a, b) => isGood(a) - isGood(b));
};

export const evidenceLines = (run: Run, words: LanguageTexts): string[] => {
  const checks = worstFirst(run.change.evaluation?.checks ?? []);
  if (checks.length === 0)
    // guard: E19-untold-on-card
    return [`⚠ ${hasUndescribedTests(run.target.contract) ? words.evidence.untold : words.evidence.none}`];
  const base = run.target.base?.ref ?? '';
  const shown = checks.slice(0, checks.length === MAX_CHECKS + 1 ? MAX_CHECKS + 1 : MAX_CHECKS);
  const rest = checks.slice(shown.length);
  const passed = rest.filter(({ outcome }) => outcome === 'passed').length;
  return [
    ...shown.map((check) => checkLine(check, base, words)),
    ...(rest.length === 0 ? [] : [words.evidence.more(passed, rest.length - passed)]),
    ...unrunCheckLines(run, checks, words),
    ...imageLines(checks, words),
  ];
};

/** E15: what judged nothing of this change, so that nobody takes it for green. */
const unrunCheckLines = (run: Run, checks: readonly CheckResult[], { evidence }: LanguageTexts): string[] => {
  const { contract } = run.target;
  if (contract === null || hasOrderedChecks(run)) return [];
  const changed = run.change.commit?.diff.files.flatMap(pathsOf) ?? [];
  const { leftOut, leftToCi } = unrunChecks(contract, checks, changed);
  const names = (all: readonly { command: string }[]): string =>
    all
      .slice(0, 2)
      .map(({ command }) => `<code>${escapeLine(shortCommand(command), 40)}</code>`)
      .join(', ') + (all.length > 2 ? ' …' : '');
  return [
    ...(leftOut.length > 0 ? [evidence.unrun(leftOut.length, names(leftOut))] : []),
    ...(leftToCi.length > 0 ? [evidence.leftToCi(leftToCi.length, names(leftToCi))] : []),
  ];
};

/** E20: the images in which these checks ran, with the services beside them. */
const imageLines = (checks: readonly CheckResult[], { evidence }: LanguageTexts): string[] => {
  const boxes = checks.flatMap(({ box }) => box ?? []);
  const names = new Map<string, Set<string>>();
  for (const { image, services } of boxes) {
    const beside = names.get(image.name) ?? new Set();
    for (const { name } of services) beside.add(name);
    names.set(image.name, beside);
  }
  return [...names]
    .slice(0, MAX_CHECKS)
    .map(([image, services]) => escapeLine(evidence.ranIn(image, [...services].sort()), 120));
};

/** Omitted, because the check lines already say it. */
const BY_CHECKS: readonly AssessmentReason['kind'][] = [
  'no_check',
  'checks_fail',
  'checks_missing',
  'check_failed',
  'check_not_run',
  'red_before',
  'flaky_before',
  'ran_no_test',
  'graded_by',
];
/** Omitted, because they only say that a person decides. */
const GENERAL: readonly AssessmentReason['kind'][] = [
  'no_policy_allows',
  'high_risk',
  'watched',
  'small_change',
];

/** Omitted, because the test policy and the grade name the file. */
const isAboutTests = (one: AssessmentReason): boolean =>
  one.kind === 'finding' && ['test_removed', 'test_skipped', 'test_weakened'].includes(one.finding);

/** Merges the reasons of policies, risk and grade without duplicates. */
export const reasonsAgainst = (run: Run, { assessment }: SealFields): AssessmentReason[] => {
  const all = [
    ...selectMainObjections(objectionsOf(assessment)).map(({ reason }) => reason),
    ...assessment.factors.filter(({ level }) => level !== 'low').map(({ reason }) => reason),
    ...(run.change.evaluation?.grade?.reasons ?? [])
      .filter(({ level }) => level !== 'PASS')
      .map(({ reason }) => reason),
  ].filter((one) => !BY_CHECKS.includes(one.kind) && !GENERAL.includes(one.kind) && !isAboutTests(one));
  return [...new Map(all.map((one) => [canonicalJson(one), one])).values()];
};

export const capitaliseFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const MAX_CAUTION = 140;

/** The full list is behind *More*, or *Review risks* for high risk. */
export const againstLines = (run: Run, fields: SealFields, words: LanguageTexts): string[] => {
  const told = reasonsAgainst(run, fields).map((one) => words.judgement(one));
  const shown = told
    .slice(0, MAX_CAUTIONS)
    .map((one) => `⚠ ${escapeProse(capitaliseFirst(one), MAX_CAUTION)}`);
  const rest = told.length - shown.length;
  return rest > 0 ? [...shown, words.evidence.moreCautions(rest, fields.assessment.risk === 'high')] : shown;
};

/** Returns the paths that these lines name in full, with the kinds of their reasons. */
export const pathsAgainst = (
  run: Run,
  fields: SealFields,
  words: LanguageTexts,
): Map<string, AssessmentReason['kind'][]> => {
  const named = new Map<string, AssessmentReason['kind'][]>();
  for (const one of reasonsAgainst(run, fields).slice(0, MAX_CAUTIONS)) {
    if (!('at' in one) || [...words.judgement(one)].length > MAX_CAUTION) continue;
    for (const path of one.at) named.set(path, [...(named.get(path) ?? []), one.kind]);
  }
  return named;
};
