/** E9: the parts of the builtin loop that are pure: its states, its thoughts, its conversation. */
import { describe, expect, test } from 'vitest';
import { decisionOf } from '../../executors/engines/builtin/govern-action.ts';
import {
  fitConversation,
  messagesToolResult,
  tokensOf,
  type ConversationMessage,
} from '../../executors/engines/builtin/fit-conversation.ts';
import { createTurns } from '../../executors/engines/builtin/turn-states.ts';
import { limitsIn, readNamedModel } from '../../executors/engines/builtin/named-model.ts';
import { thoughtIn } from '../../executors/engines/builtin/parse-thought.ts';

const REPORT = '{"status": "done", "summary": "all is well"}';
const reads = { id: '1', name: 'read', input: { path: 'a.js' } };

describe('E9: the states of a turn', () => {
  test('go from thought to judgement by their table, and by no other way', () => {
    const turns = createTurns();
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
    expect(thoughtIn({ text: 'I look.', calls: [reads] })).toMatchObject({
      thought: { done: false, reasoning: 'I look.' },
    });
    expect(thoughtIn({ text: `Done.\n${REPORT}`, calls: [] })).toMatchObject({ thought: { done: true } });
    for (const wrong of [
      { text: REPORT, calls: [reads] },
      { text: 'Done.', calls: [] },
      { text: '', calls: [{ ...reads, name: 'rm' }] },
      { text: '', calls: [{ ...reads, name: 'constructor' }] },
      { text: '', calls: [{ ...reads, input: { path: 'a.js', force: true } }] },
      { text: '', calls: [{ ...reads, input: '{"path": "a.js"' }] },
      { text: '', calls: Array.from({ length: 9 }, () => reads) },
    ])
      expect(thoughtIn(wrong)).toHaveProperty('why');
    expect(
      thoughtIn({ text: '', calls: [{ id: '1', name: 'patch', input: { patch: 'x' } }] }, ['read']),
    ).toHaveProperty('why');
  });
});

describe('E9: the conversation', () => {
  const turn = (n: number, size: number): ConversationMessage[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `${n}`, toolName: 'read', input: { path: `f${n}` } }],
    },
    messagesToolResult([{ id: `${n}`, tool: 'read', ok: true, text: 'x'.repeat(size) }]),
  ];
  const order: ConversationMessage = { role: 'user', content: 'the order' };
  const long = [order, ...Array.from({ length: 30 }, (_, n) => turn(n, 4_000)).flat()];

  test('fits what the model reads: old answers are cut, then old turns become a list of their calls', () => {
    expect(fitConversation([order], 'system', 10_000)).toEqual([order]);
    for (const most of [20_000, 12_000, 8_000, 5_000]) {
      const now = fitConversation(long, 'system', most);
      expect(now).not.toBeNull();
      expect(tokensOf(now ?? [], 'system')).toBeLessThanOrEqual(most);
      expect(now?.[0]).toEqual(order);
      // Each answer of a tool stands below its call.
      now?.forEach((message, i) => {
        if (message.role === 'tool') expect(now[i - 1]?.role).toBe('assistant');
      });
    }
    expect(JSON.stringify(fitConversation(long, 'system', 5_000))).toContain('- read {\\"path\\":\\"f3\\"}');
    expect(fitConversation([{ role: 'user', content: 'x'.repeat(100_000) }], 'system', 5_000)).toBeNull();
  });
});

test('P4: what is proposed after a refusal names the decision that it takes the place of', () => {
  const run = { id: '1', tool: 'run', input: { command: 'x' } } as const;
  const first = decisionOf('1.1', run, { kind: 'deny', reason: 'no' }, null);
  expect(first).toEqual({
    id: '1.1',
    tool: 'run',
    verdict: 'rejected',
    by: null,
    after: null,
    instead: null,
    reason: 'no',
  });
  expect(decisionOf('2.1', run, { kind: 'allow' }, first)).toMatchObject({
    verdict: 'approved',
    after: '1.1',
    instead: '1.1',
  });
  expect(decisionOf('2.1', { ...run, tool: 'read' }, { kind: 'allow' }, first)).toMatchObject({
    after: '1.1',
    instead: null,
  });
});

test('E9: the model and its limits are read from the arguments', () => {
  expect(readNamedModel(['-m', 'anthropic/claude-opus-5-5'])).toEqual({
    provider: 'anthropic',
    model: 'claude-opus-5-5',
  });
  expect(readNamedModel(['--model=qwen/qwen3'])).toEqual({ provider: null, model: 'qwen/qwen3' });
  expect(readNamedModel([])).toBeNull();
  expect(limitsIn(['--turns', '50', '--context', '8000'])).toEqual({
    turns: 20,
    context: 8_000,
    output: 2_000,
  });
  expect(limitsIn(['--turns', 'x'])).toEqual({ turns: 20, context: 128_000, output: 16_000 });
});
