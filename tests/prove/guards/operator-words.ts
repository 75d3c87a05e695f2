/** E21: guards of words to a working agent, and of stops. */
import { never, swap, gone } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const OPERATOR_WORDS: readonly Guard[] = [
  ...noticedBy(test('core/operator-words'), [
    ['E21-delivered-once', 'what was heard is said to no one again', swap('!one.delivered', 'true')],
    ['E21-after-the-turn', 'words are heard once the turn is over', never],
    ['E21-before-the-card', 'words are heard before a card asks', swap('turnToWords(draft)', 'false')],
    ['E21-budget-holds', 'words begin no turn beyond the budget', never],
    ['E21-stopped-stays-stopped', 'red checks start no agent that a person stopped', never],
    ['E21-kept-without-the-agent', 'what is kept is kept without the agent', gone],
    ['E21-dropped-edits', 'what is dropped is gone', gone],
  ]),
  ...noticedBy(test('contracts/operator-words'), [
    ['E21-only-operators', 'whoever may only look says nothing by a command', swap("'operator'", "'viewer'")],
    ['E21-told-by-operators', 'whoever may only look says nothing by a reply', never],
  ]),
  ...noticedBy(test('adapters/board-words'), [
    ['E21-board-operators', 'whoever may only look says nothing from a page', never],
  ]),
  ...noticedBy(test('slow/processes/words-in-a-turn', 'builtin'), [
    ['E21-before-the-next-call', 'builtin says words before its next call', gone],
  ]),
  ...noticedBy(test('slow/processes/codex-engine', 'E21'), [
    ['E21-ended-for-words', 'a turn that was ended for words is no failure', swap('isInterrupted', 'false')],
  ]),
];
