/**
 * Runs one command of the repository, contained, in an export of the tree that is to be sealed
 * (E3).
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isFolder } from '../../orchestrator/core/contract.ts';
import type { CheckResult, Containment } from '../../orchestrator/core/facts.ts';
import type { Checks, ProcessEnd } from '../../orchestrator/ports.ts';
import { openBoxNetwork, refusals } from '../gateway/box-network.ts';
import type { Gateway, Network } from '../gateway/gateway.ts';
import type { Sandbox } from '../sandbox/contain.ts';
import { troubleIn } from './complaint.ts';
import { distill } from './distill.ts';
import { failingIn } from './failing.ts';
import { ranNoTest } from './no-tests.ts';
import { isKnownProgram } from '../../orchestrator/core/toolchains.ts';
import { isEnvironment, type Complaint } from '../../orchestrator/core/trouble.ts';
import { childEnvironment } from '../process/environment.ts';
import { openUp } from '../process/open-up.ts';
import { spawnProcess } from '../process/spawn.ts';
import { MB } from '../../orchestrator/core/units.ts';

type Input = Parameters<Checks['run']>[0];
type Ran = ReturnType<Checks['run']>;
type Verdict = { outcome: CheckResult['outcome']; note: string | null; trouble?: Complaint };

/** A shell, and a box around it, turn the signal that ended their child into an exit code. */
const signalNote = (code: number): string | null =>
  code > 128 && code < 160 ? `The check was ended by signal ${code - 128}.` : null;

/**
 * The program that a command begins with, when the shell found none of that name; what lies in the
 * tree itself is its own.
 */
const missingProgram = (command: string, stderr: string): string | null => {
  const name = /^\s*([A-Za-z][\w.+-]*)(?=\s|$)/.exec(command)?.[1];
  if (name === undefined) return null;
  const said = stderr
    .split('\n')
    .some((line) => line.includes(`: ${name}: `) && /^\S*sh: .*not found$/.test(line));
  return said ? name : null;
};

/** How a shell, or whatever calls one, says that there is no such program. */
const NOT_FOUND = /\b(?:Error|exit code|exit status|code) 127\b/;

/**
 * A program that the machine lacks; what a project installs for itself is none of the machine's.
 */
const lacking = (command: string, end: ProcessEnd): { program: string; says: string } | null => {
  const isLacking = end.exitCode === 127 || (end.exitCode !== 0 && NOT_FOUND.test(end.stderr + end.stdout));
  if (!isLacking) return null;
  const first = end.exitCode === 127 ? missingProgram(command, end.stderr) : null;
  const { kind, program, says } = troubleIn(end, (name) => name === first || isKnownProgram(name));
  return kind === 'no_program' && program !== null ? { program, says } : null;
};

/** What the end of the process means; an exit code of 0 counts only when nothing was cut off. */
const judge = (
  { kind, command }: Pick<Input, 'kind' | 'command'>,
  end: ProcessEnd,
  refusal: string | null,
): Verdict => {
  const lacks = end.ended === 'exited' ? lacking(command, end) : null;
  if (refusal !== null)
    return {
      outcome: 'not_run',
      note: `The sandbox could not be started: ${refusal}`,
      trouble: { kind: 'no_box', program: null, says: refusal },
    };
  // Something of it was refused or killed: what it says after that counts for nothing.
  if (end.excess && end.ended === 'not_started')
    return {
      outcome: 'not_run',
      note: `The check could not be started: ${end.excess.says}.`,
      trouble: { kind: 'no_room', program: null, says: end.excess.says },
    };
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
      if (lacks !== null)
        return {
          outcome: 'not_run',
          note: `${lacks.program} was not found. Install it on the host.`,
          trouble: { kind: 'no_program', ...lacks },
        };
      if (end.exitCode === 127)
        return { outcome: 'failed', note: 'A program of this check was not found. Install it on the host.' };
      if (end.exitCode === 126)
        return { outcome: 'failed', note: 'A program of this check may not be executed.' };
      // guard: E19-no-test-no-evidence
      if (kind === 'check' && ranNoTest(end)) return { outcome: 'ran_no_test', note: 'It ran no test.' };
      return { outcome: end.exitCode === 0 ? 'passed' : 'failed', note: signalNote(end.exitCode ?? 0) };
  }
};

