/** E9: which linters of a contract can be asked about single files, for which, and what they answer. */
import { describe, expect, test } from 'vitest';
import { findFileLinters } from '../../discovery/file-linters.ts';
import { findNewComplaints, readComplaints } from '../../discovery/lint-complaints.ts';
import { parsePackageScripts } from '../../discovery/probes/node.ts';

const asked = (command: string, paths: string[], scripts = {}, dir = ''): string[] =>
  findFileLinters([{ name: 'lint', command, dir }], () => scripts).flatMap((linter) => {
    const files = linter.meant(paths);
    return files.length === 0 ? [] : [linter.command(files)];
  });
const BIN = 'PATH="$PWD/node_modules/.bin:$PATH" ';

describe('E9: what a contract’s command becomes for single files', () => {
  test.each<[string, string, string]>([
    ['npx eslint . --max-warnings 0', 'a.js', 'npx eslint --no-color ./a.js'],
    [
      'uv run --frozen ruff check .',
      'a.py',
      'uv run --frozen ruff check --no-fix --no-cache --force-exclude --output-format=concise ./a.py',
    ],
    ['poetry run black --check -l 100 src', 'src/a.py', 'poetry run black -l 100 --check ./src/a.py'],
    [
      'python -m flake8 --max-line-length=100 src tests',
      'tests/a.py',
      'python -m flake8 --max-line-length=100 --format=default ./tests/a.py',
    ],
    [
      '. .venv/bin/activate && ruff format --check .',
      'a.py',
      '. .venv/bin/activate && ruff format --check --no-cache --force-exclude ./a.py',
    ],
    [
      'bundle exec rubocop --parallel',
      'lib/a.rb',
      'bundle exec rubocop --format=emacs --force-exclusion --cache=false ./lib/a.rb',
    ],
    [
      'CI=1 ./node_modules/.bin/oxlint -c .oxlintrc.json',
      'a.ts',
      'env CI=1 ./node_modules/.bin/oxlint -c .oxlintrc.json --format=unix ./a.ts',
    ],
    ['gofmt -l .', 'a/b.go', 'gofmt -l ./a/b.go'],
    ['go vet ./...', 'a/b.go', 'go vet ./a'],
    ['shellcheck -s bash bin/*.sh', 'bin/a.sh', 'shellcheck -s bash --format=gcc --color=never ./bin/a.sh'],
    [
      'npx prettier --check "src/**/*.{js,ts}"',
      'src/a.ts',
      'npx prettier --list-different --ignore-unknown ./src/a.ts',
    ],
    ['biome ci .', 'a.ts', 'biome ci --colors=off ./a.ts'],
    [
      'stylelint "**/*.css"',
      'a/b.css',
      'stylelint --formatter=unix --no-color --allow-empty-input ./a/b.css',
    ],
  ])('%s', (command, path, becomes) => {
    expect(asked(command, [path])).toEqual([`${becomes} 2>&1`]);
  });

  test('scripts of a package are looked into, one after another', () => {
    const scripts = parsePackageScripts(
      '{"scripts": {"lint": "npm run lint:js && prettier --check .", "lint:js": "eslint src"}}',
    );
    expect(asked('npm run lint', ['src/a.js'], scripts)).toEqual([
      `${BIN}eslint --no-color ./src/a.js 2>&1`,
      `${BIN}prettier --list-different --ignore-unknown ./src/a.js 2>&1`,
    ]);
    expect(asked('pnpm lint', ['src/a.js'], { lint: 'eslint .' })).toHaveLength(1);
    expect(asked('yarn run -s lint', ['src/a.js'], { lint: 'eslint .' })).toHaveLength(1);
    expect(asked('npm run lint', ['p/q/a.js'], { lint: 'eslint .' }, 'p/q')).toEqual([
      'PATH="$PWD/node_modules/.bin:$PWD/../node_modules/.bin:$PWD/../../node_modules/.bin:$PATH" eslint --no-color ./a.js 2>&1',
    ]);
    expect(asked('npm run lint', ['a.js'], { lint: 'npm run lint' })).toEqual([]);
    expect(parsePackageScripts('{"scripts": [')).toEqual({});
  });

  test.each([
    ['make lint', 'a.js'],
    ['eslint . || true', 'a.js'],
    ['eslint $(git ls-files)', 'a.js'],
    ['git ls-files | xargs shellcheck', 'a.sh'],
    ['cd web && eslint .', 'web/a.js'],
    ['eslint src', 'test/a.js'],
    ['eslint ../other', 'a.js'],
    ['eslint --unknown-option x .', 'a.js'],
    ['black .', 'a.py'],
    ['ruff check .', 'a.js'],
    ['shellcheck *.sh', 'bin/a.sh'],
    ['npm run lint -- --fix', 'a.js'],
    ['echo eslint .', 'a.js'],
    ['mypy .', 'a.py'],
  ])('nothing is asked: %s, %s', (command, path) => {
    expect(asked(command, [path], { lint: 'eslint .' })).toEqual([]);
  });

  test('names that would be options, or end a word, stay names', () => {
    expect(asked('flake8', ['-x.py', 'a b.py', "it's.py", 'c\nd.py', '$(touch x).py'])).toEqual([
      `flake8 --format=default ./-x.py './a b.py' './it'\\''s.py' './c\nd.py' './$(touch x).py' 2>&1`,
    ]);
  });
});

