/** `agentpr demo` (O6): plays a story on local servers with the real product. */
import type { ConfiguredEngineName } from '#engines';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { listConfiguredChats } from '../../app/chats.ts';
import type { ControlConfig } from '../../app/config.ts';
import { DEFAULT_LIMITS } from '#sandbox';
import { DEFAULT_INSTALL_LIMITS, DEFAULT_MIRROR_LIMITS } from '#git';
import { GatewaySettings, registryNames } from '#gateway';
import { readCertificateVariables, readProxies } from '#network';
import { passableEnvironment, makeTemporaryDirectory, listOwnHomes } from '#process';
import type { Run } from '#run';
import { ForkSettings } from '#model/pull';
import { DAY } from '#model/values';
import { RunBounds } from '#model/limits';
import { PolicySettings } from '#model/settings';
import { OpeningCapSettings, OpeningSettings, ThirdPartySettings } from '#limits';
import { CampaignSettings } from '#campaigns';
import { ArrivalSettings } from '../../app/settings-schema.ts';
import type { RunningApp } from '../../app/running-app.ts';
import { startApp } from '../../app/start-app.ts';
import {
  flakyCi,
  sampleAgentCommand,
  sampleCi,
  sampleDirectory,
  sampleRemarks,
  sampleReview,
  sampleTasks,
  sampleTranscriberCommand,
  startGitHub,
  startStage,
  startTelegram,
  type GitHub,
  type Telegram,
  type Weather,
} from '#playground';
import { followVisitorCommands } from './visitor-actions.ts';
import { fetchRepository } from './fetch-repository.ts';
import type { DemoStory } from './demo-stage.ts';
import { playCampaign, type CampaignStage } from './campaign-scene.ts';
import { followRuns, orderFirst, printHowToVerify, type VisitorStage } from './follow-visitor.ts';
import { manyCi, manyRepos, manyScript } from './campaign-repositories.ts';
import { playStory } from './play-story.ts';
import { printRedacted, printJson } from '../output.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { textsFor } from '../language.ts';
import { createDemoTranscript } from './demo-transcript.ts';

export type DemoOptions = {
  once?: boolean;
  play?: boolean;
  task: number;
  json?: boolean;
  data?: string;
  repo?: string;
  fork?: boolean;
  campaign?: boolean;
  check?: string[];
  script?: string;
  goal?: string;
  engine: ConfiguredEngineName;
  deliveries: keyof typeof DELIVERIES;
  sandbox: ControlConfig['sandbox'];
};

const DELIVERIES = {
  once: {},
  twice: { copies: 2 },
  shuffled: { shuffle: true, delayMs: [0, 800], drop: 0.2, twice: 0.2 },
  never: { drop: 1 },
} satisfies Record<string, Weather>;

/** New secrets at each start, because the demo's sandboxes share the network with its servers. */
const TOKENS = {
  telegram: `4242:${randomBytes(16).toString('hex')}`,
  github: randomBytes(16).toString('hex'),
  webhooks: randomBytes(16).toString('hex'),
};
export const DEMO_ADMIN = { id: 1001, name: 'Ana' };
/** The board link is good as long as the demo runs (ms). */
const BOARD_LINK_MS = 365 * DAY;
const BOT_NAME = 'agentpr_demo_bot';

const demoChats = (
  telegram: ControlConfig['telegram'],
): Pick<ControlConfig, 'telegram' | 'slack' | 'chats'> => {
  const settings = { telegram, slack: null };
  return { ...settings, chats: listConfiguredChats(settings) };
};

