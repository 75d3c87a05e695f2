/**
 * L6, E17: what an agent is told of the rounds before: what was cut off, what is still there, what
 * is not.
 */
import { describe, expect, it } from 'vitest';
import { english } from '../../bot/language/english.ts';
import { finding } from '../support/actions.ts';
import { remembered } from '../../orchestrator/effects/memory.ts';

const session = { id: 's', usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 } };
const turns = (...outcomes: string[]) => outcomes.map((outcome) => ({ step: 'agent', outcome }));
const nothing = { files: [], unfit: [] };
const edits = { files: ['~ src/a.ts', '+ src/b.ts', '- src/c.ts'], unfit: [] };

describe('an agent', () => {
  it('is told nothing when it ended its last turn by itself, or had none, and left nothing behind', () => {
    for (const past of [turns(), turns('interrupted', 'completed'), turns('invalid_output'), turns('asked')])
      expect(remembered({ agent: { session } }, past, nothing, null, english)).toEqual([]);
    const checked = [...turns('completed'), { step: 'npm test', outcome: 'failed' }];
    expect(remembered({ agent: { session } }, checked, nothing, null, english)).toEqual([]);
  });

  it.each([
    'interrupted',
    'crashed',
    'cancelled',
    'timed_out',
    'rate_limited',
    'model_unavailable',
    'running',
  ])('L6: is told that it was cut off, when it was %s, and whether its edits are there', (outcome) => {
    const past = turns('completed', outcome);
    expect(remembered({ agent: { session } }, past, nothing, null, english)).toMatchObject([
      { title: 'Your last turn was cut off', ours: expect.stringContaining('No edit of it') as string },
    ]);
    const [cut, there] = remembered({ agent: { session } }, past, edits, null, english);
    const why = outcome === 'running' ? 'interrupted' : outcome.replace('_', ' ');
    expect(cut?.ours).toContain(`What ended it: ${why}.`);
    expect(cut?.ours).toContain('Edits of the interrupted attempt are in the workspace');
    expect(there?.data).toContain('~ src/a.ts\n+ src/b.ts\n- src/c.ts');
  });

  it('E17: hears of its edits without a conversation, too', () => {
    const told = remembered({ agent: { session: null } }, turns('context_exceeded'), edits, null, english);
    expect(told.map(({ title }) => title)).toEqual([
      'An earlier attempt was cut off',
      'Edits that are in the workspace already, and are not committed yet',
    ]);
  });

  it('E17: hears of edits that no commit took, though its turn was whole', () => {
    expect(remembered({ agent: { session } }, turns('completed'), edits, null, english)).toHaveLength(1);
    const unfit = [
      { ...finding('special_file'), path: 'pipe', note: { kind: 'special', is: 'pipe' } as const },
    ];
    expect(
      remembered({ agent: { session } }, turns('completed'), { files: [], unfit }, null, english),
    ).toMatchObject([{ data: 'pipe: it is a named pipe; remove it' }]);
  });

  it('E17: hears which of its edits were undone, and of no more than a hundred', () => {
    const undone = { why: 'guard' as const, files: ['~ src/a.ts'], more: 3 };
    const [told] = remembered({ agent: { session } }, turns('completed'), nothing, undone, english);
    expect(told?.ours).toMatch(/put back:$/);
    expect(told?.data).toMatch(/^~ src\/a\.ts/);
    const many = { files: Array.from({ length: 250 }, (_, i) => `+ f${i}`), unfit: [] };
    const [there] = remembered({ agent: { session } }, turns('completed'), many, null, english);
    expect(there?.data).toMatch(/f99\n… and 150 more$/);
  });
});
