/** Actions whose judgements are recorded word for word. */
import { FINDING_KINDS } from '#model/change';
import { type Contract, RULE_KINDS, type RuleKind } from '#model/contract';
import type { CustomPolicy } from '#model/settings';
import type { GovernedAction } from '../../governor/governed-action.ts';
import type { PolicyContext } from '../../governor/policy-types.ts';
import { assessAction } from '../../governor/assess-action.ts';
import {
  check,
  command,
  comment,
  context,
  contract,
  file,
  finding,
  gone,
  link,
  move,
  pull,
  push,
  reply,
  templated,
  with_,
} from './actions.ts';
import { ROWS } from './policy-cases.ts';
import { COMMANDS } from './recorded-commands.ts';
import { PATHS } from './recorded-paths.ts';

export type Case = readonly [name: string, action: GovernedAction, around?: PolicyContext | undefined];

const SAYS = ['Done.', 'By a coding agent.', 'By a CODING AGENT', 'recoding agents'];
const ruled = (kind: RuleKind): PolicyContext => ({
  ...context,
  contract: {
    ...contract,
    rules: [{ kind, quote: `${'A rule. '.repeat(30)}`, file: 'CONTRIBUTING.md', line: 4 }],
  },
});
const asking = (more: Partial<Contract>): PolicyContext => ({
  ...context,
  contract: { ...contract, ...more },
});
const WORDS = [
  ...[
    '/merge',
    'x\n/merge',
    '> bors r+',
    '@bot merge',
    '@bot please squash',
    '@bot\tautomerge',
    '@bot[bot] queue',
  ],
  ...[
    '@bot merged',
    '@bot  please  merge',
    'merge @bot',
    '@bot will merge',
    'Fixes #1',
    '[skip ci]',
    'Thanks @ana',
  ],
  ...[
    'a\u202eb',
    'a\u200bb',
    `ghp${'_'}${'a1'.repeat(18)}`,
    'password = "hunter2hunter2"',
    'Signed-off-by: A <a@b.c>',
  ],
  ...[
    '',
    ' ',
    'a'.repeat(4_000),
    'a'.repeat(4_001),
    'a'.repeat(65_536),
    'a'.repeat(65_537),
    'cc: ana',
    'recheck',
  ],
];
const SIZES = [
  { maxFiles: 1 },
  { maxFiles: 2 },
  { maxLines: 11 },
  { maxLines: 12 },
  { maxBytes: 899 },
  { maxBytes: 900 },
  { smallFiles: 1 },
  { smallFiles: 2 },
  { smallLines: 11 },
  { smallLines: 12 },
];
const CHECKS = [
  [],
  [check('passed')],
  [check('failed')],
  [check('timed_out')],
  [check('not_run')],
  [check('passed'), { ...check('not_run'), name: 'lint' }],
  [check('passed'), { ...check('failed'), name: 'lint' }, { ...check('timed_out'), name: 'types' }],
];
const CHECK_CONFIGS = [
  { files: ['x.sh'], baseResults: [check('passed')] },
  { files: ['x.sh', 'y.sh'], baseResults: [check('failed'), { ...check('not_run'), name: 'lint' }] },
  { files: ['x.sh'], baseResults: null, notCompared: { kind: 'no_budget', budget: 'time' } as const },
  { files: [], baseResults: [] },
];
const MODES = ['100644', '100755', '120000', '160000', '040000', '000000', '0', '100600', ''];
const own = (when: CustomPolicy['when'], verdict: CustomPolicy['verdict'] = 'deny'): PolicyContext =>
  with_({ custom: [{ id: 'mine', when, verdict, reason: 'Mine.' }] });
const OWN: PolicyContext[] = [
  ...(['push', 'open_pr', 'comment', 'reply', 'command'] as const).map((a) => own({ actions: [a] })),
  own({ paths: ['src/**'] }, 'escalate'),
  own({ paths: ['nowhere/**'] }),
  ...[8, 9].map((minAdded) => own({ minAdded })),
  own({ repos: ['ana/*'] }),
  own({ repos: ['ben/*'] }),
  ...['7', 'Ana', 'ANA', 'An', '77'].map((author) => own({ authors: [author] })),
  { ...own({ authors: ['Ben'] }), requester: null },
  {
    ...context,
    contract: { ...contract, policies: { maxFiles: 1, protectedPaths: ['src/**'], custom: [] } },
  },
  asking({
    policies: { custom: [{ id: 'theirs', when: { minAdded: 1 }, verdict: 'escalate', reason: 'Theirs.' }] },
  }),
];

