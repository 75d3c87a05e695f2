/** Runs the contract's commands on the base commit, to tell what was red before the change (E15). */
import { z } from 'zod';
import { CheckResult } from './check-results.ts';
import {
  type CheckNeed,
  type EnvironmentGap,
  isEnvironmentFailure,
  CommandFailure,
  type StopFault,
} from '#model/environment';
import { shortCommand } from '#model/contract';

/** `version` is null when the tool is missing, `fits` null when that cannot be told. */
export const ObservedToolchain = z.object({
  name: z.string(),
  asked: z.string().nullable(),
  source: z.string().nullable(),
  version: z.string().nullable(),
  fits: z.boolean().nullable(),
});
export type ObservedToolchain = z.infer<typeof ObservedToolchain>;

export const Baseline = z.object({
  /** Cache key of repository, commit, toolchains, commands and box. */
  key: z.string(),
  sha: z.string(),
  /** Start (epoch ms), and the run it was made in when that was another one. */
  at: z.number(),
  from: z.string().nullable(),
  tools: z.array(ObservedToolchain),
  installs: z.array(CheckResult),
  checks: z.array(CheckResult),
});
export type Baseline = z.infer<typeof Baseline>;

export const BaselineStop = z.object({
  name: z.string(),
  command: z.string(),
  commandFailure: CommandFailure,
  /** CI installed this very commit. */
  ciGreen: z.literal(true).exactOptional(),
});
export type BaselineStop = z.infer<typeof BaselineStop>;

const stopOf = ({
  name,
  command,
  commandFailure: trouble,
  environmentGap,
  tail,
}: CheckResult): BaselineStop => ({
  name,
  command,
  commandFailure: trouble ?? {
    kind: 'no_box',
    program: null,
    says: tail.split('\n')[0]?.slice(0, 300) ?? '',
  },
  ...(environmentGap?.kind === 'ci_green' ? { ciGreen: true } : {}),
});

/** Failed installations and unavailable checks. Ordered checks need no installation. */
export const findBaselineStops = (
  { installs, checks }: Pick<Baseline, 'installs' | 'checks'>,
  { ordered, without }: { ordered: boolean; without: readonly string[] },
): BaselineStop[] => {
  const failing = ordered ? [] : installs.filter((r) => r.outcome !== 'passed');
  const missing = checks.filter(
    (r) =>
      !lacksInstall(r) &&
      ((r.outcome === 'not_run' && !r.environmentGap) ||
        (isRed(r) && r.commandFailure && isEnvironmentFailure(r.commandFailure))),
  );
  return [...failing, ...missing].filter((r) => !without.includes(r.name)).map(stopOf);
};

/** Groups stops that lack the same program or host: the first, and how many more there are. */
export const groupAlikeStops = (stops: readonly BaselineStop[]): { stop: BaselineStop; more: number }[] => {
  const describeLack = ({ commandFailure: { kind, program, host }, command }: BaselineStop): string => {
    const what = program ?? host ?? null;
    return what === null ? command : `${kind} ${what}`;
  };
  const groups = Map.groupBy(stops, describeLack);
  return [...groups.values()].flatMap(([stop, ...others]) => (stop ? [{ stop, more: others.length }] : []));
};

export const stopFaultOf = ({ commandFailure, ciGreen }: BaselineStop): StopFault => {
  // guard: E19-installs-in-ci
  if (ciGreen || isEnvironmentFailure(commandFailure)) return 'environment';
  return commandFailure.kind === 'no_package' ? 'undecided' : 'install';
};

const lacksInstall = ({ commandFailure: trouble }: CheckResult): boolean => trouble?.kind === 'not_installed';
const missingProgram = ({ commandFailure: trouble }: CheckResult): EnvironmentGap | null =>
  trouble?.kind === 'no_program' && trouble.program !== null
    ? { kind: 'no_program', program: trouble.program }
    : null;
const gapOfFailure = (check: CheckResult): EnvironmentGap | null =>
  missingProgram(check) ??
  (check.commandFailure?.kind === 'no_network' ? { kind: 'lacks', what: 'network' } : null);

/** That it had no network is its own matter: the checks behind it may need none. */
const gapOfInstall = (install: CheckResult): EnvironmentGap =>
  missingProgram(install) ?? { kind: 'install_fails', command: install.command };

