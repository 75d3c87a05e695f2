/** F5: what a campaign file is refused for, as its author reads it in either language. */
import { describe, expect, it } from 'vitest';
import { enTexts, LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';

const REST = 'name: A\nrepositories: [acme/a]\ngoal: x\n';
const told = (file: string): string[] => {
  const read = readCampaignFile(file);
  const problem = 'problem' in read ? read.problem : null;
  return problem ? [enTexts, LANGUAGE_TEXTS.zh].map(({ problems }) => sayRecord(problems, problem)) : [];
};

describe('a value that does not fit', () => {
  it.each([
    [
      'every: x',
      'Line 4 of the file: every is "x"; it must be a day, a time and a time zone, like monday 09:00 Europe/Berlin; also mon-fri, day, or month for its first day.',
      '文件第 4 行：every 现在是 "x"；必须是星期几、时间和时区，例如 monday 09:00 Asia/Shanghai；也可以用 mon-fri、day（每天）或 month（每月第一天）。',
    ],
    [
      'pace: { hours: never }',
      'Line 4 of the file: pace.hours is "never"; it must be days, hours and a time zone, like mon-fri 09:00-17:00 Europe/Berlin; days may be several: mon-wed,sat.',
      '文件第 4 行：pace.hours 现在是 "never"；必须是星期几、时段和时区，例如 mon-fri 09:00-17:00 Asia/Shanghai；星期几也可写 mon-wed,sat。',
    ],
    [
      'pace: { hours: sat-thu }',
      'Line 4 of the file: pace.hours is "sat-thu"; it lacks the hours and the time zone, like mon-fri 09:00-17:00 Europe/Berlin; 00:00-24:00 is all day.',
      '文件第 4 行：pace.hours 现在是 "sat-thu"；缺少时段和时区，例如 mon-fri 09:00-17:00 Asia/Shanghai；00:00-24:00 表示全天。',
    ],
    [
      'openings: { except: [friday] }',
      'Line 4 of the file: openings.except #1 is "friday"; it must be a day, or the first and the last of several, like 2026-12-24/2027-01-02; without years, every year: 12-24/01-02; days of the week belong in hours.',
      '文件第 4 行：openings.except #1 现在是 "friday"；必须是一个日期，或起止两个日期，例如 2026-12-24/2027-01-02；不写年份表示每年：12-24/01-02；星期几写在 hours 里。',
    ],
    [
      'pull: { reviewers: ["@acme/platform"] }',
      'Line 4 of the file: pull.reviewers #1 is "@acme/platform"; it cannot be used: must be the name of an account; organisation/team stands in teams.',
      '文件第 4 行：pull.reviewers #1 现在是 "@acme/platform"；不能用：must be the name of an account; organisation/team stands in teams。',
    ],
  ])('F5: %s is told in the language of the chat', (line, ...sentences) => {
    expect(told(`${REST}${line}`)).toEqual(sentences);
  });
});

const TOP_KEYS =
  'There are: name, repositories, query, goal, script, fixes, engine, flow, base, branch, title, checks, install, pull, approvers, pace, limits, openings, budget, every.';

describe('what a campaign file is refused for', () => {
  it.each([
    ['pace: { canary: .inf }', 'Line 4 of the file: pace.canary is .inf; it must be a number.'],
    ['pace: { canary: -.inf }', 'Line 4 of the file: pace.canary is -.inf; it must be a number.'],
    ['pace: { canary: .nan }', 'Line 4 of the file: pace.canary is .nan; it must be a number.'],
    [
      'pace: { canary: 99999999999999999999 }',
      'Line 4 of the file: pace.canary is 99999999999999999999; it must be 5,000 at most.',
    ],
    [
      'approvers: [12345678901234567890]',
      'Line 4 of the file: approvers #1 is 12345678901234567890; it must be 9,007,199,254,740,991 at most.',
    ],
    ['script: "  "', 'Line 4 of the file: script is "  "; it must not be empty.'],
    ['checks: [npm test, " "]', 'Line 4 of the file: checks #2 is " "; it must not be empty.'],
    ['~: x', `Line 4 of the file: there is no ~. ${TOP_KEYS}`],
    ['null: x', `Line 4 of the file: there is no null. ${TOP_KEYS}`],
    ['"": x', `Line 4 of the file: there is no "". ${TOP_KEYS}`],
    ['1: x', `Line 4 of the file: there is no 1. ${TOP_KEYS}`],
    ['? [a]\n: b', `Line 4 of the file: there is no [a]. ${TOP_KEYS}`],
    [
      'pace:\n  next: merged\n  ~: x',
      'Line 6 of the file: there is no ~ in pace. There are: canary, steps, next, hours, stop.',
    ],
    [
      'limits: { cost: 5 }',
      'Line 4 of the file: there is no cost in limits. There are: perDay, perOwner, open, queued.',
    ],
    ['"titel": x', 'Line 4 of the file: there is no titel. Did you mean title?'],
  ])('F5: %s is named as it stands there', (line, sentence) => {
    expect(told(`${REST}${line}`)[0]).toBe(sentence);
  });

  it('F5: all faults are told at once, each with its place, from the top of the file to its end', () => {
    const file = `name: ""
repositories:
  - acme
  - { repo: acme/api, vars: { n: 3 }, titel: x }
  - { repo: acme/web, after: other }
query: [nowhere]
goal: x
limits: { cost: 5, perDay: 0 }
pace: { next: done, stopp: { failures: 1 } }`;
    expect(told(file)[0]?.split('\n')).toEqual([
      'Line 1 of the file: name is ""; it must not be empty.',
      'Line 3 of the file: repository number 1 is not one that I can read: acme',
      'Line 4 of the file: repositories #2.vars.n is 3; it must be text, in "quotation marks".',
      'Line 4 of the file: there is no titel in repositories #2. Did you mean title?',
      'Line 5 of the file: repository number 3 is not one that I can read: other',
      'Line 8 of the file: limits.perDay is 0; it must be 1 or more.',
      'Line 8 of the file: there is no cost in limits. There are: perDay, perOwner, open, queued.',
      'Line 9 of the file: pace.next is "done"; it must be one of these: approved, ci_green, merged.',
      'Line 9 of the file: there is no stopp in pace. Did you mean stop?',
      'nowhere is not a way to search for repositories; use org:<name>, team:<organisation>/<team>, repos:<search> or code:<search>.',
    ]);
  });

  it('F5: what does not fit together is told at once too, and of very many faults the first ten', () => {
    const file = 'name: A\nrepositories: [acme, acme/web]\nbranch: a..b\nscript: x\nengine: codex';
    expect(told(file)[0]?.split('\n')).toEqual([
      'Line 2 of the file: repository number 1 is not one that I can read: acme',
      'A script needs no engine; leave one of the two out.',
      'a..b is not a branch name that git accepts.',
    ]);
    const many = `name: A\ngoal: x\nrepositories: [${'acme, '.repeat(5_000)}]`;
    expect(told(many)[0]?.split('\n').slice(9)).toEqual([
      'Line 3 of the file: repository number 10 is not one that I can read: acme',
      '4,990 more.',
    ]);
  });

  it.each([
    ['goal: Fix: the wait', "goal: 'Fix: the wait'"],
    ['goal: Fix #12', "goal: 'Fix #12'"],
    ['title: {{name}} is late', "title: '{{name}} is late'"],
    ['goal: @ana asked', "goal: '@ana asked'"],
    ['goal: "Fix" it\'s late', "goal: '\"Fix\" it\'\'s late'"],
  ])('F5: %s is to be put in quotation marks, which YAML then reads', (line, quoted) => {
    const file = (value: string) => `name: A\nrepositories: [acme/api]\n${value}`;
    expect(told(file(line))[0]).toContain(`Line 3 of the file: YAML does not read “`);
    expect(told(file(line))[0]).toContain(`Put it in quotation marks: ${quoted}`);
    expect(told(file(quoted.startsWith('goal') ? quoted : `goal: x\n${quoted}`))).toEqual([]);
  });

  it('F5: every value without quotation marks is told at once, and a remark is none', () => {
    const file = 'name: A: b\nrepositories: [acme/api] #all\ngoal: Fix: it\n';
    expect(told(file)[0]?.match(/^Line \d/gm)).toEqual(['Line 1', 'Line 3']);
    expect(told('name: A # first\nrepositories: [acme/api] #all\ngoal: x\n')).toEqual([]);
  });

  it('F5: a name of blanks is no name', () => {
    expect(told(REST.replace('name: A', 'name: " "'))[0]).toBe(
      'Line 1 of the file: name is " "; it must not be empty.',
    );
  });
});

describe('a file that cannot be read', () => {
  it.each([
    [
      '---\n',
      'Line 4 of the file begins a second document; a file has one campaign. Remove the line ---, or make another file of what follows.',
      '文件从第 4 行起是第二个文档；一个文件只能写一个批次。请删掉 --- 这一行，或把后面的内容另存为一个文件。',
    ],
    [
      'goal: y',
      'Line 4 of the file has a key that was given before; remove one of the two.',
      '文件第 4 行的键前面已经写过；请删掉其中一个。',
    ],
    [
      'title: a: b',
      "Line 4 of the file: YAML does not read “a: b” as one text. Put it in quotation marks: title: 'a: b'",
      "文件第 4 行：YAML 不会把“a: b”读作一段文字。请加引号：title: 'a: b'",
    ],
    [
      'checks: [a\nb: c',
      'Line 5 of the file is not valid YAML: “Flow sequence in block collection must be sufficiently indented and end with a ]”.',
      '文件第 5 行不是有效的 YAML：“Flow sequence in block collection must be sufficiently indented and end with a ]”。',
    ],
    [
      `title: ${'['.repeat(100)}`,
      'Line 4 of the file is nested too deeply; a campaign needs few levels.',
      '文件第 4 行嵌套太深；批次文件只需要几层。',
    ],
  ])('F5: is told in the language of the chat: %j', (line, ...sentences) => {
    expect(told(`${REST}${line}`)).toEqual(sentences);
  });
});

describe('how deep a file may be', () => {
  const script = Array.from({ length: 61 }, (_, i) => `  printf '\\033[31m${i}'\n`).join('');
  it.each([
    ['a script with many colours', `name: A\nrepositories: [acme/a]\nscript: |\n${script}`],
    [
      'a goal with a line far to the right',
      `${REST.replace('goal: x', 'goal: |')}  a\n${' '.repeat(101)}b\n`,
    ],
    ['a goal with empty bullets', `${REST.replace('goal: x', 'goal: |')}${'  - \n'.repeat(22)}`],
    ['brackets in text', `${REST}title: "${'[{'.repeat(60)}"\n# ${'['.repeat(100)}\n`],
    [
      'many short lists',
      `${REST}checks: [${'"a", '.repeat(40)}]\nfixes:\n${'  - { title: a, goal: b }\n'.repeat(5)}`,
    ],
  ])('F5: %s is not nested', (_, file) => {
    expect(told(file)).toEqual([]);
  });

  const stairs = (line: string, n = 500) =>
    Array.from({ length: n }, (_, i) => `${' '.repeat(i)}${line}`).join('');
  it.each([
    ['brackets that are never closed, a line each', '[\n'.repeat(400_000)],
    ['stairs of keys', stairs('a:\n')],
    ['stairs of dashes', stairs('-\n')],
    [
      'keys that grow shorter',
      Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}${'k'.repeat(500 - i)}:\n`).join(''),
    ],
    ['question marks', '? '.repeat(400_000)],
    ['tabs', '-\t'.repeat(400_000)],
  ])('F5: %s are refused at once', (_, text) => {
    expect(readCampaignFile(text)).toMatchObject({ problem: { kind: 'file_deep' } });
    expect(readCampaignFile(REST + text)).toMatchObject({ problem: { kind: 'file_deep' } });
  });

  it('F5: a file with an error for each of its words is refused in a moment', () => {
    expect(readCampaignFile('!!seq '.repeat(60_000))).toMatchObject({
      problem: { kind: 'file_yaml', line: 1 },
    });
  });

  it('O10: of a file in which a thousand keys are unknown the first ten are told, and how many more', () => {
    const keys = Array.from({ length: 1_000 }, (_, i) => `k${i}: 1\n`).join('');
    expect(readCampaignFile(REST + keys)).toMatchObject({ problem: { kind: 'file_faults', more: 990 } });
  });
});
