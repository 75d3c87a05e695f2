/** `agentpr init`, on a real Bot API: what is asked, asked again, and written. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANA, TOKENS, createProduct, type Product } from '../support/product.ts';

let product: Product;
beforeEach(async () => {
  product = await createProduct();
});
afterEach(() => product.close());

const file = (): string => join(product.dir, '.env');
const unset = { TELEGRAM_ADMIN_IDS: undefined };

describe('init', () => {
  it('O2: reads the id of its administrator from a message to the bot, when that is confirmed on the host', async () => {
    product.ana.sends('hello');
    const said = await product.cli(['init'], '\ny\n', unset);
    expect(said.code).toBe(0);
    expect(said.err).toContain(`Ana, ${ANA}, wrote. Is that you?`);
    expect(said.err).toContain('Write anything to @agentpr_test_bot');
    expect(readFileSync(file(), 'utf8')).toContain(`TELEGRAM_ADMIN_IDS=${ANA}\n`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    // It is not taken from Telegram: whoever starts AgentPR then is answered.
    expect(product.telegram.pendingUpdates()).toBe(1);
  });

  it('O2: makes nobody an administrator who was not confirmed', async () => {
    product.telegram.person(666, 'Mallory').sends('me!');
    const said = await product.cli(['init'], '\nn\n', unset);
    expect(said.code).toBe(2);
    expect(said.err).toContain('Mallory, 666, wrote');
    expect(existsSync(file())).toBe(false);
  });

  it('O2: asks again for what cannot be right, and keeps what was right', async () => {
    const input = `nonsense\n${TOKENS.telegram}\n@ana\n7, 8\n`;
    const said = await product.cli(['init'], input, { ...unset, TELEGRAM_BOT_TOKEN: undefined });
    expect(said.code).toBe(0);
    expect(said.err).toMatch(/A bot token is a number[^]*An id is a number/);
    expect(readFileSync(file(), 'utf8')).toMatch(/^TELEGRAM_BOT_TOKEN=4242:[^]*\nTELEGRAM_ADMIN_IDS=7, 8\n/);
    const again = await product.cli(['init'], '', unset);
    expect([again.code, again.err]).toEqual([3, '.env is there already; --force replaces it.\n']);
  });

  it('says when Telegram does not know the token', async () => {
    const said = await product.cli(['init'], '\n', { ...unset, TELEGRAM_BOT_TOKEN: '1:wrong' });
    expect([said.code, said.err]).toEqual([78, expect.stringContaining('does not know that bot token')]);
    expect(existsSync(file())).toBe(false);
  });
});
