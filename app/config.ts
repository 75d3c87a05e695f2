/** Configuration (O3): one zod schema over the environment and an optional agentpr.config.json. Unknown keys are refused. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { misspelt } from './config-names.ts';
import { DEFAULT_LIMITS } from '../executors/sandbox/caps.ts';
import { DEFAULT_MIRROR_LIMITS } from '../executors/git/mirror-room.ts';
import {
  AgentsSettings,
  ENGINE_NAMES,
  type EngineName,
  type Operator,
} from '../executors/engines/engines.ts';
import { passable } from '../executors/process/environment.ts';
import { Bounds } from '../orchestrator/core/bounds.ts';
import { PolicySettings } from '../orchestrator/core/policy-settings.ts';
import { SHORTEST_SECRET } from '../webhooks/verify.ts';

const port = z.coerce.number('must be a port number').int().min(0).max(65_535);
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((v) => (v === '' ? undefined : v), schema.optional());
const secret = z.string().refine((text) => text.trim().length >= SHORTEST_SECRET, {
  error: `must have at least ${SHORTEST_SECRET} characters; make one with \`openssl rand -hex 32\``,
});
const ids = z
  .string()
  .regex(/^\s*\d+([\s,]+\d+)*\s*$/, 'numeric Telegram ids, separated by commas')
  .transform((text) =>
    text
      .trim()
      .split(/[\s,]+/)
      .map(Number),
  )
  .refine((all) => all.every(Number.isSafeInteger), { error: 'numeric Telegram ids, separated by commas' });

/** The environment's names are fixed; `.env.example` lists and explains each. */
const Environment = z.object({
  TELEGRAM_BOT_TOKEN: z.string().min(1),
  TELEGRAM_API_ROOT: optional(z.url()),
  TELEGRAM_ADMIN_IDS: ids,
  GITHUB_TOKEN: z.string().min(1),
  GITHUB_API_URL: optional(z.url()),
  GITHUB_APP_ID: optional(z.string()),
  GITHUB_APP_PRIVATE_KEY: optional(z.string()),
  GITHUB_WEBHOOK_SECRET: optional(secret),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: optional(secret),
  AGENTPR_HTTP_HOST: optional(z.string()),
  AGENTPR_HTTP_PORT: optional(port),
  AGENTPR_PUBLIC_URL: optional(z.url({ protocol: /^https$/, error: 'must be an https address' })),
  AGENTPR_DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(z.string()),
  AGENTPR_ENGINE: optional(z.enum(ENGINE_NAMES)),
  AGENTPR_SANDBOX: optional(z.enum(['auto', 'bwrap', 'unshare', 'group'])),
  AGENTPR_LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])),
});
export const ENVIRONMENT_NAMES = Object.keys(Environment.shape);

const reach = z.enum(['shared', 'none']).default('shared');

const File = z.strictObject({
  /** The command of the `script` engine. */
  script: z.string().optional(),
  /** Sets both of the next two; each of them wins when it is given too. */
  maxParallelRunsPerDay: z.int().min(1).optional(),
  maxParallelRuns: z.int().min(1).optional(),
  maxRunsPerDay: z.int().min(1).optional(),
  /** The agents: their program, more arguments, more names of the environment. */
  engines: AgentsSettings.default({}),
  /** Directories of programs that agents and checks may use besides the system's, for example a toolchain's bin. */
  tools: z.array(z.string().startsWith('/')).default([]),
  /** Directories that agents and checks may read although they lie below something hidden. */
  readable: z.array(z.string().startsWith('/')).default([]),
  /** What one agent or check may use: memory and processes of its whole tree, and what workspace and HOME may hold. */
  sandboxLimits: z
    .strictObject({
      memoryMb: z.int().min(256).default(DEFAULT_LIMITS.memoryMb),
      processes: z.int().min(64).default(DEFAULT_LIMITS.processes),
      diskMb: z.int().min(16).default(DEFAULT_LIMITS.diskMb),
      /** A control group that is ours to divide, as a path below the top of the hierarchy. */
      controlGroup: z.string().startsWith('/').optional(),
    })
    .prefault({}),
  /** What may reach the network: scripts of the `script` engine, installations, checks. Agents need it for their models. */
  network: z.strictObject({ scripts: reach, installs: reach, checks: reach }).prefault({}),
  /** Copies of repositories that runs start from: how long an unused one is kept, and what all may take of the disk. */
  mirrors: z
    .strictObject({
      keepDays: z.int().min(1).default(DEFAULT_MIRROR_LIMITS.keepDays),
      diskMb: z.int().min(64).default(DEFAULT_MIRROR_LIMITS.diskMb),
    })
    .prefault({}),
  checkTimeoutMinutes: z.number().positive().default(20),
  author: z
    .strictObject({ name: z.string().min(1), email: z.email() })
    .default({ name: 'AgentPR', email: 'agentpr@users.noreply.github.com' }),
  bounds: Bounds.prefault({}),
  policies: PolicySettings.prefault({}),
});
/** What is given for both holds where nothing is given for one. */
const Settings = File.transform(({ maxParallelRunsPerDay: both, ...file }) => ({
  ...file,
  maxParallelRuns: file.maxParallelRuns ?? both ?? 3,
  maxRunsPerDay: file.maxRunsPerDay ?? both ?? 50,
}));
type Settings = z.infer<typeof Settings>;

