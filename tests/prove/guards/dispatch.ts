/** Guards of effects and inbox: leases, shutdown, tries, order. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const DISPATCH: readonly Guard[] = [
  ...noticedBy(test('contracts/dispatch'), [
    ['L6-shutdown-ends-nothing', 'a shutdown ends nothing', always],
    ['L6-shutdown-waits', 'a shutdown waits for what it stops', gone],
    ['L4-lease-renewed', 'a lease is renewed', gone],
    ['L4-lease-renewed-again', 'a lease is renewed again', swap('else scheduleRenewal();', '')],
    ['L4-lease-renewed-again', 'whoever lost the lease stops', never],
    ['L4-lease-ends', 'a renewal under way when its work ends begins no other', never],
    ['S2-left-state-stops', 'what works for a state that is left stops', gone],
    ['G1-opening-not-stopped', 'an opening that was begun is not stopped', swap('false', 'true')],
    [
      'L8-due-meanwhile',
      'what becomes due while others are claimed is not left lying',
      swap('due > begunAt', 'due > clock.now()'),
    ],
    [
      'L8-room-elsewhere',
      'what waits for a place hides nothing that is due later',
      swap('countPlaces(pool) > 0', 'true'),
    ],
    ['E6-cap', 'there is no more at once than room', swap('cap - work.count(ofPool)', 'cap')],
    ['S6-told-before-giving-up', 'a person is told before something is given up', gone],
    ['F5-host-patience', 'a host that asks for patience gets it', gone],
    [
      'F8-one-wait-one-sound',
      'of many that wait for the same one rings',
      swap('const sound = same === null', 'const sound = true'),
    ],
    ['S6-outside-tries', 'tries outside come to an end', swap('OUTSIDE_TRIES', 'Infinity')],
  ]),
  ...noticedBy(test('contracts/inbox'), [
    ['L9-row-set-aside', 'a row that stopped the process twice is not handled again', never],
    ['L9-suspect-last', 'a row that stopped the process before waits for the rest', never],
    ['L9-stops-of-the-living', 'a count of what is gone is forgotten', never],
    ['L9-retried-once', 'a row that was retried gets no second chance', swap('MAX_STOPS - 1', 'MAX_STOPS')],
  ]),
  ...noticedBy(test('contracts/dispatch'), [
    ['L9-effect-set-aside', 'an effect that stopped the process twice is not begun again', never],
    ['L9-suspect-effect-last', 'an effect that stopped the process before waits for the rest', never],
  ]),
  ...noticedBy(test('adapters/listener', 'a release that a campaign waits for'), [
    [
      'L10-release-awaited',
      'a release that a campaign waits for is handled where no run is live',
      swap('parts.awaitsRelease(repo.fullName)', 'repo === null'),
    ],
    ['L10-not-stored', 'a delivery that concerns no run is counted, and nothing of it is stored', never],
  ]),
  ...noticedBy(test('adapters/handling-watch'), [
    ['L9-handled-is-harmless', 'what was handled after all is harmless', gone],
  ]),
  ...noticedBy(test('core/writers'), [
    [
      'F5-counted-before-sent',
      'what is let go counts before it is sent',
      swap('[...book.sentAt, asks.now]', 'book.sentAt'),
    ],
  ]),
  ...noticedBy(test('contracts/contribution'), [
    [
      'G8-unread-no-permission',
      'rules that nobody showed us are no permission',
      swap('HIDDEN_CLASSES.includes(error.class)', 'true'),
    ],
  ]),
  ...noticedBy(test('contracts/writers'), [
    ['G1-live-after-wait', 'whoever waited at the door looks once more whether it may still go', never],
    ['F5-not-soon', 'whoever may not write soon comes back later', never],
    [
      'F5-turn-first',
      'nothing is read before its turn to write',
      swap('(await writers?.comesBack(claim)) ?? null', 'null'),
    ],
    ['F5-waiting-no-try', 'to wait for a turn uses up no try', never],
  ]),
  ...noticedBy(test('slow/processes/writer-budget'), [
    [
      'F5-one-limiter',
      'everything that writes goes through one limiter',
      swap(
        'writer ? writer.limiter.write(await writer.identity(repoOf(params)), sendOnce) : sendOnce()',
        'sendOnce()',
      ),
    ],
    [
      'F5-stops-all',
      'a refusal stops all that write',
      swap('await writer.limiter.refused(identity, findPauseEnd(headers, clock.now()))', 'null'),
    ],
    ['F5-nobody-asks', 'nobody asks while the host wants to be left alone', never],
    [
      'F5-begins-nothing-on-the-last',
      'the last requests of an hour are for what was begun',
      swap('isLeft && asks', 'false && asks'),
    ],
    ['F5-begun-is-finished', 'what has asked once is not stopped by the last requests', gone],
    ['F5-last-one', 'the last answer of an hour stops all that write', gone],
  ]),
  ...noticedBy(test('contracts/inbox'), [
    ['S6-message-tries', 'a message is given up some time', swap('+ 1 >= MAX_INBOX_TRIES', '< 0')],
    ['S6-sender-told', 'whoever sent it hears so', swap('dead', '!dead')],
    ['S4-in-order', 'messages are handled in their order', without('paused.has')],
    ['S6-failed-again', 'what failed is tried again', gone],
    [
      'S6-drained-again',
      'what is stored just as all is done is handled',
      swap('draining = null', 'draining = (await null, null)'),
    ],
  ]),
];
