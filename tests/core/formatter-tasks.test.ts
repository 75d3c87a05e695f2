/** E7: what formats in place is a check when nothing may differ afterwards. */
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { formatsInPlace, lintsInPlace } from '../../discovery/formatter-tasks.ts';

const commandsOf = (files: Record<string, string>, kind: string): string[] =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null)
    .checks.filter(({ name }) => name.split(' ').at(-1) === kind)
    .map(({ command }) => command);
const scripts = (of: Record<string, string>) => ({
  'package.json': JSON.stringify({ scripts: of, devDependencies: { prettier: '3' } }),
  'pnpm-lock.yaml': '',
});

describe('a task that formats in place', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a script', scripts({ format: 'prettier --write .' }), ['pnpm format && git diff --exit-code']],
    [
      'a script that hands on',
      scripts({ format: 'pnpm --filter web format' }),
      ['pnpm format && git diff --exit-code'],
    ],
    [
      'a script beside one that only looks',
      scripts({ format: 'prettier --write .', 'format:check': 'prettier --check .' }),
      ['pnpm format:check'],
    ],
    ['a script of another meaning', scripts({ format: 'node release.js && git push' }), []],
    [
      'a target',
      { Makefile: 'fmt:\n\tgofmt -w .\n', 'go.mod': 'module x\n', 'a.go': '' },
      ['make fmt && git diff --exit-code'],
    ],
    [
      'a command of a guide',
      {
        'CONTRIBUTING.md': '# Contributing\n\n```sh\n./gradlew spotlessApply\n```\n',
        'build.gradle': '',
        gradlew: '',
      },
      ['./gradlew spotlessCheck'],
    ],
  ])('E7: %s', (_, files, commands) => {
    expect(commandsOf(files, 'format')).toEqual(commands);
  });

  it('E7: is known by its name, and by its commands where it has some', () => {
    expect(formatsInPlace('fmt', null)).toBe(true);
    expect(formatsInPlace('fmt', '')).toBe(true);
    expect(formatsInPlace('format-date', 'prettier --write .')).toBe(false);
    expect(formatsInPlace('fmt', 'vitest run && prettier --write .')).toBe(false);
  });
});

describe('a linter that fixes', () => {
  it('E7: is run to see whether it fixes anything', () => {
    expect(commandsOf(scripts({ lint: 'eslint --fix .' }), 'lint')).toEqual([
      'pnpm lint && git diff --exit-code',
    ]);
    expect(lintsInPlace('check', 'biome check --write . && tsgo --noEmit')).toBe(true);
    expect(lintsInPlace('release', 'eslint --fix . && npm publish')).toBe(false);
    expect(lintsInPlace('lint', 'eslint .')).toBe(false);
  });
});

it('E7: environments of tox and sessions of nox lint and check types by their names', () => {
  const python = { 'pyproject.toml': '[project]\nname = "x"\n', 'src/x.py': '' };
  const tox = { ...python, 'tox.toml': '[env.type]\ncommands = [["mypy"]]\n[env.docs]\n' };
  expect(commandsOf(tox, 'types')).toEqual(['tox -e type']);
  const nox = { ...python, 'noxfile.py': 'import nox\n\n@nox.session\ndef lint(session):\n    pass\n' };
  expect(commandsOf(nox, 'lint')).toEqual(['nox -s lint']);
});
