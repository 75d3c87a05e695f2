/** F5: what a campaign file is refused for, as its author reads it in either language. */
import { describe, expect, it } from 'vitest';
import { en } from '../../bot/language/en/en.ts';
import { zh } from '../../bot/language/zh/zh.ts';
import { say } from '../../bot/text/catalogue.ts';
import { readCampaignFile } from '../../orchestrator/commands/campaign-file.ts';

const REST = 'name: A\nrepositories: [acme/a]\ngoal: x\n';
const told = (file: string): string[] => {
  const read = readCampaignFile(file);
  const problem = 'problem' in read ? read.problem : null;
  return problem ? [en, zh].map(({ problems }) => say(problems, problem)) : [];
};

describe('a value that does not fit', () => {
  it.each([
    [
      'every: x',
      'Line 4 of the file: every is "x"; it must be a day, a time and a time zone, like monday 09:00 Europe/Berlin; also mon-fri, day, or month for its first day.',
      '文件第 4 行：every 现在是 "x"；必须是日子、时间和时区，例如 monday 09:00 Europe/Berlin；也可以用 mon-fri、day（每天）或 month（每月第一天）。',
    ],
    [
      'pace: { hours: never }',
      'Line 4 of the file: pace.hours is "never"; it must be days, hours and a time zone, like mon-fri 09:00-17:00 Europe/Berlin.',
      '文件第 4 行：pace.hours 现在是 "never"；必须是日子、时段和时区，例如 mon-fri 09:00-17:00 Europe/Berlin。',
    ],
  ])('F5: %s is told in the language of the chat', (line, ...sentences) => {
    expect(told(`${REST}${line}`)).toEqual(sentences);
  });
});

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
    ['~: x', 'Line 4 of the file: there is no ~.'],
    ['null: x', 'Line 4 of the file: there is no null.'],
    ['"": x', 'Line 4 of the file: there is no "".'],
    ['1: x', 'Line 4 of the file: there is no 1.'],
    ['? [a]\n: b', 'Line 4 of the file: there is no [a].'],
    ['pace:\n  next: merged\n  ~: x', 'Line 6 of the file: there is no ~.'],
    ['"titel": x', 'Line 4 of the file: there is no titel. Did you mean title?'],
  ])('F5: %s is named as it stands there', (line, sentence) => {
    expect(told(`${REST}${line}`)[0]).toBe(sentence);
  });

  it('F5: a name of blanks is no name', () => {
    expect(told(REST.replace('name: A', 'name: " "'))[0]).toBe(
      'Line 1 of the file: name is " "; it must not be empty.',
    );
  });
});
