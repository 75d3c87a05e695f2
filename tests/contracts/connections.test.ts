/**
 * Who can be used, on a clock of its own: when they are asked, what the console hears of each
 * change, and what the chat does.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import {
  createConnectionMonitor,
  describeConnection,
  summariseConnections,
  type ConnectionAnswer,
  type ConnectionStatus,
  type ConnectionMonitor,
  type ConnectionChange,
  type ConnectionParty,
} from '../../app/connection-monitor.ts';
import { createClock, settle, type TestClock } from '../support/timers.ts';

const MINUTE = 60_000;
const OFTEN = { everyMs: MINUTE, awayMs: MINUTE / 4 };
const reached = (says: string): ConnectionAnswer => ({ kind: 'reached', says });
const away = (says = 'nobody answers'): ConnectionAnswer => ({ kind: 'away', says, person: false });
const refused: ConnectionAnswer = { kind: 'away', says: 'the token is refused', person: true };

const FORGE: ConnectionParty = { kind: 'forge', name: 'GitHub' };
let clock: TestClock;
let answers: Record<ConnectionParty['kind'], ConnectionAnswer>;
let asks: Record<ConnectionParty['kind'], number>;
let said: string[];
let news: ConnectionChange[];
let connections: ConnectionMonitor;
let bug: Error | null = null;
/** What the clock was put back by, which no timer knows of (ms). */
let putBack = 0;

beforeEach(() => {
  clock = createClock();
  putBack = 0;
  answers = {
    chat: reached('@bot connected'),
    forge: reached('GitHub as octo'),
    engine: reached('engine codex ready'),
  };
  asks = { chat: 0, forge: 0, engine: 0 };
  [said, news] = [[], []];
  const look = (party: ConnectionParty) => ({
    party,
    ...OFTEN,
    ask: async () => {
      asks[party.kind] += 1;
      if (bug && party.kind === 'chat') throw bug;
      return answers[party.kind];
    },
  });
  connections = createConnectionMonitor({
    checks: [look({ kind: 'chat', name: 'Telegram' }), look(FORGE), look({ kind: 'engine', name: 'codex' })],
    clock: { now: () => clock.now() - putBack },
    timers: clock,
    changed: (one: ConnectionStatus | null) =>
      said.push(
        ...(one
          ? [describeConnection(one, LANGUAGE_TEXTS.en)]
          : summariseConnections(connections.now(), LANGUAGE_TEXTS.en)),
      ),
    tell: (one) => news.push(one),
  });
});
afterEach(() => connections.stop());

/** So much time passes, with everything that falls due in it. */
const pass = (ms: number): Promise<void> => clock.pass(ms);
const start = async (): Promise<void> => {
  connections.start();
  await settle();
};
const states = (): string[] => connections.now().map(({ state }) => state);

