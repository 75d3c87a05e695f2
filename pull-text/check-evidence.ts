/** Says in a pull request what each check gave, and blames the base by evidence only (E19, F9). */
import { countsFailures, redAsBefore, type CheckResult } from '#model/evidence';
import type { CheckNeed, CiVersions, LackedThing, EnvironmentGap } from '#model/environment';
import { hasUntoldTests, shortCommand, unrunChecks, type Contract } from '#model/contract';
import { codeSpan } from '#text-safety';
import type { ChangedTests } from './changed-tests.ts';

const OUTCOME_WORDS: Readonly<Record<CheckResult['outcome'], string>> = {
  passed: 'passed',
  failed: 'FAILED',
  timed_out: 'TIMED OUT',
  not_run: 'could not be run',
  ran_no_test: 'ran no test',
};

const isFine = ({ exitCode, outcome }: CheckResult): boolean =>
  exitCode === null || outcome === 'passed' || (outcome === 'ran_no_test' && exitCode === 0);

const NEED_WORDS: Readonly<Record<CheckNeed['kind'], string>> = {
  history: 'the whole history and tags',
  submodules: 'submodules',
  lfs: 'files of Git LFS',
  services: 'services',
  secrets: 'secrets',
  system: 'another system',
};

const LACK_WORDS: Readonly<Record<LackedThing, string>> = {
  network: 'the network',
  service: 'a running service',
  docker: 'Docker',
  browser: 'a browser',
  display: 'a display',
  system_library: 'a system library',
  memory: 'more memory',
  package: 'a package',
  permission: 'rights',
  older_node: 'an older Node',
  older_python: 'an older Python',
  free_port: 'a free port',
  writable_folder: 'a folder that it may write to',
  open_files: 'more open files',
  git_identity: 'a name and an address for git',
  time_zone: 'data of time zones',
  terminal: 'a terminal',
  ordinary_user: 'an ordinary user',
  interpreter: 'another interpreter',
  variable: 'a variable of the environment',
};

const ciVersionWords = ({ oldest, newest }: Pick<CiVersions, 'oldest' | 'newest'>): string => {
  if (newest === null) return `${codeSpan(oldest)} or newer`;
  return oldest === newest ? codeSpan(oldest) : `${codeSpan(oldest)} to ${codeSpan(newest)}`;
};

const gapWords = (environmentGap: EnvironmentGap): string => {
  switch (environmentGap.kind) {
    case 'needs':
      return `it needs ${environmentGap.needs.map(({ kind, names }) => (names.length > 0 ? `${NEED_WORDS[kind]} (${names.map(codeSpan).join(', ')})` : NEED_WORDS[kind])).join(' and ')}`;
    case 'tool_version':
      return `the repository asks for ${codeSpan(environmentGap.name)} ${codeSpan(environmentGap.asked)}${environmentGap.version === null ? '' : `, and it ran with ${codeSpan(environmentGap.version)}`}`;
    case 'ci_version':
      return `CI uses ${codeSpan(environmentGap.name)} ${ciVersionWords(environmentGap)}, and it ran with ${codeSpan(environmentGap.version)}`;
    case 'time_limit':
      return 'it did not end within the time limit, with or without this change';
    case 'lacks':
      return `it needs ${LACK_WORDS[environmentGap.what]} that the machine lacks`;
    case 'no_program':
      return `${codeSpan(environmentGap.program)} is not installed on the machine`;
    case 'install_fails':
      return `${codeSpan(shortCommand(environmentGap.command))} fails on the machine`;
    case 'ci_green':
      return 'it fails here without this change too, although CI is green there';
  }
};

