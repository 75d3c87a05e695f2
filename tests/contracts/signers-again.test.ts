/** G10: right before anything is published, those who approved are looked at again. */
import { describe, expect, it } from 'vitest';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import type { SealDifference } from '#model/seal';
import { opening, said, signed, signedForBoth, type DoorWorld } from '../support/doors.ts';

const by =
  (...ids: string[]) =>
  (run: Run): Run => {
    const consumed = run.gate.consumedApproval;
    if (!consumed) throw new Error('nothing was signed');
    const signedBy = ids.map((id) => ({ id, name: `Person ${id}` }));
    return patchRun(run, { gate: { consumedApproval: { ...consumed, signedBy } } });
  };
type Outcome = Parameters<typeof said>[0];
const differencesOf = (outcome: Outcome): readonly SealDifference[] =>
  outcome.kind === 'result' && outcome.input.type === 'worker.step.failed'
    ? (outcome.input.differences ?? [])
    : [];
const open = async (w: DoorWorld, ...ids: string[]) => {
  const { world, call } = await opening(w, by(...ids));
  const outcome = await call();
  return { outcome, opened: world.did.some((did) => did.startsWith('opened')) };
};

describe('whoever lost the role before the opening', () => {
  it('G10: does not count: nothing is opened, and a new card asks', async () => {
    const { outcome, opened } = await open({ roles: { '7': 'operator' } }, '7');
    expect(opened).toBe(false);
    expect(said(outcome)[0]).toBe('seal_moved');
    expect(differencesOf(outcome)).toEqual([
      { kind: 'signatures', lapsed: ['Person 7'], have: 0, needed: 1, next: [] },
    ]);
    expect((await open({ roles: { '7': null } }, '7')).opened).toBe(false);
  });

  it('G10: is one of two that a policy asks for', async () => {
    expect((await open({ two: true }, '7', '8')).opened).toBe(true);
    const { outcome, opened } = await open({ two: true, roles: { '8': 'viewer' } }, '7', '8');
    expect(opened).toBe(false);
    expect(differencesOf(outcome)).toMatchObject([{ lapsed: ['Person 8'], have: 1, needed: 2 }]);
  });

  it('G10: a policy asks for more than approved, whatever the run says', async () => {
    expect((await open({ two: true }, '7')).opened).toBe(false);
    expect((await open({ two: true }, '7', '7')).opened).toBe(false);
  });

  it('G10: an approval that names nobody is none where a policy asks for somebody', async () => {
    const unnamed = (run: Run): Run => {
      const { signedBy: _, ...consumed } = run.gate.consumedApproval ?? {};
      return { ...run, gate: { ...run.gate, consumedApproval: consumed } } as Run;
    };
    const opens = async (w: DoorWorld) => {
      const { world, call } = await opening(w, unnamed);
      await call();
      return world.did.some((did) => did.startsWith('opened'));
    };
    expect([await opens({}), await opens({ two: true })]).toEqual([true, false]);
  });

  it('G10: no push of theirs is published either', async () => {
    for (const make of [
      signed,
      async (...of: Parameters<typeof signedForBoth>) => {
        const { world, pushes } = await signedForBoth(...of);
        return { world, call: pushes };
      },
    ]) {
      const may = await make({}, by('7'));
      await may.call();
      const lost = await make({ roles: { '7': 'operator' } }, by('7'));
      await lost.call();
      const pushesOf = ({ world }: { world: { did: string[] } }) =>
        world.did.filter((did) => did.startsWith('pushed'));
      expect([pushesOf(may).length, pushesOf(lost).length]).toEqual([1, 0]);
    }
  });
});
