/** Judges what the tests of a change gave on its base, without the rest of the change (E19). */
import type { CheckResult } from '#model/evidence';
import { isEnvironmentFailure } from '#model/environment';
import { baseName, isCode, hasRunTests } from '#model/paths';

export type TestsOnBase = NonNullable<CheckResult['withTestsOnBase']>;

/** Matches what compilers and module loaders print for a name that only the change adds. */
const LOAD_FAILURES: readonly RegExp[] = [
  /\b(?:Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|Failed to (?:resolve import|load url)|does not provide an export named|is not exported by|Could not resolve|has no exported member|SyntaxError:)/,
  /\berror TS\d+:/,
  /\b(?:ImportError|ModuleNotFoundError|unittest\.loader\._FailedTest)\b|errors? during collection/,
  /\[(?:build|setup) failed\]/,
  /\berror\[E\d+\]|\bcould not compile\b/,
  /\bCOMPILATION ERROR\b|\bcompile\w{0,60}?Test\w{0,60} FAILED\b|: error: cannot find symbol/,
  /\berror CS\d+:|\berror: cannot find '[^']*' in scope|\berror: no such module\b/,
  /\buninitialized constant\b|\bcannot load such file\b|error occurred while loading\b/,
  /^== Compilation error in file\b/m,
  /^CMake Error\b|^-- Configuring incomplete\b|\bNo rule to make target\b|\bmeson\.build:\d+:\d+: ERROR\b/m,
  /\bFailed opening required\b|\bClass "[^"]*" not found\b/,
  /\bundefined reference to\b|\bimplicit declaration of function\b|\bundeclared\b|\bwas not declared in this scope\b|compilation terminated/,
];
/** Names of single tests, as `failing-tests.ts` reads them; a file that did not load has none. */
const SINGLE_TEST = /^(?!\w*error\b|FAILED \()(?:.*(?:::| > | › )|[\w:]+#\w|\S+ Test[A-Z_])/i;

const isLoadFailure = ({ tail, failing = [] }: CheckResult): boolean =>
  LOAD_FAILURES.some((says) => says.test(tail)) && !failing.some((name) => SINGLE_TEST.test(name));

const namesFile = (name: string): boolean => /(?:^|[\s/(])[\w.-]+\.[a-z]{1,4}(?:$|[\s:[)>#])/i.test(name);

/** Failures elsewhere say nothing of the tests, unless a fixture or a setup is among them. */
const failElsewhere = ({ failing = [] }: CheckResult, paths: readonly string[]): boolean => {
  const isSetup = (path: string): boolean =>
    !isCode(path) || /(?:conftest|setup|helpers?|fixtures?|support|utils?)\b/i.test(path);
  const named = failing.filter(namesFile);
  return (
    named.length > 0 &&
    named.length === failing.length &&
    !paths.some(isSetup) &&
    !paths.some((path) => named.some((name) => name.includes(baseName(path))))
  );
};

const BUILD_LIST = /(?:^|\/)(?:CMakeLists\.txt|(?:GNU)?makefile(?:\.am)?|[^/]+\.mk|meson\.build)$/i;
export const mayListTests = (path: string): boolean => BUILD_LIST.test(path);

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());

/** Each line that the text gained names a test; other lines may need the rest of the change. */
export const listsOnlyTests = (before: string, after: string): boolean => {
  const known = new Set(linesOf(before));
  const gained = linesOf(after).filter((line) => line !== '' && !known.has(line));
  // guard: E19-lists-of-tests
  return gained.length > 0 && gained.every((line) => /test|\bspec/i.test(line));
};

export const readTestsOnBase = (result: CheckResult, paths: readonly string[]): TestsOnBase => {
  const { command, outcome, commandFailure, tail } = result;
  if (outcome === 'passed') return hasRunTests(command, tail, paths) ? 'passes' : 'not_run';
  if (outcome !== 'failed') return 'not_run';
  // guard: E19-not-loaded-is-not-red
  if (isLoadFailure(result)) return 'does_not_load';
  if (commandFailure && isEnvironmentFailure(commandFailure)) return 'not_run';
  // guard: E19-red-by-its-own-tests
  return failElsewhere(result, paths) ? 'not_run' : 'fails';
};
