/** E21: the page of a run shows what its agent does now, and afterwards every step of it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { NO_USAGE } from '#model/reports';
import { createBoardWorld } from '../support/board-world.ts';
import { VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const begin = async () => {
  const w = await createBoardWorld({ atEnd: onTestFinished });
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer(
    'q1',
    { type: 'command.run.create', runId: 'q1', order: anOrder({ engine: 'codex' }) },
    ...toWork,
  );
  const start = (step: string, command: string, startedAt: number) =>
    w.ledger.attempt.start({
      runId: 'q1',
      step,
      command,
      startedAt,
      engine: 'codex',
      model: null,
      promptHash: null,
      baseSha: null,
      containment: null,
      pid: null,
      pidStart: null,
    });
  const session = await w.signIn(VIC);
  return { ...w, start, read: async (path: string) => (await w.get(path, session)).text(), session };
};
const ended = { exitCode: 0, outcome: 'completed', ms: 5, stderr: '', containment: null, model: null };

describe('now', () => {
  it('E21: has what the agent does, its last lines and its cost a minute, without secrets and escapes', async () => {
    const w = await begin();
    expect(await w.read('/board/run/q1')).toContain('<section class="part now" id="now" hidden>');
    const at = w.clock.now();
    const attempt = await w.start('agent', 'codex', at - 120_000);
    await w.ledger.attempt.recordActivity(attempt, {
      kind: 'command',
      text: '$ npm run lint',
      at,
      usage: { ...NO_USAGE, costUsd: 0.5 },
      lines: ['$ npm run lint', `token ${TOKEN}`, '<b>bold</b>', '\u001b[31mred'],
    });
    // A page is kept for a second, its part is not.
    w.passes(2_000);
    for (const path of ['/board/run/q1', '/board/run/q1/now']) {
      const page = await w.read(path);
      expect(page).toContain('runs $ npm run lint');
      expect(page).toContain('$0.25 a minute');
      expect(page).toContain('&lt;b&gt;bold&lt;/b&gt;');
      expect(page).not.toContain(TOKEN);
      expect(page).not.toContain('\u001b');
    }
    await w.ledger.attempt.end(attempt, { ...ended, stdout: '' });
    expect(await w.read('/board/run/q1/now')).toBe('<section class="part now" id="now" hidden></section>');
    expect((await w.get('/board/run/none/now', w.session)).status).toBe(404);
    expect((await w.get('/board/run/q1/now')).status).toBe(401);
  });
});

describe('the filmstrip', () => {
  it('E21: has decisions, what the agent said, ran and changed, and our checks, in their order', async () => {
    const w = await begin();
    const log = [
      { type: 'assistant', message: { content: [{ type: 'text', text: 'I look first.' }] } },
      {
        type: 'assistant',
        message: {
          content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } }],
        },
      },
      {
        type: 'user',
        message: {
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              is_error: true,
              content: `Exit code 1\n\u001b[31m${TOKEN}`,
            },
          ],
        },
      },
      {
        type: 'assistant',
        message: {
          content: [
            {
              type: 'tool_use',
              id: 'b',
              name: 'Edit',
              input: { file_path: 'src/sum.js', old_string: 'a - b', new_string: 'a + b' },
            },
          ],
        },
      },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'b', content: 'ok' }] } },
    ];
    const agent = await w.start('agent', 'claude', w.clock.now());
    await w.ledger.attempt.end(agent, { ...ended, stdout: log.map((one) => JSON.stringify(one)).join('\n') });
    w.passes(1_000);
    const check = await w.start('check 1', 'npm run lint', w.clock.now());
    await w.ledger.attempt.end(check, {
      ...ended,
      exitCode: 1,
      outcome: 'failed',
      stdout: 'lint: 1 problem',
    });
    w.passes(1_000);
    await w.offer('q1', { type: 'command.pause', by: { id: '1', name: 'Ana' } });
    const page = await w.read('/board/run/q1/film');
    const kinds = [...page.matchAll(/class="frame (\w+) (\w*)" id="step-(\d+)"/g)].map(([, kind, tone]) =>
      `${kind} ${tone}`.trim(),
    );
    expect(kinds.slice(-5)).toEqual(['said', 'command bad', 'edit good', 'check bad', 'event person']);
    expect(page).toContain('- a - b');
    expect(page).toContain('+ a + b');
    expect(page).toContain('lint: 1 problem');
    expect(page).toContain(`max="${kinds.length}"`);
    expect(page).not.toContain(TOKEN);
    expect(page).not.toContain('\u001b');
    expect(await w.read('/board/run/q1')).toContain('/board/run/q1/film"');
  });
});
