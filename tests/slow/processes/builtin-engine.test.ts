/** E9, E5, E12, E16, P4: the builtin engine, with its tools in the best box and a model that plays a script. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BEST, TEST } from '../../support/agent-round.ts';
import type { Turn } from '../../support/fake-model.ts';
import { pngOf } from '../../support/sent-pictures.ts';
import { call, createBuiltin, edit, KEY, REPORT } from '../../support/builtin-round.ts';

const MENDS = edit('sum.js', 'export const sum = (a, b) => a - b;', 'export const sum = (a, b) => a + b;');
const text = (value: unknown): string => JSON.stringify(value);

describe('E9: a round of the builtin engine', () => {
  test.each(['openai', 'anthropic'] as const)(
    'E4: mends a workspace by %s, tells each turn and its cost, and goes on in the same session',
    async (protocol) => {
      const { run, read, model, asked } = await createBuiltin(undefined, { protocol, level: BEST });
      model.plays(call('read', { path: 'sum.js' }), MENDS, call('run', { command: TEST }), REPORT);
      const first = await run({ prompt: 'Mend the test, please.\n' });
      expect(first).toMatchObject({
        outcome: 'completed',
        failure: null,
        summary: 'sum adds now',
        containment: BEST,
        usage: { inputTokens: 4 * 1200, outputTokens: 4 * 80 },
        session: { usage: { inputTokens: 4 * 1200 } },
        model: 'scripted-model',
      });
      expect(read('sum.js')).toContain('a + b');
      expect(first.events.filter(({ type }) => type === 'started')).toHaveLength(1);
      expect(first.told).toContain('read sum.js');
      expect(asked.map(({ tool }) => tool)).toEqual(['read', 'edit', 'execute']);
      expect(text(model.requests[1]?.body)).toContain('export const sum = (a, b) => a - b;');
      expect(text(model.requests[3]?.body)).toMatch(/pass 1/);
      expect(first.transcript).toMatch(
        /turn 2 · THINKING → PROPOSING → GOVERNING → EXECUTING → OBSERVING → EVALUATING · goes on · 1200 in, 80 out, no cost told/,
      );
      expect(first.transcript).toMatch(/2\.1 patch patch · approved by policy · after 1\.1 · done in/);

      model.plays(
        call('patch', { patch: 'notes.txt\n<<<<<<< SEARCH\n=======\nagain\n>>>>>>> REPLACE' }),
        REPORT,
      );
      const second = await run({ session: first.session, prompt: 'Write a note.\n' });
      expect(second).toMatchObject({
        outcome: 'completed',
        usage: { inputTokens: 2 * 1200 },
        session: { id: first.session?.id, usage: { inputTokens: 6 * 1200 } },
      });
      expect(read('notes.txt')).toBe('again\n');
      expect(text(model.requests.at(-1)?.body)).toContain('Mend the test, please.');
      expect(second.transcript).toContain('5.1 patch patch · approved by policy · after 3.1');
    },
  );

  test.each([
    ['openai', 'data:image/png;base64,'],
    ['anthropic', '"media_type":"image/png"'],
  ] as const)('C2: by %s, each turn shows the picture once, and counts it', async (protocol, form) => {
    const { run, model } = await createBuiltin(undefined, { protocol });
    const picture = pngOf();
    const looks = { writes: 'nothing' } as const;
    model.plays(call('read', { path: 'sum.js' }), REPORT);
    const first = await run({ ...looks, picture });
    model.plays(REPORT);
    await run({ ...looks, picture, session: first.session, prompt: 'Again.\n' });
    expect(model.requests).toHaveLength(3);
    for (const { body } of model.requests) {
      expect(text(body)).toContain(form);
      expect(text(body).split(picture.toString('base64'))).toHaveLength(2);
    }
    model.plays(REPORT);
    await run({ ...looks, prompt: 'Without.\n' });
    expect(text(model.requests.at(-1)?.body)).not.toContain('image/png');
  });

  test('E9: a map stands in the first turn of a conversation, within what the first turn may hold', async () => {
    const { run, model } = await createBuiltin();
    const asked: number[] = [];
    const map = (tokens: number) => {
      asked.push(tokens);
      return Promise.resolve({ text: 'A map: sum.js, 1 export const sum', tokens: 9, files: ['sum.js'] });
    };
    model.plays(MENDS, REPORT);
    const first = await run({ map });
    expect(text(model.requests[0]?.body)).toContain('A map: sum.js');
    expect(text(model.requests[1]?.body)).toContain('A map: sum.js');
    model.plays(REPORT);
    await run({ map, session: first.session, prompt: 'Again.\n' });
    expect(text(model.requests[2]?.body).split('A map: sum.js')).toHaveLength(2);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeGreaterThan(4_000);
    expect(asked[0]).toBeLessThanOrEqual(6_000);
    model.plays(REPORT);
    await run({ map, prompt: 'x'.repeat(50_000) });
    expect(asked).toHaveLength(1);
  });

  test('E16: neither the key nor a token of the model is anywhere in the box', async () => {
    const { run, model, at } = await createBuiltin(undefined, { level: BEST });
    const look =
      "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; cat /proc/*/cmdline | tr '\\0' ' '; grep -rsl agentpr- $HOME; true";
    model.plays(call('run', { command: look }), REPORT);
    await run({ writes: 'nothing', ask: () => Promise.resolve({ kind: 'allow' }) });
    const told = text(model.requests[1]?.body);
    expect(told).toContain('PATH=');
    for (const secret of [KEY, KEY.slice(10, 24)]) expect(told).not.toContain(secret);
    expect(told).not.toMatch(/agentpr-[A-Za-z0-9_-]{20}/);
    expect(new Set(model.requests.map(({ key }) => key))).toEqual(new Set([KEY]));
    const found = spawnSync('grep', [
      '-rl',
      '-e',
      KEY,
      '-e',
      'agentpr-[A-Za-z0-9_-]\{20\}',
      at.home,
      at.workspace,
    ]);
    expect(String(found.stdout)).toBe('');
  });

  test('E3: changes nothing in a round that may only look', async () => {
    const { run, read, model } = await createBuiltin(undefined, { level: BEST });
    model.plays(MENDS, call('run', { command: 'echo spoilt >sum.js' }), REPORT);
    expect(await run({ writes: 'nothing' })).toMatchObject({ outcome: 'completed' });
    expect(text(model.requests[1]?.body)).toContain('there is no tool “patch”');
    expect(read('sum.js')).toContain('a - b');
  });
});

