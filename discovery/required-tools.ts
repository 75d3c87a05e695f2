/** Lists the programs and versions that a repository needs on the host. */
import type { ContractTool } from '../orchestrator/model/contract.ts';
import { sourceLocation } from './probe-types.ts';

type Read = (path: string) => string | null;

/** The whole file is the version, or what the pattern finds. */
const TOOL_VERSION_FILES: readonly (readonly [file: string, tool: string, pattern: RegExp])[] = [
  ['.nvmrc', 'node', /^v?([\w./*-]+)/],
  ['.node-version', 'node', /^v?([\w./*-]+)/],
  ['package.json', 'node', /"engines"\s*:\s*\{[^}]{0,2000}"node"\s*:\s*"([^"]{1,40})"/],
  ['package.json', 'node', /"volta"\s*:\s*\{[^}]{0,2000}"node"\s*:\s*"([^"]{1,40})"/],
  ['package.json', 'npm', /"packageManager"\s*:\s*"npm@([\w.-]{1,40})/],
  ['package.json', 'pnpm', /"packageManager"\s*:\s*"pnpm@([\w.-]{1,40})/],
  ['package.json', 'yarn', /"packageManager"\s*:\s*"yarn@([\w.-]{1,40})/],
  ['package.json', 'bun', /"packageManager"\s*:\s*"bun@([\w.-]{1,40})/],
  ['package.json', 'pnpm', /"engines"\s*:\s*\{[^}]{0,2000}"pnpm"\s*:\s*"([^"]{1,40})"/],
  ['.python-version', 'python', /^([\w.-]+)/],
  ['pyproject.toml', 'python', /^requires-python\s*=\s*["']([^"']{1,40})["']/m],
  ['pyproject.toml', 'python', /^\[tool\.poetry\.dependencies\][^[]*?^python\s*=\s*["']([^"']{1,40})["']/m],
  ['pyproject.toml', 'uv', /^required-version\s*=\s*["']([^"']{1,40})["']/m],
  ['go.mod', 'go', /^toolchain\s+go([\w.]{1,20})/m],
  ['go.mod', 'go', /^go\s+([\w.]{1,20})/m],
  ['rust-toolchain', 'cargo', /^(?:[\s\S]*?channel\s*=\s*["'])?([\w.-]{1,40})/],
  ['rust-toolchain.toml', 'cargo', /channel\s*=\s*["']([\w.-]{1,40})/],
  ['Cargo.toml', 'cargo', /^rust-version\s*=\s*["']([\w.]{1,20})/m],
  ['.java-version', 'java', /^([\w.-]+)/],
  ['.sdkmanrc', 'java', /^java=([\w.-]+)/m],
  ['.ruby-version', 'ruby', /^(?:ruby-)?([\w.-]+)/],
  ['Gemfile', 'ruby', /^ruby\s+["']([^"']{1,40})["']/m],
  ['composer.json', 'php', /"require"\s*:\s*\{[^}]{0,2000}"php"\s*:\s*"([^"]{1,40})"/],
  ['global.json', 'dotnet', /"sdk"\s*:\s*\{[^}]{0,2000}"version"\s*:\s*"([^"]{1,40})"/],
  ['.swift-version', 'swift', /^([\w.-]+)/],
  ['build.zig.zon', 'zig', /minimum_zig_version\s*=\s*"([^"]{1,40})"/],
  ['.bun-version', 'bun', /^([\w.-]+)/],
  ['.dvmrc', 'deno', /^v?([\w.-]+)/],
  ['.terraform-version', 'terraform', /^([\w.-]+)/],
];
const LISTS = ['.tool-versions', 'mise.toml', '.mise.toml', '.config/mise.toml'];
const OWN_NAMES: Readonly<Record<string, string>> = {
  nodejs: 'node',
  golang: 'go',
  rust: 'cargo',
  erlang: 'erl',
  maven: 'mvn',
  'npm:pnpm': 'pnpm',
};

export const TOOL_FILES: ReadonlySet<string> = new Set([
  ...TOOL_VERSION_FILES.map(([file]) => file),
  ...LISTS,
]);

const NEEDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^npm$|^npx$/, ['node', 'npm']],
  [/^(pnpm|yarn)$/, ['node', '$1']],
  [
    /^(bun|deno|uv|poetry|pdm|pipenv|hatch|tox|nox|pre-commit|cargo|go|mvn|gradle|ruby|composer|php|mix|dotnet|swift|zig|cabal|stack|cmake|ctest|meson|ninja|make|just|task|golangci-lint|swiftlint|sbt|bazel|bazelisk|mise|rebar3|gleam|dart|flutter|lua|nix|perl|prove|cpanm)$/,
    ['$1'],
  ],
  [/^uvx$/, ['uv']],
  [/^bundle$|^rake$|^rspec$/, ['ruby', 'bundle']],
  [/^mvnw$|^gradlew$/, ['java']],
  [/^(?:pip3?|python[\d.]*|pytest|mypy|ruff|flake8|black|isort|pyright|pylint)$/, ['python']],
  [/^(?:phpunit|phpstan|pest|phpcs|php-cs-fixer|psalm|pint)$/, ['php']],
  [/^(?:node|tsc|eslint|vitest|jest|prettier|biome|turbo|nx|lerna)$/, ['node']],
];
const ALSO: Readonly<Record<string, readonly string[]>> = {
  mvn: ['java'],
  gradle: ['java'],
  sbt: ['java'],
  composer: ['php'],
};

const programsIn = (command: string): string[] =>
  command.split(/&&|;|\|/).map((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((w) => !/^\w+=/.test(w) && w !== '(cd' && w !== 'sudo' && w !== 'env');
    return (words[0] ?? '').replace(/^.*\//, '');
  });

const asked = (read: Read, dirs: readonly string[]): ContractTool[] => {
  const out: ContractTool[] = [];
  for (const dir of dirs) {
    const start = dir === '' ? '' : `${dir}/`;
    for (const list of LISTS) {
      const text = read(start + list);
      for (const [i, line] of (text ?? '').slice(0, 20_000).split('\n').entries()) {
        const match = /^\s*"?([\w:./-]{1,40})"?(?:\s*=\s*|\s+)["']?([\w.*/-]{1,40})["']?\s*(?:#.*)?$/.exec(
          line,
        );
        const name = match?.[1] ?? '';
        if (match)
          out.push({
            name: OWN_NAMES[name] ?? name,
            asked: match[2] ?? null,
            source: `${start}${list}:${i + 1}`,
          });
      }
    }
    for (const [file, name, pattern] of TOOL_VERSION_FILES) {
      const text = read(start + file)?.slice(0, 200_000) ?? null;
      const found = text === null ? undefined : pattern.exec(text.trimStart())?.[1];
      if (found !== undefined)
        out.push({
          name,
          asked: file === 'Cargo.toml' ? `>=${found}` : found,
          source: sourceLocation(start + file, text, found),
        });
    }
  }
  return out;
};

