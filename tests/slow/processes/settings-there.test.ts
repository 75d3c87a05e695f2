/** What `init` and `doctor` make of settings that are there already, as their own processes. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKENS, createProduct, type Product } from '../../support/product.ts';

let product: Product;
beforeEach(async () => {
  product = await createProduct();
  rmSync(join(product.dir, 'agentpr.config.json'));
});
afterEach(() => product.close());

const file = (): string => join(product.dir, '.env');
const kept = (): string => (existsSync(file()) ? readFileSync(file(), 'utf8') : '');

describe('what is there already', () => {
  it('O2: is closed to other accounts, whatever rights it had', async () => {
    writeFileSync(file(), 'AGENTPR_LOG_LEVEL=warn\n', { mode: 0o644 });
    await product.cli(['init'], `${TOKENS.telegram}\n`, {
      TELEGRAM_BOT_TOKEN: undefined,
      GITHUB_TOKEN: undefined,
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(kept()).toBe(`AGENTPR_LOG_LEVEL=warn\nTELEGRAM_BOT_TOKEN=${TOKENS.telegram}\n`);
  });

  it('O2: is judged by doctor: whose Node it is, who can read the keys, whose turn it is', async () => {
    writeFileSync(file(), '', { mode: 0o644 });
    const said = await product.cli(['doctor', '--json'], '', {
      TELEGRAM_BOT_TOKEN: '1:unknown-to-telegram',
      GITHUB_API_URL: 'http://127.0.0.1:9',
    });
    const checks = JSON.parse(said.out) as { name: string; ok: boolean; says: string; fix: string }[];
    const named = (name: string) => checks.find((check) => check.name === name);
    expect(named('node')?.says).toMatch(/^24\.\d+\.\d+, /);
    expect(named('.env')).toMatchObject({ ok: false, fix: 'Run: chmod 600 .env' });
    expect(named('telegram')).toMatchObject({
      ok: false,
      says: 'Telegram does not know the token in TELEGRAM_BOT_TOKEN',
      fix: expect.stringContaining('@BotFather') as string,
    });
    expect(named('github')?.fix).toContain('not the token');
    expect(said.err).toMatch(/^\d of \d+ checks? failed; each says above what to do\.\n$/);
  });

  it('O3: a broken settings file is to be mended, which init cannot do', async () => {
    writeFileSync(join(product.dir, 'agentpr.config.json'), '{ "scrip": "x" }');
    const said = await product.cli(['doctor'], '', {});
    expect(said.out).toContain('Fix that file');
    expect(said.out).not.toContain('agentpr init');
  });
});
