/** E19: options and sub-commands with which a tool lists, plans, compiles or watches, and checks nothing. */
import { readShell } from '#governor';
import { unwrapCommand } from './unwrap-command.ts';

type ListingRow = {
  program: RegExp;
  options?: string;
  /** Sub-commands, where the first or (`only`) every named word is one. */
  words?: string;
  only?: true;
  /** Letters that may stand together (`-kn`); those in `takes` have a value. */
  letters?: string;
  takes?: string;
  /** Settings and values that switch the tests off. */
  value?: RegExp;
};

const LISTING_ROWS: readonly ListingRow[] = [
  {
    program: /^tox$/,
    options:
      '-l --listenvs -a --listenvs-all --showconfig --notest -n --devenv --sdistonly -b --pkg-only --hi --help-ini',
    words: 'list l config c devenv d depends de quickstart q schema man',
  },
  { program: /^nox$/, options: '-l --list --list-sessions --install-only --usage' },
  {
    program: /^g?make$/,
    options: '--just-print --dry-run --recon --question --touch',
    letters: 'nqtv',
    takes: 'CEIWfjlo',
  },
  { program: /^ninja$/, letters: 'nt', takes: 'Cfjkldw' },
  { program: /^ctest$/, options: '-N --show-only --print-labels --list-presets' },
  { program: /^cmake$/, options: '--list-presets -N' },
  { program: /^meson$/, options: '--list', words: 'introspect rewrite env2mfile' },
  {
    program: /^(?:cargo|cross)$/,
    options: '--no-run --list',
    words: 'watch',
    value: /^(?:\+\S+ )?nextest (?:list|archive|show-config|self)\b/,
  },
  { program: /^go$/, options: '-list --list -c -n', value: /(?:^| )-?-run[ =](?:\^\$|XXX|NONE|none)(?= |$)/ },
  { program: /^(?:gotestsum|richgo|gotest)$/, options: '-list --list -c', words: 'tool' },
  {
    program: /^ginkgo$/,
    options: '--dry-run -dry-run --dryRun -dryRun',
    words: 'outline labels build bootstrap',
  },
  {
    program: /^(?:jest|react-scripts)$/,
    options: '--listTests --showConfig --show-config --clearCache --init --watch --watchAll',
  },
  { program: /^vitest$/, options: '--clearCache --listTags --watch -w', words: 'list init watch dev' },
  { program: /^_?mocha$/, options: '--dry-run --list-files --list-interfaces --list-reporters --watch -w' },
  { program: /^playwright$/, options: '--list', words: 'show-report show-trace codegen install' },
  { program: /^cypress$/, words: 'verify info open cache install version' },
  { program: /^(?:ava|wtr|web-test-runner)$/, options: '--watch -w' },
  { program: /^(?:node|bun|deno)$/, options: '--watch --hot' },
  { program: /^(?:nodemon|ptw|pytest-watch|watchexec|entr|onchange)$/, value: /^/ },
  { program: /^(?:ava|tap)$/, words: 'list debug reset-cache dump-config versions plugin build' },
  { program: /^karma$/, words: 'init' },
  { program: /^(?:cucumber|cucumber-js|behave)$/, options: '--dry-run -d --steps-catalog --lang-list' },
  { program: /^deno$/, options: '--no-run' },
  {
    program: /^(?:pytest|py\.test|pytest-3)$/,
    options:
      '--collect-only --collectonly --co --fixtures --funcargs --fixtures-per-test --markers --setup-plan --setup-only --setuponly --setupplan --cache-show --cache-clear-only',
  },
  { program: /^(?:nosetests|nose2|ward|robot|pabot)$/, options: '--collect-only --dry-run --dryrun' },
  { program: /^trial$/, options: '--dry-run -n' },
  { program: /^stestr$/, words: 'list last failing slowest history' },
  {
    program: /^hatch$/,
    words: 'env config status version dep',
    value: /^test (?:(?!-- )\S+ )*(?:--show|-s|--list|-l)(?= |$)/,
  },
  {
    program: /^mvnw?$/,
    value: /(?:^| )(?:-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?)(?= |$)|(?:^| )help:\S+/,
  },
  {
    program: /^gradlew?$/,
    options: '--dry-run -m --test-dry-run',
    words:
      'tasks projects properties dependencies dependencyInsight buildEnvironment help model outgoingVariants components javaToolchains',
    only: true,
  },
  {
    program: /^sbt$/,
    words: 'tasks projects plugins settings',
    value:
      /^(?:"?(?:show |print )?[^\s"]*(?:definedTest(?:s|Names|Digests)?|[Tt]est(?::|\s*\/\s*)(?:compile|fullClasspath|sources|managedClasspath))"?(?: |$))+$/,
  },
  {
    program: /^(?:bazel|bazelisk)$/,
    options: '--nobuild --check_tests_up_to_date',
    words: 'query cquery aquery info help version',
  },
  { program: /^mill$/, words: 'resolve plan show inspect path visualize visualizePlan' },
  { program: /^ant$/, options: '-p -projecthelp -diagnostics' },
  { program: /^rspec$/, options: '--dry-run --init' },
  {
    program: /^rake$/,
    options: '--dry-run --tasks --prereqs --where --describe --all-tasks',
    letters: 'nTPWD',
    takes: 'eEIjprRf',
  },
  {
    program: /^(?:phpunit|simple-phpunit|pest|paratest)$/,
    options:
      '--list-tests --list-tests-xml --list-groups --list-suites --list-test-files --list-test-ids --check-version --check-php-configuration --generate-configuration --migrate-configuration --init',
  },
  { program: /^codecept$/, words: 'dry-run generate build bootstrap console' },
  {
    program: /^dotnet$/,
    options: '--list-tests --ListTests',
    value: /^v?s?test\b.* (?:-t|-lt)(?= |$)/,
  },
  {
    program: /^swift$/,
    options: '--list-tests -l --show-codecov-path --show-codecov-path-only',
    value: /^test list\b|^package (?:describe|show-dependencies|dump-package)\b/,
  },
  {
    program: /^xcodebuild$/,
    options:
      '-list -showdestinations -showTestPlans -showBuildSettings -showsdks -dry-run -n -enumerate-tests',
    words: 'build-for-testing',
    only: true,
  },
  { program: /^mix$/, options: '--dry-run' },
  { program: /^(?:cabal|stack)$/, options: '--dry-run --no-run-tests --only-dependencies --only-configure' },
  { program: /^zig$/, options: '--test-no-exec -l --list-steps' },
  { program: /^bats$/, options: '-c --count' },
  { program: /^shellspec$/, options: '--list --count --syntax-check --dry-run --translate' },
  { program: /^busted$/, options: '--list -l' },
  { program: /^prove$/, options: '--dry -D' },
  { program: /^julia$/, options: '--list' },
  {
    program: /^just$/,
    options: '-n --dry-run --list -l --summary --show -s --evaluate --dump --choose --variables --groups',
  },
  { program: /^task$/, options: '--dry -n --list -l --list-all -a --summary --status' },
  { program: /^mage$/, options: '-l -h -dryrun' },
  { program: /^(?:inv|invoke)$/, options: '--list -l --dry -R' },
  { program: /^poe$/, options: '-d --dry-run' },
  { program: /^doit$/, words: 'list info help' },
  { program: /^mise$/, options: '--dry-run -n', words: 'tasks ls list' },
  { program: /^pdm$/, options: '--list -l' },
  {
    program: /^(?:turbo|nx|lerna|moon)$/,
    options: '--dry --dry-run --graph',
    words: 'ls list graph show changed query',
  },
  { program: /^(?:eslint|oxlint|stylelint)$/, options: '--print-config --init --env-info --rules' },
  { program: /^tsc$/, options: '--listFilesOnly --showConfig --init --all --dry --watch -w' },
  { program: /^prettier$/, options: '--find-config-path --find-config-file --file-info --support-info' },
  {
    program: /^ruff$/,
    options: '--show-files --show-settings --add-noqa',
    words: 'rule config linter version',
  },
  { program: /^rubocop$/, options: '-L --list-target-files --show-cops --auto-gen-config' },
  { program: /^pylint$/, options: '--list-msgs --list-msgs-enabled --generate-rcfile --list-extensions' },
  { program: /^golangci-lint$/, words: 'linters config formatters cache' },
  { program: /^(?:pre-commit|prek)$/, words: 'install autoupdate gc clean sample-config validate-config' },
];

