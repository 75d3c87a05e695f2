/** Finds linters in a contract's commands that can be asked about single files (E9). */
import { parseShell } from '#governor';
import { createGlobMatcher } from '#text-safety';
import { linterRows, type LinterRow } from '#tools';
import { unwrapCommand } from './unwrap-command.ts';

type Command = { name: string; command: string; dir: string };
/** Scripts of the `package.json` in a folder. */
type ScriptsIn = (dir: string) => Readonly<Record<string, string>>;

export type FileLinter = {
  name: string;
  dir: string;
  program: string;
  /** Selects the paths that the command would look at and makes them relative to `dir`. */
  meant: (paths: readonly string[]) => string[];
  command: (files: readonly string[]) => string;
  row: LinterRow;
};

const MAX_SCRIPT_DEPTH = 3;
const MAX_SCRIPT_LENGTH = 4_000;
const MAX_LINTERS = 6;
const MAX_WRAPPING_WORDS = 12;
const PREPARES = new Set(['.', 'source', 'export']);
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

const quoteShellWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** Packages of the folder and of those around it, as a package manager finds them for a script. */
const scriptPath = (dir: string): string => {
  const depth = dir === '' ? 0 : dir.split('/').length;
  const places = Array.from({ length: depth + 1 }, (_, i) => `$PWD/${'../'.repeat(i)}node_modules/.bin`);
  return `PATH="${places.join(':')}:$PATH" `;
};

type Found = { words: string[]; assigned: string[]; prepared: string[]; scripted: boolean };

const scriptNamed = (words: readonly string[]): string | null => {
  const [manager = '', ...rest] = words;
  if (!MANAGERS.has(manager) || rest.some((word) => word.startsWith('-') && !/^-s$|^--silent$/.test(word)))
    return null;
  const [first = '', second, ...more] = rest.filter((word) => !word.startsWith('-'));
  if (first === 'run' || first === 'run-script')
    return more.length === 0 && second !== undefined ? second : null;
  return second === undefined ? first : null;
};

const commandsOf = (text: string, scripts: Readonly<Record<string, string>>, depth = 0): readonly Found[] => {
  if (text.length > MAX_SCRIPT_LENGTH) return [];
  const { commands, opaque } = parseShell(text);
  // A failure may be forgiven behind `||`.
  if (opaque !== null || text.includes('||') || depth > MAX_SCRIPT_DEPTH) return [];
  const found: Found[] = [];
  const prepared: string[] = [];
  for (const { words, settings, writes, reads } of commands) {
    const own = words.slice(settings);
    const [program = ''] = own;
    if (program === 'cd' || program === 'pushd') return [];
    if (PREPARES.has(program)) prepared.push(own.map(quoteShellWord).join(' '));
    if (writes.length + reads.length > 0 || program === '') continue;
    const script = scriptNamed(own);
    const body = script !== null && Object.hasOwn(scripts, script) ? scripts[script] : undefined;
    if (body === undefined)
      found.push({
        words: own,
        assigned: words.slice(0, settings),
        prepared: [...prepared],
        scripted: depth > 0,
      });
    else
      for (const one of commandsOf(body, scripts, depth + 1))
        found.push({ ...one, prepared: [...prepared, ...one.prepared] });
  }
  return found;
};

const rowOf = (words: readonly string[]): { row: LinterRow; from: number; rest: string[] } | null => {
  for (let i = 0; i < Math.min(words.length, MAX_WRAPPING_WORDS); i += 1) {
    const name = baseName(words[i] ?? '');
    for (const row of linterRows()) {
      const [program, ...more] = row.program.split(' ');
      if (program !== name || !more.every((word, at) => words[i + 1 + at] === word)) continue;
      const bare = unwrapCommand(words.slice(0, i + 1).join(' '));
      if (bare !== words[i] && bare !== name) continue;
      return { row, from: i + 1 + more.length, rest: words.slice(i + 1 + more.length) };
    }
  }
  return null;
};

