/** Engine `claude`: Anthropic's coding agent, as `claude -p`. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ContainmentLevel } from '#model/evidence';
import { MINUTE } from '#model/values';
import { converseByStreams } from './converse.ts';
import { applyClaudeEvent } from './events.ts';
import { applyPermissionEvent } from '../shared/answer-permission-requests.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { errorLineSuffix, createDetailedFailure } from '../shared/engine-failure.ts';
import { findFullModelName, findOptionValue, type CredentialNames } from '../shared/engine-credentials.ts';
import { renderReportSchema } from '../shared/agent-report.ts';

const CLAUDE_CREDENTIALS: CredentialNames = {
  plain: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
  keys: { anthropic: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'] },
  provider: () => 'anthropic',
  hosts: ['api.anthropic.com', 'claude.ai', 'console.anthropic.com', 'platform.claude.com'],
  endpoints: {
    anthropic: {
      shapes: ['anthropic'],
      usual: 'https://api.anthropic.com/v1',
      variable: 'ANTHROPIC_BASE_URL',
      bare: '/v1',
      keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    },
  },
};

/** E11: loads no settings, hooks or servers of the repository or of HOME. */
const ISOLATION_ARGS = ['--setting-sources', '', '--strict-mcp-config'];

export const EDITING_TOOLS = 'Bash,Read,Edit,Write,NotebookEdit,Glob,Grep,Task';
export const READING_TOOLS = 'Bash,Read,Glob,Grep,Task';

/** The box is the boundary; without one, a read-only round gets no shell. */
const permissionArguments = (level: ContainmentLevel, writes: 'change' | 'nothing'): string[] => {
  if (level !== 'group')
    return ['--dangerously-skip-permissions', '--tools', writes === 'change' ? EDITING_TOOLS : READING_TOOLS];
  return writes === 'change'
    ? ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', '--tools', EDITING_TOOLS]
    : ['--permission-mode', 'dontAsk', '--tools', 'Read,Glob,Grep'];
};

/** A backstop for its own limits below (ms). */
const CLAUDE_SILENCE_LIMITS = { first: MINUTE, between: 20 * MINUTE, command: 60 * MINUTE };
/** Waiting outside is free, so retries are few and timeouts short (ms). */
const CLAUDE_TIMEOUT_ENV: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '2',
  API_TIMEOUT_MS: String(5 * MINUTE),
  CLAUDE_ENABLE_STREAM_WATCHDOG: '1',
  CLAUDE_STREAM_IDLE_TIMEOUT_MS: String(3 * MINUTE),
  CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(3 * MINUTE),
};
const CLAUDE_QUIET_ENV: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
};

export const createClaudeLaunch =
  (may: typeof permissionArguments): AgentCli['launch'] =>
  ({ home, directory, level, writes, session, args, picture, deps }) => ({
    args: [
      // Its Read tool opens files of the workspace and of these directories.
      ...(picture === null ? [] : ['--add-dir', path.dirname(picture)]),
      ...['-p', '--input-format', 'stream-json', '--replay-user-messages'],
      ...['--output-format', 'stream-json', '--verbose', ...ISOLATION_ARGS, ...may(level, writes)],
      ...['--json-schema', renderReportSchema()],
      ...(session === null ? ['--session-id', randomUUID()] : ['--resume', session.id]),
      ...args,
    ],
    env: {
      ...CLAUDE_TIMEOUT_ENV,
      ...CLAUDE_QUIET_ENV,
      ...deps.env,
      CLAUDE_CONFIG_DIR: directory,
      // Root may not skip permissions otherwise.
      ...(level === 'group' ? { CLAUDE_CODE_TMPDIR: path.join(home, '.tmp') } : { IS_SANDBOX: '1' }),
    },
  });

const explain: AgentCli['explain'] = (end) => {
  if (/no conversation found/i.test(end.stderr))
    return createDetailedFailure(
      'session_lost',
      `Claude does not know this conversation any more${errorLineSuffix(end)}`,
      { kind: 'conversation_unknown', program: 'claude', says: errorLineSuffix(end).replace(/^: /, '') },
    );
  if (end.exitCode === 1 && end.stdout === '' && /^error:|cannot be used/im.test(end.stderr))
    return createDetailedFailure('bad_config', `Claude refused how it was started${errorLineSuffix(end)}`, {
      kind: 'engine_arguments_refused',
      program: 'claude',
      says: errorLineSuffix(end).replace(/^: /, ''),
    });
  return null;
};

const read: AgentCli['read'] = (before, heard) =>
  applyPermissionEvent({ ...before, says: null }, heard) ?? applyClaudeEvent(before, heard);

export const claudeCli: AgentCli = {
  program: 'claude',
  readsInstructions: [],
  hasReportForm: true,
  pictures: () => 'file',
  commands: ({ level, writes }) => (level === 'group' && writes === 'nothing' ? 'none' : 'online'),
  coAuthor: 'Claude <noreply@anthropic.com>',
  tried: '2.1.330',
  install: 'npm i -g @anthropic-ai/claude-code@2.1.330',
  signInBy: 'claude auth login',
  page: {
    takeWhen: 'you have a key or a plan of Anthropic; its report is held to its form by the program itself',
    cannot: 'tell by a sign-in what it used before its turn is over',
    limits: 'before each request, with a key; with a sign-in by its own count, at the end of the turn',
    memory: 'about 250 MB',
    key: '`ANTHROPIC_API_KEY` or a token',
    ownModel: '`ANTHROPIC_BASE_URL`',
    resumedBy: 'session',
    tokens: 'total of the session, less what was there before',
    cost: 'told',
    readsLent: 'a key is not lent; a sign-in: yes',
    settings: 'set aside',
  },
  directory: '.claude',
  signIn: '.credentials.json',
  lends: CLAUDE_CREDENTIALS,
  modelIn: (args, env) => findFullModelName(findOptionValue(args, '--model') ?? env.ANTHROPIC_MODEL),
  silence: CLAUDE_SILENCE_LIMITS,
  launch: createClaudeLaunch(permissionArguments),
  converse: converseByStreams,
  read,
  explain,
};
