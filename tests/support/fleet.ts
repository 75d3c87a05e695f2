/** One control and some workers as real processes over one Postgres. */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { PATIENCE, type Product } from './product.ts';

export type Member = {
  role: 'control' | 'worker';
  child: ChildProcess;
  said(): string;
  alive(): boolean;
  address(): string;
  /** Resolves when it reports that it runs. */
  running(): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** Unset for workers. */
const NOT_ITS = {
  TELEGRAM_BOT_TOKEN: '',
  TELEGRAM_ADMIN_IDS: '',
  TELEGRAM_API_ROOT: '',
  GITHUB_WEBHOOK_SECRET: '',
  AGENTPR_HTTP_PORT: '',
};

export const createFleet = (product: Product) => {
  const members: Member[] = [];
  const start = (role: Member['role'], { preload }: { preload?: string } = {}): Member => {
    const loads = preload === undefined ? {} : { NODE_OPTIONS: `--import ${preload}` };
    const child = product.beside(['start', '--role', role], {
      ...(role === 'worker' ? NOT_ITS : {}),
      ...loads,
    });
    let said = '';
    for (const out of [child.stdout, child.stderr])
      out?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const member: Member = {
      role,
      child,
      said: () => said,
      address: () => /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? '',
      alive: () => child.exitCode === null && child.signalCode === null,
      running: async () => {
        const runs = (): boolean => /is running/.test(said);
        const waits = product.waitFor(() => (runs() || !member.alive() ? true : null), {
          what: `the ${role} to run`,
          // Many processes start at once.
          deadlineMs: 3 * PATIENCE,
        });
        const late = await waits.then(
          () => !runs(),
          () => true,
        );
        if (late) throw new Error(`the ${role} ${child.pid} does not run: ${child.exitCode}\n${said}`);
      },
      kill: async (signal = 'SIGKILL') => {
        if (!member.alive()) return;
        const gone = once(child, 'exit');
        child.kill(signal);
        await gone;
      },
    };
    members.push(member);
    return member;
  };
  return {
    start,
    members,
    said: (): string => members.map((m) => `--- ${m.role} ${m.child.pid}\n${m.said()}`).join('\n'),
    stop: async (): Promise<void> => {
      await Promise.all(members.map((m) => m.kill('SIGTERM')));
    },
  };
};