describe('at the start', () => {
  it('O2: one line says what was reached', async () => {
    await start();
    expect(said).toEqual(['@bot connected · GitHub as octo · engine codex ready']);
    expect(news).toEqual([]);
  });

  it.each<[ConnectionParty['kind'], string]>([
    ['chat', 'Telegram cannot be used: nobody answers'],
    ['forge', 'GitHub cannot be used: nobody answers'],
    ['engine', 'engine codex cannot be used: nobody answers'],
  ])('O2: whoever is away gets a line of its own (%s)', async (kind, line) => {
    answers[kind] = away();
    await start();
    expect(said).toHaveLength(2);
    expect(said[1]).toBe(line);
    expect(states().filter((s) => s === 'away')).toHaveLength(1);
  });

  it('S6: a look that fails for a reason of ours ends nothing, and is made again', async () => {
    bug = new Error('a bug');
    await start();
    expect(said.join()).toContain('Telegram cannot be used: Error: a bug');
    bug = null;
    await pass(MINUTE);
    expect(states()).toEqual(['reached', 'reached', 'reached']);
  });

  it('O2: patience that was asked for is no absence, and is told as what it is', async () => {
    answers.forge = { kind: 'unclear', says: 'GitHub asks us to wait' };
    await start();
    expect(said[1]).toBe('GitHub cannot be used: GitHub asks us to wait');
    expect(states()).toEqual(['reached', 'unknown', 'reached']);
    answers.forge = reached('GitHub as octo');
    await pass(MINUTE);
    expect(said.slice(2)).toEqual(['GitHub as octo']);
    expect(news).toEqual([]);
  });

  it('waits for a slow one before it sums up, and not for ever for one that stops with us', async () => {
    const { promise, resolve } = Promise.withResolvers<ConnectionAnswer>();
    const slow = createConnectionMonitor({
      checks: [{ party: FORGE, ...OFTEN, ask: () => promise }],
      clock,
      timers: clock,
      changed: () => said.push('!'),
      tell: (one) => news.push(one),
    });
    slow.start();
    await settle();
    expect(said).toEqual([]);
    const stopped = slow.stop();
    resolve(reached('late'));
    await stopped;
    expect(said).toEqual([]);
    expect(slow.now()).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('while one is away', () => {
  it('O2: the console hears of both changes once, the chat in one story: away, and back after so long', async () => {
    await start();
    answers.forge = away();
    await pass(MINUTE);
    expect(said.slice(1)).toEqual(['GitHub cannot be used: nobody answers']);
    expect(news).toEqual([]);
    await pass(5 * MINUTE);
    expect(said).toHaveLength(2);
    expect(news).toMatchObject([{ party: { kind: 'forge' }, backAfterMs: null, person: false }]);
    answers.forge = reached('GitHub as octo');
    await pass(MINUTE);
    expect(said.slice(2)).toEqual(['GitHub as octo']);
    expect(news).toHaveLength(2);
    expect(news[1]).toMatchObject({ since: news[0]?.since, says: 'GitHub as octo' });
    expect(news[1]?.backAfterMs).toBeGreaterThan(4 * MINUTE);
    expect(states()).toEqual(['reached', 'reached', 'reached']);
  });

  it('O2: a blink of an eye is no news for a chat', async () => {
    await start();
    answers.chat = away();
    connections.doubt('chat');
    await pass(2_000);
    expect(states()[0]).toBe('away');
    answers.chat = reached('@bot connected');
    await pass(2_000);
    expect(states()[0]).toBe('reached');
    expect(news).toEqual([]);
  });

  it('O2: what somebody must mend is told at once, and again when it happens again', async () => {
    await start();
    answers.engine = refused;
    await pass(MINUTE);
    expect(news).toMatchObject([{ party: { name: 'codex' }, person: true, backAfterMs: null }]);
    answers.engine = reached('engine codex ready');
    await pass(MINUTE);
    answers.engine = refused;
    await pass(MINUTE);
    expect(news.map((n) => n.backAfterMs === null)).toEqual([true, false, true]);
  });

  it('O2: one that comes and goes all day fills no chat', async () => {
    await start();
    for (let minutes = 0; minutes < 60; minutes += 2) {
      answers.forge = away();
      await pass(MINUTE + 10_000);
      answers.forge = reached('GitHub as octo');
      await pass(MINUTE - 10_000);
    }
    expect(news.length).toBeGreaterThan(4);
    expect(news.length).toBeLessThanOrEqual(2 * 7);
  });

  it('O2: a refusal that follows an outage is told although the outage was', async () => {
    await start();
    answers.forge = away();
    await pass(5 * MINUTE);
    answers.forge = refused;
    await pass(MINUTE);
    expect(news.map((n) => n.person)).toEqual([false, true]);
    expect(said.at(-1)).toBe('GitHub cannot be used: the token is refused');
  });
});

describe('how often', () => {
  it('asks seldom while all is well, and soon, then less and less, while one is away', async () => {
    await start();
    await pass(10 * MINUTE);
    expect(asks.chat).toBe(11);
    answers.chat = away();
    await pass(MINUTE);
    const before = asks.chat;
    await pass(MINUTE);
    expect(asks.chat - before).toBeGreaterThanOrEqual(4);
    await pass(10 * MINUTE);
    expect(asks.chat - before).toBeLessThanOrEqual(50);
  });

  it('asks at once when somebody doubts, and no more often however many do', async () => {
    await start();
    await pass(10_000);
    for (let i = 0; i < 1_000; i += 1) connections.doubt('forge');
    await pass(0);
    expect(asks.forge).toBe(2);
    for (let i = 0; i < 10; i += 1) {
      connections.doubt('forge');
      await pass(100);
    }
    expect(asks.forge).toBe(2);
    await pass(2_000);
    expect(asks.forge).toBe(3);
    expect(asks.chat).toBe(1);
  });

  it('S6: a clock that is put back keeps nobody from being asked, or heard of', async () => {
    answers.forge = away();
    await start();
    await pass(MINUTE);
    answers.forge = reached('GitHub as octo');
    await pass(MINUTE);
    putBack = 10_000 * MINUTE;
    answers.forge = away();
    connections.doubt('forge');
    await pass(3 * MINUTE);
    expect(news.map(({ backAfterMs }) => backAfterMs === null)).toEqual([true, false, true]);
  });

  it('asks nobody any more once it is stopped', async () => {
    await start();
    await connections.stop();
    connections.doubt('forge');
    await pass(10 * MINUTE);
    expect(asks).toEqual({ chat: 1, forge: 1, engine: 1 });
  });
});
