/** Guards of the cluster card: members, taps and signatures. */
import { never, swap } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const CLUSTER: readonly Guard[] = [
  ...noticedBy(test('core/alike'), [
    ['G6-high-alone', 'what is of high risk joins no others', never],
    ['G8-finding-alone', 'what has a finding joins no others', never],
    ['G8-written-mark', 'a mark that somebody wrote is none of ours', swap("'⟪⟪'", "'⟪'")],
  ]),
  ...noticedBy(test('contracts/clusters'), [
    ['G4-cluster-newest', 'only the list that is shown now is signed', never],
    ['G4-cluster-armed', 'whoever confirms many has armed it', never],
    ['C2-cluster-risk', 'high risk is read before it is signed, whatever card shows it', never],
    [
      'C2-cards-of-before',
      'cards that were shown before a start come to their last state',
      swap('await query.slots(PREFIX)', '[]'),
    ],
    ['L5-shown-together', 'a signature names a card that showed it', never],
  ]),
];
