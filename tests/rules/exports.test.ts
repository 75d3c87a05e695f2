/** Nothing of the product is there for its tests alone. */
import { expect, it } from 'vitest';
import { onlyTested } from './exports.ts';

it('L8: every export of the product is imported by the product, or used in its own file', () => {
  const { seen, found } = onlyTested();
  expect(found, 'imported by tests alone: use it in the product, or delete it').toEqual([]);
  expect(seen).toBeGreaterThan(1_000);
});
