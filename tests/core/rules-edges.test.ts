/** E7, P3: each rule of a repository at the edge between kept and asked about. */
import { expect, it } from 'vitest';
import type { Contract } from '#model/contract';
import type { ChangeAction } from '../../governor/governed-action.ts';
import { contributionRules, findOverruling } from '../../governor/policies/contribution-rules-policy.ts';
import { assessRisk } from '../../governor/assess-risk.ts';
import { context, contract, file, pull, push } from '../support/actions.ts';

type Rule = Contract['rules'][number];
const ruled = (kind: Rule['kind'], value?: string): Rule => ({
  kind,
  quote: 'So we ask.',
  file: 'CONTRIBUTING.md',
  line: 3,
  ...(value === undefined ? {} : { value }),
});
const verdicts = (action: ChangeAction, ...rules: Rule[]): string[] => {
  const around = { ...context, contract: { ...contract, rules } };
  return contributionRules(action, around, assessRisk(action, around)).map(({ verdict }) => verdict);
};
const saying = (message: string, action: ChangeAction = pull()): ChangeAction => ({
  ...action,
  commit: { ...action.commit, message },
});
const KEPT = ['note'];
const ASKED = ['escalate'];

it.each<[string, string, string[]]>([
  ['assisted_by', 'Fix\n\nAssisted-by: a model', KEPT],
  ['assisted_by', 'Fix\n\nCo-authored-by: a model', ASKED],
  ['assisted_by', 'Fix', ASKED],
  ['co_author', 'Fix\n\nCo-authored-by: a model', KEPT],
  ['co_author', 'Fix', ASKED],
  ['no_co_author', 'Fix\n\nCo-authored-by: a model', ASKED],
  ['no_co_author', 'Fix', KEPT],
  ['no_sign_off', 'Fix\n\nSigned-off-by: Ana', ASKED],
  ['no_sign_off', 'Fix', KEPT],
  ['change_id', `Fix\n\nChange-Id: I${'0a'.repeat(20)}`, KEPT],
  ['change_id', 'Fix\n\nChange-Id: later', ASKED],
  ['another', 'Fix', ASKED],
])('E7: a rule for the trailer %s meets %j: %j', (value, message, said) => {
  expect(verdicts(saying(message), ruled('trailer', value))).toEqual(said);
});

it('F9: a trailer of name and model is kept by both, and asked for where one is missing', () => {
  const quote = 'All commits must end with: Assisted-by: AGENT_NAME:MODEL_VERSION';
  const rule = { ...ruled('trailer', 'assisted_by'), quote };
  expect(verdicts(saying('Fix\n\nAssisted-by: codex:gpt-5.1'), rule)).toEqual(KEPT);
  expect(verdicts(saying('Fix\n\nAssisted-by: codex (AgentPR)'), rule)).toEqual(ASKED);
});

it('E7: a base branch is kept when one of the rules names it; without any contract there is nothing to keep', () => {
  const { baseRef } = pull();
  const here = ruled('base_branch', baseRef);
  const there = ruled('base_branch', 'elsewhere');
  expect(verdicts(pull(), here)).toEqual(KEPT);
  expect(verdicts(pull(), there)).toEqual(ASKED);
  expect(verdicts(pull(), there, here)).toEqual([...KEPT, ...KEPT]);
  expect(verdicts(pull(), there, { ...ruled('trailer', baseRef) })).toEqual([...ASKED, ...ASKED]);
});

it('E7: a language is that of more than a name', () => {
  const english = ruled('language', 'English');
  expect(verdicts(saying('Поправка'), english)).toEqual(KEPT);
  expect(verdicts(saying('абвгдежзи'), english)).toEqual(KEPT);
  expect(verdicts(saying('абвгдежзий'), english)).toEqual(ASKED);
  expect(verdicts({ ...pull(), body: '把重试改成等待而不是猜测。' }, english)).toEqual(ASKED);
  expect(verdicts({ ...push(), body: '把重试改成等待而不是猜测。' }, english)).toEqual(KEPT);
  expect(verdicts(saying('абвгдежзий'), ruled('language', 'Russian'))).toEqual(KEPT);
});

it('E7: at its size a change is within it', () => {
  const lines = (added: number): ChangeAction => pull({ files: [file('a', { added, deleted: 0 })] });
  const size = ruled('size', '40');
  expect([40, 41].map((n) => verdicts(lines(n), size))).toEqual([KEPT, ASKED]);
  expect(verdicts(lines(41), ruled('size', 'small'))).toEqual(KEPT);
});

it('E7: a style is that of the title, or of the first line that is pushed', () => {
  const plain = ruled('commit_style', 'not_conventional');
  const titled = (title: string): ChangeAction => ({ ...pull(), title });
  expect([titled('fix: x'), titled('Fix x')].map((a) => verdicts(a, plain))).toEqual([ASKED, KEPT]);
  expect([saying('fix: x', push()), saying('Fix x\nfix: y', push())].map((a) => verdicts(a, plain))).toEqual([
    KEPT,
    KEPT,
  ]);
  expect(verdicts(titled('fix: x'), ruled('commit_style', 'own'))).toEqual(KEPT);
});

it('E7: an entry of the changelog is one among other files', () => {
  const files = [file('src/a.ts'), file('CHANGELOG.md')];
  expect([pull({ files }), pull()].map((a) => verdicts(a, ruled('changelog')))).toEqual([KEPT, ASKED]);
});

it('P3: what was overruled is those words in that file', () => {
  const rule = ruled('ai_ban');
  const said = { by: 'Ana', why: 'about text', quote: rule.quote, file: rule.file, line: 3 };
  expect(findOverruling(rule, [{ ...said, file: 'README.md' }, said])).toBe(said);
  expect(findOverruling(rule, [{ ...said, file: 'README.md' }])).toBeNull();
  expect(findOverruling(rule, [{ ...said, quote: 'Other.' }])).toBeNull();
  expect(findOverruling(rule)).toBeNull();
});
