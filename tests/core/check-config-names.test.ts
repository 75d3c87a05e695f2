/**
 * E13: what a check command names, word by word: files that judge, and texts that lead to more of
 * them.
 */
import { describe, expect, it } from 'vitest';
import {
  linesAsCommands,
  findNamedPaths,
  findPluginModules,
  resolveRepositoryPath,
} from '../../governor/check-config/command-leads.ts';
import { collectMakeRecipes } from '../../governor/check-config/makefile-recipes.ts';

/** Without options; of a lead, what it is, where, and what was asked of it. */
const named = (command: string, dir: string): [judges: string, leads: string] => {
  const { configs, leads } = findNamedPaths(command, [dir]);
  const asked = (scripts?: string[]): string => (scripts ? `[${scripts.join(' ')}]` : '');
  return [
    [...new Set(configs)].filter((word) => !word.startsWith('-')).join(' '),
    leads.map(({ as, path, scripts }) => `${as}:${path}${asked(scripts)}`).join(' '),
  ];
};

it.each([
  ['./ci/check.sh --fast', '', 'ci/check.sh', 'shell:ci/check.sh program:ci/check.sh'],
  ['ci/check.sh', 'pkg', 'pkg/ci/check.sh', 'shell:pkg/ci/check.sh program:pkg/ci/check.sh'],
  ['/ci/x.sh', 'pkg', 'ci/x.sh', 'shell:ci/x.sh program:ci/x.sh'],
  ['bash ci/check.sh', '', 'ci/check.sh', 'shell:ci/check.sh'],
  [
    'bash -ec "sh a.sh && ./b.sh"',
    'pkg',
    'pkg/a.sh pkg/b.sh',
    'shell:pkg/a.sh shell:pkg/b.sh program:pkg/b.sh',
  ],
  ['zsh --rcs x.sh', '', 'x.sh', 'shell:x.sh'],
  ['bash -c', '', '', ''],
  ['bash -cx "sh a.sh"', '', 'a.sh', 'shell:a.sh'],
  ['bash -c.x a.sh', '', 'a.sh', 'shell:a.sh'],
  ['bash x-c a.sh', '', 'x-c a.sh', 'shell:x-c'],
  [
    'node_modules/.bin/eslint -c conf/a.js src/b.js',
    '',
    'node_modules/.bin/eslint conf/a.js',
    'shell:node_modules/.bin/eslint program:node_modules/.bin/eslint',
  ],
  ['sudo --preserve-env ./x.sh', '', 'x.sh', 'shell:x.sh program:x.sh'],
  ['eslint a--y=b.js', '', '', ''],
  ['luacheck --config ci/rules.lua inspect.lua', '', 'ci/rules.lua', ''],
  ['phpstan analyse Net/URL2.php', '', '', ''],
  ['node -c x.js', '', 'x.js', 'program:x.js'],
  ['. ./env.sh', '', 'env.sh', 'shell:env.sh'],
  ['bash < run.sh', '', 'run.sh', 'shell:run.sh'],
  ['node < run.js', '', 'run.js', 'program:run.js'],
  ['tool < in.txt', '', '', ''],
  ['node tools/check.js src/a.js', '', 'tools/check.js src/a.js', 'program:tools/check.js'],
  ['node --check tools/check.js', '', '', ''],
  ['bash -n a.sh', '', '', ''],
  [
    'python -m tools.check tests/a.py',
    '',
    'tools/check.py tools/check/__main__.py tools/check/__init__.py tools.check tests/a.py',
    'program:tools/check.py program:tools/check/__main__.py program:tools/check/__init__.py program:tests/a.py',
  ],
  ['python3.12 tools/a.py', '', 'tools/a.py', 'program:tools/a.py'],
  [
    'python -m py_compile a.py',
    '',
    'py_compile.py py_compile/__main__.py py_compile/__init__.py',
    'program:py_compile.py program:py_compile/__main__.py program:py_compile/__init__.py',
  ],
  [
    'python -m compileall src',
    '',
    'compileall.py compileall/__main__.py compileall/__init__.py',
    'program:compileall.py program:compileall/__main__.py program:compileall/__init__.py',
  ],
  ['ruby -m x.rb y.rb', '', 'x.rb y.rb', 'program:y.rb'],
  [
    'deno run -A tools/x.ts y.ts',
    '',
    'run tools/x.ts y.ts',
    'tasks:deno.json tasks:deno.jsonc program:tools/x.ts',
  ],
  ['pwsh -e a.ps1 b.ps1', '', 'a.ps1 b.ps1', 'program:b.ps1'],
  ['node -p x.js y.js', '', 'x.js y.js', 'program:y.js'],
  ['perl -mX y.pl', '', 'y.pl', 'program:y.pl'],
  ['npm test', '', 'test', 'manifest:package.json[test]'],
  ['npm run lint --prefix web', '', 'run lint web', 'manifest:web/package.json[run lint --prefix web]'],
  ['yarn --cwd=web t', '', 'web t', 'manifest:web/package.json[--cwd=web t]'],
  ['pnpm -C a run b', '', 'a run b', 'manifest:a/package.json[-C a run b]'],
  ['pnpm --dir web x', '', 'web x', 'manifest:web/package.json[--dir web x]'],
  ['run-s npm:lint', '', 'npm:lint npm lint', 'manifest:package.json[lint]'],
  ['run-s xnpm:lint', '', 'xnpm:lint xnpm lint', 'manifest:package.json[xnpm:lint]'],
  ['make', '', '', 'make:GNUmakefile[] make:makefile[] make:Makefile[]'],
  [
    'make -C sub test',
    '',
    'sub test',
    'make:sub/GNUmakefile[sub test] make:sub/makefile[sub test] make:sub/Makefile[sub test]',
  ],
  ['gmake --directory=sub -f rules.mk a -j2', '', 'sub rules.mk a', 'make:sub/rules.mk[rules.mk a]'],
  ['make --file x.mk', '', 'x.mk', 'make:x.mk[x.mk]'],
  ['make --makefile=y.mk', '', 'y.mk', 'make:y.mk[]'],
  ['tox', '', '', 'tasks:tox.ini tasks:tox.toml tasks:setup.cfg tasks:pyproject.toml'],
  ['just ci', '', 'ci', 'tasks:justfile tasks:Justfile tasks:.justfile'],
  ['go run ./tools/lint', '', 'tools/lint/*', ''],
  ['go run tools/lint.go', '', 'tools/lint.go', ''],
  ['go test run', '', '', ''],
  ['rust run ./x.go', '', 'run x.go', ''],
  ['cargo xtask', '', 'xtask/* xtask', 'tasks:.cargo/config.toml tasks:.cargo/config'],
  ['cargo run -p xtask', '', 'xtask/* run xtask', 'tasks:.cargo/config.toml tasks:.cargo/config'],
  ['cargo run --package=xtask', '', 'xtask/* run xtask', 'tasks:.cargo/config.toml tasks:.cargo/config'],
  ['cargo test', '', 'test', 'tasks:.cargo/config.toml tasks:.cargo/config'],
  ['mise run test', '', 'run test', 'tasks:mise.toml tasks:.mise.toml tasks:.config/mise.toml'],
  ['constructor test', '', 'test', ''],
  ['other xtask', '', 'xtask', ''],
  ['env A=b timeout 30s nice ./x.sh', '', 'x.sh', 'shell:x.sh program:x.sh'],
  ['timeout 5 sh a.sh', '', 'a.sh', 'shell:a.sh'],
  ['CI=a,b=c sh a.sh', '', 'a.sh', 'shell:a.sh'],
  ['sudo -E ./x.sh', '', 'x.sh', 'shell:x.sh program:x.sh'],
  ['2x/y.sh', '', '2x/y.sh', 'shell:2x/y.sh program:2x/y.sh'],
  ['x=y/z.sh', '', 'y/z.sh', 'program:y/z.sh shell:y/z.sh'],
  ['timeout --foo=ci/x.sh sh a.sh', '', 'a.sh', 'shell:a.sh'],
  ['tool --run lint', '', 'lint', ''],
  ['sh a.sh X=ci/b.sh', '', 'a.sh X=ci/b.sh X ci/b.sh', 'shell:a.sh'],
  ['mypy -p x.y', '', 'x.y', ''],
  ['npm-run-all2 a', '', 'a', 'manifest:package.json[a]'],
  ['poetry run pytest -c conf/x.ini', '', 'conf/x.ini run pytest', ''],
  ['uv run -- docker exec sh z.sh', '', 'z.sh sh run docker exec', 'shell:z.sh'],
  ['uv uv uv uv uv sh z.sh', '', 'z.sh sh uv', 'shell:z.sh'],
  ['uv uv uv uv uv uv sh z.sh', '', 'sh z.sh uv', ''],
  ['cd web && npm test', '', 'web/test', 'manifest:web/package.json[test]'],
  ['cd web && cd ../api && make -f m.mk', '', 'api/-f api/m.mk', 'make:api/m.mk[m.mk]'],
  ['cd; make -f m.mk', 'a', 'a/-f a/m.mk', 'make:a/m.mk[m.mk]'],
  ['cd ../../x && make -f m.mk', 'a', 'm.mk', 'make:m.mk[m.mk]'],
  ['eslint --config conf/eslint.js src/b.js', '', 'conf/eslint.js', ''],
  ['eslint -c=a.js src/b.js', '', 'a.js', ''],
  ['eslint src/a.js --quiet b.js', '', '', ''],
  ['test -f README.md', '', '', ''],
  ['cat -c a.txt', '', '', ''],
  ['jq --file=x.jq y.json', '', 'x.jq', ''],
  ['jq -f x.jq y.json', '', 'x.jq', ''],
  ['pytest --conf=a.cfg,b.ini', '', 'a.cfg b.ini', ''],
  ['vitest a.ts:b.ts,c.ts', '', 'a.ts:b.ts,c.ts a.ts b.ts c.ts', ''],
  ['$ROOT/ci/x.sh', '', 'ci/x.sh', 'shell:ci/x.sh program:ci/x.sh'],
  ['${ROOT}/x.sh', '', 'x.sh', 'shell:x.sh program:x.sh'],
  ['a$ROOT/x.sh', '', 'a$ROOT/x.sh', 'shell:a$ROOT/x.sh program:a$ROOT/x.sh'],
  ['./a/../b.sh', '', 'b.sh', 'shell:b.sh program:b.sh'],
  ['../../b.sh', 'x', '', ''],
  ['pytest ..', '', '', ''],
  ['pytest ci/check.py::test_a', '', 'ci/check.py::test_a ci/check.py test_a', ''],
  ['env', '', '', ''],
  ['if ./a.sh; then ./b.sh; fi', '', 'a.sh b.sh', 'shell:a.sh program:a.sh shell:b.sh program:b.sh'],
])('E13: %s (in “%s”) names “%s” and leads to “%s”', (command, dir, judges, leads) => {
  expect(named(command, dir)).toEqual([judges, leads]);
});

