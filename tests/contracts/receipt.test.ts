/** G7: a receipt is ours only with our signature under exactly these claims. */
import { describe, expect, it } from 'vitest';
import { createReceipt, isOurReceipt } from '../../orchestrator/receipts/pull-receipt.ts';

const key = Buffer.alloc(32, 1);
const claims = { run: 'r1', digest: 'd'.repeat(64), policyVersion: 'builtin-4', approver: 'Ana' };
const receipt = createReceipt(key, claims);

describe('a receipt', () => {
  it('G7: is ours as we wrote it', () => {
    expect(isOurReceipt(key, receipt)).toBe(true);
  });

  it.each([
    ['signature', { mac: createReceipt(Buffer.alloc(32, 2), claims).mac }],
    [
      'last character of the signature',
      { mac: `${receipt.mac.slice(0, -1)}${receipt.mac.endsWith('A') ? 'Q' : 'A'}` },
    ],
    ['run', { run: 'r2' }],
    ['digest', { digest: 'e'.repeat(64) }],
    ['set of policies', { policyVersion: 'builtin-5' }],
    ['approver', { approver: 'approver-00000000' }],
  ])('G7: is not ours with another %s', (_, other) => {
    expect(isOurReceipt(key, { ...receipt, ...other })).toBe(false);
  });

  it('G7: is ours however long ago we wrote it', () => {
    expect(receipt).toMatchObject({
      approver: 'approver-3221259c',
      mac: 'BzyBfUCEkyp3HUjUcUnJqa7cfYVjrIQ8rLiPcfl_-3w',
    });
  });

  it('G7: is not ours with a signature of another length', () => {
    for (const mac of ['', receipt.mac.slice(1), `${receipt.mac}A`])
      expect(isOurReceipt(key, { ...receipt, mac }), mac).toBe(false);
  });

  it('G7: names an approver by an alias, the same for the same person and no other', () => {
    expect(receipt.approver).toMatch(/^approver-[\w-]{8}$/);
    expect(receipt.approver).not.toContain('Ana');
    expect(createReceipt(key, { ...claims, run: 'r2' }).approver).toBe(receipt.approver);
    expect(createReceipt(key, { ...claims, approver: 'Bo' }).approver).not.toBe(receipt.approver);
  });

  it('G7: names who chose a public name by it, and everybody else by an alias of their own', () => {
    const named = (...signers: { name: string; publicName?: string }[]): string =>
      createReceipt(key, { ...claims, approver: 'Ana, Bo', signers }).approver;
    expect(named({ name: 'Ana', publicName: 'Ana Lim' })).toBe('Ana Lim');
    expect(named({ name: 'Ana', publicName: 'Ana Lim' }, { name: 'Bo' })).toMatch(
      /^Ana Lim, approver-[0-9a-f]{8}$/,
    );
    // Names that are too long together are none.
    const long = { name: 'Ana', publicName: 'A'.repeat(40) };
    expect(named(long, long, long)).toMatch(/^approver-[0-9a-f]{8}$/);
  });
});
