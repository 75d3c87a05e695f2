/**
 * What `agentpr doctor` says of each engine in use: is it there, which version, signed in, and does
 * it run in a box.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkConfig } from './config.ts';
import { type CommandSandbox, type ContainmentOutcome, createContainment } from '#sandbox';
import {
  AGENT_CLIS,
  AGENT_NAMES,
  type AgentName,
  type AgentProgram,
  type ConfiguredEngineName,
  credentialsFor,
  credentialVariables,
  findProgram,
  isAgent,
  NO_SETTINGS,
  readNamedModel,
} from '#engines';
import { childEnvironment, searchPath } from '../executors/process/box-environment.ts';
import { spawnProcess, type SpawnResult } from '../executors/process/spawn.ts';
import { makeTemporary } from '../executors/process/temporary-files.ts';
import { failedLine, passedLine, warningLine, type DoctorCheck } from './doctor-lines.ts';
import { costsOf } from './engine-costs.ts';

/** Large programs start slowly on a busy machine. */
const LIMIT_MS = 15_000;
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** By its numbers: -1 when `a` is older than `b`. */
export const compareVersions = (a: string, b: string): -1 | 0 | 1 => {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const at = left?.findIndex((part, i) => part !== right?.[i]) ?? -1;
  if (at < 0) return 0;
  return (left?.[at] ?? 0) < (right?.[at] ?? 0) ? -1 : 1;
};

const versionIn = (text: string): string | null => /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;

const ownWords = ({ stdout, stderr, ended, exitCode }: SpawnResult): string =>
  (stderr.trim() || stdout.trim()).split('\n')[0] ||
  (ended === 'timed_out' ? 'it did not answer in 15 s' : `exit code ${exitCode}`);

const version = (name: AgentName, said: string): DoctorCheck => {
  const { tried: known, install } = AGENT_CLIS[name];
  const found = versionIn(said);
  if (known === null)
    return warningLine(
      name,
      `${found ?? said}; unverified: built by its documentation`,
      'Look at its first runs.',
    );
  const fix = `If it misbehaves, install the version that was tried: \`${install}\`.`;
  if (found === null)
    return warningLine(name, `it does not say its version (“${said.slice(0, 60)}”); ${known} was tried`, fix);
  const order = compareVersions(found, known);
  return order === 0
    ? passedLine(name, found)
    : warningLine(name, `${found} is ${order < 0 ? 'older' : 'newer'} than ${known}, which was tried`, fix);
};

