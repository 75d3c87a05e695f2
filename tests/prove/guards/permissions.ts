/** Guards of what agents ask: whose answers count, what is chosen, and that nothing goes on meanwhile. */
import { never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const PERMISSIONS: readonly Guard[] = [
  ...noticedBy(test('adapters/acp-engine'), [
    ['E10-answers-to-ours', 'only what we asked is answered', without('asked.delete')],
    [
      'E10-allow-once-alone',
      'what would allow more than once is not chosen',
      swap("'allow_once'", "'allow_always'"),
    ],
    ['E10-waits-for-a-person', 'nothing is allowed while a person is asked', never],
    ['E10-mode-that-asks', 'an agent without a mode that asks does not work', never],
  ]),
];