const MOST_NAMED = 3;
const listCommands = (all: readonly { command: string; dir: string }[]): string => {
  const named = all
    .slice(0, MOST_NAMED)
    .map(({ command, dir }) => codeSpan(shortCommand(command)) + (dir === '' ? '' : ` in ${codeSpan(dir)}`));
  const more = all.length - named.length;
  const parts = more > 0 ? [...named, `${more} more`] : named;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
};
const UNRUN_WORDS = {
  folder: 'Not run here, because no file of its folder is changed',
  filter: 'Not run, because CI runs it for other files',
  prose: 'Not run, because only texts are changed',
} as const;
const describeUnrun = (
  contract: Contract | null,
  checks: readonly CheckResult[],
  changed: readonly string[],
): string[] => {
  if (contract === null) return [];
  const { leftOut, leftToCi } = unrunChecks(contract, checks, changed);
  const said = (['folder', 'filter', 'prose'] as const).flatMap((why) => {
    const these = leftOut.filter((one) => one.why === why);
    return these.length === 0 ? [] : [`${UNRUN_WORDS[why]}: ${listCommands(these)}.`];
  });
  if (leftToCi.length > 0) said.push(`Left to CI: ${listCommands(leftToCi)}.`);
  return said.length > 0 ? ['', ...said] : [];
};

const NOTHING_LEFT_OUT = { contract: null, changed: [] };
export const checkEvidence = (
  checks: readonly CheckResult[],
  baseRef: string,
  { contract, changed }: { contract: Contract | null; changed: readonly string[] } = NOTHING_LEFT_OUT,
): string => {
  // guard: E19-untold-tests
  if (checks.length === 0)
    return hasUntoldTests(contract)
      ? 'No check was run: nothing in this repository says how its tests are run.'
      : 'No check was run: none was found in this repository for this change.';
  const describeCheck = (check: CheckResult): string => {
    const exit = isFine(check) ? '' : ` (exit ${check.exitCode})`;
    if (redAsBefore(check) && check.onBase?.environmentGap)
      return `not judged here: ${gapWords(check.onBase.environmentGap)}`;
    if (check.outcome === 'not_run' && check.environmentGap)
      return `not run here: ${gapWords(check.environmentGap)}`;
    if (countsFailures(check))
      return `counts failures${redAsBefore(check) ? ', on the base branch too' : ''}, though it ends with exit code 0`;
    if (redAsBefore(check)) return `fails on the base branch too${exit}`;
    return `${OUTCOME_WORDS[check.outcome]}${exit}`;
  };
  const lines = checks.map((c) => `- ${codeSpan(shortCommand(c.command))}: ${describeCheck(c)}`);
  // guard: E19-ran-at-all
  const head = checks.some(({ outcome }) => outcome !== 'not_run')
    ? ['Run on exactly the files of this commit:', '']
    : ['No check could be run:', ''];
  return [...head, ...lines, ...redFirst(checks, baseRef), ...describeUnrun(contract, checks, changed)].join(
    '\n',
  );
};

const redFirst = (checks: readonly CheckResult[], baseRef: string): string[] => {
  // guard: E19-red-first-said
  const [red, unloaded] = [tried(checks, 'fails'), tried(checks, 'does_not_load')];
  const [fail, pass] = red.includes(' and ') ? ['fail', 'they pass'] : ['fails', 'it passes'];
  const base = codeSpan(baseRef);
  const said = [
    red && `With the tests of this change alone, ${red} ${fail} on ${base}; here ${pass}.`,
    unloaded &&
      `The tests of this change need the rest of it to load: ${unloaded} cannot run them on ${base}.`,
  ].filter((one) => one !== '');
  return said.length > 0 ? ['', ...said] : [];
};

const tried = (checks: readonly CheckResult[], result: CheckResult['withTestsOnBase']): string =>
  checks
    .filter(({ withTestsOnBase }) => withTestsOnBase === result)
    .map(({ command }) => codeSpan(shortCommand(command)))
    .join(' and ');

/** E19: what the person at the card is warned of, a reviewer reads, too. */
export const describeCautions = (
  checks: readonly CheckResult[],
  baseRef: string,
  { changed, removed, skipped }: ChangedTests,
): string => {
  const green = tried(checks, 'passes');
  const [pass, show] = green.includes(' and ') ? ['pass', 'they do'] : ['passes', 'it does'];
  return [
    green &&
      `With the tests of this change alone, ${green} ${pass} on ${codeSpan(baseRef)} as well, so ${show} not show what this changes.`,
    changed && `Existing tests are changed: ${changed}.`,
    removed && `Tests are removed or renamed: ${removed}.`,
    skipped && `More tests are skipped or expected to fail: ${skipped}.`,
  ]
    .filter((one) => one !== '')
    .join('\n');
};
