/** Runs one command of the repository, contained, in an export of the tree that is to be sealed (E3). */
import type { CheckResult } from '../../orchestrator/core/facts.ts';
import type { Checks, ProcessEnd } from '../../orchestrator/ports.ts';
import type { Sandbox } from '../sandbox/contain.ts';
import { distill } from './distill.ts';
import { childEnvironment } from '../process/environment.ts';
import { openUp } from '../process/open-up.ts';
import { spawnProcess } from '../process/spawn.ts';
import { MB } from '../../orchestrator/core/units.ts';

type Verdict = { outcome: CheckResult['outcome']; note: string | null };

/** A shell, and a box around it, turn the signal that ended their child into an exit code. */
const signalNote = (code: number): string | null =>
  code > 128 && code < 160 ? `The check was ended by signal ${code - 128}.` : null;

/** The program that a command begins with, when the shell found none of that name; what lies in the tree itself is its own. */
const missingProgram = (command: string, stderr: string): string | null => {
  const name = /^\s*([A-Za-z][\w.+-]*)(?=\s|$)/.exec(command)?.[1];
  if (name === undefined) return null;
  const said = stderr
    .split('\n')
    .some((line) => line.includes(`: ${name}: `) && /^\S*sh: .*not found$/.test(line));
  return said ? name : null;
};

/** What the end of the process means; an exit code of 0 counts only when nothing was cut off. */
const judge = (command: string, end: ProcessEnd, refusal: string | null): Verdict => {
  if (refusal !== null) return { outcome: 'not_run', note: `The sandbox could not be started: ${refusal}` };
  // Something of it was refused or killed: what it says after that counts for nothing.
  if (end.excess && end.ended === 'not_started')
    return { outcome: 'not_run', note: `The check could not be started: ${end.excess.says}.` };
  if (end.excess && end.ended !== 'aborted')
    return { outcome: 'failed', note: `The check went too far: ${end.excess.says}.` };
  switch (end.ended) {
    case 'not_started':
      return { outcome: 'not_run', note: 'The check could not be started.' };
    case 'aborted':
      return { outcome: 'not_run', note: 'The check was stopped on request.' };
    case 'timed_out':
      return {
        outcome: 'timed_out',
        note: 'The check ran out of time (checkTimeoutMinutes) and was stopped.',
      };
    case 'output_limit':
      return { outcome: 'failed', note: 'The check printed too much and was stopped.' };
    case 'over_limit':
      return { outcome: 'failed', note: 'The check used too much and was stopped.' };
    case 'signalled':
      return { outcome: 'failed', note: `The check was ended by ${end.signal ?? 'a signal'}.` };
    case 'exited':
      if (end.exitCode === 127 && missingProgram(command, end.stderr) !== null)
        return {
          outcome: 'not_run',
          note: `${missingProgram(command, end.stderr)} was not found. Install it on the host.`,
        };
      if (end.exitCode === 127)
        return { outcome: 'failed', note: 'A program of this check was not found. Install it on the host.' };
      if (end.exitCode === 126)
        return { outcome: 'failed', note: 'A program of this check may not be executed.' };
      return { outcome: end.exitCode === 0 ? 'passed' : 'failed', note: signalNote(end.exitCode ?? 0) };
  }
};

export const createChecks = (deps: {
  sandbox: Sandbox;
  /** Extra directories of programs, and what of the operator's environment may pass. */
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  network?: Readonly<Record<'install' | 'check', boolean>>;
  maxOutputBytes?: number;
}): Checks => ({
  run: async (input) => {
    const { sandbox } = deps;
    const { runId, name, command, dir, home, timeoutMs, signal } = input;
    const wrapped = sandbox.wrap({
      runId,
      argv: ['sh', '-c', command],
      cwd: dir,
      writable: [dir, home],
      network: deps.network?.[input.kind] ?? true,
      env: childEnvironment({ home, tools: deps.tools ?? [], pass: deps.pass ?? {} }),
    });
    const maxOutputBytes = deps.maxOutputBytes ?? 16 * MB;
    const { stdoutBytes: _, ...end } = await spawnProcess({
      ...wrapped,
      timeoutMs,
      signal,
      maxOutputBytes,
      onStart: (pid, pidStart) => input.onStart(pid, pidStart),
    });
    await openUp(dir, home);
    const { outcome, note } = judge(command, end, sandbox.refusal(end));
    const tail = distill(end, note);
    return {
      result: { name, command, exitCode: end.exitCode, outcome, ms: end.ms, tail },
      end,
      containment: sandbox.level,
    };
  },
});
