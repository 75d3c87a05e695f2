/** Translates well-known actions into commands, and set-up actions into versions. */
import type { KnownValues } from './expressions.ts';

type Said = { command: string } | { tool: string; asked: string | null };
type Row = readonly [uses: RegExp, says: (given: KnownValues) => Said[]];

const toCommand = (command: string): Said[] => [{ command: command.replace(/\s+/g, ' ').trim() }];
const createToolReader =
  (name: string, ...keys: string[]) =>
  (given: KnownValues): Said[] => [
    { tool: name, asked: keys.map((k) => given[k]).find((v) => v !== undefined && v !== '') ?? null },
  ];
const withArgs =
  (start: string, plain: string, ...keys: string[]) =>
  (given: KnownValues): Said[] => {
    const args = keys.map((k) => given[k]).find((v) => v !== undefined && v.trim() !== '');
    return toCommand(`${start} ${args ?? plain}`);
  };
const ifSo = (test: boolean, said: Said[]): Said[] => (test ? said : []);

const ACTION_ROWS: readonly Row[] = [
  [/^actions\/setup-node$/, createToolReader('node', 'node-version')],
  [/^actions\/setup-python$/, createToolReader('python', 'python-version')],
  [/^actions\/setup-go$/, createToolReader('go', 'go-version')],
  [/^actions\/setup-java$|^graalvm\/setup-graalvm$/, createToolReader('java', 'java-version')],
  [/^actions\/setup-dotnet$/, createToolReader('dotnet', 'dotnet-version')],
  [
    /^pnpm\/action-setup$/,
    (g) => [
      ...createToolReader('pnpm', 'version')(g),
      ...ifSo(/^true$|recursive/.test(g['run_install'] ?? ''), toCommand('pnpm install')),
    ],
  ],
  [/^voidzero-dev\/setup-vp$/, (g) => ifSo(g['run-install'] !== 'false', toCommand('vp install'))],
  [/^oven-sh\/setup-bun$/, createToolReader('bun', 'bun-version')],
  [/^denoland\/setup-deno$/, createToolReader('deno', 'deno-version')],
  [/^astral-sh\/setup-uv$/, createToolReader('uv', 'version')],
  [
    /^ruby\/setup-ruby$/,
    (g) => [
      ...createToolReader('ruby', 'ruby-version')(g),
      ...ifSo(g['bundler-cache'] === 'true', toCommand('bundle install')),
    ],
  ],
  [/^shivammathur\/setup-php$/, createToolReader('php', 'php-version')],
  [/^erlef\/setup-(?:beam|elixir)$/, createToolReader('elixir', 'elixir-version')],
  [/^(?:goto-bus-stop|mlugg)\/setup-zig$/, createToolReader('zig', 'version')],
  [/^(?:haskell-actions|haskell)\/setup$/, createToolReader('ghc', 'ghc-version')],
  [
    /^(?:dtolnay\/rust-toolchain|actions-rs\/toolchain|actions-rust-lang\/setup-rust-toolchain|moonrepo\/setup-rust)$/,
    createToolReader('cargo', 'toolchain'),
  ],
  [/^extractions\/setup-just$/, createToolReader('just')],
  [/^(?:arduino|go-task)\/setup-task$/, createToolReader('task')],
  [/^swift-actions\/setup-swift$/, createToolReader('swift', 'swift-version')],
  [
    /^actions-rs\/cargo$/,
    (g) => ifSo(g['command'] !== undefined, toCommand(`cargo ${g['command']} ${g['args'] ?? ''}`)),
  ],
  [
    /^(?:houseabsolute\/actions-rust-cross|clechasseur\/rs-cargo|marcopolo\/cargo|ClementTsang\/cargo-action)$/,
    (g) => ifSo(g['command'] !== undefined, toCommand(`cargo ${g['command']} ${g['args'] ?? ''}`)),
  ],
  [
    /^(?:actions-rs\/clippy-check|giraffate\/clippy-action|auguwu\/clippy-action)$/,
    withArgs('cargo clippy', '', 'args', 'clippy_flags'),
  ],
  [
    /^(?:golangci\/golangci-lint-action|reviewdog\/action-golangci-lint)$/,
    withArgs('golangci-lint run', '', 'args', 'golangci_lint_flags'),
  ],
  [/^dominikh\/staticcheck-action$/, () => toCommand('staticcheck ./...')],
  [
    /^(?:pre-commit\/action|tox-dev\/action-pre-commit-uv|j178\/prek-action|cloudposse\/github-action-pre-commit)$/,
    (g) => toCommand(`pre-commit run ${g['extra_args'] ?? g['extra-args'] ?? '--all-files'}`),
  ],
  [
    /^(?:astral-sh\/ruff-action|chartboost\/ruff-action)$/,
    (g) => {
      const args = (g['args'] ?? 'check').trim();
      return toCommand(
        `ruff ${/^(?:check|format)/.test(args) ? args : `check ${args}`}${/check$|check .*[^-]$/.test(args) && g['src'] !== undefined ? ` ${g['src']}` : ''}`,
      );
    },
  ],
  [/^psf\/black$/, (g) => toCommand(`black ${g['options'] ?? '--check --diff'} ${g['src'] ?? '.'}`)],
  [/^isort\/isort-action$/, () => toCommand('isort --check-only --diff .')],
  [/^(?:haskell-actions|haskell\/actions)\/hlint-run$/, (g) => toCommand(`hlint ${g['path'] ?? '.'}`)],
  [/^rwe\/actions-hlint-run$/, (g) => toCommand(`hlint ${(g['path'] ?? '.').replace(/[[\]",]+/g, ' ')}`)],
  [/^haskell-actions\/run-fourmolu$/, (g) => toCommand(`fourmolu --mode check ${g['pattern'] ?? '.'}`)],
  [/^trunk-io\/trunk-action$/, () => toCommand('trunk check')],
  [/^crate-ci\/typos$/, () => toCommand('typos')],
  [/^codespell-project\/actions-codespell$/, () => toCommand('codespell')],
  [/^EmbarkStudios\/cargo-deny-action$/, (g) => toCommand(`cargo deny ${g['command'] ?? 'check'}`)],
  [/^fsfe\/reuse-action$/, () => toCommand('reuse lint')],
  [/^biomejs\/biome-action$/, () => toCommand('biome ci')],
  [/^python\/mypy$/, (g) => toCommand(`mypy ${g['options'] ?? ''} ${g['paths'] ?? '.'}`)],
  [/^jakebailey\/pyright-action$/, () => toCommand('pyright')],
  [/^wntrblm\/nox$/, () => []],
  [
    /^gradle\/(?:gradle-build-action|actions\/setup-gradle)$/,
    (g) => ifSo((g['arguments'] ?? '') !== '', toCommand(`./gradlew ${g['arguments']}`)),
  ],
  [/^ramsey\/composer-install$/, () => toCommand('composer install')],
  [/^julia-actions\/setup-julia$/, createToolReader('julia', 'version')],
  [
    /^julia-actions\/julia-runtest$/,
    (g) => toCommand(`julia --project=${g['project'] ?? '.'} -e 'using Pkg; Pkg.test()'`),
  ],
  [
    /^perl-actions\/install-with-cpm$/,
    (g) =>
      ifSo(
        (g['install'] ?? '') === '',
        toCommand(`cpm install -g --cpanfile ${g['cpanfile'] ?? 'cpanfile'}`),
      ),
  ],
  [
    /^perl-actions\/install-with-cpanm$/,
    (g) => ifSo((g['install'] ?? '') === '', toCommand('cpanm --installdeps .')),
  ],
  [/^fredrikekre\/runic-action$/, () => toCommand('runic --check --diff .')],
  [
    /^r-lib\/actions\/check-r-package$/,
    (g) => {
      const [args, errorOn] = [g['args'] ?? 'c("--no-manual", "--as-cran")', g['error-on'] ?? '"warning"'];
      return ifSo(
        !`${args}${errorOn}`.includes("'"),
        toCommand(`Rscript -e 'rcmdcheck::rcmdcheck(args = ${args}, error_on = ${errorOn})'`),
      );
    },
  ],
  [/^bahmutov\/npm-install$/, () => toCommand('npm ci')],
  [/^(?:JohnnyMorganz\/stylua-action)$/, withArgs('stylua', '--check .', 'args')],
  [/^(?:bjw-s|norio-nomura)\/action-swiftlint$/, withArgs('swiftlint', '', 'args')],
  [/^docker:\/\/oskarstark\/php-cs-fixer-ga/, () => toCommand('php-cs-fixer fix --dry-run')],
];

export const commandsOfAction = (uses: string, given: KnownValues): Said[] => {
  const name = uses.split('@')[0] ?? '';
  return ACTION_ROWS.find(([pattern]) => pattern.test(name))?.[1](given) ?? [];
};
