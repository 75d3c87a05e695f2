/** A program that is talked with: what it prints is heard, and what it is told goes to its standard input. */
import type { Writable } from 'node:stream';
import type { EngineExecutor, PermissionAnswer, PermissionRequest } from '../../../orchestrator/ports.ts';
import type { AgentSession, ModelUsage } from '../../../orchestrator/core/change-facts.ts';
import type { RoundReading } from './round-reading.ts';
import type { BoxReach } from '#sandbox';
import type { EngineEgress } from './engine-egress.ts';

export type ModelWay = EngineEgress & { reach: BoxReach; used: () => ModelUsage | null };

export type ProgramConversation = {
  workspace: string;
  writes: Parameters<EngineExecutor['run']>[0]['writes'];
  session: AgentSession | null;
  /** Below HOME: where the program’s conversations are. */
  directory: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Where the model is, for a conversation that asks it by itself; null without a key. */
  model: ModelWay | null;
  prompt: string;
  /** Hands on what it printed, and that nothing more comes. */
  listen: (heard: (chunk: Buffer) => void, end: () => void) => void;
  stdin: Writable;
  /** What was learned goes to the dialect's `read`. */
  tell: (event: unknown) => void;
  reading: () => RoundReading;
  /** Judges what the agent asks to be allowed to do. */
  ask: (request: PermissionRequest) => Promise<PermissionAnswer>;
};

type Listener = { heard: (chunk: Buffer) => void; end: () => void };

/** `over` hears that everything is said: whoever does not leave then may be stopped. */
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
    /** The program is dead: what was still waited for does not come. Throws for a bug of ours. */
    end: async (): Promise<void> => {
      listener?.end();
      const failed = await said;
      if (failed) throw failed.wrong;
    },
  };
};
