/** Classifies a command by its program, and never changes it. */
import { parseShell } from '#governor';
import { findPurpose, languageOfProgram, type CommandPurpose } from '#tools';
import { isTaskOutOfScope, findTaskPurpose, rewritesFiles } from './task-purpose.ts';
import { cannotFail } from './listing-options.ts';
import { unwrapCommand } from './unwrap-command.ts';
import { valueNeededBy } from './variable-targets.ts';

export type RecognisedProgram = {
  purpose: CommandPurpose;
  ecosystem: string;
  program: string;
  script?: string;
};

const RUNNERS =
  /^(?:(npm|pnpm|yarn|bun|deno|composer|poe|pdm|hatch|rye|make|gmake|just|task|mage|rake|invoke|inv|moon|turbo|nx|wireit|lerna|nox|tox|npm-run-all|run-s|vp|ng|melos|mask|mise|pixi)(?:\s|$))/;

const taskOf = (words: readonly string[]): { runner: string; tasks: string[] } | null => {
  const [runner = '', ...rest] = words;
  const takes =
    /^(?:--?(?:C|dir|cwd|filter|F|prefix|w|workspace|s|e|p|target|projects?|t|directory|f|file|j|session|env|config|package|concurrency|scope))$/;
  const named: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    if (word === '--') break;
    if (runner === 'tox' || runner === 'nox') {
      const value = /^(?:-e|-s|-f|--session|--sessions|--env)$/.test(word)
        ? rest[i + 1]
        : /^(?:-e|-s|--sessions?=|--env=)(.+)$/.exec(word)?.[1];
      if (value !== undefined) named.push(...value.split(','));
      // nox takes several sessions behind one option.
      for (let at = i + 2; runner === 'nox' && value === rest[i + 1] && at < rest.length; at += 1) {
        const more = rest[at] ?? '-';
        if (more.startsWith('-')) break;
        named.push(more);
      }
      continue;
    }
    if ((runner === 'nx' || runner === 'lerna') && /^(?:-t|--targets?)$/.test(word))
      named.push(...(rest[i + 1] ?? '').split(','));
    const target = /^(?:--targets?|-t)=(.+)$/.exec(word)?.[1];
    if (target !== undefined) named.push(...target.split(','));
    const isValued = takes.test(word) && !(runner === 'make' && word === '-s');
    if (isValued || (word === '--parallel' && /^\d+$/.test(rest[i + 1] ?? ''))) i += 1;
    else if (!word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word)) named.push(word);
  }
  const verbs =
    /^(?:run|run-script|run-many|affected|r|recursive|workspaces|workspace|foreach|exec|task|rum|execute|x)$/;
  return { runner, tasks: named.filter((n) => !verbs.test(n)) };
};

/** Every word behind these is a task of its own; behind others, words may be what a task is given. */
const RUNS_SEVERAL =
  /^(?:tox|nox|g?make|just|task|mage|rake|invoke|inv|turbo|nx|lerna|moon|wireit|mise|run-s|npm-run-all)$/;

export type TaskBody = (runner: string, task: string, dir: string) => string | null;

const OWN_TASKS = [
  /^cargo xtask (?:-\S+ )*([\w:-]+)/,
  /^cargo make (?:-\S+ )*([\w:-]+)/,
  /^cargo run (?:\S+ )*?(?:-p|--package|--bin) (?:ci|xtask|tasks?|build-?tools?|dev-?tools?) (?:\S+ )*?(?:-- )?([\w:-]+)/,
  /^(?:hatch|pdm|rye|pixi|mise|poe|moon|devbox) run (?:(?:-e|--environment|--env) \S+ |-[^\se-]\S* |-e\S+ |--[^\se]\S* |--e[^\sn]\S* |--env[^\si]\S* |\+\w+=\S+ )*([\w.:-]+)/,
  /^(?:\S*\/)?mise (?:run|r) (?:-\S+ )*([\w:-]+)/,
  /^go run (?:-\S+ )*(?:\.\/)?(?:[\w-]+\/)*(?:build|make|magefile|ci|tasks?)\.go (?:-\S+ )*([\w:-]+)/,
  /^(?:poetry run |uv run |pdm run )?(?:poe|invoke|inv|task|doit) (?:-\S+ )*([\w:.-]+)/,
];
const BUILDS = /\b(?:build|assemble|compile\w*|jar|classes)\b/;
const UNTESTED = /^gradlew?\b.* (?:-x|--exclude-task) (?:\S*:)?(?:test|check)(?=\s|$)/;
const SKIPS_TESTS =
  /^(?:\S*\/)?mvnw?\b(?=.* (?:compile|package|install|verify)\b).*(?:-DskipTests|-Dmaven\.test\.skip)/;