const demoConfig = (
  options: DemoOptions,
  dataDir: string,
  telegram: Telegram,
  github: GitHub,
  { script, repositories }: { script: string; repositories: string[] },
): ControlConfig => ({
  ...demoChats({ token: TOKENS.telegram, apiRoot: telegram.url, admins: [String(DEMO_ADMIN.id)] }),
  github: { token: TOKENS.github, app: null, apiUrl: github.url, serverUrl: github.url },
  http: { host: '127.0.0.1', port: 0, publicUrl: null },
  webhooks: options.fork ? null : { secrets: [TOKENS.webhooks] },
  dataDir,
  database: null,
  role: 'all',
  engine: options.engine,
  sandbox: options.sandbox,
  logLevel: 'error',
  traces: null,
  bucket: null,
  proxies: readProxies(process.env),
  certificates: readCertificateVariables(process.env),
  pass: passableEnvironment(process.env),
  operator: { env: process.env, home: listOwnHomes()[0] ?? '/nonexistent' },
  chatModel: null,
  voice: {
    way: { command: sampleTranscriberCommand },
    maxSeconds: 120,
    minutesPerDay: 30,
    timeoutSeconds: 60,
  },
  hooks: new Map(),
  file: {
    script,
    engines: {},
    tools: [],
    readable: [],
    sandboxCalls: [],
    containers: { allowed: [] },
    boxes: [],
    approvalKeys: 'registered',
    chat: {},
    network: {
      agents: 'listed',
      scripts: 'shared',
      installs: 'shared',
      checks: 'shared',
      hosts: [],
      privateHosts: [],
      registries: registryNames(),
    },
    gateway: GatewaySettings.parse({}),
    campaigns: CampaignSettings.parse({}),
    arrivals: ArrivalSettings.parse({ issues: [{ repositories }] }),
    maxParallelRuns: 3,
    maxParallelPerProcess: 3,
    maxRunsPerDay: 50,
    sandboxLimits: DEFAULT_LIMITS,
    mirrors: DEFAULT_MIRROR_LIMITS,
    installs: DEFAULT_INSTALL_LIMITS,
    checkTimeoutMinutes: 20,
    author: { name: 'AgentPR', email: 'agentpr@agentpr.invalid' },
    publicNames: { [DEMO_ADMIN.id]: DEMO_ADMIN.name },
    bounds: RunBounds.parse({
      pollMs: options.deliveries === 'once' && !options.fork ? 5_000 : 500,
      ciSettleMs: 1_000,
      noCiMs: 3_000,
      autoRerun: options.fork === true,
    }),
    forks: ForkSettings.parse({}),
    pull: { repositories: {} },
    budgets: { repositories: [], warnAt: 0.8 },
    thirdParty: ThirdPartySettings.parse({}),
    openings: OpeningSettings.parse({}),
    caps: OpeningCapSettings.parse({}),
    policies: PolicySettings.parse({}),
  },
});

const storyOf = async (
  options: DemoOptions,
  github: GitHub,
  scratch: string,
): Promise<Omit<DemoStory, 'check'> & { script: string }> => {
  const rights = options.fork ? ({ access: 'read' } as const) : {};
  if (!options.repo) {
    const { fullName } = await github.addRepo({
      owner: 'acme',
      name: 'patient',
      from: sampleDirectory(),
      ci: options.fork ? flakyCi(join(scratch, 'warm')) : sampleCi,
      ...rights,
    });
    const task = sampleTasks[options.task - 1];
    if (!task) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_such_task', max: sampleTasks.length });
    return {
      repo: fullName,
      goal: options.goal ?? task.goal,
      script: options.script ?? sampleAgentCommand({ mood: 'learns', knowsItsGoals: true }),
      // Only the sample's own agent is known to handle the review.
      wish: options.script || options.task !== 1 ? null : options.fork ? sampleRemarks : sampleReview,
    };
  }
  if (!options.script && options.engine === 'script')
    throw new CommandExit(EXIT_CODES.usage, { kind: 'who_changes' });
  const from = await fetchRepository(options.repo, scratch);
  const name =
    basename(resolve(options.repo))
      .replace(/\.git$/, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-') || 'repository';
  const ci = (options.check ?? []).map((command, i) => ({ name: `check ${i + 1}`, command }));
  const { fullName } = await github.addRepo({ owner: 'acme', name, from, ci, ...rights });
  const script = options.script ?? '';
  return {
    repo: fullName,
    goal: options.goal ?? 'Apply a scripted change',
    script,
    wish: null,
  };
};

const manyOf = async (github: GitHub): Promise<string[]> => {
  const all = await Promise.all(
    manyRepos.map((repo) => github.addRepo({ owner: 'acme', ...repo, ci: manyCi })),
  );
  return all.map(({ fullName }) => fullName);
};

const endOnSignals = (leaving: AbortController): (() => void) => {
  const abortDemo = (): void => leaving.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abortDemo);
  return () => {
    for (const signal of signals) process.off(signal, abortDemo);
  };
};

