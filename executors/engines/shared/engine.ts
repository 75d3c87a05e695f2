/** E4, E12: one round of an agent that prints what it does: start it in its box, read along, judge how it ended. */
import type { Containment, Session, Usage } from '../../../orchestrator/core/facts.ts';
import { waitsForProvider, type FailureClass } from '../../../orchestrator/core/failures.ts';
import type { Executor, ExecutorDone, ProcessEnd } from '../../../orchestrator/ports.ts';
import { searchPath } from '../../process/environment.ts';
import { secretsOfSignIn } from '../../sandbox/lent-forms.ts';
import type { Lent } from '../../sandbox/lent.ts';
import { namesIn } from '../../workspace/repository-settings.ts';
import { createGauge, createPatience, createSilence, silentFor, type Silence } from './clocks.ts';
import { startContained, type EngineDeps, type ExecutorInput } from './contained.ts';
import { crash, failure, neverRan, NOT_STARTED, ownDecision, type EngineFailure } from './failure.ts';
import { createJsonLines, type Lines } from './lines.ts';
import { ownDirectory, lendSignIn } from './home.ts';
import { lendTo, signInName, type Lending } from './lending.ts';
import { createProgress } from './progress.ts';
import { findProgram, type Program } from './program.ts';
import { counted, firstReading, type Reading } from './reading.ts';
import { readReport } from './report.ts';
import { retryAtIn } from './retry-at.ts';
import { DAY } from '../../../orchestrator/core/units.ts';

export type AgentDeps = EngineDeps & {
  /** Path or name of the agent's program; its usual name when left out. */
  command?: string | undefined;
  /** Where the operator's shell finds programs, searched after `tools`. */
  path?: string | undefined;
  /** The operator's arguments for every round, before those of the order. */
  args?: readonly string[];
  /** What this engine alone may see: its key, where its model is. */
  env?: Readonly<Record<string, string>>;
  /** Of these, what the operator named: it goes along whatever model is used. */
  named?: readonly string[];
  /** The operator's sign-in, copied into the run's HOME while it runs. */
  authFile?: string | undefined;
  /** The sign-in that is used where no key is lent. */
  usualAuthFile?: string | undefined;
  /** Hears what is lent. */
  lent?: Pick<Lent, 'add'> | undefined;
  /** How long (ms) an engine may sleep because its provider said so, before we stop it and wait outside. */
  patienceMs?: number;
  /** How long (ms) an engine may be silent; each dialect knows its own for what is left out. */
  silence?: Partial<Silence>;
  /** How often (ms) the engine's own account is looked at, where it prints none. */
  lookEveryMs?: number;
};

/** What docs/engines.md says of an engine, each in a cell of its table. */
export type Page = {
  key: string;
  /** How a model of one's own is used. */
  ownModel: string;
  resumedBy: string;
  tokens: string;
  cost: string;
  /** Whether its commands can read what it was lent. */
  readsLent: string;
  /** What happens to settings that the repository brings for it. */
  settings: string;
};

