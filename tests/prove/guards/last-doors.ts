/** Guards of the two publishing effects, one per condition. */
import { always, element, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

const READ_BACK = [
  'author',
  'target repository',
  'head repository',
  'branch',
  'head',
  'permission for maintainers to push',
];

export const LAST_DOORS: readonly Guard[] = [
  ...noticedBy(test('contracts/last-doors'), [
    [
      'G1-consumed-row',
      'an opening’s approval is for an opening',
      swap("row?.kind === 'open_pr'", 'row !== null'),
    ],
    ['G1-consumed-row', 'an opening’s approval is of this run', without('row.runId')],
    ['G1-consumed-row', 'an opening’s approval is used up', without('row.state')],
    ['G1-consumed-row', 'an opening’s approval is used up by it', without('row.consumedBy')],
    ['G1-consumed-row', 'an opening’s approval is for its digest', without('row.digest')],
    ['G1-consumed-row', 'an opening’s approval was passed on to it', element('row.passedTo')],
    ['G6-both-judged', 'a push on the card of an opening is judged as well', never],
    ['G2-signed-fields', 'what was signed is published, not what came after', swap('approvalId', 'null')],
    ['G2-digest-again', 'a conflict cannot be approved away', without('now.fields.conflicts')],
    ['P3-denied-by-now', 'an opening that is denied by now asks for no signature', never],
    ['G1-live-lease', 'a lease that was lost opens nothing', gone],
    ...READ_BACK.map(
      (what) => ['G1-differences', `the ${what} is read back`, element(`['${what}'`)] as const,
    ),
    ['G1-read-back', 'what the code host shows is read back', swap('findUnsignedParts(pull, opening)', '[]')],
    ['L6-adopt-earlier', 'a pull request of an earlier try is adopted', swap('issued !== null', 'false')],
    ['L4-own-pull', 'only our own is adopted', without('pull.author')],
    ['L4-own-pull', 'only this run’s is adopted', swap('?.run === run.id', ' !== null')],
    [
      'L4-same-bytes',
      'only a receipt of ours for these bytes is adopted',
      swap('canonicalJson(receipt) === canonicalJson(own.receipt)', 'true'),
    ],
    [
      'L6-lost-answer',
      'an answer that was lost is looked for',
      swap('await adoptExistingPull(parts, own)', 'null'),
    ],
    ['F12-queue-awaited', 'a fix waits while its pull request is in the merge queue', never],
    ['F8-head-asked-again', 'a lagging copy is asked again', swap('lagsBehind(error)', 'false')],
    [
      'E14-push-evaluated',
      'a push is of the commit that was checked',
      swap('evaluation?.commitSha !== commitSha', '!evaluation'),
    ],
    ['E14-push-evaluated', 'a push is of a commit that passed', without('evaluation.passed')],
    [
      'G6-push-judged-now',
      'a push goes out unsigned only where none is needed',
      swap(
        "approvalId === null && (assessment.decision === 'deny' || needsSignature(before, assessment))",
        'false',
      ),
    ],
    ['G6-push-consumed', 'a signed push has used its approval up', without('row.state')],
    ['G6-push-consumed', 'a signed push has used it up itself', without('row.consumedBy')],
    ['P3-not-default-branch', 'a push never goes to the default branch', element('facts.defaultBranch')],
    ['P3-not-default-branch', 'a push never goes to its target', element('requireValue')],
    ['G2-push-read-back', 'a push is read back', never],
    ['G6-signed-name', 'a name that was signed is not changed', without('approvalId')],
  ]),
  ...noticedBy(test('contracts/sealed-doors', 'P3'), [
    [
      'P3-not-default-branch',
      'a push never goes to the default branch of a fork',
      element('head.defaultBranch'),
    ],
  ]),
  ...noticedBy(test('contracts/sealed-doors', 'P1'), [
    ['P1-open-pulls-bounded', 'no more are open than may be', swap('>=', '>')],
    ['P1-first-pull-small', 'the first one for strangers is small', swap('isLarge &&', 'false &&')],
  ]),
  ...noticedBy(test('contracts/sealed-doors', 'E16'), [
    [
      'E16-lent-in-pull',
      'a pull request shows no sign-in that was lent',
      swap('withSecretsFound(parts, pull, context)', 'context'),
    ],
    [
      'E16-lent-in-push',
      'a push shows no sign-in that was lent',
      swap('withSecretsFound(parts, push, context)', 'context'),
    ],
  ]),
  ...noticedBy(test('contracts/forks', 'G2: takes no repository for a fork'), [
    ['G2-fork-of-base', 'what is pushed to is a fork of the repository', always],
  ]),
];
