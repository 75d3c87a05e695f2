/** Judges a finished command by its exit and its output. Pure. */
import { cannotFail, isListingOnly, hasMeaninglessExit } from '#discovery';
import type { CheckResult } from '#model/evidence';
import { isEnvironmentFailure, type CommandFailure } from '#model/environment';
import { findHostTool } from '#tools';
import type { CheckExecutor, ProcessEnd } from '#ports/processes';
import { classifyCommandFailure } from './classify-command-failure.ts';
import { distillOutput } from './distill-output.ts';
import { findFailureNames } from './failing-tests.ts';
import { classifyTestRun } from './classify-test-run.ts';

export type EndedCommand = Pick<Parameters<CheckExecutor['run']>[0], 'kind' | 'command'> & {
  end: ProcessEnd;
  refusal: string | null;
};
export type CheckVerdict = Pick<CheckResult, 'outcome' | 'tail' | 'commandFailure' | 'failing'>;

type ReadOutcome = { outcome: CheckResult['outcome']; note: string | null; trouble?: CommandFailure };

/** A shell or sandbox reports its child's fatal signal as exit code 128 + n. */
const signalNote = (code: number): string | null =>
  code > 128 && code < 160 ? `The check was ended by signal ${code - 128}.` : null;

const missingProgram = (command: string, stderr: string): string | null => {
  const name = /^\s*([A-Za-z][\w.+-]*)(?=\s|$)/.exec(command)?.[1];
  if (name === undefined) return null;
  const said = stderr
    .split('\n')
    .some((line) => line.includes(`: ${name}: `) && /^\S*sh: .*not found$/.test(line));
  return said ? name : null;
};

const isKnownProgram = (name: string): boolean => findHostTool(name) !== null;

const NOT_FOUND = /\b(?:Error|exit code|exit status|code) 127\b/;

const findLackingProgram = (command: string, end: ProcessEnd): { program: string; says: string } | null => {
  const isLacking = end.exitCode === 127 || (end.exitCode !== 0 && NOT_FOUND.test(end.stderr + end.stdout));
  if (!isLacking) return null;
  const first = end.exitCode === 127 ? missingProgram(command, end.stderr) : null;
  const { kind, program, says } = classifyCommandFailure(
    end,
    (name) => name === first || isKnownProgram(name),
  );
  return kind === 'no_program' && program !== null ? { program, says } : null;
};

const overLimit = ({ says, detail }: NonNullable<ProcessEnd['excess']>): CommandFailure => ({
  kind: 'over_limit',
  program: null,
  says,
  ...(detail ? { limit: detail } : {}),
});

/** 128 + SIGKILL, as a shell or sandbox reports it. */
const KILLED_EXIT_CODE = 137;
/** E19: our own limits are told as `excess`; otherwise nobody but the machine sends SIGKILL. */
// guard: E19-killed-by-machine
const machineKillOutcome = (): ReadOutcome => ({
  outcome: 'not_run',
  note: 'The check was ended by the machine (137), which may be out of memory.',
  trouble: { kind: 'killed', program: null, says: 'ended by the machine (137)' },
});

const toNotRun = (note: string): ReadOutcome => ({ outcome: 'not_run', note });
const toFailed = (note: string): ReadOutcome => ({ outcome: 'failed', note });

/** A box that could not be had, or a limit of ours that was passed, says nothing of the check's own end. */
const findBoxOutcome = ({ excess, ended }: ProcessEnd, refusal: string | null): ReadOutcome | null => {
  if (refusal !== null)
    return {
      ...toNotRun(`The sandbox could not be started: ${refusal}`),
      trouble: { kind: 'no_box', program: null, says: refusal },
    };
  if (!excess || ended === 'aborted') return null;
  if (ended === 'not_started')
    return {
      ...toNotRun(`The check could not be started: ${excess.says}.`),
      trouble: { kind: 'no_room', program: null, says: excess.says },
    };
  return { ...toFailed(`The check went too far: ${excess.says}.`), trouble: overLimit(excess) };
};

