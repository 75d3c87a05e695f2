/** G10: an approved opening that is held back, and the admin who opens it now. */
import { describe, expect, it } from 'vitest';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { at, confirm, opened, openNow, turn, why, works } from '../support/core.ts';

const HELD = { why: 'opening_hours', readyAt: 9_000_000 } as const;

describe('an opening outside its hours', () => {
  const approved = at('PUSHED').when(confirm());
  const held = approved.when(turn(HELD));

  it('G10: is not used up, and says on the card that it waits', () => {
    expect(held.run.gate.consumedApproval?.id).toBe(approved.run.gate.consumedApproval?.id);
    expect(held.run.lifecycle.reason).toMatchObject({ kind: 'write_slot_wait', ...HELD });
    const views = held.effects.flatMap((e) => (e.do.kind === 'chat_message' ? [e.do.content.view] : []));
    expect(views).toEqual(['progress', 'gate']);
    expect(held.when(turn(HELD)).step.kind).toBe('ignored');
    expect(held.when(opened()).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('G10: an admin opens it now, and the run says who', () => {
    const hurried = held.when(openNow);
    expect(works(hurried)).toEqual(['expedite_poll']);
    expect(hurried.run.gate.consumedApproval?.openNow).toBe('Ana');
    expect(hurried.run.lifecycle.reason.kind).toBe('approved');
  });

  it('G10: nothing else can be opened now', () => {
    expect(why(approved.when(openNow))).toContain('is not one that is approved and waits for its hours');
    expect(why(approved.when(turn({ why: 'owner_open' }), openNow))).toContain('waits for its hours');
    expect(why(at('PUSHED').when(openNow))).toContain('waits for its hours');
    const approval = held.run.gate.consumedApproval;
    const changes: Parameters<typeof patchRun>[1][] = [
      { gate: { consumedApproval: approval && { ...approval, kind: 'push' } } },
      { upstream: { pullRequest: { id: '#7', url: 'u' } } },
    ];
    const stamp = { at: held.now, nonce: 'n', effectEpoch: null };
    for (const change of changes)
      expect(decideStep(patchRun(held.run, change), openNow(held.run).input, stamp)).toMatchObject({
        kind: 'refused',
        reason: { kind: 'not_held_back' },
      });
  });
});
