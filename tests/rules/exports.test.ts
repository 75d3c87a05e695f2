/**
 * Nothing of the product is there for its tests alone, and the name of a type says which one it is.
 */
import { expect, it } from 'vitest';
import { doubledTypes, vainExports } from './exports.ts';

it('L8: every export of the product is imported by the product, or used in its own file', () => {
  const { seen, onlyTested, unimported } = vainExports();
  expect(onlyTested, 'imported by tests alone: use it in the product, or delete it').toEqual([]);
  expect(unimported, 'imported by nobody: take `export` away').toEqual([]);
  expect(seen).toBeGreaterThan(1_000);
});

it('every exported type of the product has a name of its own', () => {
  const { seen, found } = doubledTypes();
  expect(found, 'two meanings: give one of them another name').toEqual([]);
  expect(seen).toBeGreaterThan(300);
});
