/** One Fluent file for each language: all have the same sentences, code knows what each needs, and has none itself. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadSentences, parseSentences } from '../../bot/language/load-sentences.ts';
import type { Command } from 'commander';
import { createProgram } from '../../cli/main.ts';
import { descriptionsOf } from '../../cli/translate-help.ts';
import { databaseFaultsSource, readLanguageFiles, sentenceTreeSource } from './write-sentence-tree.ts';

const file = (language: string, ...lines: string[]) => ({ language, text: `${lines.join('\n')}\n` });
const treeOf = (...files: Parameters<typeof sentenceTreeSource>[0]) => sentenceTreeSource(files, {});

describe('the sentences of the languages', () => {
  it('C1: are the same ones in each, with the parameters that code gives (else: npm run sentences)', () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../bot/language/${name}`, import.meta.url), 'utf8');
    expect(sentenceTreeSource(readLanguageFiles()).parameters).toBe(read('sentence-parameters.json'));
    expect(databaseFaultsSource()).toBe(read('../../db/sql/database-faults.json'));
  });

  it('C1: a sentence that one language lacks, cannot read or has twice is named', () => {
    const english = file('en', 'tap-gone = Gone', 'tap-by = By { $who }');
    expect(() => treeOf(english, file('zh', 'tap-gone = 没了'))).toThrow('zh.ftl has no “tap-by”');
    expect(() => treeOf(file('en', 'tap-by = By { $who'))).toThrow('en.ftl: “tap-by”');
    expect(() => treeOf(file('en', 'tap-by = By', 'tap-by = Of'))).toThrow('en.ftl: “tap-by”');
    expect(() => treeOf(file('en', 'tap = Tap', 'tap-by = By'))).toThrow('“tap-by” begins like “tap”');
  });

  it('C1: a list without a separator of its own is shown by its name alone', () => {
    expect(() => treeOf(file('en', 'who = of { LIST($names) }'))).toThrow('LIST($names) has no');
    expect(treeOf(file('en', 'who = of { LIST($names, by: "; ") }')).tree).toContain('names: Listed');
  });

  it('C1: what a sentence needs follows from how the languages use it', () => {
    const choice = ['size = { $level ->', '    [low] low', '   *[high] high { $n }', '}'];
    const { tree, parameters } = treeOf(
      file('en', ...choice, 'by = { GIVEN($who) ->', '    [yes] { $who }', '   *[no] nobody', '}'),
      file('zh', 'size = { $n ->', '    [one] 一', '   *[other] 多', '}', 'by = 有'),
    );
    expect(tree).toContain("size: (level: 'low' | 'high', n: Counted) => string");
    expect(tree).toContain('by: (who: Shown | null | undefined) => string');
    expect(parameters).toContain('"size": "level n"');
  });

  it('C1: a rewording leaves the order of parameters as it is', () => {
    const reworded = file('en', 'tap-by = { $what } by { $who }');
    expect(sentenceTreeSource([reworded], { 'tap-by': 'who what' }).tree).toContain(
      'by: (who: Shown, what: Shown)',
    );
  });
});

/** The Chinese word for one thing, and words that readers would take for another. */
const CHINESE_WORDS = [
  ['代理', '智能体'],
  ['编码代理', '编程代理'],
  ['审批人', '批准人 审批者'],
  ['基准分支', '基础分支 基分支 目标分支'],
  ['看板', '面板'],
  ['代码托管平台', '代码平台'],
  ['fork', '复刻 派生 分叉'],
  ['议题', '问题单'],
  ['拉取请求', '合并请求'],
  ['账号', '账户 帐号 帐户'],
  ['次点击', '次点按'],
  ['沙箱', '沙盒'],
  ['工作区', '工作空间'],
  ['密钥', '秘钥'],
  ['凭据', '凭证'],
  ['账本', '账簿'],
  ['仓库', '代码库'],
  ['维护者', '维护人'],
  ['更新日志', '变更日志'],
  ['批次', '批量任务'],
  ['运维者', '运维人员 运营者'],
  ['评审人', '评审者 审阅者'],
  ['评审', '审阅 审查'],
  ['签名', '签字'],
  ['webhook', '网络钩子'],
  ['目录', '文件夹'],
  ['通行密钥', '自己的密钥'],
  ['人工耗时', '注意力'],
] as const;

it.each(CHINESE_WORDS)('C1: Chinese says %s, never %s', (word, others) => {
  for (const name of ['zh.ftl', 'command-line-zh.ftl']) {
    const text = readFileSync(new URL(`../../bot/sentences/${name}`, import.meta.url), 'utf8');
    for (const other of others.split(' '))
      expect(
        text.split('\n').filter((line) => line.includes(other)),
        `${name}: say ${word}`,
      ).toEqual([]);
  }
});

