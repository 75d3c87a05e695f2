/** Guards of approvals, and of the checks before publishing. */
import { SealFields } from '#model/seal';
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const GATE: readonly Guard[] = [
  ...noticedBy(
    test('core/seal', 'the digest of a seal'),
    SealFields.keyof().options.map((field) => [
      'G2-seal',
      `the seal covers ${field}`,
      swap('(fields)', `({ ...fields, ${field}: undefined })`),
    ]),
  ),
  ...noticedBy(test('contracts/last-doors', 'an opening'), [
    ['G1-opening-authorised', 'an opening has consumed its approval', never],
    ['G2-kept-fields', 'what is kept is what was approved', never],
    ['G2-digest-again', 'the digest is made again before the call', always],
    [
      'G2-digest-again',
      'more is compared than the head',
      swap('now.digest === digest', 'now.fields.headSha === fields.headSha'),
    ],
    ['G2-branch-head', 'the branch on the code host is looked at', never],
  ]),
  ...noticedBy(test('processes/harvest-commit'), [
    ['G2-mode-bits', 'mode bits are part of a change', swap("'100755'", "'100644'")],
  ]),
  ...noticedBy(test('processes/harvest', 'symbolic links out'), [
    ['G2-mode-bits', 'a link is published as a link', never],
  ]),
  ...noticedBy(test('contracts/last-doors', 'lease was lost'), [
    [
      'G1-lease-last',
      'the lease and the epoch are looked at last',
      swap('LEASE_MS)', 'LEASE_MS).then(() => true)'),
    ],
  ]),
  ...noticedBy(test('contracts/sealed-doors', 'G6'), [
    ['G6-signature-rule', 'pushes of fixes are signed, where that is the rule', swap('pr !== null', 'false')],
  ]),
  ...noticedBy(test('core/one-card'), [
    [
      'G6-signature-rule',
      'nothing is pushed before it is signed, where that is the rule',
      swap("order.bounds.push === 'after_approval'", 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/unfinished-orders'), [
    ['C1-full-message', 'an order that Telegram cut waits for its rest', never],
    ['C1-no-is-no-rest', 'a no takes an order back, and is no part of it', never],
    ['C1-question-is-no-rest', 'a question or a greeting is no part of an order', never],
    ['C1-late-rest', 'the rest of an order that comes late is shown before a run starts', never],
    ['C1-command-is-no-answer', 'a command, known or not, answers no question', never],
  ]),
  ...noticedBy(test('contracts/tell-in-words'), [
    [
      'C1-name-gives-no-command',
      'a name that answers “Which run?” gives no command',
      swap('!said.isNamedLater', 'true'),
    ],
    [
      'C4-told-by-a-tap',
      'an agent hears what is no reply after a tap alone',
      swap('repliedTo === run.id', 'true'),
    ],
    ['C1-ordered-once', 'two taps on a guessed order begin one run', never],
    ['C4-said-once', 'two taps on a guess give it once', swap('`said:${row.n}:${index ?? 0}`', 'c.row.key')],
    ['E21-queued-once', 'the same words wait for an agent once', swap('!same', 'true')],
  ]),
  ...noticedBy(test('contracts/attention'), [
    [
      'G3-downtime-limit',
      'an absence of ours adds two hours to a card at most',
      swap('Math.max(lastSeenAt, now - ADDED_TIME_MS.most)', 'lastSeenAt'),
    ],
    [
      'G3-outage-limit',
      'an outage of the chat adds two hours to a card at most',
      swap('Math.min(now + ahead, away + ADDED_TIME_MS.most)', 'now + ahead'),
    ],
  ]),
  ...noticedBy(test('contracts/late-answers'), [
    ['L4-opening-outlives-outage', 'an opening is looked for until the code host answers', always],
    ['G6-no-second-pull', 'nothing is pushed to a pull request that the run does not know', gone],
    [
      'G6-push-judged-now',
      'an unsigned push is judged by what the run has become',
      without('needsSignature'),
    ],
    ['G6-signed-push', 'a signed push publishes what was signed', always],
  ]),
  ...noticedBy(test('contracts/last-doors', 'L4: adopts only'), [
    ['L6-one-pull-request', 'one run opens one pull request', swap('isOfRun(p, opening)', 'false')],
  ]),
  ...noticedBy(test('contracts/late-answers', 'G6: pushes nothing'), [
    [
      'L4-late-opening',
      'an opening is heard of late',
      swap("consumed?.kind !== 'open_pr'", 'consumed !== undefined'),
    ],
  ]),
  ...noticedBy(test('contracts/replies'), [
    ['F7-posted-is-told', 'answers that were posted are told when the run moves on', always],
  ]),
  ...noticedBy(test('core/gate'), [
    ['G4-live-card', 'a signature is for the live card', without('approval.id')],
    ['G4-shown-digest', 'a signature is for the digest that was shown', never],
    ['G3-expiry', 'an approval expires', never],
    ['G3-frozen-expiry', 'time in which nobody could answer does not count', never],
    ['G3-frozen-once', 'time is added once', never],
    ['G3-requester', 'whoever asked does not approve', never],
    ['G3-approvers', 'of those who may approve, only whom the order names', never],
    ['G3-signs-once', 'nobody signs twice', never],
    ['G3-n-of-m', 'N of M sign', never],
    ['G3-used-once', 'an approval is used once', gone],
    ['G1-linked-by-approval', 'a pull request is linked to its approval only', never],
  ]),
  ...noticedBy(test('core/facts'), [
    ['G3-void-when-moved', 'an approval is void when the run moves on', gone],
    ['S2-foreign-head', 'a foreign head is nobody’s approval', swap('head !== null', 'false')],
  ]),
  ...noticedBy(test('core/machine'), [
    ['G6-signature-rule', 'high risk is signed', without('high')],
    ['P3-denied-not-pushed', 'a denied change is not pushed', never],
    ['F5-one-run-of-two-names', 'two names of one repository make one run', never],
  ]),
  ...noticedBy(test('slow/processes/unreadable'), [
    ['O10-not-read-again', 'a commit that broke its reader is not read again by itself', never],
    ['O10-attributes-bounded', 'more rules than anybody has stop the change', never],
  ]),
  ...noticedBy(test('adapters/reader-threads'), [
    ['O10-reader-deadline', 'a thread that reads is ended at its time', gone],
    ['L9-answer-bounded', 'no text comes back that is too long to be read again', never],
  ]),
  ...noticedBy(test('slow/processes/checks', 'keeps its reader busy'), [
    ['O10-unread-output', 'output that nobody could read proves nothing', never],
  ]),
  ...noticedBy(test('core/discovery-bounds'), [
    [
      'O10-yaml-bounded',
      'a workflow of signs alone is refused',
      without('hasMoreYamlTokens(text, MAX_TOKENS)'),
    ],
    [
      'O10-path-length',
      'a path of a megabyte is read by nobody',
      swap('path.length <= MAX_PATH_LENGTH', 'path !== null'),
    ],
    [
      'O10-contract-command',
      'a command that nobody can read in a moment is no check',
      swap('<= MAX_CONTRACT_COMMAND_LENGTH', '<= Infinity'),
    ],
    ['O10-sentences-bounded', 'a guide of more lines than anybody reads is told as unread', never],
  ]),
  ...noticedBy(test('core/bans'), [
    ['P3-ban-stops', 'a ban stops a run before an agent works', never],
    ['P3-overrule-says-why', 'a ban is overruled only with a reason', never],
  ]),
  ...noticedBy(test('core/answers'), [
    [
      'F9-trailer-form',
      'a trailer has the name that the repository gives it',
      swap('name.charAt(0).toUpperCase() + name.slice(1)', "'Assisted-by'"),
    ],
    ['F9-answer-asked', 'only what the repository asks for is an answer', never],
  ]),
  ...noticedBy(test('contracts/describe'), [
    ['F9-description-signed', 'a description that nobody signed is not published', never],
    ['F9-description-ours', 'a description that somebody else wrote into stays', never],
  ]),
  ...noticedBy(test('core/govern-rules'), [['P3-ban-denies', 'a ban denies', never]]),
  ...noticedBy(test('contracts/rules-today'), [
    ['G8-rules-today', 'rules are read again', swap('compared.tip', 'before.base?.sha')],
  ]),
  ...noticedBy(test('core/long-preparation'), [
    ['C9-long-checks-shown', 'a long check is seen on the phone', never],
  ]),
  ...noticedBy(test('core/rules-edges'), [
    [
      'F9-model-named',
      'a trailer of name and model names both',
      swap('isModelNameRequired(rule) ? ASSISTED_WITH_MODEL : ASSISTED', 'ASSISTED'),
    ],
  ]),
  ...noticedBy(test('core/environment-gap'), [
    ['E19-needs-not-run', 'what only CI has is told, not tried', swap('if (one.needs)', 'if (false)')],
    [
      'E19-needs-once',
      'what the machine has not is not tried twice',
      swap('needy.includes(one.name)', 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/pulls-refused'), [
    ['F10-rivals-asked', 'a change for which another is open is not opened unasked', never],
    ['F10-unread-asked', 'what cannot be seen of others is said before the opening', never],
    [
      'F10-rivals-again',
      'others are looked for right before the opening',
      swap('await issueToday(parts, before)', '{ issue: before.target.issue, competingPulls: [] }'),
    ],
  ]),
  ...noticedBy(test('core/rivals'), [
    [
      'F10-whose-number',
      'a number of another repository is not ours',
      swap('places.includes', '[found[1]].includes'),
    ],
  ]),
  ...noticedBy(test('slow/processes/competing-pulls'), [
    [
      'F10-same-repository',
      'a pull request elsewhere is no other one for the issue',
      swap('isAt(homeOf(s), at)', 'true'),
    ],
  ]),
  ...noticedBy(test('slow/processes/survival'), [
    ['O7-whole-tree', 'a list that is cut says nothing of what it leaves out', never],
  ]),
  ...noticedBy(test('core/govern'), [
    ['P1-explicit-allow', 'nothing is allowed without an explicit allow', never],
    ['P1-small-change', 'only a small change goes by itself', swap("!== 'low'", "=== 'high'")],
    ['P1-denial-first', 'a denial outweighs an allow', gone],
  ]),
  ...noticedBy(test('core/govern-policies'), [['P3-secrets', 'secrets are looked for', gone]]),
];
