/**
 * G1, G3 in the ledger: an approval is used once, by one effect, with its signatures, for its
 * digest, in its time.
 */
import { expect, it } from 'vitest';
import type { ApprovalChange, Effect } from '#effects';
import { work, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const opening = (changes: Partial<Extract<ApprovalChange, { op: 'open' }>> = {}): ApprovalChange => ({
  op: 'open',
  id: 'a1',
  kind: 'open_pr',
  digest: 'd1',
  expiresAt: 1_000,
  needed: 1,
  ...changes,
});
const signing = (by: number | null, at = 10): ApprovalChange => ({
  op: 'sign',
  id: 'a1',
  by: by === null ? null : String(by),
  name: 'Ana',
  at,
});
const consuming = (changes: Partial<Extract<ApprovalChange, { op: 'consume' }>> = {}): ApprovalChange => ({
  op: 'consume',
  id: 'a1',
  digest: 'd1',
  at: 20,
  effectIndex: 0,
  ...changes,
});
const reply: Effect = { do: { kind: 'reply', approvalId: 'a1', digest: 'd1' }, dueAt: 0 };
const openPr: Effect = { do: { kind: 'open_pr', approvalId: 'a1', digest: 'd1' }, dueAt: 0 };

export const approvalContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const change = async (...approvals: ApprovalChange[]): Promise<void> => {
    await write(ledger(), 'r1', { approvals, effects: [openPr] });
  };

  it('G1: consuming binds the approval to the id of the effect that it allows', async () => {
    await change(opening());
    await change(signing(7), consuming());
    expect(await ledger().query.approval('a1')).toMatchObject({
      runId: 'r1',
      state: 'consumed',
      consumedBy: 'r1:2:0',
      closedAt: 20,
    });
    expect(await ledger().query.effects({ runId: 'r1', kind: 'open_pr' })).toMatchObject([
      {},
      { id: 'r1:2:0' },
    ]);
  });

  it('G1: the push that used an approval up passes it on to one opening of the same bytes, once', async () => {
    const push: Effect = {
      do: { kind: 'push', commitSha: 'c', expectedHead: null, approvalId: 'a1' },
      dueAt: 0,
    };
    const passOn = (more: object = {}): ApprovalChange => ({
      op: 'pass_on',
      id: 'a1',
      digest: 'd1',
      effectIndex: 0,
      ...more,
    });
    await change(opening());
    await expect(change(passOn())).rejects.toThrow('may not pass_on');
    await write(ledger(), 'r1', { approvals: [signing(7), consuming()], effects: [push] });
    await expect(change(passOn({ digest: 'd2' }))).rejects.toThrow('may not pass_on');
    await expect(write(ledger(), 'r2', { approvals: [passOn()], effects: [openPr] })).rejects.toThrow(
      'may not pass_on',
    );
    await expect(write(ledger(), 'r1', { approvals: [passOn()], effects: [push] })).rejects.toThrow();
    await change(passOn());
    expect(await ledger().query.approval('a1')).toMatchObject({
      state: 'consumed',
      consumedBy: 'r1:2:0',
      passedTo: 'r1:3:0',
    });
    await expect(change(passOn())).rejects.toThrow('may not pass_on');
  });

  it.each([
    ['twice', [signing(7), consuming()], [consuming()]],
    ['for another digest', [signing(7)], [consuming({ digest: 'd2' })]],
    ['after it has expired', [signing(7)], [consuming({ at: 1_000 })]],
    ['without a signature', [], [consuming()]],
    [
      'after it was closed',
      [signing(7), { op: 'close', id: 'a1', state: 'void', reason: { kind: 'card_replaced' } }],
      [consuming()],
    ],
    ['when it is not there', [signing(7)], [consuming({ id: 'a2' })]],
    ['for an effect that is not there', [signing(7)], [consuming({ effectIndex: 1 })]],
  ] satisfies [string, ApprovalChange[], ApprovalChange[]][])(
    'G3: an approval is not used %s, and the whole step is undone',
    async (_, before, attempt) => {
      await change(opening());
      await change(...before);
      await expect(change(...attempt)).rejects.toThrow(/approval a\d/);
      expect(await ledger().query.events('r1')).toHaveLength(2);
      expect(await ledger().query.effects({ runId: 'r1' })).toHaveLength(2);
    },
  );

  it('G3: an approval is used by what publishes only, and by its own run', async () => {
    await change(opening());
    await change(signing(7));
    const clean = write(ledger(), 'r1', { approvals: [consuming()], effects: [work('remove_workspace')] });
    await expect(clean).rejects.toThrow('cannot be used up by remove_workspace');
    const stranger = write(ledger(), 'r2', { approvals: [consuming()], effects: [openPr] });
    await expect(stranger).rejects.toThrow('may not consume');
    await expect(write(ledger(), 'r2', { approvals: [signing(8)] })).rejects.toThrow('may not sign');
    expect(await ledger().query.approval('a1')).toMatchObject({ state: 'open', consumedBy: null });
    await write(ledger(), 'r1', { approvals: [consuming()], effects: [reply] });
    expect(await ledger().query.approval('a1')).toMatchObject({ state: 'consumed' });
  });

  it('G3: as many people sign as are needed, each once, while it is open', async () => {
    await change(opening({ needed: 2 }));
    await change(signing(7));
    await expect(change(consuming())).rejects.toThrow('may not consume');
    await expect(change(signing(7))).rejects.toThrow();
    await expect(change(signing(8, 1_000))).rejects.toThrow('may not sign');
    await change(signing(null));
    await expect(change(signing(null))).rejects.toThrow();
    await change(consuming());
    await expect(change(signing(9))).rejects.toThrow('may not sign');
  });

  it('G3: an open approval gets more time, never less, and one that is used or closed gets none', async () => {
    const extending = (expiresAt: number): ApprovalChange => ({ op: 'extend', id: 'a1', expiresAt });
    await change(opening());
    await change(extending(2_000));
    for (const sooner of [500, 2_000])
      await expect(change(extending(sooner))).rejects.toThrow('may not extend');
    await change(signing(7, 1_500));
    await change({ op: 'close', id: 'a1', state: 'void', reason: { kind: 'card_replaced' } });
    await expect(change(extending(3_000))).rejects.toThrow('may not extend');
    expect(await ledger().query.approval('a1')).toMatchObject({ state: 'void', expiresAt: 2_000 });
  });

  it('has at most one open approval a run, and closes it with its reason', async () => {
    await change(opening());
    await expect(change(opening({ id: 'a2' }))).rejects.toThrow();
    await change(
      { op: 'close', id: 'a1', state: 'expired', reason: { kind: 'decision_expired' } },
      opening({ id: 'a2' }),
    );
    await expect(
      change({ op: 'close', id: 'a1', state: 'void', reason: { kind: 'card_replaced' } }),
    ).rejects.toThrow('may not close');
    expect(await ledger().query.approvals({ runId: 'r1' })).toMatchObject([
      { id: 'a1', state: 'expired', reason: { kind: 'decision_expired' } },
      { id: 'a2', state: 'open' },
    ]);
    expect(await ledger().query.approvals({ state: 'open' })).toMatchObject([{ id: 'a2' }]);
  });

  it('G3: an approval survives a restart', async () => {
    await change(opening());
    const next = await restart();
    await write(next, 'r1', { approvals: [signing(7), consuming()], effects: [openPr] });
    expect(await next.query.approval('a1')).toMatchObject({ state: 'consumed' });
  });
};
