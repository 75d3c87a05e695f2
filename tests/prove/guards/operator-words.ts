/** E21: guards of words to a working agent, and of stops. */
import { always, never, swap, gone } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const OPERATOR_WORDS: readonly Guard[] = [
  ...noticedBy(test('core/operator-words'), [
    ['E21-delivered-once', 'what was heard is said to no one again', swap('!one.delivered', 'true')],
    ['E21-after-the-turn', 'words are heard once the turn is over', never],
    ['E21-before-the-card', 'words are heard before a card asks', swap('beginTurnForWords(draft)', 'false')],
    ['E21-budget-holds', 'words begin no turn beyond the budget', never],
    ['E21-stopped-stays-stopped', 'red checks start no agent that a person stopped', never],
    ['E21-kept-without-the-agent', 'what is kept is kept without the agent', gone],
    ['E21-dropped-edits', 'what is dropped is gone', gone],
    ['E21-dropped-commit', 'a commit that was dropped is not published', gone],
    [
      'E21-dropped-result',
      'what a dropped turn made is not used',
      swap("!== 'work_dropped'", "!== 'paused'"),
    ],
  ]),
  ...noticedBy(test('contracts/operator-words'), [
    ['E21-only-operators', 'whoever may only look says nothing by a command', swap("'operator'", "'viewer'")],
    ['E21-asked-before-an-end', 'a drop that ends a run asks first', always],
    ['E21-told-by-operators', 'whoever may only look says nothing by a reply', never],
  ]),
  ...noticedBy(test('adapters/board-words'), [
    ['E21-board-operators', 'whoever may only look says nothing from a page', never],
  ]),
  ...noticedBy(test('contracts/repository-notes'), [
    ['E21-second-time', 'a wish of one run alone is no second one', never],
    [
      'E21-approvers-keep-notes',
      'whoever is no approver changes no note by a command',
      swap("'approver'", "'viewer'"),
    ],
    [
      'E21-approver-keeps-exact-words',
      'whoever is no approver keeps no note by a tap',
      swap("'approver'", "'viewer'"),
    ],
  ]),
  ...noticedBy(test('slow/processes/words-in-a-turn', 'builtin'), [
    ['E21-before-the-next-call', 'builtin says words before its next call', gone],
  ]),
  ...noticedBy(test('slow/processes/reset-once'), [
    ['E17-reset-once', 'edits after a reset stay', swap('a.startedAt >= resetAskedAt', 'false')],
    ['E21-dropped-not-kept', 'what was dropped is not kept', gone],
  ]),
  ...noticedBy(test('slow/processes/codex-engine', 'E21'), [
    ['E21-ended-for-words', 'a turn that was ended for words is no failure', swap('isInterrupted', 'false')],
  ]),
];
