/** E4, E5, E7, E10, E12: agents that speak the Agent Client Protocol, honest ones and others. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineAcpEngine, PLAIN_AGENT } from '../../../executors/engines/acp/define-acp-engine.ts';
import { acpCli, createAcpCli } from '../../../executors/engines/acp/acp.ts';
import { resolveKnownAgent } from '../../../executors/engines/acp/known-agents.ts';
import { AgentSettings, AgentsSettings } from '../../../executors/engines/engine-settings.ts';
import { converseAs } from '../../../executors/engines/acp/converse.ts';
import { createMessageFilter, MAX_OPEN_REQUESTS } from '../../../executors/engines/acp/message-stream.ts';
import type { PermissionAnswer, PermissionRequest } from '#ports/processes';
import { BEST, pictureAt } from '../../support/agent-round.ts';
import { pngOf } from '../../support/sent-pictures.ts';
import { createAcpStage, type AcpScript } from '../../support/acp-agent.ts';

const HONEST = `update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Looks', rawInput: { command: 'ls' } });
  report(); return { usage: { inputTokens: 1000, outputTokens: 80, totalTokens: 1280, cachedReadTokens: 200 } };`;

const failureOf = async (script: AcpScript) => (await (await createAcpStage(script)).run()).failure;

describe('a round of an agent by ACP', () => {
  it('E4: has its prompt, a session, a report, and what it used, in the best box', async () => {
    const { run, seen } = await createAcpStage({ turn: HONEST }, {}, acpCli, BEST);
    const done = await run({ prompt: 'Do it — now.\n' });
    expect(done).toMatchObject({
      outcome: 'completed',
      failure: null,
      summary: 'all is well',
      containment: BEST,
      session: { id: 'made-1' },
      usage: { inputTokens: 1200, outputTokens: 80 },
    });
    expect(done.told).toContain('$ ls');
    expect(done.events.filter(({ type }) => type === 'started')).toHaveLength(1);
    const prompt = seen().find(({ method }) => method === 'session/prompt')?.params;
    expect(prompt?.['prompt']).toEqual([{ type: 'text', text: 'Do it — now.\n' }]);
    const start = seen().find(({ method }) => method === 'initialize')?.params;
    expect(start?.['clientCapabilities']).toMatchObject({ terminal: false });
  });

  it.each([true, false])('C2: is shown a picture where it says that it takes any: %s', async (image) => {
    const start = {
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { resume: {} },
        promptCapabilities: { image },
      },
    };
    const stage = await createAcpStage({ turn: HONEST, start });
    const picture = pngOf();
    const blocks = () =>
      stage.seen().findLast(({ method }) => method === 'session/prompt')?.params?.['prompt'] as object[];
    const { session } = await stage.run({ picture, prompt: 'Do it.\n' });
    const shown = { type: 'image', mimeType: 'image/png', data: picture.toString('base64') };
    expect(blocks()[0]).toEqual({ type: 'text', text: 'Do it.\n' });
    if (image) expect(blocks()[1]).toEqual(shown);
    else expect(JSON.stringify(blocks()[1])).toContain(`the file is ${pictureAt(stage.at).file}`);
    await stage.run({ picture, session });
    expect(blocks()).toHaveLength(1);
  });

  it('L6: resumes its session, and is told when it is gone', async () => {
    const spent = { inputTokens: 100, outputTokens: 10, costUsd: 0 };
    const stage = await createAcpStage({ turn: HONEST });
    const done = await stage.run({ session: { id: 'earlier', usage: spent } });
    expect(done).toMatchObject({ session: { id: 'earlier', usage: { inputTokens: 1300 } } });
    expect(done.usage.inputTokens).toBe(1200);
    expect(stage.seen().some(({ method }) => method === 'session/new')).toBe(false);
    const lost = await createAcpStage({
      turn: `${HONEST}`,
      start: { agentCapabilities: {} },
    });
    const gone = await lost.run({ session: { id: 'earlier', usage: spent } });
    expect(gone).toMatchObject({ failure: { class: 'session_lost' }, session: null });
  });

  it('L6: resumes its session, though it tells of its mode whenever that is set', async () => {
    const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
    const before = `ANSWERS['session/resume'] = ANSWERS['session/new'];
      ANSWERS['session/set_mode'] = ({ modeId }) => {
      update({ sessionUpdate: 'current_mode_update', currentModeId: modeId }); return {}; };`;
    const dialect = { ...acpCli, converse: converseAs({ ...PLAIN_AGENT, mode: 'ask' }) };
    const { run } = await createAcpStage({ turn: HONEST, before, session: { modes } }, {}, dialect);
    const { session } = await run();
    expect(await run({ session })).toMatchObject({ outcome: 'completed', summary: 'all is well' });
  });

  it('E12: is a crash when it dies in the middle, whatever it said before', async () => {
    expect(await failureOf({ turn: `report(); process.exit(0);` })).toMatchObject({ class: 'crashed' });
  });

  it('is over when it has ended its turn, also where it does not leave by itself', async () => {
    const stays = `process.stdin.on('end', () => {}); process.exit = () => {}; setInterval(() => {}, 1000); ${HONEST}`;
    const { run } = await createAcpStage({ turn: stays }, { leaveMs: 100 });
    expect(await run()).toMatchObject({ outcome: 'completed', summary: 'all is well' });
  });

  it.each([
    [
      'no sign-in',
      `throw Object.assign(new Error('Authentication required'), { code: -32000 })`,
      'auth_missing',
    ],
    ['a rate limit', `throw Object.assign(new Error('oops'), { data: { statusCode: 429 } })`, 'rate_limited'],
    ['a turn without words', `return 'end_turn'`, 'invalid_output'],
    ['a full context', `return 'max_tokens'`, 'context_exceeded'],
    ['a refusal', `return 'refusal'`, 'crashed'],
  ])('E5: tells %s', async (_, turn, of) => {
    expect(await failureOf({ turn })).toMatchObject({ class: of });
  });

  it('passes over whatever is no message of its own', async () => {
    const noise = `process.stdout.write('warning\\n{"jsonrpc":"2.0","id":1,"result":{}}\\n[1]\\nnull\\n{"a":1}\\n');
      send({ id: 'x', method: 'fs/read_text_file', params: { path: '/etc/passwd' } }); update({ sessionUpdate: 'other' });
      send({ method: 'session/update', params: null });`;
    const { run, seen } = await createAcpStage({ turn: `${noise} ${HONEST}` });
    expect(await run()).toMatchObject({ outcome: 'completed', failure: null });
    // It is told that there is no such thing.
    expect(JSON.stringify(seen().find(({ id }) => id === 'x'))).toContain('error');
  });

  it('does not work with an agent that has no mode in which it asks', async () => {
    const modes = { currentModeId: 'yolo', availableModes: [{ id: 'yolo', name: 'Yolo' }] };
    const dialect = { ...acpCli, converse: converseAs({ ...PLAIN_AGENT, mode: 'ask' }) };
    const without = await createAcpStage({ turn: HONEST, session: { modes } }, {}, dialect);
    expect((await without.run()).failure?.message).toContain('no mode “ask”');
    const both = { ...modes, availableModes: [...modes.availableModes, { id: 'ask', name: 'Ask' }] };
    const asks = await createAcpStage({ turn: HONEST, session: { modes: both } }, {}, dialect);
    expect(await asks.run()).toMatchObject({ outcome: 'completed' });
    expect(asks.seen().find(({ method }) => method === 'session/set_mode')?.params).toMatchObject({
      modeId: 'ask',
    });
  });
});

/** A row as docs/adding-an-engine.md shows it. */
const MINE = defineAcpEngine({
  agent: { says: ['why'], mode: 'ask' },
  program: 'mine',
  readsInstructions: [],
  tried: null,
  install: 'npm i -g mine',
  signInBy: 'none',
  page: {
    takeWhen: 'you have mine',
    cannot: 'sign in',
    memory: 'not measured',
    key: '`MINE_API_KEY`',
    ownModel: 'no',
    settings: 'set aside',
  },
  directory: '.mine',
  signIn: 'auth.json',
  lends: { plain: [], keys: { mine: ['MINE_API_KEY'] }, provider: () => 'mine' },
  launch: ({ args, deps }) => ({ args: ['--acp', ...args], env: { ...deps.env } }),
});

