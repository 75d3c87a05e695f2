/** Engine `copilot`: GitHub's agent with a custom model, by the Agent Client Protocol. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ensureRealDirectory, placeFile } from '../../process/home-files.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { ANTHROPIC_ENDPOINT, OPENAI_ENDPOINT, findConfiguredProvider } from '../shared/provider-endpoints.ts';
import { findOptionValue } from '../shared/engine-credentials.ts';
import { defineAcpEngine } from './define-acp-engine.ts';
import { removeModelOption } from './acp.ts';

/** The box has a token in place of the key. */
const providerOf = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const type = findConfiguredProvider(env);
  if (type === null) return {};
  const name = type.toUpperCase();
  const usual = type === 'openai' ? OPENAI_ENDPOINT.usual : 'https://api.anthropic.com';
  const key = env[`${name}_API_KEY`];
  return {
    COPILOT_PROVIDER_TYPE: type,
    COPILOT_PROVIDER_BASE_URL: env[`${name}_BASE_URL`] ?? usual,
    ...(key === undefined ? {} : { COPILOT_PROVIDER_API_KEY: key }),
    // Offline mode: no telemetry, sign-in, GitHub services or updates.
    COPILOT_OFFLINE: 'true',
  };
};

const modelIn = (args: readonly string[], env: Readonly<Record<string, string>>): string | null =>
  findOptionValue(args, '-m', '--model') ??
  env[`${findConfiguredProvider(env)?.toUpperCase() ?? ''}_MODEL`] ??
  null;

/** The next round would load files that an agent left in HOME. */
const LEFT_BEHIND_FILES = [
  'settings.json',
  'config.json',
  'mcp-config.json',
  'hooks',
  'agents',
  'skills',
  'extensions',
  'installed-plugins',
];

/** E11: no option disables these settings of a repository. */
const COPILOT_OBEYED_FILES = [
  '.copilot',
  ...['agents', 'copilot', 'extensions', 'hooks', 'lsp.json', 'mcp.json', 'plugin', 'skills'].map(
    (name) => `.github/${name}`,
  ),
];
const COPILOT_SETTINGS = { disableAllHooks: true, ide: { autoConnect: false } };

export const copilotCli: AgentCli = defineAcpEngine({
  agent: { says: ['description', 'commands'], mode: null },
  program: 'copilot',
  pictures: () => 'attached',
  readsInstructions: [
    ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
    ...['.github/copilot-instructions.md', '.github/instructions/'],
  ],
  tried: '1.0.102',
  install: 'npm i -g @github/copilot@1.0.102',
  signInBy: 'none',
  page: {
    takeWhen:
      'you know GitHub’s agent and want it with a key or a model of your own; it asks before it runs a command',
    cannot:
      'use a subscription of GitHub: its sign-in is a token of GitHub, which no box is ever lent; go on while you are asked: its turn ends, and is resumed when you answer',
    memory: 'not measured',
    key: '`OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, with `-m <model>`',
    ownModel: '`OPENAI_BASE_URL` (chat completions) or `ANTHROPIC_BASE_URL`, with `-m <model>`',
    readsLent: 'a key is not lent',
    settings: 'set aside; refused without a box',
  },
  directory: '.copilot',
  signIn: 'auth.json',
  lends: {
    plain: ['OPENAI_BASE_URL', 'OPENAI_MODEL', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
    keys: { openai: ['OPENAI_API_KEY'], anthropic: ['ANTHROPIC_API_KEY'] },
    provider: (_, env) => findConfiguredProvider(env),
    endpoints: { openai: OPENAI_ENDPOINT, anthropic: ANTHROPIC_ENDPOINT },
  },
  modelIn,
  obeys: COPILOT_OBEYED_FILES,
  launch: ({ home, args, deps }) => {
    const directory = ensureRealDirectory(home, '.copilot');
    for (const left of LEFT_BEHIND_FILES)
      rmSync(path.join(directory, left), { recursive: true, force: true });
    placeFile(directory, 'settings.json', JSON.stringify(COPILOT_SETTINGS));
    const env = deps.env ?? {};
    const model = modelIn(args, env);
    return {
      args: ['--acp', '--no-auto-update', '--disable-builtin-mcps', ...removeModelOption(args)],
      env: { ...env, ...providerOf(env), ...(model === null ? {} : { COPILOT_MODEL: model }) },
    };
  },
});
