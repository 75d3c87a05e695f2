/** Guards of the box, and of what is taken out of a workspace or laid into one. */
import { element, gone, instead, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const BOX: readonly Guard[] = [
  ...noticedBy(test('adapters/box-layout'), [
    ['E3-settings-hidden', 'keys of the working directory are hidden', element("'.env'")],
    ['E3-settings-hidden', 'settings of the working directory are hidden', element("'agentpr.config.json'")],
    [
      'E3-no-home-around-tools',
      'programs in a home show nothing around them',
      without('isWithin(around, home)'),
    ],
    ['E3-no-home-around-tools', 'programs beside homes show no home', without('isWithin(home, around)')],
  ]),
  ...noticedBy(test('adapters/box-layout', 'the command of a box'), [
    ['E3-own-session', 'a box reaches no terminal outside', element("'--new-session'")],
    ['E3-root-read-only', 'the root of a box is read-only', gone],
    ['E3-hidden-read-only', 'what is hidden is read-only', gone],
    ['E3-hidden-read-only-unshare', 'so it is without bubblewrap', gone],
    ['E22-filter', 'a box by bubblewrap has its filter of system calls', gone],
    ['E22-filter-unshare', 'so it has without bubblewrap', gone],
  ]),
  ...noticedBy(test('adapters/container-box'), [
    ['E20-read-only-mounts', 'what a container is shown is read-only', gone],
    ['E20-no-capabilities', 'a container has no capabilities', gone],
    ['E20-call-filter', 'a container has our filter of system calls', gone],
    ['E20-limits', 'a container has limits of its own', gone],
    ['E20-read-only-root', 'the root of a container is read-only', gone],
    ['E22-container-families', 'a container reaches no vsock', gone],
  ]),
  ...noticedBy(test('adapters/box-hosts'), [
    [
      'E20-end-known',
      'an end that the engine does not confirm is not believed',
      swap('state.exitCode === exitCode', 'true'),
    ],
    ['E20-lost-is-no-verdict', 'a check whose box was lost has not failed', gone],
    ['E2-full-disk-is-no-verdict', 'nor has one whose disk was full', gone],
    [
      'E20-labels-choose',
      'a machine takes what asks for its labels',
      swap('wanted.every((label) => labels.includes(label))', 'wanted.length > 0'),
    ],
  ]),
  ...noticedBy(test('processes/taken-folders'), [
    ['E20-whole-or-nothing', 'half of an archive changes nothing here', gone],
  ]),
  ...noticedBy(test('processes/box-host-way-out'), [
    [
      'E20-one-way-out',
      'the other end gets streams to one socket only',
      swap("headers[':method'] === 'CONNECT'", 'true'),
    ],
  ]),
  ...noticedBy(test('core/box-wishes'), [
    [
      'E20-only-listed-images',
      'an image that is not listed is refused',
      swap("matchesGlob(part, [want[i] ?? ''])", 'true'),
    ],
    ['E20-unknown-service-unmet', 'a check whose service is unknown is not run', without('need.names.every')],
  ]),
  ...noticedBy(test('processes/contain', 'no picture of its memory'), [
    ['E3-no-core-dumps', 'a crash leaves no memory behind', element('--core')],
  ]),
  ...noticedBy(test('processes/contain', 'L6: with a way out'), [
    [
      'L6-lifeline',
      'a box that is being opened ends with us',
      swap('wrapInLifeline(input.argv)', 'input.argv'),
    ],
  ]),
  ...noticedBy(test('processes/harvest', 'after it was listed'), [
    ['E1-read-as-listed', 'the file that was listed is the one that is read', without('now.ino')],
    ['E1-no-link-opened', 'no link is opened', swap('constants.O_NOFOLLOW | ', '')],
  ]),
  ...noticedBy(test('processes/harvest', 'of a tree at work'), [
    [
      'E1-no-folder-swapped',
      'no folder of a tree at work is followed out of it',
      swap('FOLDER', 'constants.O_RDONLY | constants.O_DIRECTORY'),
    ],
  ]),
  ...noticedBy(test('processes/harvest', 'nested repository is committed'), [
    [
      'E1-nested-git',
      'a nested .git is left out, also as a file',
      swap("name === '.git'", "name === '.git' && stats.isDirectory()"),
    ],
  ]),
  ...noticedBy(test('processes/harvest-commit', 'rules of the base'), [
    ['E1-rules-of-base', 'the rules of the base say what is ignored', swap('base, rules', 'parent, rules')],
  ]),
  ...noticedBy(test('processes/installs'), [
    ['E15-over-nothing', 'what is kept goes over nothing', instead('return true;')],
    ['E15-through-no-link', 'what is kept goes through no link', swap('!== true', '=== null')],
  ]),
];
