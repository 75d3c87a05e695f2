/** Strips commands that run another command (`uv run`, `npx`, `bundle exec`) and variables. */
import { commandWords, createRowTable } from '#tools';

const VARIABLES = /^(?:[A-Za-z_]\w*=(?:'[^']{0,200}'|"[^"$`]{0,200}"|[^\s'"]\S*|)\s+)+/;
export const withoutVariables = (command: string): string => command.replace(VARIABLES, '');

const COMMAND_WRAPPERS: readonly RegExp[] = [
  VARIABLES,
  /^(?:sudo(?: -\S+)*|env|time|nice|command|exec|nohup|xvfb-run(?: -\S+)*|timeout(?: -\S+)* \S+|stdbuf \S+|dbus-run-session --|unbuffer|retry|cross-env|dotenv(?: -\S+ \S+)* --|with-env|catchsegv|op run --|script -\S+ )(?=\s)\s*/,
  /^(?:uv run|uvx|uv tool run|poetry run|pdm run|pipenv run|rye run|hatch run|pipx run|pixi run|mise (?:exec|x)|devbox run|direnv exec \.)(?:\s+(?:--(?:frozen|locked|no-sync|no-project|all-extras|all-groups|isolated|no-dev|active|exact|dev|no-default-groups|all-packages|no-editable|quiet|spec \S+|python \S+|python=\S+|extra \S+|group \S+|extra=\S+|group=\S+|with \S+|with=\S+|from \S+|package \S+|no-group \S+|only-group \S+|only-group=\S+|no-group=\S+|package=\S+|resolution=\S+|resolution \S+|with-editable \S+|with-requirements \S+|directory \S+|project \S+|env \S+|module|no-progress)|-(?:p|e) \S+|-q|-s|-m|--|[+-]\w+=\S+))*(?=\s)\s*/,
  /^(?:npx|pnpm exec|pnpm dlx|pnpx|yarn exec|yarn dlx|bunx|bun x|npm exec|yarn run -T|nlx|vpx)(?:\s+(?:--?(?:yes|y|no-install|no|bun|--|p \S+|package=\S+)))*(?=\s)\s*(?:-- )?/,
  /^(?:bundle exec|bin\/bundle exec|mise exec --|nix develop(?: \S+)* (?:-c|--command)|nix-shell --run|luarocks(?! (?:make|install|build|test|remove|lint)\b)|dotnet tool run|c8|nyc|opam exec --|stack exec --|cabal exec --)(?=\s)\s*/,
  /^(?:[\w./-]*\/)?(?:python|python3|python3?\.\d+|pypy3?|py)(?: -(?:[bBdEIOsSuvx]+|W ?\S+|X ?\S+))* -[bBdEIOsSuvx]*m (?=\S)/,
  /^(?:[\w./-]*\/)?(?:python|python3|python3?\.\d+|py)(?: -[bBdEIOsSuvx]+| -W ?\S+)* (?=(?:\.\/)?\S*(?:manage|runtests|setup|run_tests?)\.py\b)/,
];

const FETCHES_PROGRAM =
  /(?<![\w-])(?:(?:npx|pnpx|bunx|uvx|nlx|vpx|dlx)(?![\w-])|(?:(?:npm|bun) x|npm (?:\S+ )?exec|pipx run|uv tool run|yarn (?:npm )?create|mise (?:x|exec))(?= ))|(?<= )--with[ =]|@latest\b/;
export const mayFetchProgram = (command: string): boolean => FETCHES_PROGRAM.test(command);

/** Scripts of a repository that are known by their names alone. */
const OWN_SCRIPTS = [String.raw`manage\.py`, String.raw`runtests\.py`];
const BUILD_SCRIPTS = ['configure', String.raw`autogen\.sh`];
/** Paths of programs that are known, and shells that start what a repository brings. */
const pathWrappers = createRowTable((): readonly RegExp[] => {
  const { calledByPath, brought } = commandWords();
  return [
    new RegExp(
      String.raw`^(?:\.?\.?\/|\.?venv\/bin\/|node_modules\/\.bin\/|\$?\S*\/bin\/)(?=(?:${[...calledByPath, ...OWN_SCRIPTS].join('|')})\b)`,
    ),
    new RegExp(
      String.raw`^(?:sh|bash)(?= \.?\/?(?:${[...brought, ...BUILD_SCRIPTS].join('|')})\b)\s*(?:\.\/)?`,
    ),
  ];
});

/** A question about what another command prints is that command. */
const ASKS_FOR_NOTHING = /^(?:test|\[\[?) -z "?\$\(([^()`$"]{1,300})\)"?(?: \]\]?)?$/;

/** A word that another command answers counts as one word. */
const SUBSTITUTED = /\$\([^()]{1,120}\)/g;

export const unwrapCommand = (command: string): string => {
  const asked = ASKS_FOR_NOTHING.exec(command.trim())?.[1];
  let text = (asked ?? command).replace(SUBSTITUTED, '_').trim();
  for (let i = 0; i < 8; i++) {
    const before = text;
    for (const around of [...COMMAND_WRAPPERS, ...pathWrappers()])
      text = text.replace(around, '').trimStart();
    if (text === before) break;
  }
  return text;
};
