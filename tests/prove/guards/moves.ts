/** F12: guards about changed bases and names, and the end of all pushes. */
import { gone, never, swap } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const MOVES: readonly Guard[] = [
  ...noticedBy(test('core/moved'), [
    ['F12-base-followed', 'a base that a pull request was moved to is followed', never],
    ['F12-followed-late', 'what was moved before the opening was heard of is followed', gone],
    ['F12-old-merge-dropped', 'commits of the old base are not published into the new one', never],
    ['F12-compared-first', 'nothing goes on before the change was compared with its new base', never],
    ['F12-archived-blocks', 'nothing is begun for an archived repository', never],
    [
      'F12-fork-gone-blocks',
      'nothing is begun for a fork that is gone',
      swap("shown?.headDeleted ? 'fork_deleted' : null", 'null'),
    ],
    ['F12-held', 'a run pauses while its branch cannot be pushed to', gone],
    ['F12-refused-while-blocked', 'what could only fail is not taken', never],
    ['F12-same-repository', 'another repository of that name moves nothing', never],
  ]),
  ...noticedBy(test('slow/processes/followed'), [
    ['F12-by-id', 'our repository is found by its id', swap('found.id === run.target.base.repoId', 'true')],
    ['F12-name-first', 'the run hears of a name before anything goes there', never],
    ['F12-followed-once', 'a step that would only fail again is not done again', swap('!==', '===')],
  ]),
  ...noticedBy(test('slow/processes/branch-work'), [
    ['F12-objects-of-today', 'commits that came under a new name are seen', gone],
  ]),
  ...noticedBy(test('contracts/webhooks-handle', 'F12'), [
    [
      'F12-repository-asked',
      'what is told late of a repository calls no run back',
      swap('...told', '...told, ...(repo ? { repo } : {})'),
    ],
    [
      'F12-name-asked',
      'a name that the run does not know is a reason to look',
      swap('hasOtherName(run, seen.repo)', 'false'),
    ],
  ]),
  ...noticedBy(test('contracts/given-away'), [
    [
      'F12-asked-twice',
      'what is found by its id is asked for its id',
      swap('again.id === run.target.base?.repoId', 'true'),
    ],
  ]),
  ...noticedBy(test('contracts/last-doors'), [
    ['F12-base-before-push', 'nothing is pushed to what was moved since', never],
  ]),
];
