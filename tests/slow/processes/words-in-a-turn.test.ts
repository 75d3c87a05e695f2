/** E21: words of an operator within a turn, by each engine that talks with its program. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { acpCli } from '../../../executors/engines/acp/acp.ts';
import { claudeCli } from '../../../executors/engines/claude/claude.ts';
import { converseByStreams } from '../../../executors/engines/claude/converse.ts';
import type { ProgramConversation } from '../../../executors/engines/shared/program-conversation.ts';
import { createAgentExecutor } from '../../../executors/engines/shared/run-engine.ts';
import { createAcpStage } from '../../support/acp-agent.ts';
import { createBench, createTestWords } from '../../support/agent-round.ts';
import { call, createBuiltin, edit, REPORT } from '../../support/builtin-round.ts';

const HELPER = 'Use the helper.';
const text = (value: unknown): string => JSON.stringify(value);
const times = (whole: string, part: string): number => whole.split(part).length - 1;

describe('claude', () => {
  const ID = 'c9ad8a95-a798-487f-93d1-985f260138a0';
  /** It reads its messages, and does `on` for each but the first, which begins its work. */
  const program = (on: string): string => String.raw`#!/usr/bin/env node
const fs = require('node:fs');
const send = (message) => process.stdout.write(JSON.stringify(message) + '\n');
const say = (text) => send({ type: 'assistant', message: { id: 'm' + Math.random(), content: [{ type: 'text', text }] } });
const replay = (content) => send({ type: 'user', isReplay: true, message: { role: 'user', content: [{ type: 'text', text: content }] } });
const result = (summary) => send({ type: 'result', subtype: 'success', is_error: false, session_id: '${ID}', total_cost_usd: 0.01,
  usage: { input_tokens: 1000, output_tokens: 80 }, structured_output: { status: 'done', summary, ran: [] } });
const told = [];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { content } = JSON.parse(line).message;
  told.push(content);
  fs.writeFileSync('told', JSON.stringify(told));
  if (told.length === 1) {
    send({ type: 'system', subtype: 'init', session_id: '${ID}', model: 'claude-opus-5-5' });
    replay(content);
    return say('Looking around.');
  }
  ${on}
}).on('close', () => process.exit(0));
`;
  const stage = (on: string, cli = claudeCli) =>
    createBench(
      (all) => createAgentExecutor(cli, all),
      (at) => {
        const command = path.join(at.dataDir, 'claude');
        writeFileSync(command, program(on), { mode: 0o755 });
        return { command, tools: [path.dirname(process.execPath)] };
      },
      'group',
    );

  it.each([
    ['within the turn', `replay(content); result('with the helper');`],
    [
      'after its report',
      `result('too early'); setTimeout(() => { replay(content); result('with the helper'); }, 50);`,
    ],
  ])('E21: gets a message in its stream, and has it %s', async (_, on) => {
    const { words, heard, say } = createTestWords();
    const { run, read } = await stage(on);
    const done = await run({
      prompt: 'Do it.',
      words,
      onEvent: ({ type }) => void (type === 'progress' && times(text(heard), '1') === 0 && say(HELPER)),
    });
    expect(done).toMatchObject({ outcome: 'completed', summary: 'with the helper', session: { id: ID } });
    expect((JSON.parse(read('told')) as string[]).slice(0, 2)).toEqual(['Do it.', HELPER]);
    expect(heard).toContain(1);
  });

  it('E21: works as long as it likes once it has heard them, and is waited for only until then', async () => {
    const unheardMs = 100;
    const patient = {
      ...claudeCli,
      converse: (talk: ProgramConversation) => converseByStreams(talk, { unheardMs }),
    };
    const { words, heard, say } = createTestWords();
    const after = `setTimeout(() => result('with the helper'), ${String(4 * unheardMs)})`;
    const { run } = await stage(`result('too early'); replay(content); ${after};`, patient);
    let said = false;
    const onEvent = ({ type }: { type: string }): void => {
      if (type !== 'progress' || said) return;
      said = true;
      say(HELPER);
    };
    expect(await run({ prompt: 'Do it.', words, onEvent })).toMatchObject({ summary: 'with the helper' });
    expect(heard).toEqual([1]);
  });
});