/**
 * What kept a command from its work. A check is a judgement of the code unless it surely speaks of
 * the machine and names no test: Maven and Gradle fetch packages when they are asked to test.
 */
const unable = (kind: Input['kind'], end: ProcessEnd): Complaint | null => {
  if (end.ended !== 'exited' && kind === 'check') return null;
  const found = troubleIn(end, isKnownProgram);
  return kind === 'install' || isEnvironment(found) ? found : null;
};

/** Null where the commit has no such folder, or one that leads out of it. */
const placeIn = (dir: string, folder: string): string | null => {
  const root = realpathSync(dir);
  if (folder === '') return root;
  if (!isFolder(folder)) return null;
  const place = path.join(root, folder);
  const real = statSync(place, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(place) : null;
  // guard: E3-folder-inside
  return real?.startsWith(root + path.sep) ? real : null;
};

/** The change took the folder away: the machine is not to blame. */
const notThere = ({ name, command, folder }: Input, containment: Containment): Awaited<Ran> => {
  const tail = `The folder ${folder} is not in this commit.`;
  const end = {
    exitCode: null,
    ended: 'not_started',
    signal: null,
    ms: 0,
    stdout: '',
    stderr: tail,
  } as const;
  return { result: { name, command, exitCode: null, outcome: 'failed', ms: 0, tail }, end, containment };
};

const IN_BOX = { dir: '/box/tree', home: '/box/home' };

export const createChecks = (deps: {
  sandbox: Sandbox;
  /** Extra directories of programs, and what of the operator's environment may pass. */
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  network?: Readonly<Record<'install' | 'check', Network>>;
  /** Where there is none, `listed` is the network of the machine. */
  gateway?: Gateway;
  maxOutputBytes?: number;
}): Checks => ({
  run: async (input) => {
    const { sandbox } = deps;
    const { runId, name, command, dir, folder, home, timeoutMs, signal } = input;
    const cwd = placeIn(dir, folder);
    if (cwd === null) return notThere(input, sandbox.level);
    // Installed programs have the path written into them at which they were installed: in a box it
    // is always the same.
    const isBoxed = sandbox.level !== 'group';
    const at = isBoxed ? IN_BOX : { dir, home };
    const box = { runId, level: sandbox.level, home, pass: deps.pass ?? {} };
    const network = await openBoxNetwork(deps.gateway, deps.network?.[input.kind] ?? 'shared', box);
    const wrapped = sandbox.wrap({
      ...(isBoxed ? { shownAs: { [dir]: at.dir, [home]: at.home } } : {}),
      runId,
      argv: ['sh', '-c', command],
      cwd,
      writable: [dir, home],
      network: network.reach,
      env: childEnvironment({ home: at.home, tools: deps.tools ?? [], pass: network.pass }),
    });
    const maxOutputBytes = deps.maxOutputBytes ?? 16 * MB;
    const { stdoutBytes: _, ...ended } = await spawnProcess({
      ...wrapped,
      timeoutMs,
      signal,
      maxOutputBytes,
      onStart: (pid, pidStart) => input.onStart(pid, pidStart),
    });
    await network.close();
    const end = { ...ended, stderr: ended.stderr + refusals(network.refused()) };
    await openUp(dir, home);
    const { outcome, note, trouble } = judge(input, end, sandbox.refusal(end));
    const tail = distill(end, note);
    const isRed = outcome !== 'passed' && outcome !== 'ran_no_test';
    // What was cut off names some of its failures at most.
    const failing = isRed && end.ended === 'exited' && input.kind === 'check' ? failingIn(end) : null;
    const why = isRed ? (trouble ?? (failing ? null : unable(input.kind, end))) : null;
    return {
      result: {
        name,
        command,
        exitCode: end.exitCode,
        outcome,
        ms: end.ms,
        tail,
        ...(why ? { trouble: why } : {}),
        ...(failing ? { failing } : {}),
      },
      end,
      containment: sandbox.level,
    };
  },
});
