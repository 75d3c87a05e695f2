/** E15: toolchains: their programs, usual places, and how to get them. */

/** A folder of programs below a home, and the variable that locates it. */
export type ToolPlace = {
  /** Path below the home; a last part of `*` matches anything. */
  at: string;
  /** Only these parts are exposed: others may hold credentials. */
  parts?: readonly string[];
  variable?: string;
  /** The program writes there, so a run gets its own folder. */
  written?: true;
};

type Toolchain = {
  /** Name in a contract, and programs that come with it. */
  programs: readonly string[];
  asks?: string;
  get: readonly string[];
  places?: readonly ToolPlace[];
  /** Variables in its box; `~` is the run's HOME. The operator's come first. */
  env?: Readonly<Record<string, string>>;
};

export const TOOLCHAIN_TABLE = {
  node: {
    programs: ['node', 'npm', 'npx', 'corepack'],
    get: ['apt-get install nodejs npm', 'https://nodejs.org'],
    places: [
      { at: '.nvm/versions/node/*' },
      { at: '.volta', variable: 'VOLTA_HOME' },
      { at: '.local/share/fnm/node-versions' },
      { at: '.nodenv', variable: 'NODENV_ROOT' },
      { at: '.local/share/pnpm', variable: 'PNPM_HOME', parts: ['nodejs', 'global'], written: true },
      { at: 'n', parts: ['bin', 'lib', 'n'] },
      { at: '.npm-global', parts: ['bin', 'lib'] },
    ],
  },
  pnpm: {
    programs: ['pnpm', 'pnpx'],
    get: ['npm install -g pnpm'],
    // It downloads the version that a project pins.
    env: { PNPM_HOME: '~/.local/share/pnpm' },
  },
  yarn: { programs: ['yarn', 'yarnpkg'], get: ['npm install -g yarn'], places: [{ at: '.yarn/bin' }] },
  bun: {
    programs: ['bun', 'bunx'],
    get: ['npm install -g bun', 'https://bun.sh'],
    places: [{ at: '.bun/bin' }],
  },
  deno: {
    programs: ['deno'],
    get: ['npm install -g deno', 'https://deno.com'],
    places: [{ at: '.deno/bin' }],
    env: { DENO_NO_UPDATE_CHECK: '1' },
  },
  python: {
    programs: ['python', 'python3', 'pip', 'pip3', 'tox', 'nox', 'pytest'],
    get: ['apt-get install python3 python3-venv python3-pip'],
    places: [
      { at: '.pyenv', variable: 'PYENV_ROOT' },
      { at: '.local/share/pipx' },
      { at: '.local/pipx' },
      { at: 'miniconda3' },
      { at: 'miniforge3' },
      { at: 'anaconda3' },
    ],
  },
  uv: {
    programs: ['uv', 'uvx'],
    get: ['pip install uv', 'https://docs.astral.sh/uv'],
    places: [{ at: '.local/share/uv/python' }, { at: '.local/share/uv/tools' }],
    env: { UV_LINK_MODE: 'copy' },
  },
  poetry: {
    programs: ['poetry'],
    get: ['pipx install poetry'],
    places: [{ at: '.local/share/pypoetry/venv' }, { at: '.poetry', parts: ['bin', 'lib', 'env'] }],
    env: { POETRY_VIRTUALENVS_IN_PROJECT: 'true', POETRY_NO_INTERACTION: '1' },
  },
  pdm: { programs: ['pdm'], get: ['pipx install pdm'] },
  hatch: { programs: ['hatch'], get: ['pipx install hatch'], places: [{ at: '.local/share/hatch/pythons' }] },
  go: {
    programs: ['go', 'gofmt'],
    asks: 'version',
    get: ['apt-get install golang', 'https://go.dev/dl'],
    places: [{ at: 'go/bin' }, { at: 'sdk' }, { at: '.goenv', variable: 'GOENV_ROOT' }, { at: '.local/go' }],
    env: { GOPATH: '~/go', GOCACHE: '~/.cache/go-build', GOTOOLCHAIN: 'local' },
  },
  'golangci-lint': {
    programs: ['golangci-lint'],
    get: ['https://golangci-lint.run'],
    places: [{ at: 'go/bin' }],
  },
  cargo: {
    programs: [
      'cargo',
      'rustc',
      'rustup',
      'rustfmt',
      'rustdoc',
      'cargo-clippy',
      'cargo-fmt',
      'cargo-nextest',
    ],
    get: ['apt-get install cargo', 'https://rustup.rs'],
    places: [
      { at: '.cargo/bin' },
      { at: '.rustup', variable: 'RUSTUP_HOME', parts: ['toolchains', 'settings.toml', 'update-hashes'] },
    ],
    env: { CARGO_HOME: '~/.cargo' },
  },
  java: {
    programs: ['java', 'javac', 'kotlinc'],
    asks: '-version',
    get: ['apt-get install default-jdk-headless', 'https://sdkman.io'],
    places: [
      { at: '.sdkman/candidates', variable: 'SDKMAN_CANDIDATES_DIR' },
      { at: '.jdks' },
      { at: '.jenv', variable: 'JENV_ROOT' },
    ],
    // It takes the home from passwd instead of HOME.
    env: { JAVA_TOOL_OPTIONS: '-Duser.home=~' },
  },
  mvn: { programs: ['mvn', 'mvnd'], get: ['apt-get install maven'] },
  gradle: {
    programs: ['gradle'],
    get: ['apt-get install gradle', 'https://gradle.org/install'],
    env: { GRADLE_USER_HOME: '~/.gradle' },
  },
  ruby: {
    programs: ['ruby', 'gem', 'bundle', 'bundler', 'rake'],
    get: ['apt-get install ruby-full', 'https://www.ruby-lang.org'],
    places: [
      { at: '.rbenv', variable: 'RBENV_ROOT' },
      { at: '.rvm', variable: 'rvm_path' },
      { at: '.gem/ruby' },
      { at: '.local/share/gem/ruby' },
    ],
    // Adds to the system's gems; Bundler asks sudo without write access.
    env: { GEM_HOME: '~/.gem' },
  },
  php: {
    programs: ['php'],
    get: ['apt-get install php-cli php-xml php-mbstring php-curl'],
    places: [{ at: '.phpenv', variable: 'PHPENV_ROOT' }],
  },
  composer: {
    programs: ['composer'],
    get: ['apt-get install composer'],
    places: [{ at: '.composer/vendor' }, { at: '.config/composer/vendor' }],
    env: { COMPOSER_HOME: '~/.composer' },
  },
  mix: {
    programs: ['mix', 'elixir', 'iex'],
    get: ['apt-get install elixir'],
    // Hex is an archive; its downloads belong to the run.
    places: [{ at: '.mix/archives', variable: 'MIX_ARCHIVES' }],
    env: { MIX_HOME: '~/.mix', HEX_HOME: '~/.hex' },
  },
  hex: { programs: ['hex'], get: ['mix local.hex --force'] },
  erl: {
    programs: ['erl', 'rebar3', 'gleam'],
    asks: '-noshell -eval "io:put_chars(erlang:system_info(otp_release)),halt()."',
    get: ['apt-get install erlang'],
  },
  dotnet: {
    programs: ['dotnet'],
    get: ['https://dotnet.microsoft.com/download'],
    places: [
      {
        at: '.dotnet',
        variable: 'DOTNET_ROOT',
        parts: ['dotnet', 'sdk', 'shared', 'host', 'packs', 'templates', 'sdk-manifests'],
      },
    ],
    env: { DOTNET_CLI_HOME: '~', DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
  },
  swift: {
    programs: ['swift', 'swiftc'],
    get: ['https://www.swift.org/install'],
    places: [{ at: '.local/share/swiftly' }],
  },
  gcc: { programs: ['gcc', 'cc', 'g++', 'c++'], get: ['apt-get install build-essential'] },
  clang: { programs: ['clang', 'clang++', 'clang-format', 'clang-tidy'], get: ['apt-get install clang'] },
  make: { programs: ['make'], get: ['apt-get install make'] },
  cmake: { programs: ['cmake', 'ctest'], get: ['apt-get install cmake'] },
  meson: { programs: ['meson', 'ninja'], get: ['apt-get install meson ninja-build'] },
  autoconf: {
    programs: ['autoconf', 'autoreconf', 'automake', 'libtool', 'pkg-config'],
    get: ['apt-get install autoconf automake libtool pkg-config'],
  },
  zig: { programs: ['zig'], asks: 'version', get: ['https://ziglang.org/download'] },
  ghc: {
    programs: ['ghc', 'cabal', 'stack'],
    get: ['apt-get install ghc cabal-install', 'https://www.haskell.org/ghcup'],
    places: [{ at: '.ghcup', parts: ['bin', 'ghc', 'cabal', 'share'] }, { at: '.cabal/bin' }],
  },
  just: { programs: ['just'], get: ['apt-get install just', 'https://just.systems'] },
  task: { programs: ['task'], get: ['https://taskfile.dev/installation'] },
  'pre-commit': { programs: ['pre-commit'], get: ['apt-get install pre-commit'] },
  shellcheck: { programs: ['shellcheck'], get: ['apt-get install shellcheck'] },
  shfmt: { programs: ['shfmt'], get: ['apt-get install shfmt'] },
  yamllint: { programs: ['yamllint'], get: ['apt-get install yamllint'] },
  codespell: { programs: ['codespell'], get: ['apt-get install codespell'] },
  git: { programs: ['git'], get: ['apt-get install git'] },
  asdf: {
    programs: ['asdf'],
    get: ['https://asdf-vm.com'],
    places: [{ at: '.asdf', variable: 'ASDF_DATA_DIR' }],
  },
  mise: {
    programs: ['mise', 'rtx'],
    get: ['https://mise.jdx.dev'],
    places: [{ at: '.local/share/mise', variable: 'MISE_DATA_DIR' }],
    env: { MISE_YES: '1', MISE_NOT_FOUND_AUTO_INSTALL: 'false' },
  },
} as const satisfies Record<string, Toolchain>;

const TOOLCHAIN_ROWS: readonly (readonly [string, Toolchain])[] = Object.entries(TOOLCHAIN_TABLE);

export const toolchainOf = (program: string): (Toolchain & { name: string }) | null => {
  const plain = program.replace(/^(python|pip|clang|gcc|php|ruby)-?\d[\d.]*$/, '$1');
  const row =
    TOOLCHAIN_ROWS.find(([name]) => name === plain) ??
    TOOLCHAIN_ROWS.find(([, { programs }]) => programs.includes(plain));
  return row ? { name: row[0], ...row[1] } : null;
};

export const isKnownProgram = (program: string): boolean => toolchainOf(program) !== null;
export const everyProgram = (): string[] => TOOLCHAIN_ROWS.flatMap(([, { programs }]) => [...programs]);
export const everyToolchain = (): readonly (readonly [string, Toolchain])[] => TOOLCHAIN_ROWS;

export const versionCommand = (program: string): string => {
  const row = toolchainOf(program);
  const asks =
    row?.programs[0] === program || row?.name === program ? (row.asks ?? '--version') : '--version';
  return `${program} ${asks}`;
};