describe('E9: bad input', () => {
  const INVALID: readonly [what: string, turn: Turn, says: string][] = [
    [
      'a tool that does not exist',
      call('delete_everything', { path: '/' }),
      'there is no tool “delete_everything”; there are read, list',
    ],
    ['an input that is not valid', call('read', { file: 'sum.js' }), 'Nothing was done: read: '],
    [
      'a report with an action',
      { ...call('read', { path: 'sum.js' }), say: JSON.stringify(REPORT.report) },
      'you reported that you are done and called a tool as well',
    ],
    ['words alone', { say: 'I will look into it.' }, 'You called no tool and gave no report'],
    [
      'one bad call among good ones',
      {
        calls: [
          { name: 'read', input: { path: 'sum.js' } },
          { name: 'nope', input: {} },
        ],
      },
      'there is no tool “nope”',
    ],
  ];
  test('each invalid thought does nothing, and the model is told why', async () => {
    const { run, model, asked } = await createBuiltin();
    const looks = call('read', { path: 'sum.js' });
    // Three of them in a row would end the round.
    const turns = INVALID.flatMap(([, turn], i) => (i % 2 === 1 ? [turn, looks] : [turn]));
    model.plays(...turns, MENDS, REPORT);
    expect(await run()).toMatchObject({ outcome: 'completed' });
    for (const [what, turn, says] of INVALID)
      expect(text(model.requests[turns.indexOf(turn) + 1]?.body), what).toContain(says);
    expect(asked.map(({ tool }) => tool)).toEqual([
      ...turns.filter((turn) => turn === looks).map(() => 'read'),
      'edit',
    ]);
  });

  test('E5: three invalid thoughts in a row end the round', async () => {
    const { run, model } = await createBuiltin();
    model.plays({ say: 'Well.' });
    expect((await run()).failure).toMatchObject({
      class: 'invalid_output',
      message: expect.stringContaining('3 times in a row') as string,
    });
    expect(model.requests).toHaveLength(3);
  });

  test('patches outside of the tree, through links and of what is no text write nothing', async () => {
    const { run, at, model } = await createBuiltin(undefined, { level: BEST });
    const outside = path.join(at.home, 'outside.txt');
    writeFileSync(outside, 'safe\n');
    symlinkSync(outside, path.join(at.workspace, 'link.txt'));
    symlinkSync(at.home, path.join(at.workspace, 'way'));
    writeFileSync(path.join(at.workspace, 'blob.bin'), Buffer.from([0, 1, 2, 255]));
    const tries: [string, string][] = [
      ['../home/outside.txt', 'outside the workspace'],
      ['/etc/passwd', 'outside the workspace'],
      ['.git/config', 'outside the workspace'],
      ['link.txt', 'symbolic link'],
      ['way/outside.txt', 'symbolic link'],
      ['blob.bin', 'no text in UTF-8'],
    ];
    model.plays(...tries.map(([file]) => edit(file, 'safe', 'spoilt')), MENDS, REPORT);
    expect(await run()).toMatchObject({ outcome: 'completed' });
    tries.forEach(([, says], i) => expect(text(model.requests[i + 1]?.body)).toContain(says));
    expect(readFileSync(outside, 'utf8')).toBe('safe\n');
  });

  test('E12: a model that says it is done without a change is told so, and believed the second time', async () => {
    const { run, at, model } = await createBuiltin();
    execFileSync(
      'sh',
      ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm base'],
      { cwd: at.workspace },
    );
    model.plays(REPORT, MENDS, REPORT);
    expect(await run()).toMatchObject({ outcome: 'completed' });
    expect(text(model.requests[1]?.body)).toContain('no file changed in this round');
    const idle = await createBuiltin();
    execFileSync(
      'sh',
      ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm base'],
      { cwd: idle.at.workspace },
    );
    idle.model.plays(REPORT);
    expect(await idle.run()).toMatchObject({ outcome: 'completed' });
    expect(idle.model.requests).toHaveLength(2);
  });

  test('E12: what an earlier round changed is no proof that this one did', async () => {
    const { run, at, model } = await createBuiltin();
    execFileSync(
      'sh',
      ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm base'],
      { cwd: at.workspace },
    );
    model.plays(MENDS, REPORT);
    const { session } = await run();
    const before = model.requests.length;
    model.plays(REPORT);
    expect(await run({ session })).toMatchObject({ outcome: 'completed' });
    expect(model.requests).toHaveLength(before + 2);
    expect(text(model.requests.at(-1)?.body)).toContain('no file changed in this round');
  });

  test('E12: what an unfinished round changed is of the one that goes on', async () => {
    const { run, at, model } = await createBuiltin();
    execFileSync(
      'sh',
      ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm base'],
      { cwd: at.workspace },
    );
    model.plays(MENDS, { status: 401, message: 'Incorrect API key provided' });
    const { session } = await run();
    const before = model.requests.length;
    model.plays(REPORT);
    expect(await run({ session })).toMatchObject({ outcome: 'completed' });
    expect(model.requests).toHaveLength(before + 1);
  });

  test('files that a person changed and did not commit are left alone', async () => {
    const { run, at, read, write, model } = await createBuiltin();
    execFileSync(
      'sh',
      ['-c', 'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm base'],
      { cwd: at.workspace },
    );
    write('sum.js', 'export const sum = (a, b) => a - b; // mine\n');
    model.plays(
      edit('sum.js', 'export const sum = (a, b) => a - b; // mine', 'spoilt'),
      edit('sum.test.js', 'sum(1, 2), 3', 'sum(1, 2), -1'),
      REPORT,
    );
    const first = await run();
    expect(first).toMatchObject({ outcome: 'completed' });
    expect(text(model.requests[1]?.body)).toContain('sum.js has changes of a person');
    expect(read('sum.js')).toContain('// mine');
    // What it changed itself stays its own.
    model.plays(edit('sum.test.js', 'sum(1, 2), -1', 'sum(1, 2), 3'), REPORT);
    expect(await run({ session: first.session })).toMatchObject({ outcome: 'completed' });
    expect(read('sum.test.js')).toContain('sum(1, 2), 3');
  });

  test('at most 20 turns, and the model is told when few are left', async () => {
    const { run, model } = await createBuiltin();
    let n = 0;
    model.answers(() => call('read', { path: 'sum.js', from: (n += 1) }));
    expect((await run()).failure).toMatchObject({
      class: 'budget_exceeded',
      message: expect.stringContaining('all of its 20 turns') as string,
    });
    expect(model.requests).toHaveLength(20);
    expect(text(model.requests[19]?.body)).toContain('(1 turn is left.)');
  });

  test('a long conversation is cut to what the model reads, and one that cannot be is not sent', async () => {
    const { run, write, model } = await createBuiltin([
      '-m',
      'scripted-model',
      '--context',
      '12000',
      '--output',
      '2000',
    ]);
    write('long.txt', `${'word '.repeat(150)}\n`.repeat(20));
    let n = 0;
    model.answers(() => ((n += 1) > 12 ? REPORT : call('read', { path: 'long.txt', from: n })));
    expect(await run()).toMatchObject({ outcome: 'completed' });
    const sizes = model.requests.map(({ body }) => text(body).length);
    expect(Math.max(...sizes)).toBeLessThan(12_000 * 4);
    expect(text(model.requests.at(-1)?.body)).toContain('Mend the test.');
    expect(text(model.requests.at(-1)?.body)).toMatch(
      /of this older answer are left out|Earlier turns are left out/,
    );
    const before = model.requests.length;
    expect((await run({ prompt: 'x '.repeat(40_000) })).failure).toMatchObject({ class: 'context_exceeded' });
    expect(model.requests).toHaveLength(before);
  });
});