export const runDemo = async (options: DemoOptions): Promise<void> => {
  const leaving = new AbortController();
  const unheed = endOnSignals(leaving);
  const scratch = makeTemporaryDirectory('agentpr-demo-');
  try {
    await startDemo(options, scratch, leaving);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    unheed();
  }
};

/** The servers of an earlier demo ended with it: its runs and messages would wait for them for ever. */
const checkFolderIsNew = (path: string): void => {
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'demo_folder_used', path });
};

const openPlayground = async () => {
  const createSecret = (): string => randomBytes(16).toString('hex');
  const both = await startStage({ key: createSecret() });
  const { neighbours } = both;
  const github = await startGitHub({
    neighbours,
    login: 'agentpr-demo',
    token: TOKENS.github,
    // Security: code in the demo's sandboxes must not merge or use Ana's phone.
    forgeKey: createSecret(),
  });
  const telegram = await startTelegram({
    token: TOKENS.telegram,
    botName: BOT_NAME,
    neighbours,
    phoneKey: createSecret(),
  });
  return {
    both,
    github,
    telegram,
    phoneUrl: `${telegram.phoneUrl}#${DEMO_ADMIN.id}`,
    async stop() {
      await telegram.stop();
      await github.stop();
      await both.stop();
    },
  };
};

const createStateLog = (transcript: ReturnType<typeof createDemoTranscript>) => {
  const runs = new Map<string, Run[]>();
  const states: Run[] = [];
  return {
    runs,
    states,
    add: (run: Run, { tells }: { tells: boolean }): void => {
      const own = runs.get(run.id) ?? [];
      own.push(run);
      runs.set(run.id, own);
      if (!tells || run.id !== [...runs.keys()][0]) return;
      states.push(run);
      transcript.showState(run);
    },
  };
};

const introduce = async (
  options: DemoOptions,
  app: RunningApp,
  { both, github, phoneUrl }: Awaited<ReturnType<typeof openPlayground>>,
  { repo, path }: { repo: string; path: string },
): Promise<string> => {
  const board = await app.boardLink({ id: String(DEMO_ADMIN.id), name: DEMO_ADMIN.name }, BOARD_LINK_MS);
  return textsFor(options.json).commandLine.demo.intro({
    fork: options.fork === true,
    both: both.url,
    phone: phoneUrl,
    forge: github.forgeUrl,
    repo,
    board,
    path,
  });
};

