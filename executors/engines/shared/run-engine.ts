/** E4, E12: runs one round of an agent in its box and judges the result. */
import { failureDetail, waitsForProvider, type FailureClass } from '#model/failure';
import type { ContainmentLevel } from '#model/evidence';
import { DAY } from '#model/values';
import type {
  CommandNetwork,
  EngineExecutor,
  ExecutorDone,
  ProcessEnd,
  WeighedRequest,
} from '#ports/processes';
import { searchPath } from '../../process/box-environment.ts';
import { secretsOfSignIn } from '#sandbox';
import { commandNetwork, describeRefusedHosts, neededByWork } from '#gateway';
import { existingNames } from '#git';
import { createGauge, createRetryClock, createSilence, silenceLimitFor } from './round-clocks.ts';
import { startContained, type ExecutorInput } from './start-contained.ts';
import type { AgentDeps, AgentCli } from './agent-cli.ts';
import {
  crashFailure,
  engineFailure,
  neverRan,
  NOT_STARTED,
  ownDecision,
  type EngineFailure,
} from './engine-failure.ts';
import { createJsonLines } from './line-splitter.ts';
import { ownDirectory } from '../../process/own-files.ts';
import { exposeSignIn } from './agent-home.ts';
import { exposeCredentials, signInName } from './engine-credentials.ts';
import { createProgress } from './report-progress.ts';
import { createRepeatWatch } from './repeated-calls.ts';
import { findProgram, type AgentProgram } from './find-program.ts';
import { withSessionTotal, firstReading, type RoundReading } from './round-reading.ts';
import { readAgentReport, readWordsAroundReport, wordsForPeople } from './agent-report.ts';
import { retryAtIn } from './retry-at.ts';
import { createProgramConversation } from './program-conversation.ts';
import { namedProposers } from './proposers.ts';
import { openWayOut, overrunFailure, providerOf, type WayOut } from './engine-egress.ts';

const WHO = 'The agent';
const PATIENCE_MS = 90_000;
const LOOK_MS = 1_000;
const OVER_MS = 20_000;
const LEAVE_MS = 5_000;
const PROVIDER_CLOSED_MESSAGE = 'The provider of the model takes nothing for now.';
const NOBODY_TO_ASK_MESSAGE = 'Nobody can be asked about it here.';
const NOBODY_TO_WEIGH: WeighedRequest = {
  verdict: 'deny',
  reason: NOBODY_TO_ASK_MESSAGE,
  governed: { risk: 'high', policies: [], policyVersion: '' },
};

