/**
 * C4: an order is for the runs of its own clause, spares what it names as spared, keeps nothing for
 * later, and is none where it replies to a message and its object is no run.
 */
import { describe, expect, it } from 'vitest';
import { phrasesFor } from '../../bot/language/languages.ts';
import type { AnsweredMessage, KnownRun } from '../../bot/phrases/find-meant-runs.ts';
import type { PhraseReading } from '../../bot/phrases/read-phrase.ts';
import { understandPhrase } from '../../bot/phrases/understand-phrase.ts';
import { createChatWorld } from '../support/chat-world.ts';

const known = (id: string, repo: string, what: string, stands: KnownRun['stands']): KnownRun => ({
  id,
  repo,
  what,
  stands,
  pull: stands === 'watched' ? `https://github.com/${repo}/pull/42` : null,
});
const RUNS = [
  known('k3f9', 'acme/api', 'Add a retry to the http client', 'decision'),
  known('m7q2', 'acme/web', 'Fix the dark mode toggle', 'failed'),
  known('p1x8', 'beta/docs', 'Translate the guide into German', 'works'),
  known('z5t4', 'acme/cli', 'Speed up start', 'watched'),
  known('a8b1', 'beta/tools', 'Remove the old parser', 'queued'),
];
const NAMES = new Map(RUNS.map(({ id, repo }) => [id, repo.split('/')[1] ?? '']));

const namesOf = (ids: readonly string[]): string => ids.map((id) => NAMES.get(id) ?? id).join(' ');

const sayReading = (reading: PhraseReading): string => {
  switch (reading.kind) {
    case 'command':
      return `${reading.intent} ${namesOf(reading.about.ids) || reading.about.kind}`;
    case 'wish':
      return 'wish';
    case 'setting':
      return reading.line;
    case 'engine':
      return `${reading.engine} ${namesOf(reading.about.ids)}`;
    case 'language':
      return reading.language;
    default:
      return reading.kind;
  }
};

const understand = (text: string, replied: AnsweredMessage | null) =>
  understandPhrase(text, phrasesFor(text, 'en'), { runs: RUNS, replied });
const readingsOf = async (text: string, replied: AnsweredMessage | null = null): Promise<string[]> => {
  const understood = await understand(text, replied);
  return (understood.kind === 'sure' ? [understood.reading] : understood.readings).map(sayReading);
};

const CHANGES = /^(?:retry|resume|pause|cancel|skip|update|done|deny|fix) /;
const CARD: AnsweredMessage = { id: 'k3f9', to: 'card' };

describe('an exception', () => {
  it.each([
    ['cancel everything except api', 'cancel web docs cli tools'],
    ['cancel everything but api', 'cancel web docs cli tools'],
    ['cancel all except for api', 'cancel web docs cli tools'],
    ['cancel the others, keep api', 'cancel web docs cli tools'],
    ['cancel all the others but api', 'cancel web docs cli tools'],
    ['keep api, cancel the rest', 'cancel web docs cli tools'],
    ['pause all but web', 'pause api docs cli tools'],
    ['stop all but docs', 'pause api web cli tools'],
    ['stop everything except docs', 'pause api web cli tools'],
    ['pause everything apart from docs', 'pause api web cli tools'],
    ['除 api 外全部暂停', 'pause web docs cli tools'],
    ['resume all, except web', 'resume api docs cli tools'],
    ['cancel everything except api, web and docs', 'cancel cli tools'],
    ['cancel all the failed ones except web', 'cancel none'],
    ['cancel docs and leave web alone', 'cancel docs'],
    ['除 api、web 外都暂停', 'pause docs cli tools'],
    ['docs 别动，其他取消', 'cancel api web cli tools'],
    ['cancel all but the parcel thing', 'cancel none'],
    ['update all except api from main', 'update none'],
    ['除了 api 其他都取消', 'cancel web docs cli tools'],
    ['只保留 api，其他取消', 'cancel web docs cli tools'],
    ['取消 docs，保留 web', 'cancel docs'],
  ])('C4: is spared: %s', async (text, meant) => {
    const changes = (await readingsOf(text)).filter((one) => CHANGES.test(one));
    expect(changes).toEqual(meant.endsWith('none') ? [] : [meant]);
  });

  it('C4: of all runs that there are leaves none, and not everything', async () => {
    const [api] = RUNS;
    const understood = await understandPhrase('cancel everything except api', phrasesFor('x', 'en'), {
      runs: api ? [api] : [],
      replied: null,
    });
    expect(understood).toMatchObject({ kind: 'sure', reading: { about: { kind: 'named', ids: [] } } });
  });

  it('C4: is what the button does, in one tap', async () => {
    const w = await createChatWorld();
    const kept = await w.readyRun();
    const others = [
      await w.readyRun({ order: { repo: 'acme/web' } }),
      await w.readyRun({ order: { repo: 'acme/docs' } }),
    ];
    await w.says('pause everything except api');
    expect(w.messages.at(-1)?.buttons.flat()[0]?.text).toBe('Pause · 2 runs');
    await w.taps('Pause · 2 runs');
    for (const { id } of others) expect((await w.run(id)).lifecycle.state).toBe('PAUSED');
    expect((await w.run(kept.id)).lifecycle.state).toBe('PUSHED');
    await w.says('/resume all but web');
    await w.taps('Resume');
    expect((await w.run(others[0]?.id ?? '')).lifecycle.state).toBe('PAUSED');
    expect((await w.run(others[1]?.id ?? '')).lifecycle.state).not.toBe('PAUSED');
  });
});

