/** Orders, changes and texts whose published form is recorded exactly. */
import { applyRule, keepsRule, slugifyTitle, workType } from '../../orchestrator/model/branch-names.ts';
import type { CheckResult, FileChange } from '../../orchestrator/model/change-records.ts';
import type { Feedback } from '../../orchestrator/model/feedback.ts';
import {
  clipText,
  codeSpan,
  neutraliseDescription,
  inertPlain,
  neutraliseText,
  textSignals,
} from '../../text-safety/public-text.ts';
import { baseMessage, branchFor, pullBody, alternativeBranch } from '../../pull-text/pull-body.ts';
import { requiredHeadings } from '../../pull-text/fill-template.ts';
import { file, gone, move } from './actions.ts';
import { commit, contract, order } from './core-samples.ts';
import { messageOf, pullTitle } from './published.ts';
import { OF_REAL, type Made } from './recorded-bodies.ts';

const GOALS = [
  ...[
    ' Docs now',
    'a  b  c  docs',
    'x typo',
    'do refactor x',
    'A\nfix.  \n',
    'Say  hello \t now ',
    'x . y',
    'An iOS fix',
    'iOS Fix',
  ],
  ...[
    'x'.repeat(72),
    'x'.repeat(100),
    `${'y '.repeat(35)}\`open code span here\` z`,
    `${'y '.repeat(48)}\`open code span\` z`,
  ],
  ...[
    '---a---b',
    'fix --',
    `fix ${'a'.repeat(35)}!!!! b`,
    `${'a'.repeat(40)} ${'b'.repeat(40)}`,
    `fix ${'word-'.repeat(7)}- - b`,
  ],
  ...[
    'Fix the rounding of totals. It is off by one cent.',
    'fix it',
    'Repair x',
    'correct x',
    'Prevent x',
    'handle x',
    'stop x',
  ],
  ...[
    'Update the README',
    'typo in docs',
    'typos',
    'the changelog',
    'Add documentation',
    'one two three four docs',
    'a b c doc d',
  ],
  ...[
    'Add tests for x',
    'test x',
    'contest x',
    'add x',
    'Support x',
    'implement x',
    'introduce x',
    'Allow x',
    'create x',
  ],
  ...[
    'Refactor x',
    'rename x',
    'Clean x',
    'simplify x',
    'extract x',
    'move x',
    'Replace x',
    'prefix x',
    'readd x',
    'Totals crash',
  ],
  ...[
    'There is a bug',
    'a wrong total',
    'it is broken',
    'it crashes',
    'it crashed',
    'it fails',
    'fail',
    'a regression',
    'debug it',
  ],
  ...[
    'Say hello',
    '',
    '  ',
    '\n\nFix x\nmore',
    'Version 1.2 of x. More',
    'See e.g. x. Then y',
    'Ends with dots...',
    'One.Two',
    'x.',
  ],
  ...[
    'Thanks @ana for #12',
    'Close #1',
    `Fix ${'long '.repeat(30)}`,
    `Fix \`${'code '.repeat(30)}\` now`,
    'x'.repeat(200),
    'feat: add x',
  ],
  ...[
    'Feat: Add x',
    'ABC-12 fix totals',
    'Fix #34',
    'fix ABC-',
    'ÄÖ über été',
    '修复 bug',
    'URL is wrong',
    'Fix\tthe   tabs',
    'a`b',
  ],
];
const RULES = [
  ...[
    'fix|feature/<slug>',
    'feature|fix/<slug>',
    '<type>/<slug>',
    'feat|docs|test/<slug>',
    '<type>/<issue>-<slug>',
    'a.b/<slug>',
  ],
  ...[
    '<slug>',
    'users/<slug>/x',
    'x+/<slug>',
    'BUGFIX|Docs/<slug>',
    'topic/<issue>',
    '<type>-<slug>',
    'a|b',
    '',
    'refactor|chore/<slug>',
  ],
];
const BRANCHES = [
  ...[
    'fix/x',
    'feature/x-y',
    'feature/',
    'xfeature/y',
    'feature/x/y',
    'fix/ab_c.d',
    'docs/12-x',
    'docs/AB-12-x',
    'axb/y',
    'a.b/y',
  ],
  ...[
    'bugfix/x',
    'perf/y',
    'feature/-x',
    'a',
    'b',
    'ab',
    'users/x/x',
    'users/x/y',
    'x+/y',
    'xx/y',
    'topic/12',
    'topic/A-1',
    'topic/x',
  ],
];
const WORDS = [
  ...[
    'Thanks @ana',
    'a@b.c',
    '&#64;ana',
    '&commat;x',
    'Fixes #12',
    'closes: a/b#3',
    'resolved gh-4',
    'fix `x` #1',
    'Fix the #1 bug',
  ],
  ...[
    'close https://github.com/a/b/issues/5',
    'fixed https://x/pull/1',
    'prefix #1',
    '[skip ci]',
    '[ci skip]',
    '[no ci]',
    '***NO_CI***',
  ],
  ...[
    '[skip  x]',
    '[ skip-ci ]',
    '[skipci]',
    '**NO_CI**',
    '/merge',
    ' /merge',
    '> /merge',
    '- !x',
    '1. /x',
    'a /x',
    'bors r+',
    'x bors try',
  ],
  ...[
    'bors',
    'recheck',
    'rechecked',
    'x recheck',
    'Signed-off-by: A',
    'cc: b',
    'Change-Id: x',
    '> Reviewed-By : x',
    'accc: x',
    'skip-checks: true',
  ],
  ...[
    '`@ana`',
    '`@ana` `',
    '``@ana``',
    '\\`@ana`',
    '`a` <b> `@c`',
    '<!-- x -->',
    '<b>x</b>',
    '1 < 2',
    'a <- b',
    '![x](y)',
    '[x](y)',
    '[x][y]',
    '[x]: y',
  ],
  ...[
    'a &amp; b',
    '&x',
    'a & b',
    '~~~x',
    '~~x',
    '$$x$$',
    '$x',
    'x\n===',
    'x\n---',
    'x\n- -',
    'https://x.y',
    'www.x.y',
    'awww.x',
    'abcdef1',
    'abcdefg1',
  ],
  ...[
    '0123456',
    '1234567890abcdef1234567890abcdef12345678',
    'deadbeef',
    'x1234567',
    '(see @ana)',
    '**@ana**',
    '"#12",',
    '_@a_',
    "it's #1!",
    '(#1).',
  ],
  ...[
    'a\u200bb',
    'a\u202eb',
    'a\tb',
    'a\u00a0b',
    'a\r\nb',
    'a\rb',
    'a\ud800b',
    '',
    ' ',
    '\n',
    '[x] done',
    '[X] done',
    '- [x] a\n- [ ] b',
    '> quoted',
    '#12',
    '#x',
  ],
  ...[
    'a\n/merge\nb',
    'x\nSigned-off-by: y\nz',
    'gh-12',
    'agh-12',
    'a/issues/1',
    'a/pull/2',
    '/pull/x',
    '@',
    '@ a',
    'a #',
    'javascript:x',
    'mailto:a@b',
    'ftp://x',
  ],
];
const TEMPLATES = [
  ...['## A<!-- x -->B', '- [] box', '  - [x] indented  ', 'x\n<!-- a --> b\n## Why <!-- c --> not'],
  ...[
    '',
    '## What\n\n## Why\n',
    '# Summary\n\n- [x] tested\n* [ ] x\n+ [X] y\n',
    '## Testing\r\n## AI disclosure\r\n## Changes\r\n',
    '<!-- x -->\n## Notes',
  ],
  ...[
    '<!-- never closed\n## What',
    'no heading',
    '- [ ] box',
    '####### x',
    '#x',
    '   ## How to test',
    '    ## code',
    '## Odd\n- [ ] a',
    '## @ana',
    '## Odd',
    '1. [x] y',
    '## Why\n## Goal',
  ],
];
const check = (outcome: CheckResult['outcome'], exitCode: number | null): CheckResult => ({
  name: 'test',
  command: 'npm `test`',
  exitCode,
  outcome,
  ms: 1,
  tail: '',
});
const FILES: readonly (readonly FileChange[])[] = [
  [],
  [file('a')],
  [
    file('a', { binary: true }),
    move('b', 'c'),
    move('d', 'd'),
    gone('e'),
    file('f', { status: 'type_changed' }),
  ],
  Array.from({ length: 50 }, (_, i) => file(`f${i}`)),
  Array.from({ length: 52 }, (_, i) => file(`f${i}`)),
];
const changed = (files: readonly FileChange[]) => {
  const one = commit('a');
  return { ...one, diff: { ...one.diff, files: [...files], added: 7, deleted: 3 } };
};
const body = (more: Partial<Parameters<typeof pullBody>[0]> = {}): string =>
  pullBody({
    order: order(),
    contract: contract(),
    commit: changed([file('a')]),
    checks: [check('passed', 0)],
    summary: 'I did it @ana.',
    ...more,
  });

