/**
 * C4: free text means what whoever wrote it meant, changes nothing without a tap, and is never
 * taken for more.
 */
import { describe, expect, it } from 'vitest';
import { statSync } from 'node:fs';
import weights from '../../bot/phrases/weights.json' with { type: 'json' };
import { phrasesFor } from '../../bot/language/languages.ts';
import { findGoalAlone } from '../../bot/phrases/order-phrases.ts';
import { readPhrase } from '../../bot/phrases/read-phrase.ts';
import { understandPhrase } from '../../bot/phrases/understand-phrase.ts';
import { casesOf, reachOf, RUNS, scoreOf } from '../phrases/measure.ts';
import { trainingDigest } from '../phrases/train.ts';
import { ANA, BO, VIC, createChatWorld } from '../support/chat-world.ts';

describe('what was written', () => {
  it('C4: at least 95 % of the sentences that were there before the grammar are read as they were meant', () => {
    const { right, of, wrong, proposed } = scoreOf(casesOf('frozen'));
    expect(of).toBe(250);
    expect(right / of, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(proposed).toEqual([]);
  });

  it('C4: at least 85 % of what people type on phones, which nobody has improved the grammar on, is', () => {
    const { right, of, wrong } = scoreOf(casesOf('typed'));
    expect(of).toBe(100);
    expect(right / of, wrong.join('\n')).toBeGreaterThanOrEqual(0.85);
  });

  it('C4: at least 85 % of sentences that nobody looked at are, and few propose what was not asked for', () => {
    const { right, of, proposed } = scoreOf(casesOf('unseen'));
    expect(right / of).toBeGreaterThanOrEqual(0.85);
    expect(proposed.length / of).toBeLessThanOrEqual(0.04);
  });

  it('C4: of those that it was improved on, at least 90 % are', () => {
    const { right, of, wrong } = scoreOf(casesOf('learned'));
    expect(right / of, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
  });
});

describe('what was written, by the grammar and the classifier together', () => {
  it('C4: at least 92 % of what nobody looked at reaches what was meant, and no refusal is offered a change', async () => {
    const sets = [casesOf('unheard'), casesOf('unseen'), casesOf('typed')];
    expect(sets[0]?.length).toBeGreaterThanOrEqual(300);
    for (const lang of ['en', 'zh'] as const) {
      const { of, reached, atOnce, offered } = await reachOf(sets.flat().filter((one) => one.lang === lang));
      expect(offered).toEqual([]);
      expect(reached / of, lang).toBeGreaterThanOrEqual(lang === 'en' ? 0.92 : 0.9);
      expect(atOnce / of, lang).toBeGreaterThanOrEqual(0.8);
    }
    const all = await reachOf(sets.flat());
    expect(all.reached / all.of).toBeGreaterThanOrEqual(0.92);
  });

  it('C4: so does what was written afterwards, and never trained on', async () => {
    const { of, reached, offered, missed } = await reachOf(casesOf('strangers'));
    expect(of).toBe(60);
    expect(offered).toEqual([]);
    expect(reached / of, missed.join('\n')).toBeGreaterThanOrEqual(0.92);
  });

  it('C4: so are slips of a keyboard and of an input method, and none is taken for something else', async () => {
    for (const lang of ['en', 'zh'] as const) {
      const cases = casesOf('latest').filter((one) => one.lang === lang);
      const { of, reached, offered, missed } = await reachOf(cases);
      expect(of).toBe(50);
      expect(offered).toEqual([]);
      expect(reached / of, missed.join('\n')).toBeGreaterThanOrEqual(0.96);
    }
  });

  it('C4: what was written later by somebody in a hurry is reached as well, and no refusal is offered', async () => {
    for (const lang of ['en', 'zh'] as const) {
      const { of, reached, offered, missed } = await reachOf(
        casesOf('later').filter((one) => one.lang === lang),
      );
      expect(of).toBe(90);
      expect(offered).toEqual([]);
      expect(reached / of, missed.join('\n')).toBeGreaterThanOrEqual(0.94);
    }
  });

  it('C4: settings, other engines and polite orders in words reach what was meant, and no doubt is offered one', async () => {
    for (const [set, count] of [
      ['newcomers', 163],
      ['arrivals', 42],
      ['visitors', 80],
      ['passers', 60],
      ['wayfarers', 60],
      ['callers', 40],
      ['guests', 40],
      ['pilgrims', 80],
    ] as const) {
      const { of, reached, offered, missed } = await reachOf(casesOf(set));
      expect(of).toBe(count);
      expect(offered).toEqual([]);
      expect(reached / of, missed.join('\n')).toBeGreaterThanOrEqual(0.92);
    }
  });

  it.each([
    ['pause everything until tomorrow', 'pause'],
    ['都暂停到明天', 'pause'],
    ['start working again', 'resume'],
    ['what have you learned', 'insights'],
    ['有什么建议吗', 'insights'],
  ])('C4: “%s” means or offers %s', async (said, intent) => {
    const scene = { runs: RUNS, replied: null };
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
    const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
    expect(readings).toContainEqual(expect.objectContaining({ kind: 'command', intent }));
  });

  it.each(['no more messages at night please', 'no pings while I sleep', '半夜别发消息给我'])(
    'C4: a night whose hours nobody names is proposed with the usual ones: %s',
    async (said) => {
      const scene = { runs: RUNS, replied: null };
      const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
      expect(understood).toMatchObject({ reading: { kind: 'setting', line: 'quiet 22:00-07:00' } });
    },
  );

  it.each([
    'cancel k3x9ab tomorrow',
    'leave it until tomorrow, then cancel it',
    'pause d1f7gs until tomorrow or cancel it',
    '暂停到明天，要是还不行就取消',
    'should there be no messages at night?',
    '晚上要不要别发消息',
  ])('C4: neither another time nor a question offers a change: %s', async (said) => {
    const scene = { runs: RUNS, replied: null };
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
    const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
    expect(readings.filter(({ kind }) => kind === 'setting')).toEqual([]);
    expect(readings.flatMap((one) => (one.kind === 'command' ? one.intent : []))).not.toContain('cancel');
  });

  it.each([
    ['acme/api needs a retry in the http client', 'retry in the http client'],
    ['acme/docs 的安装说明补一下 Windows', '安装说明补一下 windows'],
  ])('C4: an order may name its object before its verb: %s', async (said, goal) => {
    const scene = { runs: RUNS, replied: null };
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
    const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
    const orders = readings.flatMap((one) => (one.kind === 'new' ? one.goal.toLowerCase() : []));
    expect(orders.join()).toContain(goal);
  });

  it.each([
    'acme/api needs me',
    'acme/web 修好了吗',
    'acme/api needs a rebase',
    'acme/web 的改动写好了吗',
    'acme/web 的任务删掉',
  ])('C4: what is said of a run of that repository is no order: %s', async (said) => {
    const scene = { runs: RUNS, replied: null };
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
    expect(understood).not.toMatchObject({ kind: 'sure', reading: { kind: 'new' } });
  });

  it.each([
    ['acme/api: change the default provider from openai to claude', 'acme/api'],
    ['Always use claude in acme/lib', 'acme/lib'],
    ['In acme/api: use the claude SDK instead of openai', 'acme/api'],
    ['acme/lib: allow 3 runs a day per user', 'acme/lib'],
    ['in acme/api: let 3 jobs run in parallel', 'acme/api'],
    ['let acme/lib run 3 jobs at once', null],
    ['Fix acme/lib so no messages are lost between 2 and 3 am', 'acme/lib'],
    ['acme/lib：以后用claude生成摘要', 'acme/lib'],
    ['给acme/lib加上免打扰功能，22点到7点', 'acme/lib'],
    ['acme/lib 里每天最多跑3个任务', null],
  ])('C4: what names a repository is no setting of all: %s', async (said, repo) => {
    const scene = { runs: RUNS, replied: null };
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), scene);
    const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
    expect(readings.filter(({ kind }) => kind === 'setting')).toEqual([]);
    if (repo !== null) expect(readings).toContainEqual(expect.objectContaining({ kind: 'new', repo }));
  });

  it.each(['turn on quiet hours from 22 to 7 Europe/Berlin', '晚上22点到7点免打扰 Asia/Shanghai'])(
    'C4: a time zone is no repository: %s',
    async (said) => {
      const understood = await understandPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: null });
      expect(understood).toMatchObject({ reading: { kind: 'setting', line: 'quiet 22:00-07:00' } });
    },
  );

  it.each(['in acme/web, use claude instead of codex', 'acme/web: 换成 claude 重做'])(
    'C4: an engine and no work is for the run of the repository: %s',
    async (said) => {
      const understood = await understandPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: null });
      expect(understood).toMatchObject({
        reading: { kind: 'engine', engine: 'claude', about: { ids: ['m7p2qd'] } },
      });
    },
  );

  it.each([
    ...['skip the tests', 'skip the linter please', 'skip ci', 'please skip lunch', '跳过ci', '跳过午饭'],
    ...['all done, thanks', 'all done here', 'we are all done', 'job done', 'good, done', '完成了'],
    ...['cancel the timer', 'cancel all my meetings', 'drop lunch', '取消订单', '取消全部会议'],
  ])('C4: what names no run and something else ends none: %s', async (said) => {
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: null });
    const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
    const intents = readings.flatMap((one) => (one.kind === 'command' ? one.intent : []));
    for (const ending of ['skip', 'cancel', 'done']) expect(intents).not.toContain(ending);
  });

  it.each([
    ['skip this one', 'skip'],
    ['skip them all', 'skip'],
    ['cancel each of them', 'cancel'],
    ['cancel everything now', 'cancel'],
    ['全部取消', 'cancel'],
    ['mark all as done', 'done'],
    ['全部标记为完成', 'done'],
  ])('C4: a run need not be named to be ended: %s', async (said, intent) => {
    const understood = await understandPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: null });
    expect(understood).toMatchObject({ kind: 'sure', reading: { kind: 'command', intent } });
  });

  it.each(['remove the docs run', 'delete the docs run', 'delete the acme/docs run', '删除 docs 任务'])(
    'C4: a verb alone is no goal of an order: %s',
    async (said) => {
      const understood = await understandPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: null });
      const readings = understood.kind === 'sure' ? [understood.reading] : understood.readings;
      expect(readings.filter(({ kind }) => kind === 'new')).toEqual([]);
    },
  );

  const repliedTo = (said: string, to: 'card' | 'call') =>
    readPhrase(said, phrasesFor(said, 'en'), { runs: RUNS, replied: { id: 'k3x9ab', to } });

  it.each([
    ...['no problem', 'no objection', 'no changes needed', 'it is fine as it is', "nah it's fine", 'not bad'],
    ...["nah, it's fine", 'no worries, thanks', '没意见', '不用改', '差不多', '好的，没意见', '还行吧'],
  ])('C4: who finds nothing to change is shown the card, and tries nothing again: %s', (said) => {
    expect(repliedTo(said, 'card')).toMatchObject({ kind: 'command', intent: 'approve' });
    expect(repliedTo(said, 'call')).toEqual({ kind: 'nothing' });
  });

  it.each([
    ["it's fine, but rename the helper", 'wish'],
    ['没问题，不过改个名字', 'wish'],
    ['not good', 'command'],
    ['不用', 'command'],
  ])('C4: contentment with a wish, or a no, is none: %s', (said, kind) => {
    const read = repliedTo(said, 'card');
    expect(read.kind).toBe(kind);
    expect(read).not.toMatchObject({ intent: 'approve' });
  });

  it.each(['no', 'no thanks', 'nope', 'never mind', '不用', '别', '算了'])(
    'C4: a no to a run that failed is no advice for another try: %s',
    (said) => {
      expect(repliedTo(said, 'call')).toEqual({ kind: 'nothing' });
    },
  );

  it.each(['give up', 'give up on it', '放弃吧'])('C4: whoever gives a run up ends it: %s', (said) => {
    expect(repliedTo(said, 'call')).toMatchObject({ kind: 'command', intent: 'cancel' });
  });

  it('C4: a refusal is one however far its object stands from its verb', () => {
    for (const said of [
      '别把 d1f7gs 取消掉',
      '先别急着把 h9c4uv 那个合并了',
      '不要让页脚那个任务再重跑',
      '别给 k3x9ab 批准',
    ])
      expect(readPhrase(said, phrasesFor(said, 'zh'), { runs: RUNS, replied: null }).kind, said).toBe(
        'nothing',
      );
  });

  it('C4: a pair of characters inside a sentence is no slip, and a refusal with one stays a refusal', () => {
    const { repairSlips } = phrasesFor('暂停', 'zh');
    expect(repairSlips('暂听 k3x9ab')).toBe('暂停 k3x9ab');
    for (const said of ['其中只有一个', '把超时取小一点', '双重式样不要动', '会付款的客户继续看'])
      expect(repairSlips(said)).toBe(said);
    expect(repairSlips('不要取削 d1f7gs')).toBe('不要取消 d1f7gs');
  });

  it('C4: what the grammar was improved on is understood no worse than by it alone', async () => {
    const { of, reached, missed } = await reachOf([...casesOf('frozen'), ...casesOf('learned')]);
    expect(reached / of, missed.join('\n')).toBeGreaterThanOrEqual(0.97);
  });

  it('C4: the weights are small, and those of these phrases', () => {
    expect(statSync(new URL('../../bot/phrases/weights.json', import.meta.url)).size).toBeLessThan(300_000);
    expect(weights.trainedOn, 'run npm run phrases').toBe(trainingDigest());
  });
});

