/** E19: a check whose installation failed is tried all the same, and told by its own lack. */
import { describe, expect, it } from 'vitest';
import type { CommandFailure } from '#model/environment';
import { findGapOnBase, findBaselineStops, type CheckResult } from '#model/evidence';
import { tryCommands } from '#preparation';

const INSTALLS = ['pip install -e .', 'pip install pre-commit'].map((command) => ({
  name: 'install',
  command: `. ./.venv/bin/activate && ${command}`,
  dir: '',
}));
const resultOf = (command: string, failure: CommandFailure | null): CheckResult => ({
  name: command,
  command,
  exitCode: failure ? 1 : 0,
  outcome: failure ? 'failed' : 'passed',
  ms: 1,
  tail: '',
  ...(failure ? { commandFailure: failure } : {}),
});
const failing = (kind: CommandFailure['kind'], program: string | null = null): CommandFailure => ({
  kind,
  program,
  says: '',
});

const tried = async (commands: Readonly<Record<string, CommandFailure | null>>) => {
  const started: { command: string }[] = [];
  const run = async (one: { command: string }) => {
    started.push(one);
    const failure = Object.hasOwn(commands, one.command) ? commands[one.command] : failing('no_network');
    return { result: resultOf(one.command, failure ?? null), says: '' };
  };
  const checks = Object.keys(commands).map((command) => ({ name: command, command, dir: '' }));
  const place = { renew: async () => undefined, reused: null };
  const wanted = { installs: INSTALLS, checks, tools: [], ordered: false, goesOn: () => true };
  const { signal } = new AbortController();
  const base = await tryCommands(run, place as never, wanted, signal, async () => undefined);
  return { ...base, started: started.slice(INSTALLS.length) };
};

describe('a check whose installation failed', () => {
  it('E19: counts where it passes, because it needs nothing of it', async () => {
    const base = await tried({ 'python -m unittest': null, pytest: failing('fails') });
    expect(base.checks.map(({ outcome }) => outcome)).toEqual(['passed', 'not_run']);
    expect(findBaselineStops(base, { ordered: false, without: [] }).map(({ command }) => command)).toEqual(
      INSTALLS.map(({ command }) => command),
    );
  });

  it('E19: is tried offline, and not where it would fetch its program', async () => {
    const base = await tried({
      'npm test': null,
      ...Object.fromEntries(
        [
          'npx eslint .',
          'npx tsc --noEmit',
          'CI=1 npx -y prettier --check .',
          'npm run build && bunx vitest',
          'npm exec -- eslint .',
          'npm exec eslint .',
          'pnpm dlx eslint',
          'yarn dlx eslint',
          'bun x eslint',
          'uvx ruff check',
          'uv tool run ruff check',
          'uv run --with pytest pytest',
          'pipx run black --check .',
        ].map((command) => [command, null]),
      ),
    });
    expect(base.started).toEqual([
      { kind: 'check', name: 'npm test', command: 'npm test', dir: '', offline: true },
    ]);
    const [first, ...others] = base.checks;
    expect(first?.outcome).toBe('passed');
    for (const one of others) {
      expect(one).toMatchObject({ outcome: 'not_run', commandFailure: { kind: 'not_installed' } });
      expect(findGapOnBase(base, one)).toEqual({ kind: 'install_fails', command: INSTALLS[0]?.command });
    }
  });

  it('E19: is not told to lack the network that it was kept from', async () => {
    const base = await tried({ 'make test': failing('no_network') });
    expect(base.checks.map((check) => findGapOnBase(base, check))).toEqual([
      { kind: 'install_fails', command: INSTALLS[0]?.command },
    ]);
  });

  it('E19: is told by the installation that brings its program, or by the program that is missing', async () => {
    const base = await tried({
      'pre-commit run -a': failing('no_program', 'pre-commit'),
      'tl check': failing('no_program', 'tl'),
      './gradlew test': failing('no_program', 'java'),
      '"$PWD"/run-tests.sh': failing('no_program', 'jq'),
      pytest: failing('fails'),
    });
    const gaps = base.checks.map((check) => findGapOnBase(base, check));
    expect(gaps).toEqual([
      { kind: 'install_fails', command: INSTALLS[1]?.command },
      { kind: 'no_program', program: 'tl' },
      { kind: 'no_program', program: 'java' },
      { kind: 'no_program', program: 'jq' },
      { kind: 'install_fails', command: INSTALLS[0]?.command },
    ]);
  });

  it('E19: is not told by an installation that brings another program alone', () => {
    const gapOf = (install: string, command: string) => {
      const idle = resultOf(command, failing('not_installed'));
      const installs = [resultOf(install, failing('no_network'))];
      return findGapOnBase({ installs, checks: [{ ...idle, outcome: 'not_run' }] }, idle);
    };
    for (const install of ['pip install tox', 'python3 -m pip install -U tox "x>=1"', 'gem install tox'])
      expect(gapOf(install, 'python -m build')).toBeNull();
    for (const install of ['pip install build', 'pip install -r tox.txt', 'pip install .', 'npm ci'])
      expect(gapOf(install, 'python -m build')).toEqual({ kind: 'install_fails', command: install });
  });
});
