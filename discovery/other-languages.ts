/** Names languages without a probe of their own, so that a person hears what is not known. */

import type { FoundCommand } from './probe-types.ts';

type OtherLanguage = {
  ecosystem: string;
  name: string;
  packageManager: string | null;
  mark: RegExp;
  source: RegExp;
};

const createLanguage = (
  ecosystem: string,
  name: string,
  packageManager: string | null,
  mark: RegExp,
  source: RegExp,
): OtherLanguage => ({ ecosystem, name, packageManager, mark, source });

const BELOW = String.raw`(?:^|^(?:packages|pkgs|libs|modules|apps)\/[\w.-]+\/)`;
const LANGUAGES: readonly OtherLanguage[] = [
  createLanguage('dart', 'Dart', 'pub', new RegExp(`${BELOW}pubspec\\.yaml$`), /\.dart$/),
  createLanguage('scala', 'Scala', 'sbt', /^build\.sbt$/, /\.(?:scala|sbt)$/),
  createLanguage('scala', 'Scala', 'mill', /^build\.(?:sc|mill)$/, /\.scala$/),
  createLanguage('clojure', 'Clojure', 'clojure', /^deps\.edn$/, /\.clj[cs]?$/),
  createLanguage('clojure', 'Clojure', 'lein', /^project\.clj$/, /\.clj[cs]?$/),
  createLanguage('ocaml', 'OCaml', 'dune', /^dune-project$/, /\.mli?$/),
  createLanguage('julia', 'Julia', 'pkg', /^Project\.toml$/, /\.jl$/),
  createLanguage('r', 'R', 'r', /^DESCRIPTION$/, /\.[rR]$/),
  createLanguage('lua', 'Lua', 'luarocks', /^[\w.-]+\.rockspec$/, /\.lua$/),
  createLanguage('lua', 'Lua', null, /^(?:[\w.-]+\.lua|\.luacheckrc|\.busted)$/, /\.lua$/),
  createLanguage('nim', 'Nim', 'nimble', /^[\w.-]+\.nimble$/, /\.nim$/),
  createLanguage('crystal', 'Crystal', 'shards', /^shard\.yml$/, /\.cr$/),
  createLanguage('d', 'D', 'dub', /^dub\.(?:json|sdl)$/, /\.di?$/),
  createLanguage('nix', 'Nix', 'nix', /^(?:flake|default|shell)\.nix$/, /\.nix$/),
  createLanguage('elm', 'Elm', 'elm', /^elm\.json$/, /\.elm$/),
  createLanguage('solidity', 'Solidity', 'forge', /^foundry\.toml$/, /\.sol$/),
  createLanguage('terraform', 'Terraform', 'terraform', /^[\w.-]+\.tf$/, /\.tf$/),
  createLanguage(
    'helm',
    'Helm',
    'helm',
    /^(?:charts\/[\w.-]+\/)?Chart\.yaml$/,
    /(?:^|\/)templates\/.*\.(?:ya?ml|tpl)$/,
  ),
];

export const otherLanguageIn = (paths: readonly string[]): (OtherLanguage & { files: number }) | null =>
  LANGUAGES.map((one) => ({ ...one, files: paths.filter((p) => one.source.test(p)).length }))
    .filter(({ mark, files }) => files > 0 && paths.some((p) => mark.test(p)))
    .sort((a, b) => b.files - a.files)[0] ?? null;

type Habit = { kind: 'install' | 'lint' | 'test'; command: string; of: RegExp };
/** Commands that are usual in a language, each with the file that it needs. */
const HABITS: Readonly<Record<string, readonly Habit[]>> = {
  ocaml: [
    { kind: 'install', command: 'opam install . --deps-only --with-test', of: /^[\w.-]+\.opam$/ },
    { kind: 'test', command: 'dune runtest', of: /^dune-project$/ },
  ],
  julia: [
    { kind: 'test', command: `julia --project=. -e 'using Pkg; Pkg.test()'`, of: /^test\/runtests\.jl$/ },
  ],
  r: [{ kind: 'test', command: `Rscript -e 'testthat::test_local()'`, of: /^tests\/testthat\.R$/ }],
  lua: [
    { kind: 'test', command: 'cd test && lua test.lua', of: /^test\/test\.lua$/ },
    { kind: 'test', command: 'cd tests && lua test.lua', of: /^tests\/test\.lua$/ },
    { kind: 'test', command: 'lua test.lua', of: /^test\.lua$/ },
  ],
  nix: [{ kind: 'lint', command: 'nix flake check', of: /^flake\.nix$/ }],
};
export const habitsOf = (ecosystem: string, paths: readonly string[]): FoundCommand[] =>
  (HABITS[ecosystem] ?? []).flatMap(({ kind, command, of }) => {
    const source = paths.find((path) => of.test(path));
    return source === undefined ? [] : [{ kind, command, ecosystem, dir: '', source }];
  });

const CI_SYSTEMS: readonly (readonly [name: string, file: RegExp])[] = [
  ['Travis CI', /^\.travis\.ya?ml$/],
  ['GitLab CI', /^\.gitlab-ci\.ya?ml$/],
  ['Zuul', /^\.?zuul(?:\.d\/.*)?(?:\.ya?ml)$/],
  ['Azure Pipelines', /^(?:\.?azure-pipelines?\.ya?ml|\.azure-pipelines\/.*\.ya?ml|\.pipelines\/.*\.ya?ml)$/],
  ['CircleCI', /^\.circleci\/config\.ya?ml$/],
  ['Buildkite', /^\.buildkite\/[^/]*\.ya?ml$/],
  ['Cirrus CI', /^\.cirrus\.(?:ya?ml|star)$/],
  ['AppVeyor', /^\.?appveyor\.ya?ml$/],
  ['Jenkins', /^Jenkinsfile[\w.-]*$/],
  ['Drone', /^\.drone\.ya?ml$/],
  ['Woodpecker', /^\.woodpecker(?:\.ya?ml|\/.*\.ya?ml)$/],
  ['SourceHut builds', /^\.build\.yml$|^\.builds\/.*\.yml$/],
  ['Bitbucket Pipelines', /^bitbucket-pipelines\.yml$/],
  ['TeamCity', /^\.teamcity\/settings\.kts$/],
  ['Prow', /^\.prow(?:\.ya?ml|\/.*\.ya?ml)$/],
];

export const unreadCiSystems = (paths: readonly string[]): { name: string; file: string }[] =>
  CI_SYSTEMS.flatMap(([name, mark]) => {
    const file = paths.find((p) => mark.test(p));
    return file === undefined ? [] : [{ name, file }];
  });
