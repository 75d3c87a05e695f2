/** Engine `script`: any shell command that changes the workspace; the prompt comes on its standard input. */
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { NO_USAGE } from '../../orchestrator/core/facts.ts';
import type { Executor, ExecutorDone, ProcessEnd } from '../../orchestrator/ports.ts';
import type { Sandbox } from '../contain.ts';
import { childEnvironment } from '../environment.ts';
import { lastLine, plainLines, shorten } from '../plain-text.ts';
import { spawnProcess } from '../spawn.ts';

const MB = 1024 * 1024;
const PROGRESS_EVERY_MS = 500;
const SUMMARY_LIMIT = 300;

const Said = z.object({ summary: z.string() });
const summaryIn = (line: string): string | null => {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    return Said.safeParse(JSON.parse(line)).data?.summary ?? null;
  } catch {
    return null; // An ordinary line that begins with a brace.
  }
};

/** The last `{"summary": …}` line, else the last line. */
const summarise = (stdout: string): string => {
  const said = stdout
    .slice(-256_000)
    .split('\n')
    .map(summaryIn)
    .findLast((text) => text !== null);
  if (said === undefined || said === null) return lastLine(stdout, SUMMARY_LIMIT) ?? '';
  return shorten(plainLines(said).join(' ').trim(), SUMMARY_LIMIT);
};

/** Own decisions first: what we stopped is not a crash, whatever its exit code says. */
const classify = (end: ProcessEnd, refusal: string | null): ExecutorDone['failure'] => {
  const failure = (of: NonNullable<ExecutorDone['failure']>['class'], message: string) => ({
    class: of,
    message,
    retryAt: null,
  });
  const said = lastLine(end.stderr);
  const because = said === null ? '' : `: ${said}`;
  switch (end.ended) {
    case 'timed_out':
      return failure('timed_out', 'The script ran out of time and was stopped.');
    case 'aborted':
      return failure('cancelled', 'The script was stopped on request.');
    case 'output_limit':
      return failure('budget_exceeded', 'The script printed too much and was stopped. Make it quieter.');
    case 'not_started':
      return failure('agent_missing', said ?? 'The script could not be started.');
    case 'signalled':
      return failure('crashed', `The script was ended by ${end.signal ?? 'a signal'}${because}`);
    case 'exited':
      if (end.exitCode === 0) return null;
      if (refusal !== null) return failure('sandbox_denied', `The sandbox could not be started: ${refusal}`);
      if (end.exitCode === 127)
        return failure('agent_missing', `A program of the script was not found${because}`);
      if (end.exitCode === 126)
        return failure('agent_missing', `A program of the script may not be executed${because}`);
      return failure('crashed', `The script ended with exit code ${end.exitCode}${because}`);
  }
};

/** Passes on the newest whole line, at most one in half a second. */
const createProgress = (tell: (text: string) => void) => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let last = -Infinity;
  return (chunk: Buffer): void => {
    const whole = rest + decoder.write(chunk);
    const end = whole.lastIndexOf('\n');
    rest = whole.slice(end + 1).slice(-4096);
    const now = performance.now();
    if (end < 0 || now - last < PROGRESS_EVERY_MS) return;
    const text = lastLine(whole.slice(0, end), 200);
    if (text === null) return;
    last = now;
    tell(text);
  };
};

const NOT_STARTED: ProcessEnd = {
  exitCode: null,
  ended: 'not_started',
  signal: null,
  ms: 0,
  stdout: '',
  stderr: '',
};

export const createScriptExecutor = (deps: {
  sandbox: Sandbox;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  network?: boolean;
  maxOutputBytes?: number;
}): Executor => ({
  run: async (input) => {
    const { sandbox } = deps;
    const { runId, engineArgs, prompt, workspace, home, timeoutMs, signal } = input;
    const done = (end: ProcessEnd, failure: ExecutorDone['failure'], summary: string): ExecutorDone => ({
      outcome: failure === null ? 'completed' : 'failed',
      failure,
      session: null,
      summary,
      usage: NO_USAGE,
      containment: sandbox.level,
      end,
      model: null,
    });
    const [command, ...args] = engineArgs;
    if (command === undefined || command.trim() === '') {
      const message =
        'No command is set for the script engine. Set AGENTPR_ENGINE=script with its command, ' +
        "or give one: --engine script --agent-arg 'npx codemod …'.";
      return done(NOT_STARTED, { class: 'agent_missing', message, retryAt: null }, '');
    }
    const wrapped = sandbox.wrap({
      runId,
      argv: ['sh', '-c', command, 'sh', ...args],
      cwd: workspace,
      writable: [workspace, home],
      network: deps.network ?? true,
      env: childEnvironment({ home, tools: deps.tools ?? [], pass: deps.pass ?? {} }),
    });
    const { stdoutBytes: _, ...end } = await spawnProcess({
      ...wrapped,
      stdin: prompt,
      timeoutMs,
      signal,
      maxOutputBytes: deps.maxOutputBytes ?? 16 * MB,
      onStart: (pid, pidStart) => input.onEvent({ type: 'started', pid, pidStart }),
      onStdout: createProgress((text) => input.onEvent({ type: 'progress', text })),
    });
    return done(end, classify(end, sandbox.refusal(end)), summarise(end.stdout));
  },
});