/** Options of how much is printed and how fast; no complaint comes or goes with them. */
const PRINTING_OPTIONS = {
  alone:
    /^(?:-q|--quiet|-v|--verbose|-[ld]|-c|-sl|--check|--check-only|--diff|--list-different|--(?:no-)?color|--no-cache|--cache|--no-fix|--fix-dry-run|--statistics|--count|--show-\S+|--parallel|--exit-\S+|--error-on-\S+|--no-error-on-\S+|--report-unused-\S+|--unsafe|--stats|--cache=\S*|--(?:format|formatter|report|reporter|output-format|colou?rs?|max-warnings|threads|jobs|max-diagnostics|cache-\w+|display-\S+)=\S*|-j\d+|-f\S+)$/,
  valued:
    '-f --format --formatter --output-format --reporter --max-warnings -j --jobs --threads --cache-location --cache-strategy --max-diagnostics'.split(
      ' ',
    ),
};

/** Null where an option stands that nobody knows here: it might change what is complained about. */
const optionsOf = (
  { valued, alone }: LinterRow,
  rest: readonly string[],
): { options: string[]; operands: string[] } | null => {
  const options: string[] = [];
  const operands: string[] = [];
  for (let i = 0; i < rest.length; i += 1) {
    const word = rest[i] ?? '';
    if (word === '--') return { options, operands: [...operands, ...rest.slice(i + 1)] };
    if (!word.startsWith('-')) operands.push(word);
    else if (valued.includes(word)) options.push(word, rest[(i += 1)] ?? '');
    else if (alone?.test(word) || (word.includes('=') && valued.includes(word.split('=')[0] ?? '')))
      options.push(word);
    else if (PRINTING_OPTIONS.valued.includes(word)) i += 1;
    // guard: E9-known-options
    else if (!PRINTING_OPTIONS.alone.test(word)) return null;
  }
  return { options, operands };
};

const isMeantBy = (operand: string): ((file: string) => boolean) => {
  const plain = operand.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '');
  const folder = plain.replace(/(?:^|\/)\.\.\.$/, '');
  if (folder === '' || folder === '.') return () => true;
  if (folder.split('/').includes('..')) return () => false;
  if (/[*?[{]/.test(folder)) {
    const globs = bracesOf(folder).map(createGlobMatcher);
    const isDeep = folder.includes('/') || folder.includes('**');
    return (file) => (isDeep || !file.includes('/')) && globs.some((matches) => matches(file));
  }
  return (file) => file === folder || file.startsWith(`${folder}/`);
};

/** `src/*.{js,ts}` as linters read it, one pair of braces. */
const bracesOf = (glob: string): string[] => {
  const [, before = '', inner = '', after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? [];
  return inner === '' ? [glob] : inner.split(',').map((one) => `${before}${one}${after}`);
};

const relativeTo = (dir: string, path: string): string[] =>
  dir === '' ? [path] : path.startsWith(`${dir}/`) ? [path.slice(dir.length + 1)] : [];

const folderOf = (file: string): string => (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '');

const linterOf = ({ name, dir }: Command, found: Found): FileLinter | null => {
  const { words, assigned, prepared, scripted } = found;
  const read = rowOf(words);
  if (read === null) return null;
  const { row, from, rest } = read;
  if (row.checkOptions && !row.checkOptions.test(rest.join(' '))) return null;
  const parts = optionsOf(row, rest);
  if (parts === null) return null;
  const within = parts.operands.map(isMeantBy);
  const set = assigned.length === 0 ? '' : `env ${assigned.map(quoteShellWord).join(' ')} `;
  const head = [...words.slice(0, from), ...parts.options, ...row.adds].map(quoteShellWord).join(' ');
  return {
    name,
    dir,
    program: row.program,
    row,
    meant: (paths) =>
      paths
        .flatMap((path) => relativeTo(dir, path))
        // guard: E9-linted-as-contracted
        .filter((file) => row.files.test(file) && (within.length === 0 || within.some((is) => is(file)))),
    command: (files) => {
      const taken = row.takes === 'folders' ? [...new Set(files.map(folderOf))] : files;
      // A name that begins with a dash is no option behind `./`.
      const named = taken.map((file) => quoteShellWord(`./${file}`)).join(' ');
      const own = `${scripted ? scriptPath(dir) : ''}${set}${head} ${named} 2>&1`;
      return [...prepared, own].join(' && ');
    },
  };
};

export const findFileLinters = (commands: readonly Command[], scriptsIn: ScriptsIn): FileLinter[] =>
  commands
    .flatMap((one) =>
      commandsOf(one.command, scriptsIn(one.dir)).flatMap((found) => linterOf(one, found) ?? []),
    )
    .filter(({ dir, program }, i, all) => all.findIndex((o) => o.dir === dir && o.program === program) === i)
    .slice(0, MAX_LINTERS);
