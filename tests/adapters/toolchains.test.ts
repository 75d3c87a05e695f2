/**
 * E15: what the operator has on PATH is found, shown to a box read-only, and told where it is; what
 * lies beside it is not.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { satisfiesVersion, parseVersion } from '#model/environment';
import { childEnvironment } from '#process';
import { findToolchains } from '../../executors/sandbox/toolchains.ts';
import { dataDirectory } from '../support/contained.ts';

const program = (...at: string[]): void => {
  const file = path.join(...at);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
};

describe('toolchains on the operator’s PATH', () => {
  it('E15: are shown with what their manager keeps, and without its sign-in', () => {
    const home = dataDirectory().home;
    program(home, '.cargo/bin/cargo');
    writeFileSync(path.join(home, '.cargo/credentials.toml'), 'token');
    for (const part of ['toolchains', 'update-hashes', 'tmp'])
      mkdirSync(path.join(home, '.rustup', part), { recursive: true });
    program(home, '.local/bin/uv');
    program(home, '.local/bin/private-script');
    program(home, 'project/node_modules/.bin/node');
    const dirs = ['.cargo/bin', '.local/bin', 'project/node_modules/.bin'].map((dir) => path.join(home, dir));
    const found = findToolchains({ env: { PATH: dirs.join(':') }, home });
    expect(found.path).toEqual(dirs.slice(0, 2));
    expect(found.env).toMatchObject({ RUSTUP_HOME: path.join(home, '.rustup'), CARGO_HOME: '~/.cargo' });
    const shown = found.readable.map((place) => path.relative(home, place));
    expect(shown).toEqual(
      expect.arrayContaining(['.cargo/bin', '.rustup/toolchains', '.rustup/update-hashes', '.local/bin/uv']),
    );
    for (const hidden of ['', '.cargo', '.cargo/credentials.toml', '.rustup', '.local', '.local/bin'])
      expect(shown).not.toContain(hidden);
  });

  it('E15: pnpm keeps the version that a project pins in the run’s HOME, also where the operator has a folder of its own', () => {
    const home = dataDirectory().home;
    program(home, '.local/share/pnpm/global/5/pnpm');
    program(home, 'bin/pnpm');
    program(home, 'bin/node');
    const { env } = findToolchains({ env: { PATH: path.join(home, 'bin') }, home });
    expect(env).toMatchObject({ PNPM_HOME: '~/.local/share/pnpm' });
  });

  it('E15: gems and packages of Mix go into the run’s HOME, and archives of Mix are shown as they are', () => {
    const home = dataDirectory().home;
    program(home, 'bin/ruby');
    program(home, 'bin/mix');
    mkdirSync(path.join(home, '.mix/archives'), { recursive: true });
    const { env, readable } = findToolchains({ env: { PATH: path.join(home, 'bin') }, home });
    const archives = path.join(home, '.mix/archives');
    expect(env).toMatchObject({ GEM_HOME: '~/.gem', MIX_HOME: '~/.mix', MIX_ARCHIVES: archives });
    expect(readable).toContain(archives);
    expect(readable).not.toContain(path.join(home, '.mix'));
  });

  it('E15: what they are told of the run’s HOME is the HOME of the run', () => {
    const pass = { GOPATH: '~/go', JAVA_TOOL_OPTIONS: '-Duser.home=~', NO_PROXY: 'a~b' };
    expect(childEnvironment({ home: '/h', pass })).toMatchObject({
      GOPATH: '/h/go',
      JAVA_TOOL_OPTIONS: '-Duser.home=/h',
      NO_PROXY: 'a~b',
    });
  });

  it('E15: nothing is said of colours: tests of a project may be about them (commander’s are)', () => {
    const told = Object.keys(childEnvironment({ home: '/h' }));
    expect(told.filter((name) => /COLOR/.test(name))).toEqual([]);
  });

  it.each([
    ['node', '>=18', '16.2', false],
    ['node', '^20 || >=22', '24.1', true],
    ['node', 'lts/*', '20', null],
    ['go', '1.22', '1.24.1', true],
    ['go', '1.25', '1.24', false],
    ['python', '>=3.9,<4', '3.13.1', true],
    ['pnpm', 'pnpm@9.1.0+sha512.abc', '9.1.0', true],
    ['java', '21', '17.0.9', false],
    ['ruby', '~> 3.2', '3.3.1', true],
    ['cargo', 'stable', '1.80', null],
  ])('E15: %s asked for as %s, with %s here, fits: %s', (name, asked, have, fit) => {
    expect(satisfiesVersion(name, asked, have)).toBe(fit);
  });

  it('E15: reads a version out of what a program says of itself', () => {
    const said = ['v22.1.0', 'go version go1.24.4 linux/amd64', 'openjdk version "17.0.19" 2026-01-20'];
    expect(said.map(parseVersion)).toEqual(['22.1.0', '1.24.4', '17.0.19']);
    const warned = '[WARN] Cannot use it: no @pnpm/macos-arm64@10.33.0';
    expect([`${warned}\n12.21.0`, 'tool 64', 'none'].map(parseVersion)).toEqual(['10.33.0', '64', null]);
  });
});
