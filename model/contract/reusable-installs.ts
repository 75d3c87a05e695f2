/** Finds installations that only fetch dependencies, and the files they read, for caching (E15). */
import { isPlainFolderPath, type InstallCommand } from './contract.ts';

/** Names of programs and their subcommands; the rest of the words are judged one by one. */
const INSTALLS =
  /^(?:npm (?:ci|install|i)|pnpm (?:install|i)|yarn(?: install)?|bun (?:install|i)|deno install|uv sync|uv venv|poetry install|pdm (?:install|sync)|bundle install|composer install|cargo fetch|dotnet restore)(?= |$)/;
const PIP_INSTALLS = /^(?:[\w./-]*\/)?(?:uv pip|python3? -m pip|pip3?) install(?= |$)/;
const FIXED =
  /^(?:corepack enable|corepack prepare [\w@.+-]+ --activate|python3? -m venv [\w./-]+|mix deps\.get|mix local\.(?:hex|rebar) --force|go mod download)$/;
const OPTION = /^-[\w.=:/-]+$/;
const OPTION_VALUE = /^[\w.:/][\w.:/-]*$/;
const REQUIREMENT = /^[\w-]+(?:[=<>~]=?[\w.*]+)?$/;
const FILE = /^[\w./-]+$/;
const THIS_PACKAGE = /^["']?\.(?:\[[\w,-]+\])?["']?$/;

const wordsAfter = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** The number of words at the start that are options, each with at most one value. */
const countOptions = (words: readonly string[]): number => {
  let at = 0;
  while (OPTION.test(words[at] ?? '')) at += OPTION_VALUE.test(words[at + 1] ?? '') ? 2 : 1;
  return at;
};

const PIP_OPERANDS: Readonly<Record<string, RegExp>> = { '-r': FILE, '-e': THIS_PACKAGE };
const arePipOperands = (words: readonly string[]): boolean => {
  for (let at = 0; at < words.length; at += 1) {
    const [word = '', next = ''] = words.slice(at, at + 2);
    if (PIP_OPERANDS[word]?.test(next) === true) at += 1;
    else if (!REQUIREMENT.test(word)) return false;
  }
  return true;
};

/** Anything else may have built something. */
const isFetch = (command: string): boolean => {
  if (FIXED.test(command)) return true;
  const [installs] = INSTALLS.exec(command) ?? [];
  if (installs !== undefined) {
    const words = wordsAfter(command.slice(installs.length));
    return countOptions(words) === words.length;
  }
  const [pip] = PIP_INSTALLS.exec(command) ?? [];
  if (pip === undefined) return false;
  const words = wordsAfter(command.slice(pip.length));
  const options = countOptions(words);
  // `-e ".[dev]"` begins as an option whose value is none.
  return arePipOperands(words.slice(options)) || arePipOperands(words.slice(Math.max(0, options - 1)));
};

export const isFetchOnly = (command: string): boolean =>
  command.split(/&&|[;\n]/).every((part) => isFetch(part.trim()));

export const distinctInstalls = (installs: readonly InstallCommand[]): InstallCommand[] =>
  installs.filter(
    (one, i) =>
      isPlainFolderPath(one.dir) &&
      installs.findIndex((o) => o.command === one.command && o.dir === one.dir) === i,
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
