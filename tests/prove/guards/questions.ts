/** Guards of questions to agents, and of changes that are taken back. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const QUESTIONS: readonly Guard[] = [
  ...noticedBy(test('core/person-questions'), [
    ['E21-not-at-work', 'no question is asked while the agent works', never],
    ['E21-cannot-answer-told', 'who cannot be asked says so at once', never],
    ['E21-within-budget', 'no question is asked beyond a budget', never],
    ['E21-moved-on-told', 'a question that was left behind is told as not answered', never],
    [
      'E21-takes-back-own-base',
      'no card of another base comes back',
      without('base === run.target.base?.sha'),
    ],
    ['E21-taken-back-judged-anew', 'what is taken back is judged and signed anew', gone],
    [
      'E21-sealed-containment',
      'an answer in a weaker box leaves the seal as it was',
      swap('!run.gate.proposal', 'true'),
    ],
    ['E21-same-bytes-return', 'only an unchanged change brings its card back', never],
  ]),
  ...noticedBy(test('slow/processes/person-questions', 'whose run went on'), [
    ['E21-answer-changes-nothing', 'an answer may change nothing', swap("'nothing'", "'change'")],
    ['E21-files-compared', 'files that were changed during an answer are put back', always],
  ]),
  ...noticedBy(test('contracts/dispatch'), [
    ['E21-card-stays-usable', 'an opening waits for no answer', swap("'question'", "'run'")],
    [
      'E21-stops-when-moved-on',
      'an answer stops once nobody waits for it',
      swap('!== work.question', '=== null'),
    ],
    ['E21-files-back-first', 'nothing works in files that a question may still change', never],
  ]),
  ...noticedBy(test('contracts/denying'), [
    ['E21-operators-ask', 'viewers ask the agent nothing', swap("roleNeededFor('ask')", "'viewer'")],
    ['E21-question-offered', 'a mere question is no request for changes', never],
    [
      'E21-reply-to-its-own-run',
      'a reply to a message of one run changes no card of another',
      swap('message.private && message.replyTo === null', 'message.private'),
    ],
  ]),
];
