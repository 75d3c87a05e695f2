/** Maps programs to purposes, as a table. */
import type { CheckKind } from './probe-types.ts';

export type ProgramPurpose = CheckKind | 'install' | 'system' | 'prepare';

type Row = readonly [ecosystem: string, purpose: ProgramPurpose | 'none', pattern: RegExp];
const row = (ecosystem: string, purpose: Row[1], pattern: RegExp): Row => [ecosystem, purpose, pattern];

const NODE = String.raw`(?:npm|pnpm|yarn|bun)`;
/** Matches a command without its wrapper; the first row wins. */
export const CROSS_LANGUAGE_TOOL =
  /^(?:codespell|typos|semgrep|yamllint|reuse|rstcheck|shellcheck|actionlint|hadolint|editorconfig-checker|ec|taplo|shfmt|buf|prettier|cargo deny|nix flake)\b/;

export const PROGRAM_ROWS: readonly Row[] = [
  // Homebrew and its taps check themselves by commands of brew.
  row('ruby', 'lint', /^brew (?:style|audit)\b/),
  row('ruby', 'types', /^brew typecheck\b/),
  row('ruby', 'test', /^brew tests\b/),
  row(
    '',
    'system',
    /^(?:apt(?:-get)?|brew|yum|dnf|apk|pacman|choco|snap|conda|mamba|micromamba|port|zypper|sdkmanager)\b/,
  ),
  row('helm', 'lint', /^(?:ct lint\b|helm lint\b)(?!-and)/),
  row('helm', 'test', /^helm unittest\b/),
  row('terraform', 'format', /^(?:terraform|tofu) fmt\b.* -check\b/),
  row('terraform', 'lint', /^tflint\b(?! --init)/),
  row('terraform', 'types', /^(?:terraform|tofu) validate\b/),
  row('terraform', 'none', /^(?:terraform|tofu|ct)\b/),
  row(
    '',
    'none',
    /^(?:git|gh|curl|wget|docker|docker-compose|podman|kubectl|helm|codecov|coveralls|twine|aws|gcloud|az|vercel|netlify|wrangler|echo|printf|cat|ls|pwd|mkdir|rm|cp|mv|chmod|chown|ln|touch|tar|unzip|zip|gpg|ssh|scp|rsync|sleep|true|exit|set|source|\.|env|which|type|uname|df|free|ulimit|sysctl|test|\[|\[\[|find|grep|sed|awk|jq|tee|kill|date|whoami|id|sha256sum|semantic-release|changeset|lerna publish|goreleaser|cosign|syft|trivy|snyk|sonar\S*|bandit|pip-audit|safety|gem push|mike)\b/,
  ),
  row('node', 'lint', /^yarn (?:constraints(?!.* --fix\b)|dedupe\b.*(?:--check|-c)(?= |$))/),
  row(
    'node',
    'none',
    new RegExp(
      String.raw`^${NODE} (?:publish|pack|audit|outdated|version|config|set|cache|link|why|list|ls|store|env|login|whoami|dedupe|--version|-v|--help|info|view|init|create|import|patch|licenses|prune|rebuild|fund|ping)\b`,
    ),
  ),
  row(
    'node',
    'none',
    new RegExp(
      String.raw`^(?:${NODE} (?:install|i|add|global add)\b.* (?:-g|--global|--location=global)\b|${NODE} (?:install|i|add) (?:-g|--global|--location=global)\b|yarn global\b|corepack\b|nvm\b|volta\b|n \d|playwright install|cypress install|puppeteer browsers)`,
    ),
  ),
  row(
    'node',
    'install',
    /^(?:npm (?:ci|clean-install|install-clean|install-ci-test)|(?:npm|pnpm|yarn|bun) (?:install|i)|yarn(?= --|$)|ni|lerna bootstrap|nci|vp install)(?!.*\s(?:-[DEOP]|--(?:no-)?save\S*) )(?=\s+-|\s*$)/,
  ),
  row('node', 'none', /^(?:npm|pnpm|bun|yarn) (?:install|i|add|remove|up|update|upgrade)\b/),
  row('deno', 'install', /^deno (?:install|cache|i)\b(?!.* (?:-g|--global)\b)/),
  row('deno', 'lint', /^deno lint\b/),
  row('deno', 'format', /^deno fmt\b.*--check\b/),
  row('deno', 'types', /^deno check\b/),
  row('deno', 'test', /^deno test\b/),
  row('deno', 'none', /^deno (?:fmt|publish|compile|bench|doc|upgrade|coverage|--version|deploy)\b/),
  row(
    'node',
    'none',
    /^(?:playwright|cypress|lhci|nyc report|c8 report|size-limit|bundlewatch|typedoc|pkg-pr-new|np|storybook|chromatic|publint|attw|knip|only-allow|license-checker|lerna (?:publish|version)|npm-check\S*|depcheck|are-the-types-wrong|commitlint|nx (?:release|format:write|connect)|nx-cloud|wait-on|http-server|serve|mutate|stryker|cspell|alex|markdownlint\S*|lychee|linkinator|mintlify|jsr)\b/,
  ),
  row(
    'node',
    'types',
    /^(?:tsc|vue-tsc|svelte-check|astro check|tsgo|tsd|flow check|flow)\b(?!.*(?:-b|--build)\b(?!.*noEmit))/,
  ),
  row(
    'node',
    'build',
    /^(?:tsc|vite build|next build|rollup|webpack|tsup|esbuild|tsdown|unbuild|parcel build|ng build|nuxt build|swc|vp build|vp pack)\b/,
  ),
  row('node', 'format', /^(?:prettier|dprint|oxfmt)\b.*(?:--check\b|--list-different\b| -l\b|\bcheck\b)/),
  row('node', 'format', /^(?:biome|rome) format\b(?!.*--write)/),
  row(
    'node',
    'lint',
    /^(?:eslint|oxlint|xo|standard|tslint|stylelint|biome (?:ci|lint|check)|rome (?:ci|check)|ng lint|next lint|vp check|jshint|ultracite (?:check|lint)|sherif)\b(?!.*--(?:write|fix)\b)/,
  ),
  row(
    'node',
    'test',
    /^(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|uvu|node --test|node .*--test\b|ng test|web-test-runner|wtr|vp test|react-scripts test|bun test|lerna run test|node --import \S+ --test)\b/,
  ),
  row(
    'python',
    'none',
    /^(?:pip3?|uv pip|uv tool|pipx) install (?:(?:-U|--upgrade|--user|-q|--quiet|--disable-pip-version-check|--no-cache-dir|--no-warn-script-location) )*(?:"|')?(?:pip|setuptools|wheel|uv|poetry|pipenv|hatch|pdm|tox|nox|pre-commit|build|twine|virtualenv|tox-gh\S*|tox-uv|codecov|coveralls|coverage|pytest-cov|prek|nox-uv|wheel|cibuildwheel|poethepoet|just|check-manifest|meson|ninja|cmake|conan|gcovr|rye)(?:\[[\w,-]+\])?(?:"|')?(?:(?:[<>=~!]=?|@)[\w.*"',<>=]+|(?= )|$)(?: (?:"|')?(?:pip|setuptools|wheel|uv|poetry|pipenv|hatch|pdm|tox|nox|pre-commit|build|twine|virtualenv|tox-gh\S*|tox-uv|nox-uv|coverage|meson|ninja)\S*)*\s*$/,
  ),
  row(
    'python',
    'install',
    /^(?:pip3? install|uv sync|uv pip (?:install|sync)|poetry (?:install|sync)|pdm (?:install|sync)|pipenv (?:install|sync)|rye sync|hatch env create|flit install|maturin develop|pixi install)\b/,
  ),
  row(
    'python',
    'none',
    /^(?:pip3?|uv (?:publish|venv|python|lock|tool|cache|self|version|export|pip)|poetry (?:config|publish|check|lock|env|self|version|export)|pdm (?:publish|lock|config|use|venv)|hatch (?:publish|version|env)|hatchling|flit publish|pipx|virtualenv|venv|coverage (?:report|xml|html|combine|erase|lcov|json)|sphinx-build|mkdocs|cibuildwheel|check-manifest|conda|pyenv|vulture|deptry|towncrier|validate-pyproject|diff-cover|pip-compile|zizmor|interrogate|nox --list|tox (?:list|-l|--listenvs))(?=\s|$)/,
  ),
  row(
    'python',
    'format',
    /^(?:ruff format\b.*--(?:check|diff)|black\b.*--(?:check|diff)|isort\b.*--(?:check|check-only|diff)|isort\b.* -c\b|yapf\b.*(?:-d|--diff)|docformatter\b.*--check|pyink\b.*--check|blue --check)/,
  ),
  row('python', 'none', /^(?:ruff format|black|isort|yapf|autopep8|autoflake)\b/),
  row(
    'python',
    'lint',
    /^(?:ruff(?: check)?(?! (?:version|rule|config|server|linter))|flake8|pylint|pyflakes|pycodestyle|pydocstyle|wemake\S*|lint-imports|djlint|pydoclint|flakeheaven|prospector|slotscheck)\b(?!.*--fix\b)/,
  ),
  row(
    '',
    'lint',
    /^(?:pre-commit run|prek(?: run)?|trunk check|codespell|typos|semgrep|yamllint|reuse lint|rstcheck|shellcheck|cargo deny|actionlint|hadolint|editorconfig-checker|ec)\b(?!.*--(?:fix|write-changes)\b)/,
  ),
  row(
    '',
    'format',
    /^(?:taplo (?:fmt|format)\b.*--check|shfmt\b.*-d\b|buf format\b.*--(?:exit-code|diff)|nixpkgs-fmt --check|nixfmt --check|alejandra --check)/,
  ),
  row(
    'python',
    'types',
    /^(?:mypy|dmypy|pyright|basedpyright|pytype|pyre|pyrefly check|pyrefly|ty check|zuban\b|stubtest|mypy\.stubtest)\b/,
  ),
  row(
    'python',
    'test',
    /^(?:pytest|py\.test|unittest|coverage run|trial|nose2|nosetests|green|stestr|ward|django-admin test|manage\.py test|runtests\.py|tests?\/run\S*|setup\.py test|hatch test|behave|robot|tox|nox|pytest-3)(?=\s|$)/,
  ),
  // Scientific Python's task runner.
  row('python', 'lint', /^spin lint\b/),
  row('python', 'types', /^spin (?:mypy|typecheck)\b/),
  row('python', 'test', /^spin (?:test|smoke-tests)\b/),
  row('python', 'build', /^spin build\b/),
  row(
    'python',
    'build',
    /^(?:setup\.py (?:build_ext|bdist_wheel|sdist)|(?:uv|hatch|poetry|pdm|flit|maturin) build|build(?! -D))(?=\s|$)/,
  ),
  row(
    'rust',
    'none',
    /^(?:rustup|cargo (?:install|binstall|publish|doc|rustdoc|audit|outdated|udeps|semver-checks|release|package|update|bench|miri|fuzz|tree|metadata|login|clean|machete|vet|sort|spellcheck|llvm-cov report|generate-lockfile|about|careful|public-api|dist|msrv|minimal-versions|geiger|mutants|tarpaulin|codspeed|criterion|cache|--version|-V|version|set-version|shear|insta|readme|rdme|deadlinks|expand)\b)/,
  ),
  row('rust', 'install', /^cargo fetch\b/),
  row('rust', 'lint', /^cargo (?:\+\S+ )?(?:hack )?(?:[\w-]+ )*clippy\b/),
  row('rust', 'format', /^(?:cargo (?:\+\S+ )?fmt\b.*--check\b|rustfmt\b.*--check\b)/),
  row('rust', 'test', /^(?:cargo|cross) (?:\+\S+ )?(?:hack test|test|t|nextest run|nextest r|llvm-cov)\b/),
  row('rust', 'types', /^(?:cargo|cross) (?:\+\S+ )?(?:hack check|check|c)\b/),
  row('rust', 'build', /^(?:cargo|cross) (?:\+\S+ )?(?:hack build|build|b)\b/),
  row('go', 'install', /^go (?:mod (?:download|vendor)|get)\b(?! -u)(?!.*@)/),
  row(
    'go',
    'lint',
    /^(?:golangci-lint (?:run|config verify)|go vet|staticcheck|revive|golint|errcheck|go tool (?:golangci-lint|staticcheck)|go run \S*(?:golangci-lint|staticcheck)\S*)\b/,
  ),
  row('go', 'format', /^(?:gofmt|gofumpt|goimports|gci)\b.* -(?:l|d)\b|^golangci-lint fmt\b.*--diff/),
  row('go', 'test', /^(?:go test|gotestsum|ginkgo|richgo test|go tool gotestsum|gotest)\b/),
  row('go', 'build', /^go build\b/),
  row('go', 'none', /^(?:go|govulncheck|gosec|goveralls|gofmt|go-licenses)\b/),
  row('java', 'install', /^(?:mvnw?|gradlew?)\b.*(?:dependency:(?:go-offline|resolve)|\bdependencies\b)/),
  row(
    'java',
    'none',
    /^(?:mvnw?|gradlew?)\b.*\b(?:deploy|release:\w+|publish\w*|jacocoTestReport|sonar\w*|javadoc\w*|versions:\w+|site|dependencySubmission|wrapper|--version|-v|--stop|connected\w+|koverXml\w*|dokka\w*|updateDaemonJvm|detektBaseline|versions?|apiDump|bundle\w+|uploadArchives|coveralls\w*|help:\w+|codeCoverage\w*)(?=\s|$)/i,
  ),
  row(
    'java',
    'format',
    /^(?:mvnw?|gradlew?)\b.*\b(?:spotless:?check|fmt:check|formatter:validate|ktfmtCheck\w*|ktlintCheck|spotlessJavaCheck|spring-javaformat:validate|checkFormat|git-code-format:validate\S*|sortpom:verify)\b/i,
  ),
  row(
    'java',
    'lint',
    /^(?:mvnw?|gradlew?)\b.*(?<![:\w-])(?:checkstyle\S*|pmd\S*|spotbugs\S*|detekt\w*|lint\w*|ktlint|enforcer:enforce|apiCheck|checkLegacyAbi)\b(?!.*\b(?:test|verify)\b)/i,
  ),
  row(
    'java',
    'build',
    /^(?:mvnw?)\b.*(?:-DskipTests|-Dmaven\.test\.skip|\b(?:compile|test-compile)\b(?!.*\b(?:verify|test)(?:\s|$))|-Dquickly|\bDskipTests)/,
  ),
  row('java', 'test', /^mvnw?\b.*(?<![:.\w-])(?:verify|test|install|package|integration-test)(?=\s|$)/),
  row('java', 'test', /^mvnw?(?!.* (?:-v|-version|--version|--help)(?=\s|$))(?: -\S+)+$/),
  row(
    'java',
    'build',
    /^gradlew?\b.*(?:\b(?:assemble\w*|compile\w+|jar|classes|testClasses)\b(?!.*\b(?:test|check)\b)|(?:-x|--exclude-task) test\b)/,
  ),
  row('java', 'test', /^gradlew?\b.*\b(?:test\w*|check|build|allTests|jvmTest|\w+Test|ciTest)\b/),
  row(
    'java',
    'test',
    /^(?:ant test|sbt .*test\w*|bazel(?:isk)? test|lein test|clojure -\S*test\S*|mill .*test|bb test|scala-cli test)\b/i,
  ),
  row('java', 'format', /^sbt .*scalafmtCheck/i),
  row('java', 'build', /^(?:sbt .*compile|bazel(?:isk)? build|ant)\b/i),
  row('ruby', 'build', /^rake (?:\S+:)?(?:compile|build)\b/),
  row('ruby', 'install', /^(?:bundle install|bundle(?=\s*$)|bundle --|bin\/setup|bin\/bundle install)/),
  row(
    'ruby',
    'none',
    /^(?:gem|bundle (?:config|update|add|lock|outdated|audit\S*|info)|bundler-audit|bundle-audit|brakeman|importmap audit|rails (?:db:\S+|assets:\S+|server)|rake (?:db:\S+|assets:\S+|release|install\S*|yard|r?docs?|coverage\S*)|yard|bin\/brakeman|bin\/importmap|bin\/bundler-audit|rails zeitwerk:check)(?=\s|$)/,
  ),
  row(
    'ruby',
    'lint',
    /^(?:rubocop|standardrb|standard|reek|erb_?lint|haml-lint|rake (?:rubocop|standard|lint)|bin\/rubocop|rails lint)\b(?!.* (?:-a|-A|--auto\S*)\b)/,
  ),
  row(
    'ruby',
    'types',
    /^(?:srb tc|steep check|rake (?:sorbet|steep|rbs:\w+|sig|typecheck)|typeprof|rbs (?:validate|test))\b/,
  ),
  row(
    'ruby',
    'test',
    /^(?:rspec|rake(?: (?:test|spec|default|ci)\S*|\s*$)|minitest|cucumber|rails (?:test|spec)\S*|bin\/(?:rspec|rails test|test|rake)|m |ruby -I\S* |turbo_tests|parallel_rspec|rake -j)(?=\s|$)/,
  ),
  row('php', 'install', /^composer (?:install|update|i|u)\b(?!.* (?:-g|--global))/),
  row(
    'php',
    'none',
    /^(?:\S*\/)?phpunit\b.* --(?:check-php-configuration|list-\w+|migrate-configuration)|^(?:php )?(?:\S*\/)?(?:simple-)?phpunit install$|^composer (?:bin|config|validate|require|global|audit|dump-autoload|show|remove|self-update|outdated|normalize|diagnose|status|--version|-V)\b/,
  ),
  row(
    'php',
    'format',
    /^(?:php )?(?:\S*\/)?(?:php-cs-fixer(?:\.phar)?\b.*(?:--dry-run|--diff|\bcheck\b)|pint\b.*--test|ecs check|mago (?:fmt|format) --check)/,
  ),
  row(
    'php',
    'lint',
    /^(?:php )?(?:\S*\/)?(?:phpcs|phpmd|parallel-lint|phpcpd|rector\b.*--dry-run|phplint|tlint|twigcs|mago lint|deptrac|composer-(?:unused|require-checker))\b/,
  ),
  row('php', 'types', /^(?:php )?(?:\S*\/)?(?:phpstan|psalm|phan|mago analy[sz]e)(?:\.phar)?\b/),
  row(
    'php',
    'test',
    /^(?:php )?(?:-d \S+ )*(?:\S*\/)?(?:phpunit|pest|simple-phpunit|artisan test|codecept run|phpspec run|paratest|behat|kahlan|tester|atoum)\b/,
  ),
  row('elixir', 'install', /^mix (?:do )?deps\.get\b|^mix setup\b/),
  row('elixir', 'format', /^mix format\b.*--check/),
  row('elixir', 'lint', /^mix deps\.unlock\b.* --check-unused\b/),
  row('elixir', 'lint', /^mix (?:credo|lint|sobelow|recode)\b/),
  row('elixir', 'types', /^mix dialyzer\b/),
  row(
    'elixir',
    'test',
    /^(?:mix (?:test|coveralls(?:\.(?:html|json|xml|lcov|cobertura|detail|multiple))?(?!\S)|do test)|rebar3 (?:ct|eunit|do \S*ct|proper)|gleam test)\b/,
  ),
  row('elixir', 'build', /^mix compile\b|^rebar3 compile\b|^gleam build\b/),
  row('elixir', 'none', /^(?:mix|rebar3 |gleam )/),
  row('dotnet', 'install', /^dotnet restore\b/),
  row(
    'dotnet',
    'format',
    /^dotnet (?:format\b.*--verify-no-changes|csharpier (?:--)?check|fantomas --check|tool run dotnet-format\b.*--check)/,
  ),
  row(
    'dotnet',
    'test',
    /^(?:dotnet test|dotnet run\b.*[Tt]est\S*|dotnet vstest|\S*build\.(?:sh|cmd) .*test)\b/i,
  ),
  // Task runners of .NET run the tests in the targets that they have.
  row(
    'dotnet',
    'test',
    /^(?:dotnet (?:make|cake|nuke|fake run \S+)|nuke|dotnet-cake)(?=$| (?:--?target[= ])?test\b)/i,
  ),
  row('dotnet', 'build', /^(?:dotnet (?:build|msbuild)|msbuild)\b/),
  row('dotnet', 'none', /^(?:dotnet|nuget)\b/),
  row('swift', 'install', /^swift package resolve\b/),
  row('swift', 'lint', /^(?:swiftlint|swift package .*swiftlint)\b/),
  row('swift', 'format', /^(?:swiftformat\b.*--lint|swift[- ]format lint)\b/),
  row('swift', 'test', /^(?:swift test|xcodebuild .*\btest)\b/),
  row('swift', 'build', /^(?:swift build|xcodebuild .*\bbuild)\b/),
  row('perl', 'none', /^(?:prove|yath)\b.*\.t(?=\s|$)/),
  row('perl', 'test', /^(?:(?:prove|yath)\b|(?:dzil|minil) test\b|Build test\b|perl Build test\b)/),
  // Only tests of the authors need what `--with-develop` adds.
  row('perl', 'none', /^cpanm\b.* --with-develop\b/),
  row(
    'perl',
    'install',
    /^(?:cpanm\b.* --installdeps\b|cpanm --installdeps\b|cpm install\b|carton install\b)/,
  ),
  row('perl', 'lint', /^perlcritic\b/),
  row('perl', 'prepare', /^perl (?:Makefile|Build)\.PL\b/),
  row('zig', 'format', /^zig fmt\b.*--check/),
  row('zig', 'test', /^zig (?:build test\S*|test|build .*\btest\S*)(?=\s|$)/),
  row('zig', 'build', /^zig build\b/),
  row(
    'haskell',
    'install',
    /^(?:cabal (?:update|build .*--only-dependencies|v2-build .*--only-dependencies)|stack (?:setup|.*--only-dependencies))\b/,
  ),
  row('haskell', 'lint', /^hlint\b/),
  row('haskell', 'format', /^(?:ormolu|fourmolu|stylish-haskell)\b.*(?:check|--mode)/),
  row('haskell', 'test', /^(?:cabal (?:v2-)?test|stack .*\btest|cabal run \S*test\S*)\b/),
  row('haskell', 'build', /^(?:cabal (?:v2-)?build|stack .*\bbuild)\b/),
  row('haskell', 'none', /^(?:cabal|stack|ghcup)\b/),
  row(
    'c',
    'prepare',
    /^(?:cmake (?!--build|--install|-E|--version|-P)|\S*\/?(?:configure|autogen\.sh|buildconf|bootstrap(?:\.sh)?)(?=\s|$)|autoreconf\b|autoconf\b|meson (?:setup\b|(?!compile|test|install|dist)\S+)|conan install\b|aclocal\b)/,
  ),
  row(
    'c',
    'build',
    /^(?:cmake --build (?!.*(?:--target|-t) (?:(?:run[-_]?)?tests?|check|install)\b)|ninja(?!.*\b(?:test|check|install)\b)|meson compile)/,
  ),
  row(
    'c',
    'test',
    /^(?:ctest|meson test|ninja .*\b(?:test|check)|cmake --build .*(?:--target|-t) (?:(?:run[-_]?)?tests?|check)|cmake --workflow)\b/,
  ),
  row('c', 'format', /^(?:clang-format\b.*(?:--dry-run|-n|-Werror)|git clang-format .*--diff)\b/),
  row('c', 'lint', /^(?:cppcheck|clang-tidy|cpplint|run-clang-tidy|checkpatch)\b/),
  row('shell', 'format', /^shfmt\b.*(?: -[dl]\b|--diff\b|--list\b)/),
  row('lua', 'lint', /^(?:luacheck|selene)\b/),
  row('lua', 'format', /^stylua\b.*--check/),
  row('lua', 'test', /^busted\b/),
  row('shell', 'test', /^(?:bats|shellspec)\b/),
  row('nix', 'lint', /^nix flake check\b/),
  row('dart', 'install', /^(?:dart|flutter) pub (?:get|upgrade)\b(?!.*--major)/),
  row('dart', 'format', /^dart format\b.*--set-exit-if-changed/),
  row('dart', 'lint', /^(?:dart|flutter) analyze\b/),
  row('dart', 'test', /^(?:dart|flutter) test\b/),
];
