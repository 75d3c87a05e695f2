/** Which dependencies a manifest declares otherwise than before, whatever its format. */
import { describe, expect, it } from 'vitest';
import { compareDependencies } from '#tools/packages';

const added = (path: string, source: string): string[] =>
  compareDependencies(path, '', source).map(({ name, version }) => `${name} ${version ?? 'gone'}`.trim());

const MANIFESTS: readonly [path: string, source: string, declares: readonly string[]][] = [
  [
    'package.json',
    '{"name":"x","scripts":{"test":"jest"},"dependencies":{"left-pad":"^1.3.0"},"devDependencies":{"jest":"29"}}',
    ['left-pad ^1.3.0', 'jest 29'],
  ],
  ['a/composer.json', '{"require":{"monolog/monolog":"^3"},"scripts":{"x":"y"}}', ['monolog/monolog ^3']],
  [
    'requirements-dev.txt',
    '# comment\n-r base.txt\n--index-url https://pypi.example\nflask[async]>=2,<3 ; python_version < "3.12"\nrequests==2.31.0\r\ngit+https://github.com/a/b.git@v1\n',
    ['flask >=2,<3', 'requests ==2.31.0', 'git+https://github.com/a/b.git@v1'],
  ],
  [
    'pyproject.toml',
    '[project]\nname = "x"\ndependencies = [\n  "requests>=2",\n  "httpx", # why\n]\n[project.optional-dependencies]\ndev = ["pytest~=8"]\n[tool.poetry.group.dev.dependencies]\nmypy = { version = "^1.8", extras = ["d"] }\n[tool.ruff]\nline-length = 100\n',
    ['requests >=2', 'httpx', 'pytest ~=8', 'mypy ^1.8'],
  ],
  ['Pipfile', '[packages]\nrequests = "*"\n[scripts]\nx = "y"\n', ['requests *']],
  [
    'Cargo.toml',
    '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\nserde = { version = "1.0", features = ["derive"] }\nrand = "0.8"\n[dev-dependencies.insta]\nversion = "1.3"\n[target."cfg(unix)".dependencies]\nlibc = "0.2"\n',
    ['serde 1.0', 'rand 0.8', 'insta 1.3', 'libc 0.2'],
  ],
  [
    'go.mod',
    'module x\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\nrequire (\n\tgolang.org/x/net v0.20.0 // indirect\n)\nreplace github.com/a/b => ../b\n',
    ['github.com/a/b v1.2.3', 'golang.org/x/net v0.20.0', 'github.com/a/b => ../b'],
  ],
  ['Gemfile', "source 'https://rubygems.org'\ngem 'rails', '~> 7.1'\ngem \"pg\"\n", ['rails ~> 7.1', 'pg']],
  [
    'pom.xml',
    '<project><artifactId>own</artifactId><dependencies><dependency>\n<groupId>org.x</groupId>\n<artifactId>lib</artifactId>\n<version>1.2</version></dependency></dependencies></project>',
    ['org.x:lib 1.2'],
  ],
  [
    'app/build.gradle.kts',
    'plugins { kotlin("jvm") version "2.0" }\ndependencies {\n  implementation("com.x:y:1.2")\n}\n',
    ['com.x:y 1.2'],
  ],
  ['mix.exs', 'defp deps do\n[\n  {:phoenix, "~> 1.7"},\n]\nend\n', ['phoenix ~> 1.7']],
  ['pubspec.yaml', 'name: x\ndependencies:\n  http: ^1.1.0\nflutter:\n  assets: y\n', ['http ^1.1.0']],
  [
    'Package.swift',
    '  .package(url: "https://github.com/a/b", from: "1.0.0"),\n',
    ['https://github.com/a/b 1.0.0'],
  ],
];

describe('dependencies that a change declares', () => {
  it.each(MANIFESTS)('C9: are read from %s', (path, source, declares) => {
    expect(added(path, source)).toEqual(declares);
  });

  it('C9: what is new comes first, then what changes or goes; what stays is not told', () => {
    const before = '{"dependencies":{"a":"1","gone":"2","stays":"3"}}';
    const after = '{"dependencies":{"a":"2","stays":"3","new":"4"}}';
    expect(compareDependencies('package.json', before, after)).toEqual([
      { name: 'new', was: null, version: '4', path: 'package.json' },
      { name: 'a', was: '1', version: '2', path: 'package.json' },
      { name: 'gone', was: '2', version: null, path: 'package.json' },
    ]);
  });

  it('C9: a manifest that cannot be read, or is none, names nothing', () => {
    expect(compareDependencies('package.json', null, '{"dependencies":')).toEqual([]);
    expect(compareDependencies('package.json', null, '[]')).toEqual([]);
    expect(compareDependencies('package.json', null, '{"dependencies":{"__proto__":"1"}}')).toHaveLength(1);
    expect(compareDependencies('src/package.ts', null, '{"dependencies":{"a":"1"}}')).toEqual([]);
  });
});
