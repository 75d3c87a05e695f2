/** P7: `/cost` and its question in words, a raise by a tap, and the call when a budget is near. */
import { expect, it } from 'vitest';
import { SpendingBudgets, spendingLimitKey } from '#model/spending';
import { readSetting } from '#settings';
import { raiseSpendingByKey, readSpending } from '#limits';
import { LANGUAGE_TEXTS } from '#language';
import { renderSpendingCall } from '../../bot/views/reports/cost-screen.ts';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';

const NOVEMBER = {
  scope: 'all',
  of: null,
  period: 'month',
  since: Date.UTC(2026, 0, 1),
  until: Date.UTC(2026, 1, 1),
  costUsd: 100,
  tokens: null,
} as const;

const SPENT = {
  attempt: 1,
  runId: 'r1',
  at: Date.UTC(2026, 0, 5),
  person: '7',
  personName: 'Ana',
  campaign: null,
  repo: 'acme/api',
  engine: 'codex',
  pending: { costUsd: 0, tokens: 0 },
};
const spend = async (w: Awaited<ReturnType<typeof createChatWorld>>, costUsd: number): Promise<void> => {
  await w.ledger.spending.charge({ ...SPENT, used: { costUsd, tokens: 12_000 } }, null);
};

it.each(['/cost', 'How much did this cost this month?'])(
  'P7: “%s” says what this month cost, by whom and for what, beside its limit',
  async (words) => {
    const w = await createChatWorld();
    await spend(w, 83.2);
    const said = (await w.says(words)).join();
    expect(said).toContain('Ana: $83.20 · 12,000 tokens');
    expect(said).toContain('acme/api: $83.20');
    expect(said).toContain('codex: $83.20');
    expect(said).toContain('everything, this month: $83.20 of $100.00');
  },
);

it('P7: is asked in Chinese, too', async () => {
  const w = await createChatWorld();
  await spend(w, 83.2);
  expect((await w.says('本月花了多少钱？')).join()).toContain('$83.20');
});

it('P7: an admin raises it with a tap, for this month alone; a viewer may not', async () => {
  const w = await createChatWorld();
  await spend(w, 99);
  await w.says('/cost');
  await w.taps('Raise by half');
  expect(w.messages.at(-1)?.text).toContain('$99.00 of $150.00');
  expect(JSON.parse((await w.ledger.query.setting(spendingLimitKey(NOVEMBER))) ?? '')).toMatchObject({
    costUsd: 150,
    of: { costUsd: 100 },
  });
  expect((await w.says('/cost raise month', { by: VIC })).join()).toContain('admin');
  expect((await w.says('/cost raise nothing')).join()).toContain('There is no such limit');
});

it('P7: an admin sets a budget with a command or in words, and a tap', async () => {
  for (const words of ['/budgets month $250', 'spend at most $250 a month', '每月最多250美元']) {
    const w = await createChatWorld();
    await w.says(words);
    expect(w.runtimeSettings.now().budgets).toEqual({ month: 100 });
    await w.taps(w.messages.at(-1)?.buttons[0]?.[0]?.text ?? '');
    expect(w.runtimeSettings.now().budgets).toEqual({ month: 250 });
    expect((await w.says('/budgets')).join()).toContain('$250.00');
  }
  const w = await createChatWorld();
  expect((await w.says('/budgets month $250', { by: VIC })).join()).toContain('admin');
  expect((await w.says('/budgets month nothing')).join()).toContain('off');
  await w.says('at most 5 pull requests a day');
  expect(w.runtimeSettings.now().caps).toBeUndefined();
  await w.taps(w.messages.at(-1)?.buttons[0]?.[0]?.text ?? '');
  expect(w.runtimeSettings.now().caps).toEqual({ perDay: 5 });
});

it('P7: words that mean less than everything, or an order, set no budget', async () => {
  for (const words of [
    'at most $50 a month for acme/api',
    'at most 5 pull requests a day per owner',
    'Change the banner in acme/site to say only $9 a month',
    '每月最多100美元给acme/api',
  ]) {
    const w = await createChatWorld();
    expect((await w.says(words)).join(), words).not.toMatch(/budget|cap/);
  }
  const w = await createChatWorld();
  expect((await w.says('at most $40 per person a month')).join()).toContain('personbudget 40');
  expect((await w.says('每个人每月最多40美元')).join()).toContain('personbudget 40');
});

it('P7: amounts are read as they are written, or refused', async () => {
  const w = await createChatWorld();
  const read = (text: string) => readSetting('monthbudget', text, w.runtimeSettings.limits);
  expect(read('$2.01k')).toEqual({ value: '2010' });
  expect(read('1,500')).toEqual({ value: '1500' });
  expect(read('$1,50')).toHaveProperty('problem');
  expect(read('12,34,567')).toHaveProperty('problem');
});

