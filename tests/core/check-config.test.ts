/**
 * E13: which changed files judge a change: what check commands name or lead to, and what runners
 * read by themselves.
 */
import { describe, expect, it } from 'vitest';
import { findCheckConfig, type ChangedTexts } from '../../governor/check-config/check-config-files.ts';
import { isRunnerFile } from '../../governor/check-config/runner-files.ts';
import { changesCheckConfig, withCheckConfigFields } from '../../governor/check-config/manifest-fields.ts';

type Repo = Record<string, string>;
/**
 * Every file of the repository is changed, unless it is said which; the base has the same texts.
 */
const judges = (command: string, repo: Repo, changed = Object.keys(repo), dir = ''): string[] => {
  const paths = Object.keys(repo);
  const texts: ChangedTexts = new Map(paths.map((p) => [p, [repo[p] ?? null, repo[p] ?? null]] as const));
  return findCheckConfig({ commands: [{ command, dir }], changed, paths, texts }).files;
};
const blank = (...paths: string[]): Repo => Object.fromEntries(paths.map((p) => [p, '']));

describe('a file that a command names', () => {
  it.each([
    ['sh scripts/test.sh', 'scripts/test.sh'],
    ['./scripts/test.sh --fast', 'scripts/test.sh'],
    ['bash -eu ./ci/run', 'ci/run'],
    ['node tools/check.js src', 'tools/check.js'],
    ['node --import ./tools/hook.mjs --test', 'tools/hook.mjs'],
    ['node -r ./tools/hook.cjs --test', 'tools/hook.cjs'],
    ['pytest -c conf/x.ini tests', 'conf/x.ini'],
    ['pytest --rootdir=. --config-file=conf/x.ini', 'conf/x.ini'],
    ['python3 -m tools.check', 'tools/check.py'],
    ['make -f build/rules.txt test', 'build/rules.txt'],
    ['make -C sub test', 'sub/Makefile'],
    ['cd sub && sh run.sh', 'sub/run.sh'],
    ['cd sub/deep; ../run.sh', 'sub/run.sh'],
    ['CI=1 timeout 60 sh x.sh', 'x.sh'],
    ['env FOO=1 npx tsx checks/all.mts', 'checks/all.mts'],
    ['sh -c "python3 verify.py && echo ok"', 'verify.py'],
    ['true && sh < x.sh', 'x.sh'],
    ['"$PWD/scripts/test.sh"', 'scripts/test.sh'],
    ['for f in checks/*.sh; do sh $f; done; sh checks/*.sh', 'checks/a.sh'],
    ['diff expected.txt out.txt', 'expected.txt'],
    ['grep -f patterns.txt -r src', 'patterns.txt'],
    ['eslint --config tools/lint.js src', 'tools/lint.js'],
    ['go run ./tools/check', 'tools/check/main.go'],
    ['uv run python checks/run.py', 'checks/run.py'],
    ['bundle exec ruby ci/all.rb', 'ci/all.rb'],
    ['. ./ci/env.sh; npm test', 'ci/env.sh'],
    ['deno run -A ci/check.ts', 'ci/check.ts'],
    ['vitest run --globalSetup ./boot/up.ts', 'boot/up.ts'],
  ])('E13: %s: %s judges', (command, path) => {
    expect(judges(command, blank(path, 'src/main.js', 'README.md'))).toEqual([path]);
  });

  it.each([
    ["#   rdoc.include('lib/**/*.rb')\n", []],
    ["  rdoc.include('lib/**/*.rb')\n", ['lib/x/a.rb']],
    ["  sh <<~RUN\n#{'lib/**/*.rb'}\nRUN\n", ['lib/x/a.rb']],
  ])('E13: a Rakefile that says %j leads to %j', (line, paths) => {
    const repo = { Rakefile: `task :test do\n${line}end\n`, 'lib/x/a.rb': '' };
    expect(judges('rake test', repo, ['lib/x/a.rb'])).toEqual(paths);
  });

  it('E13: many asterisks are compared with long names that they nearly mean', () => {
    const [near, far] = [`${'a'.repeat(240)}b`, `${'a'.repeat(240)}z`];
    expect(judges(`pytest ${'a*'.repeat(60)}z`, blank(near, far))).toEqual([far]);
    expect(
      judges('pytest conf/*.ini', blank('conf/a.ini', 'conf/a.ini.md', 'conf/.ini', 'conf.ini')),
    ).toEqual(['conf/.ini', 'conf/a.ini']);
    expect(judges('pytest ab*ba', blank('aba', 'abba', 'ab/ba'))).toEqual(['ab/ba', 'abba']);
  });

  it('E13: settings are read whatever long rows of blanks, dots and words are in them', () => {
    const rows = ['\n', ' ', '\t', '"', 'a.', 'poetry run ', 'env '].map((part) =>
      part.repeat(20_000 / part.length),
    );
    const text = [...rows.map((row) => `${row}x`), '- ci/rules.toml', ' commands = sh ci/run.sh'].join('\n');
    const repo = { 'tox.ini': text, 'ci/rules.toml': '', 'ci/run.sh': text };
    expect(judges('tox', repo)).toEqual(['ci/rules.toml', 'ci/run.sh', 'tox.ini']);
  });

  it.each([
    ['test -f README.md', 'README.md'],
    ['grep -q hello README.md', 'README.md'],
    ['cat notes/a.txt | wc -l', 'notes/a.txt'],
    ['node --test test/sum.test.js', 'test/sum.test.js'],
    ['pytest tests/test_sum.py', 'tests/test_sum.py'],
    ['tsc --noEmit src/a.ts', 'src/a.ts'],
    ['node --check server.js', 'server.js'],
    ['sh -n deploy.sh', 'deploy.sh'],
    ['npm test', 'docs/guide.md'],
    ['ls *.txt', 'one.txt'],
  ])('E13: %s: %s is what is judged, or a test', (command, path) => {
    expect(judges(command, blank(path))).toEqual([]);
  });
});

