/** Probes languages whose tool builds and tests from one manifest, one row each. */
import { z } from 'zod';
import { findTaskPurpose } from '../task-purpose.ts';
import {
  sourceLocation,
  isPlainName,
  type CheckKind,
  type FoundCommand,
  type ProjectProbe,
  type ProbeResult,
  type ProjectFolder,
} from '../probe-types.ts';

type Said = readonly [kind: CheckKind | 'install', command: string, source: string];
const createProbeResult = (
  ecosystem: string,
  packageManager: string | null,
  said: readonly (Said | null)[],
): ProbeResult => ({
  ecosystem,
  packageManager,
  found: said.flatMap((s) => (s === null ? [] : [{ kind: s[0], command: s[1], source: s[2] }])),
});
const optionalCommand = (test: boolean, ...said: Said): Said | null => (test ? said : null);
const findMatchingPath = ({ paths }: ProjectFolder, pattern: RegExp): string | undefined =>
  paths.find((p) => pattern.test(p));
const readProjectText = (project: ProjectFolder, file: string): string => project.read(file) ?? '';

export const probeGo: ProjectProbe = (project) => {
  if (!project.has('go.mod')) return null;
  const config = findMatchingPath(project, /^\.golangci\.(?:ya?ml|toml|json)$/);
  return createProbeResult('go', 'go', [
    optionalCommand(
      /^[ \t]*require\b/m.test(readProjectText(project, 'go.mod')),
      'install',
      'go mod download',
      sourceLocation('go.mod', project.read('go.mod'), /^[ \t]*require\b/m),
    ),
    config === undefined ? null : ['lint', 'golangci-lint run', config],
    ['test', 'go test ./...', 'go.mod'],
    ['build', 'go build ./...', 'go.mod'],
  ]);
};

export const probeRust: ProjectProbe = (project) => {
  if (!project.has('Cargo.toml')) return null;
  const toml = project.read('Cargo.toml');
  const all = /^\[workspace\]/m.test(toml ?? '') && /^\[package\]/m.test(toml ?? '') ? ' --workspace' : '';
  const clippy =
    findMatchingPath(project, /^\.?clippy\.toml$/) ??
    (/^\[(?:workspace\.)?lints\.clippy\]/m.test(toml ?? '')
      ? sourceLocation('Cargo.toml', toml, 'lints.clippy')
      : undefined);
  const fmt = findMatchingPath(project, /^\.?rustfmt\.toml$/);
  return createProbeResult('rust', 'cargo', [
    clippy === undefined ? null : ['lint', `cargo clippy${all} --all-targets`, clippy],
    fmt === undefined ? null : ['format', `cargo fmt --all -- --check`, fmt],
    ['test', `cargo test${all}`, 'Cargo.toml'],
    ['build', `cargo build${all}`, 'Cargo.toml'],
  ]);
};

export const probeJava: ProjectProbe = (project) => {
  const countFiles = (pattern: RegExp): number => project.paths.filter((p) => pattern.test(p)).length;
  const kotlin = countFiles(/(?:^|\/)src\/.*\.kt$/);
  const ecosystem = kotlin > countFiles(/(?:^|\/)src\/.*\.java$/) ? 'kotlin' : 'java';
  // A wrapper says which of two build systems is the one in use.
  const isByGradle = project.has('gradlew') && !project.has('mvnw');
  if (project.has('pom.xml') && !isByGradle) {
    const mvn = project.has('mvnw') ? './mvnw' : 'mvn';
    const pom = project.read('pom.xml');
    const format = /spotless-maven-plugin/.test(pom ?? '')
      ? 'spotless:check'
      : /fmt-maven-plugin/.test(pom ?? '')
        ? 'fmt:check'
        : null;
    return createProbeResult(ecosystem, 'maven', [
      format === null
        ? null
        : ['format', `${mvn} ${format}`, sourceLocation('pom.xml', pom, /spotless-maven|fmt-maven/)],
      ['test', `${mvn} test`, 'pom.xml'],
      ['build', `${mvn} compile`, 'pom.xml'],
    ]);
  }
  const build = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'].find(
    project.has,
  );
  if (build === undefined) return null;
  const gradle = project.has('gradlew') ? './gradlew' : 'gradle';
  const said = project.read(build);
  // A multiplatform project has no task called `test`.
  const multiplatform = findMatchingPath(project, /(?:^|\/)src\/(?:common|jvm)Main\//) !== undefined;
  return createProbeResult(ecosystem, 'gradle', [
    optionalCommand(
      /spotless/.test(said ?? ''),
      'format',
      `${gradle} spotlessCheck`,
      sourceLocation(build, said, 'spotless'),
    ),
    ['test', `${gradle} ${multiplatform ? 'check' : 'test'}`, build],
    ['build', `${gradle} assemble`, build],
  ]);
};

