/** The engines of this version, made from the operator's settings and environment. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Executor } from '../../orchestrator/ports.ts';
import { CLAUDE_ENVIRONMENT, claude } from './claude.ts';
import { CODEX_ENVIRONMENT, codex } from './codex.ts';
import { createAgentExecutor, type Dialect } from './engine.ts';
import type { EngineDeps } from './contained.ts';
import { createScriptExecutor } from './script.ts';

/** G5: what the orchestrator alone may know. */
const OURS = /^(GITHUB|GH|TELEGRAM|AGENTPR|DATABASE)_/;

/** One agent in agentpr.config.json. */
export const AgentSettings = z.strictObject({
  /** Path or name of its program. */
  command: z.string().min(1).optional(),
  /** Arguments for every round, for example its model. */
  args: z.array(z.string()).default([]),
  /** Names of further environment variables that it may see, for example the key of another provider. */
  env: z.array(z.string().refine((name) => !OURS.test(name), 'an agent may not see that')).default([]),
  /** Its own sign-in, when it is not where the agent itself keeps it. */
  authFile: z.string().startsWith('/').optional(),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export type Operator = {
  env: Readonly<Record<string, string | undefined>>;
  /** Their home directory, where agents keep their sign-in. */
  home: string;
};

const isSecret = (name: string): boolean => /_(KEY|TOKEN)$/.test(name);

const createAgent = (
  dialect: Dialect,
  names: readonly string[],
  settings: AgentSettings,
  deps: EngineDeps,
  operator: Operator,
): Executor => {
  const env = Object.fromEntries(
    [...names, ...settings.env].flatMap((name) => {
      const value = operator.env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  // A key that was given is used instead of a sign-in that happens to lie about.
  const usual = path.join(operator.home, dialect.directory, dialect.signIn);
  const found = !Object.keys(env).some(isSecret) && existsSync(usual) ? usual : undefined;
  return createAgentExecutor(dialect, {
    ...deps,
    command: settings.command,
    args: settings.args,
    path: operator.env.PATH,
    authFile: settings.authFile ?? found,
    env,
  });
};

const NO_SETTINGS = AgentSettings.parse({});

export const createEngines = (
  deps: EngineDeps,
  operator: Operator,
  settings: { readonly codex?: AgentSettings | undefined; readonly claude?: AgentSettings | undefined } = {},
): Record<'script' | 'codex' | 'claude', Executor> => ({
  script: createScriptExecutor(deps),
  codex: createAgent(codex, CODEX_ENVIRONMENT, settings.codex ?? NO_SETTINGS, deps, operator),
  claude: createAgent(claude, CLAUDE_ENVIRONMENT, settings.claude ?? NO_SETTINGS, deps, operator),
});