describe('what a command leads to', () => {
  const manifest = JSON.stringify({
    scripts: {
      pretest: 'sh prep.sh',
      test: 'npm run unit && npm run -s e2e',
      unit: 'node unit.mjs',
      e2e: 'sh e2e.sh',
      deploy: 'sh deploy.sh',
    },
  });
  const makefile =
    'all: build\n\ntest: prep unit\n\t@sh run.sh\nprep:\n\tsh prep.sh\nunit:\n\tcd sub && python3 u.py\ndeploy:\n\tsh deploy.sh\n';

  it('E13: scripts of a manifest, with those before and after, and no others', () => {
    const repo = { 'package.json': manifest, ...blank('prep.sh', 'unit.mjs', 'e2e.sh', 'deploy.sh') };
    const changed = ['prep.sh', 'unit.mjs', 'e2e.sh', 'deploy.sh'];
    for (const command of [
      'npm test',
      'npm t',
      'yarn test',
      'pnpm -s test',
      'bun run test',
      'npm run test -- --x',
    ])
      expect(judges(command, repo, changed), command).toEqual(['e2e.sh', 'prep.sh', 'unit.mjs']);
  });

  it('E13: recipes of a target, with what it needs', () => {
    const repo = { Makefile: makefile, ...blank('run.sh', 'prep.sh', 'sub/u.py', 'deploy.sh') };
    const changed = ['run.sh', 'prep.sh', 'sub/u.py', 'deploy.sh'];
    expect(judges('make test', repo, changed)).toEqual(['prep.sh', 'run.sh', 'sub/u.py']);
  });

  it.each([
    ['just test', 'justfile', 'test:\n    @sh a.sh\n'],
    ['task check', 'Taskfile.yml', 'tasks:\n  check:\n    cmds:\n      - sh a.sh\n'],
    ['tox -q', 'tox.ini', '[testenv]\ncommands = sh a.sh\n'],
    ['nox', 'noxfile.py', 'def t(s):\n  s.run("sh", "a.sh")\n'],
    ['sh run', 'run', '#!/bin/sh\nset -e\nsh ./a.sh\n'],
    ['sh ci/run.sh', 'ci/run.sh', 'cd "$(dirname "$0")/.."\n. ./a.sh\n'],
    ['node ci/run.js', 'ci/run.js', "execSync('x'); spawn('sh', ['./a.sh']); import('../a.sh')\n"],
    ['composer test', 'composer.json', '{"scripts":{"test":"sh a.sh"}}'],
  ])('E13: %s through %s', (command, file, text) => {
    expect(judges(command, { [file]: text, 'a.sh': '' }, ['a.sh'])).toEqual(['a.sh']);
  });

  it('E13: what settings load before the tests, but not the product', () => {
    const config = "export default { setupFiles: ['./test/boot.ts', './src/main.ts'] }";
    const repo = { 'vitest.config.ts': config, ...blank('test/boot.ts', 'src/main.ts') };
    expect(judges('npx vitest run', repo, ['test/boot.ts', 'src/main.ts'])).toEqual(['test/boot.ts']);
  });

  it('E13: documents, lockfiles and workflows that settings name are none', () => {
    const text =
      '[project]\nreadme = "README.md"\nlicense-files = ["LICENSE.txt"]\n[tool.x]\na = "uv.lock"\nb = "ci/boot.py"\n';
    const others = ['README.md', 'LICENSE.txt', 'uv.lock', 'ci/boot.py'];
    expect(judges('pytest -q', { 'pyproject.toml': text, ...blank(...others) }, others)).toEqual([
      'ci/boot.py',
    ]);
  });

  it('E13: is found from the folder that the command runs in', () => {
    const repo = {
      'web/package.json': JSON.stringify({ scripts: { test: 'node run.js' } }),
      ...blank('web/run.js', 'run.js'),
    };
    expect(judges('npm test', repo, ['web/run.js', 'run.js'], 'web')).toEqual(['web/run.js']);
  });

  it('E13: says which texts it needs, and ends when scripts call each other', () => {
    const input = { commands: [{ command: 'sh a.sh', dir: '' }], changed: ['b.sh'], paths: ['a.sh', 'b.sh'] };
    expect(findCheckConfig({ ...input, texts: new Map() })).toEqual({ files: [], wants: ['a.sh'] });
    const loop = new Map([
      ['a.sh', ['sh b.sh', null]],
      ['b.sh', ['sh a.sh', 'sh a.sh']],
    ] as const);
    expect(findCheckConfig({ ...input, texts: loop })).toEqual({ files: ['b.sh'], wants: [] });
  });
});

