/** Guards of writing to outsiders' repositories, and of our identity. */
import { always, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const REPUTATION: readonly Guard[] = [
  ...noticedBy(test('core/reputation'), [
    ['F5-hidden-stops', 'nothing goes to strangers while nobody sees what is open', never],
    ['F5-open-with-strangers', 'no more is open with strangers than may be', never],
    ['F5-new-owners', 'no more new owners are sent something than may be', always],
    ['F5-turn-no-time', 'to wait for a turn runs into no limit of time', never],
    ['F5-turn-no-slot', 'to wait for a turn takes no place of a run', never],
    ['F5-hidden-told', 'people hear that nobody else sees a pull request', never],
  ]),
  ...noticedBy(test('contracts/reputation'), [
    ['F5-held-waits', 'what the code host does not take now waits', always],
    ['F5-others-write', 'what other processes saw of pull requests to strangers counts', never],
  ]),
  ...noticedBy(test('core/item-comment'), [
    ['F5-comment-asked-once', 'a link that is posted or may be is not posted again', never],
  ]),
  ...noticedBy(test('contracts/commands', 'F5'), [
    ['F5-operators-comment', 'viewers post nothing', swap("roleNeededFor('post_link')", "'viewer'")],
  ]),
  ...noticedBy(test('adapters/item-comments'), [
    ['F5-comment-configured', 'an id leads to no other place of the program', swap('|| !isPathPart(id)', '')],
  ]),
  ...noticedBy(test('slow/stories/arrivals'), [
    ['F5-comment-once', 'what a killed process may have posted is not posted again', never],
  ]),
  ...noticedBy(test('slow/processes/writer-budget'), [
    ['F5-suspended', 'a suspension stops all that write', never],
  ]),
  ...noticedBy(test('slow/processes/github-bad-input'), [
    ['G5-own-pages', 'people are led to pages of the connected code host alone', swap('isPage(url)', 'true')],
    ['F3-no-rules-there', 'where there are no rules, none is waited for', never],
  ]),
  ...noticedBy(test('slow/processes/app-identity'), [
    ['F5-installation-suspended', 'an App that was put to sleep writes nothing', never],
  ]),
  ...noticedBy(test('slow/processes/app-manifest'), [
    [
      'F1-state-checked',
      'the keys of an App are fetched for the click that was waited for',
      without('isSameText'),
    ],
    ['F1-state-checked', 'they are fetched once', without('used')],
  ]),
  ...noticedBy(test('slow/processes/signing'), [
    ['E16-signing-key-outside', 'a key that boxes could read signs nothing', never],
  ]),
];
