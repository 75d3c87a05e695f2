/** P7: twenty agents that spend against one month at once, killed in the middle, on any ledger. */
import { expect, it } from 'vitest';
import { createSpendingGuard, raiseSpending, spendingRaiseKey } from '../../orchestrator/limits/index.ts';
import { applyRaise } from '../../orchestrator/limits/raise-spending.ts';
import {
  SpendingBudgets,
  type BudgetAmount,
  type SpendingLimit,
  type SpendingRequest,
} from '#model/spending';
import type { Ledger } from '#ports/ledger';
import { DAY } from '#model/values';
import { at } from '../support/core.ts';
import { write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const LIMIT = 10;
/** What one request may cost at most, and what it then costs. */
const [MOST, COSTS] = [1.5, 0.4];
export const usd = (costUsd: number) => ({
  inputTokens: Math.round(costUsd * 1_000),
  outputTokens: 0,
  costUsd,
});
export const soon = {
  after: (_: number, run: () => void) => {
    const timer = setImmediate(run);
    return { cancel: () => clearImmediate(timer) };
  },
};
export const attemptOf = (runId: string, startedAt = NOW) => ({
  runId,
  step: 'agent',
  command: 'codex',
  startedAt,
  engine: 'codex',
  model: 'm',
  promptHash: 'p',
  baseSha: 'b',
  containment: 'bwrap' as const,
  pid: null,
  pidStart: null,
});

/** A request that may cost `most`, of an attempt that used so much and has nothing under way. */
export const asks = (most: number, used: number, under = 0): SpendingRequest => ({
  most: usd(most),
  underWay: () => usd(under),
  used: () => usd(used),
  signal: new AbortController().signal,
});

export const spendingContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const guardOf = (on: Ledger, budgets: object, now = NOW) =>
    createSpendingGuard({
      ledger: on,
      clock: { now: () => now },
      timers: soon,
      budgets: async () => SpendingBudgets.parse(budgets),
    });
  const runNamed = (id: string) => ({ ...at('IMPLEMENTING').run, id });
  const spentOf = async (on: Ledger): Promise<number> =>
    (await on.query.spent({ since: 0 })).reduce((all, { used }) => all + used.costUsd, 0);

  it('P7: twenty agents at once overshoot a month by no more than one request may cost, also when they are killed', async () => {
    const budgets = { month: LIMIT };
    let on = ledger();
    const round = at('IMPLEMENTING').run.agent.round;
    const effects = [{ do: { kind: 'implement', round }, dueAt: 0 }] as const;
    for (let n = 0; n < 20; n += 1) await write(on, `r${n}`, { effects: [...effects], now: NOW });
    /** Asks until it is refused, or killed: then its request is never settled. */
    const work = async (n: number, killedAfter: number): Promise<number> => {
      const run = runNamed(`r${n}`);
      const spending = guardOf(on, budgets).open(run, await on.attempt.start(attemptOf(run.id)));
      let used = 0;
      for (let asked = 0; ; asked += 1) {
        if (await spending.reserve(asks(MOST, used))) return used;
        if (asked === killedAfter) return used;
        used += COSTS;
        await new Promise((resolve) => setImmediate(resolve));
        await spending.settled(usd(used), usd(used));
      }
    };
    // Three are killed while a request is under way, when nothing is settled yet.
    await Promise.all(Array.from({ length: 3 }, (_, n) => work(n, 1)));
    on = await restart();
    await on.recover(NOW);
    const before = await spentOf(on);
    expect(before).toBeCloseTo(3 * (COSTS + MOST));
    await Promise.all(Array.from({ length: 20 }, (_, n) => work(n, Infinity)));
    const spent = await spentOf(on);
    expect(spent).toBeGreaterThanOrEqual(LIMIT);
    expect(spent).toBeLessThanOrEqual(LIMIT + MOST);
  });

  it('P7: requests of one agent at once wait for each other, not for themselves', async () => {
    await write(ledger(), 'r1');
    const guard = guardOf(ledger(), { month: 10 });
    const spending = guard.open(runNamed('r1'), await ledger().attempt.start(attemptOf('r1')));
    let [used, under] = [8, 0];
    const ask = (signal = new AbortController().signal) =>
      spending.reserve({ most: usd(1.5), underWay: () => usd(under), used: () => usd(used), signal });
    expect(await ask()).toBeNull();
    under = 1.5;
    const gone = new AbortController();
    const [second, third] = [ask(), ask(gone.signal)];
    gone.abort();
    expect(await third).toBeNull();
    [used, under] = [8.5, 0];
    await spending.settled(usd(used), usd(used));
    expect(await second).toBeNull();
  });

  it('P7: what is answered after midnight is reserved no longer', async () => {
    await write(ledger(), 'r1');
    const attempt = await ledger().attempt.start(attemptOf('r1'));
    await guardOf(ledger(), {}).open(runNamed('r1'), attempt).reserve(asks(1.5, 0));
    await guardOf(ledger(), {}, NOW + DAY)
      .open(runNamed('r1'), attempt)
      .settled(usd(1), usd(1));
    const rows = await ledger().query.spent({ since: 0 });
    expect(rows.map(({ pending }) => pending.costUsd)).toEqual(rows.map(() => 0));
    expect(rows.reduce((all, row) => all + row.used.costUsd, 0)).toBe(1);
  });

  it('P7: at the end no new turn starts, until the month ends or an admin raises it', async () => {
    const budgets = { month: 1 };
    await write(ledger(), 'r1');
    const stored = (await ledger().query.run('r1')) ?? at('IMPLEMENTING').run;
    const run = { ...stored, order: { ...stored.order, engine: 'codex' } };
    const guard = guardOf(ledger(), budgets);
    expect(await guard.findHold(run)).toBeNull();
    const spending = guard.open(run, await ledger().attempt.start(attemptOf('r1')));
    expect(await spending.reserve(asks(2, 0))).toBeNull();
    await spending.end(usd(1.2));
    const december = Date.UTC(2026, 11, 1);
    expect(await guard.findHold(run)).toMatchObject({ turn: { why: 'spending', readyAt: december } });
    expect(await spending.reserve(asks(0.8, 1.2))).toMatchObject({ says: expect.any(String) as string });
    // It is told once, whoever asks.
    await guard.findHold(run);
    const notes = (await ledger().inbox(100)).filter(({ key }) => key.startsWith('spending:'));
    expect(notes.map(({ key }) => key.split(':').slice(-3)[0])).toEqual(['warned', 'used_up']);
    const limit: SpendingLimit = {
      scope: 'all',
      of: null,
      period: 'month',
      since: Date.UTC(2026, 10, 1),
      until: december,
      costUsd: 1,
      tokens: null,
    };
    const raise = (name: string, cause: string) =>
      raiseSpending({ ledger: ledger() }, limit, {
        key: spendingRaiseKey(limit),
        by: { id: name, name },
        cause,
      });
    const raised = { limit: { costUsd: 1.5 }, isRaised: true };
    expect(await raise('Ana', 'telegram:1')).toMatchObject(raised);
    // Another admin taps the same call at the same moment.
    expect(await raise('Ben', 'telegram:2')).toMatchObject({ ...raised, isRaised: false });
    // A message that is handled again.
    expect(await raise('Ana', 'telegram:1')).toMatchObject(raised);
    expect(await guard.findHold(run)).toBeNull();
    expect(await spending.reserve(asks(0.8, 1.2))).toBeNull();
    await spending.end(usd(1.6));
    expect(await guard.findHold(run)).not.toBeNull();
    expect(await guardOf(ledger(), budgets, december + DAY).findHold(run)).toBeNull();
  });

  it('P7: a month counts its earlier days, a campaign all of its days, in dollars and in tokens', async () => {
    const inCampaign = (id: string, campaign: string | null) => {
      const { order, ...run } = runNamed(id);
      return { ...run, order: { ...order, repo: 'acme/app', ...(campaign === null ? {} : { campaign }) } };
    };
    for (const [no, days] of [40, 2].entries())
      await guardOf(ledger(), {}, NOW - days * DAY)
        .open(inCampaign(`r${no}`, 'c-aaaaaa'), no + 1)
        .end(usd(1));
    const isFree = async (budgets: object, campaign: string | null = null, own?: BudgetAmount) => {
      const { order, ...run } = inCampaign('r9', campaign);
      const ordered = { ...order, ...(own ? { campaignBudget: own } : {}) };
      const spending = guardOf(ledger(), budgets).open({ ...run, order: ordered }, 9);
      const stop = await spending.reserve(asks(0.1, 0));
      await spending.end(usd(0));
      return stop === null;
    };
    for (const [budgets, campaign, free, own] of [
      [{ day: 1 }, null, true],
      [{ month: 1 }, null, false],
      [{ month: { tokens: 1_000 } }, null, false],
      [{ month: { tokens: 1_001 } }, null, true],
      [{ person: { month: 1 } }, null, false],
      [{ repositories: [{ match: 'acme/*', month: 1 }] }, null, false],
      [{ campaign: 2 }, 'c-aaaaaa', false],
      [{ campaign: 3 }, 'c-aaaaaa', true],
      [{ campaign: 2 }, 'c-bbbbbb', true],
      [{ campaign: 2 }, null, true],
      [{}, 'c-aaaaaa', false, { costUsd: 2 }],
      [{}, 'c-aaaaaa', true, { costUsd: 3 }],
      [{ campaign: 2 }, 'c-aaaaaa', false, { costUsd: 3 }],
      [{ campaign: 3 }, 'c-aaaaaa', false, { costUsd: 2 }],
      [{ campaign: 3 }, 'c-aaaaaa', false, { tokens: 2_000 }],
      [{ campaign: 3 }, 'c-aaaaaa', true, { tokens: 2_001 }],
    ] as const)
      expect([budgets, campaign, own, await isFree(budgets, campaign, own)]).toEqual([
        budgets,
        campaign,
        own,
        free,
      ]);
  });

  it('P7: what is under way stays reserved until each request is settled, beside what is asked next', async () => {
    const spending = guardOf(ledger(), { month: 10 }).open(runNamed('r1'), 1);
    const reserved = async (): Promise<number> =>
      (await ledger().query.spent({ since: 0 })).reduce((all, { pending }) => all + pending.costUsd, 0);
    expect(await spending.reserve(asks(1.5, 0, 2))).toBeNull();
    expect(await reserved()).toBeCloseTo(3.5);
    await spending.settled(usd(2.5), usd(1));
    expect(await reserved()).toBeCloseTo(1.5);
    await spending.end(usd(1));
    expect([await reserved(), await spentOf(ledger())]).toEqual([0, 1]);
  });

  it('P7: an agent that counts by itself hears that a limit is used up', async () => {
    const spending = guardOf(ledger(), { month: 1 }).open(runNamed('r1'), 1);
    expect(await spending.note(usd(0.9))).toBe(false);
    expect(await spending.note(usd(1))).toBe(true);
    expect(await spentOf(ledger())).toBe(1);
  });

  it('P7: a raise lowers nothing, and limits nothing that had no limit', () => {
    const limit = {
      scope: 'all',
      of: null,
      period: 'day',
      since: 0,
      until: DAY,
      costUsd: 5,
      tokens: 50,
    } as const;
    const raised = (set: object, to: object) => {
      const { costUsd, tokens } = { ...limit, ...set };
      const stored = { costUsd: null, tokens: null, ...to, of: { costUsd, tokens } };
      return applyRaise({ ...limit, costUsd, tokens }, JSON.stringify(stored));
    };
    expect(raised({}, { costUsd: 7, tokens: 70 })).toMatchObject({ costUsd: 7, tokens: 70 });
    expect(raised({}, { costUsd: 1.5, tokens: 15 })).toMatchObject({ costUsd: 5, tokens: 50 });
    expect(raised({ tokens: null }, { costUsd: 7, tokens: 70 }).tokens).toBeNull();
    expect(raised({ costUsd: null }, { costUsd: 7 }).costUsd).toBeNull();
  });

  it('P7: counts by person, campaign and repository', async () => {
    const guard = guardOf(ledger(), {});
    for (const [n, repo] of ['acme/app', 'acme/web', 'other/tool'].entries()) {
      const { order, ...run } = runNamed(`r${n}`);
      const spending = guard.open({ ...run, order: { ...order, repo } }, n + 1);
      await spending.end(usd(1));
    }
    const { person } = (await ledger().query.spent({ since: 0 }))[0] ?? {};
    const spent = async (budgets: object, repo: string) => {
      const { order, ...run } = runNamed('r9');
      const open = guardOf(ledger(), budgets).open({ ...run, order: { ...order, repo } }, 9);
      return (await open.reserve(asks(0.1, 0))) === null;
    };
    expect(person).toBe(at('IMPLEMENTING').run.order.requester.id);
    expect(await spent({ repositories: [{ match: 'acme/*', month: 2 }] }, 'acme/new')).toBe(false);
    expect(await spent({ repositories: [{ match: 'acme/*', month: 2 }] }, 'other/tool')).toBe(true);
    expect(await spent({ person: { day: 3 } }, 'any/where')).toBe(false);
    expect(await spent({ day: { tokens: 10_000 } }, 'any/where')).toBe(true);
  });
};
