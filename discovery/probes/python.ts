/** Probes Python: manager by lockfile or table, pytest or unittest, configured linters. */
import { formatsInPlace, toNoDiffCommand } from '../formatter-tasks.ts';
import { findTaskPurpose } from '../task-purpose.ts';
import { readTaskBodies } from './native-builds.ts';
import {
  sourceLocation,
  isPlainName,
  type ProjectProbe,
  type ProbeResult,
  type ProjectFolder,
} from '../probe-types.ts';

type Manager = { name: string; install: string | null; prefix: string; source: string };

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
const hasTable = (text: string, name: string): boolean =>
  new RegExp(`^\\[+${name.replace(/\./g, '\\.')}(?:\\.|\\])`, 'm').test(text);

const keysIn = (text: string, name: string): string[] => {
  const escaped = name.replace(/[.]/g, '\\.');
  const section =
    new RegExp(`^\\[${escaped}\\][ \\t]*\\r?\\n([\\s\\S]{0,20000}?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(
      text,
    )?.[1] ?? '';
  return [...section.matchAll(/^["']?([\w-]+)["']?\s*=/gm)].map((m) => m[1] ?? '');
};

const WANTED = ['test', 'tests', 'testing', 'dev', 'develop', 'development', 'lint', 'all-dev'];
const chooseExtras = (names: readonly string[]): string[] => {
  const found = WANTED.filter((n) => names.includes(n));
  return found.includes('dev')
    ? ['dev', ...found.filter((n) => /^tests?$|testing/.test(n))]
    : found.slice(0, 2);
};

const hasLines = (text: string | null): boolean =>
  (text ?? '').split(/\r?\n/).some((l) => l.trim() !== '' && !/^\s*#/.test(l));

const withPip = (project: ProjectFolder, pyproject: string): Manager => {
  const files = project.paths
    .filter(
      (p) =>
        /^(?:requirements\/)?(?:requirements[-_.]?)?(?:dev|tests?|testing|development|requirements)?(?:[-_]requirements)?\.(?:txt|in)$/.test(
          p,
        ) &&
        p.endsWith('.txt') &&
        hasLines(project.read(p)),
    )
    .sort();
  const extras = chooseExtras(keysIn(pyproject, 'project.optional-dependencies'));
  const group = chooseExtras(keysIn(pyproject, 'dependency-groups'))[0];
  const packaged =
    hasTable(pyproject, 'project') ||
    /install_requires|setup\(/.test(`${project.read('setup.py') ?? ''}${project.read('setup.cfg') ?? ''}`) ||
    /^\[metadata\]/m.test(project.read('setup.cfg') ?? '');
  const wants = [
    ...files.map((f) => `-r ${f}`),
    ...(packaged ? [extras.length > 0 ? `-e '.[${extras.join(',')}]'` : '-e .'] : []),
    ...(group !== undefined && files.length === 0 && extras.length === 0 ? [`--group ${group}`] : []),
  ];
  const source = files[0] ?? ['pyproject.toml', 'setup.py', 'setup.cfg'].find((f) => project.has(f)) ?? '';
  return {
    name: 'pip',
    install: wants.length === 0 ? null : `pip install ${wants.join(' ')}`,
    prefix: '',
    source,
  };
};

const findManager = (project: ProjectFolder, pyproject: string): Manager | null => {
  const { has } = project;
  if (has('pixi.toml') || hasTable(pyproject, 'tool.pixi'))
    return {
      name: 'pixi',
      install: 'pixi install',
      prefix: 'pixi run ',
      source: has('pixi.toml') ? 'pixi.toml' : sourceLocation('pyproject.toml', pyproject, '[tool.pixi'),
    };
  if (
    has('uv.lock') ||
    /^\[tool\.uv\.(?:sources|workspace)|^\[tool\.uv\]\s[^[]*dev-dependencies/m.test(pyproject)
  )
    return {
      name: 'uv',
      install: uvSync(pyproject),
      prefix: 'uv run ',
      source: has('uv.lock') ? 'uv.lock' : sourceLocation('pyproject.toml', pyproject, '[tool.uv'),
    };
  if (hasTable(pyproject, 'tool.poetry') || (has('poetry.lock') && !hasTable(pyproject, 'tool.hatch.envs')))
    return {
      name: 'poetry',
      install: 'poetry install',
      prefix: 'poetry run ',
      source: sourceLocation('pyproject.toml', pyproject, '[tool.poetry'),
    };
  if (has('pdm.lock') || hasTable(pyproject, 'tool.pdm.dev-dependencies'))
    return {
      name: 'pdm',
      install: 'pdm install',
      prefix: 'pdm run ',
      source: has('pdm.lock') ? 'pdm.lock' : 'pyproject.toml',
    };
  if (has('Pipfile'))
    return { name: 'pipenv', install: 'pipenv install --dev', prefix: 'pipenv run ', source: 'Pipfile' };
  return null;
};

/** uv installs group `dev` by default; other test groups are named. */
const uvSync = (pyproject: string): string => {
  const groups = keysIn(pyproject, 'dependency-groups');
  if (groups.length > 0 || /^dev-dependencies\s*=/m.test(pyproject)) return 'uv sync';
  const extras = chooseExtras(keysIn(pyproject, 'project.optional-dependencies'));
  return ['uv sync', ...extras.slice(0, 1).map((e) => `--extra ${e}`)].join(' ');
};

const MARKERS = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'tox.toml',
  'noxfile.py',
  'pytest.ini',
  'Pipfile',
];

type Settings = { project: ProjectFolder; pyproject: string; all: string };
type Task = { kind: 'lint' | 'format' | 'types'; command: string; source: string };

/** A pyproject with tool tables alone may configure a repository in another language. */
const isOtherLanguage = (
  { has, paths }: ProjectFolder,
  markers: readonly string[],
  pyproject: string,
): boolean => {
  const settingsOnly =
    markers.length === 1 &&
    markers[0] === 'pyproject.toml' &&
    !/^\[(?:project|build-system|tool\.poetry|dependency-groups|tool\.uv|tool\.pdm|tool\.hatch)\b/m.test(
      pyproject,
    );
  if (!settingsOnly) return false;
  const countFiles = (pattern: RegExp): number => paths.filter((p) => pattern.test(p)).length;
  const built = has('meson.build') || has('CMakeLists.txt') || has('configure.ac');
  return built ? countFiles(/\.py$/) < countFiles(/\.(?:c|cc|cpp|h)$/) : countFiles(/\.py$/) === 0;
};

const lintTasks = ({ project: { has, read }, pyproject, all }: Settings): Task[] => {
  if (/^\[tool\.ruff/m.test(pyproject) || has('ruff.toml') || has('.ruff.toml')) {
    const source = has('ruff.toml') ? 'ruff.toml' : sourceLocation('pyproject.toml', pyproject, '[tool.ruff');
    const formats =
      /^\[tool\.ruff\.format\]/m.test(pyproject) || /^\[format\]/m.test(read('ruff.toml') ?? '');
    return [
      { kind: 'lint', command: 'ruff check', source },
      ...(formats ? [{ kind: 'format', command: 'ruff format --check', source } as const] : []),
    ];
  }
  if (has('.flake8')) return [{ kind: 'lint', command: 'flake8', source: '.flake8' }];
  if (!/^\[flake8\]/m.test(all)) return [];
  const source = MARKERS.find((m) => /^\[flake8\]/m.test(read(m) ?? '')) ?? '';
  return [{ kind: 'lint', command: 'flake8', source }];
};

const blackTasks = ({ pyproject }: Settings): Task[] =>
  /^\[tool\.black\]/m.test(pyproject)
    ? [
        {
          kind: 'format',
          command: 'black --check .',
          source: sourceLocation('pyproject.toml', pyproject, '[tool.black]'),
        },
      ]
    : [];

const typeTasks = ({ project, pyproject, all }: Settings): Task[] => {
  const { has, read } = project;
  const hasMypy =
    /^\[tool\.mypy/m.test(pyproject) || has('mypy.ini') || has('.mypy.ini') || /^\[mypy\]/m.test(all);
  if (hasMypy) {
    const namesFiles =
      /^\s*files\s*=/m.test(read('mypy.ini') ?? '') ||
      /^\[tool\.mypy\][^[]*^files\s*=/m.test(pyproject) ||
      /^\[mypy\][^[]*^files\s*=/m.test(all);
    const command = namesFiles ? 'mypy' : `mypy ${targetsOfMypy(project) ?? '.'}`;
    const source = has('mypy.ini') ? 'mypy.ini' : sourceLocation('pyproject.toml', pyproject, '[tool.mypy');
    return [{ kind: 'types', command, source }];
  }
  if (!has('pyrightconfig.json') && !/^\[tool\.(?:based)?pyright\]/m.test(pyproject)) return [];
  const source = has('pyrightconfig.json')
    ? 'pyrightconfig.json'
    : sourceLocation('pyproject.toml', pyproject, '[tool.');
  return [{ kind: 'types', command: 'pyright', source }];
};

const usesHatch = ({ has }: ProjectFolder, pyproject: string): boolean =>
  hasTable(pyproject, 'tool.hatch.envs') || has('hatch.toml');
const usesTox = ({ has }: ProjectFolder, pyproject: string): boolean =>
  has('tox.ini') || hasTable(pyproject, 'tool.tox');

export const probePython: ProjectProbe = (project): ProbeResult | null => {
  const { has, read, paths } = project;
  const markers = MARKERS.filter(has);
  const requirements = paths.filter((p) => /^requirements[^/]*\.txt$/.test(p));
  if (markers.length === 0 && requirements.length === 0) return null;
  const pyproject = read('pyproject.toml') ?? '';
  if (isOtherLanguage(project, markers, pyproject)) return null;
  const { name, install, prefix, source } = findManager(project, pyproject) ?? withPip(project, pyproject);
  const all = [...markers, ...requirements].map((p) => read(p) ?? '').join('\n');
  const settings = { project, pyproject, all };
  const hatch = usesHatch(project, pyproject);
  const test = testOf(project, all, prefix, { hatch });
  const found: ProbeResult['found'] = [
    ...(install === null ? [] : [{ kind: 'install' as const, command: install, source }]),
    ...tasksOf(project, prefix),
    ...environmentsOf(project),
    ...[...lintTasks(settings), ...blackTasks(settings), ...typeTasks(settings)].map((task) => ({
      ...task,
      command: `${prefix}${task.command}`,
    })),
    ...(test ? [test] : []),
  ];
  const kinds = new Set<string>();
  const first = found.filter((f) => f.kind === 'install' || (!kinds.has(f.kind) && kinds.add(f.kind)));
  const runner = hatch ? 'hatch' : usesTox(project, pyproject) ? 'tox' : name;
  return { ecosystem: 'python', found: first, packageManager: name === 'pip' ? runner : name };
};

const LINT_SCRIPT = /^scripts?\/[\w-]*(?:lint|check|types?|mypy)[\w-]*(?:\.sh)?$/;
const targetsOfMypy = ({ paths, read }: ProjectFolder): string | undefined =>
  paths
    .filter((p) => LINT_SCRIPT.test(p))
    .slice(0, 10)
    .flatMap(
      (p) =>
        /^[ \t]*(?:(?:uv|poetry|pdm) run )?mypy ([\w./-]+(?: [\w./-]+){0,5})[ \t]*$/m.exec(
          read(p) ?? '',
        )?.[1] ?? [],
    )
    .find((said) => !said.startsWith('-'));

const ownName = (name: string): string => name.replace(/^[\w.-]+:/, '');

const tasksOf = (project: ProjectFolder, prefix: string): ProbeResult['found'] => {
  const text = project.read('pyproject.toml');
  const runner = /^\[tool\.poe\.tasks/m.test(text ?? '')
    ? 'poe'
    : /^\[tool\.hatch\.envs\./m.test(text ?? '') || project.has('hatch.toml')
      ? 'hatch'
      : project.has('pixi.toml') || /^\[tool\.pixi/m.test(text ?? '')
        ? 'pixi'
        : 'pdm';
  const tasks = readTaskBodies(project.read, runner);
  const kinds = ['lint', 'format', 'types', 'test'] as const;
  return kinds.flatMap((kind) => {
    const known = [...tasks.keys()].find((n) => {
      const [env] = n.split(':');
      const findTaskBody = (name: string): string | null =>
        tasks.get(name) ?? tasks.get(`${env}:${name}`) ?? null;
      return isPlainName(n) && findTaskPurpose(runner === 'hatch' ? ownName(n) : n, findTaskBody) === kind;
    });
    const writes =
      kind === 'format' && known === undefined
        ? [...tasks].find(([n, does]) => isPlainName(n) && formatsInPlace(ownName(n), does))?.[0]
        : undefined;
    const name = known ?? writes;
    if (name === undefined) return [];
    const command = runner === 'poe' ? `${prefix}poe ${name}` : `${runner} run ${name}`;
    return [
      {
        kind,
        command: known === undefined ? toNoDiffCommand(command) : command,
        source: sourceLocation(
          'pyproject.toml',
          text,
          new RegExp(`^"?${runner === 'hatch' ? ownName(name) : name}"?\\s*=`, 'm'),
        ),
      },
    ];
  });
};

const environmentsOf = ({ has, read }: ProjectFolder): ProbeResult['found'] =>
  [
    { runner: 'tox', option: '-e', file: ['tox.ini', 'tox.toml'].find(has) },
    { runner: 'nox', option: '-s', file: ['noxfile.py'].find(has) },
  ].flatMap(({ runner, option, file }) => {
    if (file === undefined) return [];
    const names = [...readTaskBodies(read, runner).keys()].filter(isPlainName);
    return (['lint', 'format', 'types'] as const).flatMap((kind) => {
      const name = names.find((one) => findTaskPurpose(one, () => null) === kind);
      const source = sourceLocation(file, read(file), name ?? '');
      return name === undefined ? [] : [{ kind, command: `${runner} ${option} ${name}`, source }];
    });
  });

const testOf = (
  project: ProjectFolder,
  settings: string,
  prefix: string,
  { hatch }: { hatch: boolean },
): ProbeResult['found'][number] | null => {
  const { has, paths } = project;
  const pyproject = project.read('pyproject.toml');
  if (has('manage.py') && !/\bpytest\b/.test(settings))
    return { kind: 'test', command: `${prefix}python manage.py test`, source: 'manage.py' };
  const tox = ['tox.ini', 'tox.toml'].find(has);
  const runner: ProbeResult['found'][number] | null = has('noxfile.py')
    ? { kind: 'test', command: 'nox', source: 'noxfile.py' }
    : tox !== undefined
      ? { kind: 'test', command: 'tox', source: tox }
      : null;
  // Without a manifest, only the runner knows what its tests need.
  const isBare = !paths.some((p) =>
    /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|requirements[^/]*\.txt)$/.test(p),
  );
  if (runner && isBare) return runner;
  const conftest = paths.find((p) => /(?:^|\/)conftest\.py$/.test(p));
  if (/\bpytest\b/.test(settings) || has('pytest.ini') || conftest !== undefined) {
    const where = /pytest/.test(pyproject ?? '')
      ? sourceLocation('pyproject.toml', pyproject, 'pytest')
      : has('pytest.ini')
        ? 'pytest.ini'
        : (conftest ?? ['tox.ini', 'setup.cfg', 'setup.py'].find(has) ?? '');
    return {
      kind: 'test',
      command: hatch && prefix === '' ? 'hatch test' : `${prefix}pytest`,
      source: where,
    };
  }
  if (runner) return runner;
  const test = paths.find((p) => TEST_FILE.test(p) && /^(?:tests?\/|[^/]+$)/.test(p));
  if (test === undefined) return null;
  const dir = /^(tests?)\//.exec(test)?.[1];
  const from = dir !== undefined && !has(`${dir}/__init__.py`) ? ` -s ${dir}` : '';
  const pattern = /_test\.py$/.test(test) ? " -p '*_test.py'" : '';
  return {
    kind: 'test',
    command: `${prefix}python -m unittest discover${from}${pattern}`.replace(
      'python -m',
      prefix === '' ? 'python3 -m' : 'python -m',
    ),
    source: test,
  };
};
