/**
 * E13: what the texts that a command leads to name in their turn: modules, lists, settings,
 * recipes, scripts.
 */
import { describe, expect, it } from 'vitest';
import { findCheckConfig } from '../../governor/check-config/check-config-files.ts';

describe('a text that a command leads to', () => {
  /** What judges, when each of these files is changed and the base has the same texts. */
  const judges = (command: string, repo: Record<string, string>): string[] => {
    const paths = Object.keys(repo);
    const texts = new Map(paths.map((p) => [p, [repo[p] ?? null, repo[p] ?? null]] as const));
    return findCheckConfig({ commands: [{ command, dir: '' }], changed: paths, paths, texts }).files;
  };

  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'a module that it imports',
      'python ci/run.py',
      { 'ci/run.py': 'from tools.lint import x', 'tools/lint.py': '' },
      ['ci/run.py', 'tools/lint.py'],
    ],
    [
      'a module that it imports further in',
      'python ci/run.py',
      { 'ci/run.py': 'def f():\n  import  tools.lint', 'tools/lint.py': '' },
      ['ci/run.py', 'tools/lint.py'],
    ],
    [
      'a neighbour that it imports',
      'python ci/run.py',
      { 'ci/run.py': 'from .lint import x', 'ci/lint.py': '' },
      ['ci/lint.py', 'ci/run.py'],
    ],
    [
      'no word that only speaks of importing',
      'python ci/run.py',
      { 'ci/run.py': 'x = "we import tools.lint"', 'tools/lint.py': '' },
      ['ci/run.py'],
    ],
    [
      'a file on a line of a list',
      'just ci',
      { justfile: '  - tools/a.sh,\n', 'tools/a.sh': '' },
      ['justfile', 'tools/a.sh'],
    ],
    [
      'a string that stands for the root',
      'node ci/x.js',
      { 'ci/x.js': "load('<rootDir>/tools/y.js')", 'tools/y.js': '' },
      ['ci/x.js', 'tools/y.js'],
    ],
    [
      'a file without its ending',
      'node ci/x.js',
      { 'ci/x.js': "import './y'", 'ci/y.ts': '' },
      ['ci/x.js', 'ci/y.ts'],
    ],
    [
      'no product that a script loads',
      'node ci/x.js',
      { 'ci/x.js': "import '../src/y.js'", 'src/y.js': '' },
      ['ci/x.js'],
    ],
    [
      'no document that it names',
      'node ci/x.js',
      { 'ci/x.js': "open('../README.md')", 'README.md': '' },
      ['ci/x.js'],
    ],
    ['a script that a script runs', 'sh a.sh', { 'a.sh': 'sh b.sh', 'b.sh': '' }, ['a.sh', 'b.sh']],
    ['a script without an ending', './run', { run: 'sh b.sh', 'b.sh': '' }, ['b.sh', 'run']],
    [
      'a script that its first line names',
      './run',
      { run: '#!/usr/bin/env bash\nsh b.sh', 'b.sh': '' },
      ['b.sh', 'run'],
    ],
    [
      'what a program without an ending loads',
      './run',
      { run: '#!/usr/bin/env python\nx = "tools/y.py"', 'tools/y.py': '' },
      ['run', 'tools/y.py'],
    ],
    ['no command in a program', './run.py', { 'run.py': 'sh b.txt', 'b.txt': '' }, ['run.py']],
    [
      'recipes of the asked target only',
      'make a',
      { Makefile: 'a:\n\tsh a.sh\nb:\n\tsh b.sh', 'a.sh': '', 'b.sh': '' },
      ['Makefile', 'a.sh'],
    ],
    [
      'a pattern',
      'tool conf/*-a-*.ini',
      { 'conf/x-a-y.ini': '', 'conf/a-.ini': '', 'conf/x-b-y.ini': '', 'conf/x-a-y.txt': '' },
      ['conf/x-a-y.ini'],
    ],
    [
      'a pattern with parts in their order',
      'tool conf/*b*a*',
      { 'conf/ab': '', 'conf/ba': '', 'conf/b': '' },
      ['conf/ba'],
    ],
    [
      'a pattern whose ends do not overlap',
      'tool conf/aba*ba',
      { 'conf/aba': '', 'conf/ababa': '' },
      ['conf/ababa'],
    ],
    [
      'what settings at hand load first',
      'vitest',
      { 'vitest.config.ts': "setup: './ci/first.ts'", 'ci/first.ts': '' },
      ['ci/first.ts', 'vitest.config.ts'],
    ],
    [
      'and none that lie deep',
      'vitest',
      { 'a/b/c/vitest.config.ts': "setup: './first.ts'", 'a/b/c/first.ts': '' },
      ['a/b/c/vitest.config.ts'],
    ],
    [
      'and none of a kind that no runner loads',
      'vitest',
      { '.husky/first.ts.txt': "setup: './ci/first.ts'", '.husky/ci/first.ts': '', 'ci/first.ts': '' },
      ['.husky/ci/first.ts', '.husky/first.ts.txt'],
    ],
    [
      'files on lines of settings',
      'mocha',
      {
        '.mocharc.yml': 'require:\n  - ci/a.js\n  -  ci/b,\n  ci/c-d.js',
        'ci/a.js': '',
        'ci/b.js': '',
        'ci/c-d.js': '',
        'ci/cd.js': '',
      },
      ['.mocharc.yml', 'ci/a.js', 'ci/b.js', 'ci/c-d.js'],
    ],
    [
      'no command in a program whose name speaks of a shell',
      './x.sh.py',
      { 'x.sh.py': 'sh b.txt', 'b.txt': '' },
      ['x.sh.py'],
    ],
    [
      'no command in a program that speaks of a shell',
      './x.py',
      { 'x.py': '# see #!/bin/sh\nsh b.txt', 'b.txt': '' },
      ['x.py'],
    ],
    [
      'no command in a program without an ending',
      './run',
      { run: '#!/usr/bin/python\nsh b.txt', 'b.txt': '' },
      ['run'],
    ],
    [
      'a script in a folder with a dot',
      './a.d/run',
      { 'a.d/run': 'sh b.txt', 'b.txt': '' },
      ['a.d/run', 'b.txt'],
    ],
    ['no module in a script', './a.sh', { 'a.sh': 'echo "tools/y"', 'tools/y.js': '' }, ['a.sh']],
    ['a pattern from the beginning', 'tool *b*', { 'b.cfg': '', 'a.cfg': '' }, ['b.cfg']],
    [
      'a module of a task file',
      'just ci',
      { justfile: 'x := "tools/y"', 'tools/y.js': '' },
      ['justfile', 'tools/y.js'],
    ],
    [
      'what a loaded file loads',
      'node ci/x.js',
      { 'ci/x.js': "import './y'", 'ci/y.js': "import './z'", 'ci/z.js': '' },
      ['ci/x.js', 'ci/y.js', 'ci/z.js'],
    ],
    [
      'what settings two folders down load',
      'vitest',
      { 'a/b/vitest.config.mts': "setup: './first.ts'", 'a/b/first.ts': '' },
      ['a/b/first.ts', 'a/b/vitest.config.mts'],
    ],
  ])('E13: names %s', (_, command, repo, files) => {
    expect(judges(command, repo)).toEqual(files);
  });

  const blank = (...paths: string[]): Record<string, string> =>
    Object.fromEntries(paths.map((path) => [path, '']));
  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'settings of pytest',
      'pytest',
      { 'pytest.ini': '[pytest]\naddopts = -q -p tools.hide\n' },
      ['tools/hide.py'],
    ],
    [
      'a list of settings',
      'pytest',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = ["-q", "-ptools.hide"]\n' },
      ['tools/hide.py'],
    ],
    [
      'conftest.py, which loads the product as well',
      'pytest',
      {
        'tests/conftest.py': 'from core.sums import add\npytest_plugins = (\n  "ci.db",\n  "ci.kit",\n)\n',
        'core/sums.py': '',
      },
      ['ci/db.py', 'ci/kit/__init__.py'],
    ],
    ['its command', 'python -m pytest -p ci.db tests', {}, ['ci/db.py']],
    ['what is set for it', 'PYTEST_ADDOPTS="-x -p ci.db" pytest', {}, ['ci/db.py']],
    ['what is set for node', 'NODE_OPTIONS="--require ./ci/first.js" npm test', {}, ['ci/first.js']],
    [
      'what is set for a shell',
      'env BASH_ENV=ci/env.sh npm test',
      { 'ci/env.sh': '. ./ci/b.sh' },
      ['ci/b.sh'],
    ],
    [
      'variables of a makefile',
      'make test',
      { Makefile: 'DIR = ci\nRUN := ./$(DIR)/run.sh\nRUN += --all\ntest:\n\t${RUN}\n' },
      ['ci/run.sh'],
    ],
    ['a recipe on the line of its rule', 'make test', { Makefile: 'test: ; @./ci/run.sh' }, ['ci/run.sh']],
    [
      'a makefile that calls itself',
      'make test',
      { Makefile: 'test:\n\t@$(MAKE) inner\ninner:\n\t./ci/a.sh\nother:\n\t./ci/b.sh', 'ci/b.sh': '' },
      ['ci/a.sh'],
    ],
    [
      'the place of a script',
      'ci/run.sh',
      {
        'ci/run.sh':
          'source "$(dirname "$0")/a.sh"\n. $(cd $(dirname $0) && pwd)/b.sh\n. "${0%/*}"/c.sh\n. `dirname $0`/d.sh',
      },
      ['ci/a.sh', 'ci/b.sh', 'ci/c.sh', 'ci/d.sh'],
    ],
    [
      'scripts by a pattern',
      'npm run lint',
      {
        'package.json': JSON.stringify({
          scripts: { lint: 'run-p lint:*', 'lint:a': 'node ci/a.mjs', build: 'node ci/b.mjs' },
        }),
        'ci/b.mjs': '',
      },
      ['ci/a.mjs'],
    ],
    [
      'a script that node runs',
      'node --run lint',
      { 'package.json': '{"scripts":{"lint":"sh ci/a.sh"}}' },
      ['ci/a.sh'],
    ],
    [
      'parts of a path',
      'node ci/check.js',
      { 'ci/check.js': "load(join(HERE, 'rules', 'sizes.js'))" },
      ['ci/rules/sizes.js'],
    ],
    [
      'neighbours of a program',
      'python ci/check.py',
      { 'ci/check.py': 'from . import rules\nimport sizes, more as m\nfrom kit.deep import x\n' },
      ['ci/kit/deep/x.py', 'ci/more.py', 'ci/rules.py', 'ci/sizes/__init__.py'],
    ],
    [
      'what Ruby requires',
      'ruby ci/check.rb',
      { 'ci/check.rb': 'require_relative( "rules")' },
      ['ci/rules.rb'],
    ],
    [
      'a neighbour of its parent',
      'python ci/sub/check.py',
      { 'ci/sub/check.py': 'from ..rules import x\nfrom ..kit.deep import y' },
      ['ci/kit/deep.py', 'ci/rules.py'],
    ],
    [
      'one plugin, with its type',
      'pytest',
      { 'conftest.py': 'pytest_plugins: list[str] =   "ci.db"\nother = ("ci.no",)' },
      ['ci/db.py'],
    ],
    [
      'a program of the root, whose imports are the product',
      'python check.py',
      { 'check.py': 'from core import sums\nimport rules', 'core/sums.py': '' },
      ['rules.py'],
    ],
    [
      'settings without an ending',
      'rspec',
      { '.rspec': '--color\n--require ./ci/first', '.npmrc': 'node-options=--require ./ci/x.js' },
      ['ci/first.rb', 'ci/x.js'],
    ],
    [
      'settings in XML',
      'phpunit',
      { 'phpunit.xml': '<phpunit bootstrap="ci/first.php"></phpunit>' },
      ['ci/first.php'],
    ],
    ['a folder of rules', 'eslint --rulesdir tools/rules src', {}, ['tools/rules/a.js']],
  ])('E13: by %s', (_, command, repo, files) => {
    const all = { ...repo, ...blank(...files.filter((path) => !(path in repo))) };
    expect(judges(command, all).filter((path) => files.includes(path))).toEqual(files);
    expect(
      judges(command, all).filter((path) => /b\.(?:sh|mjs)$|sums/.test(path) && !files.includes(path)),
    ).toEqual([]);
  });

  it('E13: by composer.json, but for what it lists as the package', () => {
    const composer = JSON.stringify({
      autoload: { classmap: ['Net/URL2.php'] },
      'autoload-dev': { files: ['ci/first.php'] },
      scripts: { test: 'phpunit --bootstrap=ci/start.php' },
    });
    const all = { 'composer.json': composer, ...blank('Net/URL2.php', 'ci/first.php', 'ci/start.php') };
    expect(judges('composer test', all).filter((path) => path.endsWith('.php'))).toEqual([
      'ci/first.php',
      'ci/start.php',
    ]);
  });

  it('E13: by a symbolic link: the file that it leads to, or a file in the folder', () => {
    const changed = ['tools/run.sh', 'tools/hooks/a.sh', 'src/a.ts'];
    const look = (links: [string, string][]) =>
      findCheckConfig({
        commands: [{ command: 'sh ci/run.sh', dir: '' }],
        changed,
        paths: ['ci/run.sh', '.husky', ...changed],
        texts: new Map(),
        links: new Map(links),
      }).files;
    expect(look([['ci/run.sh', 'tools/run.sh']])).toEqual(['tools/run.sh']);
    expect(look([['ci', 'tools']])).toEqual(['tools/run.sh']);
    expect(look([['ci/run.s', 'tools/run.s']])).toEqual([]);
    expect(look([['.husky', 'tools/hooks']])).toEqual(['tools/hooks/a.sh']);
    expect(look([['other', 'src']])).not.toContain('src/a.ts');
  });

  it.each([
    'npm test --workspaces',
    'npm test -w a',
    'pnpm -r test',
    'pnpm --filter=./packages/a run test',
    'yarn workspaces foreach run test',
    'turbo run test',
    'npx nx run-many -t test',
    'nx run a:test',
    'lerna run test',
  ])('E13: %s runs the scripts of packages', (command) => {
    const one = (name: string): string =>
      JSON.stringify({ scripts: { test: `node ${name}.mjs`, build: 'sh b.sh' } });
    const repo = {
      'packages/a/package.json': one('check'),
      ...blank('packages/a/check.mjs', 'packages/a/b.sh'),
    };
    expect(judges(command, repo)).toEqual(['packages/a/check.mjs']);
  });

  it('E13: of packages, only those below the folder', () => {
    const one = JSON.stringify({ scripts: { test: 'node check.mjs' } });
    const repo = {
      'web/a/package.json': one,
      'api/b/package.json': one,
      ...blank('web/a/check.mjs', 'api/b/check.mjs'),
    };
    expect(judges('cd web && npm test --workspaces', repo)).toEqual(['web/a/check.mjs']);
  });

  const manifest = (scripts: Record<string, string>, more: object = {}): string =>
    JSON.stringify({ scripts, ...more });
  it('E13: scripts are asked for by their short names, with those around them', () => {
    const repo = {
      'package.json': manifest({ pretest: 'sh a.sh', test: 'sh b.sh', posttest: 'sh c.sh', lint: 'sh d.sh' }),
      'a.sh': '',
      'b.sh': '',
      'c.sh': '',
      'd.sh': '',
    };
    for (const command of ['npm test', 'npm t', 'npm tst'])
      expect(judges(command, repo)).toEqual(['a.sh', 'b.sh', 'c.sh']);
  });

  it('E13: what a manifest sets for a tool is loaded', () => {
    const repo = {
      'package.json': manifest({ test: 'jest' }, { jest: { setupFiles: ['./ci/first.js'] } }),
      'ci/first.js': '',
    };
    expect(judges('npm test', repo)).toEqual(['ci/first.js']);
  });

  it('E13: a manifest judges when its judging part differs; one whose text is not known is wanted', () => {
    const before = manifest({ test: 'jest' });
    const look = (after: string | null, texts = true) =>
      findCheckConfig({
        commands: [{ command: 'npm test', dir: '' }],
        changed: ['package.json'],
        paths: ['package.json'],
        texts: new Map(texts ? [['package.json', [before, after]]] : []),
      });
    expect(look(manifest({ test: 'true' }))).toEqual({ files: ['package.json'], wants: [] });
    expect(look(before)).toEqual({ files: [], wants: [] });
    expect(look(null, false)).toEqual({ files: [], wants: ['package.json'] });
  });

  it('E13: only texts that are there are wanted, manifests that are changed, and settings up to a bound', () => {
    const wants = (command: string, paths: string[]): string[] =>
      findCheckConfig({ commands: [{ command, dir: '' }], changed: paths, paths, texts: new Map() }).wants;
    expect(wants('make', ['Makefile'])).toEqual(['Makefile']);
    expect(wants('true', ['a/package.json', 'b.json'])).toEqual(['a/package.json']);
    expect(
      wants(
        'true',
        Array.from({ length: 50 }, (_, i) => `p${i}/vitest.config.ts`),
      ),
    ).toHaveLength(40);
  });
});