describe('an engine with a row of its own', () => {
  it('E4: needs nothing else to work a round, in its mode that asks', async () => {
    const modes = { currentModeId: 'go', availableModes: [{ id: 'ask', name: 'Ask' }] };
    const turn = `await permit({ command: 'ls', why: 'to look' }); ${HONEST}`;
    const { run, seen } = await createAcpStage({ turn, session: { modes } }, {}, MINE);
    const asked: PermissionRequest[] = [];
    const ask = (request: PermissionRequest): Promise<PermissionAnswer> => {
      asked.push(request);
      return Promise.resolve({ kind: 'allow' });
    };
    expect(await run({ ask })).toMatchObject({
      outcome: 'completed',
      summary: 'all is well',
      usage: { inputTokens: 1200, outputTokens: 80 },
    });
    expect(asked).toMatchObject([{ command: 'ls' }]);
    expect(seen().find(({ method }) => method === 'session/set_mode')?.params).toMatchObject({
      modeId: 'ask',
    });
  });

  it('is named by its own file, and by one line of engines.ts', () => {
    const root = path.join(import.meta.dirname, '../../..');
    const files = globSync('{app,board,bot,cli,executors,model,orchestrator}/**/*.ts', { cwd: root });
    const naming = (word: string): string[] =>
      files.filter((file) => new RegExp(`\\b${word}\\b`).test(readFileSync(path.join(root, file), 'utf8')));
    for (const name of ['gemini', 'copilot'])
      expect(naming(`${name}Cli`).sort()).toEqual([
        `executors/engines/acp/${name}.ts`,
        'executors/engines/engines.ts',
      ]);
  });
});

