/** Python repositories: pytest or unittest, and the linters that are configured, in an environment of the run's own. */
import type { ProbedCheck, ProbeResult, Probe } from './probe.ts';

type Manager = { name: string; install: string | null; prefix: string };

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

const managed = (paths: ReadonlySet<string>): Manager | null => {
  if (paths.has('uv.lock'))
    return { name: 'uv', install: 'uv sync --locked', prefix: 'uv run --locked python -m' };
  if (paths.has('poetry.lock'))
    return { name: 'poetry', install: 'poetry install --no-interaction', prefix: 'poetry run python -m' };
  if (paths.has('pdm.lock')) return { name: 'pdm', install: 'pdm sync', prefix: 'pdm run python -m' };
  if (paths.has('Pipfile.lock'))
    return { name: 'pipenv', install: 'pipenv sync --dev', prefix: 'pipenv run python -m' };
  return null;
};

const hasLines = (text: string | null): boolean =>
  (text ?? '').split(/\r?\n/).some((l) => l.trim() !== '' && !/^\s*#/.test(l));

/** Extras of `[project.optional-dependencies]` that hold what tests need. */
const extras = (pyproject: string): string => {
  const section =
    /^\[project\.optional-dependencies\]([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(pyproject)?.[1] ?? '';
  const names = ['test', 'tests', 'testing', 'dev'].filter((n) =>
    new RegExp(`^${n}\\s*=`, 'm').test(section),
  );
  return names.length > 0 ? `[${names.join(',')}]` : '';
};

const withPip = (paths: ReadonlySet<string>, read: (path: string) => string | null): Manager => {
  const files = [...paths]
    .filter((p) => /^requirements(?:[-_.](?:dev|tests?|testing))?\.txt$/.test(p) && hasLines(read(p)))
    .sort();
  const pyproject = read('pyproject.toml') ?? '';
  const project =
    /^[ \t]*dependencies[ \t]*=[ \t]*\[[^\S\n]*["'#\n]/m.test(pyproject) || extras(pyproject) !== '';
  const legacy = /install_requires/.test(`${read('setup.py') ?? ''}${read('setup.cfg') ?? ''}`);
  const wants = [
    ...files.map((f) => `-r ${f}`),
    ...(project || legacy ? [`-e '.${extras(pyproject)}'`] : []),
  ];
  if (wants.length === 0) return { name: 'pip', install: null, prefix: 'python3 -m' };
  const pip = '.venv/bin/python -m pip install --quiet';
  return {
    name: 'pip',
    install: `python3 -m venv .venv && ${pip} ${wants.join(' ')}`,
    prefix: '.venv/bin/python -m',
  };
};

const testCheck = (paths: ReadonlySet<string>, settings: string, prefix: string): ProbedCheck | null => {
  const all = [...paths];
  const withPytest =
    /\bpytest\b/.test(settings) ||
    paths.has('pytest.ini') ||
    all.some((p) => /(?:^|\/)conftest\.py$/.test(p));
  if (withPytest) return { name: 'test', command: `${prefix} pytest -q`, source: 'pytest is configured' };
  const test = all.find((p) => TEST_FILE.test(p));
  if (test === undefined) return null;
  const dir = /^(tests?)\//.exec(test)?.[1];
  const from = dir !== undefined && !paths.has(`${dir}/__init__.py`) ? ` -s ${dir}` : '';
  const pattern = /_test\.py$/.test(test) ? " -p '*_test.py'" : '';
  return { name: 'test', command: `${prefix} unittest discover${from}${pattern}`, source: test };
};

export const python: Probe = (paths, read): ProbeResult | null => {
  const markers = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'Pipfile'];
  const requirements = [...paths].filter((p) => /^requirements[^/]*\.txt$/.test(p));
  if (!markers.some((m) => paths.has(m)) && requirements.length === 0) return null;
  const { name, install, prefix } = managed(paths) ?? withPip(paths, read);
  const settings = [...markers, ...requirements].map((p) => read(p) ?? '').join('\n');
  const pyproject = read('pyproject.toml') ?? '';
  const checks: ProbedCheck[] = [];
  const add = (check: string, command: string, source: string): void =>
    void checks.push({ name: check, command: `${prefix} ${command}`, source });
  if (/^\[tool\.ruff/m.test(pyproject) || paths.has('ruff.toml') || paths.has('.ruff.toml'))
    add('lint', 'ruff check .', 'ruff is configured');
  else if (paths.has('.flake8') || /^\[flake8\]/m.test(settings))
    add('lint', 'flake8', 'flake8 is configured');
  if (/^\[tool\.mypy/m.test(pyproject) || paths.has('mypy.ini') || /^\[mypy\]/m.test(settings))
    add('typecheck', 'mypy .', 'mypy is configured');
  const test = testCheck(paths, settings, prefix);
  if (test) checks.push(test);
  return { packageManager: name, install, checks };
};
