/** Guards of the ledger: leases, causes, commits, bounds and the chain. */
import { always, element, gone, never, swap, without } from './breaks.ts';
import { claim, noticedBy, test, type Guard } from './guard.ts';

export const RECORD: readonly Guard[] = [
  ...noticedBy(test('core/pausing'), [
    ['S2-result-epoch', 'a result is of the present epoch', without('stamp.effectEpoch')],
  ]),
  ...noticedBy(test('contracts/ledger'), [
    ['S2-void-effects', 'work of an earlier epoch is void', never],
    ['L4-lease-epoch', 'a lease is fenced by its epoch', gone],
    ['L4-lease-boot', 'a lease is of this boot', gone],
    ['S4-known-cause', 'a cause is known when it comes again', swap('key', 'key: `${key} ${Math.random()}`')],
    ['S4-handled-once', 'a message is handled once', gone],
    ['G1-consumed-digest', 'an approval is consumed for its digest', gone],
    ['G1-passed-on-once', 'an approval is passed on once', gone],
    ['L8-cut-off-again-yields', 'what is cut off again and again yields', swap('> 1', '> 99')],
    ['L4-serial-work', 'a run’s work is done in turn', swap("'run'", 'null')],
    ['E6-queued-again', 'a run that was queued again counts again', without('QUEUED')],
    ['S6-clock-put-back', 'a clock that was put back keeps nobody waiting', never],
    ['S6-clock-put-back-away', 'nor one that was put back while we were away', gone],
  ]),
  ...noticedBy(test('processes/make-directory'), [
    [
      'L7-directory-made-by-others',
      'what another program made meanwhile is there',
      swap('!statSync(dir, { throwIfNoEntry: false })?.isDirectory()', 'true'),
    ],
  ]),
  ...noticedBy(test('processes/fleet'), [
    [
      'L5-control-anchors',
      'only a control, beside whose key the anchor lies, takes checkpoints',
      swap("others?.place.role === 'worker'", 'false'),
    ],
    ['L7-one-writer', 'several programs write in turn', never],
    ['L7-migrates-alone', 'a schema is changed while nobody uses it', never],
    ['L7-jobs-migrate-alone', 'so are the tables of jobs', never],
  ]),
  ...noticedBy(test('processes/postgres-refusals'), [
    ['L7-no-pooler', 'no lock is taken through a pooler in transaction mode', never],
  ]),
  ...noticedBy(test('processes/fleet', 'a control that takes over'), [
    [
      'L7-directory-stands-by',
      'who takes over waits for its directory',
      swap("'directory_taken'", "'control_taken'"),
    ],
    [
      'L7-start-waits',
      'and for a connection where none is left',
      swap('retryWhileUnavailable(() => tryOpenFleet(request), request.onWaiting)', 'tryOpenFleet(request)'),
    ],
  ]),
  ...noticedBy(test('processes/postgres-weather'), [
    ['L7-acknowledged-kept', 'what was acknowledged is looked for when Postgres is back', never],
  ]),
  ...noticedBy(test('slow/stories/failover', 'asks again'), [
    [
      'L7-start-asks-again',
      'and when the connection goes between two questions',
      swap('retryWhileUnavailable(work, (why) => log.warn({}, why.message))', 'work()'),
    ],
  ]),
  ...noticedBy(test('slow/stories/failover', 'waits at its start'), [
    ['L6-failed-start-ends', 'a start that fails leaves its seat', swap('.catch(giveUp)', '')],
  ]),
  ...noticedBy(claim('caps', 8), [
    ['S7-round-bound', 'each round has its bound', without('tries')],
    ['S7-step-retries', 'retries of a step have their bound', never],
  ]),
  ...noticedBy(test('core/gate'), [
    [
      'S7-outside-failures',
      'failures outside in a row pause the run',
      swap('< order.bounds.maxFailedOutside', '> 0'),
    ],
  ]),
  ...noticedBy(claim('histories', 60), [
    ['S7-bound-calls-person', 'the end of a bound calls a person', gone],
    ['S6-reminder', 'whoever is waited for is reminded', gone],
  ]),
  ...noticedBy(test('contracts/late-answers'), [
    ['L4-late-fact', 'what happened is a fact, lease or not', never],
  ]),
  ...noticedBy(claim('histories', 10), [
    [
      'L2-ends-with-step',
      'a message ends with its step, not before it',
      swap("'inbox', id: context.row.id", "'none'"),
    ],
  ]),
  ...noticedBy(test('adapters/sqlite', 'L3: is journalled'), [
    ['L3-commit-on-disk', 'a commit is on the disk', swap("'synchronous = FULL'", "'synchronous = NORMAL'")],
  ]),
  ...noticedBy(test('adapters/sqlite', 'L3: only what is kept'), [
    ['L3-commit-on-disk-again', 'what follows a cache is on the disk', gone],
  ]),
  ...noticedBy(test('adapters/sqlite', 'second process is refused'), [
    ['L6-one-process', 'one process for a data directory', gone],
  ]),
  ...noticedBy(test('contracts/audit-tampering'), [
    ['L5-own-effect', 'an effect that is not ours is not done', never],
    ['L5-own-state', 'a state that is not ours is not built on', never],
    ['L5-own-records', 'records that are not ours are not built on', never],
    ['L5-own-buttons', 'buttons act by what was asked for', swap('hasValidEffectMac(seal, row)', 'true')],
    ['L5-own-rights', 'somebody’s rights are ours to give', without('hasValidInstallationMac')],
    ['L5-own-rights', 'a right that went stays away', without('row.seq')],
    ['L5-rights-follow', 'rights follow from their log', never],
    ['L5-chain-link', 'each event follows the one before', never],
    ['L5-replayed-rows', 'rows are what the log makes', element('compareStoredRows')],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'time of arrival'), [
    ...['source', 'key', 'body', 'received_at'].map(
      (column) =>
        ['L5-words-as-they-came', `the ${column} of a word is ours`, element(`'${column}'`)] as const,
    ),
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'no word is reopened'), [
    [
      'L5-dead-as-received',
      'a word that was changed before it was given up is not retried',
      swap('hasValidInboxMac(seal, row)', 'true'),
    ],
    [
      'L5-retried-as-received',
      'a word that was changed after it was given up is not retried',
      swap('isSameRowMac(macOfDeadInboxRow(seal, row), row.mac)', 'true'),
    ],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'run that is not there'), [
    [
      'L5-events-have-run',
      'a log without its run is found',
      swap('union select run_id from events where ${those}', ''),
    ],
    [
      'L5-events-have-run',
      'an approval without its run is found',
      swap('union select run_id from approvals where ${those}', ''),
    ],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'wrong with a chain'), [
    ['L5-chain-end', 'a log does not end early', never],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'just written'), [
    [
      'L5-whole-records',
      'remembered records are compared whole',
      swap('hasSameRecords(last.stored, records)', 'true'),
    ],
    [
      'L5-whole-head',
      'a remembered state is compared whole',
      swap(
        'HEAD_COLUMNS.every((column) => last.row[column] === row[column])',
        'last.row.head_mac === row.head_mac',
      ),
    ],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'beside the key counts'), [
    [
      'L5-anchor-mark',
      'what is anchored is ours to say',
      swap('isSameRowMac(textOf(reached), text)', "text !== ''"),
    ],
  ]),
  ...noticedBy(test('processes/bad-weather', 'put back whole'), [
    [
      'L5-witness',
      'a data directory that was put back whole is known by what lies beside it',
      swap('here && outside && outside.seq > here.seq ? outside : here', 'here'),
    ],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'log was cut'), [
    [
      'L5-cut-log',
      'the end of an ended log is looked at as well',
      swap('(await query.audit.cutLogs())', '(await query.audit.cutLogs()).slice(0, 0)'),
    ],
  ]),
  ...noticedBy(test('processes/bad-weather', 'older copy of its ledger'), [
    ['L5-older-copy', 'what an older copy lost stays lost', always],
  ]),
  ...noticedBy(test('processes/backup', 'leads nowhere else'), [
    [
      'S6-backup-names',
      'a backup writes where it belongs',
      swap('/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part)', 'true'),
    ],
    ['S6-backup-sums', 'a backup holds what was written', never],
    ['S6-backup-plain-files', 'a backup holds files alone', never],
  ]),
  ...noticedBy(test('processes/backup', 'empty directory only'), [
    ['S6-restore-empty', 'a restore goes over nothing', never],
    ['S6-half-restored', 'half of a restore does not start', always],
  ]),
  ...noticedBy(test('processes/backup', 'older copy until'), [
    ['L5-restored-older', 'what was restored says so', gone],
  ]),
  ...noticedBy(test('processes/backup', 'counts as tried'), [
    ['L5-restored-tries', 'what waited may have been done', gone],
  ]),
  ...noticedBy(test('processes/backup', 'before its first migration'), [
    ['S6-backup-before-migration', 'a migration comes after a backup', always],
  ]),
  ...noticedBy(test('contracts/boot-told'), [
    ['L5-older-copy-told', 'an admin hears of an older copy', gone],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'end of a log was cut off'), [
    ['L5-lost-end', 'a run that lost its end is named', always],
  ]),
  ...noticedBy(test('contracts/audit-tampering', 'taken out of every table'), [
    ['L5-lost-run', 'a run that is gone is named', element('gone')],
  ]),
  ...noticedBy(test('contracts/moving'), [
    ['L7-moved-mac', 'what was kept of a run bears our MAC', never],
    ['L7-bucket-closed', 'a bucket that anybody can list gets nothing', never],
    ['L7-bucket-bytes', 'a part of the bucket is believed by its digest', never],
  ]),
  ...noticedBy(test('slow/processes/moving'), [
    ['L7-moved-paths', 'no kept file leads out of HOME', swap('parts.every(', 'true || parts.every(')],
  ]),
  ...noticedBy(test('contracts/one-try'), [
    ['L4-one-try', 'one try of an effect at a time', swap('running.get(claim.n)', 'undefined')],
  ]),
  ...noticedBy(test('slow/adapters/replay-threads'), [
    ['L5-same-moment', 'what a thread saw at another moment does not count', always],
  ]),
  ...noticedBy(test('core/legal'), [
    ['L5-legal-target', 'a recorded step keeps to the table', never],
    ['L5-only-frozen-extends', 'a recorded card gets time only where nobody could answer', never],
    ['L5-own-signature', 'a recorded signature is of whoever gave the command', without('signerIdOf')],
    ['L5-enough-signatures', 'a recorded approval has its signatures', without('card.signatures.length')],
    ['L5-passed-on', 'a recorded approval is passed on to what was signed', never],
    [
      'L5-consumed-outside',
      'what goes outside uses its approval up',
      swap('checkLooseEffects(step)', 'null'),
    ],
  ]),
  ...noticedBy(test('core/changes'), [['S9-gone-fields', 'what is gone is told', gone]]),
];
