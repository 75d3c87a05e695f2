/** The tables of the documentation are what the rows print. */
import { expect, it } from 'vitest';
import { PAGES, printed } from './tables.ts';

it.each(PAGES)(
  'C1, O1: the tables of %s are those of the rows; `npm run docs:tables` writes them',
  (page) => {
    const { is, should } = printed(page);
    expect(is).toBe(should);
    expect(is).toContain('<!-- table: ');
  },
);
