/** Guards of voice notes, and of what is said before a run starts. */
import { never, swap } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const VOICE: readonly Guard[] = [
  ...noticedBy(test('contracts/voice'), [
    [
      'C10-sound-alone',
      'nothing acts on sound alone',
      swap(
        "settleUpdate(context, 'a transcript', card)",
        'handleFreeText(context, { ...message, text: words })',
      ),
    ],
    ['C10-own-words', 'only the speaker uses the words', never],
    ['C10-used-once', 'the words are used once', never],
    ['C10-no-command', 'a transcript is no command', swap("replace(/^[\\s/\\uff0f]+/u, '')", 'trim()')],
    ['C10-not-overheard', 'what people say in a group is not sent away', never],
    ['C10-length-stated', 'a long note is not fetched', never],
    ['C10-length-measured', 'a long note that says it is short is not sent away', never],
    ['C10-daily-limit', 'a day costs no more than its limit', never],
    ['C10-answer-bounded', 'a transcript without end is not read', never],
    ['C10-no-spoken-command', 'a command for an agent is written', never],
    ['C10-no-spoken-edit', 'a command for an agent is not guessed from sound', never],
  ]),
  ...noticedBy(test('core/expect-spending'), [['O4-enough-runs', 'of few runs nothing is expected', never]]),
];
