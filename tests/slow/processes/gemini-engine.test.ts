/** E4, E5, E10, E11, L6: the gemini engine, by what the real gemini 0.61.0 said to a scripted model. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { GEMINI_AGENT, geminiCli } from '../../../executors/engines/acp/gemini.ts';
import {
  AcpPermissionRequest,
  fromAcpPermissionRequest,
} from '../../../executors/engines/acp/acp-permission-request.ts';
import type { PermissionRequest } from '#ports/processes';
import { createAcpStage } from '../../support/acp-agent.ts';
import { createPlayerStage } from '../../support/acp-player.ts';

const NOT_USED = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const judge = () => {
  const asked: PermissionRequest[] = [];
  const ask = (request: PermissionRequest) => {
    asked.push(request);
    return Promise.resolve({ kind: 'allow' } as const);
  };
  return { asked, ask };
};

describe('a round of gemini', () => {
  it('E4, E10: asks before each command, edits without, and ends with its report and what it used', async () => {
    const { run, heard } = await createPlayerStage('gemini-fix-tests', geminiCli);
    const { asked, ask } = judge();
    const done = await run({ ask, prompt: 'Mend it.' });
    expect(done).toMatchObject({
      outcome: 'completed',
      failure: null,
      summary: 'sum adds now',
      model: 'scripted-model',
      usage: { inputTokens: 4_800, outputTokens: 240 },
    });
    const test = 'node --test 2>&1';
    const execute = { tool: 'execute', input: JSON.stringify({ command: test }), command: test, files: null };
    expect(asked).toEqual([execute, execute]);
    const methods = heard().flatMap(({ method }) => method ?? []);
    expect(methods).toEqual(['initialize', 'session/new', 'session/set_mode', 'session/prompt']);
    expect(heard()[2]?.params).toMatchObject({ modeId: 'autoEdit' });
    const answers = heard().flatMap(({ result }) => (result === undefined ? [] : [result]));
    expect(answers).toEqual(Array(2).fill({ outcome: { outcome: 'selected', optionId: 'proceed_once' } }));
  });

  it('L6: resumes its session, whose history that it tells again does not count', async () => {
    const { run, heard } = await createPlayerStage('gemini-resume', geminiCli);
    const { asked, ask } = judge();
    const usage = { inputTokens: 4_800, outputTokens: 240, costUsd: 0 };
    const done = await run({ ask, session: { id: 'f1d951c9-3ae1-4e31-aa1d-b572a0fe93ce', usage } });
    expect(done).toMatchObject({
      outcome: 'completed',
      summary: 'sum adds now',
      usage: { inputTokens: 2_400 },
      session: { usage: { inputTokens: 7_200 } },
    });
    expect(heard()[1]).toMatchObject({ method: 'session/load' });
    // `ls` is one of those that it runs without a question.
    expect(asked).toEqual([]);
    expect(done.told).toEqual(['ls']);
  });

  it.each([
    ['a key that is not valid', 'gemini-auth', 'auth_missing'],
    ['a limit that passes', 'gemini-rate', 'rate_limited'],
    ['a provider that is overloaded', 'gemini-unavailable', 'model_unavailable'],
    ['a model that is not there', 'gemini-model', 'bad_config'],
    ['a conversation that is too long', 'gemini-context', 'context_exceeded'],
  ])('E5: tells %s', async (_what, name, of) => {
    const { run } = await createPlayerStage(name, geminiCli);
    const { failure } = await run();
    expect(failure).toMatchObject({ class: of });
    // "Suggested retry after 34.5s."
    expect(failure?.retryAt).toEqual(name === 'gemini-rate' ? expect.any(Number) : null);
  });
});

describe('what gemini asks to do', () => {
  const asks = (told: string, more: object = {}) => {
    const content = [{ type: 'content', content: { type: 'text', text: told } }];
    const call = { toolCallId: 'c', kind: 'execute', title: 'npm test', content, ...more };
    const read = fromAcpPermissionRequest(
      AcpPermissionRequest.parse({ toolCall: call, options: [] }),
      null,
      '/ws',
      GEMINI_AGENT,
    );
    if ('unshown' in read) throw new Error(read.unshown);
    return read;
  };

  it('E10: is a command alone only in the workspace itself, whatever else is told with it', () => {
    expect(asks('[current working directory /ws]').command).toBe('npm test');
    expect(asks('[current working directory /ws] (Runs the tests) [background]').command).toBe('npm test');
    for (const told of [
      '',
      '[in /etc]',
      '[in sub] [current working directory /ws]',
      '[current working directory /wsx]',
    ])
      expect(asks(told)).toMatchObject({ command: null, files: null });
    expect(asks('', { kind: 'edit' })).toMatchObject({
      command: null,
      files: null,
      input: '{"title":"npm test"}',
    });
    expect(asks('[current working directory /ws]', { content: null }).command).toBeNull();
  });
});

describe('how gemini is started', () => {
  const REPLAYS = `report(); return 'end_turn';`;
  const MODES = { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'autoEdit' }] };
  const stage = (start: object = {}) =>
    createAcpStage({ turn: REPLAYS, start, session: { modes: MODES } }, { args: ['-m', 'm'] }, geminiCli);

  it('E11: with settings of ours, and without what an agent left in its HOME', async () => {
    const { run, at } = await stage();
    for (const file of [
      '.env',
      '.gemini/.env',
      '.gemini/GEMINI.md',
      '.gemini/extensions/x/gemini-extension.json',
    ]) {
      mkdirSync(path.dirname(path.join(at.home, file)), { recursive: true });
      writeFileSync(path.join(at.home, file), 'GEMINI_SYSTEM_MD=x');
    }
    expect(await run()).toMatchObject({ outcome: 'completed' });
    for (const file of ['.env', '.gemini/.env', '.gemini/GEMINI.md', '.gemini/extensions'])
      expect(existsSync(path.join(at.home, file)), file).toBe(false);
    const settings = readFileSync(path.join(at.home, '.gemini/settings.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({
      hooksConfig: { enabled: false },
      telemetry: { enabled: false },
    });
  });

  it('L6, E3: gives the file of its conversation a name that it does not begin anew, and follows no link', async () => {
    const { run, at } = await stage({ agentCapabilities: { loadSession: true } });
    const chats = path.join(at.home, '.gemini/tmp/ws/chats');
    const outside = path.join(at.dataDir, 'outside');
    mkdirSync(chats, { recursive: true });
    mkdirSync(path.join(outside, 'chats'), { recursive: true });
    const name = (at: string, id = '0123abcd') => `session-${at}-${id}.jsonl`;
    for (const dir of [chats, path.join(outside, 'chats')])
      for (const one of ['2026-11-27T23-50', '2026-11-27T23-52'])
        writeFileSync(path.join(dir, name(one)), one);
    writeFileSync(path.join(chats, name('2026-11-27T23-50', 'ffffffff')), 'of another');
    symlinkSync(outside, path.join(at.home, '.gemini/tmp/linked'));
    await run({ session: { id: '0123abcd-1', usage: NOT_USED } });
    expect(readdirSync(chats).sort()).toEqual([name('0'), name('2026-11-27T23-50', 'ffffffff')]);
    expect(readFileSync(path.join(chats, name('0')), 'utf8')).toBe('2026-11-27T23-50');
    expect(readdirSync(path.join(outside, 'chats'))).toHaveLength(2);
  });
});