describe('a file that runners read', () => {
  it.each(
    'vitest.config.ts vite.config.mts jest.config.js jest.setup.ts .mocharc.json ava.config.mjs karma.conf.js playwright.config.ts tsconfig.json packages/a/tsconfig.build.json .eslintrc.cjs eslint.config.mjs .prettierrc prettier.config.js biome.json .babelrc babel.config.js pytest.ini setup.cfg pyproject.toml tox.ini noxfile.py tests/conftest.py .coveragerc Makefile tools/x.mk justfile Cargo.toml build.rs .cargo/config.toml go.mod pom.xml app/build.gradle.kts phpunit.xml.dist Rakefile .rspec spec/spec_helper.rb .pre-commit-config.yaml lefthook.yml .husky/pre-commit .githooks/pre-push hooks/commit-msg .npmrc CMakeLists.txt mix.exs Directory.Build.props .editorconfig .golangci.yml .rubocop.yml deno.json bunfig.toml cypress.config.ts src/setupTests.ts .nycrc .swcrc turbo.json jest.preset.js tstyche.config.json testem.js .testcaferc.json .labrc.js .dependency-cruiser.cjs .size-limit.json knip.json project.json xunit.runner.json tests/bootstrap.php .busted .luacheckrc .proverc typos.toml cspell.json .vale.ini .hadolint.yaml .yamllint .gitleaks.toml sonar-project.properties deny.toml .swiftformat uv.toml .codecov.yml cabal.project shard.yml pants.toml tools/defs.bzl WORKSPACE.bazel prek.toml hk.pkl captainhook.json grumphp.yml .lefthook/pre-push/a.sh .git-hooks/pre-push .trunk/trunk.yaml mise-tasks/check .mise/tasks/check'.split(
      ' ',
    ),
  )('E13: %s', (path) => {
    expect(isRunnerFile(path)).toBe(true);
    expect(judges('npm test', {}, [path])).toEqual([path]);
  });

  it.each([
    'pytest.py',
    'unittest/__init__.py',
    'tests/json.py',
    'pluggy.py',
    '.yarn/releases/yarn-4.1.0.cjs',
    'packages/a/.yarn/plugins/x.cjs',
    '.pnp.cjs',
    '.pnp.loader.mjs',
    '.env.test.local',
  ])('E13: %s is loaded in place of what a runner would load, or before it', (path) =>
    expect(judges('python -m unittest', {}, [path])).toEqual([path]),
  );

  it.each([
    'src/logging.py',
    'pkg/tests/json.py',
    'jsonx.py',
    '.yarn/cache/a.zip',
    'src/index.ts',
    'README.md',
    'test/sum.test.ts',
    'src/config.ts',
    'tests/fixtures/tsconfig.json',
    'src/hooks/useX.ts',
    'package-lock.json',
    'docs/setup.md',
    'src/build.ts',
    'src/workspace.ts',
    'src/nextPage.ts',
    'src/lab.ts',
    'lib/intern.rb',
    'src/mocha.ts',
    'src/color-preset.ts',
    'app/bootstrap.php',
    'src/knip.test.tsx.snap',
  ])('E13: %s is none', (path) => expect(isRunnerFile(path)).toBe(false));
});

describe('a manifest', () => {
  const of = (more: object): string =>
    JSON.stringify({ name: 'a', scripts: { test: 'node --test' }, ...more });

  it('E13: judges by its scripts and the settings of tools, not by what it depends on', () => {
    const base = of({});
    for (const ordinary of [{ version: '2.0.0' }, { dependencies: { x: '1' } }, { description: 'b' }])
      expect(changesCheckConfig(base, of(ordinary))).toBe(false);
    for (const judging of [
      { scripts: { test: 'true' } },
      { jest: { bail: 1 } },
      { mocha: {} },
      { eslintConfig: {} },
      { c8: {} },
    ])
      expect(changesCheckConfig(base, of(judging))).toBe(true);
    expect([
      changesCheckConfig(null, base),
      changesCheckConfig(base, null),
      changesCheckConfig(base, '{'),
    ]).toEqual([true, true, true]);
  });

  it('E13: with the scripts of the base keeps the dependencies of the change', () => {
    const mixed = withCheckConfigFields(
      of({ dependencies: {} }),
      of({ scripts: { test: 'true' }, dependencies: { x: '1' } }),
    );
    expect(JSON.parse(mixed ?? '')).toEqual({
      name: 'a',
      dependencies: { x: '1' },
      scripts: { test: 'node --test' },
    });
    expect(withCheckConfigFields(null, of({}))).toBeNull();
  });
});
