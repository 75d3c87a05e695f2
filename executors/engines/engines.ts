/** Creates the engines of this version from settings and environment. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EngineExecutor } from '#ports/processes';
import { acpCli, createAcpCli, opencodeAcp, qwenCli } from './acp/acp.ts';
import { copilotCli } from './acp/copilot.ts';
import { geminiCli } from './acp/gemini.ts';
import { aiderCli } from './aider/aider.ts';
import { builtinCli } from './builtin/builtin.ts';
import { claudeAsk } from './claude/claude-ask.ts';
import { claudeCli } from './claude/claude.ts';
import { codexCli } from './codex/codex.ts';
import type { AgentCli } from './shared/agent-cli.ts';
import { createAgentExecutor } from './shared/run-engine.ts';
import type { SilenceLimits } from './shared/round-clocks.ts';
import { MINUTE } from '#model/values';
import { type ExposedSecrets, createHidingExecutor, readSignInSecrets } from '#sandbox';
import {
  isSecretVariable,
  listCredentialVariables,
  secretsInVariable,
  signInName,
} from './shared/engine-credentials.ts';
import {
  AGENT_NAMES,
  type AgentName,
  type AgentSettings,
  type AgentsSettings,
  type ConfiguredEngineName,
  ENGINE_NAMES,
  isAgentEngine,
  NO_SETTINGS,
} from './engine-settings.ts';
import type { EngineDeps } from './shared/start-contained.ts';
import { opencodeCli } from './opencode/opencode.ts';
import { createScriptExecutor } from './script/script.ts';

export type OperatorEnvironment = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
};

/** An engine is its row. */
export const AGENT_CLIS: Readonly<Record<AgentName, AgentCli>> = {
  codex: codexCli,
  claude: claudeCli,
  'claude-ask': claudeAsk,
  opencode: opencodeCli,
  'opencode-acp': opencodeAcp,
  qwen: qwenCli,
  copilot: copilotCli,
  gemini: geminiCli,
  aider: aiderCli,
  acp: acpCli,
  builtin: builtinCli,
};

/** The model of a round decides which of these keys it gets. */
export const credentialsFor = (
  name: AgentName,
  settings: AgentSettings,
  operator: OperatorEnvironment,
): { env: Record<string, string>; keys: string[]; authFile: string | undefined; usual: string } => {
  const dialect = AGENT_CLIS[name];
  const env = Object.fromEntries(
    [...listCredentialVariables(dialect.lends), ...settings.env].flatMap((variable) => {
      const value = operator.env[variable];
      return value === undefined || value === '' ? [] : [[variable, value]];
    }),
  );
  const keys = Object.keys(env).filter((key) =>
    isSecretVariable(key, env[key] ?? '', { named: settings.env.includes(key) }),
  );
  const usual = path.join(operator.home, dialect.usualSignIn ?? path.join(dialect.directory, dialect.signIn));
  const found = keys.length === 0 && existsSync(usual) ? usual : undefined;
  return { env, keys, authFile: settings.authFile ?? found, usual };
};

const silenceOf = ({ firstEventSeconds, silentMinutes }: AgentSettings): Partial<SilenceLimits> => {
  const first = firstEventSeconds === undefined ? {} : { first: firstEventSeconds * 1_000 };
  const ms = (silentMinutes ?? 0) * MINUTE;
  return silentMinutes === undefined ? first : { ...first, between: ms, command: ms };
};

/** E16: workspaces may contain secrets from before a restart, so all are searched for. */
const rememberSecrets = (
  lent: ExposedSecrets,
  name: AgentName,
  own: AgentSettings,
  operator: OperatorEnvironment,
): void => {
  const { env, keys, usual } = credentialsFor(name, own, operator);
  for (const key of keys) lent.add(key, secretsInVariable(env[key] ?? ''));
  for (const file of [own.authFile, usual])
    if (file !== undefined) lent.add(signInName(name), readSignInSecrets(readIfThere(file)));
};
export const rememberExposedSecrets = (
  lent: ExposedSecrets,
  settings: AgentsSettings,
  operator: OperatorEnvironment,
): void => {
  for (const name of AGENT_NAMES) rememberSecrets(lent, name, settings[name] ?? NO_SETTINGS, operator);
};
const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

export const createEngines = (
  deps: EngineDeps & { lent?: ExposedSecrets },
  operator: OperatorEnvironment,
  settings: AgentsSettings = {},
): Record<ConfiguredEngineName, EngineExecutor> => {
  const { lent } = deps;
  if (lent) rememberExposedSecrets(lent, settings, operator);
  const wrapHiding = (executor: EngineExecutor): EngineExecutor =>
    lent ? createHidingExecutor(lent, executor) : executor;
  const agentExecutorFor = (name: AgentName): EngineExecutor => {
    const own = settings[name] ?? NO_SETTINGS;
    const { env, usual } = credentialsFor(name, own, operator);
    const usualAuthFile = existsSync(usual) ? usual : undefined;
    const { command, args, authFile, env: named, proposers } = own;
    const { PATH } = operator.env;
    const silence = silenceOf(own);
    return wrapHiding(
      createAgentExecutor(name === 'acp' ? createAcpCli(own) : AGENT_CLIS[name], {
        ...deps,
        command,
        args,
        path: PATH,
        authFile,
        usualAuthFile,
        env,
        named,
        silence,
        proposers: proposers ?? [],
      }),
    );
  };
  const all = ENGINE_NAMES.map((name): [ConfiguredEngineName, EngineExecutor] => [
    name,
    isAgentEngine(name) ? agentExecutorFor(name) : wrapHiding(createScriptExecutor(deps)),
  ]);
  return Object.fromEntries(all) as Record<ConfiguredEngineName, EngineExecutor>;
};