const toolsFor = (program: string): string[] =>
  (NEEDS.find(([pattern]) => pattern.test(program))?.[1] ?? [])
    .map((name) => (name === '$1' ? program : name))
    .flatMap((name) => [...(ALSO[name] ?? []), name]);

const OF_LANGUAGE = /^(?:node|deno|bun|python|go|cargo|java|ruby|php|dotnet|swift|zig|elixir|ghc|erl)$/;
/** `make test` may run any tool, `go test` runs Node nowhere. */
export const mayUseTool = (command: string, tool: string): boolean => {
  const used = programsIn(command).flatMap(toolsFor);
  return !OF_LANGUAGE.test(tool) || !used.some((name) => OF_LANGUAGE.test(name)) || used.includes(tool);
};

export const toolsOf = (
  commands: readonly { command: string; dir: string; source: string }[],
  read: Read,
  fromCi: readonly ContractTool[],
): ContractTool[] => {
  const dirs = ['', ...new Set(commands.map((c) => c.dir).filter((d) => d !== ''))].slice(0, 12);
  const versions = [...asked(read, dirs), ...fromCi];
  const out = new Map<string, ContractTool>();
  for (const { command, source } of commands)
    for (const name of programsIn(command).flatMap(toolsFor)) {
      const said = versions.find((v) => v.name === name && v.asked !== null);
      if (!out.has(name)) out.set(name, said ?? { name, asked: null, source });
    }
  return [...out.values()];
};