/** Order matters: our own decisions, failed starts, evidence, words, the exit code. */
export const classifyRoundEnd = (
  dialect: AgentCli,
  reading: RoundReading,
  end: ProcessEnd,
  refusal: string | null,
): EngineFailure | null => {
  const own =
    ownDecision(end, WHO) ??
    neverRan(end, refusal, `The program ${dialect.program}`, { program: dialect.program });
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

/** E11: a surviving process without a box could restore the settings that were set aside. */
const endangered = (
  { program, obeys = [] }: AgentCli,
  workspace: string,
  level: ContainmentLevel,
): EngineFailure | null => {
  const found = level === 'group' ? existingNames(workspace, obeys) : [];
  if (found.length === 0) return null;
  return engineFailure(
    'permission_denied',
    `The repository has ${found.join(' and ')}, which ${program} would run, and there is no box here to keep that from it. ` +
      'Install bubblewrap, or use another engine for it.',
  );
};

/** C4: a question may stand before the report, or be all that was said where no report came. */
const said = ({
  report,
  words: spoken,
}: RoundReading): Pick<ExecutorDone, 'summary' | 'claims' | 'words'> => {
  const read = readAgentReport(report);
  const kept = spoken === null ? readWordsAroundReport(report) : wordsForPeople(spoken);
  const words = (read.kind === 'invalid' ? read.words : undefined) ?? kept;
  // guard: C4-words-beside-report
  const told = words === '' ? {} : { words };
  if (read.kind === 'invalid') return { summary: '', ...told };
  const { summary, ...claims } = read.report;
  return { summary, claims, ...told };
};

/** Providers have limits of a week. */
const LONGEST_WAIT_MS = 8 * DAY;

export const withTime = (found: EngineFailure | null, now: number): EngineFailure | null => {
  if (found === null || !waitsForProvider(found.class)) return found;
  const at = found.retryAt ?? retryAtIn(found.message, now);
  return { ...found, retryAt: at === null ? null : Math.min(at, now + LONGEST_WAIT_MS) };
};

const withRefusals = (end: ProcessEnd, { refused }: WayOut, program: string): ProcessEnd => ({
  ...end,
  stderr: end.stderr + describeRefusedHosts(neededByWork(refused(), program, end.stdout)),
});

const NO_LIMIT = { tokens: null, costUsd: null };
/** The conversation is over, so having to stop the program means nothing. */
const left = (end: ProcessEnd): ProcessEnd =>
  ['exited', 'signalled', 'aborted'].includes(end.ended)
    ? { ...end, ended: 'exited', exitCode: 0, signal: null }
    : end;
type News = { used: () => void; over: () => void; closed: (ms: number) => void };

export const createAgentExecutor = (dialect: AgentCli, deps: AgentDeps): EngineExecutor => {
  const { sandbox } = deps;
  const command = deps.command ?? dialect.program;

  const done = (reading: RoundReading, end: ProcessEnd, found: EngineFailure | null): ExecutorDone => ({
    outcome: found === null ? 'completed' : 'failed',
    failure: withTime(found, Date.now()),
    session: found?.class === 'session_lost' ? null : reading.session,
    ...said(reading),
    usage: reading.usage,
    containment: sandbox.level,
    end,
    model: reading.model,
  });

  const round = async (
    input: ExecutorInput & { args: readonly string[] },
    program: AgentProgram,
    directory: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    way: WayOut,
    news: News,
  ): Promise<ExecutorDone> => {
    let reading = firstReading(input.session);
    const progress = createProgress((text) => input.onEvent({ type: 'progress', text }));
    const tired = new AbortController();
    const patience = createRetryClock(deps.patienceMs ?? PATIENCE_MS, () => tired.abort());
    const silence = createSilence({ ...dialect.silence, ...deps.silence }, (ms, first) => {
      // An engine that reports commands and runs none is waiting for its model.
      const waits = !first && !reading.works && dialect.silence.command !== undefined;
      const of = waits ? 'model_unavailable' : 'timed_out';
      reading = { ...reading, failure: engineFailure(of, silenceLimitFor(dialect.program, ms, first)) };
      tired.abort();
    });
    const soFar = (): RoundReading => {
      const { session, ended } = reading;
      const total = session && ended === null ? dialect.look?.({ directory, session: session.id }) : null;
      return session && total ? withSessionTotal(reading, session.id, total) : reading;
    };
    const gauge = createGauge(({ usage, session }, outputBytes) =>
      input.onEvent({ type: 'used', usage, session, outputBytes }),
    );
    /** The gateway's count is certain; an engine's report is a claim. */
    const known = (claimed: RoundReading): RoundReading => ({
      ...claimed,
      usage: way.used() ?? claimed.usage,
    });
    const look = (): void => gauge.look(known(soFar()));
    let overdue: NodeJS.Timeout | undefined;
    news.used = look;
    // A long wait needs no running process.
    news.closed = (ms) => {
      // guard: E18-closed-ends-turn
      if (ms <= (deps.patienceMs ?? PATIENCE_MS)) return;
      reading = {
        ...reading,
        failure: engineFailure(
          'rate_limited',
          PROVIDER_CLOSED_MESSAGE,
          Date.now() + ms,
          failureDetail({ kind: 'provider_closed' }),
        ),
      };
      tired.abort();
    };
    news.over = () => {
      overdue ??= setTimeout(() => tired.abort(), deps.overMs ?? OVER_MS);
    };
    const looks = setInterval(look, deps.lookEveryMs ?? LOOK_MS);
    const countCalls = createRepeatWatch((repeated) => input.onEvent({ type: 'repeated', ...repeated }));
    const hear = (event: unknown): void => {
      if (tired.signal.aborted) return;
      reading = dialect.read({ ...reading, calls: [] }, event);
      countCalls(reading.calls);
      silence.heard(reading.works);
      gauge.look(known(reading));
      patience.watch(reading.waits);
      if (reading.stuck) tired.abort();
      if (reading.says !== null) progress.say(reading.says);
    };
    const lines = (dialect.createLines ?? createJsonLines)(hear);
    const leave = new AbortController();
    let leaving: NodeJS.Timeout | undefined;
    const { workspace, writes, session, prompt } = input;
    const ask =
      input.ask ?? (() => Promise.resolve({ kind: 'deny', reason: NOBODY_TO_ASK_MESSAGE } as const));
    const weigh = input.weigh ?? (() => Promise.resolve(NOBODY_TO_WEIGH));
    const { used, usedBy } = way;
    const model = way.through === null ? null : { ...way.through, reach: way.reach, used, usedBy };
    const about = {
      workspace,
      writes,
      session,
      prompt,
      directory,
      args: input.args,
      env: way.env,
      model,
      tell: hear,
      reading: () => reading,
      turns: input.turns ?? null,
      picture: input.picture ?? null,
      map: input.map ?? null,
      lint: input.lint ?? null,
      ask,
      weigh,
      proposers: input.proposers ?? [],
      configuredProposers: deps.proposers ?? [],
    };
    const talk =
      dialect.converse &&
      createProgramConversation(dialect.converse, about, () => {
        leaving = setTimeout(() => leave.abort(), deps.leaveMs ?? LEAVE_MS);
      });
    const { stdoutBytes: _, ...ended } = await startContained({ ...deps, pass: way.pass }, input, {
      argv: [program.file, ...args],
      network: way.reach,
      own: env,
      readable: program.shown,
      ...(dialect.obeys === undefined ? {} : { obeys: dialect.obeys }),
      signal: AbortSignal.any([input.signal, tired.signal, leave.signal]),
      onStdin: talk?.onStdin,
      onStdout: (chunk) => {
        gauge.printed(chunk);
        if (talk) talk.heard(chunk);
        else lines.add(chunk);
      },
    });
    await talk?.end();
    clearTimeout(leaving);
    const isSaid = talk && reading.ended !== null && !input.signal.aborted && !tired.signal.aborted;
    const end = isSaid ? left(ended) : ended;
    lines.end();
    progress.end();
    patience.rest();
    silence.rest();
    clearInterval(looks);
    clearTimeout(overdue);
    await way.settle();
    reading = known(soFar());
    const until = way.closedUntil();
    const spent = way.over();
    const stopped = end.ended === 'aborted' && !input.signal.aborted && tired.signal.aborted;
    const failure = stopped ? reading.failure : classifyRoundEnd(dialect, reading, end, sandbox.refusal(end));
    // The gateway's retry time is more reliable than the program's words.
    const found =
      failure && until !== null && until > Date.now() && waitsForProvider(failure.class)
        ? { ...failure, retryAt: until }
        : failure;
    // A turn that still completed counts as completed.
    const why = spent !== null && (stopped || found !== null) && found?.class !== 'cancelled';
    const transcript = way.transcript();
    return {
      ...done(reading, withRefusals(end, way, dialect.program), why ? overrunFailure(spent) : found),
      lends: way.lends,
      ...(transcript === null ? {} : { transcript }),
    };
  };

  return {
    ...(dialect.coAuthor === undefined ? {} : { coAuthor: dialect.coAuthor }),
    ...(dialect.recordsTurns ? { recordsTurns: true as const } : {}),
    provider: (engineArgs) => {
      const args = [...(deps.args ?? []), ...engineArgs];
      const lent = exposeCredentials(dialect.lends, deps.env ?? {}, args, deps.named ?? []);
      const signsIn = (deps.authFile ?? (lent.hasKey ? undefined : deps.usualAuthFile)) !== undefined;
      return deps.ways === undefined ? null : providerOf(dialect.lends, lent, signsIn);
    },
    readsInstructions: dialect.readsInstructions,
    abilities: ({ writes }) => {
      const { level } = sandbox;
      const commands = dialect.commands?.({ level, writes }) ?? 'online';
      const network: CommandNetwork =
        commands === 'offline'
          ? { kind: 'none' }
          : commandNetwork(deps.ways?.gateway, deps.ways?.network ?? 'shared', level);
      return {
        commands: commands === 'none' ? null : { network },
        hasReportForm: dialect.hasReportForm === true,
        pictures: dialect.pictures?.(deps.args ?? []) ?? null,
      };
    },
    run: async (input) => {
      const { workspace, home, writes, session, prompt } = input;
      const refuse = (of: FailureClass, message: string): ExecutorDone =>
        done(firstReading(session), NOT_STARTED, engineFailure(of, message));
      const search = [searchPath(deps.tools ?? []), deps.path ?? ''].join(':');
      const program = dialect.ours?.() ?? findProgram(command, search);
      if (program === null)
        return refuse(
          'agent_missing',
          `The program ${command} was not found. Install it, or say where it is in agentpr.config.json.`,
        );
      const directory = ownDirectory(home, dialect.directory);
      const no =
        endangered(dialect, workspace, sandbox.level) ??
        dialect.refuse?.({ directory, session, turns: input.turns ?? null }) ??
        null;
      if (no !== null) return done(firstReading(session), NOT_STARTED, no);
      const args = [...(deps.args ?? []), ...input.engineArgs];
      const proposers = namedProposers(input.proposers ?? [], deps.proposers ?? []);
      const ofModel = proposers.flatMap(({ model }) => (model === null ? [] : ['-m', model])).slice(0, 2);
      const lent = exposeCredentials(dialect.lends, deps.env ?? {}, [...args, ...ofModel], deps.named ?? []);
      const { hasKey } = lent;
      const authFile = deps.authFile ?? (hasKey ? undefined : deps.usualAuthFile);
      const takeBack =
        authFile === undefined
          ? () => {}
          : exposeSignIn(
              { authFile, directory, name: dialect.signIn },
              (content) => dialect.signInOf?.(content, args) ?? content,
              (content) => deps.lent?.add(signInName(dialect.program), secretsOfSignIn(content)),
            );
      if (takeBack === null)
        return refuse(
          'auth_missing',
          `The sign-in ${authFile} cannot be read. Sign in with ${dialect.program} itself on this host.`,
        );
      let cleanUp = (): void => {};
      const { level } = sandbox;
      const news: News = { used: () => {}, over: () => {}, closed: () => {} };
      const box = { runId: input.runId, level, home, pass: deps.pass ?? {} };
      const way = await openWayOut(deps.ways, dialect.lends, lent, box, {
        signsIn: authFile !== undefined,
        left: input.left ?? NO_LIMIT,
        onUsed: () => news.used(),
        onOver: () => news.over(),
        onClosed: (ms) => news.closed(ms),
        reserve: input.reserve,
        proposers: proposers.map(({ name }) => name),
      });
      try {
        const start = dialect.launch({
          workspace,
          home,
          directory,
          level,
          writes,
          session,
          prompt,
          args,
          picture: input.picture?.file ?? null,
          deps: { ...deps, env: way.env, pass: way.pass },
          through: way.through,
        });
        cleanUp = start.cleanUp ?? cleanUp;
        return await round({ ...input, args }, program, directory, start.args, start.env, way, news);
      } finally {
        await way.close();
        takeBack();
        cleanUp();
      }
    },
  };
};
