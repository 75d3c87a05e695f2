/** L9: words of strangers that kept careless expressions busy take a moment. */
import { describe, expect, it } from 'vitest';
import { phrasesFor } from '../../bot/language/languages.ts';
import { readPhrase } from '../../bot/phrases/read-phrase.ts';
import { createConsistsOfWordsTest } from '../../bot/phrases/consists-of-words.ts';
import { stripMarkup } from '#chat-text';
import { readRejection } from '../../executors/git/code-host-remote.ts';
import { networkFailure } from '../../executors/git/git-failure.ts';
import { parseCommit } from '../../executors/git/tree-and-commit-format.ts';
import { checkPathName } from '../../executors/git/path-names.ts';
import { isInstructionSentence } from '../../discovery/rule-passage.ts';
import { findTitleFormat } from '../../discovery/title-checks.ts';
import { findMentionedPaths } from '#model/pull';
import { bootstrapPlan } from '#model/feedback';
import { isFetchOnly } from '#model/contract';
import { findSuggestedEdit } from '#model/change';
import { readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { parseTypedOrder } from '../../orchestrator/orders/order-argument.ts';
import { parsePullList } from '../../orchestrator/orders/pull-list.ts';
import { isBreakingLabel } from '../../pull-text/section-kinds.ts';
import { parseSections } from '../../pull-text/template-sections.ts';
import { redactSecrets } from '#text-safety';
import {
  neutralisePlainText,
  neutraliseDescription,
  neutraliseText,
} from '../../text-safety/neutralise-text.ts';
import { measureMs, MOST_MS } from '../support/thread-time.ts';

describe('installations', () => {
  it.each([
    ['npm ci --a --a …', `npm ci${' --a'.repeat(34)} "--b"`],
    ['pip install -r a -r a …', `pip install${' -r a'.repeat(34)} "--b"`],
    ['options without end', `npm ci${' --a'.repeat(60_000)} "--b"`],
    ['blanks without end', `npm ci${' '.repeat(250_000)}"`],
  ])('L9: %s is judged in a moment', (_, command) => {
    expect(measureMs(() => expect(isFetchOnly(command)).toBe(false))).toBeLessThan(MOST_MS);
  });

  it.each([
    'npm ci',
    'npm ci --omit=dev --cache .npm && pip install -q -r requirements.txt',
    'pip install -e ".[dev]" ruff==0.4.* -r requirements/dev.txt',
    'python3 -m venv .venv; .venv/bin/pip install --upgrade pip',
    'corepack enable && pnpm install --frozen-lockfile',
  ])('E15: %s only fetches', (command) => {
    expect(isFetchOnly(command)).toBe(true);
  });

  it.each([
    'npm run build',
    'npm ci && make',
    'pip install ./local',
    'npm ci "a"',
    'npmci',
    'pip install a b/c',
  ])('E15: %s may build something', (command) => {
    expect(isFetchOnly(command)).toBe(false);
  });
});

describe('answers', () => {
  it.each([
    ['a no of many words', `${'不行吧'.repeat(34)}合`],
    ['a yes of many words', `${'好的吧'.repeat(34)}合`],
    ['a no that goes on', `${"i don't like it, ".repeat(34)}\nx`],
  ])('L9: %s is read in a moment', (_, text) => {
    const scene = { runs: [], replied: { id: '7c2p45', to: 'card' as const } };
    expect(measureMs(() => readPhrase(text, phrasesFor(text, 'en'), scene))).toBeLessThan(MOST_MS);
  });

  it('C4: a chain of words is found however its words overlap, and nothing beside it', () => {
    const no = createConsistsOfWordsTest('不', '不行', '不行吧', '吧');
    expect(
      ['不', '不行吧', '不行, 吧！'.replace('！', '!'), '不行吧吧'].map((text) => no.test(text)),
    ).toEqual([true, true, true, true]);
    expect(['', ',', '行', '不行合', ' 不'].map((text) => no.test(text))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('title checks of a workflow', () => {
  it('L9: a pattern of many brackets is judged in a moment, and is no list of types', () => {
    const pattern = `^(feat|fix|docs)${':('.repeat(60)}%`;
    const workflow = [
      'on: pull_request',
      'jobs:',
      '  title:',
      '    steps:',
      '      - env:',
      '          TITLE: ${{ github.event.pull_request.title }}',
      '        run: |',
      `          if ! echo "$TITLE" | grep -E '${pattern}'; then exit 1; fi`,
    ].join('\n');
    const read = (): string => workflow;
    expect(
      measureMs(() =>
        expect(findTitleFormat(['.github/workflows/title.yml'], read)).toMatchObject({ shape: null }),
      ),
    ).toBeLessThan(MOST_MS);
  });
});

const AT = { path: 'a', line: 1 };
const commitBy = (author: string): Buffer =>
  Buffer.from(`tree ${'a'.repeat(40)}\nauthor ${author}\n\nFix it`);

/** Twice as long as a message, a description or a template may be; quadratic readers take seconds. */
const SIZE = 128_000;
const filled = (unit: string, size = SIZE): string => unit.repeat(Math.ceil(size / unit.length));

describe('words of a whole text', () => {
  const cases: readonly (readonly [string, string, (text: string) => unknown])[] = [
    ['words like tokens', filled('ghs_0_-', 1_000_000), redactSecrets],
    ['words like signed tokens', filled('eyJ-', 1_000_000), redactSecrets],
    ['signs before a label', `${filled('!')}a`, isBreakingLabel],
    ['links that are never closed', `- [ ] ${filled('[a](')}`, parseSections],
    ['brackets that are never closed', `**${filled('[', 110)}**\n# ${filled('[')}`, parseSections],
    ['dots without a name', filled('.'), (text) => findMentionedPaths(text, ['src/a.ts'])],
    ['letters without an extension', filled('a'), (text) => findMentionedPaths(text, ['src/a.ts'])],
    ['blanks of a goal', `a${filled(' ')}b`, (text) => bootstrapPlan(text, [])],
    ['tags that never end', filled('<'), stripMarkup],
    ['slashes of a pull request', filled('/'), parsePullList],
    ['signs of a pull request', `${filled('!')}a`, parsePullList],
    ['colons of a list', `acme/api ${filled(':')}a`, (text) => readCampaignOrder(text)],
    ['options without end', `acme/api Say ${filled('a=b ')}`, (text) => readCampaignOrder(text)],
    ['boxes before a rule', `${'[ ] '.repeat(40)}:`, (text) => isInstructionSentence(text, 'open')],
    ['rules for many', `${'for abc '.repeat(40)}:`, (text) => isInstructionSentence(text, 'open')],
    ['blanks in a span of code', `\`a${filled(' ')}x\``, neutraliseDescription],
    ['dots after a mention', `@a${filled('.')}b`, neutraliseText],
    ['dots after a command', `/a${filled('.')}b`, neutralisePlainText],
    [
      'suggestions that are never closed',
      filled('```suggestion\n'),
      (body) => findSuggestedEdit({ body, ...AT }),
    ],
    ['words of a code host that fetches', `remote: ${filled('repository ')}`, networkFailure],
    ['words of a code host that is pushed to', filled('permission to '), (text) => readRejection('', text)],
    ['a name that ends in blanks', `a${filled(' ')}b`, (name) => checkPathName(name, { symlink: false })],
    ['an author of many blanks', `a${filled(' ')}b <c> 1 +0`, (by) => parseCommit(commitBy(by))],
    ['blanks of an order', `acme/api Say${filled(' ')}so`, parseTypedOrder],
  ];
  it.each(cases)('L9: %s are read in a moment', (_, text, read) => {
    expect(measureMs(() => read(text))).toBeLessThan(MOST_MS);
  });

  it.each([
    ['see src/a.ts, lib/b.test.ts.', ['src/a.ts', 'lib/b.test.ts']],
    ['src/a.ts-b and .gitignore and src/c.averylongextension', ['src/a.ts']],
  ])('F9: “%s” names its files', (goal, named) => {
    expect(
      findMentionedPaths(goal, ['src/a.ts', 'lib/b.test.ts', '.gitignore', 'gitignore', 'src/c']),
    ).toEqual(named);
  });

  it('F7: a suggestion is taken as its lines stand in a closed block', () => {
    const linesIn = (body: string): readonly string[] | undefined =>
      findSuggestedEdit({ body, ...AT })?.lines;
    expect(linesIn('so:\n  ```suggestion\na\n\n  ```  \nplease')).toEqual(['a', '']);
    expect(linesIn('````suggestion\n```\n````')).toEqual(['```']);
    expect(linesIn('~~~suggestion\n~~~')).toEqual([]);
    expect(linesIn('```suggestion\na')).toBeUndefined();
    expect(linesIn('```suggestion\na\n```\n```suggestion\nb\n```')).toBeUndefined();
  });

  it('C1: options at the end of an order keep their order, quoted or not', () => {
    const read = parseTypedOrder('acme/api Say "a b" of c=1 here check="npm test" check=lint title="x  y"');
    expect(read).toMatchObject({
      value: { goal: 'Say "a b" of c=1 here', checks: ['npm test', 'lint'], title: 'x  y' },
    });
  });

  it.each([
    [String.raw`Fix it check="tr \"\0\" x"`, 'Fix it', String.raw`tr "\0" x`],
    [String.raw`check='grep "a" b' Fix it`, 'Fix it', 'grep "a" b'],
    [`it's the boys' check='npm test'`, `it's the boys'`, 'npm test'],
    [String.raw`Fix it check="grep \d x"`, 'Fix it', String.raw`grep \d x`],
    [`Rename it to 'foo'`, `Rename it to 'foo'`, undefined],
    ['Fix it title=Don’t check=it’s', 'Fix it', 'it’s'],
  ])('C1: of the order “%s” no check is lost to its goal', (text, goal, check) => {
    const checks = check === undefined ? [] : [check];
    expect(parseTypedOrder(`acme/api ${text}`)).toMatchObject({ value: { goal, checks } });
  });

  it.each(['Fix it check="tr "a" x"', `Fix it check='npm test`, String.raw`Fix it check="a \"b`])(
    'C1: an order in which nobody can tell where its check ends is refused: %s',
    (text) => {
      expect(parseTypedOrder(`acme/api ${text}`)).toEqual({ problem: { kind: 'quote', option: 'check' } });
    },
  );
});
