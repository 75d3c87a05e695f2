/** Says in a pull request what each check gave, and blames the base by evidence only (E19, F9). */
import { isExitCodeContradicted, isExcusedRed, type CheckResult } from '#model/evidence';
import type { EnvironmentGap } from '#model/environment';
import { hasUndescribedTests, shortCommand, unrunChecks, type Contract } from '#model/contract';
import { codeSpan } from '#text-safety';
import type { ChangedTests } from './changed-tests.ts';
import { ENGLISH_EVIDENCE, type EvidenceWording } from './evidence-wording.ts';

const isFine = ({ exitCode, outcome }: CheckResult): boolean =>
  exitCode === null || outcome === 'passed' || (outcome === 'ran_no_test' && exitCode === 0);

const isNotRun = ({ outcome }: CheckResult): boolean => outcome === 'not_run';

/** A run that was cut off may hide failures. */
const failsAsBefore = ({ outcome, failing = [], onBase }: CheckResult): boolean =>
  outcome === 'failed' && failing.length > 0 && onBase?.newFailures.length === 0;

const gapWords = (environmentGap: EnvironmentGap, wording: EvidenceWording): string => {
  const { gaps, needs, listed, lacks, and } = wording;
  switch (environmentGap.kind) {
    case 'needs':
      return gaps.needs(
        environmentGap.needs
          .map(({ kind, names }) =>
            names.length > 0
              ? `${needs[kind]}${listed(names.map(codeSpan).join(wording.comma))}`
              : needs[kind],
          )
          .join(and),
      );
    case 'tool_version': {
      const { name, asked, version } = environmentGap;
      return gaps.toolVersion(codeSpan(name), codeSpan(asked), version === null ? null : codeSpan(version));
    }
    case 'ci_version': {
      const { name, oldest, newest, version } = environmentGap;
      const versions =
        newest === null
          ? gaps.orNewer(codeSpan(oldest))
          : oldest === newest
            ? codeSpan(oldest)
            : gaps.between(codeSpan(oldest), codeSpan(newest));
      return gaps.ciVersion(codeSpan(name), versions, codeSpan(version));
    }
    case 'time_limit':
      return gaps.timeLimit;
    case 'lacks':
      return gaps.lacks(lacks[environmentGap.what]);
    case 'no_program':
      return gaps.noProgram(codeSpan(environmentGap.program));
    case 'install_fails':
      return gaps.installFails(codeSpan(shortCommand(environmentGap.command)));
    case 'ci_green':
      return gaps.ciGreen;
  }
};

