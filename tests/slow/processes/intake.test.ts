/** The bot beside a Telegram that is away, or that gives nothing; and the log that tells of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { createTelegramIntake } from '../../../bot/telegram-intake.ts';
import { createLogger, raiseLogLevelOnSignal } from '../../../app/logger.ts';
import { startTelegram } from '#playground';

const at = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../../bot/${file}`, import.meta.url)));
/**
 * In a process of its own: only there it shows that nothing is left that would keep one alive.
 * Nobody listens at port 9.
 */
const PROGRAM = `
const { createTelegramIntake } = await import(${at('telegram-intake.ts')});
const bot = createTelegramIntake({
  token: '4242:token-of-a-telegram-that-is-not-there', apiRoot: 'http://127.0.0.1:9',
  ledger: {}, roles: {}, clock: { now: () => 0 }, log: {}, onStored: () => {},
});
const polling = bot.start();
setTimeout(async () => { await bot.stop(); await polling; console.log('stopped'); }, 50);
`;

it('stops at once while Telegram cannot be reached, and calls that no failure', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { timeout: 10_000 });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
  await once(child, 'close');
  expect([child.exitCode, child.signalCode, out]).toEqual([0, null, 'stopped\n']);
}, 15_000);

it('O5: Telegram counts as away when it holds updates and has given none for a minute', async () => {
  const token = '4242:token-of-the-local-telegram';
  const telegram = await startTelegram({ token, botName: 'a_bot', limits: null });
  let now = 0;
  const bot = createTelegramIntake({
    token,
    apiRoot: telegram.url,
    clock: { now: () => now },
    log: { warn: () => {} },
    ledger: { receive: async () => [], query: { setting: async () => null } },
    roles: { of: async () => null, everybody: async () => [] },
    onStored: () => {},
  });
  const { signal } = new AbortController();
  telegram.person(1, 'Ana').sends('hello');
  expect(await bot.whoAmI(signal)).toBe('a_bot');
  now = 61_000;
  await expect(bot.whoAmI(signal)).rejects.toThrow('has messages for us, and gave us none for a minute');
  const polling = bot.start();
  const deadline = AbortSignal.timeout(20_000);
  const heard = async (): Promise<string> => {
    deadline.throwIfAborted();
    return bot.whoAmI(signal).catch(heard);
  };
  expect(await heard()).toBe('a_bot');
  await bot.stop();
  await polling;
  await telegram.stop();
});

it('O6: SIGUSR2 makes the log tell everything, and a second one what it told before', () => {
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line: string) => void lines.push(line) });
  const asBefore = raiseLogLevelOnSignal(log);
  log.debug({}, 'one');
  process.emit('SIGUSR2');
  log.debug({ run: 'r1' }, 'two');
  process.emit('SIGUSR2');
  log.debug({}, 'three');
  asBefore();
  expect(process.listenerCount('SIGUSR2')).toBe(0);
  const told = lines.map((line) => JSON.parse(line) as { msg: string; run?: string });
  expect(told.map(({ msg }) => msg)).toEqual(['the log tells from this level on', 'two']);
  expect(told[1]?.run).toBe('r1');
});

it('O6: the same trouble again and again is one line a minute, with how often it was; each run has its own', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const fails = (run: string): void =>
    log.warn({ err: new Error('no connection'), run }, 'could not be read');
  for (let n = 0; n < 60; n += 1) fails('r1');
  fails('r2');
  vi.advanceTimersByTime(60_000);
  fails('r1');
  for (let n = 0; n < 3; n += 1) log.info({}, 'here');
  vi.useRealTimers();
  const told = lines.map((line) => JSON.parse(line) as { run?: string; again?: number });
  expect(told.map(({ run, again }) => [run, again])).toEqual([
    ['r1', undefined],
    ['r2', undefined],
    ['r1', 59],
    ...Array.from({ length: 3 }, () => [undefined, undefined]),
  ]);
});
