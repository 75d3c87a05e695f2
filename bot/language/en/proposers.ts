/** English texts for runs in which several engines try the same. */
import { groupDigits } from '../../text/catalogue.ts';

export const enProposers = {
  ends: {
    passed: 'checks green',
    checks_failed: 'checks failed',
    denied: 'denied by policy',
    no_changes: 'changed nothing',
    failed: 'failed',
  },
  tokens: (n: number) => `${groupDigits(n)} tokens`,
  unpriced: (n: number) => `${groupDigits(n)} tokens, cost unknown`,
  notComparable: 'their costs cannot be compared',
};
