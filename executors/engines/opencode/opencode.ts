/** Engine `opencode`: the open coding agent, as `opencode run`. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ContainmentLevel } from '#model/evidence';
import { MINUTE } from '#model/values';
import type { AgentCli } from '../shared/agent-cli.ts';
import { errorLineSuffix, engineFailure, createDetailedFailure } from '../shared/engine-failure.ts';
import { ensureRealDirectory, placeFile } from '../../process/home-files.ts';
import { findOptionValue, type CredentialNames } from '../shared/engine-credentials.ts';
import { applyOpencodeEvent } from './events.ts';

const OPENCODE_CREDENTIALS: CredentialNames = {
  plain: ['OPENAI_BASE_URL'],
  keys: {
    opencode: ['OPENCODE_API_KEY'],
    openai: ['OPENAI_API_KEY'],
    anthropic: ['ANTHROPIC_API_KEY'],
    openrouter: ['OPENROUTER_API_KEY'],
  },
  // A custom endpoint serves every model, whatever its provider is called.
  provider: (args, env) =>
    env.OPENAI_BASE_URL === undefined ? (readModelArgument(args)?.provider ?? null) : 'openai',
  hosts: [
    ...['opencode.ai', 'models.dev', 'api.openai.com', 'auth.openai.com', 'chatgpt.com'],
    ...['api.anthropic.com', 'console.anthropic.com', 'openrouter.ai'],
  ],
  endpoints: {
    opencode: {
      shapes: ['openai', 'anthropic'],
      usual: 'https://opencode.ai/zen/v1',
      keys: ['OPENCODE_API_KEY'],
    },
    openai: {
      shapes: ['openai'],
      usual: 'https://api.openai.com/v1',
      variable: 'OPENAI_BASE_URL',
      keys: ['OPENAI_API_KEY'],
    },
    anthropic: {
      shapes: ['anthropic'],
      usual: 'https://api.anthropic.com/v1',
      keys: ['ANTHROPIC_API_KEY'],
    },
    openrouter: {
      shapes: ['openai'],
      usual: 'https://openrouter.ai/api/v1',
      keys: ['OPENROUTER_API_KEY'],
    },
  },
};

/** Retries print nothing, and a command is reported only at its end (ms). */
const OPENCODE_SILENCE_LIMITS = { first: 3 * MINUTE, between: 20 * MINUTE };

/** E11: opencode runs these in every mode, and no option disables that. */
const OPENCODE_OBEYED_FILES = ['.opencode', 'opencode.json', 'opencode.jsonc'];

export const readModelArgument = (args: readonly string[]): { provider: string; model: string } | null => {
  const given = findOptionValue(args, '-m', '--model');
  const [, provider, model] = /^([^/]+)\/(.+)$/s.exec(given ?? '') ?? [];
  return provider === undefined || model === undefined ? null : { provider, model };
};

/** The key is referenced, not written. */
const endpointSettings = (args: readonly string[], env: Readonly<Record<string, string>>): object => {
  const chosen = readModelArgument(args);
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key } = env;
  if (baseURL === undefined) return {};
  const options = { baseURL, ...(key === undefined ? {} : { apiKey: '{env:OPENAI_API_KEY}' }) };
  const bounds = { headerTimeout: 5 * MINUTE, chunkTimeout: 3 * MINUTE };
  if (chosen === null)
    return { enabled_providers: ['openai'], provider: { openai: { options: { ...options, ...bounds } } } };
  const { provider, model } = chosen;
  return {
    enabled_providers: [provider],
    small_model: `${provider}/${model}`,
    provider: {
      [provider]: {
        npm: '@ai-sdk/openai-compatible',
        name: provider,
        options: { ...options, ...bounds },
        models: { [model]: { name: model } },
      },
    },
  };
};

const byWay = ({ provider, url }: { provider: string; url: string }): object => ({
  enabled_providers: [provider],
  provider: {
    [provider]: { options: { baseURL: `${url}/v1`, headerTimeout: 5 * MINUTE, chunkTimeout: 3 * MINUTE } },
  },
});

/** The box is the boundary, so all is allowed there. */
const permissionSettings = (level: ContainmentLevel, writes: 'change' | 'nothing'): object => ({
  question: 'deny',
  webfetch: 'deny',
  websearch: 'deny',
  ...(writes === 'change' ? {} : { edit: 'deny' }),
  ...(level === 'group' && writes === 'nothing' ? { bash: 'deny', task: 'deny' } : {}),
  ...(level === 'group' ? { external_directory: 'deny' } : {}),
});

const OPENCODE_QUIET_ENV: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_SHARE: '1',
  OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: '1',
  OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
};

/** The next round would run files that an agent left there. */
const OPENCODE_SETTINGS_DIR = '.agentpr-opencode';

