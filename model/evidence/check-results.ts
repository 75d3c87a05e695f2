/** Results of checks, and what they prove. */
import { z } from 'zod';
import { NotCompared } from '#model/assessment';
import { CommandFailure, EnvironmentGap, UsedBox } from '#model/environment';

/** E15: result on the base. `untested`: no test ran there either; `tested`: its tests are gone. */
const Before = z.object({
  outcome: z.enum(['failing', 'flaky', 'without', 'untested', 'tested']),
  excused: z.boolean(),
  newFailures: z.array(z.string()),
  /** E19: evidence that our machine is to blame, so that nothing is said of the base. */
  environmentGap: EnvironmentGap.exactOptional(),
});

/** `ms` is wall time; `tail` is distilled output, at most 4 KB. */
export const CheckResult = z.object({
  name: z.string(),
  command: z.string(),
  exitCode: z.number().nullable(),
  /** `ran_no_test`: it ended and counted no test (E19). */
  outcome: z.enum(['passed', 'failed', 'timed_out', 'not_run', 'ran_no_test']),
  ms: z.number(),
  tail: z.string(),
  /** Failing tests or complaints; absent when unnamed or too many. */
  failing: z.array(z.string()).exactOptional(),
  commandFailure: CommandFailure.exactOptional(),
  /** E20: the images that it ran in; absent where it ran in a box without one. */
  box: UsedBox.exactOptional(),
  flaky: z.literal(true).exactOptional(),
  /** E19: present on a check that is red on the base, or not run for it. */
  environmentGap: EnvironmentGap.exactOptional(),
  /** On the base with the change's tests alone; absent when it adds or alters none (E19). */
  withTestsOnBase: z.enum(['fails', 'does_not_load', 'passes', 'not_run']).exactOptional(),
  /** Absent when it passed on the base, or was not run there. */
  onBase: Before.exactOptional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** E15: fails for a reason that is neither the base's nor waived. */
export const isBlockingCheck = ({ outcome, exitCode, onBase: before }: CheckResult): boolean => {
  if (outcome === 'passed' || before?.excused) return false;
  // A repository without tests is no failure (E13); one whose tests are gone is.
  // guard: E19-tests-gone-block
  return outcome !== 'ran_no_test' || exitCode !== 0 || before?.outcome === 'tested';
};
/** E15: a check that flakes on the base proves nothing by passing. */
// guard: E15-luck-proves-nothing
export const isPassingEvidence = ({ outcome, onBase: before }: CheckResult): boolean =>
  outcome === 'passed' && before?.outcome !== 'flaky';
export const isExcusedRed = (check: CheckResult): boolean =>
  (check.outcome === 'failed' || check.outcome === 'timed_out') && !isBlockingCheck(check);
/** E19: its own summary contradicts its exit code, which is never called a pass. */
export const isExitCodeContradicted = ({ outcome, exitCode }: CheckResult): boolean =>
  outcome === 'failed' && exitCode === 0;
/** A check without test names hides new failures. */
export const isRedWithoutNames = (check: CheckResult): boolean => isExcusedRed(check) && !check.failing;

/** `bwrap_unfiltered`: bubblewrap where no filter of system calls can be had. */
export const ContainmentLevel = z.enum(['bwrap', 'bwrap_unfiltered', 'unshare', 'container', 'group']);
export type ContainmentLevel = z.infer<typeof ContainmentLevel>;

/** E16: credentials of the operator that a box could read. */
export const ExposedCredential = z.enum(['key', 'sign_in', 'secret']);
export type ExposedCredential = z.infer<typeof ExposedCredential>;

/** E13: `files` configure checks; `baseResults` are the results with the base's version of them. */
export const CheckConfigFiles = z.object({
  files: z.array(z.string()),
  baseResults: z.array(CheckResult).nullable(),
  notCompared: NotCompared.exactOptional(),
});
export type CheckConfigFiles = z.infer<typeof CheckConfigFiles>;

export const passingOnlyWithChange = ({ baseResults: base }: CheckConfigFiles): string[] =>
  (base ?? []).filter(isBlockingCheck).map((c) => c.name);
