/** Runs the real product as a process between a local Telegram and a local GitHub. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  startGitHub,
  startTelegram,
  type GitHub,
  type Person,
  type Telegram,
  type TelegramOptions,
} from '#playground';
import { temporaryDirectory } from './machine.ts';
import { startNode, type Running } from './processes.ts';

const CLI = join(import.meta.dirname, '../cli/agentpr.js');
const TOKENS = { telegram: '4242:token-of-the-local-telegram', github: 'token-of-the-local-github' };
export const SECRET = 'the-secret-of-the-local-webhooks';
export const ANA = 1001;

export type Product = Running & { port: number };
export type Host = {
  dataDir: string;
  telegram: Telegram;
  github: GitHub;
  ana: Person;
  /** Waits until the product runs; `early` does not wait. */
  start(): Promise<Product>;
  early: () => Running;
  look<T>(sql: string, ...args: (string | number)[]): T[];
  close(): Promise<void>;
};

/** `argv` are arguments of node; `settings` are keys of agentpr.config.json. */
export const startHost = async ({
  argv = [],
  settings = {},
  limits = null,
}: { argv?: string[]; settings?: object; limits?: TelegramOptions['limits'] } = {}): Promise<Host> => {
  const { dir, remove } = temporaryDirectory();
  const dataDir = join(dir, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const github = await startGitHub({ login: 'agentpr-bot', token: TOKENS.github });
  const telegram = await startTelegram({
    token: TOKENS.telegram,
    botName: 'agentpr_bench_bot',
    limits: limits ?? null,
  });
  const script = "sed -i 's/factor \\*\\* failed,/factor ** (failed - 1),/' src/waits.js && echo fixed";
  writeFileSync(
    join(dir, 'agentpr.config.json'),
    JSON.stringify({ script, maxRunsPerDay: 1_000, ...settings }),
  );
  const env = {
    TELEGRAM_BOT_TOKEN: TOKENS.telegram,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_ADMIN_IDS: String(ANA),
    GITHUB_TOKEN: TOKENS.github,
    GITHUB_API_URL: github.url,
    GITHUB_WEBHOOK_SECRET: SECRET,
    AGENTPR_HTTP_PORT: '0',
    AGENTPR_DATA_DIR: dataDir,
    AGENTPR_SANDBOX: 'auto',
    AGENTPR_LOG_LEVEL: 'error',
  };
  const running: Running[] = [];
  const early = (): Running => {
    const product = startNode([...argv, CLI, 'start'], { cwd: dir, env });
    running.push(product);
    return product;
  };
  return {
    dataDir,
    telegram,
    github,
    ana: telegram.person(ANA, 'Ana'),
    early,
    start: async () => {
      const product = early();
      const [, port] = await product.says(/is running.*http:\/\/[\d.]+:(\d+)/);
      return { ...product, port: Number(port) };
    },
    look: <T>(sql: string, ...args: (string | number)[]) => {
      const db = new Database(join(dataDir, 'ledger.db'), { readonly: true, timeout: 5_000 });
      try {
        return db.prepare(sql).all(...args) as T[];
      } finally {
        db.close();
      }
    },
    close: async () => {
      for (const product of running) await product.stop();
      await telegram.stop();
      await github.stop();
      remove();
    },
  };
};

/** Returns the time until the inbox was empty (ms). */
export const drained = async (host: Host): Promise<number> => {
  const began = performance.now();
  const left = (): number =>
    host.look<{ n: number }>("select count(*) as n from inbox where state = 'new'")[0]?.n ?? 0;
  while (left() > 0) await new Promise((next) => setTimeout(next, 50));
  return performance.now() - began;
};
