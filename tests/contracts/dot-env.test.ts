/** O3, O9: what people's editors, shells and chats make of `.env`, and paths in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';
import { readDotEnv, decodeUtf8Settings } from '../../cli/read-dot-env.ts';
import { writeDotEnvSettings } from '../../cli/setup/settings-files.ts';

const read = (text: string) => readDotEnv(Buffer.from(text), '.env');
const utf16 = (text: string, mark: string): Buffer => Buffer.from(mark + text, 'utf16le');

describe('.env', () => {
  it.each([
    ['A=1\nB=two words\n', { A: '1', B: 'two words' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['# a comment\n\n  export A = 1 # more\n', { A: '1' }],
    ['A="a # b"\nB=\'c#d\'\nC=`e "f"`', { A: 'a # b', B: 'c#d', C: 'e "f"' }],
    ['KEY="-----BEGIN\nabc=\n-----END"\nB=2', { KEY: '-----BEGIN\nabc=\n-----END', B: '2' }],
    ['A=\nB="" # none', { A: '', B: '' }],
    ['A=it\'s\nB=a"b', { A: "it's", B: 'a"b' }],
    ['A=x=y==', { A: 'x=y==' }],
  ])('O3: %j is read as it is meant', (text, values) => {
    expect(read(text)).toEqual(values);
  });

  it.each([
    ['A=1\nGITHUB_TOKEN=“abc”\n', '.env, line 2: GITHUB_TOKEN has a curly quotation mark (“)'],
    ['GITHUB_TOKEN=‘abc’', 'line 1: GITHUB_TOKEN has a curly quotation mark (‘)'],
    ['GITHUB_TOKEN=„abc“', 'curly quotation mark'],
    ['GITHUB_TOKEN=abc”', 'curly quotation mark (”)'],
    ['\n\nA="abc\nB=2\n', '.env, line 3: the quotation mark (") before the value of A has no end'],
    ["A='it's'", 'line 1: something follows the quotation mark'],
    ['A=1\nTELEGRAM_BOT_TOKEN: abc', '.env, line 2: there is no NAME=value in it'],
    ['setx A 1', 'line 1: there is no NAME=value in it'],
    ['DATABASE_URL=postgres://u:p#w@h/d', 'line 1: the # in DATABASE_URL would begin a comment'],
  ])('O3: %j is refused with its line', (text, says) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(says);
  });

  it('C5: a refusal names the setting and not what it holds', () => {
    for (const text of ['GITHUB_TOKEN=“ghp_secret”', 'A="ghp_secret', 'A=ghp_secret#more'])
      expect(() => read(text)).toThrow(/^(?!.*ghp_secret).*$/s);
  });

  it.each([
    ['UTF-16 with its mark', utf16('A=1\n', '\uFEFF'), 'UTF-16'],
    ['UTF-16 without', utf16('A=1\n', ''), 'UTF-16'],
    ['UTF-16, big end first', utf16('A=1\n', '\uFEFF').swap16(), 'UTF-16'],
    ['Latin-1', Buffer.from('A=München\n', 'latin1'), 'not written in UTF-8'],
  ])('O3: %s is named, in .env and in agentpr.config.json', (_, bytes, says) => {
    expect(() => readDotEnv(bytes, '.env')).toThrow(
      `.env is ${says.startsWith('not') ? says : 'written in UTF-16'}`,
    );
    expect(() => decodeUtf8Settings(bytes, 'agentpr.config.json')).toThrow(says);
  });

  it('O3: whatever is not refused is what Node reads', () => {
    const piece = fc.constantFrom(
      ...['A', 'B', '=', '"', "'", '`', '#', ' ', '\n', 'x', '“', 'export ', '\\', ':'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let values;
        try {
          values = read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          return;
        }
        expect(values).toEqual(parseEnv(text));
      }),
      { examples: [[['A', '=', '"', 'x', '\n', 'B', '=', 'x']]] },
    );
  });
});

it('O2: a setting that init writes takes the place of its whole value, whatever its lines look like', () => {
  const here = process.cwd();
  const place = mkdtempSync(join(tmpdir(), 'agentpr-env-'));
  const key = '"-----BEGIN\nabc=\nA=2\n-----END" # mine';
  writeFileSync(
    join(place, '.env'),
    `A=1\nexport GITHUB_APP_PRIVATE_KEY=${key}\nOTHER='x\nA=3\ny'\nB="open\n`,
  );
  process.chdir(place);
  try {
    writeDotEnvSettings({ GITHUB_APP_PRIVATE_KEY: '/keys/app.pem', A: '4', B: '5' });
    expect(readFileSync('.env', 'utf8')).toBe(
      "OTHER='x\nA=3\ny'\nGITHUB_APP_PRIVATE_KEY=/keys/app.pem\nA=4\nB=5\n",
    );
  } finally {
    process.chdir(here);
    rmSync(place, { recursive: true });
  }
});

describe('a data directory', () => {
  const required = {
    TELEGRAM_BOT_TOKEN: '1:x',
    TELEGRAM_ADMIN_IDS: '1',
    GITHUB_TOKEN: 'x',
    HOME: '/home/ana',
  };
  const placed = (place: string): string =>
    readConfig({ ...required, AGENTPR_DATA_DIR: place }, null, '/srv').dataDir;
  it.each([
    ['~/agentpr-data', '/home/ana/agentpr-data'],
    ['~', '/home/ana'],
    ['data', '/srv/data'],
    ['/data/开发者的 目录', '/data/开发者的 目录'],
    ['/data/50% of $5/a~b', '/data/50% of $5/a~b'],
    ['', '/srv/.agentpr'],
  ])('O9: %s is %s', (given, place) => {
    expect(placed(given)).toBe(place);
  });
  it.each(['~ana/data', '$HOME/data', '${HOME}/data', '"/data"', '“/data”'])('O9: %s is refused', (given) => {
    expect(() => placed(given)).toThrow(ConfigError);
    expect(() => placed(given)).toThrow('AGENTPR_DATA_DIR');
  });
});