describe('E9: what linters answer', () => {
  const complaints = (command: string, files: string[], output: string, dir = '') => {
    const [linter] = findFileLinters([{ name: 'lint', command, dir }], () => ({}));
    return readComplaints(linter!, files, output).map(({ path, line, text }) => [path, line, text]);
  };

  test.each<[string, string, string, [string, number | null, string][]]>([
    [
      'eslint .',
      'a.js',
      "\n/box/tree/a.js\n  1:7  error  'x' is never used  no-unused-vars\n  0:0  warning  File ignored because of a pattern\n  2:1  error  Parsing error: Unexpected token\n\n✖ 1 problem\n",
      [['a.js', 1, "error 'x' is never used no-unused-vars"]],
    ],
    [
      'ruff check .',
      'a.py',
      'a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n',
      [['a.py', 1, 'F401 [*] `os` imported but unused']],
    ],
    [
      'black --check .',
      'a.py',
      'would reformat /box/tree/a.py\nOh no!\n1 file would be reformatted.\n',
      [['a.py', null, '']],
    ],
    [
      'ruff format --check .',
      'a.py',
      'Would reformat: a.py\n1 file would be reformatted\n',
      [['a.py', null, '']],
    ],
    [
      'isort --check .',
      'a.py',
      'ERROR: /box/tree/a.py Imports are incorrectly sorted and/or formatted.\n',
      [['a.py', null, 'Imports are incorrectly sorted and/or formatted.']],
    ],
    ['prettier --check .', 'a.ts', 'a.ts\n', [['a.ts', null, '']]],
    ['gofmt -l .', 'a.go', 'a.go\n', [['a.go', null, '']]],
    [
      'oxlint',
      'a.ts',
      'a.ts:3:1: debugger is not allowed [Error/no-debugger]\n\n1 problem\n',
      [['a.ts', 3, 'debugger is not allowed [Error/no-debugger]']],
    ],
    [
      'biome ci',
      'a.ts',
      './a.ts:3:5 lint/suspicious/noDebugger  FIXABLE  ━━━\n\n  × Debugger\n',
      [['a.ts', 3, 'lint/suspicious/noDebugger FIXABLE ━━━']],
    ],
    [
      'shellcheck a.sh',
      'a.sh',
      './a.sh:2:6: note: Double quote to prevent globbing. [SC2086]\n',
      [['a.sh', 2, 'note: Double quote to prevent globbing. [SC2086]']],
    ],
    ['rubocop', 'a.rb', '/box/tree/a.rb:1:1: C: Style/Foo: Bad.\n', [['a.rb', 1, 'C: Style/Foo: Bad.']]],
    [
      'standard',
      'a.js',
      '  /box/tree/a.js:1:2: Extra semicolon. (semi)\n',
      [['a.js', 1, 'Extra semicolon. (semi)']],
    ],
  ])('%s', (command, file, output, found) => {
    expect(complaints(command, [file], output)).toEqual(found);
  });

  test('only of files that were asked about, from the root', () => {
    const output =
      '/box/tree/web/a.py:1:1: E1 x\n/box/tree/a.py:1:1: E1 y\nb.py:1:1: E1 z\na.py:2:1: E1\u202e\u0007 w\n';
    expect(complaints('flake8', ['a.py'], output, 'web')).toEqual([
      ['web/a.py', 1, 'E1 x'],
      ['web/a.py', 2, 'E1  w'.replace('  ', ' ')],
    ]);
  });

  test('what stood there before is not new, however far it moved', () => {
    const one = (line: number, text: string) => ({ program: 'flake8', path: 'a.py', line, text });
    const before = [one(1, 'E1'), one(2, 'E1')];
    expect(findNewComplaints(before, [one(9, 'E1'), one(10, 'E1'), one(11, 'E1'), one(3, 'E2')])).toEqual([
      one(11, 'E1'),
      one(3, 'E2'),
    ]);
  });
});
