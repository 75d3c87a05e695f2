/** Changes with real pull request templates whose published texts are recorded. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  neutraliseDescription,
  neutralisePlainText,
  neutraliseText,
  neutralisePersonalText,
  findTextSignals,
} from '../../text-safety/neutralise-text.ts';
import { componentOf } from '../../pull-text/commit-subjects.ts';
import { commit, contract, order } from './core-samples.ts';
import { ran, rendered, SAMPLES, type Rendering, type Sample } from './change-samples.ts';

export type Made = readonly [name: string, made: () => unknown];

const dir = new URL('../fixtures/templates/', import.meta.url);
const TEMPLATES = readdirSync(dir).sort();
const CHANGES = Object.entries(SAMPLES);

/** The folded details are recorded elsewhere. */
const visible = ({ title, body }: { title: string; body: string }): string =>
  `${title}\n\n${body.slice(0, body.indexOf('<details>'))}`;

const fix = SAMPLES['fix'] as Sample;
const docs = SAMPLES['docs'] as Sample;
const of =
  (change: Partial<Sample>, more: Rendering = {}, template: string | null = null): (() => string) =>
  () =>
    visible(rendered({ ...fix, ...change }, template, more));

const paths = (...all: string[]): Sample['files'] => all.map((path, i) => [path, i + 1, i % 2] as const);
const MANY = paths('src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts', 'src/f.ts');
const ASKS = [
  '## What\n\n## Why\n\n## Breaking changes\n\n## How to review\n\n## Documentation\n\n## Dependencies\n\n## AI disclosure\n\n## Tests\n',
  '## Issues\n\nFixes #\n\n## Type\n\n- [ ] Bug fix\n- [ ] New feature\n- [ ] Breaking change\n\n## Component\n\n## Release note\n',
  '- [ ] I added tests\n- [ ] I updated the documentation\n- [ ] I signed the CLA\n- [ ] The title follows Conventional Commits\n- [ ] My commits are signed off\n- [ ] One commit\n- [ ] Targets `main`\n- [ ] There is an issue\n',
];

const REVIEW =
  '## Special notes for your reviewer\n\n## Documentation\n\n## Dependencies\n\n## Does it break anything?\n\n- [ ] Yes\n- [ ] No\n\n## Release notes\n\n## Checklist\n\n- [ ] No breaking changes\n- [ ] My commits are signed off\n- [ ] The title follows Conventional Commits\n- [ ] There is an issue\n';
const REVIEWED: Readonly<Record<string, Sample['files']>> = {
  'six files': MANY,
  'seven files': [...MANY, ['src/g.ts', 90, 1]],
  'files by size': [
    ['src/a.ts', 1, 8],
    ['src/b.ts', 7, 0],
    ['src/c.ts', 3, 7],
    ['test/a.test.ts', 5, 0],
    ['test/b.test.ts', 6, 3],
  ],
  'tests alone': paths('test/a.test.ts', 'test/b.test.ts'),
  'docs alone': paths('README.md', 'docs/a.md'),
  'workflows and docs': paths('.github/workflows/ci.yml', 'docs/a.md'),
  'a lockfile alone': paths('package-lock.json'),
  'a manifest and source': paths('package.json', 'src/a.ts'),
  'no file': [],
};
const without = { goal: 'Keep the last delay', said: { what: 'Read the last delay first' } };
const asked = (goal: string, title: string): (() => string) =>
  of({ goal, said: { what: 'The last delay is read before it is reset' } }, { title });
const committed = (message: string): Rendering => ({ commit: { ...commit('c'), message } });