const CHANGES: Case[] = [
  ...FINDING_KINDS.map((kind): Case => [`finding ${kind}`, pull({ findings: [finding(kind)] })]),
  ...FINDING_KINDS.map((kind): Case => [
    `findings ${kind}`,
    push({
      findings: [
        finding(kind),
        { ...finding(kind), path: 'b', line: 0 },
        { ...finding(kind), path: 'c', count: 3 },
      ],
    }),
  ]),
  ['finding of a later version', push({ findings: [finding('of-later' as 'secret')] })],
  ...PATHS.map((path): Case => [`changes ${path}`, push({ files: [file(path)] })]),
  ...MODES.flatMap((oldMode) =>
    MODES.map((newMode): Case => [
      `mode ${oldMode} to ${newMode}`,
      push({ files: [link('src/a', oldMode, newMode)] }),
    ]),
  ),
  ...['tests/a.test.ts', 'src/a.ts', '.env', '.github/workflows/x.yml', 'a\\xffb'].flatMap((path): Case[] => [
    [`deletes ${path}`, push({ files: [gone(path)] })],
    [`moves ${path} away`, push({ files: [move(path, 'z.txt')] })],
    [`moves ${path} here`, push({ files: [move('z.txt', path)] })],
    [`moves ${path} to itself`, push({ files: [move(path, path)] })],
    ...[
      [0, 1],
      [1, 0],
      [1, 1],
      [2, 1],
      [1, 2],
    ].map(([added = 0, deleted = 0]): Case => [
      `${path} by +${added} -${deleted}`,
      push({ files: [file(path, { added, deleted })] }),
    ]),
    [`binary ${path}`, push({ files: [file(path, { binary: true })] })],
    [`type of ${path}`, push({ files: [file(path, { status: 'type_changed' })] })],
  ]),
  ['no file', push({ files: [] })],
  ...SIZES.flatMap((limits): Case[] => [
    [`sizes ${JSON.stringify(limits)}`, push(), with_(limits)],
    [`sizes ${JSON.stringify(limits)} with a pull request`, push({ iteration: true }), with_(limits)],
  ]),
  ...[8_000_000, 8_000_001].map((document): Case => {
    const action = push();
    return [
      `document ${document}`,
      { ...action, commit: { ...action.commit, diff: { ...action.commit.diff, documentBytes: document } } },
    ];
  }),
  ...[11, 2_000].map((added): Case => {
    const action = push();
    return [
      `git says +${added}`,
      { ...action, commit: { ...action.commit, diff: { ...action.commit.diff, added } } },
    ];
  }),
  ...CHECKS.flatMap((checks, i): Case[] => [
    [`checks ${i}`, push({ checks })],
    [`checks ${i}, not passed`, pull({ checks, passed: false })],
  ]),
  ...CHECK_CONFIGS.map((checkConfig, i): Case => [`judges ${i}`, pull({ checkConfig })]),
  ...(['bwrap', 'unshare', 'group', null] as const).flatMap((containment): Case[] => [
    [`contained by ${containment}`, push(), { ...context, containment }],
    [
      `contained by ${containment}, with a pull request`,
      push({ iteration: true }),
      { ...context, containment },
    ],
  ]),
  ...[null, 0, 2, 3, 4].map((openPrs): Case => [`${openPrs} open`, pull(), { ...context, openPrs }]),
  ...[
    'trunk',
    'Trunk',
    'refs/heads/trunk',
    'heads/trunk',
    'x/refs/heads/trunk',
    'main',
    'MASTER',
    'gh-pages',
    'a',
  ].map((branch): Case => [`branch ${branch}`, push({ branch, baseRef: 'refs/heads/a' })]),
  ...['lent', 'not lent'].flatMap((how): Case[] => {
    const around: PolicyContext = { ...context, lentIn: how === 'lent' ? ['title', 'description'] : [] };
    return [[`${how}`, pull(), around]];
  }),
];

