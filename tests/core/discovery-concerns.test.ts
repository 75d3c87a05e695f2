/** E7: of several projects in one repository, a change is checked by those that it concerns. */
import { describe, expect, it } from 'vitest';
import { selectConcernedChecks } from '../../discovery/concerned-checks.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import type { Contract } from '#model/contract';

const learn = (files: Record<string, string>): Contract =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null);
const manifest = (name: string, dependencies: Record<string, string> = {}): string =>
  JSON.stringify({ name, scripts: { test: 'x' }, dependencies });
const of = (contract: Contract, ...changed: string[]): string[] =>
  selectConcernedChecks(contract, changed).checks.map((c) => `${c.dir} ${c.command}`.trim());

const apart = learn({
  'backend/pyproject.toml': '[project]\nname = "api"\n[tool.pytest.ini_options]\n',
  'backend/uv.lock': '',
  'frontend/package.json': manifest('web', { a: '1' }),
  'frontend/package-lock.json': '',
  'README.md': '',
});

describe('a repository of several projects', () => {
  it('E7: has the checks and the installation of each, with its own runner', () => {
    expect(apart.checks.map(({ name, dir, command }) => [name, dir, command])).toEqual([
      ['test', 'backend', 'uv run pytest'],
      ['frontend test', 'frontend', 'npm test'],
    ]);
    expect(apart.installs.map(({ dir, command }) => [dir, command])).toEqual([
      ['backend', 'uv sync'],
      ['frontend', 'npm ci'],
    ]);
    expect(apart.ecosystems).toEqual(['python', 'node']);
  });

  it('E7: checks the project that the change touches', () => {
    expect(of(apart, 'frontend/src/a.ts')).toEqual(['frontend npm test']);
    expect(of(apart, 'frontend/src/a.ts', 'backend/a.py')).toHaveLength(2);
    expect(selectConcernedChecks(apart, ['frontend/a.ts']).installs.map((i) => i.dir)).toEqual(['frontend']);
  });

  it('E7: checks everything for what all share, and for what belongs to no project', () => {
    for (const path of ['README.md', '.github/workflows/ci.yml', 'pnpm-lock.yaml', 'frontendx/a.ts'])
      expect(of(apart, path), path).toHaveLength(2);
  });

  it('E7: takes a folder of tests without a manifest for no project: its tests are those of what lies around it', () => {
    const step = (folder: string, line: string): string =>
      `      - run: ${line}\n        working-directory: ${folder}\n`;
    const files = {
      '.github/workflows/tests.yml': `on: pull_request\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n${step('lib', 'make test')}${step('lib/tests', './unittest.sh')}`,
      'lib/Makefile': 'test:\n\t./a.out\n',
      'lib/tests/unittest.sh': '',
      'lib/ini.c': '',
    };
    expect(of(learn(files), 'lib/ini.c')).toEqual(['lib make test', 'lib/tests ./unittest.sh']);
    const owned = learn({ ...files, 'lib/tests/package.json': manifest('of-tests') });
    expect(of(owned, 'lib/ini.c')).toEqual(['lib make test']);
    expect(of(owned, 'lib/tests/a.sh')).toHaveLength(2);
  });

  it('E7: checks what needs the changed project, through others, and the root', () => {
    const many = learn({
      'package.json': JSON.stringify({ scripts: { test: 'x' } }),
      'core/package.json': manifest('@a/core'),
      'core/yarn.lock': '',
      'ui/package.json': manifest('@a/ui', { '@a/core': '*' }),
      'ui/yarn.lock': '',
      'app/package.json': manifest('@a/app', { u: 'file:../ui' }),
      'app/yarn.lock': '',
      'other/package.json': manifest('@a/other'),
      'other/yarn.lock': '',
    });
    expect(of(many, 'core/a.ts')).toEqual(['npm test', 'app yarn test', 'core yarn test', 'ui yarn test']);
    expect(of(many, 'app/a.ts')).toEqual(['npm test', 'app yarn test']);
    expect(of(many, 'docs/a.md')).toEqual(['npm test']);
    expect(of(many)).toEqual(['npm test']);
  });

  const command = (where: string, ...lines: string[]): string =>
    `  j${where}:\n    runs-on: ubuntu-latest\n    defaults: { run: { working-directory: ./${where} } }\n    steps:\n${lines.map((one) => `      - run: ${one}\n`).join('')}`;
  const ci = (...jobs: string[]): Record<string, string> => ({
    '.github/workflows/ci.yml': `on: [push, pull_request]\njobs:\n${jobs.join('')}`,
  });

  it('E7: checks all that needs a folder without a check of its own', () => {
    const shared = learn({
      'package.json': JSON.stringify({ scripts: { lint: 'eslint .' } }),
      'package-lock.json': '{}',
      'web/package.json': manifest('web', { shared: 'file:../shared' }),
      'web/package-lock.json': '{}',
      'api/package.json': manifest('api', { shared: 'file:../shared' }),
      'api/package-lock.json': '{}',
      'admin/package.json': manifest('admin'),
      'admin/package-lock.json': '{}',
      'shared/package.json': '{"name":"shared"}',
      'shared/index.ts': '',
      ...ci(
        command('', 'npm ci', 'npm run lint'),
        command('web', 'npm ci', 'npm test'),
        command('api', 'npm ci', 'npm test'),
        command('admin', 'npm ci', 'npm test'),
      ),
    });
    expect(of(shared, 'shared/index.ts')).toEqual(['npm run lint', 'api npm test', 'web npm test']);
    expect(of(shared, 'web/a.ts')).toEqual(['npm run lint', 'web npm test']);
    expect(of(shared, 'shared/README.md', 'README.md')).not.toContain('admin npm test');
    // Nobody knows what uses them.
    for (const path of ['proto/a.proto', 'schema/x.json', 'tool.ts', '.github/workflows/ci.yml'])
      expect(of(shared, path), path).toHaveLength(4);
    expect(of(shared, 'web/a.ts', 'proto/a.proto')).toHaveLength(4);
    expect(of(shared, 'README.md')).toEqual(['npm run lint']);
  });

  it('E7: checks all for code that only a linter of the root sees', () => {
    const python = learn({
      'requirements.txt': 'ruff\n',
      'backend/requirements.txt': 'pytest\n',
      'backend/tests/test_a.py': '',
      'common/util.py': '',
      ...ci(
        command('', 'pip install -r requirements.txt', 'ruff check .'),
        command('backend', 'pip install -r requirements.txt', 'pytest'),
      ),
    });
    expect(of(python, 'common/util.py')).toEqual(['ruff check .', 'backend pytest']);
    expect(of(python, 'notes.md')).toEqual(['ruff check .']);
  });

  it('E7: checks a folder for which CI names the changed files', () => {
    const workflow = (folder: string): string =>
      `on:\n  pull_request:\n    paths: ['${folder}/**', 'proto/**']\njobs:\n${command(folder, 'npm ci', 'npm test')}`;
    const named = learn({
      'web/package.json': manifest('web'),
      'web/package-lock.json': '{}',
      'api/package.json': manifest('api'),
      'api/package-lock.json': '{}',
      'proto/package.json': manifest('proto'),
      'proto/package-lock.json': '{}',
      '.github/workflows/web.yml': workflow('web'),
      '.github/workflows/api.yml': workflow('api'),
      '.github/workflows/proto.yml': workflow('proto').replace("'proto/**', ", ''),
    });
    expect(of(named, 'proto/a.proto')).toHaveLength(3);
    expect(of(named, 'web/a.ts')).toEqual(['web npm test']);
  });

  it('E7: members of a workspace are checked by it, unless workflows go into them', () => {
    const files = {
      'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { test: 'x' } }),
      'package-lock.json': '',
      'packages/a/package.json': manifest('a'),
    };
    expect(learn(files).checks.map((c) => c.dir)).toEqual(['']);
    const workflow =
      'on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    defaults: {run: {working-directory: packages/a}}\n    steps:\n      - run: npm test\n';
    expect(learn({ ...files, '.github/workflows/a.yml': workflow }).checks.map((c) => c.dir)).toContain(
      'packages/a',
    );
  });

  it('E7: projects that need each other end', () => {
    const circle = learn({
      'a/package.json': manifest('a', { b: 'file:../b' }),
      'a/yarn.lock': '',
      'b/package.json': manifest('b', { a: 'file:../a' }),
      'b/yarn.lock': '',
    });
    expect(of(circle, 'a/x')).toHaveLength(2);
  });
});

