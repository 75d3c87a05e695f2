/** Linters and formatters that take file names: what of a contract's command stays, and how they answer. */

/** `line` names `path`, `line` and `text`; with `head` the path stands on a line above. */
type AnswerForm = { head?: RegExp; line: RegExp };

export type LinterRow = {
  program: string;
  /** The command only checks when its options match. */
  checkOptions?: RegExp;
  files: RegExp;
  /** Options that change what is complained about: with the word after them, and alone. */
  valued: readonly string[];
  alone?: RegExp;
  adds: readonly string[];
  says: AnswerForm;
  /** It takes packages, not files. */
  takes?: 'folders';
};

const SCRIPTS = /\.[cm]?[jt]sx?$/i;
const PYTHON = /\.pyi?$/i;
const FORMATTED = /\.(?:[cm]?[jt]sx?|json[5c]?|ya?ml|mdx?|css|scss|less|html?|vue|svelte|graphql|gql|hbs)$/i;

const AT_LINE: AnswerForm = { line: /^\s*(?<path>[^\s:][^:]*):(?<line>\d+)(?::\d+)*:? (?<text>\S.*)$/ };
const BELOW_PATH: AnswerForm = {
  head: /^(?<path>\S.*)$/,
  line: /^\s+(?<line>\d+):\d+\s+(?<text>\S.*)$/,
};
const NAMES: AnswerForm = { line: /^(?:[Ww]ould reformat:? )?(?<path>\S.*)$/ };

const RUFF_RULES = ['--config', '--select', '--ignore', '--extend-select', '--extend-ignore'];
const FLAKE8 = ['--config', '--select', '--ignore', '--extend-select', '--extend-ignore', '--exclude'];

