/** C2: the log of an agent is readable in the chat: each call, what it printed, how it ended. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAgentLog } from '../../executors/checks/parse-agent-log.ts';

const recorded = (name: string): string =>
  readFileSync(new URL(`../fixtures/agents/${name}.jsonl`, import.meta.url), 'utf8');
const wire = (...updates: readonly object[]): string =>
  updates
    .map((update) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }),
    )
    .join('\n');

const ENGINES: readonly [engine: string, log: string, fixed: string, tested: string, exit: number | null][] =
  [
    ['codex', recorded('codex-fix-tests'), 'sed -i', '/bin/bash -lc', 0],
    ['claude', recorded('claude-fix-tests'), 'sed -i', 'npm test', 0],
    ['opencode', recorded('opencode-fix-tests'), 'sed -i', 'npm test', 0],
    [
      'an agent of the Agent Client Protocol',
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { sessionId: 's' } })}\n${wire(
        {
          sessionUpdate: 'tool_call',
          toolCallId: '1',
          title: 'shell',
          rawInput: { command: "sed -i 's/a - b/a + b/' sum.js" },
        },
        { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'in_progress' },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: '1',
          status: 'completed',
          rawOutput: { exitCode: 0 },
        },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Now the ' } },
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'tests.' } },
        { sessionUpdate: 'tool_call', toolCallId: '2', title: 'shell', rawInput: { command: 'npm test' } },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: '2',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: '# pass 1\n' } }],
          rawOutput: { exitCode: 0 },
        },
      )}\n`,
      'sed -i',
      'npm test',
      0,
    ],
    [
      'builtin',
      `#1 /v1/responses · fake\n> Fix it\n< patch\n\n${[
        { id: 1, ok: true, text: '', tool: 'run', input: { command: "sed -i 's/a - b/a + b/' sum.js" } },
        { id: 2, ok: true, text: '# pass 1', tool: 'run', input: { command: 'npm test' } },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n')}\n`,
      'sed -i',
      'npm test',
      null,
    ],
  ];

describe('the log of an agent', () => {
  it.each(ENGINES)(
    'C2: %s: each call stands apart, with its output and its end',
    (_, log, fixed, tested, exit) => {
      const { text, steps } = parseAgentLog(log);
      const calls = steps.filter((step) => step.kind === 'call');
      expect(calls.length).toBeGreaterThanOrEqual(2);
      expect(calls.map(({ call }) => call)).toEqual(
        expect.arrayContaining([expect.stringContaining(fixed), expect.stringContaining(tested)]),
      );
      expect(calls[1]).toMatchObject({ failed: false, exit });
      expect(text).toContain('# pass 1');
      expect(text).not.toMatch(/^\{"(?:type|jsonrpc|id)"/m);
      const blocks = text.split('─'.repeat(24)).filter((block) => /^ \d+\n/.test(block));
      expect(blocks).toHaveLength(calls.length);
      for (const [i, block] of blocks.entries()) {
        expect(block).toContain(calls[i]?.call ?? '?');
        expect(block.trimEnd().split('\n').at(-1)).toMatch(/^✓(?: exit 0)?$/);
      }
    },
  );

  it('C2: a call that failed says with which code, and one that never ended says that', () => {
    const codex = [
      {
        type: 'item.completed',
        item: {
          type: 'command_execution',
          command: 'npm test',
          aggregated_output: 'boom\n',
          exit_code: 3,
          status: 'failed',
        },
      },
      { type: 'turn.failed', error: { message: 'Quota exceeded.' } },
    ];
    const { text, steps } = parseAgentLog(codex.map((one) => JSON.stringify(one)).join('\n'));
    expect(steps).toContainEqual(
      expect.objectContaining({ kind: 'call', call: '$ npm test', exit: 3, failed: true }),
    );
    expect(text).toMatch(/1\n\$ npm test\nboom\n✗ exit 3\n─+\nQuota exceeded\.$/);
    const claude = [
      {
        type: 'assistant',
        message: {
          content: [
            { type: 'text', text: 'I run it.' },
            { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'false' } },
          ],
        },
      },
      {
        type: 'user',
        message: {
          content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'Exit code 1\nno' }],
        },
      },
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 'b', name: 'Read', input: { file_path: '/a' } }] },
      },
    ];
    const read = parseAgentLog(claude.map((one) => JSON.stringify(one)).join('\n'));
    expect(read.steps.filter(({ kind }) => kind === 'call')).toEqual([
      { kind: 'call', call: '$ false', exit: 1, failed: true, output: expect.any(String) as string },
    ]);
    expect(read.text).toContain('$ false\nno\n✗ exit 1');
    expect(read.text).toContain('Read {"file_path":"/a"}\n…');
  });

  it('C2: whatever is no event of an agent stays as it was printed', () => {
    for (const log of ['> ws@1.0.0 test\nok 1\n', '{"a":1}\n[{"b":2}]\n{broken', '', '{"type":"other"}\n'])
      expect(parseAgentLog(log)).toEqual({ text: log, steps: [] });
    const mixed = parseAgentLog(`npm warn x\n${recorded('codex-fix-tests')}agentpr: no way out\n`);
    expect(mixed.text).toContain('npm warn x');
    expect(mixed.text).toContain('agentpr: no way out');
  });

  it('O10: a long output is cut, and a megabyte of shapes is read in time', () => {
    const long = {
      type: 'item.completed',
      item: { type: 'command_execution', command: 'x', aggregated_output: 'y'.repeat(900_000), exit_code: 0 },
    };
    expect(parseAgentLog(JSON.stringify(long)).text.length).toBeLessThan(30_000);
    for (const line of [
      '{',
      '{"}',
      '{"type":"assistant","message":{"content":[]}}',
      '{"jsonrpc":"2.0"}',
      '{"type":"item.completed","item":{}}',
    ])
      expect(parseAgentLog(`${line}\n`.repeat(1_000_000 / (line.length + 1))).steps).toEqual([]);
  });
});
