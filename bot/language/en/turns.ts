/** English: several engines that try the same. */
import { grouped } from '../../text/catalogue.ts';

export const turns = {
  ends: {
    passed: 'checks green',
    checks_failed: 'checks failed',
    denied: 'denied by policy',
    no_changes: 'changed nothing',
    failed: 'failed',
  },
  tokens: (n: number) => `${grouped(n)} tokens`,
  unpriced: (n: number) => `${grouped(n)} tokens, cost unknown`,
  notComparable: 'their costs cannot be compared',
};