it('C1: a sentence shows numbers as they are, lists with its separator, and nothing where nothing was given', () => {
  const text = file(
    'en',
    'listSeparator = {", "}',
    'waits-some = { $names }: { COUNT($names) } of { NUMBER($all) }, { $all }',
    'waits-by = { GIVEN($who) ->',
    '    [yes] by { $who }',
    '   *[no] by nobody',
    '}',
  ).text;
  const order = { 'waits-some': 'names all', 'waits-by': '*' };
  const { waits } = parseSentences('en', text, order) as unknown as {
    waits: { some: (names: string[], all: number) => string; by: (of: object) => string };
  };
  expect(waits.some(['a', 'b'], 1234)).toBe('a, b: 2 of 1,234, 1234');
  expect(waits.by({ who: null })).toBe('by nobody');
  const { signatures } = loadSentences('en').changedSince;
  expect(signatures({ lapsed: [], have: 1, needed: 2, next: [] })).toBe('1 of 2 approvals are left');
  expect(loadSentences('en').card.opens('yes', [])).toBe('Opens as a draft');
  expect(waits.by({ who: 'Ana { $x }' })).toBe('by Ana { $x }');
});

it.each([
  ['en', '2 approvals of dba, 4711', 'still needs one of dba, 4711'],
  ['zh', '需要以下人员的 2 个批准：dba、4711', '还需要其中一位：dba、4711'],
])('G10: whoever must approve is named one by one (%s)', (language, asked, needed) => {
  const { signatureAsks, card, refusals, changedSince } = loadSentences(language);
  const names = ['dba', '4711'];
  expect(signatureAsks.approvers(2, names)).toBe(asked);
  expect(card.stillNeeds(names)).toBe(needed);
  expect(refusals.other_approvers({ names })).toContain(needed);
  const lapsed = changedSince.signatures({ lapsed: names, have: 0, needed: 2, next: names });
  expect(lapsed).toContain(needed);
  expect(lapsed).not.toContain('undefined');
});

/** English whatever a chat speaks, and what only names types. */
const NO_CATALOGUE = ['english-wording.ts', 'sentence-tree.ts'];
/** Values that code compares, not what people read. */
const NO_SENTENCES = ['npm install -g ', 'not here', 'approved by', 'signed with key'];
const ROOT = join(import.meta.dirname, '../..');
const LANGUAGE_FOLDER = join(ROOT, 'bot/language');
const isSentence = (text: string): boolean => /\p{Script=Han}|\p{L}+ \p{L}/u.test(text);

const sentencesIn = (source: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      if (isSentence(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('read.ts', source, ts.ScriptTarget.Latest));
  return found;
};

it('C1: no sentence stands in the code of bot/language, where a translator would not look for it', () => {
  expect(sentencesIn("const a = `Run ${id} has ended.`; say('已结束'); const kind = 'has_ended';")).toEqual([
    ' has ended.',
    '已结束',
  ]);
  const found = globSync('**/*.ts', { cwd: LANGUAGE_FOLDER })
    .filter((file) => !NO_CATALOGUE.includes(file))
    .flatMap((file) => sentencesIn(readFileSync(join(LANGUAGE_FOLDER, file), 'utf8')));
  expect(new Set(found)).toEqual(new Set(NO_SENTENCES));
});

/** Help that holds values, and what is no sentence of the terminal: names, files that are written, words to agents, other programs and the bot. */
const NO_TERMINAL_SENTENCES = [
  'cli/api/operations.ts',
  'cli/api/serve-http.ts',
  'cli/completion.ts',
  'cli/demo/campaign-repositories.ts',
  'cli/option-help.ts',
  'cli/service/systemd-unit.ts',
  'agentpr audit',
  'npx agentpr',
  'the file',
  'the chains',
  'id of a person',
  'the operator',
  '<!doctype html><html lang="',
  '"><meta charset="utf-8"><title>AgentPR</title>',
  '</p>\n<form action="',
  '" method="post">\n<input type="hidden" name="manifest" value="',
  'Answer with the one word: ready. Read no file and change none.',
  ' --help shows how)',
  ' their rules say no',
  'Pull request #',
  'Apply a scripted change',
  '^\\W*(Review risks|Start|Approve|Open PR|Push|Post|Confirm|',
];
const helpOf = (command: Command): string[] => [
  ...command.options.map(({ flags }) => flags),
  ...descriptionsOf(command).map(({ english }) => english),
  ...command.commands.flatMap(helpOf),
];
/** Commander prints these below a help; `translate-help.ts` finds them there. */
const BELOW_HELP = /^\n(?:Example: |Approving is done in chat only)|^\nStates: /;

it('C1: no sentence stands in the code of cli but the English of a help, which commands declare', async () => {
  const help = new Set(helpOf(await createProgram()));
  const found = globSync('cli/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    sentencesIn(readFileSync(join(ROOT, file), 'utf8'))
      .filter((text) => !help.has(text) && !BELOW_HELP.test(text))
      .map((text) => (NO_TERMINAL_SENTENCES.includes(file) ? file : text)),
  );
  expect(new Set(found)).toEqual(new Set(NO_TERMINAL_SENTENCES));
});
