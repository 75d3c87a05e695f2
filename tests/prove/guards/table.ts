/** The guards of the product, how each is broken, and what must notice. */
import { DISPATCH } from './dispatch.ts';
import { DOORS } from './doors.ts';
import { GATE } from './gate.ts';
import { LAST_DOORS } from './last-doors.ts';
import { MACHINE } from './machine.ts';
import { RECORD } from './record.ts';

/** A test file, or some of its tests by their names; or so many trials of a claim of the prover. */
export type Check = { test: string; named?: string } | { claim: string; trials: number };
export type Guard = {
  /** Of the specification. */
  rule: string;
  name: string;
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  put: string;
  by: Check;
};

export const GUARDS: readonly Guard[] = [
  ...GATE,
  ...LAST_DOORS,
  ...MACHINE,
  ...DOORS,
  ...RECORD,
  ...DISPATCH,
];

export const sayCheck = (check: Check): string =>
  'test' in check
    ? `${check.test}${check.named === undefined ? '' : ` (${check.named})`}`
    : `claim ${check.claim}`;

/** Throws when the guard is not where the table says. */
export const broken = ({ name, file, find, put }: Guard, text: string): string => {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `${name}: its text stands ${more.length === 0 ? 'nowhere' : 'more than once'} in ${file}`,
    );
  return before + put + after;
};
