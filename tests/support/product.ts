/** The product as a real process between a local Telegram and a local GitHub. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { RunBounds } from '#model/limits';
import type { Run } from '#run';
import type { UserRow } from '#ports/ledger';
import {
  createNews,
  type GitHub,
  type GitHubOptions,
  type Look,
  type Person,
  startGitHub,
  startTelegram,
  type Telegram,
  type TelegramOptions,
  type WaitOptions,
} from '#playground';
import { lookInto, type Looking } from './ledger-look.ts';
import { processesOf } from './process-list.ts';
import { shareBox } from './shared-box.ts';
import { reasonOf } from './english.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'cli/agentpr.js');
export const ANA = 1001;
export const WEBHOOK_SECRET = 'secret-of-the-local-webhooks';
export const TOKENS = { telegram: '4242:token-of-the-local-telegram', github: 'token-of-the-local-github' };
/** Long enough for a busy machine (ms). */
export const PATIENCE = 60_000;
/** A commit is visible in the file shortly before it can be read (ms). */
const ECHO = 40;
/** Changes within this time are handled together (ms). */
const SOON = 5;
/** Poll interval for processes, whose end causes no event (ms). */
const LOOK_AGAIN_MS = 50;

export type ProductOptions = {
  /** The agent's shell command. */
  script?: string;
  bounds?: Partial<RunBounds>;
  /** Additional keys of agentpr.config.json. */
  config?: Record<string, unknown> & { network?: Record<string, unknown> };
  /** Undefined unsets a name. */
  env?: Record<string, string | undefined>;
  users?: UserRow[];
  /** The code host sends webhooks. */
  webhooks?: boolean;
  servers?: { github?: Partial<GitHubOptions>; telegram?: Partial<TelegramOptions> };
  /** A folder that `keep` of another product wrote: this one goes on from there. */
  kept?: string;
};
export type Ended = { code: number | null; signal: NodeJS.Signals | null };
export type Said = Ended & { out: string; err: string };
export type Product = Awaited<ReturnType<typeof createProduct>>;

