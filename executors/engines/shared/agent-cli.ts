/** Describes an engine: its program, exposed keys, start and output (E4). */
import type { ContainmentLevel } from '#model/evidence';
import type { AgentSession, ModelUsage } from '#model/reports';
import type { PictureWay, ProcessEnd } from '#ports/processes';
import type { TurnRecorder } from '#ports/records';
import type { ExposedSecrets } from '#sandbox';
import type { SilenceLimits } from './round-clocks.ts';
import type { EngineDeps } from './start-contained.ts';
import type { EngineFailure } from './engine-failure.ts';
import type { CredentialNames } from './engine-credentials.ts';
import type { LineSplitter } from './line-splitter.ts';
import type { AgentProgram } from './find-program.ts';
import type { RoundReading } from './round-reading.ts';
import type { ConfiguredProposer } from './resolve-proposers.ts';
import type { ProgramConversation } from './program-conversation.ts';
import type { BoxEndpoint } from './model-access.ts';

export type AgentDeps = EngineDeps & {
  command?: string | undefined;
  /** The operator's PATH, searched after `tools`. */
  path?: string | undefined;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  named?: readonly string[];
  /** The operator's sign-in, copied into the run's HOME while it runs. */
  authFile?: string | undefined;
  usualAuthFile?: string | undefined;
  lent?: Pick<ExposedSecrets, 'add'> | undefined;
  patienceMs?: number;
  silence?: Partial<SilenceLimits>;
  proposers?: readonly ConfiguredProposer[];
  overMs?: number;
  leaveMs?: number;
  lookEveryMs?: number;
};

/** Cells of an engine's table in docs/engines.md. */
export type EnginePage = {
  takeWhen: string;
  cannot: string;
  key: string;
  limits: string;
  memory: string;
  ownModel: string;
  resumedBy: string;
  tokens: string;
  cost: string;
  readsLent: string;
  settings: string;
};

export type AgentCli = {
  program: string;
  /** P5: repository instructions that it reads itself, tested with our flags. */
  readsInstructions: readonly string[];
  /** E7: `offline` means that its own sandbox cuts the network of commands. */
  commands?: (round: {
    level: ContainmentLevel;
    writes: 'change' | 'nothing';
  }) => 'online' | 'offline' | 'none';
  hasReportForm?: true;
  /** C2: how it is shown a picture, by its configured arguments; absent if it sees none. */
  pictures?: (args: readonly string[]) => PictureWay | null;
  /** It is part of AgentPR and needs no installation. */
  ours?: () => AgentProgram;
  /** Author `Name <email>` of the program, by its documentation. */
  coAuthor?: string;
  /** The tested version; null if it was never tested. */
  tried: string | null;
  /** Commands; empty where the agent is the operator's own. */
  install: string;
  signInBy: string;
  page: EnginePage;
  /** Relative to HOME: settings and conversations. */
  directory: string;
  signIn: string;
  /** Relative to the operator's home, if not `directory`/`signIn`. */
  usualSignIn?: string;
  lends: CredentialNames;
  /** E18: the model of a round; null if unknown. */
  modelIn?: (args: readonly string[], env: Readonly<Record<string, string>>) => string | null;
  /** The model of the tested version where none is named. */
  usualModel?: string;
  /** It reports no cost if used with a sign-in. */
  hidesCost?: true;
  /** Keeps only the used provider's part. */
  signInOf?: (content: string, args: readonly string[]) => string;
  /** No program ends by itself if its provider stays silent. */
  silence: SilenceLimits;
  /** E11: top-level names that it would load and run despite all options. */
  obeys?: readonly string[];
  /** Returns why a round cannot start, for example a lost conversation. */
  refuse?: (input: {
    directory: string;
    session: AgentSession | null;
    turns: TurnRecorder | null;
  }) => EngineFailure | null;
  recordsTurns?: true;
  /** The caller runs `cleanUp` after the program's end. */
  launch: (input: {
    workspace: string;
    home: string;
    directory: string;
    level: ContainmentLevel;
    writes: 'change' | 'nothing';
    session: AgentSession | null;
    prompt: string;
    args: readonly string[];
    /** Path of a picture that it has not been shown in this conversation, or that it opens itself. */
    picture: string | null;
    deps: AgentDeps;
    through: BoxEndpoint | null;
  }) => { args: readonly string[]; env: Readonly<Record<string, string>>; cleanUp?: () => void };
  /** The engine's own usage file is a claim, because the agent could write it. */
  look?: (input: { directory: string; session: string }) => ModelUsage | null;
  createLines?: (take: (event: unknown) => void) => LineSplitter;
  converse?: (talk: ProgramConversation) => Promise<void>;
  /** A turn that is cancelled is lost to its process, and stays in its session's file. */
  forgetsCancelled?: true;
  /** Pure: folds one event of any form into the reading. */
  read: (before: RoundReading, event: unknown) => RoundReading;
  explain: (end: ProcessEnd) => EngineFailure | null;
};