describe('how an agent of the protocol is signed in and started', () => {
  /** Asks for a sign-in until it is signed in. */
  const asksFor = (authMethods: object[]): AcpScript => ({
    turn: HONEST,
    start: { authMethods },
    before: `let isIn = false;
      const begin = ANSWERS['session/new'];
      ANSWERS['session/new'] = (p) => { if (!isIn) throw Object.assign(new Error('Authentication required'), { code: -32000 }); return begin(p); };
      ANSWERS.authenticate = (p) => { if (p.methodId !== 'by-key' || Object.keys(p).length > 1) throw new Error('no'); isIn = true; return {}; };`,
  });
  const TERMINAL = { id: 'login', type: 'terminal', name: 'Log in with a browser', args: ['--login'] };
  const vars = (...names: string[]) => ({
    id: 'by-key',
    name: 'Key',
    type: 'env_var',
    vars: [...names.map((name) => ({ name })), { name: 'OTHER', optional: true }],
  });
  const methodsOf = (stage: Awaited<ReturnType<typeof createAcpStage>>): string[] =>
    stage.seen().flatMap(({ method }) => method ?? []);

  it.each([
    ['a variable that it names', vars('OPENAI_API_KEY'), true],
    [
      'a variable, as older agents say it',
      { id: 'by-key', type: 'env_var', varName: 'OPENAI_API_KEY' },
      true,
    ],
    // As codex-acp 2.6.0 says it.
    [
      'a key of a provider',
      { id: 'by-key', name: 'API Key', _meta: { 'api-key': { provider: 'openai' } } },
      true,
    ],
    ['variables of which one is missing', vars('OPENAI_API_KEY', 'MY_ORG'), false],
    ['the key of another provider', { id: 'by-key', _meta: { 'api-key': { provider: 'google' } } }, false],
  ])('E4: signs in by %s', async (_what, method, works) => {
    const stage = await createAcpStage(asksFor([TERMINAL, method]), {
      env: { OPENAI_API_KEY: 'sk-of-the-box' },
    });
    const done = await stage.run();
    if (works) {
      expect(done).toMatchObject({ outcome: 'completed' });
      expect(methodsOf(stage)).toEqual([
        'initialize',
        'session/new',
        'authenticate',
        'session/new',
        'session/prompt',
      ]);
      // It is told which way, never the key.
      expect(JSON.stringify(stage.seen())).not.toContain('sk-of-the-box');
    } else {
      expect(done.failure).toMatchObject({ class: 'auth_missing' });
      expect(done.failure?.message).toContain('“Log in with a browser”');
      expect(methodsOf(stage)).not.toContain('authenticate');
    }
  });

  it('E4: an agent that asks for no sign-in is not signed in', async () => {
    const start = { authMethods: [vars('OPENAI_API_KEY')] };
    const stage = await createAcpStage({ turn: HONEST, start }, { env: { OPENAI_API_KEY: 'x' } });
    await stage.run();
    expect(methodsOf(stage)).not.toContain('authenticate');
  });

  it('E4: the settings name its mode, its own variables and what it would load from a repository', async () => {
    const settings = AgentSettings.parse({
      mode: 'ask',
      setAside: ['.mine', '.github/mine.json'],
      variables: { MY_KEY: '${OPENAI_API_KEY}', MY_ADDRESS: 'x=${OPENAI_BASE_URL}', MY_KIND: 'openai' },
    });
    const modes = { currentModeId: 'yolo', availableModes: [{ id: 'yolo' }, { id: 'ask' }] };
    const turn = `const { MY_KEY, MY_ADDRESS, MY_KIND } = process.env;
      const there = ['.mine', '.github/mine.json', '.github/own.md'].map((name) => fs.existsSync(name));
      say(JSON.stringify({ status: 'done', summary: JSON.stringify([MY_KEY, MY_ADDRESS, MY_KIND, there]), ran: [] })); return 'end_turn';`;
    const script = { ...asksFor([vars('MY_KEY')]), turn, session: { modes } };
    const stage = await createAcpStage(
      script,
      { env: { OPENAI_API_KEY: 'k' } },
      createAcpCli(settings),
      BEST,
    );
    mkdirSync(path.join(stage.at.workspace, '.mine'));
    mkdirSync(path.join(stage.at.workspace, '.github'));
    for (const name of ['mine.json', 'own.md'])
      writeFileSync(path.join(stage.at.workspace, '.github', name), '{}');
    const done = await stage.run();
    expect(done.failure).toBeNull();
    expect(JSON.parse(done.summary)).toEqual(['k', null, 'openai', [false, false, true]]);
    expect(existsSync(path.join(stage.at.workspace, '.mine'))).toBe(true);
    expect(methodsOf(stage)).toContain('session/set_mode');
  });

  it('E16: settings that would leave the repository or show our own secrets are refused', () => {
    for (const setAside of [['../x'], ['/etc'], ['.git'], ['a/.git/hooks'], ['a//b'], ['.']])
      expect(AgentSettings.safeParse({ setAside }).success, setAside[0]).toBe(false);
    for (const name of ['GITHUB_TOKEN', 'TELEGRAM_BOT_TOKEN', 'lower', 'A-B'])
      expect(AgentSettings.safeParse({ variables: { [name]: 'x' } }).success, name).toBe(false);
    expect(AgentsSettings.safeParse({ codex: { mode: 'ask' } }).success).toBe(false);
    expect(AgentsSettings.safeParse({ acp: { mode: 'ask' } }).success).toBe(true);
  });

  it('E4: claude-agent-acp, codex-acp and kimi are known by their programs', () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const [claude, codex, kimi, other] = [
      '/opt/bin/claude-agent-acp',
      'codex-acp',
      'kimi',
      'constructor',
    ].map((command) => resolveKnownAgent({ command }));
    expect(claude?.agent).toMatchObject({
      mode: 'default',
      meta: { claudeCode: { options: { settingSources: [], promptSuggestions: false } } },
    });
    expect(codex?.agent.mode).toBe('workspace-write');
    expect(JSON.parse(codex?.variables(env)['CODEX_CONFIG'] ?? '')).toMatchObject({
      model_providers: { agentpr: { base_url: env.OPENAI_BASE_URL } },
    });
    expect(codex?.variables({})).toEqual({ NO_BROWSER: '1' });
    expect(kimi?.variables(env)).toMatchObject({
      KIMI_MODEL_API_KEY: 'k',
      KIMI_MODEL_BASE_URL: env.OPENAI_BASE_URL,
    });
    expect(kimi).toMatchObject({ args: ['acp'], obeys: ['.kimi-code'] });
    expect(other).toMatchObject({ args: [], obeys: [], left: [] });
  });
});