describe('path filters of workflows', () => {
  const workflow = (on: string, ...commands: string[]): string =>
    `on:\n${on}jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${commands.map((one) => `      - run: ${one}\n`).join('')}`;
  const filtered = learn({
    'package.json': JSON.stringify({ scripts: { lint: 'eslint .', test: 'vitest', build: 'tsc' } }),
    'package-lock.json': '{}',
    '.github/workflows/lint.yml': workflow('  pull_request:\n', 'npm ci', 'npm run lint'),
    '.github/workflows/ci.yml': workflow(
      "  pull_request:\n    paths-ignore: ['**.md', 'docs/**', '*.txt']\n",
      'npm ci',
      'npm test',
      'npm run build',
    ),
  });
  it('E7: a change that CI leaves out of a workflow is not checked by its commands', () => {
    for (const path of ['README.md', 'docs/a/b.ts', 'packages/a/notes.md', 'notes.txt'])
      expect(of(filtered, path), path).toEqual(['npm run lint']);
    for (const path of ['src/a.ts', 'src/notes.txt', '.github/workflows/ci.yml'])
      expect(of(filtered, path), path).toEqual(['npm run lint', 'npm test', 'npm run build']);
    expect(of(filtered, 'README.md', 'src/a.ts')).toHaveLength(3);
    expect(of(filtered)).toHaveLength(3);
  });
  it('E7: the last pattern that fits decides, and one workflow without a filter runs its command for all', () => {
    const two = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'eslint .' } }),
      '.github/workflows/a.yml': workflow(
        "  push:\n    paths: ['packages/**', '!packages/**/*.md', 'packages/core/README.md']\n",
        'npm test',
        'npm run lint',
      ),
      '.github/workflows/b.yml': workflow('  pull_request:\n', 'npm run lint'),
    });
    expect(of(two, 'packages/a/x.ts')).toHaveLength(2);
    expect(of(two, 'packages/a/x.md')).toEqual(['npm run lint']);
    expect(of(two, 'packages/core/README.md')).toHaveLength(2);
    expect(of(two, 'web/x.ts')).toEqual(['npm run lint']);
  });
  it('E7: a command that one workflow runs in another form for every change is run for every change', () => {
    const forms = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'eslint .' } }),
      '.github/workflows/a.yml': workflow(
        "  pull_request:\n    paths: ['src/**']\n",
        'npm test',
        'npm run lint',
      ),
      '.github/workflows/b.yml': workflow('  pull_request:\n', 'npm test -- --coverage'),
    });
    expect(of(forms, 'web/x.ts')).toEqual(['npm test']);
  });
  it.each([
    ['paths-ignore', "'docs/*'", 'docs/tool/run.py'],
    ['paths-ignore', "'docs'", 'docs/a.ts'],
    ['paths-ignore', "'*'", 'src/a.ts'],
    ['paths-ignore', "'Docs/**'", 'docs/x'],
    ['paths', "'**', '!tests/*'", 'tests/unit/a.py'],
    ['paths', "'**/a.py'", 'a.py'],
    ['paths', "'src/**/a.py'", 'src/a.py'],
    ['paths-ignore', `'${'a'.repeat(201)}', 'src/**'`, 'src/a.ts'],
    ['paths', `'${'a'.repeat(201)}', 'lib/**'`, 'src/a.ts'],
    ['paths-ignore', "'src/[ab].ts'", 'src/a.ts'],
  ])('E7: GitHub reads %s [%s] so that %s is tested', (key, patterns, path) => {
    const one = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'eslint .' } }),
      '.github/workflows/a.yml': workflow(`  pull_request:\n    ${key}: [${patterns}]\n`, 'npm test'),
      '.github/workflows/b.yml': workflow('  pull_request:\n', 'npm run lint'),
    });
    expect(of(one, path)).toContain('npm test');
  });
  it.each([
    ['paths-ignore', "'docs/*'", 'docs/a.md'],
    ['paths-ignore', "'*'", 'a.ts'],
    ['paths', "'docs'", 'docs/a.ts'],
    ['paths', "'**', '!tests/*'", 'tests/a.py'],
    ['paths', "'src/*.py'", 'src/a/b.py'],
    ['paths', "'SRC/**'", 'src/a'],
  ])('E7: GitHub reads %s [%s] so that %s is not tested', (key, patterns, path) => {
    const one = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest', lint: 'eslint .' } }),
      '.github/workflows/a.yml': workflow(`  pull_request:\n    ${key}: [${patterns}]\n`, 'npm test'),
      '.github/workflows/b.yml': workflow('  pull_request:\n', 'npm run lint'),
    });
    expect(of(one, path)).toEqual(['npm run lint']);
  });
  it('E7: a command of more workflows than are remembered runs for every change', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const many = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest' } }),
      '.github/workflows/z.yml': workflow('  pull_request:\n', 'npm run lint'),
      ...Object.fromEntries(
        names.map((one) => [
          `.github/workflows/${one}.yml`,
          workflow(`  pull_request:\n    paths: ['${one}/**']\n`, 'npm test'),
        ]),
      ),
    });
    expect(many.checks.find(({ command }) => command === 'npm test')?.filters).toBeUndefined();
  });
  it('E7: where CI runs nothing at all, the tests that are left are no worse than before', () => {
    const only = learn({
      'package.json': JSON.stringify({ scripts: { test: 'vitest' } }),
      '.github/workflows/ci.yml': workflow("  pull_request:\n    paths: ['src/**']\n", 'npm test'),
    });
    expect(of(only, 'README.md')).toEqual(['npm test']);
  });
});