const SAID: Case[] = [
  ...WORDS.flatMap((text, i): Case[] => [
    [`comment ${i}`, comment(text)],
    [`reply ${i}`, reply(text)],
    ...(text.length > 100
      ? []
      : ([
          [`title ${i}`, pull({ title: text })],
          [`body ${i}`, pull({ body: `${text} Made by a coding agent.` })],
          [`message ${i}`, push({ message: text })],
          [`branch ${i}`, push({ branch: text })],
          [`path ${i}`, push({ files: [file(text === '' ? 'x' : text)] })],
        ] as Case[])),
  ]),
  ...RULE_KINDS.flatMap((kind) =>
    SAYS.flatMap((body, i): Case[] => [
      [`rule ${kind}, pull ${i}`, pull({ body }), ruled(kind)],
      [`rule ${kind}, comment ${i}`, comment(body), ruled(kind)],
      [`rule ${kind}, reply ${i}`, reply(body), ruled(kind)],
    ]),
  ),
  ...RULE_KINDS.map((kind): Case => [`rule ${kind}, push`, push(), ruled(kind)]),
  ...(['push', 'pull', 'comment', 'command'] as const).map((how): Case => {
    const action = { push: push(), pull: pull(), comment: comment('Done.'), command: command('ls') }[how];
    return [`no contract, ${how}`, action, { ...context, contract: null }];
  }),
  ...['fix/<slug>', '<type>/<slug>', 'feature/agentpr-r7', 'feature|fix/<issue>-<slug>'].map(
    (branchRule): Case => [`branch rule ${branchRule}`, push(), asking({ branchRule })],
  ),
  ...['fix: x', 'fix(a): x', 'fix!: x', 'fix:x', 'fixes: x', 'Fix', ' fix: x', 'x\nfix: y'].flatMap(
    (title): Case[] => [
      [`title rule, push “${title}”`, push({ message: title }), asking({ titleRule: 'conventional' })],
      [`title rule, pull “${title}”`, pull({ title }), asking({ titleRule: 'conventional' })],
    ],
  ),
  ...[
    '',
    '## What',
    '## What\n## How was this tested',
    ' ## What \r\n## How was this tested',
    '# What\n## How was this tested',
  ].flatMap((body, i): Case[] => [
    [`template ${i}`, pull({ body }), templated],
    [`template ${i}, push`, push(), templated],
  ]),
  ...OWN.flatMap((around, i): Case[] => [
    [`own ${i}, push`, push(), around],
    [`own ${i}, pull`, pull(), around],
    [`own ${i}, comment`, comment('Done.'), around],
    [`own ${i}, reply`, reply('Done.'), around],
    [`own ${i}, command`, command('ls'), around],
  ]),
];

export const CASES: readonly Case[] = [
  ...ROWS.map(([policy, verdict, action, around], i): Case => {
    const no = ROWS.slice(0, i + 1).filter((one) => one[0] === policy && one[1] === verdict).length;
    return [`${policy} ${verdict} ${no}`, action, around];
  }),
  ...CHANGES,
  ...SAID,
  ...COMMANDS.map((text): Case => [`command ${JSON.stringify(text)}`, command(text)]),
];

const brief = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(brief).join(' ')}]`;
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value : String(value);
  return Object.entries(value)
    .filter(([name, one]) => !(name === 'more' && one === 0))
    .map(([name, one]) => (name === 'kind' ? brief(one) : `${name}=${brief(one)}`))
    .join(' ');
};

export const judgedAs = ([name, action, around = context]: Case): string => {
  const { decision, risk, reasons, factors } = assessAction(action, around);
  const said = [
    ...reasons.map((r) => `${r.policy} ${r.verdict}s ${brief(r.reason)}`),
    ...factors.map((f) => `${f.level} ${f.id} ${brief(f.reason)}`),
  ];
  return JSON.stringify([name, `${decision} ${risk} | ${said.join(' | ')}`]);
};
