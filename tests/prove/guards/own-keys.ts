/** G11: guards of approvers' own keys. */
import { always, gone, instead, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const OWN_KEYS: readonly Guard[] = [
  ...noticedBy(test('contracts/own-keys'), [
    ['G11-policy-asks', 'a policy’s wish for a key is part of its reason', gone],
    ['G11-opening', 'the opening looks at the keys once more', instead('return null;')],
    ['G11-push', 'the push looks at the keys once more', instead('return null;')],
    ['G11-asked-again', 'what is judged now decides whether keys are needed', always],
    ['G11-signed-by-keys', 'without the signatures nothing is published', always],
    ['G11-registered', 'a key is its owner’s', without('!known')],
    ['G11-registered', 'a person is one person', without('signature.person !== passkeys.personOf(by)')],
    ['G11-named-outside', 'the ledger alone makes no key trusted', never],
    ['G11-signature', 'a signature is over exactly this', swap("'wrong_signature'", 'null')],
    ['G11-enough', 'people are counted, not signatures', swap('people.size', 'signatures.length')],
    ['G11-enough', 'at least one has to sign', swap('Math.max(1, needed)', '0')],
    ['G11-origin', 'a signature is of a site of its key', without('!isOriginOf(from, signature.rpId)')],
    ['G11-challenge', 'a signature is over its text', swap('challengeOf(statement)', '() => true')],
    ['G11-person-verified', 'a finger was on the key', swap('true', 'false')],
    ['G11-statement', 'a signature is for one run', swap('statement.run', "''")],
    ['G11-statement', 'a signature is for one act', swap('statement.action', "''")],
    ['G11-statement', 'a signature is for one card', swap('statement.approval', "''")],
    ['G11-statement', 'a signature is over one seal', swap('statement.seal', "''")],
  ]),
  ...noticedBy(test('adapters/passkeys'), [
    ['G11-key-at-card', 'a chat’s signature does not count where a policy asks for a key', never],
    [
      'G11-signed-before-recorded',
      'a key’s signature is checked before it is recorded',
      swap('await checkOwnKeys({ run, action, approvalId, proposal }, signed, 1)', 'null'),
    ],
    ['G11-origin', 'a decision is made on this board', swap('from !== origin', 'false')],
    ['G11-board-role', 'only approvers decide on the board', never],
    ['G11-board-signature', 'a refusal is signed with its words', never],
    ['G11-board-lapsed', 'signers who lost their role do not count', never],
    [
      'G11-own-origin',
      'other sites send nothing',
      swap('headers.origin === parts.keys?.origin()?.origin', 'true'),
    ],
    [
      'G11-page-of-one-person',
      'a page for one person is given to no other',
      swap('found.route.personal', 'false'),
    ],
    ['G11-link-for-a-key', 'a key is registered by a link from the chat', never],
    [
      'G11-link-once',
      'a link is for one key',
      swap('() => access.useRegistration(context.cookie)', 'async () => true'),
    ],
    ['G11-registers-from-chat', 'what a link allows ends', without('registers.until <= clock.now()')],
    ['G11-registered-by-person', 'a finger was on a new key', swap('true', 'false')],
    ['G11-act-size', 'no body is larger than a decision', never],
    [
      'L5-own-key',
      'a recorded signature has its key',
      without('WithOwnKey.safeParse(JSON.parse(body)).success'),
    ],
  ]),
  ...noticedBy(test('contracts/verify-own-keys'), [
    [
      'G11-receipt-signed',
      'a key confirms what it signed',
      swap('await isSignedByKey(key, statement)', 'true'),
    ],
    ['G11-receipt-wanted', 'the key that a reader trusts has to be there', never],
    ['G11-receipt-whole', 'a key’s part is signed with the receipt', swap('byKeys === undefined', 'true')],
  ]),
];