export type Dialect = {
  program: string;
  /** The version that AgentPR was tried with; null for one that was only built by its documentation. */
  tried: string | null;
  /** How it is installed, and how somebody signs in, as commands. */
  install: string;
  signInBy: string;
  page: Page;
  /** Below HOME: where the program keeps its settings and conversations, and the name of its sign-in there. */
  directory: string;
  signIn: string;
  /** Where the operator's own sign-in usually is, below their home, when it is not `directory`/`signIn`. */
  usualSignIn?: string;
  /** Which keys it gets. */
  lends: Lending;
  /** What of a sign-in is for the provider that is about to be used. */
  signInOf?: (content: string, args: readonly string[]) => string;
  /** No program stops by itself when its provider says nothing for ever. */
  silence: Silence;
  /** E11: names at the top of a repository that it would load and run, whatever it is told. */
  obeys?: readonly string[];
  /** Why a round must not begin: the conversation is gone. */
  refuse?: (input: { directory: string; session: Session | null }) => EngineFailure | null;
  /** Puts what the program needs into its directory; `cleanUp` is called when it has ended. */
  launch: (input: {
    workspace: string;
    home: string;
    directory: string;
    level: Containment;
    writes: 'change' | 'nothing';
    session: Session | null;
    prompt: string;
    args: readonly string[];
    deps: AgentDeps;
  }) => { args: readonly string[]; env: Readonly<Record<string, string>>; cleanUp?: () => void };
  /**
   * For a program that prints what it used only at the end of its turn: what the whole session has used by now, looked up
   * where it keeps its own account; null while there is none. That is a file of the agent's: a claim, until the program says so.
   */
  look?: (input: { directory: string; session: string }) => Usage | null;
  /** For a program that prints no JSON. */
  createLines?: (take: (event: unknown) => void) => Lines;
  /** Pure: folds one event, which may be anything, into what was learned. */
  read: (before: Reading, event: unknown) => Reading;
  /** What an end without any last event means: usage errors, a conversation that is gone. */
  explain: (end: ProcessEnd) => EngineFailure | null;
};

const WHO = 'The agent';
const PATIENCE_MS = 90_000;
const LOOK_MS = 1_000;

/** Order matters: our own decisions, then what never ran, then evidence, then words, then the exit code. */
export const judge = (
  dialect: Dialect,
  reading: Reading,
  end: ProcessEnd,
  refusal: string | null,
): EngineFailure | null => {
  const own = ownDecision(end, WHO) ?? neverRan(end, refusal, `The program ${dialect.program}`);
  if (own !== null) return own;
  if (reading.ended === 'failed')
    return reading.failure ?? failure('crashed', `${WHO} failed without a reason.`);
  if (reading.ended === null) return dialect.explain(end) ?? crash(end, `${WHO} did not finish its turn: it`);
  if (end.ended !== 'exited' || end.exitCode !== 0) return crash(end, `${WHO} finished its turn, but`);
  const report = readReport(reading.report);
  if (report.kind === 'valid') return null;
  if (reading.denied.length > 0)
    return failure('permission_denied', `${report.why} It was denied: ${reading.denied.join(', ')}.`);
  return failure('invalid_output', report.why);
};

/** E11: what it obeys is set aside while it runs; without a box, whatever the run left alive could put it back. */
const endangered = (
  { program, obeys = [] }: Dialect,
  workspace: string,
  level: Containment,
): EngineFailure | null => {
  const found = level === 'group' ? namesIn(workspace, obeys) : [];
  if (found.length === 0) return null;
  return failure(
    'permission_denied',
    `The repository has ${found.join(' and ')}, which ${program} would run, and there is no box here to keep that from it. ` +
      'Install bubblewrap, or use another engine for it.',
  );
};

const said = (report: unknown): Pick<ExecutorDone, 'summary' | 'claims'> => {
  const read = readReport(report);
  if (read.kind === 'invalid') return { summary: '' };
  const { summary, status, ran } = read.report;
  return { summary, claims: { status, ran } };
};

/** No provider is waited for longer than this (ms), whatever it says: then it is asked again. */
const LONGEST_WAIT_MS = DAY;

/** When to come back, by the event or else by the words. */
export const withTime = (found: EngineFailure | null, now: number): EngineFailure | null => {
  if (found === null || !waitsForProvider(found.class)) return found;
  const at = found.retryAt ?? retryAtIn(found.message, now);
  return { ...found, retryAt: at === null ? null : Math.min(at, now + LONGEST_WAIT_MS) };
};

