/** Polling that is told to stop before Telegram was ever reached. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../bot/${file}`, import.meta.url)));
/**
 * In a process of its own: only there it shows that nothing is left that would keep one alive.
 * Nobody listens at port 9.
 */
const PROGRAM = `
const { createBot } = await import(${at('intake.ts')});
const bot = createBot({
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
