/**
 * E4, E5, E7, E11, E12: the aider engine, by a program that prints what its documentation shows.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findAiderFailure,
  AIDER_SESSION,
  parseUsageLine,
} from '../../../executors/engines/aider/read-output.ts';
import { aiderCli } from '../../../executors/engines/aider/aider.ts';
import { BEST } from '../../support/agent-round.ts';
import { agentContract, createStage, type AgentKind } from '../../support/agent-contract.ts';
import { replay } from '../../support/replay-agent.ts';

const line = (text: string) => ({ text });
const TOKENS = 'Tokens: 1.2k sent, 80 received. Cost: $0.01 message, $0.02 session.';
const LIMITED = 'litellm.RateLimitError: RateLimitError: OpenAIException - Slow down';
const KIND: AgentKind = {
  name: 'aider',
  cli: aiderCli,
  directory: '.aider',
  signIn: 'oauth-keys.env',
  begun: line('Aider v0.86.2'),
  talk: line('Looking around.'),
  done: (report) => [line(JSON.stringify(report)), line(TOKENS), line('Applied edit to sum.js')],
  words: (text) => [line(text), line(TOKENS)],
  failed: [line(LIMITED)],
  failure: 'rate_limited',
  session: AIDER_SESSION,
  // A line of JSON, as the contract writes them itself, is a line like any other here.
  print: (event) => ('text' in event ? String(event.text) : JSON.stringify(event)),
};
agentContract(KIND);

const said = (...lines: string[]): string => lines.map((one) => `${one}\n`).join('');
const REPORT = '{"status":"done","summary":"sum adds now"}';
const BANNER = ['Aider v0.86.2', 'Model: gpt-5 with diff edit format', 'Git repo: .git with 3 files', ''];
const SPENT = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

describe('what aider prints', () => {
  it('E12: an answer of the model ends the turn; tokens and cost are summed over the answers', () => {
    const answers = [
      'sum.js',
      '<<<<<<< SEARCH',
      TOKENS,
      'Applied edit to sum.js',
      `Done.\n${REPORT}`,
      'Tokens: 12k sent, 1.1k cache write, 2,300 cache hit, 300 received.',
      'Applied edit to sum.js',
    ];
    const { reading, failure, told } = replay(aiderCli, said(...BANNER, ...answers));
    const spent = { inputTokens: 13_200, outputTokens: 380, costUsd: 0.01 };
    expect(failure).toBeNull();
    expect(reading).toMatchObject({
      model: 'gpt-5',
      usage: spent,
      session: { id: AIDER_SESSION, usage: spent },
    });
    expect(told).toContain('Applied edit to sum.js');
    expect(told).not.toContain('Aider v0.86.2');
  });

  it('E12: exit code 0 without an answer of the model is no success', () => {
    expect(replay(aiderCli, said(...BANNER)).failure).toMatchObject({ class: 'crashed' });
    expect(replay(aiderCli, said(...BANNER, REPORT)).failure).toMatchObject({ class: 'crashed' });
    expect(replay(aiderCli, '', { end: { stdout: '' } }).failure).toMatchObject({ class: 'crashed' });
  });

  it.each([
    ['litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key', 'auth_missing'],
    ['The API provider is not able to authenticate you. Check your API key.', 'auth_missing'],
    [LIMITED, 'rate_limited'],
    ['litellm.RateLimitError: You exceeded your current quota', 'quota_exhausted'],
    ['litellm.ContextWindowExceededError: too long', 'context_exceeded'],
    ['Model gpt-5 has hit a token limit!', 'context_exceeded'],
    ['litellm.NotFoundError: The model does not exist', 'bad_config'],
    ['litellm.BadRequestError: LLM Provider NOT provided', 'bad_config'],
    ['litellm.InternalServerError: busy', 'model_unavailable'],
    ['litellm.APIConnectionError: cannot connect', 'model_unavailable'],
  ])('E5: %s', (says, of) => {
    expect(replay(aiderCli, said(...BANNER, says, 'Advice.')).failure?.class).toBe(of);
    expect(
      replay(aiderCli, said(...BANNER, says, 'Retrying in 0.2 seconds...', REPORT, TOKENS)).failure,
    ).toBeNull();
    expect(replay(aiderCli, said(...BANNER, REPORT, TOKENS, says)).failure?.class).toBe(of);
  });

  it('takes no words of the model for an error', () => {
    expect(findAiderFailure('Handle the RateLimitError: it is not caught.')).toBeNull();
    expect(replay(aiderCli, said('I catch AuthenticationError now.', REPORT, TOKENS)).failure).toBeNull();
  });

  it.each([
    ['Tokens: 999 sent, 5 received.', { inputTokens: 999, outputTokens: 5, costUsd: 0 }],
    [
      'Tokens: 1.2M sent, 12k received. Cost: $1.50 message, $3.00 session.',
      { inputTokens: 1_200_000, outputTokens: 12_000, costUsd: 1.5 },
    ],
    ['Tokens are cheap.', null],
  ])('counts %s', (text, used) => expect(parseUsageLine(text)).toEqual(used));

  it.each([
    [2, 'aider: error: unrecognized arguments: --no-such-flag', 'bad_config'],
    [1, 'litellm.AuthenticationError: no key', 'auth_missing'],
    [1, '', 'crashed'],
  ])('E5: exit code %d with %j and nothing else', (exitCode, stderr, of) => {
    expect(replay(aiderCli, '', { end: { exitCode, stderr, stdout: '' } }).failure?.class).toBe(of);
  });
});

describe('how aider is started', () => {
  const good = `const value = (name) => argv[argv.indexOf(name) + 1];
    fs.writeFileSync(value('--chat-history-file'), 'said', { flag: 'a' });
    fs.copyFileSync(value('--message-file'), process.env.HOME + '/asked');
    try { fs.mkdirSync('.aider.tags.cache.v4'); } catch {}
    say(${JSON.stringify(line(REPORT))}, ${JSON.stringify(line(TOKENS))});`;

  it('with its prompt in a file, nothing committed and no command of the repository', async () => {
    const { run, seen, at } = await createStage(KIND, good, () => ({ args: ['--model', 'gpt-5'] }));
    await run({ prompt: 'Mend it.\n', engineArgs: ['--edit-format', 'diff'] });
    const text = seen().argv.join(' ');
    expect(readFileSync(path.join(at.home, 'asked'), 'utf8')).toBe('Mend it.\n');
    for (const flag of [
      '--yes-always',
      '--no-auto-commits',
      '--no-auto-test',
      '--no-auto-lint',
      '--no-gitignore',
    ])
      expect(text).toContain(flag);
    expect(text).not.toMatch(/--restore-chat-history|--chat-mode/);
    expect(seen().argv.slice(-4)).toEqual(['--model', 'gpt-5', '--edit-format', 'diff']);
  });

  it('takes its index of the repository away, and only its own', async () => {
    const { run, at } = await createStage(KIND, good);
    await run();
    expect(existsSync(path.join(at.workspace, '.aider.tags.cache.v4'))).toBe(false);
    mkdirSync(path.join(at.workspace, '.aider.tags.cache.v4'));
    await run();
    expect(existsSync(path.join(at.workspace, '.aider.tags.cache.v4'))).toBe(true);
  });

  it('resumes by its history, begins anew without a session, and knows when the history is gone', async () => {
    const { run, seen, at } = await createStage(KIND, good);
    const history = path.join(at.home, '.aider/history.md');
    const { session } = await run();
    expect(session?.usage.inputTokens).toBe(1200);
    const second = await run({ session });
    expect(seen().argv).toContain('--restore-chat-history');
    expect(readFileSync(history, 'utf8')).toBe('saidsaid');
    expect(second).toMatchObject({ usage: { inputTokens: 1200 }, session: { usage: { inputTokens: 2400 } } });
    await run();
    expect(readFileSync(history, 'utf8')).toBe('said');
    const lost = await createStage(KIND, good);
    expect(await lost.run({ session: { id: AIDER_SESSION, usage: SPENT } })).toMatchObject({
      session: null,
      failure: { class: 'session_lost' },
    });
  });

  it('only answers in a round that may only look', async () => {
    const { run, seen } = await createStage(KIND, good);
    await run({ writes: 'nothing' });
    expect(seen().argv.join(' ')).toContain('--chat-mode ask');
  });

  it.each(['.aider.conf.yml', '.aider.model.settings.yml', '.aider.model.metadata.json', '.env'])(
    'E11: neither finds %s of the repository nor the one that an agent left in its HOME; refuses it without a box',
    async (file) => {
      const looks = `fs.writeFileSync(process.env.HOME + '/found', String(fs.existsSync('${file}'))); ${good}`;
      const { run, at, read } = await createStage(KIND, looks);
      writeFileSync(path.join(at.home, file), 'x');
      expect(await run()).toMatchObject({ outcome: 'completed' });
      expect(existsSync(path.join(at.home, file))).toBe(false);
      writeFileSync(path.join(at.workspace, file), 'x');
      if (BEST !== 'group') {
        expect(await run()).toMatchObject({ outcome: 'completed' });
        expect(readFileSync(path.join(at.home, 'found'), 'utf8')).toBe('false');
        expect(read(file)).toBe('x');
      }
      const bare = await createStage(KIND, good, undefined, 'group');
      writeFileSync(path.join(bare.at.workspace, file), 'x');
      expect(await bare.run()).toMatchObject({
        end: { ended: 'not_started' },
        failure: { class: 'permission_denied' },
      });
    },
  );
});
