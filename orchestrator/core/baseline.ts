/**
 * E15: what the contract's installations and checks say on the base commit, and what of a red check
 * after the change was red before.
 */
import { z } from 'zod';
import { CheckResult } from './change-facts.ts';
import { isEnvironment, CommandFailure, type StopFault } from './command-failure.ts';

/**
 * A toolchain as the box has it: `version` is null where it is not there, `fits` null where that
 * cannot be told.
 */
export const ObservedToolchain = z.object({
  name: z.string(),
  asked: z.string().nullable(),
  source: z.string().nullable(),
  version: z.string().nullable(),
  fits: z.boolean().nullable(),
});
export type ObservedToolchain = z.infer<typeof ObservedToolchain>;

export const Baseline = z.object({
  /** Of repository, commit, toolchains, commands and box: the same key, the same answer. */
  key: z.string(),
  sha: z.string(),
  /** When it was run (epoch ms), and in which run, where that was another one. */
  at: z.number(),
  from: z.string().nullable(),
  tools: z.array(ObservedToolchain),
  installs: z.array(CheckResult),
  checks: z.array(CheckResult),
});
export type Baseline = z.infer<typeof Baseline>;

/** What stops a run before its agent: the command that does not do its work, and why. */
export const BaselineStop = z.object({
  name: z.string(),
  command: z.string(),
  commandFailure: CommandFailure,
});
export type BaselineStop = z.infer<typeof BaselineStop>;

const stopOf = ({ name, command, commandFailure: trouble, tail }: CheckResult): BaselineStop => ({
  name,
  command,
  commandFailure: trouble ?? {
    kind: 'no_box',
    program: null,
    says: tail.split('\n')[0]?.slice(0, 300) ?? '',
  },
});

/**
 * Installations that fail, and checks that could not be run, or failed for what the machine lacks.
 * Checks that a person ordered may do
 * without an installation, or install by themselves. What somebody goes on without stops nothing.
 */
export const stopsOf = (
  { installs, checks }: Pick<Baseline, 'installs' | 'checks'>,
  { ordered, without }: { ordered: boolean; without: readonly string[] },
): BaselineStop[] => {
  const failing = ordered ? [] : installs.filter((r) => r.outcome !== 'passed');
  const missing = checks.filter(
    (r) =>
      !lacksInstall(r) &&
      (r.outcome === 'not_run' || (isRed(r) && r.commandFailure && isEnvironment(r.commandFailure))),
  );
  return [...failing, ...missing].filter((r) => !without.includes(r.name)).map(stopOf);
};

/** Of those that lack the same program, the first, and how many more there are. */
export const alikeStops = (stops: readonly BaselineStop[]): { stop: BaselineStop; more: number }[] => {
  const lacks = ({ commandFailure: { kind, program }, command }: BaselineStop): string =>
    program === null ? command : `${kind} ${program}`;
  const groups = Map.groupBy(stops, lacks);
  return [...groups.values()].flatMap(([stop, ...others]) => (stop ? [{ stop, more: others.length }] : []));
};

export const faultOf = (stop: BaselineStop): StopFault =>
  isEnvironment(stop.commandFailure) ? 'environment' : 'install';

const lacksInstall = ({ commandFailure: trouble }: CheckResult): boolean => trouble?.kind === 'not_installed';
/**
 * Checks that an installation was to prepare which failed, by name: they stand and fall with it.
 */
export const notInstalled = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter(lacksInstall).map((c) => c.name);

const isRed = ({ outcome }: CheckResult): boolean => outcome === 'failed' || outcome === 'timed_out';

/**
 * What a red check names that the base did not name; null where the two cannot be told apart by
 * names.
 */
const freshOf = (now: CheckResult, then: CheckResult): readonly string[] | null => {
  if (!now.failing && !then.failing) return null;
  // Nothing is named any more, or it is something else that is red: that is not what was red
  // before.
  if (!now.failing) return [now.name];
  const known = new Set(then.failing ?? []);
  return now.failing.filter((name) => !known.has(name));
};

/** E19: where there were tests before, the change took them away. */
const untestedBefore = (now: CheckResult, then: CheckResult): NonNullable<CheckResult['onBase']> =>
  then.outcome === 'ran_no_test'
    ? { outcome: 'untested', excused: now.exitCode === then.exitCode, newFailures: [] }
    : { outcome: 'tested', excused: false, newFailures: [] };

/**
 * A check of the change beside the same one of the base. What was red before and names nothing new
 * is excused: it blocks nothing, and is no evidence either. So is what turned green: it may have
 * been luck.
 */
export const compareWithBaseline = (now: CheckResult, base: Baseline | null): CheckResult => {
  const then = base?.checks.find((c) => c.name === now.name && c.command === now.command);
  if (!then || then.outcome === 'not_run') return now;
  if (now.outcome === 'ran_no_test') return { ...now, onBase: untestedBefore(now, then) };
  if (!isRed(then) && !then.flaky) return now;
  const was = then.flaky ? 'flaky' : 'failing';
  if (!isRed(now)) return { ...now, onBase: { outcome: was, excused: false, newFailures: [] } };
  // It ended in another way: whatever it names, that is not what was red before.
  // guard: E15-ends-the-same-way
  if (now.outcome !== then.outcome || now.exitCode !== then.exitCode)
    return { ...now, onBase: { outcome: was, excused: false, newFailures: [] } };
  const fresh = freshOf(now, then);
  // A check that came through on a second try is excused by the tests that it named, never as a
  // whole.
  const excused = fresh === null ? was === 'failing' : fresh.length === 0;
  return {
    ...now,
    onBase: {
      outcome: was,
      excused,
      newFailures: fresh === null || excused ? [] : fresh.slice(0, MOST_FRESH),
    },
  };
};
const MOST_FRESH = 50;

/** Red before the change, by name. */
export const redOf = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter(isRed).map((c) => c.name);
export const flakyOf = ({ checks }: Pick<Baseline, 'checks'>): string[] =>
  checks.filter((c) => c.flaky).map((c) => c.name);

/** Toolchains that are there in another version than the repository asks for. */
export const toolVersionMismatches = ({ tools }: Pick<Baseline, 'tools'>): ObservedToolchain[] =>
  tools.filter((t) => t.fits === false);

/** How long a result counts (ms). */
export const BASELINE_LASTS = 24 * 60 * 60 * 1000;
