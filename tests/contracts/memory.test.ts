/** L6: what an agent is told of its last turn. */
import { expect, it } from 'vitest';
import { cutOff } from '../../orchestrator/effects/memory.ts';

const session = { id: 's', spent: { inputTokens: 1, outputTokens: 1, costUsd: 0 } };
const turns = (...outcomes: string[]) => outcomes.map((outcome) => ({ step: 'agent', outcome }));

it('nothing when it ended its last turn by itself, had none, or has no conversation', () => {
  for (const past of [turns(), turns('interrupted', 'completed'), turns('invalid_output')])
    expect(cutOff({ session }, past)).toEqual([]);
  expect(cutOff({ session }, [...turns('completed'), { step: 'npm test', outcome: 'failed' }])).toEqual([]);
  expect(cutOff({ session: null }, turns('interrupted'))).toEqual([]);
});

it.each(['interrupted', 'crashed', 'cancelled', 'timed_out', 'rate_limited', 'running'])(
  'L6: that it was cut off, when it was %s',
  (outcome) => {
    expect(cutOff({ session }, turns('completed', outcome))).toMatchObject([
      { title: 'Your last turn was cut off' },
    ]);
  },
);
