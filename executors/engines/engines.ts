/** Creates the engines of this version from settings and environment. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EngineExecutor } from '#ports/processes';
import { acpCli, createAcpCli, opencodeAcp, qwenCli } from './acp/acp.ts';
import { ACP_SETTINGS } from './acp/known-agents.ts';
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
import { MAX_PROPOSERS } from '#model/order';
import { MINUTE } from '#model/values';
import { type ExposedSecrets, createHidingExecutor, readSignInSecrets } from '#sandbox';
import { isOwnVariable } from '../process/credential-variables.ts';
import {
  isSecretVariable,
  listCredentialVariables,
  secretsInVariable,
  signInName,
} from './shared/engine-credentials.ts';
import type { EngineDeps } from './shared/start-contained.ts';
import { opencodeCli } from './opencode/opencode.ts';
import { createScriptExecutor } from './script/script.ts';

const ProposerSettings = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][\w.@:/+-]{0,99}$/),
  model: z.string().min(1).max(200).optional(),
  prompt: z.string().max(4_000).optional(),
});
type ProposerSettings = z.infer<typeof ProposerSettings>;

export const AgentSettings = z.strictObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  /** Further variables that it may see, for example another provider's key. */
  env: z.array(z.string().refine((name) => !isOwnVariable(name), 'an agent may not see that')).default([]),
  firstEventSeconds: z.number().positive().optional(),
  silentMinutes: z.number().positive().optional(),
  authFile: z.string().startsWith('/').optional(),
  /** E9: models or prompts that think side by side in each turn, where an order names none. */
  proposers: z.array(ProposerSettings).min(1).max(MAX_PROPOSERS).optional(),
  ...ACP_SETTINGS,
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export type OperatorEnvironment = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
};

/** An engine is its row. */
const ROWS = {
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
} as const satisfies Record<string, AgentCli>;
export type AgentName = keyof typeof ROWS;
export const AGENT_CLIS: Readonly<Record<AgentName, AgentCli>> = ROWS;

const isAgentName = (name: string): name is AgentName => Object.hasOwn(AGENT_CLIS, name);
export const AGENT_NAMES: readonly AgentName[] = Object.keys(AGENT_CLIS).filter(isAgentName);
/** A `script` is any command of the operator; it gets no secrets. */
export type ConfiguredEngineName = 'script' | AgentName;
export const ENGINE_NAMES: readonly ConfiguredEngineName[] = ['script', ...AGENT_NAMES];
export const isAgentEngine = (name: ConfiguredEngineName): name is AgentName => name !== 'script';

export const PROPOSING_ENGINES: readonly AgentName[] = AGENT_NAMES.filter(
  (name) => AGENT_CLIS[name].takesProposers === true,
);

export const AgentsSettings = z
  .partialRecord(z.enum(AGENT_NAMES), AgentSettings)
  .refine(
    (all) =>
      AGENT_NAMES.every((name) => all[name]?.proposers === undefined || PROPOSING_ENGINES.includes(name)),
    `proposers: only ${PROPOSING_ENGINES.join(', ')} has them`,
  )
  .refine(
    (all) =>
      AGENT_NAMES.every(
        (name) =>
          name === 'acp' ||
          [all[name]?.mode, all[name]?.setAside, all[name]?.variables].every((one) => one === undefined),
      ),
    'mode, setAside and variables: only acp has them',
  );
export type AgentsSettings = z.infer<typeof AgentsSettings>;

export const NO_SETTINGS = AgentSettings.parse({});

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
