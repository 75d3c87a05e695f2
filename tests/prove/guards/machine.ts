/** Guards of the machine: targets, clocks, facts from elsewhere, bounds. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const MACHINE: readonly Guard[] = [
  ...noticedBy(test('core/order'), [['G2-sorted-keys', 'the same value is one text', gone]]),
  ...noticedBy(test('core/gate'), [
    ['G4-shown-digest', 'a signature is for what would be published', without('proposal.digest')],
    [
      'G3-requester',
      'rights go with an id, not with a name',
      swap('id === run.order.requester.id', 'name === run.order.requester.name'),
    ],
    [
      'G3-random-card-id',
      'an id of a card cannot be guessed',
      swap('d.stamp.nonce', '`${d.run.id}-${d.run.version}`'),
    ],
    ['G3-card-timer', 'a card has the clock that closes it', gone],
    ['G4-void-card-shown', 'a card that is void says so', gone],
    [
      'E14-signed-lease',
      'a signed fix leaves from where we left the branch',
      swap('run.pushed?.sha', 'null'),
    ],
  ]),
  ...noticedBy(test('core/pausing'), [
    ['P3-denied-late', 'what is denied late is asked nobody', without('proposal.fields.assessment.decision')],
    [
      'S2-card-again',
      'a card comes back only for what passed',
      swap('commitSha === sha && evaluation.passed', 'passed === true'),
    ],
  ]),
  ...noticedBy(test('core/facts'), [
    [
      'G1-own-facts',
      'somebody else’s pull request is not ours',
      swap('? number !== pr.number : !ours.includes(headSha)', '&& number !== pr.number'),
    ],
    ['S2-own-branch', 'a head is of our branch', without('fact.branch')],
    [
      'F3-silence-since-ready',
      'silence counts from when checks may run',
      swap(', firstAt: at, changedAt: at, confirmed: false', ''),
    ],
    ['F8-silence-since-poll', 'silence counts from a look that succeeded', without('ci.confirmed')],
    ['F8-settled-green', 'green was seen when it had settled', without('ci.confirmed')],
  ]),
  ...noticedBy(test('core/rounds'), [
    ['S7-own-counters', 'one loop gives another nothing back', always],
    ['E8-plan-changes-nothing', 'a plan is made without a change', swap("'note'", "'change'")],
  ]),
  ...noticedBy(test('core/clocks'), [
    ['S7-instant-retry', 'a provider that says “at once” is counted', swap('retryMs', '0')],
  ]),
  ...noticedBy(test('core/patience'), [
    ['E17-outage-no-try', 'an outage uses up no try', swap("'wait'", "'retry'")],
    ['E17-long-wait-once', 'a long wait is told once', without('told')],
  ]),
  ...noticedBy(test('core/judges'), [
    ['E13-scripts-judge', 'scripts that a command leads to judge', swap('run.join', '[].join')],
  ]),
  ...noticedBy(test('core/grade'), [
    ['E13-base-judges', 'what the base’s judges say counts', swap('=== 0', '>= 0')],
  ]),
  ...noticedBy(test('e2e/work-kept'), [['E17-edits-stay', 'edits of a killed agent stay', never]]),
  ...noticedBy(test('core/budget'), [
    [
      'E6-card-outlives-budget',
      'a card outlives a budget that is used up meanwhile',
      without('run.approval'),
    ],
  ]),
];
