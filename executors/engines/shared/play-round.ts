/** Runs the program of one round in its box, talks with it, and judges what came of it (E4). */
import type { ExecutorDone, ProcessEnd, WeighedRequest } from '#ports/processes';
import type { AgentCli, AgentDeps } from './agent-cli.ts';
import type { ModelAccess } from './model-access.ts';
import type { AgentProgram } from './find-program.ts';
import { concludeRound } from './conclude-round.ts';
import { createProgramConversation, type ProgramConversation } from './program-conversation.ts';
import { createRoundWatch, type GatewayNews, type RoundWatch } from './round-watch.ts';
import { startContained, type ExecutorInput } from './start-contained.ts';

const LEAVE_MS = 5_000;
const NOBODY_TO_ASK_MESSAGE = 'Nobody can be asked about it here.';
const NOBODY_TO_WEIGH: WeighedRequest = {
  verdict: 'deny',
  reason: NOBODY_TO_ASK_MESSAGE,
  governed: { risk: 'high', policies: [], policyVersion: '' },
};

type PreparedRound = {
  input: ExecutorInput;
  args: readonly string[];
  startArgs: readonly string[];
  program: AgentProgram;
  directory: string;
  env: Readonly<Record<string, string>>;
  way: ModelAccess;
  news: GatewayNews;
};

/** The conversation is over, so having to stop the program means nothing. */
const withoutStop = (end: ProcessEnd): ProcessEnd =>
  ['exited', 'signalled', 'aborted'].includes(end.ended)
    ? { ...end, ended: 'exited', exitCode: 0, signal: null }
    : end;

/** E21: an engine that cannot hear words within a turn has it ended, and resumes its session. */
const hearsWithinTurn = ({ converse, forgetsCancelled }: AgentCli): boolean =>
  converse !== undefined && forgetsCancelled !== true;

const topicOf = (
  cli: AgentCli,
  deps: AgentDeps,
  { input, args, directory, way }: PreparedRound,
  watch: RoundWatch,
): Omit<ProgramConversation, 'listen' | 'stdin'> => {
  const { workspace, writes, session, prompt } = input;
  const { used, usedBy } = way;
  return {
    workspace,
    writes,
    session,
    prompt,
    directory,
    args,
    env: way.env,
    model: way.through === null ? null : { ...way.through, reach: way.reach, used, usedBy },
    tell: watch.hear,
    reading: watch.reading,
    words: hearsWithinTurn(cli) ? (input.words ?? null) : null,
    turns: input.turns ?? null,
    picture: input.picture ?? null,
    map: input.map ?? null,
    lint: input.lint ?? null,
    ask: input.ask ?? (() => Promise.resolve({ kind: 'deny', reason: NOBODY_TO_ASK_MESSAGE } as const)),
    weigh: input.weigh ?? (() => Promise.resolve(NOBODY_TO_WEIGH)),
    proposers: input.proposers ?? [],
    configuredProposers: deps.proposers ?? [],
  };
};

export const playRound = async (
  cli: AgentCli,
  deps: AgentDeps,
  round: PreparedRound,
): Promise<ExecutorDone> => {
  const { input, startArgs, program, way } = round;
  const watch = createRoundWatch(cli, deps, round);
  Object.assign(round.news, watch.news);
  const leave = new AbortController();
  const interrupt = new AbortController();
  const deaf = hearsWithinTurn(cli) ? undefined : input.words?.onArrival(() => interrupt.abort());
  let leaving: NodeJS.Timeout | undefined;
  const talk =
    cli.converse &&
    createProgramConversation(cli.converse, topicOf(cli, deps, round, watch), () => {
      leaving = setTimeout(() => leave.abort(), deps.leaveMs ?? LEAVE_MS);
    });
  const { stdoutBytes: _, ...ended } = await startContained({ ...deps, pass: way.pass }, input, {
    argv: [program.file, ...startArgs],
    network: way.reach,
    own: round.env,
    readable: program.shown,
    ...(cli.obeys === undefined ? {} : { obeys: cli.obeys }),
    signal: AbortSignal.any([input.signal, watch.signal, leave.signal, interrupt.signal]),
    onStdin: talk?.onStdin,
    onStdout: (chunk) => {
      watch.take(chunk, talk ? 'gauge' : 'lines');
      talk?.heard(chunk);
    },
  });
  deaf?.();
  await talk?.end();
  clearTimeout(leaving);
  const isSaid = talk && watch.reading().ended !== null && !input.signal.aborted && !watch.signal.aborted;
  const end: ProcessEnd = isSaid ? withoutStop(ended) : ended;
  watch.rest();
  await way.settle();
  const reading = watch.settle();
  const isStopped = end.ended === 'aborted' && !input.signal.aborted && watch.signal.aborted;
  const done = concludeRound(cli, deps.sandbox, { reading, end, way, isStopped });
  const isInterrupted = interrupt.signal.aborted && !input.signal.aborted && !watch.signal.aborted;
  // guard: E21-ended-for-words
  return isInterrupted && done.outcome === 'failed' ? { ...done, interrupted: true } : done;
};
