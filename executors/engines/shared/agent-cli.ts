/** What an engine is: a program, what it is lent, how it is started and read (E4). */
import type { ContainmentLevel, AgentSession, ModelUsage } from '../../../orchestrator/core/change-facts.ts';
import type { ProcessEnd } from '../../../orchestrator/ports.ts';
import type { ExposedSecrets } from '#sandbox';
import type { SilenceLimits } from './round-clocks.ts';
import type { EngineDeps } from './start-contained.ts';
import type { EngineFailure } from './engine-failure.ts';
import type { EngineCredentials } from './engine-credentials.ts';
import type { LineSplitter } from './line-splitter.ts';
import type { AgentProgram } from './find-program.ts';
import type { RoundReading } from './round-reading.ts';
import type { ProgramConversation } from './program-conversation.ts';
import type { EngineEgress } from './engine-egress.ts';

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
  lent?: Pick<ExposedSecrets, 'add'> | undefined;
  /** How long (ms) an engine may sleep for its provider before we wait outside instead. */
  patienceMs?: number;
  /** How long (ms) an engine may be silent; each dialect knows its own for what is left out. */
  silence?: Partial<SilenceLimits>;
  /** How long (ms) a program that was refused its model for good may take to end by itself. */
  overMs?: number;
  /** How long (ms) a program that is talked with may take to leave when all is said. */
  leaveMs?: number;
  /** How often (ms) the engine's own account is looked at, where it prints none. */
  lookEveryMs?: number;
};

/** What docs/engines.md says of an engine, each in a cell of its table. */
export type EnginePage = {
  /** When it is the one to take, and what it cannot do. */
  takeWhen: string;
  cannot: string;
  key: string;
  /** How a limit of tokens or cost stops it. */
  limits: string;
  /** Of its processes together. */
  memory: string;
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

export type AgentCli = {
  program: string;
  /**
   * P5: instructions of a repository that it reads by itself, as it was seen to with our flags: paths,
   * and folders that end in a slash. None was seen to read those of folders in which it only works.
   */
  readsInstructions: readonly string[];
  /**
   * E7: what its model may run under our flags. `offline`: its own sandbox cuts the network of
   * commands. Left out: commands, with the network of the box.
   */
  commands?: (round: {
    level: ContainmentLevel;
    writes: 'change' | 'nothing';
  }) => 'online' | 'offline' | 'none';
  /** Its program is given the form of the report (`reportSchema`), and asks its model for it. */
  hasReportForm?: true;
  /** Where it is part of AgentPR: nobody installs it, and it is not looked for. */
  ours?: () => AgentProgram;
  /** `Name <email>` by which the program itself signs as an author, by its own documentation. */
  coAuthor?: string;
  /** The version it was tried with; null when it was built by documentation alone. */
  tried: string | null;
  /** How it is installed, and how somebody signs in, as commands. */
  install: string;
  signInBy: string;
  page: EnginePage;
  /** Below HOME: the program's settings and conversations, and its sign-in there. */
  directory: string;
  signIn: string;
  /** The operator's own sign-in below their home, where not `directory`/`signIn`. */
  usualSignIn?: string;
  /** Which keys it gets. */
  lends: EngineCredentials;
  /**
   * E18: which model a round asks, by its arguments, what it is lent, and the usual one of the version
   * that was tried; null, or left out, where that is not known before it asks.
   */
  modelIn?: (args: readonly string[], env: Readonly<Record<string, string>>) => string | null;
  /** With a sign-in it never tells what a turn cost. */
  hidesCost?: true;
  /** What of a sign-in is for the provider that is about to be used. */
  signInOf?: (content: string, args: readonly string[]) => string;
  /** No program stops by itself when its provider says nothing for ever. */
  silence: SilenceLimits;
  /** E11: names at the top of a repository that it would load and run, whatever it is told. */
  obeys?: readonly string[];
  /** Why a round must not begin: the conversation is gone. */
  refuse?: (input: { directory: string; session: AgentSession | null }) => EngineFailure | null;
  /** Puts what the program needs into its directory; `cleanUp` is called when it has ended. */
  launch: (input: {
    workspace: string;
    home: string;
    directory: string;
    level: ContainmentLevel;
    writes: 'change' | 'nothing';
    session: AgentSession | null;
    prompt: string;
    args: readonly string[];
    deps: AgentDeps;
    /** The gateway, when the model is reached through it; `deps.env` names it already. */
    through: EngineEgress | null;
  }) => { args: readonly string[]; env: Readonly<Record<string, string>>; cleanUp?: () => void };
  /**
   * For a program that prints what it used only at the end of its turn: what the whole session has
   * used by now, looked up where it keeps its own account; null while there is none. That is a file
   * of the agent's: a claim, until the program says so.
   */
  look?: (input: { directory: string; session: string }) => ModelUsage | null;
  /** For a program that prints no JSON. */
  createLines?: (take: (event: unknown) => void) => LineSplitter;
  /** For a program that is talked with: resolves when all is said. `read` gets what it tells. */
  converse?: (talk: ProgramConversation) => Promise<void>;
  /** Pure: folds one event, which may be anything, into what was learned. */
  read: (before: RoundReading, event: unknown) => RoundReading;
  /** What an end without any last event means: usage errors, a conversation that is gone. */
  explain: (end: ProcessEnd) => EngineFailure | null;
};
