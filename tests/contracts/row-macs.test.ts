/**
 * L5: the MAC of a row: over its table and every byte of every column, by the key; no two rows
 * share one.
 */
import { createSecretKey } from 'node:crypto';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { createRowMac, isSameRowMac } from '../../db/integrity/row-mac.ts';

const key = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const seal = createRowMac(key(7));
const columns = ['a', 'b', 'c'];
const row = { a: 'x', b: 12, c: null };
const mac = seal('effects', columns, row);

describe('the MAC of a row', () => {
  it('L5: is the same for the same row, also of an earlier version', () => {
    expect(seal('effects', columns, { c: undefined, b: 12, a: 'x', d: 'not covered' })).toBe(mac);
    expect(createRowMac(key(7))('effects', columns, row)).toBe(
      '1729f6ec5a6f31d9f4721ffcffcd77a424c4a17a1ec8d9f1ea2b2b458945f81c',
    );
  });

  it('L5: differs under another key, for another table, and with another set of columns', () => {
    expect(createRowMac(key(8))('effects', columns, row)).not.toBe(mac);
    for (const table of ['effect', 'effects:', 'users']) expect(seal(table, columns, row)).not.toBe(mac);
    expect(seal('effects', ['a', 'b'], row)).not.toBe(mac);
    expect(seal('effects', ['b', 'a', 'c'], row)).not.toBe(mac);
  });

  it('L5: differs between any two rows, whatever their values say to each other', () => {
    const value = fc.oneof(
      fc.constantFrom(null, '', '-', '?', 0, 1, 12, '0', '1', '12', '1"x', '0"', ';', '2;', '1;1;', '"'),
      fc.string({ maxLength: 6, unit: fc.constantFrom('0', '1', '2', '"', ';', '-', 'x') }),
      fc.integer(),
    );
    const values = fc.tuple(value, value, value);
    fc.assert(
      fc.property(values, values, ([a, b, c], [d, e, f]) => {
        const [one, other] = [seal('t', columns, { a, b, c }), seal('t', columns, { a: d, b: e, c: f })];
        expect(one === other).toBe(a === d && b === e && c === f);
      }),
      { numRuns: 2_000 },
    );
  });

  it('L5: of what no row of ours holds is not that of a text or a number', () => {
    const macs = [Buffer.from('x'), true, 1n, 'x', '?', 1, null].map((a) => seal('t', ['a'], { a }));
    expect(new Set(macs.slice(2)).size).toBe(5);
    for (const strange of macs.slice(0, 2)) expect(macs.slice(3)).not.toContain(strange);
  });

  it('L5: is only ever its own', () => {
    expect(isSameRowMac(mac, mac)).toBe(true);
    const other = mac.startsWith('0') ? `1${mac.slice(1)}` : `0${mac.slice(1)}`;
    for (const b of [other, mac.slice(1), `${mac}0`, '', null, undefined, 0, Buffer.from(mac)])
      expect(isSameRowMac(mac, b), String(b)).toBe(false);
  });
});
