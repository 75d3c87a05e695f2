/** O2: what a Chinese user of the terminal reads, from the help to settings that cannot be used. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { readConfig } from '../../app/config.ts';
import { LANGUAGE_TEXTS, loadCommandLineSentences } from '#language';
import { readDotEnv } from '../../cli/read-dot-env.ts';
import { createProgram } from '../../cli/main.ts';
import { createHelpTranslator, descriptionsOf, translateHelp } from '../../cli/translate-help.ts';

const CHINESE = /\p{Script=Han}/u;
/** Three English words in a row, names and code left out. */
const isEnglish = (text: string): boolean =>
  /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text.replaceAll(/`[^`]*`|[“"][^”"]*[”"]/g, ''));

const commandsIn = (command: Command, path: string[] = []): { command: Command; path: string[] }[] => [
  { command, path },
  ...command.commands.flatMap((one) => commandsIn(one, [...path, one.name()])),
];
const chinese = createHelpTranslator('zh');
/** A list of names is no sentence. */
const isSentence = (text: string): boolean => /[a-z] [a-z]/i.test(text);

describe('the help of the command line', () => {
  it('O2: has a Chinese sentence for each command, option and argument', async () => {
    const program = await createProgram();
    const told = commandsIn(program).flatMap(({ command, path }) =>
      descriptionsOf(command)
        .filter(({ english }) => english !== '')
        .map(({ part, english }) => ({
          english,
          place: path.join(' ') + part,
          sentence: chinese.sentenceOf(path, part),
        })),
    );
    const missing = told.filter(
      ({ sentence, english }) =>
        sentence === null || (isSentence(english) && !CHINESE.test(chinese.describe(sentence, english))),
    );
    expect(missing).toEqual([]);
    // One that stands at a command above says the same for all below it.
    const meant = Map.groupBy(told, ({ sentence }) => sentence);
    for (const [sentence, all] of meant)
      expect([sentence, [...new Set(all.map(({ english }) => english))]]).toEqual([
        sentence,
        [expect.any(String)],
      ]);
    const unused = loadCommandLineSentences('zh').ids.filter(
      (id) => !/^(?:help|complaint)-/.test(id) && !meant.has(id),
    );
    expect(unused).toEqual([]);
  });

  it('O2: says titles, defaults, choices and complaints in Chinese', async () => {
    const program = await createProgram('demo');
    translateHelp(program, 'zh');
    const demo = program.commands.find((one) => one.name() === 'demo');
    const help = demo?.helpInformation() ?? '';
    expect(help).toMatch(/^用法：/);
    expect(help).toContain('（默认：1）');
    expect(help).toContain('（可选："auto", "bwrap"');
    for (const title of ['Usage:', 'Options:', '(default', '(choices', 'display help'])
      expect(help).not.toContain(title);
    const told = [
      "error: unknown option '--hlp'\n(Did you mean --help?)",
      "error: unknown command 'nosuch'",
      "error: missing required argument 'file'",
      "error: option '--data <dir>' argument missing",
      "error: required option '--from <where>' not specified",
      'error: too many arguments. Expected 0 arguments but got 1.',
      "error: option '--engine <engine>' argument 'x' is invalid. Allowed choices are script, codex.",
    ].map(chinese.complaint);
    expect(told.filter((text) => !text.startsWith('错误：') || isEnglish(text))).toEqual([]);
  });
});

const BASE = { TELEGRAM_BOT_TOKEN: '1:token', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'g' };
const problemOf = (read: () => unknown): ConfigError => {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('settings that cannot be used', () => {
  it.each<Record<string, string>>([
    { GITHUB_API_URL: 'http://ghe.example' },
    { GITHUB_API_URL: 'https://github.com' },
    { GITHUB_URL: 'http://ghe.example' },
    { GITHUB_URL: 'https://me:x@ghe.example' },
    { TELEGRAM_API_ROOT: 'http://bots.example' },
    { GITHUB_APP_ID: '1' },
    { GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: 'no key' },
    { GITHUB_WEBHOOK_SECRET_PREVIOUS: 's'.repeat(64) },
    { AGENTPR_PUBLIC_URL: 'https://me.example' },
    { AGENTPR_BUCKET_URL: 'https://s3.example/b' },
    { AGENTPR_BUCKET_URL: 'http://s3.example/b', AGENTPR_BUCKET_KEY_ID: 'k', AGENTPR_BUCKET_SECRET: 's' },
    { AGENTPR_BUCKET_URL: 'https://s3.example', AGENTPR_BUCKET_KEY_ID: 'k', AGENTPR_BUCKET_SECRET: 's' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' },
    { DATABASE_URL: 'postgres://u:p@h/d?schema=x' },
    { AGENTPR_DATA_DIR: '$HOME/data' },
    { AGENTPR_DATA_DIR: '"/data"' },
    { AGENTPR_DATA_DIR: '~ana/data' },
    { TELEGRAM_BOT_TOKEN: '', TELEGRAM_ADMIN_IDS: 'ana', GITHUB_TOKEN: '' },
  ])('O2: %j is told in Chinese', (settings) => {
    const { inWords } = problemOf(() => readConfig({ ...BASE, ...settings }, null, '/'));
    const says = inWords(LANGUAGE_TEXTS.zh);
    expect(says).toMatch(CHINESE);
    expect(says.split('\n').filter(isEnglish)).toEqual([]);
  });

  it.each(['A', 'A=“b”', 'A=b#c', 'A="b', 'A="b" c'])('O2: a line %j of .env is told in Chinese', (line) => {
    const { inWords } = problemOf(() => readDotEnv(Buffer.from(`\n${line}\n`), '.env'));
    expect(inWords(LANGUAGE_TEXTS.zh)).toMatch(/^\.env 第 2 行：.*\p{Script=Han}/u);
    expect(isEnglish(inWords(LANGUAGE_TEXTS.zh))).toBe(false);
  });

  it('O3: all that is missing is told at once, in the order in which it is asked for', () => {
    const { message } = problemOf(() => readConfig({}, null, '/'));
    const names = ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_ADMIN_IDS', 'GITHUB_TOKEN'];
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual(names);
    const worker = problemOf(() => readConfig({ GITHUB_APP_ID: '1' }, null, '/'));
    expect(worker.message).not.toContain('GITHUB_TOKEN');
  });
});