export const createAgentExecutor = (dialect: Dialect, deps: AgentDeps): Executor => {
  const { sandbox } = deps;
  const command = deps.command ?? dialect.program;

  const done = (reading: Reading, end: ProcessEnd, found: EngineFailure | null): ExecutorDone => ({
    outcome: found === null ? 'completed' : 'failed',
    failure: withTime(found, Date.now()),
    session: found?.class === 'session_lost' ? null : reading.session,
    ...said(reading.report),
    usage: reading.usage,
    containment: sandbox.level,
    end,
    model: reading.model,
  });

  const round = async (
    input: ExecutorInput,
    program: Program,
    directory: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<ExecutorDone> => {
    let reading = firstReading(input.session);
    const progress = createProgress((text) => input.onEvent({ type: 'progress', text }));
    const tired = new AbortController();
    const patience = createPatience(deps.patienceMs ?? PATIENCE_MS, () => tired.abort());
    const silence = createSilence({ ...dialect.silence, ...deps.silence }, (ms, first) => {
      // Who tells of its commands, and runs none, waits for its model.
      const waits = !first && !reading.works && dialect.silence.command !== undefined;
      const of = waits ? 'model_unavailable' : 'timed_out';
      reading = { ...reading, failure: failure(of, silentFor(dialect.program, ms, first)) };
      tired.abort();
    });
    /** By the engine's own account, while it says nothing of it; what it says at the end counts instead. */
    const soFar = (): Reading => {
      const { session, ended } = reading;
      const total = session && ended === null ? dialect.look?.({ directory, session: session.id }) : null;
      return session && total ? counted(reading, session.id, total) : reading;
    };
    const gauge = createGauge(({ usage, session }, outputBytes) =>
      input.onEvent({ type: 'used', usage, session, outputBytes }),
    );
    const looks = setInterval(() => gauge.look(soFar()), deps.lookEveryMs ?? LOOK_MS);
    const lines = (dialect.createLines ?? createJsonLines)((event) => {
      if (tired.signal.aborted) return;
      reading = dialect.read(reading, event);
      silence.heard(reading.works);
      gauge.look(reading);
      patience.watch(reading.waits);
      if (reading.stuck) tired.abort();
      if (reading.says !== null) progress.say(reading.says);
    });
    const { stdoutBytes: _, ...end } = await startContained(deps, input, {
      argv: [program.file, ...args],
      network: true,
      own: env,
      readable: program.shown,
      ...(dialect.obeys === undefined ? {} : { obeys: dialect.obeys }),
      signal: AbortSignal.any([input.signal, tired.signal]),
      onStdout: (chunk) => {
        gauge.printed(chunk);
        lines.add(chunk);
      },
    });
    lines.end();
    progress.end();
    patience.rest();
    silence.rest();
    clearInterval(looks);
    reading = soFar();
    if (end.ended === 'aborted' && !input.signal.aborted) return done(reading, end, reading.failure);
    return done(reading, end, judge(dialect, reading, end, sandbox.refusal(end)));
  };

  return {
    run: async (input) => {
      const { workspace, home, writes, session, prompt } = input;
      const refuse = (of: FailureClass, message: string): ExecutorDone =>
        done(firstReading(session), NOT_STARTED, failure(of, message));
      const search = [searchPath(deps.tools ?? []), deps.path ?? ''].join(':');
      const program = findProgram(command, search);
      if (program === null)
        return refuse(
          'agent_missing',
          `The program ${command} was not found. Install it, or say where it is in agentpr.config.json.`,
        );
      const directory = ownDirectory(home, dialect.directory);
      const no =
        endangered(dialect, workspace, sandbox.level) ?? dialect.refuse?.({ directory, session }) ?? null;
      if (no !== null) return done(firstReading(session), NOT_STARTED, no);
      const args = [...(deps.args ?? []), ...input.engineArgs];
      const { env, hasKey } = lendTo(dialect.lends, deps.env ?? {}, args, deps.named ?? []);
      const authFile = deps.authFile ?? (hasKey ? undefined : deps.usualAuthFile);
      const takeBack =
        authFile === undefined
          ? () => {}
          : lendSignIn(
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
      try {
        const { level } = sandbox;
        const start = dialect.launch({
          ...{ workspace, home, directory, level, writes, session, prompt, args },
          deps: { ...deps, env },
        });
        cleanUp = start.cleanUp ?? cleanUp;
        return await round(input, program, directory, start.args, start.env);
      } finally {
        takeBack();
        cleanUp();
      }
    },
  };
};
