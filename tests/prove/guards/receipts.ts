/** Guards of receipts that outsiders check. */
import { always, never, swap } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

const holds = (expression: string) => swap(expression, 'true');

export const RECEIPTS: readonly Guard[] = [
  ...noticedBy(test('contracts/late-answers'), [
    [
      'G9-page-then',
      'an opened pull request is known whatever page is linked now',
      swap('then.page ?? null', 'null'),
    ],
  ]),
  ...noticedBy(test('contracts/verify-pull'), [
    ['G9-signature', 'a receipt that was changed does not hold', never],
    ['G9-one-form', 'a signature has one form', never],
    ['G9-key-period', 'a key signs in its own time alone', never],
    ['G9-key-revoked', 'a revoked key confirms nothing', swap("'key_revoked'", 'null')],
    ['G9-page-at-approval', 'a later address changes nothing that was approved', swap('from <= at', 'true')],
    ['G9-page', 'the link of a receipt is signed with it', swap('page === undefined ? [] : [page]', '[]')],
    [
      'G9-repository',
      'a receipt holds in its repository alone',
      holds('signed.repo.toLowerCase() === pull.repo.toLowerCase()'),
    ],
    ['G9-commit', 'a receipt holds for its commit alone', holds('signed.commit === pull.head')],
    [
      'G9-body',
      'a receipt holds for its description alone',
      holds('signed.body === sha256Hex(normalizeBody(withoutReceipt(pull.body)))'),
    ],
  ]),
  ...noticedBy(test('contracts/decision-statement'), [
    ['G9-statement', 'the statement covers who approved', swap('claimed.approver', "''")],
    ['G9-statement', 'the statement covers what was shown', swap('digestOf(claimed.digest)', 'null')],
    ['G9-statement', 'the statement covers the tree', swap('gitTree: signed.tree', "gitTree: ''")],
    ['G9-statement', 'the statement covers the approvers’ keys', swap('byKeys ?? null', 'null')],
    ['G9-envelope-whole', 'an envelope has one form', holds('canonicalJson(own) === canonicalJson(value)')],
    ['G9-commit-there', 'a commit that nobody has confirms nothing', never],
    ['G9-tree', 'a receipt holds for its tree alone', swap("'other_tree'", 'null')],
  ]),
  ...noticedBy(test('adapters/receipt-action'), [
    ['G9-action-event', 'an event without a pull request passes nothing', never],
    ['G9-action-keys', 'without keys nothing passes', never],
  ]),
  ...noticedBy(test('contracts/transparency-vectors'), [
    ['G12-index-inside', 'no decision stands behind the end of the log', never],
    ['G12-inclusion', 'a proof leads to the signed root', holds('isSameHash(hash, root)')],
    ['G12-consistency', 'a proof begins with the older head', holds('isSameHash(old, before.root)')],
    ['G12-consistency', 'a proof leads to the newer head', holds('isSameHash(now, after.root)')],
    ['G12-note-one-form', 'a signature of a head has one form', never],
    ['G12-note-signature', 'a false signature of a known key is refused', never],
    ['G12-note-signed', 'a head has to be signed by a known key', always],
  ]),
  ...noticedBy(test('contracts/decision-log'), [
    ['G12-origin', 'a head is of the log that was asked for', never],
    ['G12-revoked', 'a revoked key signs no head', holds('revokedAt === null')],
  ]),
];
