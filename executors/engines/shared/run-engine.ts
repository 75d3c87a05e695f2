/** Makes an executor of an engine's row: what it can do, and how it is run (E4, E12). */
import type { ContainmentLevel } from '#model/evidence';
import type { CommandNetwork, EngineExecutor, ExecutorDone } from '#ports/processes';
import { toPathVariable } from '../../process/box-environment.ts';
import { readSignInSecrets } from '#sandbox';
import { toCommandNetwork } from '#gateway';
import { selectExistingNames } from '#git';
import type { AgentDeps, AgentCli } from './agent-cli.ts';
import { engineFailure, NOT_STARTED, type EngineFailure } from './engine-failure.ts';
import { ensureRealDirectory } from '../../process/home-files.ts';
import { exposeSignIn } from './expose-sign-in.ts';
import { hasOwnCredential, selectCredentials, signInName } from './engine-credentials.ts';
import { findProgram, type AgentProgram } from './find-program.ts';
import type { ExecutorInput } from './start-contained.ts';
import { toRoundResult } from './conclude-round.ts';
import { playRound } from './play-round.ts';
import { createRoundReading } from './round-reading.ts';
import type { GatewayNews } from './round-watch.ts';
import { resolveProposers } from './resolve-proposers.ts';
import { openModelAccess, findModelProvider } from './model-access.ts';

const NO_LIMIT = { tokens: null, costUsd: null };

/** E11: a surviving process without a box could restore the settings that were set aside. */
const checkEndangerment = (
  { program, obeys = [] }: AgentCli,
  workspace: string,
  level: ContainmentLevel,
): EngineFailure | null => {
  const found = level === 'group' ? selectExistingNames(workspace, obeys) : [];
  if (found.length === 0) return null;
  return engineFailure(
    'permission_denied',
    `The repository has ${found.join(' and ')}, which ${program} would run, and there is no box here to keep that from it. ` +
      'Install bubblewrap, or use another engine for it.',
  );
};

const providerFor = (cli: AgentCli, deps: AgentDeps, engineArgs: readonly string[]): string | null => {
  const args = [...(deps.args ?? []), ...engineArgs];
  const lent = selectCredentials(cli.lends, deps.env ?? {}, args, deps.named ?? []);
  const signsIn = (deps.authFile ?? (hasOwnCredential(lent) ? undefined : deps.usualAuthFile)) !== undefined;
  return deps.ways === undefined ? null : findModelProvider(cli.lends, lent, { signsIn });
};

const abilitiesOf = (
  cli: AgentCli,
  { sandbox: { level }, ways, args = [] }: AgentDeps,
  writes: ExecutorInput['writes'],
): ReturnType<NonNullable<EngineExecutor['abilities']>> => {
  const commands = cli.commands?.({ level, writes }) ?? 'online';
  const network: CommandNetwork =
    commands === 'offline'
      ? { kind: 'none' }
      : toCommandNetwork(ways?.gateway, ways?.network ?? 'shared', level);
  return {
    commands: commands === 'none' ? null : { network },
    hasReportForm: cli.hasReportForm === true,
    pictures: cli.pictures?.(args) ?? null,
  };
};

/** E16: puts the operator's sign-in into the run's home. Returns what takes it back; null if it cannot be read. */
const lendSignIn = (
  cli: AgentCli,
  deps: AgentDeps,
  { authFile, directory, args }: { authFile: string | undefined; directory: string; args: readonly string[] },
): ReturnType<typeof exposeSignIn> =>
  authFile === undefined
    ? () => {}
    : exposeSignIn(
        { authFile, directory, name: cli.signIn },
        (content) => cli.signInOf?.(content, args) ?? content,
        (content) => deps.lent?.add(signInName(cli.program), readSignInSecrets(content)),
      );

const findEngine = (cli: AgentCli, deps: AgentDeps, command: string): AgentProgram | null =>
  cli.ours?.() ?? findProgram(command, [toPathVariable(deps.tools ?? []), deps.path ?? ''].join(':'));

const runEngine = async (cli: AgentCli, deps: AgentDeps, input: ExecutorInput): Promise<ExecutorDone> => {
  const { sandbox } = deps;
  const { workspace, home, writes, session, prompt } = input;
  const stopBefore = (why: EngineFailure): ExecutorDone =>
    toRoundResult(createRoundReading(session), NOT_STARTED, sandbox, why);
  const command = deps.command ?? cli.program;
  const program = findEngine(cli, deps, command);
  if (program === null) {
    const message = `The program ${command} was not found. Install it, or say where it is in agentpr.config.json.`;
    return stopBefore(engineFailure('agent_missing', message));
  }
  const directory = ensureRealDirectory(home, cli.directory);
  const no =
    checkEndangerment(cli, workspace, sandbox.level) ??
    cli.refuse?.({ directory, session, turns: input.turns ?? null });
  if (no) return stopBefore(no);
  const args = [...(deps.args ?? []), ...input.engineArgs];
  const proposers = resolveProposers(input.proposers ?? [], deps.proposers ?? []);
  const ofModel = proposers.flatMap(({ model }) => (model === null ? [] : ['-m', model])).slice(0, 2);
  const lent = selectCredentials(cli.lends, deps.env ?? {}, [...args, ...ofModel], deps.named ?? []);
  const authFile = deps.authFile ?? (hasOwnCredential(lent) ? undefined : deps.usualAuthFile);
  const takeBack = lendSignIn(cli, deps, { authFile, directory, args });
  if (takeBack === null) {
    const message = `The sign-in ${authFile} cannot be read. Sign in with ${cli.program} itself on this host.`;
    return stopBefore(engineFailure('auth_missing', message));
  }
  let cleanUp = (): void => {};
  const { level } = sandbox;
  const news: GatewayNews = { used: () => {}, over: () => {}, closed: () => {} };
  const box = { runId: input.runId, level, home, pass: deps.pass ?? {} };
  const way = await openModelAccess(deps.ways, cli.lends, lent, box, {
    signsIn: authFile !== undefined,
    left: input.left ?? NO_LIMIT,
    onUsed: () => news.used(),
    onOver: () => news.over(),
    onClosed: (ms) => news.closed(ms),
    reserve: input.reserve,
    settled: input.settled,
    leftNow: input.leftNow,
    needsPrice: input.needsPrice,
    proposers: proposers.map(({ name }) => name),
  });
  try {
    const start = cli.launch({
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
    const { args: startArgs, env } = start;
    return await playRound(cli, deps, { input, args, startArgs, program, directory, env, way, news });
  } finally {
    await way.close();
    takeBack();
    cleanUp();
  }
};

export const createAgentExecutor = (cli: AgentCli, deps: AgentDeps): EngineExecutor => ({
  ...(cli.coAuthor === undefined ? {} : { coAuthor: cli.coAuthor }),
  ...(cli.recordsTurns ? { recordsTurns: true as const } : {}),
  provider: (engineArgs) => providerFor(cli, deps, engineArgs),
  readsInstructions: cli.readsInstructions,
  abilities: ({ writes }) => abilitiesOf(cli, deps, writes),
  run: (input) => runEngine(cli, deps, input),
});