const last = (w: Awaited<ReturnType<typeof createChatWorld>>) => {
  const message = w.messages.at(-1);
  // A button that was tapped is gone from its message; an old phone still shows it.
  const tokens = message?.buttons.map(([one]) => one?.token ?? '') ?? [];
  const button = (i: number) => ({
    chat: message?.chat ?? '',
    messageId: message?.messageId ?? '',
    data: tokens[i] ?? '',
  });
  return { message, button, texts: message?.buttons.flat().map(({ text }) => text) };
};

describe('an order in words whose repository nobody knows', () => {
  const START = 'Start a run with these words';

  it.each([
    ['hey could you add a test for the parser in widget', 'add a test for the parser in widget'],
    ['麻烦给解析器加一个测试', null],
  ])('C4, C1: is offered, and asks for its repository: %s', async (said, goal) => {
    const w = await createChatWorld();
    w.speaks(ANA, 'en');
    await w.says(said);
    const offered =
      w.messages
        .at(-1)
        ?.buttons.flat()
        .map(({ text }) => text) ?? [];
    expect(offered[0]).toMatch(/^(?:Start a run with these words|按这些话新建任务)/);
    await w.taps(offered[0] ?? '');
    expect(w.messages.at(-1)?.text).toMatch(/Which repository|哪个仓库/);
    if (goal === null) return;
    await w.says('acme/widget');
    const runs = await w.ledger.query.runs({ live: true, limit: 9 });
    expect(runs.map(({ order }) => [order.repo, order.goal])).toEqual([['acme/widget', goal]]);
  });

  it('L9: is not looked for in a long text', () => {
    const long = `add ${' '.repeat(100_000)}x a test for the parser`;
    const before = process.cpuUsage();
    expect(findGoalAlone(long, phrasesFor(long, 'en'), { replied: null })).toBeNull();
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(150);
  });

  it('C4, G3: is not offered to whoever may start nothing, nor for a question or a refusal', async () => {
    const w = await createChatWorld();
    for (const [said, by] of [
      ['could you add a test for the parser', VIC],
      ['did you add a test for the parser?', ANA],
      ['do not add a test for the parser', ANA],
    ] as const) {
      await w.says(said, { by });
      expect(
        w.messages
          .at(-1)
          ?.buttons.flat()
          .map(({ text }) => text) ?? [],
      ).not.toContain(START);
    }
  });
});

