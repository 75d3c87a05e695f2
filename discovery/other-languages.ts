/** Names languages without a probe of their own, so that a person hears what is not known. */

type OtherLanguage = {
  ecosystem: string;
  name: string;
  packageManager: string;
  mark: RegExp;
  source: RegExp;
};

const language = (
  ecosystem: string,
  name: string,
  packageManager: string,
  mark: RegExp,
  source: RegExp,
): OtherLanguage => ({ ecosystem, name, packageManager, mark, source });

const BELOW = String.raw`(?:^|^(?:packages|pkgs|libs|modules|apps)\/[\w.-]+\/)`;
const LANGUAGES: readonly OtherLanguage[] = [
  language('dart', 'Dart', 'pub', new RegExp(`${BELOW}pubspec\\.yaml$`), /\.dart$/),
  language('scala', 'Scala', 'sbt', /^build\.sbt$/, /\.(?:scala|sbt)$/),
  language('scala', 'Scala', 'mill', /^build\.(?:sc|mill)$/, /\.scala$/),
  language('clojure', 'Clojure', 'clojure', /^deps\.edn$/, /\.clj[cs]?$/),
  language('clojure', 'Clojure', 'lein', /^project\.clj$/, /\.clj[cs]?$/),
  language('ocaml', 'OCaml', 'dune', /^dune-project$/, /\.mli?$/),
  language('julia', 'Julia', 'pkg', /^Project\.toml$/, /\.jl$/),
  language('r', 'R', 'r', /^DESCRIPTION$/, /\.[rR]$/),
  language('lua', 'Lua', 'luarocks', /^[\w.-]+\.rockspec$/, /\.lua$/),
  language('nim', 'Nim', 'nimble', /^[\w.-]+\.nimble$/, /\.nim$/),
  language('crystal', 'Crystal', 'shards', /^shard\.yml$/, /\.cr$/),
  language('d', 'D', 'dub', /^dub\.(?:json|sdl)$/, /\.di?$/),
  language('nix', 'Nix', 'nix', /^(?:flake|default|shell)\.nix$/, /\.nix$/),
  language('elm', 'Elm', 'elm', /^elm\.json$/, /\.elm$/),
  language('solidity', 'Solidity', 'forge', /^foundry\.toml$/, /\.sol$/),
  language('terraform', 'Terraform', 'terraform', /^[\w.-]+\.tf$/, /\.tf$/),
  language(
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