const PROGRAM = /^(?:\w+=\S* +)*(?:python[\d.]* -m +)?(?=[\w+-])([\w.+-]+)(?![\w.+/-])/;
const INSTALLS_NAMED = /\b(?:pip|pip3|gem|cargo|luarocks) install /;
const NAMED_PACKAGE = /^(?:-U|-q|--upgrade|--quiet|--user|["']?[A-Za-z][\w-]*(?:[[=<>~!^].*)?)$/;
/** `pip install tox` brings tox alone; what reads a file of packages may bring anything. */
const bringsNamedOnly = ({ command }: CheckResult): boolean => {
  const [, named, ...more] = shortCommand(command).split(INSTALLS_NAMED);
  return more.length === 0 && (named?.split(' ').every((word) => NAMED_PACKAGE.test(word)) ?? false);
};
const namesWord = (command: string, word: string): boolean => command.split(/[^\w.+-]+/).includes(word);
const findBringing = (
  check: Pick<CheckResult, 'command'>,
  failed: readonly CheckResult[],
): CheckResult | undefined => {
  const program = PROGRAM.exec(shortCommand(check.command))?.[1];
  return program === undefined
    ? undefined
    : failed.find(({ command }) => namesWord(shortCommand(command), program));
};
/** E19: why a check fails whose installation failed, too: what would bring its program, or its lack. */
export const gapWithoutInstall = (
  check: CheckResult,
  failed: readonly CheckResult[],
): EnvironmentGap | null => {
  const bringing = findBringing(check, failed);
  // guard: E19-reason-of-its-own-install
  return bringing ? gapOfInstall(bringing) : missingProgram(check);
};

/** E19: why a check was not run, by what CI gives it and what the base showed. */
export const findGapOnBase = (
  baseline: Pick<Baseline, 'installs' | 'checks'> | null,
  { name, needs }: { name: string; needs?: readonly CheckNeed[] },
): EnvironmentGap | null => {
  if (needs) return { kind: 'needs', needs: [...needs] };
  const own = baseline?.checks.find((one) => one.name === name);
  if (!own || own.environmentGap || isRed(own)) return own?.environmentGap ?? null;
  const failed = baseline?.installs.filter(({ outcome }) => outcome !== 'passed') ?? [];
  const install = findBringing(own, failed) ?? failed.find((one) => !bringsNamedOnly(one));
  // guard: E19-not-run-says-why
  return gapOfFailure(own) ?? (install ? gapOfInstall(install) : null);
};

/** Names of checks whose installation failed: their results mean nothing. */
export const checksWithoutInstall = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter(lacksInstall).map((c) => c.name);

export const isRed = ({ outcome }: CheckResult): boolean => outcome === 'failed' || outcome === 'timed_out';

/** Returns new failures by name, or null when the tests cannot be compared by name. */
const freshOf = (now: CheckResult, then: CheckResult): readonly string[] | null => {
  if (!now.failing && !then.failing) return null;
  // A failure without test names differs from one with names.
  if (!now.failing) return [now.name];
  const known = new Set(then.failing ?? []);
  return now.failing.filter((name) => !known.has(name));
};

const toBaseOutcome = (now: CheckResult, then: CheckResult): NonNullable<CheckResult['onBase']> =>
  then.outcome === 'ran_no_test'
    ? { outcome: 'untested', excused: now.exitCode === then.exitCode, newFailures: [] }
    : { outcome: 'tested', excused: false, newFailures: [] };

/** Excuses a red check that fails as on the base: it blocks nothing and proves nothing. */
export const compareWithBaseline = (now: CheckResult, base: Baseline | null): CheckResult => {
  const then = base?.checks.find((c) => c.name === now.name && c.command === now.command);
  if (!then || then.outcome === 'not_run') return now;
  if (now.outcome === 'ran_no_test') return { ...now, onBase: toBaseOutcome(now, then) };
  if (!isRed(then) && !then.flaky) return now;
  const was = then.flaky ? 'flaky' : 'failing';
  if (!isRed(now)) return { ...now, onBase: { outcome: was, excused: false, newFailures: [] } };
  // guard: E15-ends-the-same-way
  if (now.outcome !== then.outcome || now.exitCode !== then.exitCode)
    return { ...now, onBase: { outcome: was, excused: false, newFailures: [] } };
  const fresh = freshOf(now, then);
  // A flaky check is excused by the tests that it named, never as a whole.
  const excused = fresh === null ? was === 'failing' : fresh.length === 0;
  return {
    ...now,
    onBase: {
      outcome: was,
      excused,
      // guard: E19-environment-gap-kept
      ...(excused && then.environmentGap ? { environmentGap: then.environmentGap } : {}),
      newFailures: fresh === null || excused ? [] : fresh.slice(0, MOST_FRESH),
    },
  };
};
const MOST_FRESH = 50;

export const redBaselineChecks = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter(isRed).map((c) => c.name);
export const flakyBaselineChecks = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter((c) => c.flaky).map((c) => c.name);

export const toolVersionMismatches = ({ tools }: Pick<Baseline, 'tools'>): ObservedToolchain[] =>
  tools.filter((t) => t.fits === false);

/** Lifetime of a result (ms). */
export const BASELINE_LASTS = 24 * 60 * 60 * 1000;
