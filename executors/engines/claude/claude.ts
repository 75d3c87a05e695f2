/** Engine `claude`: Anthropic's coding agent, as `claude -p`. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Containment } from '../../../orchestrator/core/facts.ts';
import { readClaude } from './events.ts';
import type { Dialect } from '../shared/dialect.ts';
import { complaint, failure } from '../shared/failure.ts';
import { fullModelName, optionIn, type Lending } from '../shared/lending.ts';
import { reportSchema } from '../shared/report.ts';
import { MINUTE } from '../../../orchestrator/core/units.ts';

/** What of the operator's environment this engine may see. */
const LENDS: Lending = {
  plain: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
  keys: { anthropic: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'] },
  provider: () => 'anthropic',
  hosts: ['api.anthropic.com', 'claude.ai', 'console.anthropic.com', 'platform.claude.com'],
  endpoints: {
    anthropic: {
      shapes: ['anthropic'],
      usual: 'https://api.anthropic.com/v1',
      variable: 'ANTHROPIC_BASE_URL',
      bare: true,
      keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    },
  },
};

/**
 * E11: no settings, hooks or servers of the repository are loaded, and none that a command of an
 * earlier round left in the run's HOME.
 */
const CLOSED = ['--setting-sources', '', '--strict-mcp-config'];

/** No schedules, worktrees, messages or web: an agent reads, edits and runs commands. */
export const CHANGING = 'Bash,Read,Edit,Write,NotebookEdit,Glob,Grep,Task';
export const LOOKING = 'Bash,Read,Glob,Grep,Task';

/**
 * In a box everything is allowed, because the box is the border. Without one, a round that only
 * looks gets no shell.
 */
const permissions = (level: Containment, writes: 'change' | 'nothing'): string[] => {
  if (level !== 'group')
    return ['--dangerously-skip-permissions', '--tools', writes === 'change' ? CHANGING : LOOKING];
  return writes === 'change'
    ? ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', '--tools', CHANGING]
    : ['--permission-mode', 'dontAsk', '--tools', 'Read,Glob,Grep'];
};

/** Its own clocks below come first; this is for when they fail. A command may run long. */
const SILENCE = { first: MINUTE, between: 20 * MINUTE, command: 60 * MINUTE };
/** Retries and silences are short: waiting is done outside, where it costs nothing. Times in ms. */
const BOUNDS: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '2',
  API_TIMEOUT_MS: String(5 * MINUTE),
  CLAUDE_ENABLE_STREAM_WATCHDOG: '1',
  CLAUDE_STREAM_IDLE_TIMEOUT_MS: String(3 * MINUTE),
  CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(3 * MINUTE),
};
const QUIET: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
};

/** `may` says which tools it has, and what of them it asks about. */
export const launchedAs =
  (may: typeof permissions): Dialect['launch'] =>
  ({ home, directory, level, writes, session, args, deps }) => ({
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose', ...CLOSED, ...may(level, writes)],
      ...['--json-schema', reportSchema()],
      ...(session === null ? ['--session-id', randomUUID()] : ['--resume', session.id]),
      ...args,
    ],
    env: {
      ...BOUNDS,
      ...QUIET,
      ...deps.env,
      CLAUDE_CONFIG_DIR: directory,
      // As root it would refuse to skip its questions; without a box there is no /tmp of the run's
      // own.
      ...(level === 'group' ? { CLAUDE_CODE_TMPDIR: path.join(home, '.tmp') } : { IS_SANDBOX: '1' }),
    },
  });

const explain: Dialect['explain'] = (end) => {
  if (/no conversation found/i.test(end.stderr))
    return failure('session_lost', `Claude does not know this conversation any more${complaint(end)}`);
  if (end.exitCode === 1 && end.stdout === '' && /^error:|cannot be used/im.test(end.stderr))
    return failure('bad_config', `Claude refused how it was started${complaint(end)}`);
  return null;
};

export const claude: Dialect = {
  program: 'claude',
  readsInstructions: [],
  hasReportForm: true,
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
  lends: LENDS,
  modelIn: (args, env) => fullModelName(optionIn(args, '--model') ?? env.ANTHROPIC_MODEL),
  silence: SILENCE,
  launch: launchedAs(permissions),
  read: readClaude,
  explain,
};
