/** Probes languages whose tool builds and tests from one manifest, one row each. */
import { z } from 'zod';
import { kindOfName } from '../task-purpose.ts';
import {
  sourceLocation,
  plainName,
  type CheckKind,
  type FoundCommand,
  type ProjectProbe,
  type ProbeResult,
  type ProjectFolder,
} from '../probe-types.ts';

type Said = readonly [kind: CheckKind | 'install', command: string, source: string];
const probed = (
  ecosystem: string,
  packageManager: string | null,
  said: readonly (Said | null)[],
): ProbeResult => ({
  ecosystem,
  packageManager,
  found: said.flatMap((s) => (s === null ? [] : [{ kind: s[0], command: s[1], source: s[2] }])),
});
const when = (test: boolean, ...said: Said): Said | null => (test ? said : null);
const matching = ({ paths }: ProjectFolder, pattern: RegExp): string | undefined =>
  paths.find((p) => pattern.test(p));
const text = (project: ProjectFolder, file: string): string => project.read(file) ?? '';

export const probeGo: ProjectProbe = (project) => {
  if (!project.has('go.mod')) return null;
  const config = matching(project, /^\.golangci\.(?:ya?ml|toml|json)$/);
  return probed('go', 'go', [
    when(
      /^[ \t]*require\b/m.test(text(project, 'go.mod')),
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
    matching(project, /^\.?clippy\.toml$/) ??
    (/^\[(?:workspace\.)?lints\.clippy\]/m.test(toml ?? '')
      ? sourceLocation('Cargo.toml', toml, 'lints.clippy')
      : undefined);
  const fmt = matching(project, /^\.?rustfmt\.toml$/);
  return probed('rust', 'cargo', [
    clippy === undefined ? null : ['lint', `cargo clippy${all} --all-targets`, clippy],
    fmt === undefined ? null : ['format', `cargo fmt --all -- --check`, fmt],
    ['test', `cargo test${all}`, 'Cargo.toml'],
    ['build', `cargo build${all}`, 'Cargo.toml'],
  ]);
};

export const probeJava: ProjectProbe = (project) => {
  const files = (pattern: RegExp): number => project.paths.filter((p) => pattern.test(p)).length;
  const kotlin = files(/(?:^|\/)src\/.*\.kt$/);
  const ecosystem = kotlin > files(/(?:^|\/)src\/.*\.java$/) ? 'kotlin' : 'java';
  if (project.has('pom.xml')) {
    const mvn = project.has('mvnw') ? './mvnw' : 'mvn';
    const pom = project.read('pom.xml');
    const format = /spotless-maven-plugin/.test(pom ?? '')
      ? 'spotless:check'
      : /fmt-maven-plugin/.test(pom ?? '')
        ? 'fmt:check'
        : null;
    return probed(ecosystem, 'maven', [
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
  const multiplatform = matching(project, /(?:^|\/)src\/(?:common|jvm)Main\//) !== undefined;
  return probed(ecosystem, 'gradle', [
    when(
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
  const gemspec = matching(project, /^[^/]+\.gemspec$/);
  const code = matching(project, /^(?:lib|app|spec|test|bin|exe|src)\/.*\.rb$/);
  if (gemspec === undefined && (!project.has('Gemfile') || code === undefined)) return null;
  const rake = text(project, 'Rakefile');
  const specs = matching(project, /^spec\/.*_spec\.rb$/);
  const tests = matching(project, /^test\/.*(?:_test|test_[^/]*)\.rb$/);
  const rails = project.has('bin/rails') || project.has('config/application.rb');
  const test =
    /RSpec::Core::RakeTask|rspec/.test(rake) && /task (?:default|:default)/.test(rake)
      ? 'bundle exec rake'
      : specs !== undefined
        ? 'bundle exec rspec'
        : rails && tests !== undefined
          ? 'bin/rails test'
          : /TestTask|task :test\b|task test:/.test(rake)
            ? 'bundle exec rake test'
            : null;
  return probed('ruby', project.has('Gemfile') ? 'bundler' : null, [
    when(project.has('Gemfile'), 'install', 'bundle install', 'Gemfile'),
    when(project.has('.rubocop.yml'), 'lint', 'bundle exec rubocop', '.rubocop.yml'),
    when(project.has('.standard.yml'), 'lint', 'bundle exec standardrb', '.standard.yml'),
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
    return probed('erlang', 'rebar3', [
      ['test', 'rebar3 eunit', 'rebar.config'],
      ['build', 'rebar3 compile', 'rebar.config'],
    ]);
  if (!project.has('mix.exs')) return null;
  const mix = project.read('mix.exs');
  return probed('elixir', 'mix', [
    ['install', 'mix deps.get', 'mix.exs'],
    when(project.has('.formatter.exs'), 'format', 'mix format --check-formatted', '.formatter.exs'),
    when(/:credo\b/.test(mix ?? ''), 'lint', 'mix credo', sourceLocation('mix.exs', mix, ':credo')),
    when(/:dialyxir\b/.test(mix ?? ''), 'types', 'mix dialyzer', sourceLocation('mix.exs', mix, ':dialyxir')),
    ['test', 'mix test', 'mix.exs'],
    ['build', 'mix compile', 'mix.exs'],
  ]);
};

export const probeDotnet: ProjectProbe = (project) => {
  const file =
    matching(project, /^[^/]+\.slnx?$/) ??
    matching(project, /^[^/]+\.(?:cs|fs|vb)proj$/) ??
    matching(project, /^(?:src\/)?[^/]+\.slnx?$/) ??
    matching(
      project,
      /^(?:src\/)?(?:[^/]+\/)?(?![^/]*(?:bench|sample|example|demo))[^/]+\.(?:slnx?|csproj|fsproj)$/i,
    );
  if (file === undefined || /\/[^/]+\.slnx?$/.test(file)) return null;
  const named = /\.slnx?$/.test(file) ? (project.read(file) ?? '') : '';
  if (/\.vcxproj\b/i.test(named) && !/\.(?:cs|fs|vb)proj\b/i.test(named)) return null;
  const inside = file.includes('/') ? ` ${file}` : '';
  return probed('dotnet', 'dotnet', [
    ['test', `dotnet test${inside}`, file],
    ['build', `dotnet build${inside}`, file],
  ]);
};

export const probeSwift: ProjectProbe = (project) => {
  // Other projects ship one only for use from Swift.
  const own = /(?<!(?:^|\/)Package(?:@swift-[\d.]+)?)\.swift$/;
  if (!project.has('Package.swift') || matching(project, own) === undefined) return null;
  const lint = matching(project, /^\.swiftlint\.ya?ml$/);
  const style = matching(project, /^\.swift-format$/);
  return probed('swift', 'swift', [
    lint === undefined ? null : ['lint', 'swiftlint', lint],
    style === undefined ? null : ['format', 'swift format lint --recursive --parallel .', style],
    when(matching(project, /^Tests\//) !== undefined, 'test', 'swift test', 'Package.swift'),
    ['build', 'swift build', 'Package.swift'],
  ]);
};

export const probeZig: ProjectProbe = (project) => {
  if (!project.has('build.zig')) return null;
  const build = project.read('build.zig');
  return probed('zig', 'zig', [
    when(
      /step\(\s*"test"/.test(build ?? ''),
      'test',
      'zig build test',
      sourceLocation('build.zig', build, /step\(\s*"test"/),
    ),
    ['build', 'zig build', 'build.zig'],
  ]);
};

export const probeHaskell: ProjectProbe = (project) => {
  const cabal = matching(project, /^[^/]+\.cabal$/);
  if (project.has('stack.yaml') && !project.has('cabal.project'))
    return probed('haskell', 'stack', [
      ['test', 'stack test', 'stack.yaml'],
      ['build', 'stack build', 'stack.yaml'],
    ]);
  if (cabal === undefined && !project.has('cabal.project')) return null;
  const several = project.paths.filter((p) => p.endsWith('.cabal')).length > 1;
  const all = several && project.has('cabal.project') ? ' all' : '';
  const source = cabal ?? 'cabal.project';
  return probed('haskell', 'cabal', [
    ['test', `cabal test${all}`, source],
    ['build', `cabal build${all}`, source],
  ]);
};

const MAX_SCRIPTS = 300;
const Composer = z.object({ scripts: z.record(z.string(), z.unknown()).optional().catch(undefined) });
const composerScripts = (text: string | null): Record<string, string> => {
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

export const probePhp: ProjectProbe = (project) => {
  if (!project.has('composer.json')) return null;
  const json = project.read('composer.json');
  const scripts = composerScripts(json);
  const first = (...names: string[]): string | undefined => names.find(project.has);
  const body = (n: string): string | null => (Object.hasOwn(scripts, n) ? (scripts[n] ?? null) : null);
  const plain = Object.keys(scripts).filter((n) => plainName(n));
  const kinds = new Map(plain.map((n) => [n, kindOfName(n, body)]));
  const pick = (kind: CheckKind, tool: string | null): Said | null => {
    const name = plain.find((n) => kinds.get(n) === kind);
    if (name !== undefined)
      return [kind, `composer ${name}`, sourceLocation('composer.json', json, `"${name}"`)];
    return tool === null ? null : [kind, tool, 'composer.json'];
  };
  const unit = first('phpunit.xml.dist', 'phpunit.xml', 'phpunit.dist.xml');
  const stan = first('phpstan.neon.dist', 'phpstan.neon', 'phpstan.dist.neon');
  const psalm = first('psalm.xml', 'psalm.xml.dist');
  const fixer = first('.php-cs-fixer.dist.php', '.php-cs-fixer.php');
  const sniffs = first('phpcs.xml.dist', 'phpcs.xml', '.phpcs.xml.dist', '.phpcs.xml');
  // Symfony's bridge brings a script of its own, and its applications keep one in the repository.
  const phpunit =
    ['phpunit', 'bin/phpunit']
      .map((file) => (project.has(file) ? `./${file}` : null))
      .find((one) => one !== null) ??
    (/"symfony\/phpunit-bridge"/.test(json ?? '') && !/"phpunit\/phpunit"/.test(json ?? '')
      ? 'vendor/bin/simple-phpunit'
      : 'vendor/bin/phpunit');
  const brought = (name: string, tool: string): string | null =>
    new RegExp(`"[\\w-]+/${name}"\\s*:`).test(json ?? '') ? `vendor/bin/${tool}` : null;
  const pest = /"pestphp\/pest"/.test(json ?? '');
  return probed('php', 'composer', [
    ['install', 'composer install', 'composer.json'],
    pick(
      'lint',
      sniffs === undefined
        ? null
        : brought('(?:php_codesniffer|coding-standard\\w*|\\S*-standards?|wpcs)', 'phpcs'),
    ),
    pick(
      'format',
      fixer === undefined
        ? null
        : brought('(?:php-cs-fixer\\S*|\\S*coding-standard\\S*|shim)', 'php-cs-fixer fix --dry-run --diff'),
    ),
    pick(
      'types',
      stan !== undefined ? 'vendor/bin/phpstan analyse' : psalm !== undefined ? 'vendor/bin/psalm' : null,
    ),
    pick('test', unit === undefined ? null : pest ? 'vendor/bin/pest' : phpunit),
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
