/** E13: files that test runners, builds and hooks read by convention. */
import { baseName } from '../../model/path-kinds.ts';

const SOURCE = String.raw`\.(?:[cm]?[jt]sx?|json[5c]?|ya?ml|toml)`;
const named = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`, 'i');

const RUNNER_FILE_NAMES: readonly RegExp[] = [
  named(
    String.raw`(?:vitest|vite|jest|karma|playwright|cypress|wdio|protractor|nightwatch|cucumber|ava|mocha|tap|web-test-runner|uvu|testcafe)[\w.-]*\.(?:config|conf|workspace|setup)[\w.-]*${SOURCE}`,
    String.raw`\.(?:mocharc|taprc|nycrc|c8rc|swcrc|babelrc|jestrc|jasmine)(?:${SOURCE})?`,
    String.raw`(?:babel|swc|nyc|rollup|webpack|esbuild|tsup|rspack|metro|next|nuxt|astro|svelte)\.config[\w.-]*${SOURCE}`,
    String.raw`(?:turbo|nx|lerna|rush|wireit|bunfig|deno|angular|babel|swc)\.(?:json[5c]?|ya?ml|toml)`,
    String.raw`(?:jest|vitest|mocha|test|tests|karma|cypress)[._-]?(?:setup|globals?|env(?:ironment)?|bootstrap|preload)[\w.-]*\.[cm]?[jt]sx?`,
    String.raw`(?:global)?[._-]?(?:setup|teardown)(?:[._-]?(?:tests?|jest|vitest|files?|after[\w.-]*))?\.[cm]?[jt]sx?`,
    String.raw`(?:spec|rails|test|minitest)_helper\.rb`,
    String.raw`(?:jest|vitest|babel)[._-]preset[\w.-]*|\.(?:testcafe|lab|tstyche|testem|pa11y|lighthouse|bundlewatch|depcheck|madge|syncpack|nx)rc(?:${SOURCE})?|\.pa11yci|\.lighthouseci${SOURCE}`,
    String.raw`(?:tstyche|codecept|qunit|backstop|knip|size-limit|bundlewatch)\.(?:conf|config)[\w.-]*${SOURCE}|testem${SOURCE}|knip${SOURCE}|lighthouserc${SOURCE}|\.(?:size-limit|dependency-cruiser)${SOURCE}|intern\.json|backstop\.json`,
    String.raw`(?:project|workspace)\.json|lage\.config\.js|moon\.ya?ml|api-extractor\.json|xunit\.runner\.json|testng[\w.-]*\.xml|junit-platform\.properties|[^/]*\.xctestplan|[^/]*\.xcscheme|testthat\.r|runtests\.jl|\.busted|\.luacov|\.proverc|tests\.edn`,
    String.raw`mocha\.opts|jasmine\.json|package\.json5|phpunit[\w.-]*\.xml(?:\.dist)?|(?:pest|codeception|behat|infection)[\w.-]*`,
  ),
  named(
    String.raw`pytest\.(?:ini|toml)|\.pytest\.(?:ini|toml)|setup\.(?:cfg|py)|pyproject\.toml|tox\.(?:ini|toml)|noxfile\.py|conftest\.py|tasks\.py|dodo\.py|hatch\.toml|\.coveragerc`,
    String.raw`\.?(?:ruff|mypy|flake8|pylintrc|bandit|isort|pyright\w*|pydocstyle)(?:\.(?:toml|ini|cfg|json|ya?ml))?|sitecustomize\.py|usercustomize\.py|[^/]*\.pth`,
  ),
  named(
    String.raw`[tj]sconfig[\w.-]*\.json|\.?(?:eslint|prettier|stylelint|commitlint|markdownlint|oxlint|xo|lintstaged|lint-staged)(?:rc|ignore|\.config)?[\w.-]*`,
    String.raw`\.(?:eslint|prettier|stylelint|lintstaged|commitlint)(?:rc|ignore)[\w.-]*|biome\.jsonc?|\.editorconfig|\.oxlintrc\.json|tslint\.json|dprint\.json|\.golangci\.[\w.]+|clippy\.toml|\.?rustfmt\.toml`,
    String.raw`\.rubocop[\w.-]*|checkstyle[\w.-]*\.xml|phpcs\.xml[\w.]*|phpstan[\w.-]*|psalm\.xml[\w.]*|\.clang-(?:tidy|format)|\.swiftlint\.yml|analysis_options\.yaml|\.luacheckrc|\.lintr|\.perlcriticrc|\.shellcheckrc|\.hadolint\.ya?ml|\.yamllint[\w.-]*|\.ansible-lint[\w.-]*|\.htmlhintrc|\.textlintrc[\w.-]*|\.remarkrc[\w.-]*|\.vale\.ini|\.?cspell[\w.-]*\.(?:json|ya?ml|[cm]?js)|[._]?typos\.toml|\.codespellrc|\.credo\.exs|\.formatter\.exs|\.php-cs-fixer[\w.-]*|detekt[\w.-]*\.yml`,
    String.raw`\.secretlintrc[\w.-]*|\.gitleaks[\w.-]*|\.trivyignore[\w.-]*|\.snyk|\.secrets\.baseline|\.?semgrep[\w.-]*\.ya?ml|\.semgrepignore|sonar-project\.properties|\.spectral\.\w+|\.redocly\.\w+|buf\.ya?ml|revive\.toml|staticcheck\.conf|deny\.toml|tarpaulin\.toml|rector\.php|ecs\.php|pint\.json|pmd[\w.-]*\.xml|spotbugs[\w.-]*\.xml|lint\.xml|[^/]*\.ruleset|\.globalconfig|stylecop\.json|\.ameba\.yml|\.swiftformat|\.importlinter|\.pyre_configuration|ty\.toml|uv\.toml|pyre\.toml|\.gitlint|\.?gcovr[\w.-]*|\.?lcovrc|\.?codecov\.ya?ml`,
  ),
  named(
    String.raw`(?:gnu)?makefile[\w.-]*|[^/]*\.(?:mk|mak)|\.?justfile|[^/]*\.just|\.?taskfile[\w.-]*\.ya?ml|rakefile|[^/]*\.rake|\.rspec[\w.-]*|guardfile|gruntfile[\w.]*|gulpfile[\w.]*|jakefile[\w.]*|magefile\.go|earthfile|procfile|dangerfile[\w.]*`,
    String.raw`cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|nextest\.toml|go\.(?:mod|work)|pom\.xml|[^/]*\.gradle(?:\.kts)?|gradle\.properties|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|maven\.config|jvm\.config|build\.sbt|build\.sc|build\.xml|deps\.edn|project\.clj`,
    String.raw`cmakelists\.txt|cmakepresets\.json|[^/]*\.cmake|ctest[\w.]*|meson\.build|meson\.options|meson_options\.txt|configure(?:\.ac|\.in)?|build\.zig|build\.bazel|module\.bazel|workspace(?:\.bazel|\.bzlmod)?|build|[^/]*\.bzl|\.buckconfig|pants(?:\.\w+)?\.toml|\.bazelrc|buck|sconstruct`,
    String.raw`mix\.exs|test_helper\.exs|rebar\.config|directory\.build\.(?:props|targets)|directory\.packages\.props|[^/]*\.(?:csproj|fsproj|vbproj|props|targets|runsettings|sln)|global\.json|nuget\.config|package\.swift|pubspec\.yaml|dart_test\.yaml|stack\.yaml|[^/]*\.cabal|cabal\.project[\w.-]*|package\.yaml|dune(?:-project)?|shard\.yml|[^/]*\.nimble|config\.nims|dub\.(?:json|sdl)|bb\.edn|shadow-cljs\.edn|(?:makefile|build)\.pl|dist\.ini|cpanfile|build\.(?:cake|ps1|fsx)|[^/]*\.build\.ps1|fastfile|composer\.json|gemfile|deno\.jsonc?`,
  ),
  named(
    String.raw`\.(?:npmrc|yarnrc(?:\.yml)?|pnpmfile\.c?js|nvmrc|node-version|python-version|ruby-version|tool-versions|envrc|bazelversion)|mise\.toml|\.mise\.toml|pnpm-workspace\.yaml|\.env\.(?:test|ci)(?:\.local)?|\.pnp(?:\.loader)?\.[cm]?js`,
  ),
  named(
    String.raw`prek\.toml|\.pre-commit-config\.yml|hk\.pkl|captainhook\.json|\.?grumphp[\w.-]*|\.rusty-hook\.toml|\.yorkie[\w.-]*|\.?cz\.(?:toml|json)|\.czrc|cog\.toml`,
    String.raw`\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-(?:config|hooks)\.yaml|\.?(?:huskyrc|simple-git-hooks|overcommit)[\w.-]*|\.simple-git-hooks\.[\w.]+`,
    String.raw`(?:pre|post|prepare)-(?:commit|push|merge|rebase|checkout|receive|rewrite|applypatch|commit-msg|auto-gc)(?:\.\w+)?|commit-msg(?:\.\w+)?|applypatch-msg`,
  ),
];

const FOLDERS =
  /(?:^|\/)\.(?:husky|githooks|git-hooks|cargo|mvn|config\/nextest|storybook|overcommit|pre-commit|lefthook|git[_-]hooks|cargo-husky|moon|trunk|mise\/tasks|config\/mise)\/|(?:^|\/)mise-tasks\/|(?:^|\/)tests?\/bootstrap\.php$|(?:^|\/)gradle\/wrapper\/|^buildSrc\/|^xtask\/|^\.?hooks\/|(?:^|\/)__mocks__\/|(?:^|\/)\.yarn\/(?:releases|plugins|sdks|patches)\//i;

/** Python imports from the tests' and the start folder first, so these shadow its own modules. */
const SHADOWS =
  /^(?:tests?\/)?(?:_?pytest|pluggy|iniconfig|packaging|coverage|nose2?|tox|unittest|doctest|abc|argparse|ast|asyncio|atexit|bdb|builtins|codecs|collections|contextlib|copy|dataclasses|difflib|enum|errno|fnmatch|functools|gc|getpass|glob|importlib|inspect|io|itertools|json|linecache|locale|logging|math|operator|os|pathlib|pdb|pickle|platform|pprint|queue|random|re|reprlib|runpy|shlex|shutil|signal|site|string|struct|subprocess|sys|tempfile|textwrap|threading|time|tokenize|traceback|types|typing|uuid|warnings|weakref|xml|zipfile)(?:\.(?:py|pyc|so)|\/__(?:init|main)__\.py)$/;

/** Test data and vendored code configure nothing. */
const GIVEN = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|test-data|node_modules|vendor|third_party)\//i;

/** `package.json` is read in part; see `manifest-fields.ts`. */
export const isRunnerFile = (path: string): boolean =>
  !GIVEN.test(path) &&
  (FOLDERS.test(path) || SHADOWS.test(path) || RUNNER_FILE_NAMES.some((is) => is.test(baseName(path))));

/** Test files change with the code, and have findings of their own. */
export const isTestFile = (path: string): boolean =>
  /^test_[^/]*\.py$|[._-](?:test|spec)\.[a-z]+$|(?:tests?|spec)\.(?:java|kt|cs|php|scala)$/i.test(
    baseName(path),
  );
