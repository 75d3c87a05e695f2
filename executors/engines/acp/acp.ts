/** Engines that speak the Agent Client Protocol and ask before they run a command. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ensureRealDirectory, placeFile } from '../../process/home-files.ts';
import { readModelArgument, opencodeCli, writeOpencodeSettings } from '../opencode/opencode.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { ANTHROPIC_ENDPOINT, OPENAI_ENDPOINT, findConfiguredProvider } from '../shared/provider-endpoints.ts';
import { findOptionValue, type CredentialNames } from '../shared/engine-credentials.ts';
import { converseAs } from './converse.ts';
import { defineAcpEngine, PLAIN_AGENT } from './define-acp-engine.ts';
import type { AcpSettings } from './acp-settings.ts';
import { resolveKnownAgent, removeLeftFiles } from './known-agents.ts';

const ACP_CREDENTIALS: CredentialNames = {
  plain: ['OPENAI_BASE_URL', 'OPENAI_MODEL', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
  keys: { openai: ['OPENAI_API_KEY'], anthropic: ['ANTHROPIC_API_KEY'] },
  provider: (_, env) => findConfiguredProvider(env),
  endpoints: { openai: OPENAI_ENDPOINT, anthropic: ANTHROPIC_ENDPOINT },
};

export const acpCli: AgentCli = defineAcpEngine({
  agent: PLAIN_AGENT,
  program: 'acp',
  readsInstructions: [],
  pictures: () => 'attached',
  tried: null,
  install: '',
  signInBy: '',
  page: {
    takeWhen: 'your agent speaks the Agent Client Protocol and has no engine of its own here',
    cannot: 'be known: how well it asks, resumes and counts is up to the agent',
    memory: 'its own',
    key: '`OPENAI_API_KEY` or `ANTHROPIC_API_KEY`; others by `env`',
    ownModel: '`OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL`, if the agent heeds them',
    settings: 'set aside, as far as they are known',
  },
  directory: '.agentpr-acp',
  signIn: 'auth.json',
  lends: ACP_CREDENTIALS,
  launch: ({ args, deps }) => ({ args, env: { ...deps.env } }),
});

/** The settings say what is particular to the operator's agent. */
export const createAcpCli = (settings: AcpSettings): AgentCli => {
  const known = resolveKnownAgent(settings);
  const converse = converseAs(known.agent);
  return {
    ...acpCli,
    ...(known.obeys.length > 0 ? { obeys: known.obeys } : {}),
    launch: ({ home, args, deps }) => {
      removeLeftFiles(home, known);
      const env = deps.env ?? {};
      return {
        args: [...known.args.filter((arg) => !args.includes(arg)), ...args],
        env: { ...env, ...known.variables(env) },
      };
    },
    converse: (talk) => converse({ ...talk, env: { ...talk.env, ...known.variables(talk.env) } }),
  };
};

/** Removes `-m`, because the model is set in its settings. */
export const removeModelOption = (args: readonly string[]): string[] =>
  args.filter(
    (arg, i) => !/^(?:-m.*|--model(?:=.*)?)$/.test(arg) && !/^(?:-m|--model)$/.test(args[i - 1] ?? ''),
  );

export const opencodeAcp: AgentCli = defineAcpEngine({
  ...opencodeCli,
  agent: { says: ['description'], mode: null },
  page: {
    ...opencodeCli.page,
    takeWhen: 'you want to be asked before opencode runs a command that is not known to be harmless',
    cannot: 'go on while you are asked: its turn ends, and is resumed when you answer',
    limits: 'before each request, with a key; with a sign-in by its own count, at the end of the turn',
    tokens: 'of the last request of each turn; behind the gateway of all',
    cost: 'never told; behind the gateway by its price list',
  },
  hidesCost: true,
  launch: (start) => {
    const model = readModelArgument(start.args);
    const named = model ? { model: `${model.provider}/${model.model}` } : {};
    return {
      args: ['acp', ...removeModelOption(start.args)],
      env: writeOpencodeSettings(start, {
        ...named,
        // The box limits what a command can reach; running it needs permission.
        permission: { bash: 'ask', external_directory: 'allow' },
        agent: { title: { disable: true } },
      }),
    };
  },
});

const QWEN_SETTINGS = {
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

const hasKey = (env: Readonly<Record<string, string>> = {}): boolean =>
  env.OPENAI_API_KEY !== undefined || env.OPENAI_BASE_URL !== undefined;

export const qwenCli: AgentCli = defineAcpEngine({
  // Its default mode lets its own model decide; “auto-edit” asks about commands.
  agent: { says: ['description'], mode: 'auto-edit' },
  program: 'qwen',
  readsInstructions: [],
  pictures: () => 'attached',
  tried: '0.24.4',
  install: 'npm i -g @qwen-code/qwen-code@0.24.4',
  signInBy: 'qwen, and there /auth',
  page: {
    takeWhen: 'you have a model of Qwen, or one of your own, and want to be asked before it runs a command',
    cannot: 'go on while you are asked: its turn ends, and is resumed when you answer',
    memory: 'about 240 MB',
    key: '`OPENAI_API_KEY`',
    ownModel: '`OPENAI_BASE_URL`, with `-m <model>`',
    settings: 'set aside; refused without a box',
  },
  directory: '.qwen',
  signIn: 'oauth_creds.json',
  lends: {
    plain: ['OPENAI_BASE_URL', 'OPENAI_MODEL'],
    keys: { openai: ['OPENAI_API_KEY'] },
    provider: () => 'openai',
    hosts: ['chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com'],
    endpoints: { openai: OPENAI_ENDPOINT },
  },
  modelIn: (args, env) => findOptionValue(args, '-m', '--model') ?? env.OPENAI_MODEL ?? null,
  obeys: ['.qwen'],
  launch: ({ home, args, deps }) => {
    // The next round would run files that an agent left there.
    for (const left of ['settings.json', 'extensions', 'skills', 'commands', 'hooks', 'agents'])
      rmSync(path.join(home, '.qwen', left), { recursive: true, force: true });
    placeFile(ensureRealDirectory(home, '.qwen'), 'settings.json', JSON.stringify(QWEN_SETTINGS));
    const model = findOptionValue(args, '-m', '--model');
    return {
      args: ['--acp', '--safe-mode', '--auth-type', hasKey(deps.env) ? 'openai' : 'qwen-oauth', ...args],
      env: { ...deps.env, ...(model === null ? {} : { OPENAI_MODEL: model }) },
    };
  },
});
