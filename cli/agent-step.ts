/** `agentpr run agent-step`: runs one sandboxed agent round in a folder, for trials. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type ContainmentSetting, createSandbox } from '#sandbox';
import { createEngines, ENGINE_NAMES } from '#engines';
import { createGateway } from '#gateway';
import { readProxies } from '#network';
import { passableEnvironment, listOwnHomes } from '#process';
import { enTexts } from '#language';
import { explainBoxFault } from '../app/sandbox-setup.ts';
import { NO_USAGE } from '#model/reports';
import type { ContainmentLevel } from '#model/evidence';
import type { PolicySettings } from '#model/settings';
import { MINUTE } from '#model/values';
import { assessPermission } from '#governor';
import type { ControlConfig } from '../app/config.ts';
import type {
  EngineExecutor,
  ExecutorDone,
  ExecutorEvent,
  PermissionAnswer,
  PermissionRequest,
  WeighedRequest,
} from '#ports/processes';
import { readFileSettings, readRawEnvironment } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { readTextInput } from './read-input.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';

type Options = {
  engine: string;
  prompt?: string;
  promptFile?: string;
  agentArg?: string[];
  dir: string;
  home?: string;
  session?: string;
  readOnly?: boolean;
  minutes: string;
  sandbox: ContainmentSetting;
  json?: boolean;
  data?: string;
};

const promptOf = ({ prompt, promptFile }: Options): string => {
  if (prompt !== undefined) return prompt;
  if (promptFile !== undefined) return readTextInput(promptFile);
  throw new CommandExit(EXIT_CODES.usage, { kind: 'no_prompt' });
};

type Governed = { containment: ContainmentLevel; policies: PolicySettings };

const assessStep = (request: PermissionRequest, { containment, policies: settings }: Governed) =>
  assessPermission(request, {
    repo: 'local/step',
    requester: null,
    contract: null,
    defaultBranch: 'main',
    containment,
    openPrs: null,
    settings,
  });

const weighForNobody =
  (by: Governed) =>
  async (request: PermissionRequest): Promise<WeighedRequest> => {
    const { kind, governed } = assessStep(request, by);
    return kind === 'allow'
      ? { verdict: kind, reason: null, governed }
      : {
          verdict: kind === 'ask' ? 'refused' : 'deny',
          reason: enTexts.commandLine.step.nobody(),
          governed,
        };
  };

/** Policies apply as in a run; questions to a person are denied, because nobody is asked. */
const askNobody =
  (governor: Governed) =>
  async (request: PermissionRequest): Promise<PermissionAnswer> => {
    const verdict = assessStep(request, governor);
    if (verdict.kind === 'allow') return verdict;
    const by =
      verdict.kind === 'deny' ? ` (${verdict.objections.map(({ policy }) => policy).join(', ')})` : '';
    return { kind: 'deny', reason: `${enTexts.commandLine.step.nobody()}${by}`, governed: verdict.governed };
  };

const engineOf = (name: string, engines: Readonly<Record<string, EngineExecutor>>): EngineExecutor => {
  const engine = engines[name];
  if (engine !== undefined) return engine;
  throw new CommandExit(EXIT_CODES.unavailable, {
    kind: 'no_engine',
    engine: name,
    known: Object.keys(engines),
  });
};

const printStepResult = (done: ExecutorDone): void => {
  const { failure, summary, session, usage } = done;
  printRedacted(
    failure
      ? `✘ ${failure.class}: ${failure.message}`
      : `✔ ${summary} (${done.end.ms} ms, ${done.containment})`,
  );
  if (session === null) return;
  const told = cliWords().commandLine.step.session({
    id: session.id,
    read: usage.inputTokens,
    written: usage.outputTokens,
    cost: usage.costUsd > 0 ? usage.costUsd.toFixed(4) : null,
  });
  printRedacted(`  ${told}`);
};

type Step = {
  engine: string;
  prompt: string;
  dir: string;
  home?: string | undefined;
  session?: string | undefined;
  engineArgs?: readonly string[];
  readOnly: boolean;
  minutes: number;
  sandbox: ContainmentSetting;
  settings: ControlConfig['file'];
  signal: AbortSignal;
  onEvent: (event: ExecutorEvent) => void;
};

