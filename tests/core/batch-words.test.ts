/** F5: what people write after /batch: names, searches and where the goal begins. */
import { describe, expect, it } from 'vitest';
import { readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { readList } from '../../orchestrator/orders/repository-list.ts';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { isWrongArgument } from '#model/chat';

const read = (text: string): unknown => {
  const got = readCampaignOrder(text);
  if (isWrongArgument(got)) return got.problem;
  const { named, queries, order } = got.value;
  return [...named.map(({ repo }) => repo), ...queries.map((one) => `${one.by}:${one.text}`), order.goal];
};

describe('a search with a quotation mark', () => {
  it.each([
    'code:"filename:app.txt org:acme Use Node 24',
    'code:“filename:app.txt org:acme Use Node 24',
    "code:'filename:app.txt org:acme Use Node 24",
    'code:"filename:app.txt org:acme Use "Node" 24',
    'code:filename:"app txt" Use Node 24',
    'acme/api code:"filename:app.txt',
    'acme/api\n- code:"filename:app.txt org:acme\nUse Node 24',
    'Use Node 24\ncode:"filename:app.txt org:acme',
  ])('F5: is refused when the mark is never closed: %s', (text) => {
    expect(read(text)).toMatchObject({ kind: 'query_quote' });
  });

  it('F5: is refused in a list and in a campaign file as well', () => {
    const text = 'code:"filename:app.txt org:acme';
    expect(readList(`acme/api\n${text}`)).toEqual({ problem: { kind: 'query_quote', text } });
    const file = `name: A\ngoal: x\nquery: '${text}'`;
    expect(readCampaignFile(file)).toEqual({ problem: { kind: 'query_quote', text } });
  });

  it.each([
    ['code:"a b", Say "yes" 5" wide', ['code:a b', 'Say "yes" 5" wide']],
    ["code:'5\" disk' Fix it", ['code:5" disk', 'Fix it']],
    ["repos:it's Fix it", ["repos:it's", 'Fix it']],
    ['acme/a Say code:"x in the text', ['acme/a', 'Say code:"x in the text']],
  ])('F5: is taken when it is closed: %s', (text, all) => {
    expect(read(text)).toEqual(all);
  });
});

describe('the goal behind the names', () => {
  it.each([
    ['acme/api 1. do this first\n2. then that', ['acme/api', '1. do this first\n2. then that']],
    ['acme/api\n1. acme/web\n2. fix it', ['acme/api', 'acme/web', '2. fix it']],
    ['acme/api - fix it', ['acme/api', '- fix it']],
    ['- acme/api 2) acme/web * [ ] fix it', ['acme/api', 'acme/web', '* [ ] fix it']],
    ['[ ] acme/api\n- do this\n- then that', ['acme/api', '- do this\n- then that']],
    ['acme/api , acme/web; Fix it', ['acme/api', 'acme/web', 'Fix it']],
    ['acme/api -', { kind: 'no_goal' }],
  ])('F5: stays as it was written: %j', (text, all) => {
    expect(read(text)).toEqual(all);
  });
});

describe('signs between the names', () => {
  it.each([
    ['acme/api, acme/web: Fix it', ['acme/api', 'acme/web', 'Fix it']],
    ['acme/api,acme/web;acme/cli Fix it', ['acme/api', 'acme/web', 'acme/cli', 'Fix it']],
    ['acme/api:\nFix it', ['acme/api', 'Fix it']],
    ['org:acme: Fix it', ['org:acme', 'Fix it']],
    ['ghes.acme.com:8443/acme/api Fix it', ['acme/api', 'Fix it']],
    ['repos:language:go,rust Fix it', ['repos:language:go,rust', 'Fix it']],
  ])('F5: are no part of them: %j', (text, all) => {
    expect(read(text)).toEqual(all);
  });

  it.each([
    ['acme/api，acme/web 修复', ['acme/api', 'acme/web', '修复']],
    [
      'acme/api、acme/web；acme/cli\n修复：链接，一、二',
      ['acme/api', 'acme/web', 'acme/cli', '修复：链接，一、二'],
    ],
    ['acme/api、acme/web：修复', ['acme/api', 'acme/web', '修复']],
    ['org：acme，team：acme/web 修复', ['org:acme', 'team:acme/web', '修复']],
    [
      'code：“filename:.nvmrc org:acme”，acme/api，修复',
      ['acme/api', 'code:filename:.nvmrc org:acme', '修复'],
    ],
    [
      '修复\norg：acme、acme/api\nrepos：topic:cli，team:acme/web',
      ['acme/api', 'org:acme', 'repos:topic:cli', 'team:acme/web', '修复'],
    ],
    ['code：“filename:.nvmrc org:acme 修复', { kind: 'query_quote' }],
  ])('F5: may be Chinese: %j', (text, all) => {
    if (Array.isArray(all)) expect(read(text)).toEqual(all);
    else expect(read(text)).toMatchObject(all);
  });

  it('F5: may be Chinese in a list as well', () => {
    expect(readList('acme/a，acme/b、\n- acme/c；org：acme')).toMatchObject({
      named: [{ repo: 'acme/a' }, { repo: 'acme/b' }, { repo: 'acme/c' }],
      queries: [{ by: 'org', text: 'acme' }],
    });
  });
});

describe('signs that nobody sees', () => {
  const SIGNS = [
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202c',
    '\u202e',
    '\u2066',
    '\u2068',
    '\u2069',
    '\ufeff',
  ];

  it.each(SIGNS.map((sign) => [sign.charCodeAt(0).toString(16), sign]))(
    'F5: U+%s is no part of a name',
    (_, sign) => {
      const name = `${sign}acme/a${sign}`;
      expect(read(`${name} Fix it`)).toEqual(['acme/a', 'Fix it']);
      expect(readList(`${name}\n`)).toMatchObject({ named: [{ repo: 'acme/a' }] });
      expect(readList(`repo,team\n${name},x`)).toMatchObject({ named: [{ repo: 'acme/a' }] });
      const quoted = JSON.stringify(` ${name} `);
      const file = `name: A\ngoal: x\nquery: ["org:acme${sign}"]\nrepositories: [${quoted}, {repo: ${quoted}}]`;
      expect(readCampaignFile(file)).toMatchObject({
        value: { named: [{ repo: 'acme/a' }, { repo: 'acme/a' }], queries: [{ by: 'org', text: 'acme' }] },
      });
    },
  );
});
