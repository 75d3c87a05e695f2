/** C1: an order that comes in parts is asked for, joined and given once, also over a restart. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#model/values';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const orders = async (w: World) =>
  (await w.ledger.query.runs({ live: true, limit: 10 })).map(({ order }) => order);
const buttons = (w: World): string[] =>
  w.messages
    .at(-1)
    ?.buttons.flat()
    .map(({ text }) => text) ?? [];

describe('a command without what it needs', () => {
  it('C1: /new alone asks for the repository by its known ones, then for what should change', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    const asked = await w.says('/new');
    expect(asked.join()).toContain('Which repository?');
    expect(asked.join()).not.toContain('owner/name what to change');
    expect(buttons(w)).toEqual(['acme/api']);
    await w.taps('acme/api');
    expect(w.messages.at(-1)?.text).toContain('What should change in acme/api?');
    expect(w.messages.at(-1)?.asks).toBe(true);
    await w.says('Add a test for the first delay check="npm test"');
    expect(await orders(w)).toHaveLength(1);
    await w.taps('Start');
    expect((await orders(w)).find(({ goal }) => goal.startsWith('Add'))).toMatchObject({
      repo: 'acme/api',
      goal: 'Add a test for the first delay',
      checks: ['npm test'],
    });
    // What comes next completes nothing more.
    await w.says('Add another test for it');
    expect((await orders(w)).length).toBe(2);
  });

  it.each(['tapped', 'written'])(
    'C8: a question for the repository has no buttons once its answer was %s',
    async (how) => {
      const w = await createChatWorld();
      await w.readyRun();
      await w.says('/new');
      if (how === 'tapped') await w.taps('acme/api');
      else await w.says('acme/api');
      const questions = w.messages.filter(({ text }) => text.startsWith('Which repository?'));
      expect(questions.map(({ buttons: rows }) => rows.flat())).toEqual([[]]);
      await w.says('Add a test for the first delay');
      expect(buttons(w)).toContain('Start');
    },
  );

  it('C1: the name may be written, the answer may be a reply, and a question in between is one', async () => {
    const w = await createChatWorld();
    await w.says('/new');
    await w.says('acme/web');
    const question = w.messages.at(-1);
    expect((await w.says('what is going on?')).join()).toContain('Nothing is running');
    w.passes(2 * HOUR);
    await w.says('Link the logo to the home page', {
      reply_to_message: { message_id: Number(question?.messageId) },
    });
    await w.taps('Start');
    expect(await orders(w)).toMatchObject([{ repo: 'acme/web', goal: 'Link the logo to the home page' }]);
  });

  it('C1: what is said an hour later, or by somebody else, completes nothing', async () => {
    const w = await createChatWorld();
    await w.says('/new acme/web', { chat: '-5' });
    await w.says('Link the logo', { by: BO, chat: '-5' });
    expect(buttons(w)).toEqual([]);
    await w.says('/new acme/web');
    w.passes(HOUR);
    await w.says('Link the logo to the home page');
    expect(buttons(w)).not.toContain('Start');
  });

  it('C1: words without a repository are kept while it is asked for', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.says('/new the first delay must be the base');
    await w.taps('acme/api');
    expect((await orders(w)).map(({ goal }) => goal)).toContain('the first delay must be the base');
  });

  it('C1: /batch alone asks for the repositories and for what should change, and shows its preview', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.readyRun({ order: { repo: 'acme/web' } });
    await w.says('/batch');
    expect(buttons(w)[0]).toBe('All 2');
    await w.taps('All 2');
    await w.says('Use Node 24');
    expect(w.messages.at(-1)?.text).toContain('2 repositories');
    expect(w.messages.map(({ text }) => text).join()).toContain('What should change in acme/web, acme/api?');
  });

  it.each(['/frobnicate all', '/staus', '/status'])(
    'C1: %s gets its own answer at once while a question waits, also as a reply to it',
    async (text) => {
      const w = await createChatWorld();
      await w.says('/new acme/web');
      const question = w.messages.at(-1);
      for (const reply of [{}, { reply_to_message: { message_id: Number(question?.messageId) } }]) {
        const said = (await w.says(text, reply)).join();
        expect(said).toMatch(/I do not know \/frobnicate|\/status|Nothing is running/);
        expect(said).not.toContain('acme/web');
      }
      expect(buttons(w)).not.toContain('Start');
      // The question still waits for its answer.
      await w.says('/src/logo.ts must link to the home page');
      await w.taps('Start');
      expect(await orders(w)).toMatchObject([
        { repo: 'acme/web', goal: '/src/logo.ts must link to the home page' },
      ]);
    },
  );

  it('G3: whoever may start nothing is told so, and asked nothing', async () => {
    const w = await createChatWorld();
    expect((await w.says('/new', { by: VIC })).join()).toContain('operator');
  });
});

describe('an order that is longer than a message', () => {
  const long = `/new acme/api ${'Mend it. '.repeat(500)}`.slice(0, 4_096);

  it('C1: is joined from its parts, and nothing of it is lost', async () => {
    const w = await createChatWorld();
    const rest = ' and so on. check="npm test"';
    const before = await w.says(long);
    expect(before.join()).toContain('Send the rest now');
    expect(await orders(w)).toEqual([]);
    w.passes(200);
    await w.says(rest.trim());
    const [order, ...more] = await orders(w);
    expect(more).toEqual([]);
    expect(order?.checks).toEqual(['npm test']);
    expect(order?.goal).toContain('and so on.');
    expect(order?.goal.length).toBeGreaterThan(4_090);
    expect(
      w.messages.some(({ buttons: all }) => all.flat().some(({ text }) => text === 'That is all of it')),
    ).toBe(false);
  });

  it.each(['no wait, cancel that', 'stop', 'hold on', '算了', '不要了，取消吧'])(
    'C1: a no takes it back, and is no part of it: %s',
    async (no) => {
      const w = await createChatWorld();
      await w.says(long);
      expect((await w.says(no)).join()).toMatch(/Nothing was started|没有启动/);
      expect(await orders(w)).toEqual([]);
      await w.says('and so on');
      expect(await orders(w)).toEqual([]);
      expect(buttons(w)).not.toContain('That is all of it');
    },
  );

  it.each(['what is waiting?', 'status', 'hello', '你好', 'thanks'])(
    'C1: what clearly is something else is no part of it, and it still waits: %s',
    async (other) => {
      const w = await createChatWorld();
      await w.says(long);
      await w.says(other);
      expect(await orders(w)).toEqual([]);
      await w.says('and so on');
      expect((await orders(w)).map(({ goal }) => goal.endsWith('and so on'))).toEqual([true]);
    },
  );

  it.each(['cancel the timer when the component unmounts', '取消按钮的颜色也要改一下'])(
    'C1: the rest may speak of stopping something: %s',
    async (rest) => {
      const w = await createChatWorld();
      await w.says(long);
      await w.says(rest);
      expect((await orders(w)).map(({ goal }) => goal.endsWith(rest))).toEqual([true]);
    },
  );

  it('C1, C4: what comes minutes later is shown with its order before a run starts', async () => {
    const w = await createChatWorld();
    await w.says(long);
    w.passes(3 * MINUTE);
    await w.says('the docs of it look odd, too');
    expect(await orders(w)).toEqual([]);
    await w.taps('Start');
    expect((await orders(w)).map(({ goal }) => goal.endsWith('look odd, too'))).toEqual([true]);
  });

  it('C1: that was all starts it as it is, once', async () => {
    const w = await createChatWorld();
    await w.says(long);
    await w.taps('That is all of it');
    expect(await orders(w)).toHaveLength(1);
    await w.says('and what about this');
    expect(await orders(w)).toHaveLength(1);
  });

  it('C1: three parts are one order, and a path at the head of a part is no command', async () => {
    const w = await createChatWorld();
    await w.says(long.slice(0, 4_096));
    w.passes(200);
    await w.says(`/src/a.ts ${'x '.repeat(2_100)}`.slice(0, 4_096));
    w.passes(MINUTE / 2);
    await w.says('/src/b.ts is the last');
    const [order] = await orders(w);
    expect(order?.goal ?? w.messages.at(-1)?.text).toMatch(/too long|at most|8,?000|b\.ts is the last/);
  });

  it('C1: both parts may be stored before either is handled', async () => {
    const w = await createChatWorld();
    const part = (text: string, n: number) => ({
      source: 'chat' as const,
      key: `part${n}`,
      lane: `chat:${ANA}`,
      urgent: n === 1,
      body: {
        update_id: 9_000 + n,
        message: {
          message_id: 9_000 + n,
          from: { id: Number(ANA), is_bot: false, first_name: 'Ana' },
          chat: { id: Number(ANA), type: 'private' },
          text,
        },
      },
    });
    await w.ledger.receive([part(long, 1), part('check="npm test"', 2)], w.clock.now());
    await w.drains();
    expect((await orders(w)).map(({ checks }) => checks)).toEqual([['npm test']]);
  });
});