it('P7: a second tap on the same raise changes nothing, and a budget set anew holds', async () => {
  const w = await createChatWorld();
  await spend(w, 99);
  await w.says('/cost');
  const { messageId = '', buttons = [] } = w.messages.at(-1) ?? {};
  const data = buttons[0]?.[0]?.token ?? '';
  for (let taps = 0; taps < 2; taps += 1) await w.taps('Raise by half', { data, messageId });
  expect((await w.says('/cost')).join()).toContain('$99.00 of $150.00');
  await w.runtimeSettings.set('monthbudget', '50', { id: '7', name: 'Ana' });
  expect((await w.says('/cost')).join()).toContain('$99.00 of $50.00');
});

it.each([
  ['/cost raise month', 'settleInbox'],
  ['Raise by half', 'settleInbox'],
  ['/cost raise month', 'receive'],
  ['Raise by half', 'receive'],
] as const)(
  'P7: “%s” is done and told once, although the process is killed before %s',
  async (what, before) => {
    const w = await createChatWorld();
    await w.ledger.setUser({ id: BO, name: 'Bo', role: 'admin' }, null);
    await isUsedUp(w);
    const settleInbox = w.ledger.settleInbox.bind(w.ledger);
    const receive = w.ledger.receive.bind(w.ledger);
    const dies = (): Promise<never> => Promise.reject(new Error('killed'));
    if (before === 'settleInbox') w.ledger.settleInbox = dies;
    // Its note is what the ledger takes in next.
    else
      w.ledger.receive = (items, at) =>
        items.some(({ source }) => source === 'note') ? dies() : receive(items, at);
    const done = what.startsWith('/') ? w.says(what) : w.taps(what);
    await expect(done).rejects.toThrow('killed');
    Object.assign(w.ledger, { settleInbox, receive });
    await w.drains();
    expect((await w.says('/cost')).join()).toContain('$100.40 of $150.00');
    const calls = w.messages.filter(({ text }) => text.includes('A budget was raised'));
    expect(calls.map(({ chat }) => chat).toSorted()).toEqual([ANA, BO].toSorted());
  },
);

it('P7: a budget that was set anew to what it was raised to can be raised again', async () => {
  const w = await createChatWorld();
  await spend(w, 99);
  const raises = async (): Promise<string> => {
    await w.says('/cost');
    const { messageId = '', buttons = [] } = w.messages.at(-1) ?? {};
    await w.taps('', { data: buttons[0]?.[0]?.token ?? '', messageId });
    return (await w.says('/cost')).join();
  };
  expect(await raises()).toContain('$99.00 of $150.00');
  await w.runtimeSettings.set('monthbudget', '150', { id: '7', name: 'Ana' });
  await spend(w, 149);
  expect(await raises()).toContain('$149.00 of $225.00');
});

it('P7: a campaign that used its budget up last month is shown and raised', async () => {
  const w = await createChatWorld();
  await w.runtimeSettings.set('campaignbudget', '10', { id: '7', name: 'Ana' });
  await w.ledger.spending.charge(
    { ...SPENT, at: Date.UTC(2025, 11, 20), campaign: 'c-aaaaaa', used: { costUsd: 12, tokens: 9 } },
    null,
  );
  const campaigns = async () => [{ id: 'c-aaaaaa', state: 'running' }];
  const query = {
    ...w.ledger.query,
    campaigns,
    campaign: async () => null,
  } as unknown as typeof w.ledger.query;
  const parts = {
    ledger: { ...w.ledger, query },
    clock: w.clock,
    receive: w.receive,
    budgets: async () => SpendingBudgets.parse({ campaign: 10 }),
  };
  const { limits } = await readSpending(parts);
  expect(limits).toMatchObject([{ limit: { of: 'c-aaaaaa' }, used: { costUsd: 12 } }]);
  const key = 'campaign:c-aaaaaa:ever:0:10:';
  const request = { key, by: { id: '7', name: 'Ana' }, cause: 'telegram:1' };
  expect(await raiseSpendingByKey(parts, request)).toMatchObject({
    limit: { costUsd: 15 },
    isRaised: true,
  });
});