it.each([
  ['a', 'b', 'a/b'],
  ['a', '../b', 'b'],
  ['a', '../../b', null],
  ['', '.', null],
  ['a', '..', null],
  ['a/b', './c//d', 'a/b/c/d'],
  ['a', '/c', 'c'],
  ['a', 'c/', 'a/c'],
  ['', '$X/y', 'y'],
  ['', '${X}/y', 'y'],
  ['', 'z$X/y', 'z$X/y'],
])('E13: in “%s”, %s is %s', (dir, path, at) => {
  expect(resolveRepositoryPath(dir, path)).toBe(at);
});

describe('recipes', () => {
  const rules = [
    ...['include common.mk', '-include  local.mk', '.PHONY: clean', 'all: a b # c', '\t@./a.sh', '\t-./b.sh'],
    ...[
      'a:',
      '\t./aa.sh',
      'b c: a',
      '\t./bb.sh',
      'X := y: z',
      'long: \\',
      '  a',
      '\t+./long.sh',
      '# no: rule',
    ],
    ...[
      'loop: loop2',
      'loop2: loop',
      '\t./loop.sh',
      'xinclude y',
      'tight:a',
      'bent: a\\',
      'c',
      '\t  @./bent.sh x: y',
    ],
  ].join('\n');
  const all = ['./a.sh', './b.sh', './aa.sh', './bb.sh'];

  it.each<[string[], string[]]>([
    [[], all],
    [['all'], all],
    [['a'], ['./aa.sh']],
    [['c'], ['./aa.sh', './bb.sh']],
    [['long'], ['./aa.sh', './long.sh']],
    [['loop'], ['./loop.sh']],
    [['nope'], [...all, './long.sh', './loop.sh', './bent.sh x: y']],
    [['a', 'nope'], ['./aa.sh']],
    [['tight'], ['./aa.sh']],
    [['bent'], ['./aa.sh', './bb.sh', './bent.sh x: y']],
  ])('E13: of %j are those lines, after what is included', (wanted, lines) => {
    expect(collectMakeRecipes(rules, wanted).split('\n')).toEqual(['sh common.mk', 'sh local.mk', ...lines]);
  });
});

