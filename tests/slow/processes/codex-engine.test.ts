/**
 * E4, E5, E7, E11, E12: the codex engine, by recordings of the real one and a program in its place.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toCodexFailure } from '../../../executors/engines/codex/events.ts';
import { codexCli } from '../../../executors/engines/codex/codex.ts';
import { findRetryTime } from '../../../executors/engines/shared/find-retry-time.ts';
import { BEST } from '../../support/agent-round.ts';
import { agentContract, createStage, type AgentKind } from '../../support/agent-contract.ts';
import { lines, recording, replay } from '../../support/replay-agent.ts';

const ID = '01a1fff3-8c1b-7d92-aaf3-ad1bcd89d79c';
const begun = { type: 'thread.started', thread_id: ID };
const message = (text: string) => ({
  type: 'item.completed',
  item: { id: 'i', type: 'agent_message', text },
});
const completed = { type: 'turn.completed', usage: { input_tokens: 1200, output_tokens: 80 } };
const limited = 'exceeded retry limit, last status: 429 Too Many Requests, request id: r';

const KIND: AgentKind = {
  name: 'codex',
  cli: codexCli,
  directory: '.codex',
  signIn: 'auth.json',
  begun,
  talk: message('Looking around.'),
  done: (report) => [message(JSON.stringify(report)), completed],
  words: (text) => [message(text), completed],
  failed: [{ type: 'turn.failed', error: { message: limited } }],
  failure: 'rate_limited',
  session: ID,
  picture: (file) => ({ fresh: [`--image=${file}`], resumed: [] }),
  forged: {
    session: (id) => ({ type: 'thread.started', thread_id: id }),
    used: (report, amount) => [
      message(JSON.stringify(report)),
      { type: 'turn.completed', usage: { input_tokens: amount, output_tokens: amount } },
    ],
  },
};
agentContract(KIND);

const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, costUsd: 0 });

describe('recordings of the real codex', () => {
  it('E12: a turn that mended the tests is complete, with report, session, usage and progress', () => {
    const { reading, failure, told } = replay(codexCli, recording('codex-fix-tests'));
    expect(failure).toBeNull();
    expect(reading).toMatchObject({ session: { id: ID, usage: used(3600, 240) }, usage: used(3600, 240) });
    expect(reading.report).toContain('Fixed sum');
    expect(told).toEqual(["$ sed -i 's/a - b/a + b/' sum.js", '$ npm test']);
  });

  it('counts only what is new of a thread that was resumed', () => {
    const first = replay(codexCli, recording('codex-resume-1')).reading;
    const second = replay(codexCli, recording('codex-resume-2'), { session: first.session }).reading;
    expect(first).toMatchObject({ usage: used(2400, 160), session: { usage: used(2400, 160) } });
    expect(second).toMatchObject({
      usage: used(2400, 160),
      session: { id: first.session?.id, usage: used(4800, 320) },
    });
  });

  it.each([
    ['codex-auth', 1, 'auth_missing', /401 Unauthorized/],
    ['codex-rate', 1, 'rate_limited', /429/],
    ['codex-bad-final', 0, 'invalid_output', /this is not JSON/],
  ])('E5: %s', (name, exitCode, of, message) => {
    const { failure, reading } = replay(codexCli, recording(name), { end: { exitCode } });
    expect(failure).toMatchObject({ class: of, message: expect.stringMatching(message) as string });
    expect(reading.session).not.toBeNull();
  });

  it('E12: without its last line a good turn is a crash', () => {
    const cut = recording('codex-fix-tests').split('\n').slice(0, -2).join('\n');
    expect(replay(codexCli, cut).failure).toMatchObject({ class: 'crashed' });
  });
});

describe('E5: what codex says of a failed turn', () => {
  it.each([
    ['unexpected status 403 Forbidden: no', 'auth_missing'],
    ['Missing environment variable: `FAKE_KEY`.', 'auth_missing'],
    ['Quota exceeded. Check your plan and billing details.', 'quota_exhausted'],
    ['You’ve hit your usage limit. Upgrade to Plus to continue using Codex', 'quota_exhausted'],
    ['You’ve hit your usage limit. Upgrade to Plus or try again at 3:14 PM.', 'rate_limited'],
    ['rate limit exceeded: Rate limit reached for m. Please try again in 1.4s', 'rate_limited'],
    ['Codex ran out of room in the model’s context window. Start a new thread', 'context_exceeded'],
    ['Incomplete response returned, reason: max_output_tokens', 'context_exceeded'],
    ['The model `m` does not exist or you do not have access to it.', 'bad_config'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'model_unavailable'],
    ['Selected model is at capacity. Please try a different model.', 'model_unavailable'],
    ['stream disconnected before completion: error sending request', 'model_unavailable'],
    ['something new', 'crashed'],
  ])('%s', (says, of) => {
    expect(toCodexFailure(says).class).toBe(of);
    const stdout = lines(begun, { type: 'turn.failed', error: { message: says } });
    expect(replay(codexCli, stdout, { end: { exitCode: 1 } }).failure?.class).toBe(of);
  });

  it('is overcome when the turn completes after all', () => {
    const retry = { type: 'error', message: `Reconnecting... 1/2 (${limited})` };
    const stdout = lines(begun, retry, message('{"status":"done","summary":"x"}'), completed);
    expect(replay(codexCli, stdout).failure).toBeNull();
    expect(replay(codexCli, lines(begun, retry), { end: { exitCode: 1 } }).failure?.class).toBe('crashed');
  });

  it('takes lines with a byte order mark before them and with Windows line ends', () => {
    const all = lines(begun, message('{"status":"done","summary":"x"}'), completed);
    const { reading, failure } = replay(codexCli, all.replace(/^/gm, '\ufeff').replaceAll('\n', '\r\n'));
    expect([reading.session?.id, failure]).toEqual([ID, null]);
  });

  it.each([[null], ['many'], [[]], [{}]])('a turn whose usage is %j has ended all the same', (usage) => {
    const ended = { type: 'turn.completed', usage };
    const done = replay(codexCli, lines(begun, message('{"status":"done","summary":"x"}'), ended));
    expect(done.failure).toBeNull();
  });

  it.each([
    [1, 'Error: thread/resume: thread/resume failed: no rollout found for thread id x', 'session_lost'],
    [2, "error: unexpected argument '--nonsense' found\n\nFor more information, try '--help'.", 'bad_config'],
    [1, 'Error loading config.toml: unknown variant', 'bad_config'],
    [101, "thread 'main' panicked", 'crashed'],
    [1, '', 'crashed'],
  ])('exit code %d with %j and no event', (exitCode, stderr, of) => {
    expect(replay(codexCli, '', { end: { exitCode, stderr } }).failure?.class).toBe(of);
  });
});

describe('when a provider answers again', () => {
  const now = new Date(2026, 0, 15, 14, 0, 0).getTime();
  it.each([
    ['Please try again in 1.4s.', now + 1400],
    ['try again in 20 ms', now + 20],
    ['or try again at 3:14 PM.', new Date(2026, 0, 15, 15, 14).getTime()],
    ['or try again at 9:05 AM.', new Date(2026, 0, 16, 9, 5).getTime()],
    ['or try again at Jan 22nd, 2026 12:30 AM.', new Date(2026, 0, 22, 0, 30).getTime()],
    ['rate limited', null],
  ])('%s', (says, at) => expect(findRetryTime(says, now)).toBe(at));
});

describe('how codex is started', () => {
  const good = `say(${JSON.stringify(begun)}, ${KIND.done({ status: 'done', summary: 'x' })
    .map((event) => JSON.stringify(event))
    .join(', ')});`;

  it.skipIf(BEST === 'group')(
    'E11: as the box is its border, without the settings of repository or user, few retries, and a schema',
    async () => {
      const { run, seen, at } = await createStage(
        KIND,
        good,
        () => ({
          env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
          args: ['-m', 'gpt'],
          pass: { HTTPS_PROXY: 'http://proxy:3128' },
        }),
        BEST,
      );
      await run({ engineArgs: ['-c', 'model_reasoning_effort="low"'] });
      const { argv, env } = seen();
      expect(argv.slice(0, 6)).toEqual([
        ...['exec', '--json', '--skip-git-repo-check', '--ignore-user-config', '--ignore-rules'],
        '--dangerously-bypass-approvals-and-sandbox',
      ]);
      expect(argv.slice(-5)).toEqual(['-m', 'gpt', '-c', 'model_reasoning_effort="low"', '-']);
      expect(argv).toContain('model_providers.agentpr.base_url="http://127.0.0.1:1/v1"');
      expect(argv).toContain('shell_environment_policy.inherit="core"');
      expect(argv.find((arg) => arg.startsWith('shell_environment_policy.set='))).toMatch(
        /HTTPS_PROXY="http:\/\/proxy:3128".*CI="true"/,
      );
      expect(argv.join(' ')).not.toContain('sk-1');
      expect(env).toMatchObject({ CODEX_API_KEY: 'sk-1', CODEX_HOME: path.join(at.home, '.codex') });
      const schema = argv[argv.indexOf('--output-schema') + 1] ?? '';
      expect(path.dirname(schema)).toBe(path.join(at.home, '.codex'));
      expect(JSON.parse(readFileSync(schema, 'utf8'))).toMatchObject({
        additionalProperties: false,
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
      expect(existsSync(path.join(at.workspace, '.codex'))).toBe(false);
    },
  );

  it('resumes a session after all flags, because resume itself takes no sandbox', async () => {
    const { run, seen } = await createStage(KIND, good);
    await run({ session: { id: ID, usage: used(1000, 70) } });
    expect(seen().argv.slice(-3)).toEqual(['resume', ID, '-']);
  });

  it('E5: forgets a session that codex has lost', async () => {
    const says = `console.error('Error: no rollout found for thread id x'); process.exitCode = 1;`;
    const { run } = await createStage(KIND, says);
    expect(await run({ session: { id: ID, usage: used(1, 1) } })).toMatchObject({
      failure: { class: 'session_lost' },
      session: null,
    });
  });

  it('has its own sandbox where there is no box', async () => {
    const { run, seen } = await createStage(KIND, good, undefined, 'group');
    await run();
    expect(seen().argv.join(' ')).toContain('--sandbox workspace-write');
    await run({ writes: 'nothing' });
    expect(seen().argv.join(' ')).toContain('--sandbox read-only');
  });

  it.each([
    ['would sleep because the provider said so', `1/2 (${limited})`, 'rate_limited'],
    [
      'waits for a network and says so again and again',
      'waiting for network (Connection failed: error sending request)',
      'model_unavailable',
    ],
  ])('is stopped when it %s', async (_, why, of) => {
    const retry = JSON.stringify({ type: 'error', message: `Reconnecting... ${why}` });
    const goesOn = `say(${JSON.stringify(begun)}); setInterval(() => say(${retry}), 20);`;
    const { run } = await createStage(KIND, goesOn, () => ({ patienceMs: 200 }));
    expect(await run()).toMatchObject({ failure: { class: of }, session: { id: ID } });
  });

  it('E6: what it has used is known before its turn ends, from the account it keeps of the thread', async () => {
    const account = (input_tokens: number) =>
      JSON.stringify({
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: { input_tokens, output_tokens: 7 } } },
      });
    const keeps = `
      const dir = process.env.CODEX_HOME + '/sessions/2026/01/05';
      fs.mkdirSync(dir, { recursive: true });
      fs.writeFileSync(dir + '/rollout-2026-01-05T00-00-00-${ID}.jsonl', ${JSON.stringify(`${account(1500)}\n${account(2500)}\n{"half":`)});
      say(${JSON.stringify(begun)});
      setInterval(() => {}, 1000);`;
    const stop = new AbortController();
    const { run } = await createStage(KIND, keeps, () => ({ lookEveryMs: 50 }));
    const done = await run({
      session: { id: ID, usage: used(1000, 7) },
      signal: stop.signal,
      onEvent: (event) => event.type === 'used' && event.usage.inputTokens > 0 && stop.abort(),
    });
    expect(done.events).toContainEqual(expect.objectContaining({ type: 'used', usage: used(1500, 0) }));
    expect(done).toMatchObject({ usage: used(1500, 0), session: { id: ID, usage: used(2500, 7) } });
  });
});
