/** Guards of inputs: taps, commands, deliveries, outsiders, pushes and processes. */
import { always, gone, instead, never, swap, without } from './breaks.ts';
import { claim, noticedBy, test, type Guard } from './guard.ts';

/** Buttons that are an approver’s, by the words that name their role. */
const APPROVERS = [
  ...['arm', 'confirm', 'back'].map((verb) => [verb, "roleNeededFor('approve')"] as const),
  ['deny', "roleNeededFor('deny')"],
  ...['fix', 'raise'].map((verb) => [verb, "'approver'"] as const),
] as const;

export const DOORS: readonly Guard[] = [
  ...noticedBy(test('contracts/denying'), [
    ['C4-words-after-a-tap', 'a command that comes after a tap is none for the agent', without('isOurs')],
    ['C4-orders-after-a-tap', 'a long order that comes after a tap is asked about', never],
  ]),
  ...noticedBy(test('contracts/remove-branch'), [
    ['E14-removes-own-commit', 'only a branch at a commit of ours is removed', always],
    ['P3-removes-no-target', 'the branch that changes go into is never removed', never],
    ['G1-proposed-branch-stays', 'the branch of an open pull request is never removed', never],
    ['G1-opening-before-removal', 'an opening under way keeps its branch', never],
    ['S10-taken-branch-stays', 'a branch with a commit of somebody else stays', without('taken')],
  ]),
  ...noticedBy(test('slow/processes/chat-model'), [
    ['C7-own-role', 'a model proposes nothing that the person may not do', never],
    ['C7-model-budget', 'a model costs no more in a day', swap('>= perDay', '>= Infinity')],
    ['C7-answer-bounded', 'an answer without end is not read', never],
    [
      'C7-secrets-hidden',
      'secrets do not reach a model',
      swap('hide(redactSecrets(showInvisible(await tool.run(input))))', 'await tool.run(input)'),
    ],
  ]),
  ...noticedBy(test('contracts/commands'), [
    ['G4-own-button', 'a button is one that we made', never],
    ['G4-own-message', 'a button counts on its own message', never],
    ['G4-confirm-armed', 'Confirm is for whoever armed it', never],
    ['G4-confirm-newest', 'Confirm counts on the newest form of the card', never],
    ['G4-old-button', 'an old button acts on no new failure', never],
    ['C2-risk-read', 'high risk is read first', never],
    ['G4-card-shown', 'a typed confirmation needs a card that was shown', never],
    ['G4-card-live', 'a card that was shown is the live one', without('row.do.content.approvalId')],
    [
      'G3-steering-buttons',
      'a button with a command needs its role',
      swap('roleNeededFor(verb)', "'viewer'"),
    ],
    ...APPROVERS.map(
      ([verb, needs]) =>
        [
          `G3-${verb}-button`,
          `the button ${verb} is an approver’s`,
          swap(`role: ${needs}`, "role: 'operator'"),
        ] as const,
    ),
    ['C2-read-by-user', 'what one has read another has not', swap('${user}', '')],
    ['C4-answer-epoch', 'words are for the halt that they answer', never],
    ['C4-answer-role', 'words for an agent need a role', never],
    ['C4-proposal-role', 'a tap on a proposal needs the role of its command', never],
    ['E7-prompt-version', 'prompts that are ordered are there', never],
  ]),
  ...noticedBy(test('slow/processes/settings-there'), [
    ['O2-env-private', '.env with keys is closed to others', never],
    ['O2-env-read', 'doctor tells of keys that others can read', swap('=== 0', '>= 0')],
  ]),
  ...noticedBy(test('contracts/words'), [['C4-shown-role', 'what words show needs a role', never]]),
  ...noticedBy(test('contracts/forms'), [
    ['C4-words-once', 'two taps on one button ask once', swap('`perhaps:${row.n}`', 'c.row.key')],
  ]),
  ...noticedBy(test('contracts/phrases'), [
    [
      'C4-ends-what-is-named',
      'words that name no run and something else end none',
      swap('!endsOther(reading, text, phrases, scene)', 'true'),
    ],
    ['C4-doubt-offers-nothing', 'no change is guessed from a no or a question', swap('!mayChange', 'false')],
    ['C4-doubted-change', 'a change is not read from what most likely is a no', never],
  ]),
  ...noticedBy(claim('mutations-git', 24), [
    ['G2-bytes-of-the-change', 'no byte of the change differs from what its id says', gone],
  ]),
  ...noticedBy(test('contracts/commands', 'G'), [
    ['G4-tap-role', 'a tap needs its role', never],
    ['G4-command-role', 'a typed command needs its role', never],
    [
      'G4-edited',
      'an edited message approves nothing',
      instead('if (message ?? edited_message) return readMessage(message ?? edited_message);'),
    ],
    ['G4-forwarded', 'a forwarded message approves nothing', gone],
  ]),
  ...noticedBy(test('contracts/tokens'), [
    ['G4-button-chat', 'a button is bound to its chat', swap('${chat}', '')],
  ]),
  ...noticedBy(test('contracts/forms'), [
    [
      'L4-one-form',
      'of two questions none is guessed',
      swap("others.every(isSame) ? first : 'several'", 'first'),
    ],
    ['L4-own-form', 'a form is one that we sent', never],
    ['L4-earlier-copy', 'a lost copy is older than the one that is known', never],
  ]),
  ...noticedBy(test('contracts/people'), [
    ['G3-config-admin', 'an admin of the configuration stays one', swap("'admin'", "row?.role ?? 'admin'")],
  ]),
  ...noticedBy(test('core/govern'), [
    ['P3-sub-command', 'an option before a sub-command is not known', never],
  ]),
  ...noticedBy(test('contracts/updates'), [
    ['G4-channel', 'what a channel says is nobody’s word', without('message.sender_chat')],
    ['G4-hidden-admin-tap', 'a tap of an admin who hides is nobody’s', never],
    ['G4-tap-chat', 'a tap counts in a chat of ours', without('isSupportedChatType')],
    ['G4-bots', 'a bot says nothing', without('from.is_bot')],
    ['L8-strange-group', 'of a strange group nothing is kept', without('read.private')],
  ]),
  ...noticedBy(test('adapters/chat', 'L3'), [
    ['L3-stored-first', 'an update is stored before it is confirmed', swap('await', 'void')],
  ]),
  ...noticedBy(test('processes/webhooks', 'somebody else'), [
    ['F2-signature', 'a delivery is signed', never],
  ]),
  ...noticedBy(test('processes/webhooks', 'waits for nobody'), [
    [
      'L8-ordinary-waits-for-nobody',
      'an ordinary delivery waits for no stranger',
      swap('most <= ordinary', 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/looks'), [
    [
      'F8-parts-apart',
      'a part that cannot be read hides nothing of the rest',
      swap('result.failures.push(failureOf(part, error))', 'throw error'),
    ],
    [
      'F8-shared-trouble',
      'who shares a trouble shares its message',
      swap('shared?.upstream.observed.outage?.outageId', 'undefined'),
    ],
  ]),
  ...noticedBy(test('contracts/ledger'), [
    [
      'F4-delivery-repository',
      'a delivery is of the repository that it names',
      swap(".where('repo_id', '=', args.id)", ''),
    ],
  ]),
  ...noticedBy(claim('histories', 300), [
    ['P5-outsiders-review', 'a stranger’s review does not steer', without('review.access')],
  ]),
  ...noticedBy(test('processes/push'), [
    [
      'E14-no-force',
      'a push overwrites nobody',
      swap("--force-with-lease=${ref}:${expect ?? ''}", '--force'),
    ],
  ]),
  ...noticedBy(test('processes/workspace', 'G5'), [
    ['G5-clone-url', 'only the code host’s own repositories', always],
  ]),
  ...noticedBy(test('slow/processes/checks', 'E3: fails, and runs nowhere'), [
    ['E3-folder-inside', 'a check runs inside the export', swap('real?.startsWith(root + path.sep)', 'real')],
  ]),
  ...noticedBy(test('processes/reaper'), [
    ['L6-foreign-pid', 'a pid of somebody else is left alone', without('findProcessStartTime')],
  ]),
  ...noticedBy(test('core/agent-rules'), [
    ['E7-words-known', 'a rule that an agent read stands in that file', swap('null', 'undefined')],
    [
      'E7-whole-sentences',
      'half of a sentence is shown whole',
      swap("passages.map((p) => p.quote).join(' ')", 'told'),
    ],
    ['E7-others-rules', 'rules of vendored code and tests are none', never],
    ['E7-value-quoted', 'the branch of a rule stands in its words', never],
    ['E7-opposite-value', 'an agent cannot turn what a sentence denies', never],
    ['E7-both-readings', 'a rule that we read too is no question', never],
    ['E7-each-reading', 'where readings of the base differ, a person is asked', swap(' && r.by === by', '')],
  ]),
  ...noticedBy(test('core/govern-rules', 'E7'), [
    ['E7-style-of-agent', 'a form of titles that only an agent read is not called kept', never],
  ]),
  ...noticedBy(test('contracts/prompt', 'E7'), [
    ['E7-own-reading', 'who reads the rules is not shown our reading', never],
  ]),
  ...noticedBy(test('core/preflight', 'E7'), [
    [
      'E7-agents-rules-weighed',
      'a rule of the agent is asked about before the work',
      swap('?? findEscalationBeforeWork({ rules }, factsBeforeWork(run, base.ref))', ''),
    ],
  ]),
  ...noticedBy(test('core/evidence'), [
    ['E7-place-known', 'what an agent adds stands where it says', swap('null', 'undefined')],
    [
      'E7-agent-adds-only',
      'an agent changes nothing that we found',
      swap('contract.installs.length > 0', 'false'),
    ],
    ['E13-agents-tests', 'tests that only the agent named give no PASS', swap('!named.has(command)', 'true')],
  ]),
  ...noticedBy(test('slow/processes/forge-pages'), [
    ['F3-whole-list', 'half of a list is no answer', swap('&& !more', '|| page === MOST_PAGES')],
  ]),
  ...noticedBy(test('slow/adapters/verdict-table'), [
    ['F3-unknown-rule', 'a rule that nobody knows is not kept', swap('[unsureRule(type)]', '[]')],
    ['F3-two-jobs-of-one-name', 'of two jobs of one name the worse counts', swap('before &&', 'false &&')],
  ]),
  ...noticedBy(test('contracts/meter'), [
    ['E6-early-timer', 'what a timer met too early is told again', never],
  ]),
  ...noticedBy(test('processes/workspace'), [['E1-private-runs', 'runs are closed to other users', gone]]),
  ...noticedBy(test('slow/processes/damaged-copies'), [
    ['E1-whole-seed', 'half of an archive is no workspace', gone],
  ]),
  ...noticedBy(test('slow/processes/object-reader'), [
    ['E1-bytes-of-the-id', 'bytes are those of their id', swap("hash.digest('hex') !== oid", 'false')],
    ['E1-tree-names', 'a name in a tree is one step down', gone],
    [
      'E1-tree-bounded',
      'a small repository cannot name more than we can hold',
      swap('throw repositoryTooLarge()', 'return new Map()'),
    ],
  ]),
  ...noticedBy(test('slow/processes/object-reader', 'git is not asked'), [
    ['E1-checkout-fits', 'what no disk holds is not written', gone],
  ]),
  ...noticedBy(test('core/changed-record'), [
    ['L5-changed-card-told', 'a card whose record was changed says so', never],
  ]),
  ...noticedBy(test('processes/base-merge'), [
    ['G2-merge-of-two', 'a merge has two parents', never],
    ['G2-merge-without-words', 'a merge has no words of its own', never],
    ['G2-merge-of-the-base', 'what is merged is of the base branch', never],
    ['G2-merge-as-git-makes-it', 'a merge has nothing of its own', never],
    ['G2-merge-of-ours', 'the base is merged into our commit', swap('at !== ours', 'merges < 1')],
  ]),
  ...noticedBy(test('core/facts'), [
    ['G2-merge-proven', 'only a proven merge of the base needs nobody', never],
  ]),
  ...noticedBy(test('slow/processes/branch-work', 'no text'), [
    [
      'S10-conflict-of-any-name',
      'a conflict is seen whatever its file is called',
      swap('.map(displayPath)', ''),
    ],
  ]),
  ...noticedBy(test('slow/processes/object-writer'), [
    ['E1-format-names', 'a tree of ours leads nowhere else', gone],
    ['E1-written-names', 'a tree of ours has nothing that looks like a git directory', gone],
  ]),
  ...noticedBy(test('slow/processes/told-heads'), [
    ['E14-told-head', 'the API of the code host confirms, git tells', swap('now === known', 'now !== null')],
  ]),
  ...noticedBy(test('slow/stories/machines', 'O1'), [
    ['O1-full-log', 'a full disk under the log ends no work', gone],
  ]),
  ...noticedBy(test('processes/mcp', 'asks for the token'), [
    ['G3-api-token', 'a program without the token is refused', gone],
  ]),
];
