/** Finds files that check commands name, and texts that name more (scripts, recipes) (E13). */
import { findPurpose, findTaskPlaces } from '#tools';
import { parseShell, type SimpleCommand } from '../parse-shell.ts';
import { trimEndCharacters } from '#model/values';

export type TextLead = {
  path: string;
  as: 'manifest' | 'make' | 'tasks' | 'shell' | 'program' | 'plugins';
  scripts?: string[];
};
export type NamedPaths = {
  /** Executed files and configuration; `*` matches anything. */
  configs: string[];
  leads: TextLead[];
};

const WRAPPERS =
  /^(?:env|command|exec|time|nice|nohup|sudo|timeout|xvfb-run|dotenv|cross-env|npx|pnpx|bunx|uvx|c8|nyc|dlx|x|!|then|do|else|if|while|until|\{)$/;
const STARTERS = /^(?:poetry|uv|pdm|pipenv|rye|bundle|docker|podman|direnv|mise|volta|corepack)$/;
const MAX_NESTED_COMMANDS = 5;
const SHELLS = /^(?:sh|bash|dash|zsh|ksh|ash|busybox|source|\.)$/;
const INTERPRETER_NAME =
  /^(?:node|nodejs|deno|bun|tsx|ts-node(?:-esm)?|python[\d.]*|py|pypy3?|ruby|perl|php|pwsh|powershell|lua|Rscript|julia|elixir|osascript|groovy|babel-node|swift|bats|expect)$/;
const MANAGERS =
  /^(?:npm|pnpm|yarn|bun|npm-run-all2?|run-s|run-p|concurrently|turbo|lerna|nx|lage|wireit|ultra)$/;
const MAKES = /^(?:g?make|gnumake|bmake|remake)$/;
/** Operands of these are inputs, not check configuration. */
const READING_PROGRAM =
  /^(?:test|\[|\[\[|ls|cat|wc|head|tail|stat|file|echo|printf|cd|mkdir|rm|cp|mv|touch|sort|uniq|find|[ef]?grep|rg|sed|awk|jq|sha\d+sum|md5sum|prettier|biome|black|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|rustc|javac|go|gofmt|rustfmt|git)$/;
const isReadingProgram = (program: string): boolean =>
  READING_PROGRAM.test(program) || ['lint', 'types'].includes(findPurpose(program)?.purpose ?? '');
const OPTIONLESS_PROGRAM =
  /^(?:test|\[|\[\[|ls|cat|wc|head|tail|stat|file|echo|printf|mkdir|rm|cp|mv|touch|sort|uniq|find|git)$/;
/** Options that name configuration, programs or patterns. */
const TELLS =
  /^(?:-f|-c|-r|-p|-C|--(?:file|config|configuration|rulesdir|rcfile|settings|project|setup|require|import|loader|ignore-path|plugin)[\w-]*)$/;

const FOLDERS = /^--(?:rulesdir|plugin|require|import|loader|setup)/;

/** A variable for a folder counts as the current one. */
const LEADING_VARIABLE = /^(?:\$(?:\w+|\{[^}]*\})\/)+/;

export const resolveRepositoryPath = (dir: string, path: string): string | null => {
  const parts: string[] = path.startsWith('/') ? [] : dir.split('/').filter(Boolean);
  for (const part of path.replace(LEADING_VARIABLE, '').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
};

const bareName = (program: string): string => program.slice(program.lastIndexOf('/') + 1);
/** `a=b`, `a,b` and `a::b` name several things; the last part of `lint:*` names none. */
const partsOf = (word: string): string[] => [
  ...new Set([word, ...word.split(/[=,:]/).filter((part) => part !== '*')]),
];

type At = { dir: string; out: NamedPaths };

const addLead = ({ dir, out }: At, path: string, as: TextLead['as'], scripts?: string[]): void => {
  const at = resolveRepositoryPath(dir, path);
  if (at !== null) out.leads.push({ path: at, as, ...(scripts ? { scripts } : {}) });
};
const addConfig = ({ dir, out }: At, word: string): void => {
  for (const part of partsOf(word)) {
    const at = resolveRepositoryPath(dir, part);
    if (at !== null) out.configs.push(at);
  }
};

const valueOf = (words: readonly string[], ...names: string[]): string | undefined => {
  const at = words.findIndex((w) => names.includes(w));
  return at < 0 ? words.find((w) => names.some((n) => w.startsWith(`${n}=`)))?.split('=')[1] : words[at + 1];
};

const modulePaths = (name: string | undefined): string[] => {
  if (name === undefined) return [];
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
};

/** Modules that a test runner preloads: `-p ci.plugin`, `-pci.plugin`. */
export const findPluginModules = (words: readonly string[]): string[] =>
  words.flatMap((word, i) => {
    const [, name] = /^-p([\w.]*)$/.exec(word) ?? [];
    return name === undefined ? [] : modulePaths(name || words[i + 1]);
  });

const addPlugins = (at: At, words: readonly string[]): void => {
  for (const name of findPluginModules(words)) {
    addConfig(at, name);
    addLead(at, name, 'program');
  }
};

/** A variable may load a file: `NODE_OPTIONS=--require=./ci/first.js`. */
const addSetting = (at: At, word: string): void => {
  const [, value] = /^\w+=([^]*)$/.exec(word) ?? [];
  if (value === undefined) return;
  const words = value.split(/\s+/);
  addPlugins(at, words);
  for (const part of words.flatMap(partsOf).filter((one) => /[./]/.test(one))) {
    addConfig(at, part);
    addLead(at, part, 'program');
    addLead(at, part, 'shell');
  }
};

const addScript = (at: At, program: string, args: readonly string[]): void => {
  const shell = SHELLS.test(program);
  const inline = args.findIndex((a) => /^-(?=[a-z]*$)[^c]*c/.test(a));
  if (shell && inline >= 0) {
    findNamedPaths(args[inline + 1] ?? '', [at.dir], at.out);
    return;
  }
  for (const name of program.startsWith('py') ? modulePaths(valueOf(args, '-m')) : []) {
    addConfig(at, name);
    addLead(at, name, 'program');
  }
  const looked = args.some((a) => a === '-n' || a === '--check' || a === 'py_compile' || a === 'compileall');
  if (looked) return;
  const file = args.find(
    (a, i) => !a.startsWith('-') && (shell || a !== 'run') && !['-m', '-p', '-e'].includes(args[i - 1] ?? ''),
  );
  if (file !== undefined) addLead(at, file, shell ? 'shell' : 'program');
  for (const arg of args) addConfig(at, arg);
};

const ACROSS = /^(?:turbo|lerna|nx|ultra|lage)$/;
const WORKSPACE_OPTION = /^(?:-r|-ws|-w|-F|--recursive|--workspaces?|--filter|workspaces?|foreach)(?:=|$)/;

const addRunner = (at: At, program: string, args: readonly string[]): void => {
  if (MANAGERS.test(program)) {
    const dir = valueOf(args, '--prefix', '-C', '--cwd', '--dir') ?? '.';
    const scripts = args.map((a) => a.replace(/^npm:/, ''));
    addLead(at, `${dir}/package.json`, 'manifest', scripts);
    if (ACROSS.test(program) || args.some((a) => WORKSPACE_OPTION.test(a)))
      addLead(at, `${dir}/*/package.json`, 'manifest', scripts.flatMap(partsOf));
  }
  const script = program === 'node' ? valueOf(args, '--run') : undefined;
  if (script !== undefined) addLead(at, 'package.json', 'manifest', [script]);
  if (MAKES.test(program)) {
    const dir = valueOf(args, '-C', '--directory') ?? '.';
    const file = valueOf(args, '-f', '--file', '--makefile');
    for (const name of file ? [file] : ['GNUmakefile', 'makefile', 'Makefile'])
      addLead(
        at,
        `${dir}/${name}`,
        'make',
        args.filter((a) => !a.startsWith('-')),
      );
  }
  const { tasks, also, runsFolder } = findTaskPlaces(program);
  if (!MAKES.test(program)) for (const file of [...tasks, ...also]) addLead(at, file, 'tasks');
  const target = program === 'go' && args[0] === 'run' ? args[1] : undefined;
  if (target !== undefined) addConfig(at, target.endsWith('.go') ? target : `${target}/*`);
  if (runsFolder !== undefined && [args[0], valueOf(args, '-p', '--package')].includes(runsFolder))
    addConfig(at, `${runsFolder}/*`);
};

const isAround = (word: string): boolean => WRAPPERS.test(word) || /^(?:-\S*|\d+[smh]?|\w+=.*)$/.test(word);

const readSimpleCommand = (command: SimpleCommand, at: At, depth = 0): void => {
  const start = command.words.findIndex((word) => !isAround(word));
  const [first = '', ...args] = start < 0 ? [] : command.words.slice(start);
  for (const word of start < 0 ? command.words : command.words.slice(0, start)) addSetting(at, word);
  if (first === 'cd') {
    at.dir = resolveRepositoryPath(at.dir, args[0] ?? '') ?? '';
    return;
  }
  const program = bareName(first);
  if (first.includes('/')) {
    addConfig(at, first);
    addLead(at, first, 'shell');
    addLead(at, first, 'program');
  }
  if (depth < MAX_NESTED_COMMANDS && STARTERS.test(program))
    readSimpleCommand({ ...command, words: args.filter((a) => !['run', 'exec'].includes(a)) }, at, depth + 1);
  addRunner(at, program, args);
  if (/^py/.test(program)) addPlugins(at, args);
  if (SHELLS.test(program) || INTERPRETER_NAME.test(program)) addScript(at, program, args);
  else if (isReadingProgram(program) && !OPTIONLESS_PROGRAM.test(program)) {
    for (const [i, arg] of args.entries())
      if (TELLS.test(args[i - 1] ?? '') || /^--?[\w-]+=/.test(arg)) {
        addConfig(at, arg);
        if (FOLDERS.test(/^--\w/.test(arg) ? arg : (args[i - 1] ?? ''))) addConfig(at, `${arg}/*`);
      }
  } else if (!OPTIONLESS_PROGRAM.test(program)) for (const arg of args) addConfig(at, arg);
  if (!SHELLS.test(program) && !INTERPRETER_NAME.test(program)) return;
  for (const file of command.reads) {
    addConfig(at, file);
    addLead(at, file, SHELLS.test(program) ? 'shell' : 'program');
  }
};

/** Command substitutions for a file's folder: `$(dirname "$0")/lib.sh`. */
const FINDS = /(?:\$\((?:[^()\n]|\([^()\n]{0,200}\)){0,300}\)|`[^`\n]{0,300}`)(?="?\/)/g;

/** More than any check script has; the rest is ignored. */
const MAX_COMMANDS = 4_000;
const MAX_WORDS = 4_000;

/** Names in a shell text run in each of these folders; follows `cd`. */
export const findNamedPaths = (
  text: string,
  dirs: readonly string[] = [''],
  out: NamedPaths = { configs: [], leads: [] },
): NamedPaths => {
  for (const reading of new Set([text, text.replace(FINDS, '$$HERE')])) {
    const commands = parseShell(reading).commands.slice(0, MAX_COMMANDS);
    for (const dir of new Set(dirs)) {
      const at: At = { dir, out };
      for (const one of commands) readSimpleCommand({ ...one, words: one.words.slice(0, MAX_WORDS) }, at);
    }
  }
  return out;
};

/** Strips the part before `=`, `:` or a dash. */
export const linesAsCommands = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[\s@"'[-]+/, '').replace(/^[\w.-]+["']?\s*[=:]\s*["'[]*/, ''))
    .map((line) => trimEndCharacters(line, `"',]`))
    .join('\n');