describe('what goes over the wire', () => {
  const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });

  it('E10: is an answer only to what we asked, once', () => {
    const sieve = createMessageFilter();
    sieve.sent({ jsonrpc: '2.0', id: 1, method: 'session/prompt' });
    expect([answer(2), answer(1), answer(1)].map(sieve.lets)).toEqual([false, true, false]);
    sieve.sent({ jsonrpc: '2.0', id: 3, method: 'session/prompt' });
    expect(sieve.lets({ ...answer(3), error: {} })).toBe(false);
  });

  it('is bounded: who asks without end is told of, and not answered any more', () => {
    const sieve = createMessageFilter();
    const asks = (id: number) => ({ jsonrpc: '2.0', id, method: 'session/request_permission' });
    const taken = Array.from({ length: MAX_OPEN_REQUESTS + 1 }, (_, id) => sieve.lets(asks(id)));
    expect(taken.filter(Boolean)).toHaveLength(MAX_OPEN_REQUESTS);
    expect(sieve.floods()).toBe(true);
  });
});

describe('E10: what an agent asks to be allowed to do', () => {
  /** Answers as told, and remembers what it was asked. */
  const judge = (...answers: PermissionAnswer[]) => {
    const asked: PermissionRequest[] = [];
    const ask = (request: PermissionRequest): Promise<PermissionAnswer> => {
      asked.push(request);
      return Promise.resolve(answers[asked.length - 1] ?? answers.at(-1) ?? { kind: 'wait' });
    };
    return { asked, ask };
  };
  const ALLOW = { kind: 'allow' } as const;
  const DENY = { kind: 'deny', reason: 'It reaches the network.' } as const;
  const WAIT = { kind: 'wait' } as const;

  it('is denied where nobody can be asked, and the agent is told why', async () => {
    const turn = `if (n === 1) return (await run('touch made')), 'end_turn'; fs.writeFileSync('told', text); report(); return 'end_turn';`;
    const { run, read } = await createAcpStage({ turn });
    const done = await run();
    expect(done).toMatchObject({ outcome: 'completed', failure: null });
    expect(read('told')).toContain('Nobody can be asked');
    expect(() => read('made')).toThrow();
  });

  it('is allowed just this once, by that option, whatever else is offered first', async () => {
    const { asked, ask } = judge(ALLOW);
    const turn = `fs.writeFileSync('chosen', await run('touch made')); report(); return 'end_turn';`;
    const { run, read } = await createAcpStage({ turn });
    await run({ ask });
    expect(read('chosen')).toBe('once');
    expect(read('made')).toBe('');
    expect(asked).toEqual([
      { tool: 'execute', input: '{"command":"touch made"}', command: 'touch made', files: null },
    ]);
    const none = `fs.writeFileSync('chosen', await permit({ command: 'x' }, {}, [OPTIONS[0]])); report(); return 'end_turn';`;
    const always = await createAcpStage({ turn: none });
    await always.run({ ask: judge(ALLOW).ask });
    expect(always.read('chosen')).toBe('cancelled');
  });

  it('is judged by what it hands to its tool; its title lies', async () => {
    const { asked, ask } = judge(DENY);
    const cwd = `process.cwd()`;
    const turn = `if (n > 1) { report(); return 'end_turn'; }
      update({ sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'x', rawInput: { command: 'ls', cwd: ${cwd} } });
      await permit({ command: 'rm -rf src' }, { title: 'ls', toolCallId: 'call-1' });
      await permit({ command: 'ls', cwd: '/etc' }); await permit({ command: 'ls', cwd: ${cwd} + '/sub' });
      await permit({ file_path: ${cwd} + '/sum.js', content: 'x' }, { kind: 'edit' });
      await permit({ file_path: '../x' }, { kind: 'edit' }); await permit({ path: 'a', command: 'ls' }, { kind: 'read' });
      await permit({ file_path: '.git/config' }, { kind: 'edit' }); await permit('ls'); return 'end_turn';`;
    const { run } = await createAcpStage({ turn });
    await run({ ask });
    expect(asked.map(({ command, files }) => [command, files])).toEqual([
      ['rm -rf src', null],
      [null, null],
      [null, null],
      [null, ['sum.js']],
      [null, null],
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(asked[0]?.input).toBe('{"command":"rm -rf src"}');
  });

  it('E10: a request without input is known by all of its title and content, so a yes fits no other one', async () => {
    const { asked, ask } = judge(DENY);
    const words = (text: string): string => `{ type: 'content', content: { type: 'text', text: '${text}' } }`;
    const diff = (file: string): string => `{ type: 'diff', path: ${file}, oldText: 'a', newText: 'b' }`;
    const turn = `if (n > 1) { report(); return 'end_turn'; }
      await permit(undefined, { title: 'Deploy', kind: 'other' });
      await permit({}, { title: 'Deploy', content: [${words('to staging')}] });
      await permit({}, { title: 'Deploy', content: [${words('to production')}] });
      await permit({ cwd: process.cwd() }, { title: 'Deploy\u200b' });
      await permit(null, { title: 'Write', kind: 'edit', content: [${diff(`process.cwd() + '/sum.js'`)}] });
      await permit(null, { title: 'Write', kind: 'edit', content: [${diff(`'/etc/passwd'`)}] });
      await permit('rm -rf src', { title: 'Tidy up' });
      update({ sessionUpdate: 'tool_call', toolCallId: 'call-8', title: 'Deploy', kind: 'fetch', rawInput: {} });
      await permit(undefined, { title: undefined, kind: undefined });
      return 'end_turn';`;
    const { run } = await createAcpStage({ turn });
    await run({ ask });
    expect(asked.map(({ tool, input }) => `${tool} ${input}`)).toEqual([
      'other {"title":"Deploy"}',
      'execute {"content":["to staging"],"title":"Deploy"}',
      'execute {"content":["to production"],"title":"Deploy"}',
      'execute {"title":"Deploy\u200b"}',
      expect.stringContaining('"newText":"b","oldText":"a"') as string,
      expect.stringContaining('/etc/passwd') as string,
      'execute {"input":"rm -rf src"}',
      'fetch {"title":"Deploy"}',
    ]);
    expect(asked.map(({ command }) => command)).toEqual(Array(8).fill(null));
    expect(asked.map(({ files }) => files)).toEqual([null, null, null, null, ['sum.js'], null, null, null]);
  });

  it('E10: a request that does not say what it would do is denied without asking anybody', async () => {
    const { asked, ask } = judge(ALLOW);
    const turn = `if (n > 1) { fs.writeFileSync('told', text); report(); return 'end_turn'; }
      update({ sessionUpdate: 'tool_call', toolCallId: 'call-9', title: 'Tests', rawInput: { command: 'npm test' } });
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'call-9', status: 'completed' });
      const silent = { title: '' };
      fs.writeFileSync('chosen', JSON.stringify([
        await permit({}, silent), await permit(undefined, silent), await permit({ cwd: process.cwd() }, silent),
        await permit({ command: ' ', args: [] }, silent), await permit('', silent), await permit({}, { title: 7 }),
        await permit({}, { title: 'See', content: [{ type: 'terminal', terminalId: 't' }] }),
        await permit({}, { title: 'See', content: [{ type: 'content', content: { type: 'image', data: 'x', mimeType: 'image/png' } }] }),
        await permit({}, { title: undefined }),
      ])); return 'end_turn';`;
    const { run, read } = await createAcpStage({ turn });
    const done = await run({ ask });
    expect(asked).toEqual([]);
    expect(JSON.parse(read('chosen'))).toEqual(Array(9).fill('no'));
    expect(read('told')).toContain('does not say what it would do');
    expect(done).toMatchObject({ outcome: 'completed' });
  });

  it('tells the reason of a no in a turn of its own, and denies again without end', async () => {
    const { ask } = judge(DENY);
    const turn = `await run('curl x.y'); fs.appendFileSync('told', text + '\\n--\\n'); return 'end_turn';`;
    const { run, read } = await createAcpStage({ turn });
    expect((await run({ ask, prompt: 'Go.' })).failure).toMatchObject({ class: 'permission_denied' });
    const told = read('told').split('--\n');
    expect(told.slice(1, -1).every((text) => text.includes('It reaches the network.'))).toBe(true);
    expect(told.length).toBeLessThan(10);
  });

  it('ends the turn when a person is asked: nothing is allowed beside it, or after it', async () => {
    const { asked, ask } = judge(WAIT, ALLOW);
    const turn = `const both = await Promise.all([run('touch one'), run('touch two')]);
      fs.writeFileSync('chosen', JSON.stringify([both, await run('touch three')])); return cancelled ? 'cancelled' : 'end_turn';`;
    const { run, read, seen } = await createAcpStage({ turn });
    const done = await run({ ask });
    expect(done.failure).toMatchObject({ class: 'permission_denied' });
    expect(asked).toHaveLength(1);
    expect(JSON.parse(read('chosen'))).toEqual([['cancelled', 'cancelled'], 'cancelled']);
    expect(seen().some(({ method }) => method === 'session/cancel')).toBe(true);
  });

  it('is stopped when it asks for the same thing 1,000 times', async () => {
    const { asked, ask } = judge(DENY);
    const turn = `for (let i = 0; i < 1000; i += 1) await permit({ command: 'curl x.y' }); report(); return 'end_turn';`;
    const { run } = await createAcpStage({ turn });
    expect((await run({ ask })).failure).toMatchObject({
      class: 'permission_denied',
      message: expect.stringContaining('more than 60 times') as string,
    });
    expect(asked.length).toBeLessThanOrEqual(60);
  });

  it('is no yes when the agent dies in its question', async () => {
    const { ask } = judge(ALLOW);
    const turn = `void run('touch made'); process.exit(0);`;
    const { run, read } = await createAcpStage({ turn });
    expect((await run({ ask })).failure).toMatchObject({ class: 'crashed' });
    expect(() => read('made')).toThrow();
  });
});
