/** Connects a conversation to a program's output and standard input. */
import type { Writable } from 'node:stream';
import type {
  ArrivingWords,
  EngineExecutor,
  LintEdits,
  PermissionAnswer,
  PermissionRequest,
  RunPicture,
  WeighedRequest,
} from '#ports/processes';
import type { RepositoryMap } from '#ports/workspaces';
import type { TurnRecorder } from '#ports/records';
import type { AgentSession, ModelUsage } from '#model/reports';
import type { ConfiguredProposer } from './resolve-proposers.ts';
import type { RoundReading } from './round-reading.ts';
import type { BoxReach } from '#sandbox';
import type { BoxEndpoint } from './model-access.ts';

export type ModelWay = BoxEndpoint & {
  reach: BoxReach;
  used: () => ModelUsage | null;
  usedBy: (proposer: string) => ModelUsage;
};

export type ProgramConversation = {
  workspace: string;
  writes: Parameters<EngineExecutor['run']>[0]['writes'];
  session: AgentSession | null;
  directory: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  model: ModelWay | null;
  prompt: string;
  listen: (heard: (chunk: Buffer) => void, end: () => void) => void;
  stdin: Writable;
  tell: (event: unknown) => void;
  reading: () => RoundReading;
  words: ArrivingWords | null;
  turns: TurnRecorder | null;
  picture: RunPicture | null;
  map: ((tokens: number) => Promise<RepositoryMap | null>) | null;
  lint: LintEdits | null;
  ask: (request: PermissionRequest) => Promise<PermissionAnswer>;
  weigh: (request: PermissionRequest) => Promise<WeighedRequest>;
  proposers: readonly string[];
  configuredProposers: readonly ConfiguredProposer[];
};

type Listener = { heard: (chunk: Buffer) => void; end: () => void };

/** The caller may stop the program after `over`. */
export const createProgramConversation = (
  converse: (talk: ProgramConversation) => Promise<void>,
  about: Omit<ProgramConversation, 'stdin' | 'listen'>,
  over: () => void,
) => {
  let listener: Listener | null = null;
  let said: Promise<{ wrong: unknown } | null> = Promise.resolve(null);
  return {
    onStdin: (stdin: Writable): void => {
      const listen: ProgramConversation['listen'] = (heard, end) => void (listener = { heard, end });
      said = converse({ ...about, stdin, listen }).then(
        () => null,
        (wrong: unknown) => ({ wrong }),
      );
      void said.then(() => {
        stdin.end();
        over();
      });
    },
    heard: (chunk: Buffer): void => listener?.heard(chunk),
    end: async (): Promise<void> => {
      listener?.end();
      const failed = await said;
      if (failed) throw failed.wrong;
    },
  };
};
