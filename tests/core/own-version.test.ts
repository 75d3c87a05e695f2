/** Which changes of a manifest are the version of the package itself, and no dependency. */
import { describe, expect, it } from 'vitest';
import { changesOnlyVersion } from '../../executors/git/own-version.ts';

const CARGO_LOCK = (own: string, other: string): string =>
  `version = 4\n\n[[package]]\nname = "own"\nversion = "${own}"\ndependencies = [\n "serde",\n]\n\n[[package]]\nname = "serde"\nversion = "${other}"\nsource = "registry+https://x"\n`;
const NPM_LOCK = (top: string, own: string, dep: string): string =>
  JSON.stringify({
    name: 'x',
    version: top,
    packages: { '': { name: 'x', version: own }, 'node_modules/a': { version: dep } },
  });

describe('the version of the package itself', () => {
  it.each([
    ['package.json', '{"name":"x","version":"1.0.0"}', '{\n  "name": "x",\n  "version": "1.0.1"\n}\n'],
    [
      'web/package.json',
      '{"version":"1.0.0","dependencies":{"a":"1"}}',
      '{"version":"2.0.0-rc.1","dependencies":{"a":"1"}}',
    ],
    ['package-lock.json', NPM_LOCK('1.0.0', '1.0.0', '3.0.0'), NPM_LOCK('1.0.1', '1.0.1', '3.0.0')],
    [
      'Cargo.toml',
      '[package]\nversion = "0.1.0"\n[dependencies]\na = "1"\n',
      '[package]\nversion = "0.2.0"\n[dependencies]\na = "1"\n',
    ],
    ['Cargo.lock', CARGO_LOCK('0.1.0', '1.0.0'), CARGO_LOCK('0.2.0', '1.0.0')],
    ['pyproject.toml', '[project]\nversion = "1"\n', '[project]\nversion = "2"\n'],
  ])('P3: of %s is no dependency', (path, before, after) => {
    expect(changesOnlyVersion(path, before, after)).toBe(true);
  });

  it.each([
    [
      'package.json',
      '{"version":"1.0.0","dependencies":{"a":"1"}}',
      '{"version":"1.0.1","dependencies":{"a":"2"}}',
    ],
    ['package.json', '{"dependencies":{"version":"1.0.0"}}', '{"dependencies":{"version":"1.0.1"}}'],
    ['package.json', '{"version":"1.0.0"}', '{"version":"npm:evil@1"}'],
    ['package.json', '{"version":"1.0.0"}', '{"version":{"a":"1"}}'],
    ['package.json', '{"version":"1.0.0"}', '{"version":"1.0.1","scripts":{"install":"x"}}'],
    ['package.json', '{"version":"1.0.0"}', '{"version":'],
    ['package.json', '{"version":"1.0.0"}', '['.repeat(50_000)],
    ['package-lock.json', NPM_LOCK('1.0.0', '1.0.0', '3.0.0'), NPM_LOCK('1.0.1', '1.0.1', '3.0.1')],
    ['package-lock.json', '{"version":"1.0.0"}', '{"version":"1.0.1"}'],
    ['Cargo.toml', '[dependencies.a]\nversion = "0.1.0"\n', '[dependencies.a]\nversion = "0.2.0"\n'],
    [
      'Cargo.toml',
      '[package]\n[dependencies]\nversion = "0.1.0"\n',
      '[package]\n[dependencies]\nversion = "0.2.0"\n',
    ],
    ['Cargo.lock', CARGO_LOCK('0.1.0', '1.0.0'), CARGO_LOCK('0.2.0', '1.0.1')],
    ['requirements.txt', 'a==1\n', 'a==2\n'],
    ['constructor', '1', '2'],
  ])('P3: is not all that changes in %s', (path, before, after) => {
    expect(changesOnlyVersion(path, before, after)).toBe(false);
  });
});
