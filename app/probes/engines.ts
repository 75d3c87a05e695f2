/** Checks engines: installation, version, sign-in, and the sandbox. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkConfig } from '../config.ts';
import { type CommandSandbox, type ContainmentOutcome, createSandbox, prepareBox } from '#sandbox';
import {
  AGENT_CLIS,
  AGENT_NAMES,
  type AgentName,
  type AgentProgram,
  type ConfiguredEngineName,
  credentialsFor,
  listCredentialVariables,
  findProgram,
  isAgentEngine,
  NO_SETTINGS,
  readNamedModel,
} from '#engines';
import {
  childEnvironment,
  toPathVariable,
  spawnProcess,
  type SpawnResult,
  makeTemporaryDirectory,
} from '#process';
import { createEngineCosts } from '../engine-costs.ts';
import { failedResult, goodResult, warningResult, type HostResult } from './host-result.ts';

/** Large programs start slowly on a busy machine. */
const LIMIT_MS = 15_000;
const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Compares numerically; -1 when `first` is older. */
export const compareVersions = (first: string, second: string): -1 | 0 | 1 => {
  const [left, right] = [first, second].map((version) => version.split('.').map(Number));
  const at = left?.findIndex((part, i) => part !== right?.[i]) ?? -1;
  if (at < 0) return 0;
  return (left?.[at] ?? 0) < (right?.[at] ?? 0) ? -1 : 1;
};

const versionIn = (text: string): string | null => /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(text)?.[0] ?? null;

const ownWords = ({ stdout, stderr, ended, exitCode }: SpawnResult): string | null =>
  (stderr.trim() || stdout.trim()).split('\n')[0] || (ended === 'timed_out' ? null : `exit code ${exitCode}`);

const checkVersion = (name: AgentName, said: string): HostResult => {
  const { tried: known, install } = AGENT_CLIS[name];
  const found = versionIn(said);
  if (known === null) return warningResult(name, { kind: 'engine_untried', version: found ?? said });
  if (found === null)
    return warningResult(name, { kind: 'engine_no_version', said: said.slice(0, 60), known, install });
  const order = compareVersions(found, known);
  return order === 0
    ? goodResult(name, { kind: 'engine_version', version: found })
    : warningResult(name, {
        kind: 'engine_other_version',
        version: found,
        isOlder: order < 0,
        known,
        install,
      });
};

