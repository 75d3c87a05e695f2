/**
 * L6, E17: what an agent is told of the rounds before: what was cut off, what is still there, what
 * is not.
 */
import { describe, expect, it } from 'vitest';
import { ENGLISH_WORDING } from '#language';
import { finding } from '../support/actions.ts';
import { promptHistory } from '../../orchestrator/briefing/prompt-history.ts';

const session = { id: 's', usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 } };
const turns = (...outcomes: string[]) => outcomes.map((outcome) => ({ step: 'agent', outcome }));
const nothing = { files: [], unfit: [] };
const edits = { files: ['~ src/a.ts', '+ src/b.ts', '- src/c.ts'], unfit: [] };

describe('an agent', () => {
  it('is told nothing when it ended its last turn by itself, or had none, and left nothing behind', () => {
    for (const past of [turns(), turns('interrupted', 'completed'), turns('invalid_output'), turns('asked')])
      expect(promptHistory({ agent: { session } }, past, nothing, null, ENGLISH_WORDING)).toEqual([]);
    const checked = [...turns('completed'), { step: 'npm test', outcome: 'failed' }];
    expect(promptHistory({ agent: { session } }, checked, nothing, null, ENGLISH_WORDING)).toEqual([]);
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
    expect(promptHistory({ agent: { session } }, past, nothing, null, ENGLISH_WORDING)).toMatchObject([
      { title: 'Your last turn was cut off', ours: expect.stringContaining('No edit of it') as string },
    ]);
    const [cut, there] = promptHistory({ agent: { session } }, past, edits, null, ENGLISH_WORDING);
    const why = outcome === 'running' ? 'interrupted' : outcome.replace('_', ' ');
    expect(cut?.ours).toContain(`What ended it: ${why}.`);
    expect(cut?.ours).toContain('Edits of the interrupted attempt are in the workspace');
    expect(there?.data).toContain('~ src/a.ts\n+ src/b.ts\n- src/c.ts');
  });

  it('E17: hears of its edits without a conversation, too', () => {
    const told = promptHistory(
      { agent: { session: null } },
      turns('context_exceeded'),
      edits,
      null,
      ENGLISH_WORDING,
    );
    expect(told.map(({ title }) => title)).toEqual([
      'An earlier attempt was cut off',
      'Edits that are in the workspace already, and are not committed yet',
    ]);
  });

  it('E17: hears of edits that no commit took, though its turn was whole', () => {
    expect(
      promptHistory({ agent: { session } }, turns('completed'), edits, null, ENGLISH_WORDING),
    ).toHaveLength(1);
    const unfit = [
      { ...finding('special_file'), path: 'pipe', note: { kind: 'special', is: 'pipe' } as const },
    ];
    expect(
      promptHistory({ agent: { session } }, turns('completed'), { files: [], unfit }, null, ENGLISH_WORDING),
    ).toMatchObject([{ data: 'pipe: it is a named pipe; remove it' }]);
  });

  it('E17: hears which of its edits were undone, and of no more than a hundred', () => {
    const undone = { why: 'guard' as const, files: ['~ src/a.ts'], more: 3 };
    const [told] = promptHistory(
      { agent: { session } },
      turns('completed'),
      nothing,
      undone,
      ENGLISH_WORDING,
    );
    expect(told?.ours).toMatch(/put back:$/);
    expect(told?.data).toMatch(/^~ src\/a\.ts/);
    const many = { files: Array.from({ length: 250 }, (_, i) => `+ f${i}`), unfit: [] };
    const [there] = promptHistory({ agent: { session } }, turns('completed'), many, null, ENGLISH_WORDING);
    expect(there?.data).toMatch(/f99\n… and 150 more$/);
  });
});