export const probeRuby: ProjectProbe = (project) => {
  const gemspec = findMatchingPath(project, /^[^/]+\.gemspec$/);
  const code = findMatchingPath(project, /^(?:lib|app|spec|test|bin|exe|src)\/.*\.rb$/);
  if (gemspec === undefined && (!project.has('Gemfile') || code === undefined)) return null;
  const rake = readProjectText(project, 'Rakefile');
  const specs = findMatchingPath(project, /^spec\/.*_spec\.rb$/);
  const tests = findMatchingPath(project, /^test\/.*(?:_test|test_[^/]*)\.rb$/);
  const rails = project.has('bin/rails') || project.has('config/application.rb');
  // Without a Gemfile, bundler starts nothing.
  const by = project.has('Gemfile') ? 'bundle exec ' : '';
  const test =
    /RSpec::Core::RakeTask|rspec/.test(rake) && /task (?:default|:default)/.test(rake)
      ? `${by}rake`
      : specs !== undefined
        ? `${by}rspec`
        : rails && tests !== undefined
          ? 'bin/rails test'
          : /TestTask|task :test\b|task test:/.test(rake)
            ? `${by}rake test`
            : null;
  return createProbeResult('ruby', project.has('Gemfile') ? 'bundler' : null, [
    optionalCommand(project.has('Gemfile'), 'install', 'bundle install', 'Gemfile'),
    optionalCommand(project.has('.rubocop.yml'), 'lint', `${by}rubocop`, '.rubocop.yml'),
    optionalCommand(project.has('.standard.yml'), 'lint', `${by}standardrb`, '.standard.yml'),
    test === null
      ? null
      : [
          'test',
          test,
          project.has('Rakefile') && test.includes('rake') ? 'Rakefile' : (specs ?? tests ?? 'Gemfile'),
        ],
  ]);
};

export const probeElixir: ProjectProbe = (project) => {
  if (project.has('rebar.config') && !project.has('mix.exs'))
    return createProbeResult('erlang', 'rebar3', [
      ['test', 'rebar3 eunit', 'rebar.config'],
      ['build', 'rebar3 compile', 'rebar.config'],
    ]);
  if (!project.has('mix.exs')) return null;
  const mix = project.read('mix.exs');
  return createProbeResult('elixir', 'mix', [
    ['install', 'mix deps.get', 'mix.exs'],
    optionalCommand(
      project.has('.formatter.exs'),
      'format',
      'mix format --check-formatted',
      '.formatter.exs',
    ),
    optionalCommand(
      /:credo\b/.test(mix ?? ''),
      'lint',
      'mix credo',
      sourceLocation('mix.exs', mix, ':credo'),
    ),
    optionalCommand(
      /:dialyxir\b/.test(mix ?? ''),
      'types',
      'mix dialyzer',
      sourceLocation('mix.exs', mix, ':dialyxir'),
    ),
    ['test', 'mix test', 'mix.exs'],
    ['build', 'mix compile', 'mix.exs'],
  ]);
};