describe('several orders in one message', () => {
  it.each([
    ['cancel web, and retry docs', ['cancel web', 'retry docs']],
    ['retry web, cancel docs', ['retry web', 'cancel docs']],
    ['resume docs and cancel web', ['resume docs', 'cancel web']],
    ['skip web and cancel docs', ['skip web', 'cancel docs']],
    ['把 docs 停一下，web 继续', ['pause docs', 'resume web']],
    ['api 通过，web 拒绝', ['approve api', 'deny web']],
    ['retry web instead of docs', ['retry web']],
  ])('C4: are asked about, each for its own runs: %s', async (text, meant) => {
    const understood = await understand(text, null);
    expect(understood.kind).toBe('unsure');
    expect(await readingsOf(text)).toEqual(meant);
  });

  it.each([
    ['cancel web, docs and tools', 'cancel web docs tools'],
    ['cancel web and cancel docs', 'cancel web docs'],
    ['web failed, and docs too, so retry web', 'retry web'],
  ])('C4: one order of several runs stays one: %s', async (text, meant) => {
    expect(await readingsOf(text)).toEqual([meant]);
  });

  it('C4: are two buttons, and each does its own', async () => {
    const w = await createChatWorld();
    const api = await w.readyRun();
    const web = await w.readyRun({ order: { repo: 'acme/web' } });
    await w.says('pause api, and cancel web');
    await w.taps(`Cancel · web ${web.id}`);
    await w.taps('Cancel for good');
    expect((await w.run(web.id)).lifecycle.state).toBe('FAILED_TERMINAL');
    expect((await w.run(api.id)).lifecycle.state).toBe('PUSHED');
  });
});

describe('another time, or a condition', () => {
  it.each([
    'retry in an hour',
    'retry web in 2 hours',
    'pause docs at 5pm',
    'cancel docs when web fails again',
    'retry web after docs is done',
    'once api is merged, retry web',
    '一小时后再试',
    '下午五点暂停 docs',
    '等 CI 绿了再继续 web',
  ])('C4: is kept by nobody, which is said: %s', async (text) => {
    const understood = await understand(text, null);
    expect(understood).toMatchObject({ kind: 'unsure', later: true });
    expect((await readingsOf(text)).filter((one) => CHANGES.test(one))).toEqual([]);
  });

  it('C4: is answered with what to do', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    expect((await w.says('pause api in 2 hours')).join()).toContain('I do nothing at another time');
    expect((await w.says('两小时后暂停 api')).join()).toContain('到时候请再说一次');
    expect((await w.says('do the api thing')).join()).not.toContain('I do nothing at another time');
  });
});

