/** Engine `codex`: OpenAI's coding agent, as `codex exec`. */
import { childEnvironment } from '../../process/box-environment.ts';
import { toCodexFailure, applyCodexEvent } from './events.ts';
import type { AgentDeps, AgentCli } from '../shared/agent-cli.ts';
import { errorLineSuffix, createDetailedFailure } from '../shared/engine-failure.ts';
import { placeFile } from '../../process/home-files.ts';
import { findOptionValue, type CredentialNames } from '../shared/engine-credentials.ts';
import { renderReportSchema } from '../shared/agent-report.ts';
import { findRolloutUsage } from './rollout-usage.ts';
import { MINUTE } from '#model/values';

const CODEX_CREDENTIALS: CredentialNames = {
  plain: ['OPENAI_BASE_URL'],
  keys: { openai: ['CODEX_API_KEY', 'OPENAI_API_KEY'] },
  provider: () => 'openai',
  hosts: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
  endpoints: {
    openai: {
      shapes: ['openai'],
      usual: 'https://api.openai.com/v1',
      variable: 'OPENAI_BASE_URL',
      keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    },
  },
};

/** It has no timeout of its own before the model answers (ms). */
const CODEX_SILENCE_LIMITS = { first: MINUTE, between: 10 * MINUTE, command: 60 * MINUTE };

/** JSON strings are valid TOML. */
const toTomlString = (value: string): string => JSON.stringify(value);
const toTomlTable = (values: Readonly<Record<string, string>>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${name}=${toTomlString(value)}`)
    .join(',')}}`;

/** Waiting outside is free, so retries are few. */
const providerSettings = (baseUrl: string | undefined): string[] => [
  'model_provider="agentpr"',
  'model_providers.agentpr.name="OpenAI"',
  'model_providers.agentpr.wire_api="responses"',
  'model_providers.agentpr.requires_openai_auth=true',
  'model_providers.agentpr.request_max_retries=2',
  'model_providers.agentpr.stream_max_retries=2',
  ...(baseUrl === undefined ? [] : [`model_providers.agentpr.base_url=${toTomlString(baseUrl)}`]),
];

/** Commands do not get the key. Login shells would lose the PATH. */
const commandSettings = (home: string, { tools, pass }: AgentDeps): string[] => {
  const {
    PATH: _path,
    HOME: _home,
    TMPDIR: _tmp,
    ...rest
  } = childEnvironment({
    home,
    tools: tools ?? [],
    pass: pass ?? {},
  });
  return [
    'shell_environment_policy.inherit="core"',
    `shell_environment_policy.set=${toTomlTable(rest)}`,
    'allow_login_shell=false',
  ];
};

/** The default of codex 0.169.0. */
const USUAL_MODEL = 'gpt-6.1-sol';
const NAMES_OTHERS = /^(?:-p|--profile|--oss|--local-provider)\b|^(?:profile|model_provider)\s*=/;

const modelIn: AgentCli['modelIn'] = (args) => {
  const named = findOptionValue(args, '-m', '--model');
  if (named !== null) return named;
  const settings = args.flatMap((arg, i) =>
    arg.startsWith('--config=')
      ? [arg.slice('--config='.length)]
      : ['-c', '--config'].includes(args[i - 1] ?? '')
        ? [arg]
        : [],
  );
  if ([...args, ...settings].some((arg) => NAMES_OTHERS.test(arg))) return null;
  const set = settings
    .map((setting) => /^model\s*=\s*["']?([^"']*)["']?$/.exec(setting)?.[1])
    .findLast(Boolean);
  return set ?? USUAL_MODEL;
};

const launch: AgentCli['launch'] = ({ home, directory, level, writes, session, args, picture, deps }) => {
  const schema = placeFile(directory, 'agentpr-report.json', renderReportSchema());
  const env = deps.env ?? {};
  const { OPENAI_API_KEY: other, ...own } = env;
  const key = env.CODEX_API_KEY ?? other;
  // Our box does not permit codex's own sandbox inside.
  const sandbox =
    level === 'group'
      ? ['--sandbox', writes === 'change' ? 'workspace-write' : 'read-only']
      : ['--dangerously-bypass-approvals-and-sandbox'];
  const settings = [
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    // The provider would search by itself, which the gateway refuses (E18).
    'web_search="disabled"',
    'approval_policy="never"',
    ...providerSettings(env.OPENAI_BASE_URL),
    ...commandSettings(home, deps),
  ];
  return {
    args: [
      ...['exec', '--json', '--skip-git-repo-check', '--ignore-user-config', '--ignore-rules', ...sandbox],
      ...['--output-schema', schema],
      ...(picture === null || session !== null ? [] : [`--image=${picture}`]),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...args,
      ...(session === null ? [] : ['resume', session.id]),
      '-',
    ],
    env: { ...own, ...(key === undefined ? {} : { CODEX_API_KEY: key }), CODEX_HOME: directory },
  };
};

const explain: AgentCli['explain'] = (end) => {
  if (/no rollout found/i.test(end.stderr))
    return createDetailedFailure(
      'session_lost',
      `Codex does not know this conversation any more${errorLineSuffix(end)}`,
      { kind: 'conversation_unknown', program: 'codex', says: errorLineSuffix(end).replace(/^: /, '') },
    );
  if (end.exitCode === 2 || /^Error loading config|^Error: Model provider .* not found/m.test(end.stderr))
    return createDetailedFailure('bad_config', `Codex refused how it was started${errorLineSuffix(end)}`, {
      kind: 'engine_arguments_refused',
      program: 'codex',
      says: errorLineSuffix(end).replace(/^: /, ''),
    });
  if (end.exitCode !== 1) return null;
  const found = toCodexFailure(end.stderr.slice(-4000));
  return found.class === 'crashed'
    ? null
    : { ...found, message: `Codex could not start${errorLineSuffix(end)}` };
};

export const codexCli: AgentCli = {
  program: 'codex',
  // The override replaces the other file.
  readsInstructions: ['AGENTS.override.md', 'AGENTS.md'],
  hasReportForm: true,
  pictures: () => 'attached',
  commands: ({ level }) => (level === 'group' ? 'offline' : 'online'),
  coAuthor: 'Codex <noreply@openai.com>',
  tried: '0.169.0',
  install: 'npm i -g @openai/codex@0.169.0',
  signInBy: 'codex login',
  page: {
    takeWhen:
      'you have a key or a plan of OpenAI, or a server of your own that speaks its protocol; the lightest, and the quickest to start',
    cannot: 'tell what it cost: with a sign-in, only tokens can be limited',
    limits: 'before each request, with a key; with a sign-in by its own count, of tokens alone',
    memory: 'about 200 MB',
    key: '`CODEX_API_KEY` or `OPENAI_API_KEY`',
    ownModel: '`OPENAI_BASE_URL`',
    resumedBy: 'thread',
    tokens: 'total of the thread, less what was there before',
    cost: 'never told',
    readsLent: 'a key is not lent; a sign-in: yes, in its file',
    settings: 'set aside',
  },
  directory: '.codex',
  signIn: 'auth.json',
  lends: CODEX_CREDENTIALS,
  modelIn,
  usualModel: USUAL_MODEL,
  hidesCost: true,
  silence: CODEX_SILENCE_LIMITS,
  launch,
  look: ({ directory, session }) => findRolloutUsage(directory, session),
  read: applyCodexEvent,
  explain,
};
