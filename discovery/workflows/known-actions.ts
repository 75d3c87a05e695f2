/** Translates well-known actions into commands, and set-up actions into versions. */
import type { KnownValues } from './expressions.ts';

type Said = { command: string } | { tool: string; asked: string | null };
type Row = readonly [uses: RegExp, says: (given: KnownValues) => Said[]];

const run = (command: string): Said[] => [{ command: command.replace(/\s+/g, ' ').trim() }];
const tool =
  (name: string, ...keys: string[]) =>
  (given: KnownValues): Said[] => [
    { tool: name, asked: keys.map((k) => given[k]).find((v) => v !== undefined && v !== '') ?? null },
  ];
const withArgs =
  (start: string, plain: string, ...keys: string[]) =>
  (given: KnownValues): Said[] => {
    const args = keys.map((k) => given[k]).find((v) => v !== undefined && v.trim() !== '');
    return run(`${start} ${args ?? plain}`);
  };
const ifSo = (test: boolean, said: Said[]): Said[] => (test ? said : []);

const ACTION_ROWS: readonly Row[] = [
  [/^actions\/setup-node$/, tool('node', 'node-version')],
  [/^actions\/setup-python$/, tool('python', 'python-version')],
  [/^actions\/setup-go$/, tool('go', 'go-version')],
  [/^actions\/setup-java$|^graalvm\/setup-graalvm$/, tool('java', 'java-version')],
  [/^actions\/setup-dotnet$/, tool('dotnet', 'dotnet-version')],
  [
    /^pnpm\/action-setup$/,
    (g) => [
      ...tool('pnpm', 'version')(g),
      ...ifSo(/^true$|recursive/.test(g['run_install'] ?? ''), run('pnpm install')),
    ],
  ],
  [/^voidzero-dev\/setup-vp$/, (g) => ifSo(g['run-install'] !== 'false', run('vp install'))],
  [/^oven-sh\/setup-bun$/, tool('bun', 'bun-version')],
  [/^denoland\/setup-deno$/, tool('deno', 'deno-version')],
  [/^astral-sh\/setup-uv$/, tool('uv', 'version')],
  [
    /^ruby\/setup-ruby$/,
    (g) => [
      ...tool('ruby', 'ruby-version')(g),
      ...ifSo(g['bundler-cache'] === 'true', run('bundle install')),
    ],
  ],
  [/^shivammathur\/setup-php$/, tool('php', 'php-version')],
  [/^erlef\/setup-(?:beam|elixir)$/, tool('elixir', 'elixir-version')],
  [/^(?:goto-bus-stop|mlugg)\/setup-zig$/, tool('zig', 'version')],
  [/^(?:haskell-actions|haskell)\/setup$/, tool('ghc', 'ghc-version')],
  [
    /^(?:dtolnay\/rust-toolchain|actions-rs\/toolchain|actions-rust-lang\/setup-rust-toolchain|moonrepo\/setup-rust)$/,
    tool('cargo', 'toolchain'),
  ],
  [/^extractions\/setup-just$/, tool('just')],
  [/^(?:arduino|go-task)\/setup-task$/, tool('task')],
  [/^swift-actions\/setup-swift$/, tool('swift', 'swift-version')],
  [
    /^actions-rs\/cargo$/,
    (g) => ifSo(g['command'] !== undefined, run(`cargo ${g['command']} ${g['args'] ?? ''}`)),
  ],
  [
    /^(?:houseabsolute\/actions-rust-cross|clechasseur\/rs-cargo|marcopolo\/cargo|ClementTsang\/cargo-action)$/,
    (g) => ifSo(g['command'] !== undefined, run(`cargo ${g['command']} ${g['args'] ?? ''}`)),
  ],
  [
    /^(?:actions-rs\/clippy-check|giraffate\/clippy-action|auguwu\/clippy-action)$/,
    withArgs('cargo clippy', '', 'args', 'clippy_flags'),
  ],
  [
    /^(?:golangci\/golangci-lint-action|reviewdog\/action-golangci-lint)$/,
    withArgs('golangci-lint run', '', 'args', 'golangci_lint_flags'),
  ],
  [/^dominikh\/staticcheck-action$/, () => run('staticcheck ./...')],
  [
    /^(?:pre-commit\/action|tox-dev\/action-pre-commit-uv|j178\/prek-action|cloudposse\/github-action-pre-commit)$/,
    (g) => run(`pre-commit run ${g['extra_args'] ?? g['extra-args'] ?? '--all-files'}`),
  ],
  [
    /^(?:astral-sh\/ruff-action|chartboost\/ruff-action)$/,
    (g) => {
      const args = (g['args'] ?? 'check').trim();
      return run(
        `ruff ${/^(?:check|format)/.test(args) ? args : `check ${args}`}${/check$|check .*[^-]$/.test(args) && g['src'] !== undefined ? ` ${g['src']}` : ''}`,
      );
    },
  ],
  [/^psf\/black$/, (g) => run(`black ${g['options'] ?? '--check --diff'} ${g['src'] ?? '.'}`)],
  [/^isort\/isort-action$/, () => run('isort --check-only --diff .')],
  [/^(?:haskell-actions|haskell\/actions)\/hlint-run$/, (g) => run(`hlint ${g['path'] ?? '.'}`)],
  [/^haskell-actions\/run-fourmolu$/, (g) => run(`fourmolu --mode check ${g['pattern'] ?? '.'}`)],
  [/^trunk-io\/trunk-action$/, () => run('trunk check')],
  [/^crate-ci\/typos$/, () => run('typos')],
  [/^codespell-project\/actions-codespell$/, () => run('codespell')],
  [/^EmbarkStudios\/cargo-deny-action$/, (g) => run(`cargo deny ${g['command'] ?? 'check'}`)],
  [/^fsfe\/reuse-action$/, () => run('reuse lint')],
  [/^biomejs\/biome-action$/, () => run('biome ci')],
  [/^python\/mypy$/, (g) => run(`mypy ${g['options'] ?? ''} ${g['paths'] ?? '.'}`)],
  [/^jakebailey\/pyright-action$/, () => run('pyright')],
  [/^wntrblm\/nox$/, () => []],
  [
    /^gradle\/(?:gradle-build-action|actions\/setup-gradle)$/,
    (g) => ifSo((g['arguments'] ?? '') !== '', run(`./gradlew ${g['arguments']}`)),
  ],
  [/^ramsey\/composer-install$/, () => run('composer install')],
  [/^julia-actions\/setup-julia$/, tool('julia', 'version')],
  [
    /^julia-actions\/julia-runtest$/,
    (g) => run(`julia --project=${g['project'] ?? '.'} -e 'using Pkg; Pkg.test()'`),
  ],
  [/^bahmutov\/npm-install$/, () => run('npm ci')],
  [/^(?:JohnnyMorganz\/stylua-action)$/, withArgs('stylua', '--check .', 'args')],
  [/^(?:bjw-s|norio-nomura)\/action-swiftlint$/, withArgs('swiftlint', '', 'args')],
  [/^docker:\/\/oskarstark\/php-cs-fixer-ga/, () => run('php-cs-fixer fix --dry-run')],
];

export const commandsOfAction = (uses: string, given: KnownValues): Said[] => {
  const name = uses.split('@')[0] ?? '';
  return ACTION_ROWS.find(([pattern]) => pattern.test(name))?.[1](given) ?? [];
};