describe('a repository that is named whole', () => {
  const run = {
    id: 't93kbb',
    repo: 'acme/widget',
    what: 'Say in the README what one try does.',
    stands: 'decision',
    pull: null,
  } as const;
  const meantBy = async (text: string): Promise<string> =>
    JSON.stringify(await understandPhrase(text, phrasesFor(text, 'en'), { runs: [run], replied: null }));

  it.each([
    'In acme/parser, could the README say what one try does?',
    'acme/parser：在 README 里说明一次尝试做什么',
    'retry acme/parser',
    'show me the readme run of acme/parser',
  ])('C4: means no run of another repository: %s', async (text) => {
    expect(await meantBy(text)).not.toContain(run.id);
  });

  it.each([
    ['can you make acme/parser say in its README what one try does', 'say in its README what one try does'],
    ['add a test to acme/parser for negative numbers', 'for negative numbers'],
    ['please add a test to widget for negative numbers', 'for negative numbers'],
  ])('C4: stands in the middle of an order of which nothing is lost: %s', async (text, told) => {
    const meant = await meantBy(text);
    expect(meant).toContain('"kind":"new"');
    expect(meant).toContain(told);
    expect(meant).toMatch(/"goal":"(?:make|add a test)/);
  });
});

describe('what becomes of it', () => {
  it.each([
    ['quiet hours from 11pm to 5 at night', '23:00-05:00'],
    ['quiet hours from 10 at night to 6 in the morning', '22:00-06:00'],
    ['晚上11点到夜里两点免打扰', '23:00-02:00'],
  ])('C4: the small hours of a night belong to the morning: %s', async (text, hours) => {
    const w = await createChatWorld();
    await w.says('/settings quiet 20:00-06:00 Europe/Berlin');
    await w.says(text);
    expect(w.messages.at(-1)?.text).toContain(`/settings quiet ${hours} Europe/Berlin`);
  });

  it('C4: a setting in words is shown as it would be typed, and set by a tap alone', async () => {
    const w = await createChatWorld();
    await w.says('/settings quiet 20:00-06:00 Europe/Berlin');
    await w.says('turn on quiet hours from 22 to 7');
    expect(w.messages.at(-1)?.text).toContain('/settings quiet 22:00-07:00 Europe/Berlin');
    expect(last(w).texts).toEqual(['Change this setting']);
    expect(await w.ledger.query.setting('quiet:7')).toBe('20:00-06:00 Europe/Berlin');
    await w.update({
      callback_query: {
        id: 'one',
        from: { id: 7, is_bot: false, first_name: 'Ana' },
        data: last(w).button(0).data,
        message: { message_id: Number(last(w).message?.messageId), chat: { id: 7, type: 'private' } },
      },
    });
    expect(await w.ledger.query.setting('quiet:7')).toBe('22:00-07:00 Europe/Berlin');
  });

  it('C4: another engine is the same order anew, by a tap, and the run stays as it is', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`use claude instead of codex for ${run.id}`);
    expect(w.messages.map(({ text }) => text).join('\n')).toContain('With claude');
    expect(w.messages.map(({ text }) => text).join('\n')).toContain('A run keeps its engine');
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toHaveLength(1);
    await w.taps('Start');
    const orders = (await w.ledger.query.runs({ live: true, limit: 9 })).map(({ order }) => order);
    expect(orders.map(({ engine }) => engine).sort()).toContain('claude');
    expect(new Set(orders.map(({ goal }) => goal)).size).toBe(1);
    expect((await w.run(run.id)).order.engine).toBe(run.order.engine);
  });

  it('C4: what can still start today is said in numbers, and hold on stops all by one tap', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    expect((await w.says('how many can still run today')).join()).toMatch(
      /^4\d of 50 runs can still start|^50 of 50/,
    );
    await w.says('hold on');
    expect(last(w).texts?.join()).toContain('Pause');
    expect((await w.says('今天还能跑几个')).join()).toMatch(/50/);
  });

  it('C4: an order for a repository with a run may be for the run or a new one, and keeps its words', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.says('In acme/widget: the first delay must be the base');
    await w.taps('Start');
    await w.says('In acme/api: the first delay must be the base');
    expect(last(w).texts).toHaveLength(3);
    await w.taps('A new run');
    const orders = (await w.ledger.query.runs({ live: true, limit: 9 })).map(({ order }) => order);
    expect(
      orders
        .filter(({ goal }) => goal.endsWith('first delay must be the base'))
        .map(({ repo }) => repo)
        .sort(),
    ).toEqual(['acme/api', 'acme/widget']);
  });

  it('C4: what only shows something is shown at once, in either language', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect((await w.says('how are things going?')).join()).toContain('acme/api');
    expect((await w.says('有什么等我处理？')).join()).toContain(run.id);
    await w.says('show me the diff of the api one');
    expect(w.documents.at(-1)?.name).toContain(run.id);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C4: what changes something is a button, which gives the command once', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says('pause the api run');
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
    const { button, texts, message } = last(w);
    expect(texts).toEqual(['Pause', 'Show the run']);
    expect(await w.taps('', { ...button(0), by: VIC })).toContain('Only operators');
    expect(await w.taps('', button(0))).toBe('Recorded.');
    expect((await w.run(run.id)).lifecycle.state).toBe('PAUSED');
    expect(message?.text).toMatch(/^✓ Pause/);
    const {
      lifecycle: { version },
    } = await w.run(run.id);
    expect(await w.taps('', button(0))).toContain('moved on');
    expect((await w.run(run.id)).lifecycle.version).toBe(version);
  });

  it('C4: "everything" is one tap for all runs that take it', async () => {
    const w = await createChatWorld();
    const runs = [await w.readyRun(), await w.readyRun({ order: { repo: 'acme/web' } })];
    await w.says('pause everything please');
    const { button, texts } = last(w);
    expect(texts).toEqual(['Pause · 2 runs']);
    expect(await w.taps('', button(0))).toBe('Recorded.');
    for (const { id } of runs) expect((await w.run(id)).lifecycle.state).toBe('PAUSED');
  });

  it('C4: a tap for several runs counts those that took it, and tells of the others', async () => {
    const w = await createChatWorld();
    const runs = [];
    for (const repo of ['acme/api', 'acme/web', 'acme/app']) runs.push(await w.readyRun({ order: { repo } }));
    await w.says('pause everything please');
    const { button } = last(w);
    const [gone] = runs;
    await w.offer(gone?.id ?? '', { type: 'command.cancel', by: { id: '1', name: 'Ana' }, reason: '' });
    expect(await w.taps('', button(0))).toBe('Recorded in 2 runs, not in 1. See below.');
    const said = w.messages.map(({ text }) => text).join('\n');
    expect(said).toContain('✓ Pause · 2 runs');
    expect(said).toMatch(/One run did not take it:\nacme\/api \(.+\): The run has moved on/);
    for (const { id } of runs.slice(1)) expect((await w.run(id)).lifecycle.state).toBe('PAUSED');
  });

  it('C4: where several runs may be meant, each is a choice', async () => {
    const w = await createChatWorld();
    const first = await w.readyRun();
    const second = await w.readyRun({ order: { repo: 'acme/web' } });
    await w.says('cancel it');
    const { button, texts } = last(w);
    expect(texts).toHaveLength(2);
    const at = texts?.findIndex((text) => text.includes(second.id)) ?? -1;
    expect(await w.taps('', button(at))).toBe('Recorded.');
    expect((await w.run(second.id)).lifecycle.state).toBe('FAILED_TERMINAL');
    expect((await w.run(first.id)).lifecycle.state).toBe('PUSHED');
  });

  it('C4, C6: a run is named by its place in the fleet', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.readyRun({ order: { repo: 'acme/web' } });
    const [fleet = ''] = await w.says('/status');
    const second = /^2 ⚠ acme\/\w+ · (\w+)/m.exec(fleet)?.[1] ?? '';
    await w.says('cancel number 2');
    expect(last(w).message?.text).toContain(second);
    expect(last(w).texts).toEqual(['Cancel for good', 'Show the run']);
  });

  it('C4: the same words in another language mean the same, whatever the chat speaks', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.says('/settings language zh');
    await w.says('pause the api run');
    expect(last(w).texts).toEqual(['暂停', '查看任务']);
  });

  it('C4, G4: nobody approves in words: they are led to the card; and nobody merges at all', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const [shown] = await w.says('lgtm 👍', { reply_to_message: { message_id: Number(card?.messageId) } });
    expect(shown).toMatch(/^Open this/);
    expect((await w.run(run.id)).gate.approval?.signatures).toEqual([]);
    expect((await w.says('merge it when green')).join()).toContain('I never do it');
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C4, P4: a wish about a card goes to the agent at once with one tap', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    await w.says('please also add a test for the timeout', {
      reply_to_message: { message_id: Number(card?.messageId) },
    });
    expect(await w.taps('Ask for these changes')).toBe('Recorded.');
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      gate: { approval: null },
      agent: {
        round: { kind: 'rejection_fix', feedback: [{ text: 'please also add a test for the timeout' }] },
      },
    });
  });

  it('C4, S4: an order in words starts one run, however often its button is tapped', async () => {
    const w = await createChatWorld();
    await w.says('in acme/tools: fix the broken link in the README');
    expect(await w.ledger.query.runs({ live: true, limit: 5 })).toEqual([]);
    const { button, texts } = last(w);
    expect(texts).toEqual(['Start']);
    expect(await w.taps('', { ...button(0), by: VIC })).toContain('Only operators');
    expect(await w.taps('', button(0))).toBe('Recorded.');
    expect(await w.taps('', button(0))).toContain('recorded before');
    const runs = await w.ledger.query.runs({ live: true, limit: 5 });
    expect(runs.map(({ order }) => [order.repo, order.goal])).toEqual([
      ['acme/tools', 'fix the broken link in the README'],
    ]);
  });

  it('C4: somebody who may not give it is not offered the button', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    expect(await w.says('cancel the api run', { by: VIC })).toEqual([
      'Only operators may do that; ask an admin.',
    ]);
  });

  it('C4: a no, a question whether, a condition and what others said propose nothing', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    for (const text of [
      "don't cancel the api run",
      'should I cancel the api run?',
      'if CI fails, cancel the api run',
      'Bo said cancel the api run',
      '别取消 api 那个',
      '要不要取消 api？',
    ]) {
      await w.says(text, { by: BO, chat: BO });
      expect(last(w).texts ?? [], text).not.toContain('Cancel for good');
    }
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C4: in a group only what answers us is for us', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    const before = w.messages.length;
    await w.says('cancel the api run', { chat: '-100' });
    expect(w.messages).toHaveLength(before);
  });
});
