/** A program that is talked with: what it prints is heard, and what it is told goes to its standard input. */
import type { Writable } from 'node:stream';
import type { Executor, PermissionAnswer, PermissionRequest } from '../../../orchestrator/ports.ts';
import type { Session, Usage } from '../../../orchestrator/core/facts.ts';
import type { Reading } from './reading.ts';
import type { Reach } from '../../sandbox/contain.ts';
import type { Through } from './way-out.ts';

export type ModelWay = Through & { reach: Reach; used: () => Usage | null };

export type Talk = {
  workspace: string;
  writes: Parameters<Executor['run']>[0]['writes'];
  session: Session | null;
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
  reading: () => Reading;
  /** Judges what the agent asks to be allowed to do. */
  ask: (request: PermissionRequest) => Promise<PermissionAnswer>;
};

type Listener = { heard: (chunk: Buffer) => void; end: () => void };

/** `over` hears that everything is said: whoever does not leave then may be stopped. */
export const createTalk = (
  converse: (talk: Talk) => Promise<void>,
  about: Omit<Talk, 'stdin' | 'listen'>,
  over: () => void,
) => {
  let listener: Listener | null = null;
  let said: Promise<{ wrong: unknown } | null> = Promise.resolve(null);
  return {
    onStdin: (stdin: Writable): void => {
      const listen: Talk['listen'] = (heard, end) => void (listener = { heard, end });
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
