/** The engines of this version, made from the operator's settings and environment. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Executor } from '../../orchestrator/ports.ts';
import { AIDER_ENVIRONMENT, aider } from './aider.ts';
import { CLAUDE_ENVIRONMENT, claude } from './claude.ts';
import { CODEX_ENVIRONMENT, codex } from './codex.ts';
import { createAgentExecutor, type Dialect } from './engine.ts';
import type { Silence } from './clocks.ts';
import type { EngineDeps } from './contained.ts';
import { OPENCODE_ENVIRONMENT, opencode } from './opencode.ts';
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
  /** How long it may print nothing: at first, and later on; each engine has times of its own for what is left out. */
  firstEventSeconds: z.number().positive().optional(),
  silentMinutes: z.number().positive().optional(),
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

export type AgentName = 'codex' | 'claude' | 'opencode' | 'aider';
export const AGENTS: Readonly<Record<AgentName, { dialect: Dialect; sees: readonly string[] }>> = {
  codex: { dialect: codex, sees: CODEX_ENVIRONMENT },
  claude: { dialect: claude, sees: CLAUDE_ENVIRONMENT },
  opencode: { dialect: opencode, sees: OPENCODE_ENVIRONMENT },
  aider: { dialect: aider, sees: AIDER_ENVIRONMENT },
};
export type AgentsSettings = { readonly [name in AgentName]?: AgentSettings | undefined };

export const NO_SETTINGS = AgentSettings.parse({});

/** What one agent gets from its operator. A key that was given is used instead of a sign-in that happens to lie about. */
export const lentTo = (
  name: AgentName,
  settings: AgentSettings,
  operator: Operator,
): { env: Record<string, string>; keys: string[]; authFile: string | undefined; usual: string } => {
  const { dialect, sees } = AGENTS[name];
  const env = Object.fromEntries(
    [...sees, ...settings.env].flatMap((variable) => {
      const value = operator.env[variable];
      return value === undefined || value === '' ? [] : [[variable, value]];
    }),
  );
  const keys = Object.keys(env).filter(isSecret);
  const usual = path.join(operator.home, dialect.usualSignIn ?? path.join(dialect.directory, dialect.signIn));
  const found = keys.length === 0 && existsSync(usual) ? usual : undefined;
  return { env, keys, authFile: settings.authFile ?? found, usual };
};

const silenceOf = ({ firstEventSeconds, silentMinutes }: AgentSettings): Partial<Silence> => {
  const first = firstEventSeconds === undefined ? {} : { first: firstEventSeconds * 1_000 };
  const ms = (silentMinutes ?? 0) * 60_000;
  return silentMinutes === undefined ? first : { ...first, between: ms, command: ms };
};

export const createEngines = (
  deps: EngineDeps,
  operator: Operator,
  settings: AgentsSettings = {},
): Record<'script' | AgentName, Executor> => {
  const agent = (name: AgentName): Executor => {
    const own = settings[name] ?? NO_SETTINGS;
    const { env, authFile } = lentTo(name, own, operator);
    const { command, args } = own;
    const { PATH } = operator.env;
    const silence = silenceOf(own);
    return createAgentExecutor(AGENTS[name].dialect, {
      ...{ ...deps, command, args, path: PATH, authFile, env, silence },
    });
  };
  return {
    script: createScriptExecutor(deps),
    codex: agent('codex'),
    claude: agent('claude'),
    opencode: agent('opencode'),
    aider: agent('aider'),
  };
};
