/** Orders, changes and texts whose published form is recorded exactly. */
import { branchNameByRule, matchesBranchRule, slugifyTitle, workType } from '#model/pull';
import type { CheckResult } from '#model/evidence';
import type { FileChange } from '#model/change';
import type { Feedback } from '#model/feedback';
import {
  clipText,
  codeSpan,
  neutraliseDescription,
  neutralisePlainText,
  neutraliseText,
  findTextSignals,
} from '../../text-safety/neutralise-text.ts';
import {
  baseMergeMessage,
  composeBranchName,
  pullBody,
  alternativeBranch,
} from '../../pull-text/pull-body.ts';
import { listRequiredHeadings } from '../../pull-text/fill-template.ts';
import { file, gone, move } from './actions.ts';
import { commit, contract, order } from './core-samples.ts';
import { messageOf, pullTitle } from './published.ts';
import { OF_REAL, type Made } from './recorded-bodies.ts';
import texts from '../fixtures/texts.json' with { type: 'json' };

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
  ...texts.goals.flatMap((goal): Made[] => [
    [`work of “${goal}”`, () => workType(goal)],
    [`slug of “${goal}”`, () => [slugifyTitle(goal, 40), slugifyTitle(goal, 5)]],
    [
      `titles of “${goal}”`,
      () => RULED.map((c) => [pullTitle(order({ goal }), c), messageOf(order({ goal }), c, '')]),
    ],
    [`branches of “${goal}”`, () => texts.rules.map((rule) => branchNameByRule(rule, goal, 'Run_7.x'))],
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
    () =>
      (['conventional', null] as const).map((titleRule) => baseMergeMessage('main', 'fix/x', { titleRule })),
  ],
  ...texts.branches.map((branch): Made => [
    `branch ${branch}`,
    () => texts.rules.map((rule) => matchesBranchRule(branch, rule)),
  ]),
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
        ].map((c) => composeBranchName(order({ branch }), c, id)),
    ]),
  ),
];
const OF_WORDS: Made[] = texts.words.map((text): Made => [
  `words “${text}”`,
  () => [
    findTextSignals(text),
    neutraliseText(text),
    neutraliseDescription(text),
    neutralisePlainText(text),
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
  ...texts.templates.flatMap((template, i): Made[] => [
    [`template ${i}`, () => listRequiredHeadings(template)],
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
