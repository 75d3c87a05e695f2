/** G10: guards of approvals by rule, of hours and of caps. */
import { always, gone, instead, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const APPROVALS: readonly Guard[] = [
  ...noticedBy(test('core/signature-demands'), [
    ['G10-policy-asks', 'what a policy asks of approvers is part of its reason', gone],
    [
      'G10-named-count',
      'only approvals of those who are named count for a policy',
      swap('isCountedFor(one, demand)', 'true'),
    ],
    [
      'G10-needed',
      'a card needs as many as the policies ask for',
      swap('judged ?? { reasons: [] }', '{ reasons: [] }'),
    ],
    ['G10-named-signer', 'whoever cannot help is refused', never],
    ['G3-n-of-m', 'who signs for one policy signs for no other', without('signatureProgress')],
    ['G3-n-of-m', 'a card that asked for two is not used up by one', without('approval.needed')],
  ]),
  ...noticedBy(test('contracts/signers-again'), [
    ['G10-signers-again', 'the opening looks at the approvers once more', never],
    ['G10-push-signers', 'the push looks at the approvers once more', never],
    [
      'G10-may-still-approve',
      'whoever lost the role does not count',
      swap("({ role }) => role !== undefined && hasRoleAtLeast(role, 'approver')", '() => true'),
    ],
    ['G10-opening', 'with too few nothing is opened', always],
  ]),
  ...noticedBy(test('contracts/own-keys', 'G10'), [
    ['G10-as-many-keys', 'as many keys as approvals', swap('{ needed }', '{ have: needed }')],
  ]),
  ...noticedBy(test('contracts/opening-holds'), [
    ['G10-cool-down', 'a cool-down holds', never],
    ['G10-opening-hours', 'nothing is opened outside its hours', always],
    ['G10-counted-at-once', 'two workers count together', never],
    ['G10-open-per-repository', 'no more are open in a repository', never],
    ['G10-open-per-owner', 'no more are open with an owner', never],
    ['G10-openings-per-hour', 'no more are opened in an hour', never],
    ['G10-openings-per-day', 'no more are opened in a day', never],
    ['G10-strangers-lower', 'strangers have lower caps', instead("return { kind: 'go' };")],
  ]),
  ...noticedBy(test('core/open-now'), [
    ['G10-open-now', 'only what waits for hours is opened now', never],
    ['G10-open-now', 'only an opening is opened now', swap("approval?.kind !== 'open_pr'", 'false')],
    ['G10-open-now', 'nothing is opened now a second time', without('pullRequest')],
  ]),
  ...noticedBy(test('contracts/commands', 'G10'), [
    ['G10-open-now-role', 'only an admin opens it now', swap("roleNeededFor('open')", "'viewer'")],
  ]),
  ...noticedBy(test('contracts/runtime-settings'), [
    ['G10-set-at-once', 'what waits looks again once its limit was changed', never],
  ]),
];