describe('E10, P4: what the governor says', () => {
  test('a denied command is not run, its reason reaches the model, and the lineage tells what came in its place', async () => {
    const { run, at, model } = await createBuiltin();
    model.plays(call('run', { command: 'touch here' }), call('run', { command: 'true' }), MENDS, REPORT);
    const done = await run({
      ask: ({ command }) =>
        Promise.resolve(
          command === 'touch here' ? { kind: 'deny', reason: 'ana said no: not here' } : { kind: 'allow' },
        ),
    });
    expect(done).toMatchObject({ outcome: 'completed' });
    expect(existsSync(path.join(at.workspace, 'here'))).toBe(false);
    expect(text(model.requests[1]?.body)).toContain('Denied: ana said no: not here');
    expect(done.transcript).toContain('1.1 run $ touch here · rejected by policy: ana said no: not here');
    expect(done.transcript).toContain('2.1 run $ true · approved by policy · after 1.1 · in place of 1.1');
  });

  test('a command that a person changed runs as they wrote it, and the model and the lineage say so', async () => {
    const { run, at, model } = await createBuiltin();
    model.plays(call('run', { command: 'touch mine' }), MENDS, REPORT);
    const put = { kind: 'modified', input: '{"command":"touch theirs"}', by: 'Ana' } as const;
    const done = await run({
      ask: ({ command }) => Promise.resolve(command === null ? { kind: 'allow' } : put),
    });
    expect(done).toMatchObject({ outcome: 'completed' });
    expect(['mine', 'theirs'].map((name) => existsSync(path.join(at.workspace, name)))).toEqual([
      false,
      true,
    ]);
    expect(text(model.requests[1]?.body)).toContain('Ana had this run instead: $ touch theirs');
    expect(done.transcript).toContain('1.1 run $ touch theirs · modified by Ana');
  });

  test('where a person is to be asked the turn ends, nothing more is done, and the session goes on afterwards', async () => {
    const { run, at, model } = await createBuiltin();
    model.plays({
      calls: [
        { name: 'run', input: { command: 'touch here' } },
        { name: 'run', input: { command: 'touch there' } },
      ],
    });
    const first = await run({ ask: () => Promise.resolve({ kind: 'wait' }) });
    expect(first).toMatchObject({
      failure: { class: 'permission_denied' },
      session: { id: expect.any(String) as string },
    });
    expect([
      existsSync(path.join(at.workspace, 'here')),
      existsSync(path.join(at.workspace, 'there')),
    ]).toEqual([false, false]);
    model.plays(call('run', { command: 'touch here' }), REPORT);
    const second = await run({ session: first.session, prompt: 'You may do this, once.\n' });
    expect(second).toMatchObject({ outcome: 'completed', session: { id: first.session?.id } });
    expect(existsSync(path.join(at.workspace, 'here'))).toBe(true);
  });
});