export type Config = {
  telegram: { token: string; apiRoot: string; admins: number[] };
  github: { token: string; apiUrl: string; origin: string };
  http: { host: string; port: number; publicUrl: string | null };
  /** The secret, and the previous one while it is rotated; null when GitHub's webhooks are not taken. */
  webhooks: { secrets: string[] } | null;
  dataDir: string;
  engine: EngineName;
  sandbox: 'auto' | 'bwrap' | 'unshare' | 'group';
  logLevel: string;
  /** What of the operator's environment agents and checks may see: certificates, proxies, language. */
  pass: Record<string, string>;
  /** Where engines look for their keys, sign-ins and programs. */
  operator: Operator;
  file: Settings;
};

/** A configuration that cannot be used; the message names the variable or key and says what it should be. */
export class ConfigError extends Error {}

const explain = (error: z.ZodError, where: string): string =>
  error.issues
    .map((issue) => {
      const name = issue.path.join('.') || where;
      const missing = issue.code === 'invalid_type' && /undefined/.test(issue.message);
      return missing ? `${name} is missing (${where}).` : `${name}: ${issue.message} (${where}).`;
    })
    .join('\n');

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Where repositories are cloned from and pushed to; the credential goes nowhere else (G5). */
const gitOrigin = (apiUrl: string): string => {
  const url = new URL(apiUrl);
  const loopback = LOOPBACK.includes(url.hostname);
  if (url.protocol !== 'https:' && !loopback)
    throw new ConfigError(`GITHUB_API_URL must be https: ${apiUrl}`);
  return url.hostname === 'api.github.com' ? 'https://github.com' : url.origin;
};

const botApi = (root: string): string => {
  const { protocol, hostname } = new URL(root);
  if (protocol !== 'https:' && !LOOPBACK.includes(hostname))
    throw new ConfigError(`TELEGRAM_API_ROOT must be https: ${root}`);
  return root.replace(/\/+$/, '');
};

/** F2: who can be reached from outside must be able to tell who calls. */
const webhooks = (e: z.infer<typeof Environment>): Config['webhooks'] => {
  const { GITHUB_WEBHOOK_SECRET: secret, GITHUB_WEBHOOK_SECRET_PREVIOUS: previous } = e;
  if (secret !== undefined) return { secrets: previous === undefined ? [secret] : [secret, previous] };
  if (previous !== undefined)
    throw new ConfigError(
      'GITHUB_WEBHOOK_SECRET_PREVIOUS needs GITHUB_WEBHOOK_SECRET: the one it gives way to.',
    );
  if (e.AGENTPR_PUBLIC_URL !== undefined)
    throw new ConfigError(
      'AGENTPR_PUBLIC_URL needs GITHUB_WEBHOOK_SECRET: whoever can be reached must know who calls. Make one with `openssl rand -hex 32`.',
    );
  return null;
};

/** Throws ConfigError for names that are none of ours and meant to be; `dotEnv` are those that the .env file gives. */
export const refuseMisspelt = (env: readonly string[], dotEnv: readonly string[]): void => {
  const wrong = misspelt({ env, dotEnv }, ENVIRONMENT_NAMES);
  if (wrong.length > 0)
    throw new ConfigError(`${wrong.join('\n')}\nThe settings are ${ENVIRONMENT_NAMES.join(', ')}.`);
};

/** Reads the configuration. `file` is the text of agentpr.config.json, or null. Throws ConfigError. */
export const readConfig = (
  env: Readonly<Record<string, string | undefined>>,
  file: string | null,
  cwd: string,
  dotEnv: readonly string[] = [],
): Config => {
  refuseMisspelt(Object.keys(env), dotEnv);
  const parsed = Environment.safeParse(env);
  if (!parsed.success) throw new ConfigError(explain(parsed.error, 'environment or .env'));
  const settings = readSettings(file);
  const e = parsed.data;
  const unbuilt = (['GITHUB_APP_ID', 'DATABASE_URL'] as const).filter((k) => e[k] !== undefined);
  if (unbuilt.length > 0)
    throw new ConfigError(`${unbuilt.join(', ')} cannot be used in this version; leave it empty.`);
  const apiUrl = (e.GITHUB_API_URL ?? 'https://api.github.com').replace(/\/+$/, '');
  return {
    telegram: {
      token: e.TELEGRAM_BOT_TOKEN,
      apiRoot: botApi(e.TELEGRAM_API_ROOT ?? 'https://api.telegram.org'),
      admins: e.TELEGRAM_ADMIN_IDS,
    },
    github: { token: e.GITHUB_TOKEN, apiUrl, origin: gitOrigin(apiUrl) },
    http: {
      host: e.AGENTPR_HTTP_HOST ?? '127.0.0.1',
      port: e.AGENTPR_HTTP_PORT ?? 8787,
      publicUrl: e.AGENTPR_PUBLIC_URL ?? null,
    },
    webhooks: webhooks(e),
    dataDir: resolve(cwd, e.AGENTPR_DATA_DIR ?? '.agentpr'),
    engine: e.AGENTPR_ENGINE ?? 'script',
    sandbox: e.AGENTPR_SANDBOX ?? 'bwrap',
    logLevel: e.AGENTPR_LOG_LEVEL ?? 'info',
    pass: passable(env),
    operator: { env, home: env.HOME ?? '/nonexistent' },
    file: settings,
  };
};

/** What agentpr.config.json says, without the environment. Throws ConfigError. */
export const readSettings = (text: string | null): Settings => {
  let json: unknown = {};
  try {
    if (text !== null) json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(
      `agentpr.config.json is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = Settings.safeParse(json);
  if (!parsed.success) throw new ConfigError(explain(parsed.error, 'agentpr.config.json'));
  return parsed.data;
};
