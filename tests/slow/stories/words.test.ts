/**
 * E21 through the real process: a reply to a progress message reaches the agent while it works, after
 * its turn, or after a SIGKILL, and its model once.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { acpAgent } from '../../support/acp-agent.ts';
import { cardFor, tapOn } from '../../support/approves.ts';
import { call, edit } from '../../support/builtin-round.ts';
import { createFakeModel } from '../../support/fake-model.ts';
import { withButton } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { saysNow, tellsAgent } from '../../support/steering.ts';

const REPO = 'acme/words';
const WORDS = 'HELPER-WORDS: greet in lower case';
const CHECK = 'check="grep -q hello hello.txt"';
const FILES = { 'hello.txt': 'Hello\n', 'README.md': 'x\n' };
const times = (whole: unknown): number => JSON.stringify(whole).split('HELPER-WORDS').length - 1;

let product: Product;
afterEach(() => product.close());

const begin = async (): Promise<void> => {
  await product.github.addRepo({ owner: 'acme', name: 'words', from: FILES });
  product.start();
};

const words = () => product.run(REPO)?.agent.operatorWords ?? [];

it('E21: words to builtin wait on the progress message through a SIGKILL, and reach its model once', async () => {
  const model = await createFakeModel();
  product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  await begin();
  const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };
  // The second answer never comes, and so the turn is under way while a person writes.
  model.answers(() => (model.requests.length === 1 ? call('read', { path: 'hello.txt' }) : { silent: true }));
  product.ana.sends(`/new ${REPO} Greet somebody ${CHECK}`);
  await expect.poll(() => model.requests.length, { timeout: PATIENCE }).toBe(2);
  await tellsAgent(product, REPO, WORDS);
  expect(words()).toMatchObject([{ no: 1, by: 'Ana', when: 'after' }]);
  await product.kill();
  // The model has them in its third request, and the process dies before it answers.
  model.answers(() => ({ silent: true }));
  product.start();
  await expect.poll(() => model.requests.length, { timeout: PATIENCE }).toBe(3);
  await product.kill();
  const isDone = (body: unknown): boolean => JSON.stringify(body).includes('Written: hello.txt');
  model.answers(({ messages }) => (isDone(messages) ? REPORT : edit('hello.txt', 'Hello', 'hello')));
  product.start();
  await cardFor(product.ana, REPO);
  expect(words()).toMatchObject([{ no: 1, delivered: { how: 'prompt' } }]);
  expect(model.requests.map(({ body }) => times(body))).toEqual([
    0,
    0,
    ...model.requests.slice(2).map(() => 1),
  ]);
  await model.close();
});

it('E21: builtin has the notes of its repository, and hears within its turn what is to be said now', async () => {
  const model = await createFakeModel();
  product = await createProduct({
    config: { engines: { builtin: { args: ['-m', 'scripted-model'] } } },
    env: { AGENTPR_ENGINE: 'builtin', OPENAI_API_KEY: 'sk-scripted', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  await begin();
  product.ana.sends(`/notes ${REPO} add Greetings live in hello.txt.`);
  await product.ana.waitForMessage('Greetings live in hello.txt.', { deadlineMs: PATIENCE });
  const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };
  const isDone = (body: unknown): boolean => JSON.stringify(body).includes('Written: hello.txt');
  // Its answer comes once the words are on their way.
  const isSaid = Promise.withResolvers<void>();
  model.answers(async ({ messages }) => {
    if (isDone(messages)) return REPORT;
    if (times(messages) > 0) return edit('hello.txt', 'Hello', 'hello');
    if (model.requests.length > 1) await isSaid.promise;
    return call('read', { path: 'hello.txt' });
  });
  product.ana.sends(`/new ${REPO} Greet somebody ${CHECK}`);
  await expect.poll(() => model.requests.length, { timeout: PATIENCE }).toBeGreaterThan(1);
  await tellsAgent(product, REPO, WORDS);
  await saysNow(product);
  isSaid.resolve();
  await cardFor(product.ana, REPO);
  expect(words()).toMatchObject([{ no: 1, when: 'now', delivered: { how: 'stream' } }]);
  expect(times(model.requests.at(-1)?.body)).toBe(1);
  expect(JSON.stringify(model.requests[0]?.body)).toContain('- Greetings live in hello.txt.');
  await model.close();
});

it('E21: an agent by ACP is prompted with them now; killed after it heard them, it hears them no second time', async () => {
  product = await createProduct({ env: { AGENTPR_ENGINE: 'acp' } });
  const tools = path.join(product.dir, 'tools');
  const command = path.join(tools, 'listening-agent');
  mkdirSync(tools, { recursive: true });
  // It works until it is cancelled; once it was told, it does so and never ends, until it is started again.
  const turn = `fs.appendFileSync(process.env.HOME + '/turns', '\\n== ' + text);
    const turns = fs.readFileSync(process.env.HOME + '/turns', 'utf8');
    if (!turns.includes('HELPER-WORDS')) {
      say('Looking around.');
      while (!cancelled) await new Promise((go) => setTimeout(go, 20));
      return 'cancelled';
    }
    if (text.includes('HELPER-WORDS')) {
      say('I will.');
      fs.writeFileSync('hello.txt', 'hello\\n');
      await new Promise(() => {});
    }
    report('It greets in lower case.'); return 'end_turn';`;
  writeFileSync(command, acpAgent({ turn }), { mode: 0o755 });
  writeFileSync(
    path.join(product.dir, 'agentpr.config.json'),
    JSON.stringify({
      bounds: { pollMs: 100, retryMs: 50 },
      tools: [tools, path.dirname(process.execPath)],
      network: { installs: 'shared', checks: 'shared' },
      engines: { acp: { command } },
    }),
  );
  await begin();
  product.ana.sends(`/new ${REPO} Greet somebody ${CHECK}`);
  await product.waitForState('IMPLEMENTING', REPO);
  await tellsAgent(product, REPO, WORDS);
  await saysNow(product);
  await expect.poll(() => words()[0]?.delivered?.how, { timeout: PATIENCE }).toBe('stream');
  await product.kill();
  await product.processesGone(product.processes);
  product.start();
  const card = await cardFor(product.ana, REPO);
  expect(card.text).toContain('+1');
  const heard = readFileSync(
    path.join(product.dataDir, 'runs', product.workspaces()[0] ?? '', 'home/turns'),
    'utf8',
  );
  expect(times(heard)).toBe(1);
});

it('E21: a paused agent’s edits can be read, and are kept as a card without another turn of it', async () => {
  product = await createProduct({ env: { AGENTPR_ENGINE: 'acp' } });
  const tools = path.join(product.dir, 'tools');
  const command = path.join(tools, 'endless-agent');
  mkdirSync(tools, { recursive: true });
  const turn = `fs.appendFileSync(process.env.HOME + '/turns', '\\n== turn');
    fs.writeFileSync('hello.txt', 'hello\\n'); say('Half done.'); await new Promise(() => {});`;
  writeFileSync(command, acpAgent({ turn }), { mode: 0o755 });
  writeFileSync(
    path.join(product.dir, 'agentpr.config.json'),
    JSON.stringify({
      bounds: { pollMs: 100, retryMs: 50 },
      tools: [tools, path.dirname(process.execPath)],
      network: { installs: 'shared', checks: 'shared' },
      engines: { acp: { command } },
    }),
  );
  await begin();
  const { ana } = product;
  ana.sends(`/new ${REPO} Greet somebody ${CHECK}`);
  await product.waitForState('IMPLEMENTING', REPO);
  const { id = '' } = product.run(REPO) ?? {};
  const home = path.join(product.dataDir, 'runs', product.workspaces()[0] ?? '', 'home/turns');
  await expect
    .poll(() => existsSync(home) && readFileSync(home, 'utf8').includes('turn'), { timeout: PATIENCE })
    .toBe(true);
  await expect
    .poll(() => readFileSync(path.join(product.dataDir, 'runs', id, 'ws/hello.txt'), 'utf8'), {
      timeout: PATIENCE,
    })
    .toBe('hello\n');
  ana.sends(`/diff ${id}`);
  await ana.waitForMessage(({ text }) => text.includes('it is still at work'), {
    deadlineMs: PATIENCE,
    what: 'a diff while the agent works',
  });
  ana.sends(`/pause ${id}`);
  const paused = await ana.waitForMessage(
    (message) => message.text.startsWith('PAUSED') && withButton(/^Stop and keep$/)(message),
    { deadlineMs: PATIENCE },
  );
  await product.atRest();
  ana.sends(`/diff ${id}`);
  const file = await ana.waitForMessage(
    ({ text }) => text.includes('unfinished: what the stopped agent left'),
    {
      deadlineMs: PATIENCE,
      what: 'an unfinished diff',
    },
  );
  expect(file.from).toBe('bot');
  const asked = await product.cli(['run', 'drop', id]);
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--confirm')]);
  await tapOn(ana, paused, /^Stop and keep$/);
  const card = await cardFor(ana, REPO);
  expect(card.text).toContain('+1');
  expect(readFileSync(home, 'utf8').split('== turn')).toHaveLength(2);
});

it('E21: the turn of an engine without a stream ends for them; its session goes on with its edits and the words', async () => {
  product = await createProduct({ env: { AGENTPR_ENGINE: 'codex', CODEX_API_KEY: 'sk-scripted' } });
  const tools = path.join(product.dir, 'tools');
  const command = path.join(tools, 'codex');
  mkdirSync(tools, { recursive: true });
  const program = String.raw`#!/usr/bin/env node
const fs = require('node:fs');
const prompt = fs.readFileSync(0, 'utf8');
const argv = process.argv.slice(2);
fs.appendFileSync(process.env.HOME + '/prompts', '\n== ' + (argv.includes('resume') ? 'resumed ' : 'new ') + prompt);
const say = (event) => fs.writeSync(1, JSON.stringify(event) + '\n');
const message = (text) => say({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } });
say({ type: 'thread.started', thread_id: '019a7e0c-5b7e-7c41-8ad0-3f0f9b6d2d11' });
message('Looking around.');
if (!prompt.includes('HELPER-WORDS')) { fs.writeFileSync('notes.txt', 'half done\n'); setInterval(() => {}, 1000); }
else {
  fs.writeFileSync('hello.txt', 'hello\n');
  message(JSON.stringify({ status: 'done', summary: 'It greets in lower case.', ran: [] }));
  say({ type: 'turn.completed', usage: { input_tokens: 1200, output_tokens: 80 } });
}
`;
  writeFileSync(command, program, { mode: 0o755 });
  writeFileSync(
    path.join(product.dir, 'agentpr.config.json'),
    JSON.stringify({
      bounds: { pollMs: 100, retryMs: 50 },
      tools: [tools, path.dirname(process.execPath)],
      network: { installs: 'shared', checks: 'shared' },
      engines: { codex: { command } },
    }),
  );
  await begin();
  product.ana.sends(`/new ${REPO} Greet somebody ${CHECK}`);
  await product.waitForState('IMPLEMENTING', REPO);
  await tellsAgent(product, REPO, WORDS);
  await saysNow(product);
  const card = await cardFor(product.ana, REPO);
  // Edits of the turn that was ended are part of the change.
  expect(card.text).toContain('notes.txt');
  expect(words()).toMatchObject([{ no: 1, when: 'now', delivered: { how: 'prompt' } }]);
  const home = path.join(product.dataDir, 'runs', product.workspaces()[0] ?? '', 'home/prompts');
  const prompts = readFileSync(home, 'utf8');
  expect(times(prompts)).toBe(1);
  expect(prompts.split('== ').at(-1)).toMatch(/^resumed /);
});