/** A port that survives restarts. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

export const createProduct = async (options: ProductOptions = {}) => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentpr-e2e-')));
  const dataDir = join(dir, 'data');
  const { servers = {}, kept } = options;
  if (kept === undefined) shareBox(dataDir);
  else cpSync(join(kept, 'data'), dataDir, { recursive: true, verbatimSymlinks: true });
  const github: GitHub = await startGitHub({
    login: 'agentpr-bot',
    token: TOKENS.github,
    ...(kept !== undefined && { kept: join(kept, 'github') }),
    ...servers.github,
  });
  const telegram: Telegram = await startTelegram({
    // Disabled here; tests of rate limits enable them.
    token: TOKENS.telegram,
    botName: 'agentpr_test_bot',
    limits: null,
    ...(kept !== undefined && { kept: readFileSync(join(kept, 'telegram')) }),
    ...servers.telegram,
  });
  const ana: Person = telegram.person(ANA, 'Ana');
  const { script, bounds = {}, config = {}, webhooks = false } = options;
  // Our servers are on loopback, which `listed` networks do not reach.
  const network = { installs: 'shared', checks: 'shared', ...config.network };
  const port = webhooks ? await freePort() : 0;
  if (webhooks)
    github.addWebhook({ url: `http://127.0.0.1:${port}/webhooks/github`, secret: WEBHOOK_SECRET });
  const file = {
    ...(script === undefined ? {} : { script }),
    bounds: { pollMs: 100, retryMs: 50, ...bounds },
    ...config,
    network,
  };
  writeFileSync(join(dir, 'agentpr.config.json'), JSON.stringify(file));
  const env = (): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LANG: 'C.UTF-8',
    TELEGRAM_BOT_TOKEN: TOKENS.telegram,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_ADMIN_IDS: String(ANA),
    GITHUB_TOKEN: TOKENS.github,
    GITHUB_API_URL: github.url,
    AGENTPR_HTTP_PORT: String(port),
    ...(webhooks ? { GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET } : {}),
    AGENTPR_DATA_DIR: dataDir,
    AGENTPR_SANDBOX: 'auto',
    AGENTPR_LOG_LEVEL: 'warn',
    ...options.env,
  });
  if (options.users) {
    const ledger = await openLedger({ dataDir, now: Date.now });
    for (const user of options.users) await ledger.setUser(user, null);
    await ledger.close();
  }

  let child: ChildProcess | null = null;
  let ended: Promise<Ended> | null = null;
  let stdout = '';
  /** Length of what earlier starts printed. */
  let printedBefore = 0;
  let stderr = '';
  let looking: Looking | null = null;
  const look = (): Looking => (looking ??= lookInto(dataDir));
  /** The ledger's files must not be held open while the product dies and restarts. */
  const lookAway = (): void => {
    looking?.close();
    looking = null;
  };

  const picture = (): string => {
    const runs = existsSync(join(dataDir, 'ledger.db'))
      ? look()
          .runs()
          .map((r) => `  ${r.id} ${r.lifecycle.state}: ${reasonOf(r)}`)
      : [];
    const chat = ana
      .messages()
      .slice(-6)
      .map(
        (m) =>
          `  ${m.from}: ${m.text.slice(0, 300)} ${m.buttons
            .flat()
            .map((b) => `[${b.text}]`)
            .join('')}`,
      );
    return `Runs:\n${runs.join('\n')}\nAna sees:\n${chat.join('\n')}\nStderr:\n${stderr.slice(-2_000)}`;
  };
  const news = createNews(picture);
  let soon: NodeJS.Timeout | undefined;
  /** Changes are coalesced, and read later, because reading may change a file. */
  const changed = (): undefined => {
    soon ??= setTimeout(() => {
      soon = undefined;
      news.tell();
    }, SOON);
  };
  const stopListening = [telegram, github].map((server) => server.onRequest(changed));
  let watching: { close(): void } | null = null;
  const watchLedger = (): void => {
    if (watching || !existsSync(dataDir)) return;
    let echo: NodeJS.Timeout | undefined;
    watching = watch(dataDir, () => {
      changed();
      clearTimeout(echo);
      echo = setTimeout(() => news.tell(), ECHO);
    });
  };

  const launch = (
    argv: string[],
    over: Record<string, string> = {},
    output: 'pipe' | number = 'pipe',
  ): ChildProcess => {
    const made = spawn(process.execPath, argv, {
      cwd: dir,
      env: { ...env(), ...over },
      stdio: ['ignore', output, output],
    });
    watchLedger();
    for (const out of [made.stdout, made.stderr]) out?.on('data', changed);
    made.on('exit', changed);
    return made;
  };
  const exitOf = async (one: ChildProcess): Promise<Ended> => {
    if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
    return { code: one.exitCode, signal: one.signalCode };
  };

  const product = {
    dir,
    dataDir,
    github,
    telegram,
    ana,
    environment: env,
    beside: (args: string[], over = {}) => launch([CLI, ...args], over),
    /** `preload` is imported first; output also goes to the file `output`. Waits for nothing. */
    start({
      preload,
      env: over = {},
      output,
    }: { preload?: string; env?: Record<string, string>; output?: string } = {}): void {
      lookAway();
      printedBefore = stdout.length;
      const argv = [...(preload ? ['--import', preload] : []), CLI, 'start'];
      const file = output === undefined ? null : openSync(output, 'a');
      const made = launch(argv, over, file ?? 'pipe');
      if (file !== null) closeSync(file);
      child = made;
      made.stdout?.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        news.tell();
      });
      made.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        news.tell();
      });
      ended = exitOf(made).then((end) => {
        lookAway();
        setImmediate(() => news.tell());
        return end;
      });
    },
    /** Resolves when it reports that it runs. */
    running: (): Promise<unknown> => {
      watchLedger();
      return product.waitFor(() => /is running/.test(stdout.slice(printedBefore)), {
        what: 'the product to be running',
      });
    },
    alive: (): boolean => child !== null && child.exitCode === null && child.signalCode === null,
    pid: (): number => child?.pid ?? 0,
    ended: (): Promise<Ended> => ended ?? Promise.reject(new Error('it was never started')),
    async kill(): Promise<void> {
      child?.kill('SIGKILL');
      await ended;
    },
    async stop(): Promise<Ended> {
      child?.kill('SIGTERM');
      return product.ended();
    },
    async restart(): Promise<void> {
      await product.kill();
      product.start();
    },
    async cli(args: string[], input = '', over: Record<string, string | undefined> = {}): Promise<Said> {
      const one = spawn(process.execPath, [CLI, ...args], {
        cwd: dir,
        env: { ...env(), ...over },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const said = { out: '', err: '' };
      one.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
      one.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
      one.stdin.end(input);
      await once(one, 'close');
      return { code: one.exitCode, signal: one.signalCode, ...said };
    },
    address: (): string => /http:\/\/[\d.]+:\d+/.exec(stdout)?.[0] ?? '',
    stdout: (): string => stdout,
    stderr: (): string => stderr,
    /** Returns logged errors; messages for people are no log lines. */
    complaints: (): string[] => stderr.split('\n').filter((line) => /^\{"level":[56]0/.test(line)),
    look,
    runs: (): Run[] => (existsSync(join(dataDir, 'ledger.db')) ? look().runs() : []),
    /** Finds a run by repository or id; the newest by default. */
    run: (which?: string): Run | undefined =>
      product.runs().find((r) => which === undefined || r.id === which || r.order.repo === which),
    waitFor: <T>(what: Look<T>, wait: WaitOptions = {}): Promise<T> => {
      watchLedger();
      return news.waitFor(what, { deadlineMs: PATIENCE, ...wait });
    },
    waitForState: (
      states: Run['lifecycle']['state'] | Run['lifecycle']['state'][],
      which?: string,
    ): Promise<Run> =>
      product.waitFor(
        () => {
          const run = product.run(which);
          return run && [states].flat().includes(run.lifecycle.state) ? run : null;
        },
        { what: `${which ?? 'the run'} to be ${[states].flat().join(' or ')}` },
      ),
    /** Waits until only people, the code host or timers are awaited. */
    atRest: (): Promise<unknown> =>
      product.waitFor(() => look().unfinished().length === 0, { what: 'the product to come to rest' }),
    /** Ignores progress messages, which are rate-limited. */
    settled: (): Promise<unknown> =>
      product.waitFor(
        () =>
          look()
            .unfinished()
            .every((u) => u.slot?.startsWith('progress:')),
        {
          what: 'the product to have done everything but to tell of it',
        },
      ),
    /** Finds processes by the data directory in environment, arguments or working directory. */
    processes: (): string[] =>
      processesOf(dataDir)
        .filter(({ pid }) => pid !== product.pid())
        .map(({ pid, says }) => `${pid} ${says}`),
    /** Excludes the git process that is kept for further questions. */
    startedProcesses: (): string[] =>
      product.processes().filter((says) => !/^\d+ git cat-file --batch-command /.test(says)),
    /** Polls, because the end of a process causes no event. */
    async processesGone(processes?: () => string[]): Promise<void> {
      const again = setInterval(() => news.tell(), LOOK_AGAIN_MS);
      try {
        const left = processes ?? product.startedProcesses;
        await product.waitFor(() => left().length === 0, { what: 'its processes to be gone' });
      } finally {
        clearInterval(again);
      }
    },
    workspaces: (): string[] => (existsSync(join(dataDir, 'runs')) ? readdirSync(join(dataDir, 'runs')) : []),
    /** Writes what it holds into a new folder, as `kept` takes it; it has to be stopped. */
    async keep(folder: string): Promise<void> {
      lookAway();
      await github.keep(join(folder, 'github'));
      writeFileSync(join(folder, 'telegram'), telegram.keep());
      cpSync(dataDir, join(folder, 'data'), { recursive: true, verbatimSymlinks: true });
    },
    /** Throws when a process was left behind. */
    async close(): Promise<void> {
      if (product.alive()) await product.stop();
      const left = product.startedProcesses();
      // What read objects for a killed process ends when its input does.
      if (left.length === 0) await product.processesGone(product.processes);
      lookAway();
      for (const stop of stopListening) stop();
      watching?.close();
      news.end();
      await telegram.stop();
      await github.stop();
      rmSync(dir, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`processes were left behind:\n${left.join('\n')}`);
    },
  };
  return product;
};
