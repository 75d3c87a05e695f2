/** P7: `/cost` and its question in words, a raise by a tap, and the call when a budget is near. */
import { expect, it } from 'vitest';
import { spendingLimitKey } from '#model/spending';
import { LANGUAGE_TEXTS } from '#language';
import { renderSpendingCall } from '../../bot/views/cost-screen.ts';
import { createChatWorld, VIC } from '../support/chat-world.ts';

const NOVEMBER = {
  scope: 'all',
  of: null,
  period: 'month',
  since: Date.UTC(2026, 0, 1),
  until: Date.UTC(2026, 1, 1),
  costUsd: 100,
  tokens: null,
} as const;

const spend = async (w: Awaited<ReturnType<typeof createChatWorld>>, costUsd: number): Promise<void> => {
  await w.ledger.spending.charge(
    {
      attempt: 1,
      runId: 'r1',
      day: Date.UTC(2026, 0, 5),
      person: '7',
      personName: 'Ana',
      campaign: null,
      repo: 'acme/api',
      engine: 'codex',
      used: { costUsd, tokens: 12_000 },
      pending: { costUsd: 0, tokens: 0 },
    },
    null,
  );
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
  expect(await w.ledger.query.setting(spendingLimitKey(NOVEMBER))).toBe('{"costUsd":150}');
  expect((await w.says('/cost raise month', { by: VIC })).join()).toContain('admin');
  expect((await w.says('/cost raise nothing')).join()).toContain('There is no such limit');
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
  expect(buttons[0]?.[0]).toMatchObject({ verb: 'say', text: 'Raise by half' });
});
