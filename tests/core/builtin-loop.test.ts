/** E9: the parts of the builtin loop that are pure: its states, its thoughts, its conversation. */
import { describe, expect, test } from 'vitest';
import { decisionOf } from '../../executors/engines/builtin/govern-action.ts';
import {
  fitConversation,
  toToolResultMessage,
  estimateTokens,
  type ConversationEntry,
} from '../../executors/engines/builtin/fit-conversation.ts';
import { createTurnStates } from '../../executors/engines/builtin/turn-states.ts';
import { readLoopLimits, readNamedModel } from '../../executors/engines/builtin/named-model.ts';
import { parseThought } from '../../executors/engines/builtin/parse-thought.ts';

const REPORT = '{"status": "done", "summary": "all is well"}';
const reads = { id: '1', name: 'read', input: { path: 'a.js' } };

describe('E9: the states of a turn', () => {
  test('go from thought to judgement by their table, and by no other way', () => {
    const turns = createTurnStates();
    for (const state of [
      'PROPOSING',
      'GOVERNING',
      'EXECUTING',
      'OBSERVING',
      'GOVERNING',
      'OBSERVING',
      'EVALUATING',
    ] as const)
      turns.to(state);
    expect(turns.way()).toHaveLength(8);
    turns.to('THINKING');
    expect(turns.way()).toEqual(['THINKING']);
    // Nothing is done that was not judged.
    expect(() => turns.to('EXECUTING')).toThrow('THINKING to EXECUTING');
    turns.to('PROPOSING');
    expect(() => turns.to('EXECUTING')).toThrow();
    expect(() => turns.to('ENDED')).toThrow();
  });
});

describe('E9: the contract of a thought', () => {
  test('is actions or a report, never both, and nothing unknown', () => {
    expect(parseThought({ text: 'I look.', calls: [reads] })).toMatchObject({
      thought: { done: false, reasoning: 'I look.' },
    });
    expect(parseThought({ text: `Done.\n${REPORT}`, calls: [] })).toMatchObject({ thought: { done: true } });
    for (const wrong of [
      { text: REPORT, calls: [reads] },
      { text: 'Done.', calls: [] },
      { text: '', calls: [{ ...reads, name: 'rm' }] },
      { text: '', calls: [{ ...reads, name: 'constructor' }] },
      { text: '', calls: [{ ...reads, input: { path: 'a.js', force: true } }] },
      { text: '', calls: [{ ...reads, input: '{"path": "a.js"' }] },
      { text: '', calls: Array.from({ length: 9 }, () => reads) },
    ])
      expect(parseThought(wrong)).toHaveProperty('why');
    expect(
      parseThought({ text: '', calls: [{ id: '1', name: 'patch', input: { patch: 'x' } }] }, ['read']),
    ).toHaveProperty('why');
  });
});