describe('an agent by ACP', () => {
  it('E21: goes on where it was cancelled for words that are to be said later after all', async () => {
    const { words, say } = createTestWords();
    const { run, seen } = await createAcpStage({
      turn: `if (n === 1) {
          say('Looking around.');
          while (!cancelled) await new Promise((go) => setTimeout(go, 5));
          return 'cancelled';
        }
        report(text); return 'end_turn';`,
    });
    let said = false;
    const onEvent = ({ type }: { type: string }): void => {
      if (type !== 'progress' || said) return;
      said = true;
      say(HELPER);
    };
    const none = { ...words, take: () => Promise.resolve([]) };
    const done = await run({ prompt: 'Do it.', words: none, onEvent });
    expect(done).toMatchObject({ outcome: 'completed', summary: 'Go on.', failure: null });
    expect(seen().filter(({ method }) => method === 'session/prompt')).toHaveLength(2);
  });

  it('E21: that forgets a turn that is cancelled has it ended for words, and keeps its session', async () => {
    const { words, heard, say } = createTestWords();
    const turn = `say('Looking around.'); await new Promise(() => {});`;
    const { run, seen } = await createAcpStage({ turn }, {}, { ...acpCli, forgetsCancelled: true });
    const done = await run({ words, onEvent: ({ type }) => void (type === 'progress' && say(HELPER)) });
    expect(done).toMatchObject({ interrupted: true, session: { id: 'made-1' } });
    expect(seen().some(({ method }) => method === 'session/cancel')).toBe(false);
    expect(heard).toEqual([]);
  });

  it('E21: is cancelled, and prompted with the words in the same session; its report counts', async () => {
    const { words, heard, say } = createTestWords();
    const { run, seen } = await createAcpStage({
      turn: `if (n === 1) {
          say('Looking around.');
          while (!cancelled) await new Promise((go) => setTimeout(go, 5));
          return 'cancelled';
        }
        report('with the helper'); return 'end_turn';`,
    });
    let said = false;
    const onEvent = ({ type }: { type: string }): void => {
      if (type !== 'progress' || said) return;
      said = true;
      say(HELPER);
    };
    const done = await run({ prompt: 'Do it.', words, onEvent });
    expect(done).toMatchObject({
      outcome: 'completed',
      summary: 'with the helper',
      session: { id: 'made-1' },
    });
    const prompts = seen().filter(({ method }) => method === 'session/prompt');
    expect(prompts.map(({ params }) => params)).toMatchObject([
      { sessionId: 'made-1', prompt: [{ text: 'Do it.' }] },
      { sessionId: 'made-1', prompt: [{ text: HELPER }] },
    ]);
    expect(seen().filter(({ method }) => method === 'session/cancel')).toHaveLength(1);
    expect(heard).toEqual([1]);
  });
});

describe('builtin', () => {
  it('E21: hears words before its next call of the model, once, and keeps them in its conversation', async () => {
    const { words, heard, say } = createTestWords();
    const { run, model } = await createBuiltin();
    const MENDS = edit(
      'sum.js',
      'export const sum = (a, b) => a - b;',
      'export const sum = (a, b) => a + b;',
    );
    model.plays(call('read', { path: 'sum.js' }), MENDS, REPORT);
    let said = false;
    const done = await run({
      words,
      ask: () => Promise.resolve({ kind: 'allow' }),
      onEvent: ({ type }) => {
        if (type !== 'progress' || said) return;
        said = true;
        say(HELPER);
      },
    });
    expect(done).toMatchObject({ outcome: 'completed' });
    const bodies = model.requests.map(({ body }) => times(text(body), HELPER));
    expect(bodies.slice(0, 3)).toEqual([0, 1, 1]);
    expect(heard).toEqual([1]);
    model.plays(REPORT);
    await run({ session: done.session, prompt: 'Again.\n' });
    expect(times(text(model.requests.at(-1)?.body), HELPER)).toBe(1);
  });
});