const probeProgram = async (
  name: AgentName,
  program: AgentProgram,
  tools: readonly string[],
  signal?: AbortSignal,
): Promise<HostResult> => {
  const home = makeTemporaryDirectory('agentpr-doctor-');
  try {
    const end = await spawnProcess({
      argv: [program.file, '--version'],
      cwd: home,
      env: childEnvironment({ home, tools }),
      timeoutMs: LIMIT_MS,
      maxOutputBytes: 10_000,
      ...(signal && { signal }),
    });
    return end.ended === 'exited' && end.exitCode === 0
      ? checkVersion(name, end.stdout.trim() || end.stderr.trim())
      : failedResult(name, {
          kind: 'engine_fails',
          program: program.file,
          cause: end.ended === 'timed_out' ? null : ownWords(end),
          install: AGENT_CLIS[name].install || null,
        });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const signInCheck = (name: AgentName, config: WorkConfig): HostResult => {
  const title = `${name} key`;
  const settings = config.file.engines[name] ?? NO_SETTINGS;
  const { env, keys, authFile, usual } = credentialsFor(name, settings, config.operator);
  if (keys.length > 0) return goodResult(title, { kind: 'engine_key', names: keys });
  if (authFile !== undefined && existsSync(authFile))
    return goodResult(title, { kind: 'engine_signed_in', file: authFile });
  if (
    env.OPENAI_BASE_URL !== undefined ||
    env.OPENAI_API_BASE !== undefined ||
    (AGENT_CLIS[name].signInBy === 'none' && env.ANTHROPIC_BASE_URL !== undefined)
  )
    return goodResult(title, { kind: 'engine_own_model' });
  const names = [...listCredentialVariables(AGENT_CLIS[name].lends), ...settings.env].filter((variable) =>
    /_(KEY|TOKEN)$/.test(variable),
  );
  const { signInBy: signIn } = AGENT_CLIS[name];
  if (signIn === '') return goodResult(title, { kind: 'engine_own_sign_in' });
  return signIn === 'none'
    ? failedResult(title, { kind: 'engine_no_key', names })
    : failedResult(title, { kind: 'engine_signed_out', file: authFile ?? usual, signIn, names });
};

/** The sandbox hides home directories, where programs are often installed. */
const checkProgramInBox = async (
  name: AgentName,
  program: AgentProgram,
  config: WorkConfig,
  given: CommandSandbox | null,
  signal?: AbortSignal,
): Promise<HostResult> => {
  const title = `${name} box`;
  const { tools, readable } = config.file;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const contained: ContainmentOutcome = given
    ? { kind: 'ready', sandbox: given }
    : await createSandbox({
        setting: config.sandbox,
        dataDir: config.dataDir,
        tools,
        readable,
        allowedCalls: config.file.sandboxCalls,
        containers: { ...config.file.containers, env: config.operator.env },
      });
  if (contained.kind === 'refused') return failedResult(title, contained.fault);
  const home = mkdtempSync(join(realpathSync(config.dataDir), 'doctor-'));
  try {
    const box = await prepareBox(contained.sandbox, {
      runId: 'doctor',
      kind: 'agent',
      wish: null,
      network: 'shared',
      signal: signal ?? new AbortController().signal,
    });
    if ('says' in box) return failedResult(title, { kind: 'engine_not_boxed', cause: box.says });
    const end = await box.run(
      {
        runId: 'doctor',
        argv: [program.file, '--version'],
        cwd: home,
        writable: [home],
        readable: program.shown,
        network: 'shared',
        env: childEnvironment({ home, tools }),
      },
      { timeoutMs: LIMIT_MS * 2, maxOutputBytes: 10_000, ...(signal && { signal }) },
    );
    return end.ended === 'exited' && end.exitCode === 0
      ? goodResult(title, { kind: 'engine_boxed', level: contained.sandbox.level })
      : failedResult(title, { kind: 'engine_not_boxed', cause: ownWords(end) });
  } catch (error) {
    return failedResult(title, { kind: 'engine_not_boxed', cause: errorText(error) });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const ownEngine = (name: AgentName, config: WorkConfig): HostResult => {
  const { args } = config.file.engines[name] ?? NO_SETTINGS;
  const { OPENAI_MODEL, ANTHROPIC_MODEL } = config.operator.env;
  const model = readNamedModel(args)?.model ?? OPENAI_MODEL ?? ANTHROPIC_MODEL;
  return model === undefined
    ? failedResult(name, { kind: 'engine_no_model', name })
    : goodResult(name, { kind: 'engine_own', model });
};

const agentChecks = async (
  name: AgentName,
  config: WorkConfig,
  sandbox: CommandSandbox | null,
  signal?: AbortSignal,
): Promise<HostResult[]> => {
  const { ours } = AGENT_CLIS[name];
  if (ours !== undefined)
    return [
      ownEngine(name, config),
      signInCheck(name, config),
      await checkProgramInBox(name, ours(), config, sandbox, signal),
    ];
  const command = config.file.engines[name]?.command ?? AGENT_CLIS[name].program;
  const { tools } = config.file;
  const program = findProgram(command, [toPathVariable(tools), config.operator.env.PATH ?? ''].join(':'));
  if (program === null)
    return [
      failedResult(name, {
        kind: 'engine_absent',
        program: command,
        install: AGENT_CLIS[name].install || null,
      }),
    ];
  const there = await probeProgram(name, program, tools, signal);
  if (there.level === 'failed') return [there];
  return [there, signInCheck(name, config), await checkProgramInBox(name, program, config, sandbox, signal)];
};

const checkScript = (config: WorkConfig): HostResult =>
  config.file.script
    ? goodResult('engine', { kind: 'script', command: config.file.script })
    : failedResult('engine', { kind: 'engine_unchosen' });

export const listConfiguredEngines = (config: WorkConfig): ConfiguredEngineName[] => [
  ...new Set([config.engine, ...AGENT_NAMES.filter((name) => config.file.engines[name])]),
];

export const checkEngine = async (
  name: ConfiguredEngineName,
  config: WorkConfig,
  sandbox: CommandSandbox | null = null,
  signal?: AbortSignal,
): Promise<HostResult[]> =>
  isAgentEngine(name) ? agentChecks(name, config, sandbox, signal) : [checkScript(config)];

/** E18: reports outdated prices, and engines without a price despite a cost limit. */
export const checkPriceSettings = (config: WorkConfig): HostResult[] => {
  const { listOfPrices, cautionOf } = createEngineCosts(config);
  const { maxCostUsd: limit } = config.file.bounds;
  const own = Object.keys(config.file.gateway.prices).length;
  const cautions = listConfiguredEngines(config).flatMap((engine): HostResult[] => {
    const found = cautionOf(engine, []);
    if (!found || limit === null) return [];
    return [
      warningResult(
        `${engine} cost`,
        found.kind === 'no_price'
          ? { kind: 'cost_unknown', limit, model: found.model, usualOf: found.usualOf ?? null }
          : { kind: 'cost_untold', limit, engine },
      ),
    ];
  });
  return [goodResult('prices', { kind: 'prices', list: listOfPrices(), own }), ...cautions];
};

export const checkEngines = async (config: WorkConfig): Promise<HostResult[]> => {
  const checks: HostResult[] = [];
  for (const name of listConfiguredEngines(config)) checks.push(...(await checkEngine(name, config)));
  return checks;
};
