/**
 * E4, E5, E7, E11, E12: the claude engine, by recordings of the real one and a program in its
 * place.
 */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCli } from '../../../executors/engines/claude/claude.ts';
import { BEST } from '../../support/agent-round.ts';
import { agentContract, createStage, type AgentKind } from '../../support/agent-contract.ts';
import { lines, recording, replay } from '../../support/replay-agent.ts';

const ID = 'c9ad8a95-a798-487f-93d1-985f260138a0';
const begun = { type: 'system', subtype: 'init', session_id: ID, model: 'claude-opus-5-5' };
const usage = {
  input_tokens: 1000,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 200,
  output_tokens: 80,
};
const result = (more: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  session_id: ID,
  total_cost_usd: 0.005,
  usage,
  ...more,
});
const synthetic = (error: string, text: string) => ({
  type: 'assistant',
  error,
  message: { id: 'm', content: [{ type: 'text', text }] },
});

const KIND: AgentKind = {
  name: 'claude',
  cli: claudeCli,
  directory: '.claude',
  signIn: '.credentials.json',
  begun,
  talk: { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Looking around.' }] } },
  done: (report) => [result({ result: JSON.stringify(report), structured_output: report })],
  words: (text) => [result({ result: text })],
  failed: [
    synthetic('rate_limit', 'API Error: Request rejected (429)'),
    result({ is_error: true, api_error_status: 429, result: 'API Error: Request rejected (429)' }),
  ],
  failure: 'rate_limited',
  session: ID,
  streams: true,
  picture: (file) => {
    const args = ['--add-dir', path.dirname(file)];
    return { fresh: args, resumed: args };
  },
  forged: {
    session: (id) => ({ ...begun, session_id: id }),
    used: (report, amount) => [
      result({
        result: JSON.stringify(report),
        structured_output: report,
        total_cost_usd: amount,
        usage: { ...usage, input_tokens: amount, output_tokens: amount },
      }),
    ],
  },
};
agentContract(KIND);

describe('recordings of the real claude', () => {
  it('E12: a turn that mended the tests is complete, with report, session, usage, model and progress', () => {
    const { reading, failure, told } = replay(claudeCli, recording('claude-fix-tests'));
    const spent = { inputTokens: 3600, outputTokens: 240, costUsd: 0.01692 };
    expect(failure).toBeNull();
    expect(reading).toMatchObject({
      session: { id: ID, usage: spent },
      usage: spent,
      model: 'claude-opus-5-5',
    });
    expect(reading.report).toMatchObject({ status: 'done', summary: 'Fixed sum' });
    expect(told).toEqual(["$ sed -i 's/a - b/a + b/' sum.js", '$ npm test']);
  });

  it('counts only what is new of a session that was resumed', () => {
    const spent = { inputTokens: 1200, outputTokens: 80, costUsd: 0.00564 };
    const all = {
      inputTokens: 3000,
      outputTokens: 240,
      cacheReadInputTokens: 600,
      cacheCreationInputTokens: 0,
    };
    const own = { ...usage, input_tokens: 2000, cache_read_input_tokens: 400, output_tokens: 160 };
    const ended = result({ result: 'x', usage: own, modelUsage: { model: all }, total_cost_usd: 0.01692 });
    const { reading } = replay(claudeCli, lines(begun, ended), { session: { id: ID, usage: spent } });
    expect(reading.usage).toEqual({ inputTokens: 2400, outputTokens: 160, costUsd: 0.01128 });
    expect(reading.session?.usage).toMatchObject({ inputTokens: 3600, costUsd: 0.01692 });
  });

  it.each([
    ['claude-auth-maxretries0', 1, 'auth_missing', /Invalid API key/],
    ['claude-maxbudget', 1, 'budget_exceeded', /maximum budget/],
    ['claude-disallowed-acceptEdits', 0, 'permission_denied', /denied: Bash\./],
  ])('E5: %s', (name, exitCode, of, message) => {
    const { failure, reading } = replay(claudeCli, recording(name), { end: { exitCode } });
    expect(failure).toMatchObject({ class: of, message: expect.stringMatching(message) as string });
    expect(reading.session).not.toBeNull();
  });

  it('counts a cut-off round by its messages, as part of its session', () => {
    const cut = recording('claude-fix-tests').split('\n').slice(0, -2).join('\n');
    const { failure, reading } = replay(claudeCli, cut);
    expect(failure).toMatchObject({ class: 'crashed' });
    expect(reading.usage).toMatchObject({ inputTokens: 3600 });
    expect(reading.session).toEqual({ id: ID, usage: reading.usage });
  });

  it.each([
    ['was stopped and noted what it had used', 3600],
    ['was killed and noted nothing', 2400],
  ])('E6: counts a round once after one that %s', (_, inputTokens) => {
    const cut = { inputTokens: 1200, outputTokens: 80, costUsd: 0 };
    const model = { inputTokens, outputTokens: 160, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
    const own = { ...usage, input_tokens: 2000, cache_read_input_tokens: 400, output_tokens: 160 };
    const stdout = lines(begun, result({ result: 'x', usage: own, modelUsage: { model } }));
    const { reading } = replay(claudeCli, stdout, { session: { id: ID, usage: cut } });
    expect(reading.usage).toMatchObject({ inputTokens: 2400, outputTokens: 160 });
    expect(reading.session?.usage.inputTokens).toBe(inputTokens);
  });
});

describe('C4: a question of claude', () => {
  const QUESTION = 'There are two parsers. Which of the two should I change?';
  const says = (id: string, ...content: object[]) => ({ type: 'assistant', message: { id, content } });
  const text = (words: string) => ({ type: 'text', text: words });
  const round = async (...events: object[]) => {
    const stage = await createStage(KIND, `say(${events.map((e) => JSON.stringify(e)).join(', ')});`);
    return stage.run();
  };
  const report = { status: 'blocked', summary: 'Waiting for an answer.', ran: [] };

  it('stays when claude itself asks its model for the report once more, and when none comes', async () => {
    const asked = says('m1', text(QUESTION));
    const nudged = { type: 'user', message: { content: 'You must call StructuredOutput.' } };
    const again = says('m2', text('I cannot end without an answer.'));
    const none = result({ subtype: 'error_max_structured_output_retries', is_error: true, result: null });
    const lost = await round(begun, asked, nudged, again, none);
    expect(lost.failure).toMatchObject({ class: 'invalid_output' });
    expect(lost.words).toContain(QUESTION);
    const called = says('m2', { type: 'tool_use', name: 'StructuredOutput', input: report });
    const reported = result({ result: JSON.stringify(report), structured_output: report });
    const done = await round(begun, asked, nudged, called, reported);
    expect(done).toMatchObject({ outcome: 'completed', summary: 'Waiting for an answer.', words: QUESTION });
  });

  it('is none where claude went on by itself', async () => {
    const works = says('m2', { type: 'tool_use', name: 'Bash', input: { command: 'npm test' } });
    const reported = result({ result: '', structured_output: report });
    expect((await round(begun, says('m1', text(QUESTION)), works, reported)).words).toBeUndefined();
  });
});

describe('E5: what claude says of a failed turn', () => {
  const api = (status: number | null, text: string, more = {}) =>
    result({ is_error: true, api_error_status: status, result: text, terminal_reason: 'api_error', ...more });
  it.each([
    [
      'no key',
      [synthetic('authentication_failed', 'Not logged in'), api(null, 'Not logged in')],
      'auth_missing',
    ],
    ['403', [api(403, 'Forbidden')], 'auth_missing'],
    [
      'no credit',
      [synthetic('billing_error', 'Credit balance is too low'), api(400, 'Credit')],
      'quota_exhausted',
    ],
    ['429', [synthetic('rate_limit', 'rejected'), api(429, 'rejected')], 'rate_limited'],
    [
      'too long',
      [synthetic('invalid_request', 'x'), api(400, 'x', { terminal_reason: 'prompt_too_long' })],
      'context_exceeded',
    ],
    ['no such model', [synthetic('model_not_found', 'x'), api(404, 'x')], 'bad_config'],
    ['529', [synthetic('server_error', 'Repeated 529'), api(529, 'Repeated 529')], 'model_unavailable'],
    [
      'reset',
      [synthetic('server_error', 'x'), api(null, 'Connection dropped (ECONNRESET)')],
      'model_unavailable',
    ],
    ['a word it has not said before', [synthetic('unknown', 'x'), api(500, 'x')], 'model_unavailable'],
    [
      'a limit that was overcome',
      [synthetic('rate_limit', 'x'), KIND.talk, api(500, 'Internal error')],
      'model_unavailable',
    ],
    ['turns', [result({ subtype: 'error_max_turns', is_error: true })], 'budget_exceeded'],
    [
      'reports',
      [result({ subtype: 'error_max_structured_output_retries', is_error: true })],
      'invalid_output',
    ],
    [
      'a lost session',
      [
        result({
          subtype: 'error_during_execution',
          is_error: true,
          errors: ['No conversation found with x'],
        }),
      ],
      'session_lost',
    ],
    ['an interrupt', [result({ subtype: 'error_during_execution', is_error: true })], 'crashed'],
  ])('%s', (_, events, of) => {
    expect(replay(claudeCli, lines(begun, ...events), { end: { exitCode: 1 } }).failure?.class).toBe(of);
    expect(replay(claudeCli, lines(begun, ...events), { end: { exitCode: 0 } }).failure?.class).toBe(of);
  });

  it('knows when a usage limit ends', () => {
    const info = { status: 'rejected', resetsAt: 1_800_000_000 };
    const stdout = lines(begun, { type: 'rate_limit_event', rate_limit_info: info }, ...KIND.failed);
    expect(replay(claudeCli, stdout, { end: { exitCode: 1 } }).failure).toMatchObject({
      class: 'rate_limited',
      retryAt: 1_800_000_000_000,
    });
  });

  it.each([
    [1, "error: unknown option '--nonsense'", 'bad_config'],
    [1, 'No conversation found with session ID: x', 'session_lost'],
    [143, '', 'crashed'],
  ])('exit code %d with %j and no event', (exitCode, stderr, of) => {
    expect(replay(claudeCli, '', { end: { exitCode, stderr, stdout: '' } }).failure?.class).toBe(of);
  });
});

describe('how claude is started', () => {
  const good = `say(${JSON.stringify(begun)}, ${JSON.stringify(KIND.done({ status: 'done', summary: 'x' })[0])});`;

  it.skipIf(BEST === 'group')(
    'E11: as the box is its border, without the settings of the repository, bounded, and with a schema',
    async () => {
      const { run, seen, at } = await createStage(
        KIND,
        good,
        () => ({
          env: { ANTHROPIC_API_KEY: 'sk-1' },
          args: ['--model', 'opus'],
        }),
        BEST,
      );
      await run({ engineArgs: ['--max-turns', '40'] });
      const { argv, env } = seen();
      const text = argv.join(' ');
      expect(text).toMatch(
        /^-p --input-format stream-json --replay-user-messages --output-format stream-json --verbose --setting-sources  --strict-mcp-config /,
      );
      expect(text).toContain('--dangerously-skip-permissions --tools Bash,Read,Edit,Write');
      expect(text).toMatch(/--session-id [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/);
      expect(argv.slice(-4)).toEqual(['--model', 'opus', '--max-turns', '40']);
      expect(JSON.parse(argv[argv.indexOf('--json-schema') + 1] ?? '')).toMatchObject({
        required: [
          'status',
          'summary',
          'ran',
          'what',
          'why',
          'tested',
          'type',
          'breaking',
          'issue',
          'note',
          'template',
          'replies',
        ],
      });
      expect(text).not.toContain('sk-1');
      expect(env).toMatchObject({
        ANTHROPIC_API_KEY: 'sk-1',
        CLAUDE_CONFIG_DIR: path.join(at.home, '.claude'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '2',
        CLAUDE_ENABLE_STREAM_WATCHDOG: '1',
        IS_SANDBOX: '1',
      });
    },
  );

  it.skipIf(BEST === 'group')(
    'resumes a session, and has no tools that edit in a round that may only look',
    async () => {
      const { run, seen } = await createStage(KIND, good, undefined, BEST);
      const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
      await run({ session: { id: ID, usage: spent }, writes: 'nothing' });
      const text = seen().argv.join(' ');
      expect(text).toContain(`--resume ${ID}`);
      expect(text).not.toMatch(/--session-id|Edit|Write/);
    },
  );

  it('keeps its own rules where there is no box', async () => {
    const { run, seen } = await createStage(KIND, good, undefined, 'group');
    await run();
    expect(seen().argv.join(' ')).toContain('--permission-mode acceptEdits --allowedTools Bash --tools');
    expect(seen().argv).not.toContain('--dangerously-skip-permissions');
    await run({ writes: 'nothing' });
    expect(seen().argv.join(' ')).toContain('--permission-mode dontAsk --tools Read,Glob,Grep');
  });
});