const joinNames = (names: readonly string[], { comma, and }: EvidenceWording): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(comma)}${and}${names.at(-1)}`;

const nameCommand = (
  { command, dir }: { command: string; dir: string },
  { inFolder }: EvidenceWording,
): string => {
  const shown = codeSpan(shortCommand(command));
  return dir === '' ? shown : inFolder(shown, codeSpan(dir));
};

const MOST_NAMED = 3;
const listCommands = (all: readonly { command: string; dir: string }[], wording: EvidenceWording): string => {
  const named = all.slice(0, MOST_NAMED).map((one) => nameCommand(one, wording));
  const rest = all.length - named.length;
  return joinNames(rest > 0 ? [...named, wording.more(rest)] : named, wording);
};
const describeUnrun = (
  contract: Contract | null,
  checks: readonly CheckResult[],
  changed: readonly string[],
  wording: EvidenceWording,
): string[] => {
  if (contract === null) return [];
  const { leftOut, leftToCi } = unrunChecks(contract, checks, changed);
  const said = (['folder', 'filter', 'prose'] as const).flatMap((why) => {
    const these = leftOut.filter((one) => one.why === why);
    return these.length === 0 ? [] : [wording.unrun[why](listCommands(these, wording))];
  });
  if (leftToCi.length > 0) said.push(wording.leftToCi(listCommands(leftToCi, wording)));
  return said.length > 0 ? ['', ...said] : [];
};

type Seen = { contract: Contract | null; changed: readonly string[]; wording?: EvidenceWording };
const NOTHING_LEFT_OUT: Seen = { contract: null, changed: [] };
export const describeCheckEvidence = (
  checks: readonly CheckResult[],
  baseRef: string,
  { contract, changed, wording = ENGLISH_EVIDENCE }: Seen = NOTHING_LEFT_OUT,
): string => {
  // guard: E19-untold-tests
  if (checks.length === 0) return hasUndescribedTests(contract) ? wording.untold : wording.noneFound;
  const describeCheck = (check: CheckResult): string => {
    const exit = isFine(check) ? '' : wording.exit(check.exitCode);
    if (isExcusedRed(check) && check.onBase?.environmentGap)
      return wording.failsHere(gapWords(check.onBase.environmentGap, wording));
    if (isNotRun(check) && check.environmentGap) return gapWords(check.environmentGap, wording);
    if (isExitCodeContradicted(check))
      return isExcusedRed(check) ? wording.countsFailuresBefore : wording.countsFailures;
    if (isExcusedRed(check))
      return `${wording.redBefore}${failsAsBefore(check) ? wording.noneAnew : ''}${exit}`;
    const before = check.onBase?.outcome;
    if (check.outcome === 'passed' && (before === 'failing' || before === 'flaky'))
      return wording.passedNow[before];
    return `${wording.outcomes[check.outcome]}${exit}`;
  };
  const nameCheck = ({ name, command }: CheckResult): string =>
    nameCommand({ command, dir: contract?.checks.find((one) => one.name === name)?.dir ?? '' }, wording);
  const listChecks = (head: string, these: readonly CheckResult[]): string =>
    [head, '', ...these.map((c) => `- ${wording.checked(nameCheck(c), describeCheck(c))}`)].join('\n');
  /** One row for all that one cause kept from running. */
  const listUnrun = (head: string, these: readonly CheckResult[]): string => {
    const causes = new Map<string, string[]>();
    for (const one of these) {
      const cause = describeCheck(one);
      causes.set(cause, [...(causes.get(cause) ?? []), nameCheck(one)]);
    }
    const rows = [...causes].map(
      ([cause, names]) => `- ${wording.checked(joinNames([...new Set(names)], wording), cause)}`,
    );
    return [head, '', ...rows].join('\n');
  };
  const [ran, notRun] = [checks.filter((one) => !isNotRun(one)), checks.filter(isNotRun)];
  const lists = [
    // guard: E19-ran-at-all
    ran.length > 0 ? listChecks(wording.ran, ran) : '',
    notRun.length > 0 ? listUnrun(ran.length > 0 ? wording.notRun : wording.noneRan, notRun) : '',
  ];
  const unrun = describeUnrun(contract, checks, changed, wording);
  return [
    lists.filter((one) => one !== '').join('\n\n'),
    ...testsOnBase(checks, baseRef, wording),
    ...unrun,
  ].join('\n');
};

const commandsThat = (
  checks: readonly CheckResult[],
  result: CheckResult['withTestsOnBase'],
  { and }: EvidenceWording,
): { names: string; several: boolean } => {
  const all = checks.filter(({ withTestsOnBase }) => withTestsOnBase === result);
  return {
    names: all.map(({ command }) => codeSpan(shortCommand(command))).join(and),
    several: all.length > 1,
  };
};

const greenFirst = (checks: readonly CheckResult[], baseRef: string, wording: EvidenceWording): string => {
  const green = commandsThat(checks, 'passes', wording);
  return green.names && wording.greenFirst(green.names, codeSpan(baseRef), green.several);
};

const testsOnBase = (checks: readonly CheckResult[], baseRef: string, wording: EvidenceWording): string[] => {
  const base = codeSpan(baseRef);
  // guard: E19-red-first-said
  const [red, unloaded] = [
    commandsThat(checks, 'fails', wording),
    commandsThat(checks, 'does_not_load', wording),
  ];
  const said = [
    red.names && wording.redFirst(red.names, base, red.several),
    unloaded.names && wording.notLoaded(unloaded.names, base),
    greenFirst(checks, baseRef, wording),
  ].filter((one) => one !== '');
  return said.length > 0 ? ['', ...said] : [];
};

export const describeChangedTests = (
  { changed, removed, skipped }: ChangedTests,
  wording = ENGLISH_EVIDENCE,
): string =>
  [
    changed && wording.testsChanged(changed),
    removed && wording.testsRemoved(removed),
    skipped && wording.testsSkipped(skipped),
  ]
    .filter((one) => one !== '')
    .join('\n');

/** E19: what the person at the card is warned of, a reviewer reads, too. */
export const describeCautions = (
  checks: readonly CheckResult[],
  baseRef: string,
  changed: ChangedTests,
  wording = ENGLISH_EVIDENCE,
): string =>
  [greenFirst(checks, baseRef, wording), describeChangedTests(changed, wording)]
    .filter((one) => one !== '')
    .join('\n');