const ASKED: readonly Feedback[][] = [
  [],
  [{ kind: 'review', by: 'eve', body: 'Rename it.' } as unknown as Feedback],
  [{ kind: 'red', checks: ['test', 'lint @ana'] } as unknown as Feedback],
  [{ kind: 'red', checks: ['x'.repeat(90)] } as unknown as Feedback],
];
const RULED = [contract(), contract({ titleRule: 'conventional' }), null];

const OF_ORDERS: Made[] = [
  ...GOALS.flatMap((goal): Made[] => [
    [`work of “${goal}”`, () => workType(goal)],
    [`slug of “${goal}”`, () => [slugifyTitle(goal, 40), slugifyTitle(goal, 5)]],
    [
      `titles of “${goal}”`,
      () => RULED.map((c) => [pullTitle(order({ goal }), c), messageOf(order({ goal }), c, '')]),
    ],
    [`branches of “${goal}”`, () => RULES.map((rule) => applyRule(rule, goal, 'Run_7.x'))],
  ]),
  ...['Given', '', ' \n', '  Two \n words ', '@ana'].map((title): Made => [
    `title “${title}”`,
    () =>
      RULED.map((c) => [
        pullTitle(order({ title }), c),
        messageOf(order({ title }), c, ' Words of an agent. '),
      ]),
  ]),
  ...ASKED.flatMap((asked, i): Made[] => [
    [`fix ${i}`, () => RULED.map((c) => messageOf(order(), c, 'x', { no: i + 1, asked }))],
  ]),
  ['a long summary', () => messageOf(order(), null, 'word '.repeat(300))],
  [
    'messages of merges',
    () => (['conventional', null] as const).map((titleRule) => baseMessage('main', 'fix/x', { titleRule })),
  ],
  ...BRANCHES.map((branch): Made => [`branch ${branch}`, () => RULES.map((rule) => keepsRule(branch, rule))]),
  ...['fix/x', 'a', 'a.', 'a/b/c', 'x'.repeat(250), '/', '-', 'é', 'a-.'].map((name): Made => [
    `renamed ${name.slice(0, 9)}`,
    () => alternativeBranch(name),
  ]),
  ...[null, 'fix/x', 'bad..name', ''].flatMap((branch): Made[] =>
    ['r7', '', 'R_7', 'x'.repeat(90)].map((id): Made => [
      `branch for ${branch} of ${id.slice(0, 4)}`,
      () =>
        [
          null,
          contract(),
          contract({ branchRule: 'fix|feat/<slug>' }),
          contract({ branchRule: '<issue>/<slug>' }),
        ].map((c) => branchFor(order({ branch }), c, id)),
    ]),
  ),
];
const OF_WORDS: Made[] = WORDS.map((text): Made => [
  `words “${text}”`,
  () => [
    textSignals(text),
    neutraliseText(text),
    neutraliseDescription(text),
    inertPlain(text),
    codeSpan(text),
  ],
]);
const OF_BODIES: Made[] = [
  ...FILES.map((files, i): Made => [`files ${i}`, () => body({ commit: changed(files) })]),
  ...(['passed', 'failed', 'timed_out', 'not_run'] as const).map((outcome): Made => [
    `checks that ${outcome}`,
    () => [body({ checks: [check(outcome, 1), check(outcome, null)] }), body({ checks: [] })],
  ]),
  ...[null, '', ' Mine, @ana \n', 'Mine'].map((description): Made => [
    `description ${description}`,
    () => body({ description }),
  ]),
  ...['', ' ', 'x\n> y', 'x'.repeat(2_100)].map((summary, i): Made => [
    `summary ${i}`,
    () => body({ summary }),
  ]),
  ...TEMPLATES.flatMap((template, i): Made[] => [
    [`template ${i}`, () => requiredHeadings(template)],
    [`body in template ${i}`, () => body({ contract: contract({ template }) })],
  ]),
  ['no contract', () => body({ contract: null })],
  [
    'nothing known of commits and base',
    () => body({ contract: contract({ template: '- [ ] One commit\n- [ ] Targets `main`\n- [ ] x\n' }) }),
  ],
  ['no words at all', () => body({ order: order({ goal: ' ' }), summary: '' })],
  ['clipped', () => [clipText('abc', 3), clipText('abcd', 3), clipText('', 0), clipText('a\ud83d\ude00', 2)]],
];

export const TEXTS: readonly Made[] = [...OF_ORDERS, ...OF_WORDS, ...OF_BODIES, ...OF_REAL];
export const published = ([name, made]: Made): string => JSON.stringify([name, made()]);