const OF_REVIEWS: Made[] = [
  ...Object.entries(REVIEWED).flatMap(([name, files]): Made[] => [
    [`${name} for a reviewer`, of({ ...without, files }, {}, REVIEW)],
    [
      `${name} that breaks something`,
      of({ files, said: { breaking: 'The last delay is reset' } }, {}, REVIEW),
    ],
  ]),
  ...['x\n\nSigned-off-by: A <a@b>\n', 'x Signed-off-by: A\n', 'x\n\nSigned-off-by: \n'].map(
    (message): Made => [`a commit that says “${message}”`, of(without, committed(message), REVIEW)],
  ),
  ...['fix: keep the last delay', 'Keep the last delay'].map((title): Made => [
    `a title “${title}” where titles are conventional`,
    of(without, { title, contract: contract({ template: REVIEW, titleRule: 'conventional' }) }),
  ]),
  [
    'a person’s words for a reviewer',
    of({ said: { breaking: 'The last delay is reset' } }, { description: 'Mine.' }, REVIEW),
  ],
  ...(['goal', 'title', 'answer', 'nothing'] as const).map((where): Made => [
    `a reason borne out by: ${where}`,
    () => {
      const why = 'Frobnicorp complained about queues.';
      const own = order({
        goal: where === 'goal' ? `Keep the last delay. ${why}` : 'Keep the last delay',
        ...(where === 'title' ? { title: `Keep it: ${why}` } : {}),
      });
      const change = { ...fix, goal: own.goal, said: { what: 'Keep the last delay', why } };
      const more = where === 'answer' ? { answers: { cla: why } } : {};
      return visible(rendered({ ...change, ...more }, null, { order: own }));
    },
  ]),
  ['an issue in a title', of({}, { order: order({ goal: 'Keep it', title: 'Keep the delay, #55' }) })],
  ['an issue in a description', of(without, { description: 'Mine. Closes #66' })],
  ['an answer that closes', of({ ...without, answers: { issue: 'closes #77' } }, {}, REVIEW)],
  ['a request behind its title', asked('  Keep the delay.  ... Then wait... for it.\n', 'Keep the delay')],
  ['a request under another title', asked('  Keep the delay. Then wait.\n', 'Other')],
  [
    'a long request, half of it in the title',
    asked(
      `Keep the very last of all of the delays that ${'were '.repeat(9)}. More.`,
      'Keep the very last of all of the delays',
    ),
  ],
];

const OF_CHANGES: Made[] = [
  ['six files', of({ files: MANY })],
  ['seven files', of({ files: [...MANY, ['src/g.ts', 90, 1]] })],
  ['tests alone', of({ files: paths('test/a.test.ts', 'test/b.test.ts') })],
  ['tests, docs and a lockfile', of({ files: paths('test/a.test.ts', 'README.md', 'package-lock.json') })],
  ['source, tests and a manifest', of({ files: paths('src/a.ts', 'test/a.test.ts', 'package.json') })],
  ['docs alone', of({ ...docs, files: paths('README.md', 'docs/a.md') })],
  ['workflows', of({ files: paths('.github/workflows/ci.yml', 'docs/a.md') })],
  ['no file', of({ files: [] })],
  ['a person’s words', of({}, { description: ' Mine, @ana: see #9 and `x`. \n' })],
  ['answered words', of({ answers: { words: 'In my own words.' } })],
  ['an answered issue', of({ goal: 'Fix retries', answers: { issue: '#77' } })],
  ['an answer that is no issue', of({ goal: 'Fix retries', answers: { issue: 'they agreed by mail' } })],
  ['an answered CLA', of({ answers: { cla: 'Signed in May.' } })],
  ['fixes', of({}, { fixes: ['The last delay is read before it is reset', 'Nothing that is so', ''] })],
  ['nothing said', of({ said: {} })],
  ['nothing said but the old summary', of({ said: {} }, { summary: 'The last delay is read first.' })],
  ['what alone', of({ said: { what: 'The last delay is read before it is reset.' } })],
  ['why alone', of({ said: { why: 'The last delay was reset.' } })],
  ['no words end in a stop', of({ said: { what: 'Read the last delay', breaking: 'The delay is next' } })],
  [
    'more than the goal’s title',
    of({ goal: 'Keep the last delay. Then wait for it.\nAnd tell why.', said: {} }),
  ],
  ['long', of({ goal: `Keep ${'the delay '.repeat(200)}`, said: {} })],
  ['checks that were red', of({ checks: [ran('a', 'npm t', 'failed'), ran('b', 'x', 'timed_out')] })],
  [
    'checks that are red on the base',
    of({
      checks: [
        { ...ran('a', 'npm t', 'failed'), onBase: { outcome: 'failing', excused: true, newFailures: [] } },
      ],
    }),
  ],
  ['two commits to another base', of({}, { commits: 2, baseRef: 'next' })],
  ['a title of conventional commits', of({}, { contract: contract({ titleRule: 'conventional' }) })],
  ...ASKS.flatMap((template, i): Made[] =>
    CHANGES.map(([name, sample]): Made => [
      `${name} where ${i} is asked`,
      () => visible(rendered(sample, template)),
    ]),
  ),
  ...ASKS.map((template, i): Made => [
    `a person’s words where ${i} is asked`,
    of({ answers: { cla: 'x', words: 'Mine.', issue: '#5' } }, {}, template),
  ]),
];

