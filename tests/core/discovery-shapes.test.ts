/** E7: shapes of repositories in which a check is easily missed, or one is found that runs nothing. */
import { describe, expect, it } from 'vitest';
import { discoverContract, wantedFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learnt = (files: Files, more: string[] = []) => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(wantedFiles(paths));
  return discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
};
const checks = (files: Files, more: string[] = []): string[] =>
  learnt(files, more).checks.map(({ name, command, dir }) =>
    dir === '' ? `${name} = ${command}` : `${name} = ${command} (in ${dir})`,
  );
const workflow = (steps: string, more = ''): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n${more}    steps:\n${steps}`,
});

describe('a list of commands', () => {
  it('E7: begins with dashes in a Taskfile, which forgive nothing there', () => {
    const files = { 'Taskfile.yml': 'version: "3"\ntasks:\n  test:\n    cmds:\n      - go test ./...\n' };
    expect(checks(files)).toContain('test = task test');
  });

  it('E7: that make is told to forgive still checks nothing', () => {
    expect(checks({ Makefile: 'test:\n\t-pytest\n' })).toEqual([]);
  });
});

describe('ctest', () => {
  const cmake = (text: string): Files => ({ 'CMakeLists.txt': `project(a)\n${text}`, 'src/a.c': '' });

  it('E7: has nothing to run where tests are commented out', () => {
    const files = cmake('include(CTest)\n# if(BUILD_TESTING)\n#   add_subdirectory(Tests)\n# endif()\n');
    expect(checks(files, ['Tests/a.c'])).not.toContain('test = ctest --test-dir build');
  });

  it.each([
    ['registers them here', 'enable_testing()\nadd_test(NAME a COMMAND a)\n', []],
    ['takes in their folder', 'if(BUILD_TESTING)\n  add_subdirectory(tests)\nendif()\n', []],
    [
      'has a folder that builds them',
      'include(CTest)\nadd_subdirectory(src)\n',
      ['src/tests/CMakeLists.txt'],
    ],
  ])('E7: runs the tests where the project %s', (_, text, more) => {
    expect(checks(cmake(text), more)).toContain('test = ctest --test-dir build');
  });
});

it('E7: an environment of tox that is called as a version is one of its tests', () => {
  const files = {
    ...workflow(
      '      - run: tox run --notest -e ${{ matrix.py }}\n      - run: tox run --skip-pkg-install -e ${{ matrix.py }}\n',
      '    strategy:\n      matrix:\n        py: ["3.13", "3.12"]\n',
    ),
    'pyproject.toml': '[project]\nname = "a"\n',
  };
  expect(checks(files)).toEqual(['test = tox run --skip-pkg-install -e 3.13']);
});

it('E7: what generates types checks none', () => {
  expect(checks({ justfile: 'gen-types:\n  cargo run -p gen -- types\n' })).toEqual([]);
});