export const probeDotnet: ProjectProbe = (project) => {
  const file =
    findMatchingPath(project, /^[^/]+\.slnx?$/) ??
    findMatchingPath(project, /^[^/]+\.(?:cs|fs|vb)proj$/) ??
    findMatchingPath(project, /^(?:src\/)?[^/]+\.slnx?$/) ??
    findMatchingPath(
      project,
      /^(?:src\/)?(?:[^/]+\/)?(?![^/]*(?:bench|sample|example|demo))[^/]+\.(?:slnx?|csproj|fsproj)$/i,
    );
  if (file === undefined || /\/[^/]+\.slnx?$/.test(file)) return null;
  const named = /\.slnx?$/.test(file) ? (project.read(file) ?? '') : '';
  if (/\.vcxproj\b/i.test(named) && !/\.(?:cs|fs|vb)proj\b/i.test(named)) return null;
  const inside = file.includes('/') ? ` ${file}` : '';
  return createProbeResult('dotnet', 'dotnet', [
    ['test', `dotnet test${inside}`, file],
    ['build', `dotnet build${inside}`, file],
  ]);
};

export const probeSwift: ProjectProbe = (project) => {
  // Other projects ship one only for use from Swift.
  const own = /(?<!(?:^|\/)Package(?:@swift-[\d.]+)?)\.swift$/;
  if (!project.has('Package.swift') || findMatchingPath(project, own) === undefined) return null;
  const lint = findMatchingPath(project, /^\.swiftlint\.ya?ml$/);
  const style = findMatchingPath(project, /^\.swift-format$/);
  return createProbeResult('swift', 'swift', [
    lint === undefined ? null : ['lint', 'swiftlint', lint],
    style === undefined ? null : ['format', 'swift format lint --recursive --parallel .', style],
    optionalCommand(
      findMatchingPath(project, /^Tests\//) !== undefined,
      'test',
      'swift test',
      'Package.swift',
    ),
    ['build', 'swift build', 'Package.swift'],
  ]);
};

export const probeZig: ProjectProbe = (project) => {
  if (!project.has('build.zig')) return null;
  const build = project.read('build.zig');
  return createProbeResult('zig', 'zig', [
    optionalCommand(
      /step\(\s*"test"/.test(build ?? ''),
      'test',
      'zig build test',
      sourceLocation('build.zig', build, /step\(\s*"test"/),
    ),
    ['build', 'zig build', 'build.zig'],
  ]);
};

export const probeHaskell: ProjectProbe = (project) => {
  const cabal = findMatchingPath(project, /^[^/]+\.cabal$/);
  if (project.has('stack.yaml') && !project.has('cabal.project'))
    return createProbeResult('haskell', 'stack', [
      ['test', 'stack test', 'stack.yaml'],
      ['build', 'stack build', 'stack.yaml'],
    ]);
  if (cabal === undefined && !project.has('cabal.project')) return null;
  const several = project.paths.filter((p) => p.endsWith('.cabal')).length > 1;
  const all = several && project.has('cabal.project') ? ' all' : '';
  const source = cabal ?? 'cabal.project';
  return createProbeResult('haskell', 'cabal', [
    ['test', `cabal test${all}`, source],
    ['build', `cabal build${all}`, source],
  ]);
};

const MAX_SCRIPTS = 300;
const Composer = z.object({ scripts: z.record(z.string(), z.unknown()).optional().catch(undefined) });
export const composerScripts = (text: string | null): Record<string, string> => {
  try {
    const scripts = Composer.safeParse(JSON.parse(text ?? '{}')).data?.scripts ?? {};
    return Object.fromEntries(
      Object.entries(scripts)
        .slice(0, MAX_SCRIPTS)
        .map(([k, v]) => [k, Array.isArray(v) ? v.map(String).join(' && ') : String(v)]),
    );
  } catch {
    return {};
  }
};

/** An extension in C: `phpize` makes its Makefile, whose tests ask and pass unless they are told not to. */
const probePhpExtension: ProjectProbe = (project) => {
  const configured = project.read('config.m4');
  if (configured === null || !/^[ \t]*PHP_NEW_EXTENSION\b/m.test(configured)) return null;
  if (findMatchingPath(project, /^tests\/.*\.phpt$/) === undefined) return null;
  const test = 'NO_INTERACTION=1 REPORT_EXIT_STATUS=1 make test';
  const before = ['phpize', './configure', 'make'];
  const found = [{ kind: 'test' as const, command: test, source: 'config.m4', before }];
  return { ecosystem: 'php', packageManager: null, found };
};

export const probePhp: ProjectProbe = (project) => {
  if (!project.has('composer.json')) return probePhpExtension(project);
  const json = project.read('composer.json');
  const scripts = composerScripts(json);
  const findFirstFile = (...names: string[]): string | undefined => names.find(project.has);
  const findScript = (name: string): string | null =>
    Object.hasOwn(scripts, name) ? (scripts[name] ?? null) : null;
  const plain = Object.keys(scripts).filter((n) => isPlainName(n));
  const kinds = new Map(plain.map((n) => [n, findTaskPurpose(n, findScript)]));
  const pickCommand = (kind: CheckKind, tool: string | null): Said | null => {
    const name = plain.find((n) => kinds.get(n) === kind);
    if (name !== undefined)
      return [kind, `composer ${name}`, sourceLocation('composer.json', json, `"${name}"`)];
    return tool === null ? null : [kind, tool, 'composer.json'];
  };
  const unit = findFirstFile('phpunit.xml.dist', 'phpunit.xml', 'phpunit.dist.xml');
  const stan = findFirstFile('phpstan.neon.dist', 'phpstan.neon', 'phpstan.dist.neon');
  const psalm = findFirstFile('psalm.xml', 'psalm.xml.dist');
  const fixer = findFirstFile('.php-cs-fixer.dist.php', '.php-cs-fixer.php');
  const sniffs = findFirstFile('phpcs.xml.dist', 'phpcs.xml', '.phpcs.xml.dist', '.phpcs.xml');
  // Symfony's bridge brings a script of its own, and its applications keep one in the repository.
  const phpunit =
    ['phpunit', 'bin/phpunit']
      .map((file) => (project.has(file) ? `./${file}` : null))
      .find((one) => one !== null) ??
    (/"symfony\/phpunit-bridge"/.test(json ?? '') && !/"phpunit\/phpunit"/.test(json ?? '')
      ? 'vendor/bin/simple-phpunit'
      : 'vendor/bin/phpunit');
  const findVendorTool = (name: string, tool: string): string | null =>
    new RegExp(`"[\\w-]+/${name}"\\s*:`).test(json ?? '') ? `vendor/bin/${tool}` : null;
  const pest = /"pestphp\/pest"/.test(json ?? '');
  return createProbeResult('php', 'composer', [
    ['install', 'composer install', 'composer.json'],
    pickCommand(
      'lint',
      sniffs === undefined
        ? null
        : findVendorTool('(?:php_codesniffer|coding-standard\\w*|\\S*-standards?|wpcs)', 'phpcs'),
    ),
    pickCommand(
      'format',
      fixer === undefined
        ? null
        : findVendorTool(
            '(?:php-cs-fixer\\S*|\\S*coding-standard\\S*|shim)',
            'php-cs-fixer fix --dry-run --diff',
          ),
    ),
    pickCommand(
      'types',
      stan !== undefined ? 'vendor/bin/phpstan analyse' : psalm !== undefined ? 'vendor/bin/psalm' : null,
    ),
    pickCommand('test', unit === undefined ? null : pest ? 'vendor/bin/pest' : phpunit),
  ]);
};

export const probePerl: ProjectProbe = (project) => {
  const marks = ['Makefile.PL', 'Build.PL', 'dist.ini', 'minil.toml', 'cpanfile'];
  const mark = marks.find(project.has);
  if (mark === undefined) return null;
  const test = ((): Pick<FoundCommand, 'command' | 'before'> | null => {
    if (mark === 'Makefile.PL') return { command: 'make test', before: ['perl Makefile.PL', 'make'] };
    if (mark === 'Build.PL') return { command: './Build test', before: ['perl Build.PL', './Build'] };
    return project.paths.some((p) => /^t\/.*\.t$/.test(p)) ? { command: 'prove -lr t' } : null;
  })();
  const found = test === null ? [] : [{ kind: 'test' as const, source: mark, ...test }];
  return { ecosystem: 'perl', packageManager: 'cpan', found };
};