it('P7: the call says what is used, by whom, and when it goes on', () => {
  const view = {
    view: 'spending',
    what: 'used_up',
    limit: NOVEMBER,
    used: { costUsd: 100.4, tokens: 0 },
    shares: [{ name: 'Ana', costUsd: 60, tokens: 9_000 }],
  } as const;
  const { html, buttons } = renderSpendingCall({ ...view, shares: [...view.shares] }, LANGUAGE_TEXTS.en);
  expect(html).toContain('A budget is used up: everything, this month');
  expect(html).toContain('$100.40 of $100.00');
  expect(html).toContain('Ana: $60.00');
  expect(html).toContain('goes on by itself on 1 Feb (UTC)');
  expect(buttons[0]?.[0]).toMatchObject({ verb: 'spending.raise', text: 'Raise by half' });
});

const isUsedUp = async (w: Awaited<ReturnType<typeof createChatWorld>>): Promise<void> => {
  await spend(w, 100.4);
  const body = { type: 'spending', what: 'used_up', limit: NOVEMBER, used: { costUsd: 100.4, tokens: 0 } };
  const key = `${spendingLimitKey(NOVEMBER)}:used_up:costUsd:100`;
  await w.receive([{ source: 'note', key, body: { ...body, admins: [ANA] } }]);
};

it('P7: the call has a button that raises; every copy says by whom at once, and has nothing left to tap', async () => {
  const w = await createChatWorld();
  await w.ledger.setUser({ id: BO, name: 'Bo', role: 'admin' }, null);
  await isUsedUp(w);
  const data = w.tokens.make({ verb: 'spending.raise', index: null, n: 1 }, VIC);
  expect(await w.taps('', { by: VIC, data, chat: VIC })).toBe(LANGUAGE_TEXTS.en.roles.needs('admin'));
  expect(await w.taps('Raise by half')).toBe('It is $150.00 now.');
  const calls = w.messages.filter(({ text }) => text.includes('everything, this month'));
  expect(calls.map(({ chat }) => chat).toSorted()).toEqual([ANA, BO].toSorted());
  for (const { text, buttons } of calls) {
    expect(text).toContain('A budget was raised: everything, this month');
    expect(text).toMatch(/P\d raised it to \$150\.00\. What waited goes on\./);
    expect(text).not.toContain('No new turn starts');
    expect(buttons).toEqual([]);
  }
  expect((await w.says('/cost')).join()).toContain('$100.40 of $150.00');
});

it('P7: a call about a limit that was set anew since raises nothing, and says what holds', async () => {
  const w = await createChatWorld();
  await isUsedUp(w);
  await w.runtimeSettings.set('monthbudget', '250', { id: '7', name: 'Ana' });
  expect(await w.taps('Raise by half')).toBe('It is $250.00 now.');
  expect(w.messages.at(-1)).toMatchObject({ buttons: [] });
  expect(w.messages.at(-1)?.text).toContain('It is $250.00 now.');
  expect((await w.says('/cost')).join()).toContain('$100.40 of $250.00');
});

it('P7: a call about some repositories names who spent there, and nobody else', async () => {
  const w = await createChatWorld();
  await spend(w, 5);
  const other = { ...SPENT, attempt: 2, runId: 'r2', person: '8', personName: 'Kim', repo: 'other/tool' };
  await w.ledger.spending.charge({ ...other, used: { costUsd: 90, tokens: 1 } }, null);
  const limit = { ...NOVEMBER, scope: 'repository', of: 'acme/*', costUsd: 4 };
  const body = { type: 'spending', what: 'used_up', limit, used: { costUsd: 5, tokens: 0 }, admins: [ANA] };
  await w.receive([{ source: 'note', key: 'spending:repository:acme/*:month:0:used_up:costUsd:4', body }]);
  expect(w.messages.at(-1)?.text).toContain('Ana: $5.00');
  expect(w.messages.at(-1)?.text).not.toContain('Kim');
});

it('P7: names a person as their orders or an admin do, and says when nobody does', async () => {
  const w = await createChatWorld();
  for (const [no, person, personName] of [
    [1, '7', 'Ana'],
    [2, '7', 'Ana Lim'],
    [3, BO, ' '],
    [4, '555', ''],
  ] as const)
    await w.ledger.spending.charge(
      {
        ...SPENT,
        attempt: no,
        at: SPENT.at + no * 86_400_000,
        person,
        personName,
        used: { costUsd: no, tokens: 1 },
      },
      null,
    );
  await w.runtimeSettings.set('personbudget', '3', { id: '7', name: 'Ana' });
  const said = (await w.says('/cost')).join();
  expect(said).toContain('Ana Lim: $3.00');
  expect(said).toContain('Bo: $3.00');
  expect(said).toContain('somebody without a name: $4.00');
  expect(said).toContain('somebody without a name alone, this month: $4.00 of $3.00');
  expect(said).not.toContain('555');
});