const startDemo = async (options: DemoOptions, scratch: string, leaving: AbortController): Promise<void> => {
  const dataDir = resolve(options.data ?? join(scratch, 'data'));
  checkFolderIsNew(dataDir);
  const transcript = createDemoTranscript(options.json ? () => {} : printRedacted, {
    color: process.stdout.isTTY && !process.env.NO_COLOR,
  });
  const playground = await openPlayground();
  const { both, github, telegram, phoneUrl } = playground;
  const { runs, states, add } = createStateLog(transcript);
  let app: RunningApp | null = null;
  try {
    const many = options.campaign ? await manyOf(github) : null;
    const { script, ...story } = many
      ? { repo: many[0] ?? '', goal: '', wish: null, script: manyScript }
      : await storyOf(options, github, scratch);
    const repositories = many ?? [story.repo];
    both.shows({
      phone: phoneUrl,
      forge: many ? github.forgeUrl : `${github.url}/${story.repo}`,
      cookies: [telegram.phoneCookie, github.forgeCookie],
    });
    app = await startApp(demoConfig(options, dataDir, telegram, github, { script, repositories }), {
      chatAddress: (payload) => `${telegram.phoneUrl}&start=${payload}#${DEMO_ADMIN.id}`,
      onWritten: (run) => add(run, { tells: !many }),
    });
    github.weather(DELIVERIES[options.deliveries]);
    if (!options.fork) github.addWebhook({ url: `${app.address}/webhooks/github`, secret: TOKENS.webhooks });
    const words = textsFor(options.json).commandLine.demo;
    transcript.note(`${await introduce(options, app, playground, { repo: story.repo, path: dataDir })}\n`);
    const plays = (options.play ?? options.once ?? options.json) === true;
    const stays = !options.once && !options.json;
    const stage: Stage = {
      app,
      ana: telegram.person(DEMO_ADMIN.id, DEMO_ADMIN.name),
      github,
      transcript,
      plays,
      paceMs: plays && stays ? PACE_MS : 0,
      signal: leaving.signal,
      words,
      runs,
      story: { ...story, check: options.check ?? [] },
      hints: (hint, { typed, forge } = {}) => {
        transcript.note(`→ ${typed === undefined ? hint : `${hint} ${typed}`}`);
        both.hints(hint, forge);
      },
    };
    if (plays) both.hints(words.hints.film());
    else if (many) both.hints(words.hints.campaign());
    const tasks = many || options.repo || options.script ? [] : sampleTasks;
    const playChosenStory = async (): Promise<object | null> =>
      many ? playCampaign({ ...stage, repos: many }) : playStory({ ...stage, states });
    const playToEnd = async (): Promise<void> => {
      if (!stays) return endWith(options, await playChosenStory(), leaving.signal);
      await stayUp(stage, { tasks, leaving, first: plays || many ? playChosenStory : null });
    };
    await Promise.race([playToEnd(), app.failed]);
  } finally {
    await app?.stop();
    await playground.stop();
  }
};

type Stage = VisitorStage & Pick<CampaignStage, 'plays'>;
const PACE_MS = 4_000;

const endWith = (options: DemoOptions, ended: object | null, { aborted }: AbortSignal): void => {
  if (aborted) throw new CommandExit(EXIT_CODES.failed, { kind: 'demo_stopped' });
  if (options.json) printJson(ended);
};

/** Keeps running until the visitor leaves; the exit code reports the proof. */
const stayUp = async (
  stage: Stage,
  {
    tasks,
    leaving,
    first,
  }: {
    tasks: typeof sampleTasks;
    leaving: AbortController;
    first: (() => Promise<object | null>) | null;
  },
): Promise<void> => {
  const { transcript, plays, story, runs, words } = stage;
  const playForExitCode = async (play: () => Promise<object | null>): Promise<number> => {
    try {
      await play();
      return EXIT_CODES.ok;
    } catch (error) {
      if (!(error instanceof CommandExit)) throw error;
      transcript.note(words.staysUp({ says: error.message }));
      return error.code;
    }
  };
  if (!first) orderFirst(stage);
  const told = first ? playForExitCode(first) : EXIT_CODES.ok;
  if (plays) await told;
  const shown = plays ? [...runs.values()].flatMap((states) => states.at(-1) ?? []) : [];
  const opened = shown.find(({ upstream }) => upstream.pullRequest !== null);
  if (opened) printHowToVerify(stage, opened);
  const followToEnd = async (): Promise<number> =>
    Math.max(await told, await followRuns(stage, new Set(first ? runs.keys() : [])));
  const hands = { ...stage, repo: story.repo, tasks, leaving, played: plays };
  const [code] = await Promise.all([followToEnd(), followVisitorCommands(hands)]);
  if (code !== EXIT_CODES.ok) throw new CommandExit(code, { kind: 'demo_untrue' });
};