const SHOWS = /(?:^|\s)(?:--version|--help|-h|-V)$/;

/** Returns null for commands that neither check nor prepare; formatters check nothing. */
export const recogniseProgram = (command: string, dir: string, body: TaskBody): RecognisedProgram | null => {
  const known = findKnownProgram(command, dir, body);
  const looks = known?.purpose === 'lint' || known?.purpose === 'format';
  const builds = known?.purpose === 'build' && SKIPS_TESTS.test(command);
  return (looks && rewritesFiles(command)) || (!builds && cannotFail(command)) ? null : known;
};

/** `dzil listdeps | cpanm --notest`: names come from the first, and the last installs them. */
const installsWhatIsPiped = (commands: readonly { words: readonly string[]; piped: boolean }[]): boolean => {
  const last = commands.at(-1);
  return last?.piped === true && findPurpose(last.words.join(' '))?.purpose === 'install';
};

const findKnownProgram = (command: string, dir: string, body: TaskBody): RecognisedProgram | null => {
  const bare = unwrapCommand(command);
  const piped = parseShell(bare).commands;
  const words = (installsWhatIsPiped(piped) ? piped.at(-1) : piped[0])?.words ?? [];
  const program = (words[0] ?? '').replace(/^.*\//, '');
  const short = [program, ...words.slice(1)].join(' ').replace(/ (?:-x|--exclude-task) \S+/g, ' ');
  if (SHOWS.test(short)) return null;
  if (UNTESTED.test([program, ...words.slice(1)].join(' ')))
    return BUILDS.test(bare) ? { purpose: 'build', ecosystem: 'java', program } : null;
  const found = /^(?:tox|nox)\b/.test(short) ? null : findPurpose(short);
  if (found && found.purpose !== 'nothing')
    return { purpose: found.purpose, ecosystem: found.language, program };
  const alias = program === 'cargo' && !found ? body('cargo', words[1] ?? '', dir) : null;
  const byAlias = alias === null ? null : findKnownProgram(`cargo ${alias}`, dir, () => null);
  if (byAlias) return byAlias;
  const own = OWN_TASKS.map((p) => p.exec(command)?.[1]).find((n) => n !== undefined);
  if (own !== undefined) {
    const runner = /\bmise\b/.test(command) ? 'mise' : (command.split(/\s/)[0] ?? '');
    const readTaskBody = (name: string): string | null => body(runner, name, dir);
    const purpose =
      findTaskPurpose(own, readTaskBody) ??
      findTaskPurpose(
        own.replace(/^(?!docs?:|demo|examples?:|site:|web(?:site)?:|www:)[\w.-]+:(?=[a-z])/, ''),
        readTaskBody,
      );
    if (purpose !== null)
      return { purpose, ecosystem: languageOfProgram(runner), program: runner, script: own };
  }
  const ofRepository = /^(?:\.\/)?[\w.-]+\/[\w./-]+$/.test(words[0] ?? '');
  if (found && !ofRepository) return null;
  return RUNNERS.test(short) ? byTask(program, words, dir, body) : scriptFile(words, bare, dir, body);
};

const DEPENDENCIES =
  /\b(?:pip3?|uv|poetry|pdm|pipenv|npm|pnpm|yarn|bun|bundle|composer|mix|cargo|pre-commit) (?:ci|i|install|sync|add|bundle|deps)|go (?:mod|get|install)|deps|depend|requirements/;
/** `make install-front` installs what one part needs. */
const INSTALLS_PART = /^install[-_:]/;
const purposeWithoutTask = (
  { runner, words, dir }: { runner: string; words: readonly string[]; dir: string },
  body: TaskBody,
): 'test' | 'install' | 'build' | null => {
  if (runner === 'tox' || runner === 'nox') return 'test';
  if (!/^g?make$/.test(runner)) return null;
  const folder = words.findIndex((word) => word === '-C') + 1;
  if (folder > 0 && /(?:^|\/)(?:tests?|testing|testsuite)\/?$/.test(words[folder] ?? '')) return 'test';
  return DEPENDENCIES.test(body(runner, '', dir) ?? '') ? 'install' : 'build';
};

const byTask = (
  program: string,
  words: readonly string[],
  dir: string,
  anyBody: TaskBody,
): RecognisedProgram | null => {
  // A value that the command itself gives is asked for no more.
  const body: TaskBody = (runner, task, folder) => {
    const does = anyBody(runner, task, folder);
    const asked = valueNeededBy(does);
    return asked !== null && words.some((word) => word.startsWith(`${asked}=`)) ? null : does;
  };
  const task = taskOf([program, ...words.slice(1)]);
  if (!task) return null;
  const ecosystem = languageOfProgram(task.runner);
  if (task.tasks.length === 0) {
    const purpose = purposeWithoutTask({ runner: task.runner, words, dir }, body);
    const isC = /^g?make$/.test(task.runner) && purpose !== 'install';
    return purpose && { purpose, ecosystem: isC ? 'c' : ecosystem, program };
  }
  const names = [...task.tasks].reverse().filter((n) => !n.includes('/') || ecosystem === 'node');
  const isTest = (name: string): boolean =>
    findTaskPurpose(name, (one) => body(task.runner, one, dir)) === 'test';
  const tests = RUNS_SEVERAL.test(task.runner) ? names.filter(isTest) : [];
  for (const name of tests.length > 0 ? sortStableFirst(tests) : names) {
    // GNU convention: `make check` runs the tests.
    if (/^g?make$/.test(task.runner) && name === 'check' && body(task.runner, name, dir) === null)
      return { purpose: 'test', ecosystem, program: task.runner, script: name };
    const does = body(task.runner, name, dir);
    const purpose =
      findTaskPurpose(name, (n) => body(task.runner, n, dir)) ??
      (INSTALLS_PART.test(name) && DEPENDENCIES.test(does ?? '') ? 'install' : null);
    if (purpose === null) continue;
    // `make install` installs the product; `pnpm playwright install` is another program's.
    const product = /^g?make$/.test(task.runner) && name === 'install' && !DEPENDENCIES.test(does ?? '');
    const others = ecosystem === 'node' && does === null && name !== task.tasks[0];
    if (purpose === 'install' && (product || others)) return null;
    return { purpose, ecosystem, program: task.runner, script: name };
  }
  // tox makes an environment of any name (`alldeps-withcov-posix`), and runs the tests in it.
  const made = task.runner === 'tox' ? task.tasks.find((name) => isMadeByTox(name, dir, body)) : undefined;
  return made === undefined ? null : { purpose: 'test', ecosystem, program: 'tox', script: made };
};

/** Puts the newest stable one of tox's environments first: `py310` before `py39` and `py313t`. */
const sortStableFirst = (names: readonly string[]): string[] => {
  const versionOf = (name: string): number => {
    const [, major = '', minor = ''] = /(?:^|-)py(\d)\.?(\d*)(?=-|$)/.exec(name) ?? [];
    return major === '' ? 0 : Number(major) * 1_000 + Number(minor);
  };
  return [...names].sort((left, right) => versionOf(right) - versionOf(left));
};

const isMadeByTox = (name: string, dir: string, body: TaskBody): boolean =>
  /^[\w.]+(?:-[\w.]+)+$/.test(name) && !isTaskOutOfScope(name) && body('tox', name, dir) === null;

const SYSTEM_PACKAGES = /\b(?:apt-get|apt|dnf|yum|apk|pacman|zypper|brew)\b/;
const GENERIC = /^(?:build|run|ci|make|tasks?|dev|do|go|x|manage|cli|tools?|bin|scripts?|hack|main)$/;

const OF_TESTS = /(?:^|\/)tests?\/(?:run|all|main|index|run[-_]all)(?:\.\w+)?$/i;

/** `ci.sh unix_standard_build` names a build, and not the linter `standard`. */
const LOOKS =
  /(?:^|[:_-])(?:lint\w*|format\w*|fmt|style|types?|typecheck\w*|check\w*|tests?|pre-?commit)(?:$|[:_-])/i;
const RUNS_TESTS = /(?:^|[:_-])run[:_-](?:unit[:_-])?tests?$/i;
const hasToolInside = (arg: string): boolean => {
  const kind = findTaskPurpose(arg, () => null);
  return (
    ['lint', 'format', 'types'].includes(kind ?? '') && arg.split(/[:_-]/).length > 2 && !LOOKS.test(arg)
  );
};

const findScriptFile = (words: readonly string[]): string | undefined =>
  words.find(
    (word, i) =>
      i < 3 &&
      /^(?:\.\/)?[\w./-]+$/.test(word) &&
      (word.includes('/') || /\.(?:sh|py|rb|js|ts|mjs|php|pl)$/.test(word)),
  );

/** A script's purpose by its first argument; an installation is that of another program. */
const purposeByArgument = (arg: string): ReturnType<typeof findTaskPurpose> => {
  if (!/^[\w:-]+$/.test(arg)) return null;
  if (RUNS_TESTS.test(arg)) return 'test';
  const kind = hasToolInside(arg) ? null : findTaskPurpose(arg, () => null);
  return kind === 'install' || kind === 'prepare' ? null : kind;
};

/** Looser than the names of tasks: `run_all_tests`, `cpplint`, `tests/run.py`. */
const purposeByScriptName = (name: string, file: string): 'test' | 'lint' | null => {
  if (
    /(?:^|[-_])(?:tests?|unittests?)(?:$|[-_])/i.test(name) &&
    !/e2e|browser|integration|docker/i.test(name)
  )
    return 'test';
  if (/lint(?:$|[-_])/i.test(name)) return 'lint';
  const [, tool = ''] = /^(?:run|apply|mass|do)[-_](.+)$/i.exec(name) ?? [];
  if (findPurpose(tool)?.purpose === 'lint') return 'lint';
  return OF_TESTS.test(file) ? 'test' : null;
};

/** A script file such as `script/cibuild` counts by its name, or by its commands. */
const scriptFile = (
  words: readonly string[],
  text: string,
  dir: string,
  body: TaskBody,
): RecognisedProgram | null => {
  const file = findScriptFile(words);
  if (file === undefined || text.startsWith('/') || file.startsWith('/')) return null;
  const given = words.slice(words.indexOf(file) + 1);
  // `./install` of a repository installs its product.
  const isProduct = /^(?:\.\/)?install(?:\.sh)?$/.test(file);
  if (isProduct || given.some((word) => /^--?install(?:-\w+)*$/.test(word)))
    return { purpose: 'prepare', ecosystem: '', program: file };
  const name = file.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const does = /\.(?:php|[cm]?[jt]s|rb|pl)$/.test(file) ? null : body('file', file.replace(/^\.\//, ''), dir);
  const onlyLooks = words.some((word) => /^--(?:check|diff|dry-run)$/.test(word));
  if (onlyLooks && findTaskPurpose(`${name}-check`, () => null) === 'format')
    return { purpose: 'format', ecosystem: '', program: file };
  const asked = purposeByArgument(given[0] ?? '');
  const isNarrowed = asked !== null && asked !== 'test' && asked !== 'build';
  const purpose =
    (GENERIC.test(name) || isNarrowed ? asked : null) ??
    findTaskPurpose(name, (task) => (task === name ? does : null)) ??
    asked ??
    purposeByScriptName(name, file);
  if (purpose === null) return null;
  const system = purpose === 'install' && SYSTEM_PACKAGES.test(does ?? '') && !DEPENDENCIES.test(does ?? '');
  return { purpose: system ? 'system' : purpose, ecosystem: '', program: file };
};
