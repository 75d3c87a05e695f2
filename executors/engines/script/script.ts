/** The engine `script`: any shell command that changes the workspace. */
import { hasMoreJsonValues, MB } from '#model/values';
import { NO_USAGE } from '#model/reports';
import { toCommandNetwork, describeRefusedHosts, openBoxNetwork } from '#gateway';
import { z } from 'zod';
import type { EngineExecutor, ExecutorDone, ProcessEnd } from '#ports/processes';
import { findLastLine, toPlainLine } from '../../process/plain-text.ts';
import { startContained, type EngineDeps } from '../shared/start-contained.ts';
import {
  crashFailure,
  engineFailure,
  findStartFailure,
  NOT_STARTED,
  findOwnStopFailure,
  excessFailure,
  type EngineFailure,
} from '../shared/engine-failure.ts';
import { createPrintedLineReader, createProgressReporter } from '../../process/report-progress.ts';
import { repliesIn, parseUnrequestedReport } from '../shared/agent-report.ts';
import { DEFAULT_LIMITS } from '#sandbox';

const SUMMARY_LIMIT = 300;
const WHO = 'The script';

const MOST_LINES = 100;
const MAX_VALUES = 10_000;
const Line = z.looseObject({ summary: z.string() });
const reportIn = (line: string): z.infer<typeof Line> | null => {
  if (hasMoreJsonValues(Buffer.from(line), MAX_VALUES)) return null;
  try {
    return Line.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
};

/** The last `{"summary": …}` line, else the last line. */
const parseScriptReport = (stdout: string): Pick<ExecutorDone, 'summary' | 'claims'> => {
  const said = stdout
    .slice(-256_000)
    .split('\n')
    .filter((line) => line.trimStart().startsWith('{'))
    .slice(-MOST_LINES)
    .map(reportIn)
    .findLast((one) => one !== null);
  if (!said) return { summary: findLastLine(stdout, SUMMARY_LIMIT) ?? '' };
  const summary = toPlainLine(said.summary, SUMMARY_LIMIT);
  return {
    summary,
    claims: {
      status: 'done',
      ran: [],
      reported: parseUnrequestedReport(said),
      ...repliesIn(said['replies']),
    },
  };
};

const classifyEnd = (end: ProcessEnd, refusal: string | null): EngineFailure | null =>
  findOwnStopFailure(end, WHO) ??
  findStartFailure(end, refusal, 'A program of the script') ??
  (end.excess ? excessFailure(end.excess, `${WHO} failed`) : null) ??
  (end.ended === 'exited' && end.exitCode === 0 ? null : crashFailure(end, WHO));

export const createScriptExecutor = (deps: EngineDeps): EngineExecutor => ({
  abilities: () => {
    const { ways, scriptNetwork = 'shared', sandbox } = deps;
    const network = toCommandNetwork(ways?.gateway, scriptNetwork, sandbox.level);
    return { commands: { network }, hasReportForm: false };
  },
  run: async (input) => {
    const { sandbox } = deps;
    const toExecutorDone = (
      end: ProcessEnd,
      found: EngineFailure | null,
      says: Pick<ExecutorDone, 'summary' | 'claims'>,
    ): ExecutorDone => ({
      outcome: found === null ? 'completed' : 'failed',
      failure: found,
      session: null,
      ...says,
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
      return toExecutorDone(NOT_STARTED, engineFailure('agent_missing', message), { summary: '' });
    }
    const progress = createProgressReporter((activity) => input.onEvent({ type: 'progress', ...activity }));
    let printed = 0;
    const tell = createPrintedLineReader(progress.stream);
    const box = { runId: input.runId, level: sandbox.level, home: input.home, pass: deps.pass ?? {} };
    const network = await openBoxNetwork(deps.ways?.gateway, deps.scriptNetwork ?? 'shared', box);
    const limits = {
      maxOutputBytes: deps.scriptOutputBytes ?? DEFAULT_LIMITS.outputMb * MB,
      ...deps,
      pass: network.pass,
    };
    const { stdoutBytes: _, ...ended } = await startContained(limits, input, {
      argv: ['sh', '-c', command, 'sh', ...args],
      network: network.reach,
      keepsSettings: true,
      onStdout: (chunk) => {
        printed += chunk.length;
        input.onEvent({ type: 'used', usage: NO_USAGE, session: null, outputBytes: printed });
        tell(chunk);
      },
    });
    progress.end();
    await network.close();
    const end = { ...ended, stderr: ended.stderr + describeRefusedHosts(network.refused()) };
    return toExecutorDone(end, classifyEnd(end, sandbox.refusal(end)), parseScriptReport(end.stdout));
  },
});