export const runAgentOnce = async (step: Step): Promise<ExecutorDone> => {
  // The folder must not be below /tmp, because a sandbox has its own /tmp.
  const [own] = listOwnHomes();
  if (own === undefined) throw new CommandExit(EXIT_CODES.config, { kind: 'no_home' });
  const base = mkdtempSync(join(own, '.agentpr-step-'));
  const hidden = join(base, 'data');
  const home = step.home === undefined ? join(base, 'home') : resolve(step.home);
  for (const dir of [hidden, home]) mkdirSync(dir, { recursive: true });
  const env = readRawEnvironment();
  const pass = passableEnvironment(env);
  const { tools, readable, sandboxLimits: limits, network, policies, engines } = step.settings;
  const containers = { ...step.settings.containers, env };
  const { hosts, privateHosts, registries } = network;
  const listed = { hosts, privateHosts, registries, pass };
  const gateway = createGateway({ proxies: readProxies(env), listed });
  try {
    const setting = step.sandbox;
    const contained = await createSandbox({
      setting,
      dataDir: hidden,
      tools,
      readable,
      limits,
      containers,
    });
    if (contained.kind === 'refused')
      throw new CommandExit(EXIT_CODES.unavailable, {
        kind: 'told',
        says: explainBoxFault(cliWords(), contained.fault),
      });
    const { sandbox } = contained;
    const ways = { gateway, settings: step.settings.gateway, network: network.agents };
    const deps = { sandbox, tools, pass, ways, scriptNetwork: network.scripts };
    const executor = engineOf(step.engine, createEngines(deps, { env, home: own }, engines));
    const governed = { containment: sandbox.level, policies };
    return await executor.run({
      runId: 'step',
      engineArgs: [...(step.engineArgs ?? [])],
      prompt: step.prompt,
      workspace: resolve(step.dir),
      home,
      session: step.session === undefined ? null : { id: step.session, usage: NO_USAGE },
      writes: step.readOnly ? 'nothing' : 'change',
      ask: askNobody(governed),
      weigh: weighForNobody(governed),
      timeoutMs: step.minutes * MINUTE,
      signal: step.signal,
      onEvent: step.onEvent,
    });
  } finally {
    await gateway.close();
    rmSync(base, { recursive: true, force: true });
  }
};

const agentStep = async (options: Options): Promise<void> => {
  const minutes = Number(options.minutes);
  if (!(minutes > 0))
    throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_minutes', minutes: options.minutes });
  const prompt = promptOf(options);
  if (!statSync(options.dir, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_directory', path: resolve(options.dir) });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const done = await runAgentOnce({
    engine: options.engine,
    prompt,
    dir: options.dir,
    home: options.home,
    session: options.session,
    engineArgs: options.agentArg ?? [],
    readOnly: options.readOnly === true,
    minutes,
    sandbox: options.sandbox,
    settings: readFileSettings(),
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'progress' && !options.json) printRedacted(event.text);
    },
  });
  if (options.json) printJson(done);
  else printStepResult(done);
  if (done.failure) process.exitCode = EXIT_CODES.failed;
};

export const addAgentStep = (run: Command): void => {
  run
    .command('agent-step')
    .description('run the agent once in a folder, contained, without a run')
    .option('--engine <engine>', ENGINE_NAMES.join(', '), 'script')
    .option('--prompt <text>', 'what the agent is told')
    .option('--prompt-file <file>', 'the same from a file; “-” reads standard input')
    .option(
      '--agent-arg <arg>',
      'an argument for the engine; repeatable',
      (value: string, all: string[] | undefined) => [...(all ?? []), value],
    )
    .option('--dir <dir>', 'the workspace', '.')
    .option('--only-look', 'the workspace may not be changed')
    .option('--home <dir>', 'keep the HOME of the agent here, so that its session can be resumed')
    .option('--session <id>', 'resume this session; needs the --home it was in')
    .option('--minutes <n>', 'time limit', '90')
    .option('--sandbox <level>', 'auto, bwrap, unshare, container or group', 'bwrap')
    .option('--json', 'print the whole outcome')
    .action(agentStep);
};
