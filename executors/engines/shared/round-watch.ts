/** Follows a round while it runs: folds its events into a reading, and stops it when it is stuck, silent or too dear. */
import type { Activity } from '#model/agent';
import { failureDetail } from '#model/failure';
import type { AgentCli, AgentDeps } from './agent-cli.ts';
import type { ModelAccess } from './model-access.ts';
import { engineFailure } from './engine-failure.ts';
import { createJsonLineSplitter } from './line-splitter.ts';
import { createRepeatWatch } from './repeated-calls.ts';
import { findCallOutput } from '#checks';
import { createProgressReporter } from '../../process/report-progress.ts';
import {
  createUsageReporter,
  createProviderWaitTimer,
  createSilenceTimer,
  describeSilenceLimit,
} from './round-clocks.ts';
import { createRoundReading, withSessionTotal, type RoundReading } from './round-reading.ts';
import type { ExecutorInput } from './start-contained.ts';

const PATIENCE_MS = 90_000;
const LOOK_MS = 1_000;
const OVER_MS = 20_000;
const PROVIDER_CLOSED_MESSAGE = 'The provider of the model takes nothing for now.';

const EDITS = /^(?:edit|multiedit|write|create|patch|apply|replace|notebookedit|str_replace|delete|move)/i;
const READS = /^(?:read|view|open|grep|glob|search|find|list|ls|fetch|web|cat|outline)/i;
/** Calls of tools come as `$ command` or `tool input`, see `toCallText`. */
const doingOf = ({
  calls,
  says,
  works,
}: Pick<RoundReading, 'calls' | 'says' | 'works'>): Pick<Activity, 'kind' | 'text'> | null => {
  const call = calls.at(-1) ?? says;
  if (call === null) return null;
  if (call.startsWith('$ ')) return { kind: 'command', text: call.split('\n', 1)[0] ?? call };
  const text = says ?? call;
  if (calls.length === 0 && !works && !text.startsWith('edits ')) return { kind: 'says', text };
  return { kind: EDITS.test(call) ? 'edit' : READS.test(call) ? 'read' : 'tool', text };
};

export type GatewayNews = { used: () => void; over: () => void; closed: (ms: number) => void };

export type RoundWatch = {
  news: GatewayNews;
  signal: AbortSignal;
  reading: () => RoundReading;
  hear: (event: unknown) => void;
  take: (chunk: Buffer, to: 'gauge' | 'lines') => void;
  rest: () => void;
  settle: () => RoundReading;
};

export const createRoundWatch = (
  cli: AgentCli,
  deps: AgentDeps,
  { input, directory, way }: { input: ExecutorInput; directory: string; way: ModelAccess },
): RoundWatch => {
  let reading = createRoundReading(input.session);
  const tired = new AbortController();
  const abortRound = (): void => tired.abort();
  const patienceMs = deps.patienceMs ?? PATIENCE_MS;
  let isAnswered = false;
  const progress = createProgressReporter((activity) =>
    input.onEvent({ type: 'progress', ...activity, ...(isAnswered ? { isOfModel: true } : {}) }),
  );
  const patience = createProviderWaitTimer(patienceMs, abortRound);
  const silence = createSilenceTimer({ ...cli.silence, ...deps.silence }, (ms, first) => {
    // An engine that reports commands and runs none is waiting for its model.
    const waits = !first && !reading.works && cli.silence.command !== undefined;
    const of = waits ? 'model_unavailable' : 'timed_out';
    reading = { ...reading, failure: engineFailure(of, describeSilenceLimit(cli.program, ms, { first })) };
    abortRound();
  });
  const readSession = (): RoundReading => {
    const { session, ended } = reading;
    const total = session && ended === null ? cli.look?.({ directory, session: session.id }) : null;
    return session && total ? withSessionTotal(reading, session.id, total) : reading;
  };
  const gauge = createUsageReporter(({ usage, session }, outputBytes) =>
    input.onEvent({ type: 'used', usage, session, outputBytes }),
  );
  /** The gateway's count is certain; an engine's report is a claim. */
  const withCount = (claimed: RoundReading): RoundReading => ({
    ...claimed,
    usage: way.used() ?? claimed.usage,
  });
  const measureRound = (): void => gauge.look(withCount(readSession()));
  const looks = setInterval(measureRound, deps.lookEveryMs ?? LOOK_MS);
  let overdue: NodeJS.Timeout | undefined;
  const countCalls = createRepeatWatch((repeated) => input.onEvent({ type: 'repeated', ...repeated }));
  const hear = (event: unknown): void => {
    if (tired.signal.aborted) return;
    const { report: before, works: worked } = reading;
    reading = cli.read({ ...reading, calls: [] }, event);
    // E21: what an engine says of its connection shows no model that read the prompt.
    isAnswered ||=
      reading.works || reading.calls.length > 0 || (reading.report !== null && reading.report !== before);
    countCalls(reading.calls);
    silence.heard(reading.works);
    gauge.look(withCount(reading));
    patience.watch(reading.waits);
    if (reading.stuck) abortRound();
    const printed = findCallOutput(event);
    if (printed !== null) progress.print(printed);
    const doing = doingOf(reading);
    if (doing) progress.say(doing.text, doing.kind);
    // A command has ended, and the model has its output.
    else if (worked && !reading.works) progress.say('', 'waits');
  };
  const lines = (cli.createLines ?? createJsonLineSplitter)(hear);
  return {
    news: {
      used: measureRound,
      over: () => {
        overdue ??= setTimeout(abortRound, deps.overMs ?? OVER_MS);
      },
      // A long wait needs no running process.
      closed: (ms) => {
        // guard: E18-closed-ends-turn
        if (ms <= patienceMs) return;
        const detail = failureDetail({ kind: 'provider_closed' });
        const failure = engineFailure('rate_limited', PROVIDER_CLOSED_MESSAGE, Date.now() + ms, detail);
        reading = { ...reading, failure };
        abortRound();
      },
    },
    signal: tired.signal,
    reading: () => reading,
    hear,
    take: (chunk, to) => {
      gauge.printed(chunk);
      if (to === 'lines') lines.add(chunk);
    },
    rest: () => {
      lines.end();
      progress.end();
      patience.stop();
      silence.stop();
      clearInterval(looks);
      clearTimeout(overdue);
    },
    settle: () => (reading = withCount(readSession())),
  };
};
