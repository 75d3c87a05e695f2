/** Engine `script`: any shell command that changes the workspace; the prompt comes on its standard input. */
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { NO_USAGE } from '../../../orchestrator/core/facts.ts';
import type { Executor, ExecutorDone, ProcessEnd } from '../../../orchestrator/ports.ts';
import { lastLine, plainLine } from '../../process/plain-text.ts';
import { startContained, type EngineDeps } from '../shared/contained.ts';
import {
  crash,
  failure,
  neverRan,
  NOT_STARTED,
  ownDecision,
  tooMuch,
  type EngineFailure,
} from '../shared/failure.ts';
import { createProgress } from '../shared/progress.ts';
import { MB } from '../../../orchestrator/core/units.ts';

const SUMMARY_LIMIT = 300;
const WHO = 'The script';

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
  return plainLine(said, SUMMARY_LIMIT);
};

const judge = (end: ProcessEnd, refusal: string | null): EngineFailure | null =>
  ownDecision(end, WHO) ??
  neverRan(end, refusal, 'A program of the script') ??
  (end.excess ? tooMuch(end.excess, `${WHO} failed`) : null) ??
  (end.ended === 'exited' && end.exitCode === 0 ? null : crash(end, WHO));

/** Passes on whole lines. */
const createLines = (say: (text: string) => void) => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk: Buffer): void => {
    const whole = rest + decoder.write(chunk);
    const end = whole.lastIndexOf('\n');
    rest = whole.slice(end + 1).slice(-4096);
    if (end >= 0) say(whole.slice(0, end));
  };
};

export const createScriptExecutor = (deps: EngineDeps): Executor => ({
  run: async (input) => {
    const { sandbox } = deps;
    const done = (end: ProcessEnd, found: EngineFailure | null, summary: string): ExecutorDone => ({
      outcome: found === null ? 'completed' : 'failed',
      failure: found,
      session: null,
      summary,
      usage: NO_USAGE,
      containment: sandbox.level,
      end,
      model: null,
    });
    const [command, ...args] = input.engineArgs;
    if (command === undefined || command.trim() === '') {
      const message =
        'No command is set for the script engine. Set "script" in agentpr.config.json, ' +
        "or give one with the run: --engine script --agent-arg 'npx codemod …'.";
      return done(NOT_STARTED, failure('agent_missing', message), '');
    }
    const progress = createProgress((text) => input.onEvent({ type: 'progress', text }));
    let printed = 0;
    const tell = createLines(progress.say);
    const { stdoutBytes: _, ...end } = await startContained({ maxOutputBytes: 16 * MB, ...deps }, input, {
      argv: ['sh', '-c', command, 'sh', ...args],
      network: deps.scriptNetwork ?? true,
      keepsSettings: true,
      onStdout: (chunk) => {
        printed += chunk.length;
        // Nobody knows what a script costs but its time and what it prints.
        input.onEvent({ type: 'used', usage: NO_USAGE, session: null, outputBytes: printed });
        tell(chunk);
      },
    });
    progress.end();
    return done(end, judge(end, sandbox.refusal(end)), summarise(end.stdout));
  },
});