/** Options of a task's own program, which its runner hands on. */
const HANDED_ON = new Set([
  ...LISTING_ROWS.flatMap(({ options = '' }) => options.split(' ')).filter((one) =>
    /^--?(?:list|watch|collect|co$|dry|no-?run|no-?test|notest|fixtures|markers|setup-?plan|show-?only|show-?config)/i.test(
      one,
    ),
  ),
]);
const HANDS_ON =
  /^(?:npm|pnpm|yarn|bun|composer|tox|nox|poe|pdm|hatch|rye|pixi|just|task|mise|deno|lerna|nx|turbo|npm-run-all|run-s)$/;
const FOR_ALL = new Set(['--help', '--version', '--usage']);
const TAKES_VALUE =
  /^-(?:[CDIPWcefjkmoprsx]|cf)$|^--(?:conf|workdir|root|env|session|sessions|project|prefix|dir|directory|file|filter|package|cwd|settings|config)$/;

const nameOf = (program: string): string =>
  program.replace(/^.*\//, '').replace(/\.(?:bat|cmd|exe|phar|ps1)$/i, '');

const namedIn = (words: readonly string[]): string[] =>
  words.filter((word, i) => !/^[-+]|^\w+=/.test(word) && !TAKES_VALUE.test(words[i - 1] ?? ''));

const hasLetter = (words: readonly string[], { letters = '', takes = '' }: ListingRow): boolean =>
  letters !== '' &&
  words.some((word) => {
    if (!/^-[A-Za-z]+/.test(word)) return false;
    const bundle = [...word.slice(1)];
    const end = bundle.findIndex((one) => takes.includes(one));
    return bundle.slice(0, end < 0 ? bundle.length : end).some((one) => letters.includes(one));
  });

const optionOf = (word: string): string => (/=(?:false|0|no)$/.test(word) ? '' : (word.split('=')[0] ?? ''));

const listsBy = (row: ListingRow, words: readonly string[]): boolean => {
  const options = new Set((row.options ?? '').split(' ').filter(Boolean));
  if (words.some((word) => word.startsWith('-') && options.has(optionOf(word)))) return true;
  if (hasLetter(words, row) || row.value?.test(words.join(' '))) return true;
  const named = namedIn(words);
  const listing = new Set((row.words ?? '').split(' '));
  if (row.only) return named.length > 0 && named.every((word) => listing.has(word.replace(/^.*:/, '')));
  return row.words !== undefined && listing.has(named[0] ?? '');
};

/** `coverage run -m pytest …` and the like are what they run. */
const innerCommand = (text: string): string => {
  const plain = unwrapCommand(text)
    .replace(/^coverage run (?:(?!-m )-\S+ )*-m /, '')
    .replace(
      /^(?:yarn|pnpm|bun)(?: run)? (?=(?:jest|vitest|mocha|playwright|cypress|ava|tap|tsc|eslint)(?: |$))/,
      '',
    );
  return unwrapCommand(plain);
};

const listsCommand = (words: readonly string[]): boolean => {
  const [program = '', ...rest] = words;
  if (rest.some((word) => FOR_ALL.has(word))) return true;
  const name = nameOf(program);
  if (HANDS_ON.test(name) && rest.some((word) => HANDED_ON.has(optionOf(word)))) return true;
  return LISTING_ROWS.some((row) => row.program.test(name) && listsBy(row, rest));
};

/** Variables in which a program finds further options. */
const SETTINGS: Readonly<Record<string, string>> = {
  PYTEST_ADDOPTS: 'pytest',
  MAKEFLAGS: 'make',
  GNUMAKEFLAGS: 'make',
  GOFLAGS: 'go',
  SPEC_OPTS: 'rspec',
  RAKEOPT: 'rake',
  MAVEN_ARGS: 'mvn',
  MAVEN_OPTS: 'mvn',
};
const listsBySetting = (word: string): boolean => {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(word) ?? [];
  const program = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  const options = program === 'make' ? value.replace(/^(?=[a-z]+(?: |$))/i, '-') : value;
  return program !== undefined && listsCommand([program, ...options.trim().split(/\s+/)]);
};

/** These commands prepare: a script of them and a listing still checks nothing. */
const PREPARES =
  /^(?:cd|pushd|popd|export|set|source|\.|unset|mkdir|rm|cp|mv|echo|printf|true|:|ls|cat|pwd|which|env|umask|ulimit|date|sleep|git (?:fetch|config|checkout|clone|submodule)|pip3?|npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|uv (?:sync|pip)|poetry install|bundle install|composer install|cmake|meson setup|cargo build|go (?:build|mod)|dotnet (?:build|restore))(?= |$)/;
/** A longer text is a program of its own (characters). */
const MAX_LISTING_TEXT = 4_000;

export const isListingOnly = (command: string): boolean => {
  if (command.length > MAX_LISTING_TEXT || !/[-\s]/.test(command)) return false;
  const { commands } = readShell(command.replace(/^[ \t]*[@+-]+(?=[A-Za-z./])/gm, ''));
  // guard: E19-listing-by-setting
  if (commands.some(({ words }) => words.some(listsBySetting))) return true;
  let lists = 0;
  for (const { words, piped } of commands) {
    const inner = innerCommand(words.join(' '));
    const plain = inner === words.join(' ') ? words : inner.split(' ');
    if (listsCommand(plain)) lists += 1;
    else if (!piped && !PREPARES.test(inner)) return false;
  }
  return lists > 0;
};