describe('E5: what the model’s side can do', () => {
  const failureOf = async (
    ...turns: Parameters<Awaited<ReturnType<typeof createBuiltin>>['model']['plays']>
  ) => {
    const { run, model } = await createBuiltin();
    model.plays(...turns);
    return (await run()).failure;
  };

  test.each([
    [{ status: 401, message: 'Incorrect API key provided' }, 'auth_missing'],
    [{ status: 404, message: 'The model `x` does not exist' }, 'bad_config'],
    [{ status: 429, message: 'Rate limit reached', retryAfter: 30 }, 'rate_limited'],
    [
      { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
      'quota_exhausted',
    ],
    [{ status: 503, message: 'Overloaded' }, 'model_unavailable'],
    [{ status: 400, message: 'too long', code: 'context_length_exceeded' }, 'context_exceeded'],
    [{ cut: true as const }, 'model_unavailable'],
  ])('%j is classed as %s', async (turn, of) => {
    const found = await failureOf(turn);
    expect(found).toMatchObject({ class: of });
    expect(found?.message).not.toMatch(/[{}]/);
    if ('retryAfter' in turn) expect(found?.retryAt).toBeGreaterThan(Date.now() + 20_000);
  });

  test('without a key, and without the name of a model, it says what to set', async () => {
    const { run } = await createBuiltin([]);
    expect((await run()).failure).toMatchObject({
      class: 'bad_config',
      message: expect.stringContaining('No model is named') as string,
    });
  });

  test('E6: stops at its budget, by the gateway’s count', async () => {
    const { run, model } = await createBuiltin();
    let n = 0;
    model.answers(() => call('read', { path: 'sum.js', from: (n += 1) }));
    const done = await run({ left: { tokens: 12_000, costUsd: null } });
    expect(done.failure).toMatchObject({ class: 'budget_exceeded' });
    expect(model.requests.length).toBeLessThan(20);
  });

  test('the same call ten times in a row is a circle', async () => {
    const { run, model } = await createBuiltin();
    model.plays(call('read', { path: 'sum.js' }));
    expect((await run()).failure).toMatchObject({
      class: 'budget_exceeded',
      message: expect.stringContaining('same call 10 times') as string,
    });
  });

  test('L6: a conversation that is gone is told as such', async () => {
    const { run } = await createBuiltin();
    const lost = await run({
      session: { id: 'nowhere', usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 } },
    });
    expect(lost).toMatchObject({ failure: { class: 'session_lost' }, session: null });
  });

  test('a command that never ends is stopped, and a round that is stopped leaves nothing', async () => {
    const { run, model, at } = await createBuiltin();
    mkdirSync(path.join(at.workspace, 'x'));
    model.plays(call('run', { command: 'sleep 300', seconds: 1 }), REPORT);
    await run({ writes: 'nothing' });
    expect(text(model.requests[1]?.body)).toContain('It was stopped after 1 s.');
    model.plays({ silent: true });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    expect(await run({ signal: stop.signal })).toMatchObject({ failure: { class: 'cancelled' } });
  });
});

