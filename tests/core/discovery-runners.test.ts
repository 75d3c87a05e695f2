/** E7: what runners of environments and steps beside each other do in CI is read as it is run there. */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learn = (files: Files) => {
  const paths = Object.keys(files);
  const wanted = new Set(selectContractFiles(paths));
  const contract = discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
  const commandsOf = (all: readonly { command: string }[]): string[] =>
    all.map(({ command }) => command).sort();
  return { ...contract, run: commandsOf(contract.checks), installed: commandsOf(contract.installs) };
};
const workflow = (jobs: string): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n${jobs}`,
});
const job = (steps: string, more = '', name = 'test'): string =>
  `  ${name}:\n    runs-on: ubuntu-latest\n${more}    steps:\n${steps}`;

describe('an environment', () => {
  const pixi = { 'pixi.toml': '[feature.test.tasks]\nunit-test = "pytest"\n' };
  it('E7: of pixi is left to pixi where a job before chooses it', () => {
    const made =
      '    strategy:\n      matrix: ${{ fromJson(needs.setup.outputs.matrix) }}\n    env:\n      ENV: ${{ matrix.environment }}\n';
    const files = { ...workflow(job('      - run: pixi run -e "${ENV}" unit-test\n', made)), ...pixi };
    expect(learn(files).run).toEqual(['pixi run unit-test']);
    const named = job('      - run: pixi run -e test-core unit-test\n');
    expect(learn({ ...workflow(named), ...pixi }).run).toEqual(['pixi run -e test-core unit-test']);
  });
  it('E7: of hatch may be told its Python, and is installed by hatch alone', () => {
    const files = {
      ...workflow(job('      - run: pip install hatch\n      - run: hatch run +py=3.12 test:cases\n')),
      'pyproject.toml': '[project]\nname = "x"\n[tool.hatch.envs.test.scripts]\ncases = "pytest"\n',
      'CONTRIBUTING.md': '# Development\n\n```\npip install -e .\n```\n',
    };
    expect(learn(files)).toMatchObject({ run: ['hatch run +py=3.12 test:cases'], installed: [] });
  });
  it('E7: of PyPy alone is no test of Python', () => {
    const pypy = job('      - run: pip install -e .\n      - run: pytest tests\n', '', 'pypy-suite');
    const own = { ...pixi, 'pyproject.toml': '[project]\nname = "x"\n' };
    const files = { ...workflow(pypy + job('      - run: pixi run unit-test\n')), ...own };
    expect(learn(files)).toMatchObject({ run: ['pixi run unit-test'], installed: ['pixi install'] });
  });
});

it('E7: steps that run beside each other are steps', () => {
  const beside = '      - parallel:\n        - run: npm run lint\n        - run: npm test\n';
  const scripts = { lint: 'eslint .', test: 'vitest run' };
  const files = { ...workflow(job(beside)), 'package.json': JSON.stringify({ scripts }) };
  expect(learn(files).run).toEqual(['npm run lint', 'npm test']);
});

it('E7: a pattern that leaves a few tests out is no part of them', () => {
  const command = 'bundle exec rspec spec --exclude-pattern=spec/integration/*_spec.rb';
  const files = { ...workflow(job(`      - run: ${command}\n`)), Gemfile: '', Rakefile: '' };
  expect(learn(files).run).toEqual([command]);
});

it('E7: a job about assets tests them', () => {
  const steps = '      - run: npm ci --prefix assets\n      - run: npm test --prefix assets\n';
  const files = {
    ...workflow(job(steps, '', 'assets')),
    'assets/package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
  };
  expect(learn(files).checks).toMatchObject([{ command: 'npm test', dir: 'assets' }]);
});

it('E7: the wrapper of one build system says that it is the one in use', () => {
  const both = { 'pom.xml': '<project/>', 'build.gradle': '', gradlew: '', 'src/main/java/A.java': '' };
  expect(learn(both)).toMatchObject({ packageManager: 'gradle' });
  expect(learn({ ...both, mvnw: '' })).toMatchObject({ packageManager: 'maven' });
});

describe('what CI makes on its way', () => {
  const python = { 'pyproject.toml': '[project]\nname = "x"\n' };
  it('E7: is neither a list of files to check nor a package to install', () => {
    const steps = [
      '      - run: curl -O https://example.org/nose-1.0-py3-none-any.whl\n',
      '      - run: python -m pip install nose-1.0-py3-none-any.whl\n      - run: flake8 $(cat /tmp/changed)\n',
      '      - run: pytest\n',
    ].join('');
    const { installed, run } = learn({ ...workflow(job(steps)), ...python });
    expect(installed).toEqual(['pip install -e .']);
    expect(run).toEqual(['pytest']);
  });
  it('E7: is told from a list that the repository has', () => {
    const files = { ...workflow(job('      - run: flake8 $(cat lists/files)\n')), ...python };
    expect(learn({ ...files, 'lists/files': '' }).run).toContain('flake8 $(cat lists/files)');
  });
  it('E7: is no variable of a check: where coverage is written', () => {
    const env = '    env:\n      COVERAGE_FILE: coverage/.coverage\n      STRICT: 1\n';
    const { checks } = learn({ ...workflow(job('      - run: pytest\n', env)), ...python });
    expect(checks).toMatchObject([{ command: 'STRICT=1 pytest' }]);
  });
});

it('E7: a program of the repository that builds and tests is told what to do by a word', () => {
  const report = '        env:\n          GOFLAGS: -json\n          LOKI_URL: ${{ secrets.LOKI_URL }}\n';
  const steps = `      - run: go run build.go test | json-to-report\n${report}      - run: go test -v ./meta\n`;
  const files = { ...workflow(job(steps)), 'go.mod': 'module x\n', 'build.go': '' };
  expect(learn(files).run).toEqual(['go run build.go test']);
});

it('E7: a task that runs several targets tests where one of them does', () => {
  const scripts = {
    'test:pr': 'nx affected --targets=test:sherif,test:eslint,test:lib',
    'test:eslint': 'nx affected --target=test:eslint',
    'test:lib': 'nx affected --target=test:lib',
    'test:sherif': 'sherif',
  };
  const files = {
    ...workflow(job('      - run: npm run test:pr\n')),
    'package.json': JSON.stringify({ scripts }),
  };
  expect(learn(files).checks.find(({ command }) => command === 'npm run test:pr')).toMatchObject({
    name: 'test',
  });
});

it('E7: the README of a part is no guide', () => {
  const says = 'The harness runs code written by an LLM without any human review or supervision!\n';
  const files = {
    'CONTRIBUTING.md': 'Developers find more in the [README of the benchmark](benchmark/README.md).\n',
    'benchmark/README.md': says,
  };
  expect(learn(files).rules).toEqual([]);
});

describe('what stands in for what CI runs', () => {
  it('E7: is no script of another folder, and no test of a static library', () => {
    const guide = '## Test\n\n```\n./test.sh\n```\n';
    expect(learn({ 'CONTRIBUTING.md': guide, 'parts/test.sh': '' }).run).toEqual([]);
    expect(learn({ 'CONTRIBUTING.md': guide, 'test.sh': '' }).run).toEqual(['./test.sh']);
    const Makefile = 'test: a\n\t./a\nstatic-test: b\n\t./b\n';
    expect(learn({ Makefile }).run).toEqual(['make test']);
  });
  it('E7: has the folder and the number of processors that CI has, and no action as a variable', () => {
    const env = '    env:\n      CHECKOUT: actions/checkout@df4cb1c069e1874edd31b4311f1884172cec0e10\n';
    const steps =
      '      - run: cmake -B build -S $GITHUB_WORKSPACE\n      - run: cmake --build build -j `nproc`\n';
    const { checks } = learn({ ...workflow(job(steps, env, 'build')), 'CMakeLists.txt': 'project(x)\n' });
    expect(checks.find(({ name }) => name === 'build')).toMatchObject({
      command: 'cmake --build build -j $(nproc)',
    });
  });
});