type Start = Pick<
  Parameters<AgentCli['launch']>[0],
  'home' | 'level' | 'writes' | 'args' | 'deps' | 'through'
>;
export const writeOpencodeSettings = (
  { home, level, writes, args, deps, through }: Start,
  more: { permission?: object } & Record<string, unknown> = {},
): Record<string, string> => {
  const { OPENAI_BASE_URL: address, ...rest } = deps.env ?? {};
  // Our gateway's address tells nothing about the models there.
  const isOwn = address !== undefined && through?.own !== false;
  const env: Readonly<Record<string, string>> = isOwn ? { ...rest, OPENAI_BASE_URL: address } : rest;
  for (const left of [OPENCODE_SETTINGS_DIR, '.opencode'])
    rmSync(path.join(home, left), { recursive: true, force: true });
  const settings = ensureRealDirectory(home, OPENCODE_SETTINGS_DIR);
  const config = {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    lsp: false,
    formatter: false,
    ...(through?.own === false ? byWay(through) : endpointSettings(args, env)),
    ...more,
    permission: { ...more.permission, ...permissionSettings(level, writes) },
  };
  const file = placeFile(settings, 'agentpr.json', JSON.stringify(config));
  return {
    ...OPENCODE_QUIET_ENV,
    ...(env.OPENAI_BASE_URL === undefined ? {} : { OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    ...env,
    OPENCODE_CONFIG: file,
    XDG_CONFIG_HOME: settings,
    // Agents cannot redirect a folder right below HOME by a link.
    XDG_DATA_HOME: home,
  };
};

const launch: AgentCli['launch'] = ({ session, picture, ...start }) => ({
  args: [
    'run',
    ...(picture === null || session !== null ? [] : ['--file', picture]),
    ...['--format', 'json', '--auto', '--title', 'AgentPR'],
    ...(session === null ? [] : ['--session', session.id]),
    ...start.args,
  ],
  env: writeOpencodeSettings(start),
});

const explain: AgentCli['explain'] = (end) => {
  if (/session not found/i.test(end.stderr))
    return createDetailedFailure(
      'session_lost',
      `opencode does not know this conversation any more${errorLineSuffix(end)}`,
      { kind: 'conversation_unknown', program: 'opencode', says: errorLineSuffix(end).replace(/^: /, '') },
    );
  if (/model not found|ProviderModelNotFoundError/i.test(end.stderr))
    return engineFailure('bad_config', `opencode does not know this model${errorLineSuffix(end)}`);
  // It prints only its help after wrong arguments.
  if (/^opencode run \[message/m.test(end.stderr))
    return engineFailure(
      'bad_config',
      'opencode did not understand its arguments and printed its help instead.',
    );
  if (/^error:.{0,300}configuration|config.{0,300} is not valid/im.test(end.stderr))
    return engineFailure('bad_config', `opencode refused its settings${errorLineSuffix(end)}`);
  return null;
};

const Providers = z.record(z.string(), z.unknown());
/** The file has the sign-ins of all providers. */
const signInOf: AgentCli['signInOf'] = (content, args) => {
  const provider = readModelArgument(args)?.provider;
  if (provider === undefined) return content;
  try {
    const own = Providers.parse(JSON.parse(content))[provider];
    return own === undefined ? '{}' : JSON.stringify({ [provider]: own });
  } catch {
    return content;
  }
};

export const opencodeCli: AgentCli = {
  program: 'opencode',
  readsInstructions: ['AGENTS.md'],
  pictures: () => 'attached',
  commands: ({ level, writes }) => (level === 'group' && writes === 'nothing' ? 'none' : 'online'),
  tried: '1.18.33',
  install: 'npm i -g opencode-ai@1.18.33',
  signInBy: 'opencode auth login',
  page: {
    takeWhen: 'you want another provider, or a model of your own by chat completions',
    cannot: 'tell of a command before it has ended; start within a second',
    limits: 'before each request, with a key; with a sign-in by its own count, after each step',
    memory: '600 to 1,300 MB',
    key: '`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `OPENROUTER_API_KEY`, `OPENCODE_API_KEY`',
    ownModel: '`OPENAI_BASE_URL`, with `-m own/<model>`',
    resumedBy: 'session',
    tokens: 'sum of the steps',
    cost: 'told when the model’s price is known, else 0',
    readsLent: 'a key is not lent; a sign-in: yes',
    settings: 'set aside; refused without a box',
  },
  directory: 'opencode',
  signIn: 'auth.json',
  usualSignIn: '.local/share/opencode/auth.json',
  lends: OPENCODE_CREDENTIALS,
  modelIn: (args) => findOptionValue(args, '-m', '--model'),
  signInOf,
  silence: OPENCODE_SILENCE_LIMITS,
  obeys: OPENCODE_OBEYED_FILES,
  launch,
  read: applyOpencodeEvent,
  explain,
};
