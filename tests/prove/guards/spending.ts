/** Guards of how pull requests open, and of what is spent above a run. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const SPENDING: readonly Guard[] = [
  ...noticedBy(test('core/pull-options'), [
    [
      'F13-strangers-left-alone',
      'in a repository of strangers labels and people are left to them',
      swap('mayPush ? wanted : {}', 'wanted'),
    ],
    [
      'F13-taken-off',
      'what an approver takes off at the card is not set',
      swap('takeOff(asked, without)', 'asked'),
    ],
    [
      'F13-ready-as-signed',
      'a pull request turns ready by itself only if the card said so',
      without('readyWhenGreen'),
    ],
  ]),
  ...noticedBy(test('core/govern-repository'), [
    [
      'G10-groups-known',
      'a group that nobody names is refused before work begins',
      swap('findUnmetDemand(custom, groups)', 'findUnmetDemand([], groups)'),
    ],
  ]),
  ...noticedBy(test('adapters/gateway'), [
    ['E6-raise-at-once', 'a raise holds in the middle of a turn', gone],
    ['P7-price-above-run', 'a limit above the run refuses a model without a price', always],
    ['P7-nothing-sent-over', 'nothing is sent once a limit above the run is used up', never],
  ]),
  ...noticedBy(test('contracts/ledger', 'P7'), [
    ['P7-raised-at-once', 'two raises of one moment raise once', never],
    [
      'P7-limit-before-request',
      'limits above a run are looked at before each request',
      swap('findExhaustedSpending(limits, rows, places)', 'null'),
    ],
    ['P7-one-goes-over', 'one request at a time may go over a limit', never],
    ['P7-no-new-turn', 'no turn starts when a limit above the run is used up', always],
    ['P7-pending-one-day', 'what was asked before midnight is reserved once', gone],
    [
      'P7-own-budget',
      'a campaign has the budget of its own file',
      swap('campaign, budget)', 'campaign, undefined)'),
    ],
    ['P7-dead-attempts-count', 'what a killed agent may have used counts', gone],
  ]),
  ...noticedBy(test('contracts/spending-workers'), [
    ['P7-lost-counts', 'what a dead worker had reserved ends with its signs of life', gone],
    [
      'P7-slow-is-alive',
      'a worker that lost its lease and lives on may still settle what it reserved',
      swap("'>'", "'<'"),
    ],
    [
      'P7-left-behind',
      'what an attempt left behind counts, also while its worker lives',
      swap("'<='", "'>'"),
    ],
    [
      'P7-run-without-work',
      'what nobody settled counts once its run is over, also while its worker lives',
      gone,
    ],
  ]),
  ...noticedBy(test('contracts/costs-command'), [
    ['P7-admins-raise', 'only an admin raises a budget above runs', swap("'admin'", "'viewer'")],
    ['P7-set-after-raise', 'a budget that was set after a raise holds', never],
    ['P7-raised-once-a-message', 'a message that is handled again raises nothing', never],
  ]),
  ...noticedBy(test('slow/stories/month-budget'), [
    ['P7-own-count-stops', 'an agent that counts by itself is stopped at a limit above its run', never],
  ]),
];
