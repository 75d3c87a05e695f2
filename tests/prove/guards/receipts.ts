/** Guards of receipts that outsiders check. */
import { never, swap } from './breaks.ts';
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
      holds('signed.body === sha256Hex(plainText(withoutReceipt(pull.body)))'),
    ],
  ]),
];
