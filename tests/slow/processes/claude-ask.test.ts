/** E10: the engine `claude-ask`, with a program in place of claude that speaks its control protocol. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeAsk } from '../../../executors/engines/claude/claude-ask.ts';
import { createAgentExecutor } from '../../../executors/engines/shared/run-engine.ts';
import type { PermissionAnswer, PermissionRequest } from '#ports/processes';
import { createBench } from '../../support/agent-round.ts';

const ID = 'c9ad8a95-a798-487f-93d1-985f260138a0';

/** `turn` is what it does with its prompt. */
const program = (turn: string): string => String.raw`#!/usr/bin/env node
const fs = require('node:fs');
fs.writeFileSync(process.env.HOME + '/argv.json', JSON.stringify(process.argv.slice(2)));
const send = (message) => process.stdout.write(JSON.stringify(message) + '\n');
const waiting = new Map();
let next = 0;
const control = (request) => {
  const request_id = 'r' + ++next;
  send({ type: 'control_request', request_id, request });
  return new Promise((resolve) => waiting.set(request_id, resolve));
};
const permit = async (tool_name, input) => (await control({ subtype: 'can_use_tool', tool_name, input })).response;
const bash = async (command, more) => {
  const said = await permit('Bash', { command, description: 'Looks around', ...more });
  if (said?.behavior === 'allow') require('node:child_process').execSync(said.updatedInput.command);
  return said;
};
const result = (more) => send({ type: 'result', subtype: 'success', is_error: false, session_id: '${ID}', total_cost_usd: 0.01,
  usage: { input_tokens: 1000, output_tokens: 80 }, structured_output: { status: 'done', summary: 'all is well', ran: [] }, ...more });
const told = (value) => fs.writeFileSync('told', JSON.stringify(value));
const turn = async (text) => { ${turn} };
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_response') return waiting.get(message.response.request_id)?.(message.response);
  send({ type: 'system', subtype: 'init', session_id: '${ID}', model: 'claude-opus-5-5' });
  await turn(message.message.content);
}).on('close', () => process.exit(0));
`;

const stage = (turn: string) =>
  createBench(
    (all) => createAgentExecutor(claudeAsk, all),
    (at) => {
      const command = path.join(at.dataDir, 'claude-ask');
      writeFileSync(command, program(turn), { mode: 0o755 });
      return { command, tools: [path.dirname(process.execPath)] };
    },
    'group',
  );

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

