/** C4: a command that an agent gives again and again is noticed in the stream of every engine. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyAcpEvent } from '../../executors/engines/acp/events.ts';
import { applyLoopEvent } from '../../executors/engines/builtin/events.ts';
import { applyClaudeEvent } from '../../executors/engines/claude/events.ts';
import { applyCodexEvent } from '../../executors/engines/codex/events.ts';
import { applyOpencodeEvent } from '../../executors/engines/opencode/events.ts';
import {
  createRepeatWatch,
  REPEATED_CALLS,
  toCallText,
} from '../../executors/engines/shared/repeated-calls.ts';
import { createRoundReading, type RoundReading } from '../../executors/engines/shared/round-reading.ts';

type Read = (before: RoundReading, event: unknown) => RoundReading;
type Told = { call: string; times: number; of: number };

const toldBy = (read: Read, events: readonly unknown[]): Told[] => {
  const told: Told[] = [];
  const count = createRepeatWatch((repeated) => told.push(repeated));
  let reading = createRoundReading(null);
  for (const event of events) {
    reading = read({ ...reading, calls: [] }, event);
    count(reading.calls);
  }
  return told;
};

const recorded = (name: string): unknown[] =>
  readFileSync(`tests/fixtures/agents/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
const repeated = (events: readonly unknown[], times: number): unknown[] =>
  Array.from({ length: times }, () => events).flat();

const TEST = 'npm test';
const acp = (sessionUpdate: string, toolCallId: string, rest: object) => ({
  type: 'update',
  update: { sessionUpdate, toolCallId, ...rest },
});
const ROWS: readonly [name: string, read: Read, call: (no: number) => unknown[], shown: string][] = [
  [
    'claude -p',
    applyClaudeEvent,
    (no) => [
      {
        type: 'assistant',
        message: {
          id: `m${no}`,
          content: [{ type: 'tool_use', id: `t${no}`, name: 'Bash', input: { command: TEST } }],
        },
      },
      { type: 'user' },
    ],
    '$ npm test',
  ],
  [
    'codex exec',
    applyCodexEvent,
    (no) =>
      ['item.started', 'item.completed'].map((type) => ({
        type,
        item: { id: `item_${no}`, type: 'command_execution', command: `/bin/bash -lc '${TEST}'` },
      })),
    "$ /bin/bash -lc 'npm test'",
  ],
  [
    'opencode',
    applyOpencodeEvent,
    (no) => [
      {
        type: 'tool_use',
        sessionID: 'ses_1',
        part: { tool: 'bash', callID: `${no}`, state: { status: 'completed', input: { command: TEST } } },
      },
    ],
    '$ npm test',
  ],
  [
    'an ACP agent that sends the input at once',
    applyAcpEvent,
    (no) => [
      acp('tool_call', `c${no}`, { title: 'Terminal', rawInput: { command: TEST } }),
      acp('tool_call_update', `c${no}`, { status: 'completed', rawInput: { command: TEST } }),
    ],
    '$ npm test',
  ],
  [
    'an ACP agent that sends the input later',
    applyAcpEvent,
    (no) => [
      acp('tool_call', `c${no}`, { title: 'Terminal', rawInput: {} }),
      acp('tool_call_update', `c${no}`, { title: 'npm test', rawInput: { command: TEST } }),
      acp('tool_call_update', `c${no}`, { status: 'completed' }),
    ],
    '$ npm test',
  ],
  [
    'our own loop',
    applyLoopEvent,
    () => [
      { type: 'says', text: 'runs npm test', works: true, call: toCallText('run', { command: TEST }) },
      { type: 'alive' },
    ],
    '$ npm test',
  ],
];

describe('a command that an agent repeats', () => {
  it.each(ROWS)('C4: is told once of %s, however long it goes on', (_, read, call, shown) => {
    const events = Array.from({ length: 157 }, (__, no) => call(no)).flat();
    expect(toldBy(read, events)).toEqual([{ call: shown, ...REPEATED_CALLS }]);
    expect(toldBy(read, events.slice(0, call(0).length * (REPEATED_CALLS.times - 1)))).toEqual([]);
  });

  it.each([
    ['claude-fix-tests', applyClaudeEvent],
    ['codex-fix-tests', applyCodexEvent],
    ['opencode-fix-tests', applyOpencodeEvent],
  ] as const)(
    'C4: is not seen in the recorded work of %s, and is when that starts over and over',
    (name, read) => {
      const events = recorded(name);
      expect(toldBy(read, events)).toEqual([]);
      const calls = events
        .filter((event) => read(createRoundReading(null), event).calls.length > 0)
        .slice(0, 1);
      expect(calls).toHaveLength(1);
      expect(toldBy(read, repeated(calls, 20))).toHaveLength(1);
    },
  );

  it('C4: is not the test that follows each edit, nor each of many different commands', () => {
    const told: Told[] = [];
    const count = createRepeatWatch((one) => told.push(one));
    for (let no = 0; no < 40; no += 1)
      count([toCallText('Edit', { file: 'a.ts', text: `${no}` }), '$ npm test']);
    for (let no = 0; no < 40; no += 1) count([`$ cat ${no}.ts`]);
    expect(told).toEqual([]);
  });
});