const present = async (
  name: AgentName,
  program: AgentProgram,
  tools: readonly string[],
  signal?: AbortSignal,
): Promise<DoctorCheck> => {
  const home = makeTemporary('agentpr-doctor-');
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
      ? version(name, end.stdout.trim() || end.stderr.trim())
      : failedLine(
          name,
          `\`${program.file} --version\` failed: ${end.ended === 'timed_out' ? 'it did not answer in 15 s' : ownWords(end)}`,
          `Install it anew: \`${AGENT_CLIS[name].install}\`.`,
        );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const signedIn = (name: AgentName, config: WorkConfig): DoctorCheck => {
  const title = `${name} key`;
  const settings = config.file.engines[name] ?? NO_SETTINGS;
  const { env, keys, authFile, usual } = credentialsFor(name, settings, config.operator);
  if (keys.length > 0) return passedLine(title, `${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} set`);
  if (authFile !== undefined && existsSync(authFile)) return passedLine(title, `signed in by ${authFile}`);
  if (
    env.OPENAI_BASE_URL !== undefined ||
    env.OPENAI_API_BASE !== undefined ||
    (AGENT_CLIS[name].signInBy === 'none' && env.ANTHROPIC_BASE_URL !== undefined)
  )
    return passedLine(title, 'none, for a model of your own');
  const names = [...credentialVariables(AGENT_CLIS[name].lends), ...settings.env].filter((variable) =>
    /_(KEY|TOKEN)$/.test(variable),
  );
  if (AGENT_CLIS[name].signInBy === 'none')
    return failedLine(
      title,
      'no key is set',
      `Set ${names.join(' or ')}, or the address of a model of your own.`,
    );
  return failedLine(
    title,
    `neither a key nor ${authFile ?? usual} is there`,
    `Sign in (\`${AGENT_CLIS[name].signInBy}\`), or set ${names.join(' or ')}.`,
  );
};

/** A box hides the homes of people, where programs are often installed. */
const boxed = async (
  name: AgentName,
  program: AgentProgram,
  config: WorkConfig,
  given: CommandSandbox | null,
  signal?: AbortSignal,
): Promise<DoctorCheck> => {
  const title = `${name} box`;
  const { tools, readable } = config.file;
  const fix = `Install it outside a home directory, or add its directory to "readable" in agentpr.config.json.`;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const contained: ContainmentOutcome = given
    ? { kind: 'ready', sandbox: given }
    : await createContainment({
        setting: config.sandbox,
        dataDir: config.dataDir,
        tools,
        readable,
      });
  if (contained.kind === 'refused') return failedLine(title, contained.reason, 'Fix the sandbox first.');
  const home = mkdtempSync(join(realpathSync(config.dataDir), 'doctor-'));
  try {
    const wrapped = contained.sandbox.wrap({
      runId: 'doctor',
      argv: [program.file, '--version'],
      cwd: home,
      writable: [home],
      readable: program.shown,
      network: 'shared',
      env: childEnvironment({ home, tools }),
    });
    const end = await spawnProcess({
      ...wrapped,
      timeoutMs: LIMIT_MS * 2,
      maxOutputBytes: 10_000,
      ...(signal && { signal }),
    });
    return end.ended === 'exited' && end.exitCode === 0
      ? passedLine(title, `starts in the sandbox (${contained.sandbox.level})`)
      : failedLine(title, `does not start in the sandbox: ${ownWords(end)}`, fix);
  } catch (error) {
    return failedLine(title, words(error), fix);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** It comes with us; what it needs is the name of a model. */
const ownEngine = (name: AgentName, config: WorkConfig): DoctorCheck => {
  const { args } = config.file.engines[name] ?? NO_SETTINGS;
  const { OPENAI_MODEL, ANTHROPIC_MODEL } = config.operator.env;
  const model = readNamedModel(args)?.model ?? OPENAI_MODEL ?? ANTHROPIC_MODEL;
  return model === undefined
    ? failedLine(
        name,
        'no model is named',
        `Set "engines": {"${name}": {"args": ["-m", "<model>"]}} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL.`,
      )
    : passedLine(name, `part of AgentPR, with ${model}`);
};

const agentChecks = async (
  name: AgentName,
  config: WorkConfig,
  sandbox: CommandSandbox | null,
  signal?: AbortSignal,
): Promise<DoctorCheck[]> => {
  const { ours } = AGENT_CLIS[name];
  if (ours !== undefined)
    return [
      ownEngine(name, config),
      signedIn(name, config),
      await boxed(name, ours(), config, sandbox, signal),
    ];
  const command = config.file.engines[name]?.command ?? AGENT_CLIS[name].program;
  const { tools } = config.file;
  const program = findProgram(command, [searchPath(tools), config.operator.env.PATH ?? ''].join(':'));
  const install = `Install it (\`${AGENT_CLIS[name].install}\`), or say where it is: "engines" in agentpr.config.json.`;
  if (program === null) return [failedLine(name, `the program ${command} was not found`, install)];
  const there = await present(name, program, tools, signal);
  if (!there.ok) return [there];
  return [there, signedIn(name, config), await boxed(name, program, config, sandbox, signal)];
};

const script = (config: WorkConfig): DoctorCheck =>
  config.file.script
    ? passedLine('engine', `script: ${config.file.script}`)
    : failedLine(
        'engine',
        'the script engine has no command',
        'Set "script" in agentpr.config.json, or give --agent-arg with each run.',
      );

/** The engine that runs use, and those that agentpr.config.json names. */
export const enginesOf = (config: WorkConfig): ConfiguredEngineName[] => [
  ...new Set([config.engine, ...AGENT_NAMES.filter((name) => config.file.engines[name])]),
];

/** Of one engine; in the boxes of a running AgentPR, or in one that is made for it. */
export const engineCheck = async (
  name: ConfiguredEngineName,
  config: WorkConfig,
  sandbox: CommandSandbox | null = null,
  signal?: AbortSignal,
): Promise<DoctorCheck[]> => (isAgent(name) ? agentChecks(name, config, sandbox, signal) : [script(config)]);

/** E18: which prices are gone by, and of which engine a limit of cost knows none. */
export const costChecks = (config: WorkConfig): DoctorCheck[] => {
  const { pricesAsOf, cautionOf } = costsOf(config);
  const { maxCostUsd } = config.file.bounds;
  const own = Object.keys(config.file.gateway.prices).length;
  const list = `the list of models.dev of ${pricesAsOf}${own === 0 ? '' : `, after ${own} of your own`}`;
  const cautions = enginesOf(config).flatMap((name): DoctorCheck[] => {
    const found = cautionOf(name, []);
    if (!found || maxCostUsd === null) return [];
    return [
      found.kind === 'no_price'
        ? warningLine(
            `${name} cost`,
            `bounds.maxCostUsd is ${maxCostUsd}, and nobody has told what ${found.model} costs: unless its provider lists a price, its runs stop at once`,
            `Set "gateway": {"prices": {"${found.model}": {"input": …, "output": …}}} in agentpr.config.json (dollars for a million tokens), or name another model in its "args", or leave out bounds.maxCostUsd.`,
          )
        : warningLine(
            `${name} cost`,
            `bounds.maxCostUsd is ${maxCostUsd}, and ${name} tells no cost with a sign-in: the limit stops nothing`,
            'Set bounds.maxTokens, or give it a key in place of its sign-in.',
          ),
    ];
  });
  return [passedLine('prices', list), ...cautions];
};

export const engineChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const checks: DoctorCheck[] = [];
  for (const name of enginesOf(config)) checks.push(...(await engineCheck(name, config)));
  return checks;
};