describe('a round of claude that asks', () => {
  it('E4: gets its prompt as a message, and ends with report, session and usage', async () => {
    const { run, read } = await stage(`told(text); result();`);
    const done = await run({ prompt: 'Do it — now.\n' });
    expect(done).toMatchObject({
      outcome: 'completed',
      failure: null,
      summary: 'all is well',
      model: 'claude-opus-5-5',
      session: { id: ID },
      usage: { inputTokens: 1000, outputTokens: 80, costUsd: 0.01 },
    });
    expect(JSON.parse(read('told'))).toBe('Do it — now.\n');
  });

  it('E10: asks before it runs a command, by what it hands to its tool and not by what it says', async () => {
    const { asked, ask } = judge(ALLOW, DENY);
    const { run, read } = await stage(
      `const yes = await bash('touch made'); const no = await bash('curl x.y'); told([yes, no]); result();`,
    );
    expect(await run({ ask })).toMatchObject({ outcome: 'completed' });
    expect(read('made')).toBe('');
    expect(asked[0]).toEqual({
      tool: 'execute',
      input: '{"command":"touch made"}',
      command: 'touch made',
      files: null,
      editable: true,
    });
    expect(JSON.parse(read('told'))).toMatchObject([
      { behavior: 'allow', updatedInput: { command: 'touch made' } },
      { behavior: 'deny', message: 'It reaches the network.' },
    ]);
  });

  it('P4: runs what a person put in place of its command', async () => {
    const { ask } = judge({ kind: 'modified', input: '{"command":"touch theirs"}', by: 'Ana' });
    const { run, at } = await stage(`await bash('touch mine', { timeout: 5 }); result();`);
    expect(await run({ ask })).toMatchObject({ outcome: 'completed' });
    expect(['mine', 'theirs'].map((name) => existsSync(path.join(at.workspace, name)))).toEqual([
      false,
      true,
    ]);
  });

  it('E10: knows files of the workspace, and what is more than a command', async () => {
    const { asked, ask } = judge(DENY);
    const { run } = await stage(`const here = process.cwd();
      await permit('Edit', { file_path: here + '/sum.js', old_string: 'a', new_string: 'b' });
      await permit('Write', { file_path: '/etc/passwd', content: '' });
      await permit('Write', { file_path: here + '/.git/config', content: '' });
      await permit('NotebookEdit', { notebook_path: here + '/a.ipynb', new_source: '' });
      await permit('Bash', { command: 'ls', dangerouslyDisableSandbox: true });
      await permit('Bash', { command: 'npm test', timeout: 5000, run_in_background: true });
      await permit('WebFetch', { url: 'https://x.y' }); result();`);
    await run({ ask });
    expect(asked.map(({ tool, command, files }) => [tool, command, files])).toEqual([
      ['edit', null, ['sum.js']],
      ['edit', null, null],
      ['edit', null, null],
      ['edit', null, ['a.ipynb']],
      ['execute', null, null],
      ['execute', 'npm test', null],
      ['WebFetch', null, null],
    ]);
  });

  it('E10: its turn ends when a person is asked: nothing is allowed beside it, or after it', async () => {
    const { asked, ask } = judge(WAIT, ALLOW);
    const { run, read } = await stage(
      `const both = await Promise.all([bash('touch one'), bash('touch two')]);
      told([...both, await bash('touch three')]); result({ subtype: 'error_during_execution', is_error: true });`,
    );
    const done = await run({ ask });
    expect(done).toMatchObject({ failure: { class: 'permission_denied' }, session: { id: ID } });
    expect(done.usage.inputTokens).toBe(1000);
    expect(asked).toHaveLength(1);
    const said = JSON.parse(read('told')) as { behavior: string; interrupt: boolean }[];
    expect(said.map(({ behavior, interrupt }) => [behavior, interrupt])).toEqual(
      Array.from({ length: 3 }, () => ['deny', true]),
    );
  });

  it('E10: is denied where nobody can be asked, and when it asks for the same thing 1,000 times', async () => {
    const alone = await stage(`told(await bash('touch made')); result();`);
    await alone.run();
    expect(alone.read('told')).toContain('Nobody can be asked');
    const { asked, ask } = judge(DENY);
    const { run } = await stage(`for (let i = 0; i < 1000; i += 1) await bash('curl x.y'); result();`);
    expect((await run({ ask })).failure).toMatchObject({
      class: 'permission_denied',
      message: expect.stringContaining('more than 60 times') as string,
    });
    expect(asked.length).toBeLessThanOrEqual(60);
  });

  it('E10: is no yes when it dies in its question, or asks what nobody can read', async () => {
    const { ask } = judge(ALLOW);
    const dead = await stage(`void bash('touch made'); process.exit(0);`);
    expect((await dead.run({ ask })).failure).toMatchObject({ class: 'crashed' });
    expect(() => dead.read('made')).toThrow();
    const odd = await stage(`told([await control({ subtype: 'can_use_tool', tool_name: 'Bash', input: 'ls' }),
      await control({ subtype: 'hook_callback' })]); result();`);
    await odd.run({ ask });
    expect(JSON.parse(odd.read('told'))).toMatchObject([
      { response: { behavior: 'deny' } },
      { subtype: 'error' },
    ]);
  });

  it('E11: loads no settings: a command could have allowed itself everything in them', async () => {
    const { run, at } = await stage('result();');
    await run();
    const argv = JSON.parse(readFileSync(path.join(at.home, 'argv.json'), 'utf8')) as string[];
    expect(argv[argv.indexOf('--setting-sources') + 1]).toBe('');
    expect(argv[argv.indexOf('--permission-mode') + 1]).toBe('default');
    expect(argv).not.toContain('--dangerously-skip-permissions');
  });
});
