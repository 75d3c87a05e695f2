/** Engine `aider`: runs `aider --message-file`, which has no shell. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findAiderFailure, createTextLineSplitter, applyAiderEvent } from './read-output.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { errorLineSuffix, engineFailure, createDetailedFailure } from '../shared/engine-failure.ts';
import { placeFile } from '../../process/home-files.ts';
import { findFullModelName, findOptionValue, type CredentialNames } from '../shared/engine-credentials.ts';
import { MINUTE } from '#model/values';

const AIDER_CREDENTIALS: CredentialNames = {
  plain: ['OPENAI_API_BASE', 'AIDER_MODEL'],
  keys: {
    openai: ['OPENAI_API_KEY'],
    anthropic: ['ANTHROPIC_API_KEY'],
    openrouter: ['OPENROUTER_API_KEY'],
    gemini: ['GEMINI_API_KEY'],
    deepseek: ['DEEPSEEK_API_KEY'],
  },
  hosts: [
    ...['api.openai.com', 'api.anthropic.com', 'openrouter.ai', 'api.deepseek.com'],
    'generativelanguage.googleapis.com',
  ],
  endpoints: {
    openai: {
      shapes: ['openai'],
      usual: 'https://api.openai.com/v1',
      variable: 'OPENAI_API_BASE',
      keys: ['OPENAI_API_KEY'],
    },
    anthropic: {
      shapes: ['anthropic'],
      usual: 'https://api.anthropic.com/v1',
      variable: 'ANTHROPIC_API_BASE',
      bare: '/v1',
      keys: ['ANTHROPIC_API_KEY'],
    },
  },
  provider: (args, env) => {
    const short = args.findLast(
      (arg) => PROVIDER_BY_SHORT_NAME.some(([names]) => names.test(arg.slice(2))) && /^--\w/.test(arg),
    );
    const model = findOptionValue(args, '--model') ?? short?.slice(2) ?? env.AIDER_MODEL ?? null;
    if (model === null) return null;
    return (
      /^([\w.-]+)\//.exec(model)?.[1] ??
      PROVIDER_BY_SHORT_NAME.find(([names]) => names.test(model))?.[1] ??
      null
    );
  },
};
const PROVIDER_BY_SHORT_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(?:claude|sonnet|opus|haiku)/, 'anthropic'],
  [/^(?:gpt|chatgpt|codex|o\d|4o?\b|4-turbo|35turbo|mini$)/, 'openai'],
  [/^(?:gemini|flash)/, 'gemini'],
  [/^(?:deepseek|r1$)/, 'deepseek'],
];

/** Answers are not streamed (ms). */
const AIDER_SILENCE_LIMITS = { first: 5 * MINUTE, between: 15 * MINUTE };

/** E11: these settings name commands to run and the server that gets the key. */
const AIDER_OBEYED_FILES = [
  '.aider.conf.yml',
  '.aider.model.settings.yml',
  '.aider.model.metadata.json',
  '.env',
];
const HISTORY = 'history.md';

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

const refuse: AgentCli['refuse'] = ({ directory, session }) => {
  if (session !== null && !isThere(path.join(directory, HISTORY)))
    return engineFailure('session_lost', 'The history of this conversation with aider is gone.');
  return null;
};

/** Its index of the repository is not part of the change. */
const listIndexFiles = (workspace: string): string[] =>
  readdirSync(workspace).filter((name) => name.startsWith('.aider.tags.cache.'));

const AIDER_QUIET_ARGS = [
  '--yes-always',
  '--no-stream',
  '--no-pretty',
  '--no-fancy-input',
  '--no-check-update',
  '--no-show-release-notes',
  '--no-show-model-warnings',
  '--analytics-disable',
  '--no-detect-urls',
];
/** These options override the repository's settings. */
const AIDER_BINDING_ARGS = [
  '--no-auto-commits',
  '--no-dirty-commits',
  '--no-gitignore',
  '--no-auto-lint',
  '--no-auto-test',
  '--no-suggest-shell-commands',
];

