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