it('E13: variables of recipes stand for what was said last, and to be added; circles end', () => {
  const recipe = (...lines: string[]): string =>
    collectMakeRecipes([...lines, 't:', '\techo $(A)'].join('\n'), ['t']);
  expect(recipe('A = 1', 'export A := 2', 'A += 3')).toBe('echo 2 3');
  expect(recipe('A += 3')).toBe('echo  3');
  expect(recipe('A = $(CURDIR)/x $(MAKE)')).toBe('echo ./x make');
  expect(recipe('A = $(B)', 'B = ${A}')).toBe('echo $(B)');
  expect(recipe(`A = ${'x'.repeat(6_000)}$(A)`)).toHaveLength(10_000);
  expect(recipe('A = $(nothing)')).toBe('echo $(nothing)');
});

it('E13: plugins are named by a word of their own', () => {
  expect(findPluginModules(['a-pb', '-pq-r', '-p', 'x.y', '-pz'])).toEqual([
    ...['x/y.py', 'x/y/__main__.py', 'x/y/__init__.py'],
    ...['z.py', 'z/__main__.py', 'z/__init__.py'],
  ]);
});

it('E13: a recipe of no rule is of none', () => {
  expect(collectMakeRecipes('\tsh a.sh\nall:\n\tsh b.sh', [])).toBe('sh b.sh');
});

it('E13: lines of settings are read as commands', () => {
  const text = `  - ./a.sh\n"run": "sh b.sh",\n@cmd = ['x.sh'],\nkey.x-y = "z"\nplain words\nkey=sh c.sh`;
  expect(linesAsCommands(text).split('\n')).toEqual([
    './a.sh',
    'sh b.sh',
    'x.sh',
    'z',
    'plain words',
    'sh c.sh',
  ]);
});
