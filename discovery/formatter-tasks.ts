/** Recognises what formats files in place, and turns it into a check: nothing may differ afterwards. */
import type { RecognisedProgram } from './recognise-program.ts';
import { rewritesFiles } from './task-purpose.ts';
import { unwrapCommand } from './unwrap-command.ts';

const NAME =
  /^(?:(?:run|code|all|py|go|js)[-_:.])?(?:formats?|formatting|fmt|prettier|prettify|reformat|pretty|cs-?fix|format[-_:]?(?:all|code|fix|write)|fmt[-_:]all|shfmt|gofmt|rustfmt|clang-format)$/i;
const FORMATTERS =
  /(?<![\w-])(?:prettier|biome (?:format|check)|dprint fmt|oxfmt|deno fmt|gofmt|gofumpt|goimports|gci|go fmt|golangci-lint (?:fmt|run)|ruff format|black|yapf|cargo (?:\+\S+ )?fmt|rustfmt|clang-format|shfmt|spotless\w*|ktlint\w*|swiftformat|swift[- ]format|mix format|dotnet format|csharpier|dune (?:build @fmt|fmt)|ocamlformat|fourmolu|ormolu|stylish-haskell|php-cs-fixer|pint|ecs|stylua|zig fmt|nixfmt|alejandra|treefmt|terraform fmt|scalafmt\w*|bundle exec standardrb|rubocop)\b/;
const OTHERS = /\b(?:jest|vitest|pytest|cargo test|go test|tsc|webpack|publish|release|commit|push|docker)\b/;

const PASSES_ON =
  /^(?:pnpm|npm|yarn|bun|turbo|nx|lerna|make|just|task|uv|poetry)\b.*\b(?:formats?|fmt|prettier)\b/;

export const formatsInPlace = (name: string, does: string | null): boolean => {
  if (!NAME.test(name)) return false;
  const commands = (does ?? '').trim();
  return (
    commands === '' || ((FORMATTERS.test(commands) || PASSES_ON.test(commands)) && !OTHERS.test(commands))
  );
};

const LINTER = /^(?:lint|check|style|biome|standard)(?:[-_:](?:all|code|js|ts))?$/i;
const LINTS =
  /(?<![\w-])(?:eslint|oxlint|biome (?:check|lint|ci)|ruff check|stylelint|standard|xo|rubocop|golangci-lint run|clippy)\b/;
const FIXES = /(?:^|\s)(?:--fix(?:=\S+)?|--write|--apply|-w)(?=\s|$)/;
export const lintsInPlace = (name: string, does: string | null): boolean =>
  does !== null &&
  LINTER.test(name) &&
  LINTS.test(does) &&
  FIXES.test(does) &&
  !OTHERS.test(does.replace(/\btsc\b/g, ''));

export const FORMATTER: RecognisedProgram = {
  purpose: 'format',
  ecosystem: '',
  program: 'formatter',
};
const OWN_TASK =
  /^(?:(?:make|just|task|composer|\.\/gradlew|mise run|poe|(?:npm|pnpm|yarn|bun) run) |\.?\/?(?:scripts?|bin|dev|tools?)\/)([\w:-]+)(?:\.(?:sh|py))?$/;
/** CI that formats asks afterwards whether something differs. */
export const formatsForCi = (command: string): boolean => {
  const writes = rewritesFiles(command) || (/\bclang-format\b/.test(command) && / -i\b/.test(command));
  const bare = unwrapCommand(command).replace(/^(?:find|git ls-files)\b[^|]*\| *xargs (?:-\S+ )*/, '');
  const named = OWN_TASK.exec(command)?.[1];
  return (
    (writes && FORMATTERS.exec(bare)?.index === 0 && !OTHERS.test(command) && !LINTS.test(command)) ||
    (named !== undefined && NAME.test(named))
  );
};

const UNCHANGED = 'git diff --exit-code';
export const leavesUnchanged = (command: string): string => `${command} && ${UNCHANGED}`;

export const READ_ONLY_FORMS: readonly (readonly [writes: RegExp, looks: string])[] = [
  [/^(cargo(?: \+\S+)? fmt(?: --all)?)$/, '$1 --check'],
  [/^((?:\S+ run |)ruff format(?: \.)?)$/, '$1 --check'],
  [/^((?:\S+ run |)black) (\.|[\w/ ]+)$/, '$1 --check $2'],
  [/^(mix format)$/, '$1 --check-formatted'],
  [/^(zig fmt) (\.|[\w/ .]+)$/, '$1 --check $2'],
  [/^(dotnet format)$/, '$1 --verify-no-changes'],
  [/^(deno fmt)$/, '$1 --check'],
  [/^(dart format) (\.)$/, '$1 --set-exit-if-changed $2'],
  [/^(hatch fmt)$/, '$1 --check'],
  [/^(air format) (\.)$/, '$1 --check $2'],
  [/^(golangci-lint fmt)$/, '$1 --diff'],
  [/^(dprint) fmt$/, '$1 check'],
  [/^((?:\.\/)?gradlew?) spotlessApply$/, '$1 spotlessCheck'],
  [/^((?:\.\/)?mvnw?) spotless:apply$/, '$1 spotless:check'],
  [/^((?:\.\/)?gradlew?) ktlintFormat$/, '$1 ktlintCheck'],
  [/^(swift format) (?:--in-place |-i )((?:--\w+ )*\.)$/, '$1 lint $2'],
  [/^((?:npx |pnpm |yarn |bunx )?prettier) (?:--write|-w) (\.|["']?\S+["']?)$/, '$1 --check $2'],
];
