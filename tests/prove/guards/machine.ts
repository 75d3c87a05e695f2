/** Guards of the machine: targets, timers, observed facts, bounds. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const MACHINE: readonly Guard[] = [
  ...noticedBy(test('core/red-elsewhere'), [
    [
      'F6-red-on-base',
      'only what is red on the base too is left alone',
      swap('ownRedCheckNames(run).length === 0', 'true'),
    ],
    ['F6-rerun-not-lost', 'a re-run that was not begun is not waited for', never],
    [
      'F6-rerun-once',
      'a check that was run again is not flaky a second time',
      swap('!known.includes(name) || isStill(name)', 'true'),
    ],
    [
      'F6-flaky-until-tried',
      'a check that may be flaky stays one until it was run again',
      swap('!again.includes(name)', 'false'),
    ],
    [
      'S7-compared-before-counted',
      'no fix is counted before it is known whose failure it is',
      swap('redOf(run).some((check) => failsWhere(run, check) === null)', 'false'),
    ],
    [
      'F6-later-try-asked',
      'a later try of what is red on the base is asked about again',
      swap('startedAt > ciComparison.latestTry', 'false'),
    ],
    [
      'F6-review-waits',
      'a review waits until it is known whose failures there are',
      without('isUncompared(run)'),
    ],
  ]),
  ...noticedBy(test('slow/processes/red-on-base-or-flaky'), [
    [
      'F6-interrupted-base',
      'a run of the base that was only interrupted excuses nothing',
      swap('!isInterrupted(run)', 'true'),
    ],
    [
      'F6-each-of-a-name',
      'of two checks of one name neither excuses the other',
      swap('of !== name || holds', 'true'),
    ],
  ]),
  ...noticedBy(test('core/template-claims'), [
    ['F9-unit-tests-are-green', 'a box of the word alone takes tests that passed', never],
    ['F9-proven-lines', 'a line of a template needs its proof', swap('isProven(facts, claim)', 'true')],
  ]),
  ...noticedBy(test('core/claims-oracle'), [
    [
      'F9-hunk-of-its-topic',
      'a line of the change proves a box of its topic alone',
      swap(
        'isAboutBox(withoutDeniedHalf(withoutBox(line)), path, proof)',
        'isAboutWords(withoutBox(line), path, proof)',
      ),
    ],
    ['F9-check-adds-nothing', 'a check that passed proves no test that was added', never],
    ['F11-named-file', 'a box that names a file needs that file', never],
    ['F11-named-command-alone', 'no reason ticks a box whose own command did not run', never],
  ]),
  ...noticedBy(test('core/template-shapes'), [
    [
      'F11-named-folder',
      'a box that names a folder needs a file in it',
      swap(' && inNamedFolders(facts, label)', ''),
    ],
  ]),
  ...noticedBy(test('core/template-questions'), [
    ['F9-questions-asked', 'what a template asks of a person is asked', never],
    [
      'F9-answers-placed',
      'the answer of a person stands where it was asked for',
      swap('people.template === undefined', 'true'),
    ],
  ]),
  ...noticedBy(test('core/govern-rules'), [
    ['P3-denounced-denied', 'whom a repository denounces opens nothing there', never],
    [
      'F10-elsewhere-asked',
      'a change that goes elsewhere is not opened unasked',
      swap('askPerson', 'giveNoOpinion'),
    ],
  ]),
  ...noticedBy(test('core/before-work'), [
    [
      'F10-elsewhere-before-work',
      'a change that goes elsewhere is asked about before the work',
      swap("r.kind === 'elsewhere'", 'false'),
    ],
  ]),
  ...noticedBy(test('core/open-remarks'), [
    [
      'F7-heard-once',
      'an answered remark is not waited for again',
      swap('record.knownIds.includes(remark.id)', 'false'),
    ],
    ['F7-comment-known', 'only a comment that waits is answered', never],
    ['F7-own-words', 'no words of an agent go where a person’s are wanted', never],
  ]),
  ...noticedBy(test('contracts/open-remarks'), [
    ['F7-closing-role', 'only an approver’s sentence closes a pull request', never],
    ['F7-comment-role', 'a viewer answers no comment', never],
  ]),
  ...noticedBy(test('core/reviews'), [
    [
      'F6-refused-rerun-told',
      'a re-run that is refused is told, whoever is asked for something else',
      swap("if (input.step === 'rerun_ci')", "if (input.step === 'rerun_ci' && !run.approval)"),
    ],
  ]),
  ...noticedBy(test('slow/processes/forge-feedback'), [
    ['F6-run-again-when-ended', 'nothing is run again of what has not ended', never],
  ]),
  ...noticedBy(test('core/access-lost'), [
    ['F1-rights-lost', 'a run that somebody paused does not go on by itself', never],
    ['F1-rights-back', 'what a person paused goes on by a person only', never],
  ]),
  ...noticedBy(test('contracts/webhooks-handle'), [
    [
      'F1-rights-asked',
      'what we may is asked, not taken from a payload',
      swap('now ? null : (how', 'false ? null : (how'),
    ],
  ]),
  ...noticedBy(test('core/reopened'), [
    ['S11-host-ended', 'only a run that a closing ended is taken up again', never],
    ['S11-later-look', 'a look that is older than the closing takes nothing up', never],
    ['S11-late-closing', 'what tells late of a closing ends nothing again', never],
    ['S11-pause-stays', 'what a person paused stays paused', never],
    ['S11-looked-for', 'a closed pull request is looked at again', never],
  ]),
  ...noticedBy(test('core/killed-check'), [
    [
      'E19-killed-by-machine',
      'a check that the machine killed is no failure of the change',
      swap("outcome: 'not_run'", "outcome: 'failed'"),
    ],
  ]),
  ...noticedBy(test('slow/processes/red-on-base-or-flaky'), [
    [
      'F6-killed-by-machine',
      'a job that its machine ended is no failure of the change',
      swap("KILLED_NOTE.test(one.message ?? '')", 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/start-again'), [
    ['S11-same-order', 'an order is not offered again as less than it was', never],
    [
      'S11-not-twice',
      'what lives again is not begun a second time',
      swap('run && run.lifecycle.epoch !== before?.epoch ? run : null', 'null'),
    ],
  ]),
  ...noticedBy(test('core/look-pace'), [
    [
      'F5-failing-looks-paced',
      'looks that are refused share a part of the hour',
      swap('isPartial ? 0', 'true ? 0'),
    ],
  ]),
  ...noticedBy(test('core/shown'), [
    ['F8-late-shown', 'what comes late changes nothing that a pull request shows', never],
    ['F8-changes-told', 'a change by somebody else is told', never],
  ]),
  ...noticedBy(test('core/suggestions'), [
    ['F7-suggestion-in-place', 'suggested lines that do not fit are not put in', never],
  ]),
  ...noticedBy(test('core/reviews'), [
    ['P5-outsiders-ignored', 'a stranger’s remark is proposed for nothing', never],
    ['F7-bots-never-steer', 'a program’s review does not steer', swap('fact.bot === true', 'false')],
    [
      'F7-brought-once',
      'a remark is brought once',
      swap('!run.upstream.observed.triagedRemarks.includes(id)', 'true'),
    ],
    ['F7-over-is-ignored', 'what is over is proposed for nothing', never],
    ['G6-reply-denied', 'answers that a policy denies are not asked about', never],
  ]),
  ...noticedBy(test('core/order'), [['G2-sorted-keys', 'the same value is one text', gone]]),
  ...noticedBy(test('core/gate'), [
    ['G4-shown-digest', 'a signature is for what would be published', without('digestNow')],
    [
      'G3-requester',
      'rights go with an id, not with a name',
      swap('id === run.order.requester.id', 'name === run.order.requester.name'),
    ],
    [
      'G3-random-card-id',
      'an id of a card cannot be guessed',
      swap('draft.stamp.nonce', '`${draft.run.id}-${draft.run.version}`'),
    ],
    ['G3-card-timer', 'a card has the clock that closes it', gone],
    ['G4-void-card-shown', 'a card that is void says so', gone],
    [
      'E14-signed-lease',
      'a signed fix leaves from where we left the branch',
      swap('run.change.pushedHead?.sha', 'null'),
    ],
  ]),
  ...noticedBy(test('core/one-card'), [
    ['G1-pass-on-at-once', 'a signature for both opens nothing after a pause', without('stamp.effectEpoch')],
    ['G1-pass-on-what-was-signed', 'a signature for both opens the branch that it named', without('branch')],
    ['G1-pass-on-what-was-signed', 'a signature for both opens the head that it named', without('headSha')],
    [
      'G6-both-decisions',
      'the harder word of two counts',
      swap('other.decision : one.decision', 'one.decision : one.decision'),
    ],
    ['G6-push-signed-for', 'a card that pushes says so', without('pushes')],
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
      swap('? id !== pr.id : !ours.includes(headSha)', '&& id !== pr.id'),
    ],
    ['S2-own-branch', 'a head is of our branch', without('fact.branch')],
    [
      'F3-silence-since-ready',
      'silence counts from when checks may run',
      swap(', firstAt: at, changedAt: at, confirmed: false', ''),
    ],
  ]),
  ...noticedBy(test('core/verdict'), [
    ['F8-settled-green', 'green was seen when it had settled', never],
    ['F8-silence-since-poll', 'silence counts from a look that read everything', never],
    ['F3-by-its-app', 'a required check is its app’s alone', swap('check.app === app', 'true')],
    ['F3-nothing-open', 'what is optional has to end as well', without('open.length')],
    ['F3-unknown-is-not-green', 'what nobody can judge is not green', never],
    ['F6-rerun-never-came', 'a check that nobody runs again stands as it ended', always],
    ['F3-gone-checks', 'a check that is gone says nothing any more', swap('there.has(key)', 'true')],
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
  ...noticedBy(test('core/check-config'), [
    ['E13-scripts-judge', 'scripts that a command leads to judge', swap('run.join', '[].join')],
  ]),
  ...noticedBy(test('core/grade'), [
    ['E13-base-judges', 'what the base’s judges say counts', swap('=== 0', '>= 0')],
  ]),
  ...noticedBy(test('slow/stories/work-kept'), [['E17-edits-stay', 'edits of a killed agent stay', never]]),
  ...noticedBy(test('core/budget'), [
    ['C4-raised-call', 'a warning whose limit was raised has no button any more', never],
    [
      'E6-card-outlives-budget',
      'a card outlives a budget that is used up meanwhile',
      without('run.gate.approval'),
    ],
  ]),
];
