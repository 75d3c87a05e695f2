/** E15: finds installations that only fetch dependencies, and the files they read, for caching. */
import { isFolder, type InstallCommand } from './contract.ts';

const FLAGS = String.raw`(?: +-{1,2}[\w.=:/-]+(?: +(?!-|&)[\w.:/-]+)?)*`;
/** Anything else may have built something. */
const ONLY_FETCHES = new RegExp(
  `^(?:${[
    String.raw`(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun (?:install|i)|deno install)${FLAGS}`,
    String.raw`corepack enable|corepack prepare [\w@.+-]+ --activate`,
    String.raw`uv sync${FLAGS}|uv venv${FLAGS}|poetry install${FLAGS}|pdm (?:install|sync)${FLAGS}`,
    String.raw`python3? -m venv [\w./-]+`,
    String.raw`(?:[\w./-]*\/)?(?:uv pip|python3? -m pip|pip3?) install${FLAGS}(?: +(?:-r +[\w./-]+|-e +["']?\.(?:\[[\w,-]+\])?["']?|[\w-]+(?:[=<>~]=?[\w.*]+)?))*`,
    String.raw`bundle install${FLAGS}|composer install${FLAGS}|mix deps\.get|mix local\.(?:hex|rebar) --force`,
    String.raw`go mod download|cargo fetch${FLAGS}|dotnet restore${FLAGS}`,
  ].join('|')})$`,
);

export const onlyFetches = (command: string): boolean =>
  command.split(/ *(?:&&|;|\n) */).every((part) => ONLY_FETCHES.test(part.trim()));

export const installPlan = (installs: readonly InstallCommand[]): InstallCommand[] =>
  installs.filter(
    (one, i) =>
      isFolder(one.dir) && installs.findIndex((o) => o.command === one.command && o.dir === one.dir) === i,
  );

const READ =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|deno\.jsonc?|deno\.lock|jsr\.json|lerna\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|\.node-version|\.nvmrc|pyproject\.toml|setup\.(?:py|cfg)|[\w.-]*requirements[\w.-]*\.(?:txt|in)|constraints[\w.-]*\.txt|uv\.(?:lock|toml)|poetry\.(?:lock|toml)|pdm\.(?:lock|toml)|Pipfile(?:\.lock)?|tox\.ini|noxfile\.py|hatch\.toml|environment\.ya?ml|\.python-version|MANIFEST\.in|go\.(?:mod|sum|work|work\.sum)|Cargo\.(?:toml|lock)|rust-toolchain(?:\.toml)?|build\.rs|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml|Gemfile(?:\.lock)?|[\w.-]+\.gemspec|\.ruby-version|composer\.(?:json|lock)|mix\.(?:exs|lock)|rebar\.(?:config|lock)|[\w.-]+\.(?:csproj|fsproj|vbproj|sln|slnx)|Directory\.(?:Build|Packages)\.props|packages\.lock\.json|global\.json|nuget\.config|Package\.(?:swift|resolved)|\.tool-versions|mise\.toml|\.mise\.toml|Makefile|GNUmakefile|justfile|Taskfile\.ya?ml)$/i;
/** Folders with inputs of installations: patches, local packages, split requirements. */
const READ_IN = /(?:^|\/)(?:patches|requirements|\.yarn|vendor|\.mvn|gradle|\.cargo)\//i;

export const mayChangeInstall = (
  path: string,
  installs: readonly Pick<InstallCommand, 'command'>[],
): boolean => {
  const name = path.split('/').at(-1) ?? path;
  return READ.test(name) || READ_IN.test(path) || installs.some(({ command }) => command.includes(name));
};
