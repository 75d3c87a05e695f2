/** Says what came of a round: our own decisions, evidence, its words, the exit code (E12). */
import { shouldWaitForProvider } from '#model/failure';
import { DAY } from '#model/values';
import type { ExecutorDone, ProcessEnd } from '#ports/processes';
import { describeRefusedHosts, selectNeededHosts } from '#gateway';
import type { CommandSandbox } from '#sandbox';
import type { AgentCli } from './agent-cli.ts';
import { readAgentReport, readWordsAroundReport, toDisplayWords } from './agent-report.ts';
import { overrunFailure, type ModelAccess } from './model-access.ts';
import {
  crashFailure,
  engineFailure,
  findStartFailure,
  findOwnStopFailure,
  type EngineFailure,
} from './engine-failure.ts';
import { findRetryTime } from './find-retry-time.ts';
import type { RoundReading } from './round-reading.ts';

const WHO = 'The agent';

/** Order matters: our own decisions, failed starts, evidence, words, the exit code. */
export const classifyRoundEnd = (
  dialect: AgentCli,
  reading: RoundReading,
  end: ProcessEnd,
  refusal: string | null,
): EngineFailure | null => {
  const own =
    findOwnStopFailure(end, WHO) ??
    findStartFailure(end, refusal, `The program ${dialect.program}`, { program: dialect.program });
  if (own !== null) return own;
  if (reading.ended === 'failed')
    return reading.failure ?? engineFailure('crashed', `${WHO} failed without a reason.`);
  if (reading.ended === null)
    return dialect.explain(end) ?? crashFailure(end, `${WHO} did not finish its turn: it`);
  if (end.ended !== 'exited' || end.exitCode !== 0) return crashFailure(end, `${WHO} finished its turn, but`);
  const report = readAgentReport(reading.report);
  if (report.kind === 'valid') return null;
  if (reading.denied.length > 0)
    return engineFailure('permission_denied', `${report.why} It was denied: ${reading.denied.join(', ')}.`);
  return engineFailure('invalid_output', report.why);
};

/** C4: a question may stand before the report, or be all that was said where no report came. */
const toWords = ({
  report,
  words: spoken,
}: RoundReading): Pick<ExecutorDone, 'summary' | 'claims' | 'words'> => {
  const read = readAgentReport(report);
  const kept = spoken === null ? readWordsAroundReport(report) : toDisplayWords(spoken);
  const words = (read.kind === 'invalid' ? read.words : undefined) ?? kept;
  // guard: C4-words-beside-report
  const told = words === '' ? {} : { words };
  if (read.kind === 'invalid') return { summary: '', ...told };
  const { summary, ...claims } = read.report;
  return { summary, claims, ...told };
};

/** Providers have limits of a week. */
const LONGEST_WAIT_MS = 8 * DAY;

export const withRetryTime = (found: EngineFailure | null, now: number): EngineFailure | null => {
  if (found === null || !shouldWaitForProvider(found.class)) return found;
  const at = found.retryAt ?? findRetryTime(found.message, now);
  return { ...found, retryAt: at === null ? null : Math.min(at, now + LONGEST_WAIT_MS) };
};

const withRefusedHosts = (end: ProcessEnd, { refused }: ModelAccess, program: string): ProcessEnd => ({
  ...end,
  stderr: end.stderr + describeRefusedHosts(selectNeededHosts(refused(), program, end.stdout)),
});

export const toRoundResult = (
  reading: RoundReading,
  end: ProcessEnd,
  { level: containment }: Pick<CommandSandbox, 'level'>,
  found: EngineFailure | null,
): ExecutorDone => ({
  outcome: found === null ? 'completed' : 'failed',
  failure: withRetryTime(found, Date.now()),
  session: found?.class === 'session_lost' ? null : reading.session,
  ...toWords(reading),
  usage: reading.usage,
  containment,
  end,
  model: reading.model,
});

type RoundEnd = { reading: RoundReading; end: ProcessEnd; way: ModelAccess; isStopped: boolean };

export const concludeRound = (
  cli: AgentCli,
  sandbox: CommandSandbox,
  { reading, end, way, isStopped }: RoundEnd,
): ExecutorDone => {
  const until = way.closedUntil();
  const spent = way.over();
  const failure = isStopped ? reading.failure : classifyRoundEnd(cli, reading, end, sandbox.refusal(end));
  // The gateway's retry time is more reliable than the program's words.
  const found =
    failure && until !== null && until > Date.now() && shouldWaitForProvider(failure.class)
      ? { ...failure, retryAt: until }
      : failure;
  // A turn that still completed counts as completed.
  const isOverrun = spent !== null && (isStopped || found !== null) && found?.class !== 'cancelled';
  const transcript = way.transcript();
  return {
    ...toRoundResult(
      reading,
      withRefusedHosts(end, way, cli.program),
      sandbox,
      isOverrun ? overrunFailure(spent) : found,
    ),
    lends: way.lends,
    ...(transcript === null ? {} : { transcript }),
  };
};