const AIDER_ENV = {
  // It writes a name of its own into the repository's settings where there is none.
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'user.name',
  GIT_CONFIG_VALUE_0: 'aider',
  GIT_CONFIG_KEY_1: 'user.email',
  GIT_CONFIG_VALUE_1: 'aider@aider.chat',
  // To say yes to everything is to open every address that a provider's error names.
  BROWSER: 'true',
};

/** A message that begins so is a command of aider, or of the shell. */
const plainMessage = (prompt: string): string => (/^[/!]/.test(prompt) ? `\n${prompt}` : prompt);

const launch: AgentCli['launch'] = ({ workspace, home, directory, writes, session, prompt, args, deps }) => {
  for (const name of AIDER_OBEYED_FILES) rmSync(path.join(home, name), { recursive: true, force: true });
  const history = path.join(directory, HISTORY);
  if (session === null) rmSync(history, { recursive: true, force: true });
  const before = new Set(listIndexFiles(workspace));
  return {
    args: [
      ...['--message-file', placeFile(directory, 'prompt.md', plainMessage(prompt))],
      ...AIDER_QUIET_ARGS,
      ...AIDER_BINDING_ARGS,
      // It would make a repository where there is none.
      ...(isThere(path.join(workspace, '.git')) ? [] : ['--no-git']),
      ...['--chat-history-file', history, '--input-history-file', path.join(directory, 'input.history')],
      ...(session === null ? [] : ['--restore-chat-history']),
      ...(writes === 'nothing' ? ['--chat-mode', 'ask'] : []),
      ...args,
    ],
    env: { ...deps.env, ...AIDER_ENV },
    cleanUp: () => {
      for (const name of listIndexFiles(workspace))
        if (!before.has(name)) rmSync(path.join(workspace, name), { recursive: true, force: true });
    },
  };
};

const explain: AgentCli['explain'] = (end) => {
  if (end.exitCode === 2 || /error: (unrecognized arguments|argument )/i.test(end.stderr))
    return createDetailedFailure('bad_config', `aider refused how it was started${errorLineSuffix(end)}`, {
      kind: 'engine_arguments_refused',
      program: 'aider',
      says: errorLineSuffix(end).replace(/^: /, ''),
    });
  const found = end.stderr
    .slice(-64_000)
    .split('\n')
    .map(findAiderFailure)
    .find((line) => line !== null);
  return found ?? null;
};

export const aiderCli: AgentCli = {
  program: 'aider',
  readsInstructions: [],
  commands: () => 'none',
  coAuthor: 'aider <aider@aider.chat>',
  tried: null,
  install: 'pipx install aider-chat',
  signInBy: 'aider --model openrouter/auto',
  page: {
    takeWhen: 'you want an agent that can run nothing at all',
    cannot: 'run commands or tests: it learns of failing checks in its next round',
    limits: 'before each request, with a key; with a sign-in by its own count, as printed',
    memory: 'not measured',
    key: 'the key of the model’s provider',
    ownModel: '`OPENAI_API_BASE`, and `args: ["--model", "openai/<model>"]`',
    resumedBy: 'its chat history in the run’s HOME',
    tokens: 'sum of the `Tokens:` lines, rounded as printed',
    cost: 'told when the model’s price is known, else 0',
    readsLent: 'it runs none',
    settings: 'set aside, `.env` too; refused without a box',
  },
  directory: '.aider',
  signIn: 'oauth-keys.env',
  lends: AIDER_CREDENTIALS,
  modelIn: (args, env) => findFullModelName(findOptionValue(args, '--model') ?? env.AIDER_MODEL),
  silence: AIDER_SILENCE_LIMITS,
  obeys: AIDER_OBEYED_FILES,
  refuse,
  launch,
  createLines: createTextLineSplitter,
  read: applyAiderEvent,
  explain,
};
