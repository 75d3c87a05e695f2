/** Failures common to all engines: our own decisions, the box, missing programs (E5). */
import { failureDetail, type FailureDetail, type FailureClass } from '#model/failure';
import { SECOND, formatTimeSpan } from '#model/values';
import type { CapExcess, ExecutorDone, ProcessEnd } from '#ports/processes';
import { toReadableError } from './readable-error.ts';
import { findLastLine, toPlainLine, toPlainLines } from '../../process/plain-text.ts';

export type EngineFailure = NonNullable<ExecutorDone['failure']>;

export const engineFailure = (
  of: FailureClass,
  message: string,
  retryAt: number | null = null,
  detail?: FailureDetail,
): EngineFailure => ({
  class: of,
  message: toPlainLine(toReadableError(message), 500),
  retryAt,
  ...(detail ? { detail } : {}),
});

/** A failure that every language can tell in its own words. */
export const createDetailedFailure = (
  of: FailureClass,
  message: string,
  detail: FailureDetail,
): EngineFailure => {
  const says =
    'says' in detail && detail.says !== undefined
      ? { says: toPlainLine(toReadableError(detail.says), 500) }
      : {};
  return engineFailure(of, message, null, failureDetail({ ...detail, ...says }));
};

/** Words of services, proxies, resolvers and runtimes. */
export const PROVIDER_OUTAGE = new RegExp(
  [
    String.raw`overloaded|at capacity|high demand|server_error|temporarily unavailable`,
    String.raw`internal server error|service unavailable|bad gateway|gateway time-?out`,
    String.raw`\bE(?:CONN[A-Z]+|NOTFOUND|AI_AGAIN|TIMEDOUT|NETUNREACH|HOSTUNREACH|PIPE)\b|getaddrinfo|dns error|failed to lookup`,
    String.raw`name resolution|name or service not known|could not resolve|unable to connect|fetch failed|socket`,
    String.raw`network|error sending request|connection|timed? ?-?out|stream disconnected|tls handshake`,
  ].join('|'),
  'i',
);

export const NOT_STARTED: ProcessEnd = {
  exitCode: null,
  ended: 'not_started',
  signal: null,
  ms: 0,
  stdout: '',
  stderr: '',
};

const MAX_JSON_LENGTH = 8_000;
const stderrSuffix = ({ stderr }: Pick<ProcessEnd, 'stderr'>): string => {
  const said = findLastLine(stderr);
  const isEndOfJson = said !== null && /^[\]})]+[;,]?$/.test(said);
  const lines = isEndOfJson ? toPlainLines(stderr.slice(-MAX_JSON_LENGTH)) : [];
  const start = lines.findLastIndex((line) => /^[^\s\]})].{0,300}[{[]$/.test(line));
  return said === null ? '' : `: ${start < 0 ? said : lines.slice(start).join(' ')}`;
};

/** Advice often follows the line that begins with "error". */
export const errorLineSuffix = (end: Pick<ProcessEnd, 'stderr'>): string => {
  const line = toPlainLines(end.stderr.slice(-64_000)).find((candidate) => /^error\b/i.test(candidate));
  return line === undefined ? stderrSuffix(end) : `: ${line}`;
};

const OF_LIMIT: Partial<Record<CapExcess['limit'], FailureClass>> = {
  reserve: 'disk_full',
  host: 'crashed',
  lost: 'box_lost',
};

export const excessFailure = ({ limit, says, detail }: CapExcess, why: string): EngineFailure =>
  engineFailure(OF_LIMIT[limit] ?? 'budget_exceeded', `${why}: ${says}.`, null, detail);

/** E12: an engine that we stopped did not crash. A sentence begins with `who`. */
export const findOwnStopFailure = (end: ProcessEnd, who: string): EngineFailure | null => {
  switch (end.ended) {
    case 'timed_out':
      return createDetailedFailure(
        'timed_out',
        `${who} was stopped at its time limit (bounds.runMs) after ${formatTimeSpan(end.ms)}.`,
        { kind: 'engine_timed_out', seconds: Math.round(end.ms / SECOND) },
      );
    case 'aborted':
      return createDetailedFailure('cancelled', `${who} was stopped on request.`, { kind: 'engine_stopped' });
    case 'output_limit':
      return createDetailedFailure(
        'budget_exceeded',
        `${who} printed too much and was stopped. Make it quieter.`,
        {
          kind: 'engine_too_loud',
        },
      );
    case 'over_limit':
      return end.excess ? excessFailure(end.excess, `${who} was stopped`) : null;
    case 'not_started':
      if (end.excess) return excessFailure(end.excess, `${who} could not be started`);
      return createDetailedFailure(
        'agent_missing',
        findLastLine(end.stderr) ?? `${who} could not be started.`,
        {
          kind: 'engine_not_started',
          says: findLastLine(end.stderr) ?? '',
        },
      );
    case 'signalled':
    case 'exited':
      return end.excess && (end.exitCode !== 0 || end.excess.limit === 'reserve')
        ? excessFailure(end.excess, `${who} failed`)
        : null;
  }
};

const NO_PROGRAM = /^(?:prlimit: failed to execute|containment: \S{1,500} is not in the (?:box$|image ))/;

export const findStartFailure = (
  end: ProcessEnd,
  refusal: string | null,
  what: string,
  program: { program?: string } = {},
): EngineFailure | null => {
  if (end.ended !== 'exited' || end.exitCode === 0) return null;
  if (refusal !== null && NO_PROGRAM.test(refusal))
    return createDetailedFailure('agent_missing', `${what} cannot be run: ${refusal}`, {
      kind: 'engine_not_started',
      ...program,
      says: refusal,
    });
  if (refusal !== null)
    return createDetailedFailure('sandbox_denied', `The sandbox could not be started: ${refusal}`, {
      kind: 'box_not_started',
      says: refusal,
    });
  const told = { ...program, says: findLastLine(end.stderr) ?? '' };
  if (end.exitCode === 127)
    return createDetailedFailure('agent_missing', `${what} was not found${stderrSuffix(end)}`, {
      kind: 'engine_missing',
      ...told,
    });
  if (end.exitCode === 126)
    return createDetailedFailure('agent_missing', `${what} may not be executed${stderrSuffix(end)}`, {
      kind: 'engine_not_executable',
      ...told,
    });
  return null;
};

/** A box reports a signal as an exit code above 128. */
export const crashFailure = (end: ProcessEnd, who: string, more = stderrSuffix(end)): EngineFailure => {
  const { exitCode, signal } = end;
  const told = { says: more.replace(/^: /, '') };
  if (end.ended === 'signalled')
    return createDetailedFailure('crashed', `${who} was ended by ${signal ?? 'a signal'}${more}`, {
      kind: 'engine_killed',
      signal,
      ...told,
    });
  return createDetailedFailure('crashed', `${who} ended with exit code ${exitCode}${more}`, {
    kind: 'engine_exited',
    exitCode,
    ...told,
  });
};