const OF_TEMPLATES: Made[] = TEMPLATES.map((name, i): Made => {
  const [change, sample] = CHANGES[i % CHANGES.length] ?? (['fix', fix] as const);
  return [`${name} for ${change}`, () => visible(rendered(sample, readFileSync(new URL(name, dir), 'utf8')))];
});

const CODED = [
  ...['`a\\ `', '`\\ `', '`  b\\\\  `', '`a\\b`', '`<b` @x', '`[SKIP CI]` `[ci skip]`', '`@`@ana'],
  ...['a ` b', '``', '` `', '`a`', '`a` `b`', '`a`\n`b` x `', 'x`@ana`y', '`a`@ana', '`#1`#2'],
  ...['`a <b> c`', '`<b>`#1', '`a\\`', '`a\\\\` x', '`\\`', '` @ana `', '`[skip ci]`', '`x`\r\n`y`'],
  ...['\ue000', '\ue001 `a`', '`a` \ue000', '`a\ue000b`', '**`a`**', '(`a`)', '`a`.', '"`a`"', '`a`bors'],
  ...['see `a` at https://x.y', '`https://x.y`', '/`merge`', '`/merge`', 'fix `a` #1', '!![a](b)', '!!![a'],
  ...['[x] `[x]`', '[X]', '~~~~ `a`', '<A>', '<!A', '</a', '<?a', '<1', '\\`a`', '`a``b`'],
  ...['Signed-off-by: `a`', 'SKIP [SKIP CI]', '&Amp;', '&#x', '`a` $x$ `b`', 'DEADBEEF1 deadbeef1 1234567'],
  ...['GH-12', 'a @b @c', '://', 'WWW.x', '***no_ci***', '**No_Ci***', 'a\n\n`b`\n', '`a` '.repeat(3)],
];
const OF_CODE: Made[] = [
  ...CODED.map((text): Made => [
    `code in “${text}”`,
    () => [
      findTextSignals(text),
      neutraliseText(text),
      neutralisePersonalText(text),
      neutraliseDescription(text),
      neutralisePlainText(text),
    ],
  ]),
  // More code spans than there are placeholders.
  ['many spans', () => neutraliseDescription('`a` '.repeat(6_401)).slice(-12)],
];
const OF_FOLDERS: Made[] = [
  [],
  ['a.ts'],
  ['src/a/x.ts', 'src/a/y.ts'],
  ['src/a/x.ts', 'src/b/y.ts'],
  ['packages/p/src/x.ts', 'packages/p/test/x.test.ts'],
  ['docs/x.md'],
].map((all): Made => [`component of ${all.join(' ')}`, () => componentOf(all)]);

export const OF_REAL: readonly Made[] = [
  ...OF_CHANGES,
  ...OF_REVIEWS,
  ...OF_TEMPLATES,
  ...OF_CODE,
  ...OF_FOLDERS,
];
