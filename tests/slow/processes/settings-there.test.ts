/** What `init` and `doctor` make of settings that are there already, as their own processes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKENS, createProduct, type Product } from '../../support/product.ts';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');

let product: Product;
beforeEach(async () => {
  product = await createProduct();
  rmSync(join(product.dir, 'agentpr.config.json'));
});
afterEach(() => product.close());

const file = (): string => join(product.dir, '.env');
/** All but the addresses of the local servers. */
const kept = (): string => whole().replace(/^(?:TELEGRAM_API_ROOT|GITHUB_API_URL|SLACK_API_ROOT)=.*\n/gm, '');
const whole = (): string => (existsSync(file()) ? readFileSync(file(), 'utf8') : '');

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

  it('O3: of a fault deep in the settings file, that file is to be mended and not .env', async () => {
    writeFileSync(join(product.dir, 'agentpr.config.json'), '{ "bounds": { "aprovals": 2 } }');
    for (const command of ['doctor', 'start']) {
      const said = await product.cli([command], '', {});
      expect(said.code).not.toBe(0);
      expect(`${said.out}${said.err}`).toContain('Did you mean approvals?');
      expect(`${said.out}${said.err}`).toContain('Fix that file; docs/configuration.md');
      expect(`${said.out}${said.err}`).not.toContain('.env.example');
    }
  });

  it('O2, O3: what is no bot token at all is refused by doctor and by start, before Telegram is asked', async () => {
    for (const command of ['doctor', 'start']) {
      const said = await product.cli([command], '', { TELEGRAM_BOT_TOKEN: 'hello' });
      expect(said.code).not.toBe(0);
      expect(`${said.out}${said.err}`).toContain('TELEGRAM_BOT_TOKEN: that is not a bot token');
      expect(`${said.out}${said.err}`).not.toContain('hello');
    }
    expect(product.telegram.calls).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'O2: doctor finds that the data directory is of another user',
    async () => {
      chmodSync(product.dir, 0o755);
      const dataDir = join(product.dir, 'data-of-root');
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o777);
      const argv = [
        '--reuid',
        '65534',
        '--regid',
        '65534',
        '--clear-groups',
        process.execPath,
        CLI,
        'doctor',
      ];
      const env = { ...product.environment(), HOME: product.dir, AGENTPR_DATA_DIR: dataDir };
      const { stdout } = spawnSync('setpriv', [...argv, '--json'], {
        cwd: product.dir,
        env,
        encoding: 'utf8',
      });
      const checks = JSON.parse(stdout) as { name: string; ok: boolean; says: string }[];
      expect(checks.find(({ name }) => name === 'data')).toMatchObject({
        ok: false,
        says: `The data directory ${dataDir} belongs to another user (id 0, and this is 65534). Start agentpr as that user, or use another data directory.`,
      });
    },
  );

  it('O3: a broken settings file is to be mended, which init cannot do', async () => {
    writeFileSync(join(product.dir, 'agentpr.config.json'), '{ "scrip": "x" }');
    const said = await product.cli(['doctor'], '', {});
    expect(said.out).toContain('Fix that file');
    expect(said.out).not.toContain('agentpr init');
  });
});