describe('E9: the conversation', () => {
  const turn = (n: number, size: number): ConversationEntry[] => [
    {
      turn: n,
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: `${n}`, toolName: 'read', input: { path: `f${n}` } }],
      },
    },
    {
      turn: n,
      message: toToolResultMessage([{ id: `${n}`, tool: 'read', ok: true, text: 'x'.repeat(size) }]),
    },
  ];
  const order = (said: string, n: number): ConversationEntry => ({
    turn: n,
    message: { role: 'user', content: said },
    order: true,
  });
  const first = order('the order', 1);
  const long = [first, ...Array.from({ length: 30 }, (_, n) => turn(n + 1, 4_000)).flat()];
  const summary = (turns: readonly number[]): string => `left out: ${turns.join()}`;

  test('fits what the model reads: old answers are cut, then old turns become a summary', () => {
    expect(fitConversation([first], 'system', 10_000, summary)?.messages).toEqual([first.message]);
    for (const most of [20_000, 12_000, 8_000, 5_000, 3_000]) {
      const now = fitConversation(long, 'system', most, summary);
      expect(now).not.toBeNull();
      expect(estimateTokens(now?.messages ?? [], 'system')).toBeLessThanOrEqual(most);
      expect(now?.messages[0]).toEqual(first.message);
      // Each answer of a tool stands below its call.
      now?.messages.forEach((message, i) => {
        if (message.role === 'tool') expect(now.messages[i - 1]?.role).toBe('assistant');
      });
    }
    const small = fitConversation(long, 'system', 4_000, summary);
    expect(JSON.stringify(small?.messages)).toContain('left out: 1,2,3');
    expect(small?.summarised).toBeGreaterThan(3);
    const huge = [order('x'.repeat(100_000), 1)];
    expect(fitConversation(huge, 'system', 5_000, summary)).toBeNull();
  });

  test('the newest order stays whatever goes, and the first one as long as there is room', () => {
    const told = [...long, order('the second order', 31), ...turn(31, 4_000)];
    const now = fitConversation(told, 'system', 4_000, summary)?.messages ?? [];
    expect(JSON.stringify(now)).toContain('the second order');
    expect(now[0]).toEqual(first.message);
    const big = [order('y'.repeat(12_000), 1), ...told.slice(1)];
    const less = JSON.stringify(fitConversation(big, 'system', 2_500, summary)?.messages);
    expect(less).toContain('the second order');
    expect(less).not.toContain('yyyy');
  });

  test('a long patch of an old turn is shortened like an answer', () => {
    const patch = { patch: 'p'.repeat(60_000) };
    const wrote: ConversationEntry = {
      turn: 1,
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'w', toolName: 'patch', input: patch }],
      },
    };
    const answered: ConversationEntry = {
      turn: 1,
      message: toToolResultMessage([{ id: 'w', tool: 'patch', ok: true, text: 'Written: a' }]),
    };
    const all = [first, wrote, answered, ...[2, 3, 4, 5].flatMap((n) => turn(n, 100))];
    const now = fitConversation(all, 'system', 8_000, summary);
    expect(now).toMatchObject({ summarised: 0, shortened: 2 });
    expect(JSON.stringify(now?.messages)).toContain('Written: a');
  });
});

test('P4: what is proposed after a refusal names the decision that it takes the place of', () => {
  const run = { id: 'c', tool: 'run', input: { command: 'x' } } as const;
  const governed = { risk: 'high', policies: ['no-high-risk-command'], policyVersion: 'p1' } as const;
  const first = decisionOf({ id: '1.1', tool: 'run' }, run, { kind: 'deny', reason: 'no', governed }, null);
  expect(first).toEqual({
    risk: 'high',
    decision: {
      verdict: 'rejected',
      by: { kind: 'policy' },
      policies: ['no-high-risk-command'],
      policyVersion: 'p1',
      reason: 'no',
      original: null,
      input: null,
    },
    after: null,
    replaces: null,
  });
  const last = { id: '1.1', tool: 'run', verdict: 'rejected' } as const;
  expect(decisionOf({ id: '2.1', tool: 'run' }, run, { kind: 'allow', by: 'Ana' }, last)).toMatchObject({
    decision: { verdict: 'approved', by: { kind: 'human', name: 'Ana' } },
    after: '1.1',
    replaces: '1.1',
  });
  expect(decisionOf({ id: '2.1', tool: 'read' }, run, { kind: 'allow' }, last)).toMatchObject({
    after: '1.1',
    replaces: null,
  });
  const put = { kind: 'modified', input: '{"command":"y"}', by: 'Ana' } as const;
  const changed = { ...run, input: { command: 'y' } };
  expect(decisionOf({ id: '3.1', tool: 'run' }, changed, put, null).decision).toMatchObject({
    verdict: 'modified',
    original: '3.1',
    input: '{"command":"y"}',
  });
});

test('E9: the model and its limits are read from the arguments', () => {
  expect(readNamedModel(['-m', 'anthropic/claude-opus-5-5'])).toEqual({
    provider: 'anthropic',
    model: 'claude-opus-5-5',
  });
  expect(readNamedModel(['--model=qwen/qwen3'])).toEqual({ provider: null, model: 'qwen/qwen3' });
  expect(readNamedModel([])).toBeNull();
  expect(readLoopLimits(['--turns', '50', '--context', '8000'])).toEqual({
    turns: 20,
    context: 8_000,
    output: 2_000,
    patienceMs: 180_000,
  });
  expect(readLoopLimits(['--turns', 'x'])).toMatchObject({ turns: 20, context: 128_000, output: 16_000 });
  expect(readLoopLimits(['--patience', '7']).patienceMs).toBe(7_000);
});
