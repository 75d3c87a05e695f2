/** Guards of permission questions. */
import { always, gone, never, swap, without } from './breaks.ts';
import { claim, noticedBy, test, type Guard } from './guard.ts';

export const PERMISSIONS: readonly Guard[] = [
  ...noticedBy(test('slow/processes/acp-engine'), [
    ['E10-answers-to-ours', 'only what we asked is answered', without('asked.delete')],
    [
      'E10-allow-once-alone',
      'what would allow more than once is not chosen',
      swap("'allow_once'", "'allow_always'"),
    ],
    ['E10-waits-for-a-person', 'nothing is allowed while a person is asked', never],
    [
      'E10-empty-input',
      'a request without input is known by its words',
      swap('isEmpty(JSON.parse(request.input))', 'false'),
    ],
    ['E10-shown-in-words', 'what no card can show is denied', never],
    ['E10-says-something', 'a request that says nothing is denied', never],
    ['E10-call-of-its-own', 'the input of a call that ended is of no other one', never],
    ['E10-mode-that-asks', 'an agent without a mode that asks does not work', never],
  ]),
  ...noticedBy(test('slow/processes/gemini-engine'), [
    [
      'E10-command-in-title',
      'a command is judged as one only where it runs in the workspace',
      swap('told.startsWith(`[current working directory ${workspace}]`)', 'true'),
    ],
    ['L6-history-not-heard-again', 'what a session tells again is waited for', never],
  ]),
  ...noticedBy(test('slow/processes/claude-engine', 'C4: a question of claude'), [
    ['C4-words-beside-report', 'a question before a report is kept', swap("words === ''", 'true')],
  ]),
  ...noticedBy(test('core/repeated-calls'), [
    ['C4-repeat-told-once', 'an agent that repeats a command is told of once', never],
  ]),
  ...noticedBy(test('contracts/repeated-call'), [
    [
      'C4-repeat-once-a-round',
      'a round that begins again tells of no repetition twice',
      swap('`repeated:${claim.id}`', '`repeated:${Math.random()}`'),
    ],
    ['C4-stop-this-round', 'a button about a round that is over stops no later one', gone],
  ]),
  ...noticedBy(test('contracts/decide-from-list'), [
    ['E10-sending-once', 'what may carry data out is never remembered', never],
    ['G6-listed-low', 'what needs a card of its own is in no list', never],
  ]),
  ...noticedBy(test('core/permissions'), [
    ['E10-files-of-the-workspace', 'files elsewhere are asked about', without('files !== null')],
    ['E10-policy-denies', 'what a policy denies nobody is asked about', never],
    [
      'E10-note-ends-it',
      'nothing runs behind a note',
      without("lines.indexOf(end[2] ?? '') === lines.length - 1"),
    ],
    ['E10-shown-whole', 'what nobody can read whole is not asked about', never],
    ['E10-questions-bounded', 'people are asked so often and no more', never],
    ['E10-live-question', 'an answer is for the question that is open', never],
    ['E10-shown-digest', 'an answer is for what was shown', never],
    ['E10-no-is-no', 'a no gives no grant', always],
    ['E10-live-grant', 'only a grant that is there is used', never],
    ['E10-used-once', 'a grant is used once', gone],
    ['E10-grant-by-answer', 'a ledger with a grant that nobody gave is not believed', never],
    ['E10-sort-of-two-words', 'what takes anything has no sort', never],
    ['E10-shown-sort', 'only the sort that was shown is allowed', never],
    ['E10-live-sort', 'only a sort that is still allowed is used', without('one.id === grant')],
    ['E10-sort-by-answer', 'a ledger with a sort that nobody allowed is not believed', never],
    ['E10-grants-end-with-round', 'a grant dies with its round', never],
    ['P4-edit-offered', 'only what its engine can run takes the place of a command', never],
    ['P4-no-more-risk', 'what takes the place of a command has no more against it', never],
  ]),
  ...noticedBy(test('core/permissions', 'picked in its place'), [
    ['E9-pick-offered', 'only what the card offered in its place is picked', never],
  ]),
  ...noticedBy(test('core/judge-proposals'), [
    ['E9-pick-may-be-allowed', 'what nobody could allow is not offered', never],
  ]),
  ...noticedBy(test('contracts/permission-card', 'not shown whole'), [
    ['E9-picked-whole', 'what is not shown whole is not offered', swap('omitted === 0', 'true')],
  ]),
  ...noticedBy(test('core/commands-traced'), [
    [
      'P6-harmless-settings',
      'what sets the environment is asked about',
      swap('!HARMLESS_SETTING.test(word)', 'false'),
    ],
    ['P6-system-program', 'a path is no name of a system program', never],
    ['P6-harmless-options', 'an option that nobody knows is asked about', never],
    ['P6-odd-characters', 'characters that are not what they look like are asked about', never],
    ['P6-sort-runs-nothing-given', 'what runs its operands has no sort', never],
    ['P6-sort-plain-operands', 'only plain names may differ within a sort', never],
    ['P6-sort-same-options', 'another option is another sort', swap('isFixedArgument(i)', 'false')],
  ]),
  ...noticedBy(test('contracts/after-the-pr'), [
    ['P5-read-as-it-is', 'an edited remark is read again', swap('sha256Hex(text)', "sha256Hex('')")],
  ]),
  ...noticedBy(test('contracts/permission-card'), [
    [
      'P6-odd-characters-shown',
      'a card writes out what is not what it looks like',
      swap('visibleCommand(command)', 'command'),
    ],
  ]),
  ...noticedBy(test('core/lookalikes'), [
    ['G8-look-alikes-found', 'what reads as ASCII and is not is found', never],
    ['G8-look-alikes-asked', 'what reads as ASCII and is not is asked about', gone],
  ]),
  ...noticedBy(claim('permissions', 150), [
    ['E10-grant-written', 'nothing is allowed before its use is written', never],
    ['P4-edit-judged-again', 'what a person put in its place is judged once more', never],
  ]),
  ...noticedBy(claim('permissions', 150), [
    [
      'E10-sort-written',
      'nothing of a sort is allowed before its use is written',
      swap('await useGrant(run, { grant: stands.id, digest, sort, input })', 'true'),
    ],
  ]),
  ...noticedBy(test('core/question'), [
    ['C4-question-told', 'a question of an agent reaches people though its work goes on', never],
  ]),
  ...noticedBy(test('contracts/permission-card'), [
    ['E10-tap-on-its-question', 'a tap answers the question of its message', without('question.id')],
  ]),
];