describe('a reply to a card', () => {
  it.each([
    'lgtm, but rename foo',
    'yes, and add a test',
    'approve, but add a test',
    '可以，但是改个名字',
    '同意，再加个测试',
    'cancel the retry logic',
    'pause the timer in tests',
    'skip the flaky test',
    'merge the two functions',
    '合并这两个函数',
    'log every request',
    'plan for 10k users',
    'help text is outdated',
    'diff looks empty',
    'speak english in the error messages',
    'use Chinese for the labels',
    '用中文写注释',
    '说英文的报错',
    '关掉静音',
    '重试三次',
    'never retry on 4xx',
    'deny access when the token is empty',
    'cancel the request when the user leaves',
    '拒绝空 token',
    '跳过空行',
    'stop the retries',
    'write the comments in english',
  ])('C4: is for the agent where it asks for work: %s', async (text) => {
    expect(await readingsOf(text, CARD)).toEqual(['wish']);
  });

  it.each([
    ['cancel it', 'cancel api'],
    ['stop it please', 'pause api'],
    ['yes please', 'approve api'],
    ['skip this one', 'skip api'],
    ['reject this, too big', 'deny api'],
    ['cancel web', 'cancel web'],
    ['再试一次', 'retry api'],
    ['取消这个任务吧', 'cancel api'],
    ['the whole diff please', 'diff api'],
    ['日志发我看看', 'log api'],
    ['help', 'help api'],
    ['lgtm, open the pr', 'approve api'],
    ['speak english please', 'en'],
  ])('C4: commands where it names a run or nothing: %s', async (text, meant) => {
    expect(await readingsOf(text, CARD)).toEqual([meant]);
  });

  it('C4, P4: a yes with a wish asks for the change, and approves of nothing', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    await w.says('yes, but rename the helper', {
      reply_to_message: { message_id: Number(card?.messageId) },
    });
    expect(await w.taps('Ask for these changes')).toBe('Recorded.');
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      gate: { approval: null },
      agent: { round: { feedback: [{ text: 'yes, but rename the helper' }] } },
    });
  });
});

describe('settings, engines and stops in words', () => {
  it.each([
    ['drop codex for web, take claude', 'claude web'],
    ['晚上十一点以后别吵我', 'quiet 23:00-07:00'],
    ['晚上 11 点以后不要打扰', 'quiet 23:00-07:00'],
    ['夜里一点以后别吵我', 'quiet 01:00-07:00'],
    ["don't ping me after 10:30pm", 'quiet 22:30-07:00'],
    ['下午一点到两点别通知我', 'quiet 13:00-14:00'],
    ['十二点到一点勿扰', 'quiet 12:00-13:00'],
    ['quiet from 11pm to 7', 'quiet 23:00-07:00'],
    ['quiet from 8pm to 10', 'quiet 20:00-22:00'],
    ['一次只跑一个', 'parallel 1'],
    ['全部停止', 'pause all'],
    ['紧急停止', 'pause all'],
    ['立即停止所有', 'pause all'],
    ['把所有的都停了', 'pause all'],
    ['emergency stop', 'pause all'],
    ['马上全部停下来', 'pause all'],
  ])('C4: are read: %s', async (text, meant) => {
    expect(await readingsOf(text)).toEqual([meant]);
  });

  it.each([
    'stop using codex for web',
    'quit using claude in docs',
    '谢谢，不用了',
    '不用了，谢谢',
    '撤销刚才的操作',
    '十一点后别通知我',
    '不要全部停止',
  ])('C4: propose nothing that nobody asked for: %s', async (text) => {
    const readings = await readingsOf(text);
    expect(readings.filter((one) => /^(?:codex|claude|quiet) /.test(one) || CHANGES.test(one))).toEqual([]);
  });

  it('F13: an order may end with how it opens, without naming what', async () => {
    const w = await createChatWorld();
    await w.says('acme/web: make the reviewers page faster, open as draft');
    await w.taps('Start');
    const [run] = await w.ledger.query.runs({ live: true, limit: 2 });
    expect(run?.order).toMatchObject({ goal: 'make the reviewers page faster', pull: { draft: true } });
  });
});