describe('E5: a model’s server that speaks nonsense', () => {
  const against = async (plays: (response: ServerResponse) => void) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => plays(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const { run, read } = await createBuiltin(undefined, { at: `http://127.0.0.1:${port}/v1` });
    return { done: await run(), read };
  };
  const stream = (response: ServerResponse, lines: readonly string[]): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const line of lines) response.write(`data: ${line}\n\n`);
  };

  test.each([
    ['garbage in place of events', ['{"choices": [{', 'null', '[]', 'not json']],
    ['events of another kind', ['{"hello": "world"}', '[DONE]']],
    ['nothing at all', []],
  ])('%s ends the round in a class, and changes nothing', async (_, lines) => {
    const { done, read } = await against((response) => {
      stream(response, lines);
      response.end();
    });
    expect(done.failure?.class).toMatch(/^(model_unavailable|invalid_output)$/);
    expect(read('sum.js')).toContain('a - b');
  });

  const call = (args: string) => ({
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'patch', arguments: args },
  });
  const piece = (delta: object, finish: string | null): string =>
    JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish }],
    });
  test.each([
    ['arguments that are no JSON', piece({ tool_calls: [call('{"patch": "sum.js')] }, 'tool_calls')],
    ['arguments of another form', piece({ tool_calls: [call('["sum.js"]')] }, 'tool_calls')],
    ['an answer cut at its length', piece({ tool_calls: [call('{"patch":"x"}')] }, 'length')],
    ['an empty answer', piece({ content: '' }, 'stop')],
  ])('%s counts for nothing, and ends the round when it comes three times', async (_, line) => {
    const { done, read } = await against((response) => {
      stream(response, [line, '[DONE]']);
      response.end();
    });
    expect(done.failure).toMatchObject({
      class: 'invalid_output',
      message: expect.stringContaining('3 times in a row') as string,
    });
    expect(read('sum.js')).toContain('a - b');
  });

  test('an answer without end is cut off, and three of them end the round', async () => {
    const piece = JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [
        { index: 0, delta: { role: 'assistant', content: 'word '.repeat(20_000) }, finish_reason: null },
      ],
    });
    const { done } = await against((response) => {
      response.on('error', () => {});
      stream(response, []);
      const more = setInterval(() => void response.write(`data: ${piece}\n\n`), 2);
      response.on('close', () => clearInterval(more));
    });
    expect(done.failure).toMatchObject({
      class: 'invalid_output',
      message: expect.stringContaining('your answer was cut off') as string,
    });
  });
});

test('E9: nothing of the SDKs is loaded before a run uses the engine', () => {
  const script = `const { createEngines } = await import('./executors/engines/engines.ts');
    createEngines({ sandbox: { level: 'group' } }, { env: {}, home: '/' });
    process.stdout.write(JSON.stringify([...new Set(globalThis.__loaded)].filter((url) => /node_modules\\/(ai|@ai-sdk)\\//.test(url))));`;
  const hooks = `import { registerHooks } from 'node:module'; globalThis.__loaded = [];
    registerHooks({ load: (url, context, next) => { globalThis.__loaded.push(url); return next(url, context); } });`;
  const seen = execFileSync(
    process.execPath,
    [
      '--no-warnings',
      '--import',
      `data:text/javascript,${encodeURIComponent(hooks)}`,
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', cwd: path.join(import.meta.dirname, '../../..') },
  );
  expect(seen).toBe('[]');
});
