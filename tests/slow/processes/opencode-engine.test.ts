/**
 * E4, E5, E7, E11, E12: the opencode engine, by recordings of the real one and a program in its
 * place.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { opencodeCli } from '../../../executors/engines/opencode/opencode.ts';
import { BEST } from '../../support/agent-round.ts';
import { agentContract, createStage, type AgentKind } from '../../support/agent-contract.ts';
import { lines, recording, replay } from '../../support/replay-agent.ts';

const ID = 'ses_e000c5d4effeiGW3Lm4MBAxeDJ';
const event = (type: string, more: object = {}) => ({ type, timestamp: 1, sessionID: ID, ...more });
const begun = event('step_start', { part: {} });
const text = (words: string) => event('text', { part: { text: words } });
const tokens = { input: 1000, output: 70, reasoning: 10, cache: { read: 200, write: 0 } };
const finish = (reason: string) => event('step_finish', { part: { reason, tokens, cost: 0.0028 } });
const trouble = (name: string, data: object) => event('error', { error: { name, data } });
const api = (statusCode: number, message: string, more: object = {}) =>
  trouble('APIError', { statusCode, message, ...more });

const KIND: AgentKind = {
  name: 'opencode',
  cli: opencodeCli,
  directory: 'opencode',
  signIn: 'auth.json',
  begun,
  talk: text('Looking around.'),
  done: (report) => [text(JSON.stringify(report)), finish('stop')],
  words: (words) => [text(words), finish('stop')],
  failed: [api(429, 'Slow down')],
  failure: 'rate_limited',
  session: ID,
  picture: (file) => ({ fresh: ['run', '--file', file, '--format'], resumed: [] }),
  forged: {
    session: (id) => ({ ...begun, sessionID: id }),
    used: (report, amount) => [
      text(JSON.stringify(report)),
      event('step_finish', {
        part: { reason: 'stop', tokens: { ...tokens, input: amount, output: amount }, cost: amount },
      }),
    ],
  },
};
agentContract(KIND);

describe('recordings of the real opencode', () => {
  it('E12: a turn is complete at its last step; tokens and cost are summed over the steps', () => {
    const { reading, failure, told } = replay(opencodeCli, recording('opencode-fix-tests'));
    const spent = { inputTokens: 3600, outputTokens: 240, costUsd: 0.0084 };
    expect(reading).toMatchObject({ ended: 'completed', session: { id: ID, usage: spent }, usage: spent });
    expect(told).toEqual([
      "$ sed -i 's/a - b/a + b/' sum.js",
      '$ npm test',
      'Fixed sum.js; npm test passes.',
    ]);
    expect(failure).toMatchObject({ class: 'invalid_output' });
  });

  it('adds to what a session that is resumed has spent', () => {
    const spent = { inputTokens: 1200, outputTokens: 80, costUsd: 0.1 };
    const { reading } = replay(opencodeCli, recording('opencode-fix-tests'), {
      session: { id: ID, usage: spent },
    });
    expect(reading.usage).toEqual({ inputTokens: 3600, outputTokens: 240, costUsd: 0.0084 });
    expect(reading.session?.usage).toEqual({ inputTokens: 4800, outputTokens: 320, costUsd: 0.1084 });
  });

  it('E5: a refused key', () => {
    const { failure } = replay(opencodeCli, recording('opencode-auth'), { end: { exitCode: 1 } });
    expect(failure).toMatchObject({ class: 'auth_missing', message: expect.stringMatching(/key/) as string });
  });

  it('E12: without its last line a good turn is a crash, and what it used is counted', () => {
    const cut = recording('opencode-fix-tests').trimEnd().split('\n').slice(0, -1).join('\n');
    const { reading, failure } = replay(opencodeCli, cut);
    expect(failure).toMatchObject({ class: 'crashed' });
    expect(reading.usage.inputTokens).toBe(2400);
  });
});

describe('E5: what opencode says of a failed turn', () => {
  it.each([
    ['403', api(403, 'Forbidden'), 'auth_missing'],
    ['no key', trouble('ProviderAuthError', { message: 'x' }), 'auth_missing'],
    ['429', api(429, 'Slow down'), 'rate_limited'],
    [
      'a quota',
      api(429, 'x', { responseBody: '{"error":{"code":"insufficient_quota"}}' }),
      'quota_exhausted',
    ],
    ['503', api(503, 'busy'), 'model_unavailable'],
    ['404', api(404, 'The model does not exist'), 'bad_config'],
    ['too long', trouble('ContextOverflowError', { message: 'x' }), 'context_exceeded'],
    ['a limit', finish('length'), 'context_exceeded'],
    ['a connection', trouble('UnknownError', { message: 'ECONNRESET' }), 'model_unavailable'],
    ['no model', trouble('UnknownError', { message: 'Model not found: a/b' }), 'bad_config'],
    ['something new', trouble('UnknownError', { message: 'hm' }), 'crashed'],
  ])('%s', (_, last, of) => {
    for (const exitCode of [0, 1])
      expect(replay(opencodeCli, lines(begun, last), { end: { exitCode } }).failure?.class).toBe(of);
  });

  it('is overcome when the turn goes on', () => {
    const stdout = lines(begun, KIND.failed[0] ?? {}, begun, ...KIND.done({ status: 'done', summary: 'x' }));
    expect(replay(opencodeCli, stdout).failure).toBeNull();
    expect(replay(opencodeCli, lines(KIND.failed[0] ?? {}, begun)).failure?.class).toBe('crashed');
  });

  it('takes the report from the last step only', () => {
    const early = text('{"status":"done","summary":"early"}');
    const stdout = lines(begun, early, finish('tool-calls'), begun, finish('stop'));
    expect(replay(opencodeCli, stdout).failure?.class).toBe('invalid_output');
  });

  it('is permission_denied when it was denied a tool and ends without a word', () => {
    const state = { status: 'error', input: {}, error: 'The user rejected permission to use this tool.' };
    const stdout = lines(begun, event('tool_use', { part: { tool: 'bash', state } }));
    expect(replay(opencodeCli, stdout).failure).toMatchObject({ class: 'permission_denied' });
  });

  it('knows when a rate limit ends', async () => {
    const limited = api(429, 'Slow down', { responseHeaders: { 'retry-after': '120' } });
    const { run } = await createStage(KIND, `say(${JSON.stringify(limited)}); process.exitCode = 1;`);
    const before = Date.now();
    expect((await run()).failure?.retryAt).toBeGreaterThanOrEqual(before + 120_000);
  });

  it.each([
    [1, '\u001b[91m\u001b[1mError: \u001b[0mSession not found', 'session_lost'],
    [1, 'opencode run [message..]\n\nrun opencode with a message\n', 'bad_config'],
    [1, 'Error: Unexpected error', 'crashed'],
  ])('exit code %d with %j and no event', (exitCode, stderr, of) => {
    expect(replay(opencodeCli, '', { end: { exitCode, stderr, stdout: '' } }).failure?.class).toBe(of);
  });
});

describe('what opencode would do for ever', () => {
  const FOR_EVER = 'setInterval(() => {}, 1000);';

  it('E12: is stopped at the second time that it ran out of context', async () => {
    const overflow = JSON.stringify(trouble('ContextOverflowError', { message: 'too long' }));
    const { run } = await createStage(
      KIND,
      `say(${overflow}, ${JSON.stringify(begun)}, ${overflow}); ${FOR_EVER}`,
    );
    expect(await run()).toMatchObject({
      failure: { class: 'context_exceeded' },
      session: { id: ID },
      end: { ended: 'aborted' },
    });
  });

  it('E5: is stopped when it never says anything, and when it says nothing more', async () => {
    const silence = { first: 400, between: 300 };
    const silent = await createStage(KIND, FOR_EVER, () => ({ silence }));
    expect(await silent.run()).toMatchObject({
      failure: { class: 'timed_out', message: expect.stringContaining('engines.opencode.') as string },
      session: null,
    });
    const stuck = await createStage(KIND, `say(${JSON.stringify(begun)}); ${FOR_EVER}`, () => ({
      silence: { first: 30_000, between: 300 },
    }));
    expect(await stuck.run()).toMatchObject({
      failure: { class: 'timed_out', message: expect.stringContaining('engines.opencode.') as string },
      session: { id: ID },
    });
  });
});

describe('E11: what the repository would have it run', () => {
  const good = `say(${KIND.done({ status: 'done', summary: 'x' })
    .map((one) => JSON.stringify(one))
    .join(', ')});`;

  it.each(['.opencode/plugin/x.js', 'opencode.json', 'opencode.jsonc'])(
    'does not find %s where there is a box, and refuses the repository where there is none, before anything is started',
    async (file) => {
      for (const level of BEST === 'group' ? (['group'] as const) : (['group', BEST] as const)) {
        const top = file.split('/')[0] ?? '';
        const looks = `fs.writeFileSync(process.env.HOME + '/found', String(fs.existsSync('${top}'))); ${good}`;
        const { run, at } = await createStage(KIND, looks, undefined, level);
        const place = path.join(at.workspace, file);
        mkdirSync(path.dirname(place), { recursive: true });
        writeFileSync(place, '{}');
        const done = await run();
        if (level === 'group') {
          expect(done).toMatchObject({
            end: { ended: 'not_started' },
            failure: { class: 'permission_denied' },
          });
          expect(done.failure?.message).toMatch(`The repository has ${top}, which opencode would run`);
        } else {
          expect(done.failure).toBeNull();
          expect(readFileSync(path.join(at.home, 'found'), 'utf8')).toBe('false');
        }
        expect(readFileSync(place, 'utf8')).toBe('{}');
      }
    },
  );

  it('removes what an agent of an earlier round left in its HOME', async () => {
    const left = ['.agentpr-opencode/opencode/plugin', '.opencode/plugin'];
    const body = `for (const left of ${JSON.stringify(left)})
        { seen.push(fs.existsSync(process.env.HOME + '/' + left)); fs.mkdirSync(process.env.HOME + '/' + left, { recursive: true }); }
      fs.writeFileSync('left', JSON.stringify(seen)); ${good}`;
    const { run, read } = await createStage(KIND, `const seen = []; ${body}`);
    await run();
    await run();
    expect(read('left')).toBe('[false,false]');
  });
});

describe('how opencode is started', () => {
  const good = `fs.copyFileSync(process.env.OPENCODE_CONFIG, process.env.HOME + '/config.json');
    say(${KIND.done({ status: 'done', summary: 'x' })
      .map((one) => JSON.stringify(one))
      .join(', ')});`;
  type Config = { permission: Record<string, string>; provider?: Record<string, object> };
  const configOf = (home: string): Config =>
    JSON.parse(readFileSync(path.join(home, 'config.json'), 'utf8')) as Config;

  it('with settings of ours that name its endpoint but not the key', async () => {
    const { run, seen, at } = await createStage(KIND, good, () => ({
      env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      args: ['-m', 'own/big/model'],
    }));
    await run({ engineArgs: ['--variant', 'high'] });
    expect(seen().argv.join(' ')).toBe(
      'run --format json --auto --title AgentPR -m own/big/model --variant high',
    );
    expect(seen().env).toMatchObject({ OPENCODE_DISABLE_AUTOUPDATE: '1', XDG_DATA_HOME: at.home });
    const config = configOf(at.home);
    expect(config).toMatchObject({
      autoupdate: false,
      share: 'disabled',
      formatter: false,
      enabled_providers: ['own'],
      provider: {
        own: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: 'http://127.0.0.1:1/v1', apiKey: '{env:OPENAI_API_KEY}' },
          models: { 'big/model': {} },
        },
      },
    });
    expect(JSON.stringify(config)).not.toContain('sk-1');
  });

  it('G5: sends no key elsewhere than to the endpoint that was named, whatever model it chooses', async () => {
    const { run, at } = await createStage(KIND, good, () => ({
      env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    }));
    await run();
    expect(configOf(at.home)).toMatchObject({
      enabled_providers: ['openai'],
      provider: { openai: { options: { baseURL: 'http://127.0.0.1:1/v1' } } },
    });
  });

  it('resumes a session, and leaves the choice of a provider to the operator where none is named', async () => {
    const { run, seen, at } = await createStage(KIND, good);
    const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
    await run({ session: { id: ID, usage: spent } });
    expect(seen().argv.join(' ')).toContain(`--session ${ID}`);
    expect(configOf(at.home).provider).toBeUndefined();
  });

  it.skipIf(BEST === 'group')(
    'may not edit in a round that only looks, and has no shell without a box',
    async () => {
      const { run, at } = await createStage(KIND, good);
      await run({ writes: 'nothing' });
      expect(configOf(at.home).permission).toMatchObject({ edit: 'deny', question: 'deny' });
      expect(configOf(at.home).permission.bash).toBeUndefined();
      const bare = await createStage(KIND, good, undefined, 'group');
      await bare.run({ writes: 'nothing' });
      expect(configOf(bare.at.home).permission).toMatchObject({ edit: 'deny', bash: 'deny', task: 'deny' });
      await bare.run();
      expect(configOf(bare.at.home).permission).toMatchObject({ external_directory: 'deny' });
      expect(configOf(bare.at.home).permission.bash).toBeUndefined();
    },
  );
});