export const LINTER_ROWS: readonly LinterRow[] = [
  {
    program: 'eslint',
    files: SCRIPTS,
    valued: ['-c', '--config', '--ext', '--rulesdir', '--rule', '--parser', '--parser-options', '--plugin'],
    alone: /^--(?:no-eslintrc|no-inline-config|no-config-lookup)$/,
    adds: ['--no-color'],
    says: BELOW_PATH,
  },
  {
    program: 'oxlint',
    files: SCRIPTS,
    valued: ['-c', '--config', '-A', '--allow', '-W', '--warn', '-D', '--deny', '--tsconfig'],
    alone: /^--(?:[\w-]+-plugin|disable-[\w-]+-plugin|type-aware)$/,
    adds: ['--format=unix'],
    says: AT_LINE,
  },
  ...['lint', 'check', 'ci'].map((word) => ({
    program: `biome ${word}`,
    files: SCRIPTS,
    valued: ['--config-path', '--only', '--skip'],
    adds: ['--colors=off'],
    says: AT_LINE,
  })),
  { program: 'standard', files: SCRIPTS, valued: ['--global', '--env', '--plugin'], adds: [], says: AT_LINE },
  {
    program: 'prettier',
    checkOptions: /(?:^| )(?:--check|-c|--list-different|-l)(?: |$)/,
    files: FORMATTED,
    valued: ['--config', '--ignore-path', '--plugin'],
    adds: ['--list-different', '--ignore-unknown'],
    says: NAMES,
  },
  {
    program: 'stylelint',
    files: /\.(?:css|scss|sass|less|pcss)$/i,
    valued: ['-c', '--config', '--ignore-path', '--ip', '--custom-syntax'],
    adds: ['--formatter=unix', '--no-color', '--allow-empty-input'],
    says: AT_LINE,
  },
  {
    program: 'ruff check',
    files: PYTHON,
    valued: [...RUFF_RULES, '--line-length', '--target-version', '--exclude', '--extend-exclude'],
    alone: /^--(?:preview|isolated)$/,
    adds: ['--no-fix', '--no-cache', '--force-exclude', '--output-format=concise'],
    says: AT_LINE,
  },
  {
    program: 'ruff format',
    checkOptions: /(?:^| )--(?:check|diff)(?: |$)/,
    files: PYTHON,
    valued: ['--config', '--line-length', '--target-version', '--exclude'],
    alone: /^--(?:preview|isolated)$/,
    adds: ['--check', '--no-cache', '--force-exclude'],
    says: NAMES,
  },
  {
    program: 'black',
    checkOptions: /(?:^| )--(?:check|diff)(?: |$)/,
    files: PYTHON,
    valued: ['--config', '-l', '--line-length', '-t', '--target-version', '--exclude', '--force-exclude'],
    alone: /^(?:--preview|-S|-C|--skip-[\w-]+)$/,
    adds: ['--check'],
    says: NAMES,
  },
  {
    program: 'isort',
    checkOptions: /(?:^| )(?:--check|--check-only|-c|--diff)(?: |$)/,
    files: PYTHON,
    valued: ['--profile', '--settings-path', '--sp', '--settings-file', '-l', '--line-length'],
    adds: ['--check-only'],
    says: { line: /^ERROR: (?<path>\S.*) (?<text>Imports are .*)$/ },
  },
  {
    program: 'flake8',
    files: PYTHON,
    valued: [...FLAKE8, '--max-line-length', '--max-complexity', '--per-file-ignores', '--max-doc-length'],
    adds: ['--format=default'],
    says: AT_LINE,
  },
  {
    program: 'pycodestyle',
    files: PYTHON,
    valued: [...FLAKE8, '--max-line-length'],
    adds: [],
    says: AT_LINE,
  },
  { program: 'pyflakes', files: PYTHON, valued: [], adds: [], says: AT_LINE },
  {
    program: 'pylint',
    files: PYTHON,
    valued: ['--rcfile', '-d', '--disable', '-e', '--enable', '--max-line-length', '--load-plugins'],
    alone: /^(?:-E|--errors-only)$/,
    adds: ['--output-format=text', '--score=n'],
    says: AT_LINE,
  },
  {
    program: 'rubocop',
    files: /(?:\.(?:rb|rake|gemspec|ru)|(?:^|\/)(?:Gemfile|Rakefile))$/,
    valued: ['-c', '--config', '--only', '--except', '-r', '--require'],
    adds: ['--format=emacs', '--force-exclusion', '--cache=false'],
    says: AT_LINE,
  },
  {
    program: 'shellcheck',
    files: /\.(?:ba|da|k)?sh$/,
    valued: ['-s', '--shell', '-e', '--exclude', '-i', '--include', '-o', '--enable', '-S', '--severity'],
    alone: /^(?:-x|--external-sources|-a|--check-sourced)$/,
    adds: ['--format=gcc', '--color=never'],
    says: AT_LINE,
  },
  {
    program: 'gofmt',
    checkOptions: /(?:^| )-s?[ld](?: |$)/,
    files: /\.go$/,
    valued: [],
    alone: /^-s$/,
    adds: ['-l'],
    says: NAMES,
  },
  { program: 'go vet', files: /\.go$/, valued: ['-tags'], adds: [], says: AT_LINE, takes: 'folders' },
  {
    program: 'yamllint',
    files: /\.ya?ml$/i,
    valued: ['-c', '--config-file', '-d', '--config-data'],
    alone: /^(?:-s|--strict)$/,
    adds: ['--format=parsable'],
    says: AT_LINE,
  },
  {
    program: 'phpcs',
    files: /\.php$/i,
    valued: ['--standard', '--sniffs', '--exclude', '--severity'],
    adds: ['--report=emacs', '--no-colors', '-q'],
    says: AT_LINE,
  },
];

/** Options of how much is printed and how fast; no complaint comes or goes with them. */
export const PRINTING_OPTIONS = {
  alone:
    /^(?:-q|--quiet|-v|--verbose|-[ld]|-c|-sl|--check|--check-only|--diff|--list-different|--(?:no-)?color|--no-cache|--cache|--no-fix|--fix-dry-run|--statistics|--count|--show-\S+|--parallel|--exit-\S+|--error-on-\S+|--no-error-on-\S+|--report-unused-\S+|--unsafe|--stats|--cache=\S*|--(?:format|formatter|report|reporter|output-format|colou?rs?|max-warnings|threads|jobs|max-diagnostics|cache-\w+|display-\S+)=\S*|-j\d+|-f\S+)$/,
  valued: [
    '-f',
    '--format',
    '--formatter',
    '--output-format',
    '--reporter',
    '--max-warnings',
    '-j',
    '--jobs',
  ].concat(['--threads', '--cache-location', '--cache-strategy', '--max-diagnostics']),
};