/** An exit code of 0 counts only if no output was cut off. */
const readOutcome = (
  command: Pick<EndedCommand, 'kind' | 'command'>,
  end: ProcessEnd,
  refusal: string | null,
): ReadOutcome => {
  const ofBox = findBoxOutcome(end, refusal);
  if (ofBox) return ofBox;
  switch (end.ended) {
    case 'not_started':
      return toNotRun('The check could not be started.');
    case 'aborted':
      return toNotRun('The check was stopped on request.');
    case 'timed_out':
      return {
        outcome: 'timed_out',
        note: 'The check ran out of time (checkTimeoutMinutes) and was stopped.',
      };
    case 'output_limit':
      return toFailed('The check printed too much and was stopped.');
    case 'over_limit':
      return toFailed('The check used too much and was stopped.');
    case 'signalled':
      if (end.signal === 'SIGKILL') return machineKillOutcome();
      return toFailed(`The check was ended by ${end.signal ?? 'a signal'}.`);
    case 'exited':
      return readExit(command, end);
  }
};

const readExit = (
  { kind, command }: Pick<EndedCommand, 'kind' | 'command'>,
  end: ProcessEnd,
): ReadOutcome => {
  if (end.exitCode === KILLED_EXIT_CODE) return machineKillOutcome();
  const lacks = findLackingProgram(command, end);
  if (lacks !== null)
    return {
      ...toNotRun(`${lacks.program} was not found. Install it on the host.`),
      trouble: { kind: 'no_program', ...lacks },
    };
  if (end.exitCode === 127) return toFailed('A program of this check was not found. Install it on the host.');
  if (end.exitCode === 126) return toFailed('A program of this check may not be executed.');
  const count = kind === 'check' ? classifyTestRun(end) : null;
  // guard: E19-failures-not-passed
  if (count === 'failures' && end.exitCode === 0)
    return toFailed('It ended with exit code 0, but counts failures.');
  // guard: E19-listing-no-evidence
  if (kind === 'check' && end.exitCode === 0 && isListingOnly(command))
    return { outcome: 'ran_no_test', note: 'This command only lists or plans; it ran no test.' };
  // guard: E19-no-test-no-evidence
  if (count === 'none') return { outcome: 'ran_no_test', note: 'It ran no test.' };
  // guard: E19-told-to-pass-no-evidence
  if (kind === 'check' && end.exitCode === 0 && count !== 'some' && cannotFail(command))
    return {
      outcome: 'ran_no_test',
      note: 'This command ends with exit code 0 whatever it finds, so that it proves nothing.',
    };
  // guard: E19-findings-not-passed
  if (kind === 'check' && end.exitCode === 0 && end.stdout.trim() !== '' && hasMeaninglessExit(command))
    return toFailed('It ended with exit code 0, but names what it found.');
  return { outcome: end.exitCode === 0 ? 'passed' : 'failed', note: signalNote(end.exitCode ?? 0) };
};

const findCommandFailure = (kind: EndedCommand['kind'], end: ProcessEnd): CommandFailure | null => {
  if (end.ended !== 'exited' && kind === 'check') return null;
  const found = classifyCommandFailure(end, isKnownProgram);
  return kind === 'install' || isEnvironmentFailure(found) ? found : null;
};

export const readVerdict = ({ kind, command, end, refusal }: EndedCommand): CheckVerdict => {
  const { outcome, note, trouble } = readOutcome({ kind, command }, end, refusal);
  const tail = distillOutput(end, note);
  const isRed = outcome !== 'passed' && outcome !== 'ran_no_test';
  // Truncated output names only some of its failures.
  const failing = isRed && end.ended === 'exited' && kind === 'check' ? findFailureNames(end) : null;
  const why = isRed
    ? (trouble ?? (failing || end.exitCode === 0 ? null : findCommandFailure(kind, end)))
    : null;
  return { outcome, tail, ...(why ? { commandFailure: why } : {}), ...(failing ? { failing } : {}) };
};

export const unreadableOutputVerdict = (): CheckVerdict => ({
  outcome: 'failed',
  tail: 'What it printed could not be read within the limits, so that it proves nothing.',
});
