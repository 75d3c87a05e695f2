/** F1: what a token or an App may do, what it lacks, and that the documentation tells the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';
import {
  missingPermissions,
  missingScopes,
  APP_PERMISSIONS,
  TOKEN_SCOPES,
} from '../../forge/required-permissions.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/github.md'), 'utf8');

describe('permissions', () => {
  it('F1: are the ones of the page that says which to give', () => {
    for (const { title, level } of APP_PERMISSIONS)
      expect(page).toMatch(new RegExp(`\\| ${title} +\\| ${level} +\\|`));
    for (const { name } of TOKEN_SCOPES) expect(page).toContain(`\`${name}\``);
  });

  it.each([
    [['repo', 'workflow'], []],
    [['public_repo'], ['workflow']],
    [['read:org'], ['repo', 'workflow']],
    [[''], ['repo', 'workflow']],
  ])('F1: of a classic token with %j lack %j', (scopes, missing) => {
    expect(missingScopes(scopes).map(({ name }) => name)).toEqual(missing);
  });

  it('F1: of an App are enough when they are higher than what is needed', () => {
    const all = Object.fromEntries(APP_PERMISSIONS.map(({ name }) => [name, 'write']));
    expect(missingPermissions({ permissions: all })).toEqual([]);
    const less = missingPermissions({ permissions: { ...all, contents: 'read', checks: 'read' } });
    expect(less.map(({ name }) => name)).toEqual(['contents']);
  });
});

describe('the credentials of a configuration', () => {
  const env = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1' };
  it.each([
    [{}, /GITHUB_TOKEN is missing.*GITHUB_APP_ID/],
    [{ GITHUB_APP_ID: '1' }, /needed together/],
    [{ GITHUB_TOKEN: 'x', GITHUB_APP_PRIVATE_KEY: 'y' }, /needed together/],
    [{ GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: '-----BEGIN RSA PRIVATE KEY-----' }, /not a private key/],
  ])('O3: says what is wrong with %j', (more, says) => {
    expect(() => readConfig({ ...env, ...more }, null, '/tmp')).toThrow(ConfigError);
    expect(() => readConfig({ ...env, ...more }, null, '/tmp')).toThrow(says);
  });
});
