/** Fills `{{name}}` in text, and in shell commands as part of one quoted word (F5). */

type VariableValues = Readonly<Record<string, string>>;

export const VARIABLE_NAME = /^[a-z][a-z0-9_-]{0,30}$/i;
/** A second pair of braces escapes (`{{{{ name }}}}`), for Jinja, Helm or Vue. Linear time. */
const BRACED = /(?<!\{)\{\{(\{\{+[^{}]*\}\}+)\}\}|\{\{\s*([a-z][a-z0-9_-]{0,30})\s*\}\}/gi;
/** Expressions of CI workflows have a dollar sign: `${{ matrix.os }}`. */
const NOT_OURS = /(?<!\$)\{\{[^{}]*\}\}/g;

export const listVariables = (text: string): string[] =>
  [...text.matchAll(BRACED)].flatMap(([, , name]) => (name === undefined ? [] : [name.toLowerCase()]));

/** An unknown `{{name}}` would be published literally. */
export const findUnknownVariables = (text: string): string[] =>
  text.replaceAll(BRACED, ' ').match(NOT_OURS) ?? [];

/** Values are not expanded again. */
export const fillVariables = (text: string, values: VariableValues): string =>
  text.replaceAll(
    BRACED,
    (_, kept?: string, name?: string) => kept ?? values[name?.toLowerCase() ?? ''] ?? '',
  );

const MAX_SHOWN_VALUES = 3;
/** For people: what a variable stands for in these repositories, or its name where nothing is known. */
export const renderVariables = (text: string, targets: readonly VariableValues[]): string =>
  text.replaceAll(BRACED, (_, kept?: string, name: string = '') => {
    if (kept !== undefined) return kept;
    const values = new Set(targets.flatMap((all) => all[name.toLowerCase()] ?? []));
    const shown = [...values].slice(0, MAX_SHOWN_VALUES).join(' / ');
    return shown === '' ? name : `${shown}${values.size > MAX_SHOWN_VALUES ? ' / …' : ''}`;
  });

/** A value without any meaning to a shell, in every context. */
const SHELL_SAFE_VALUE = /^[\w./@:+,=%-]*$/;

/** Quoting context in a shell (POSIX, "Shell Command Language", 2.2 and 2.3). */
type Place = 'bare' | 'single' | 'double' | 'comment' | 'unclear';

/** Backslashes, substitutions, here-documents and arithmetic follow other rules. */
const UNCLEAR = /[\\`]|\$(?:[('"[\\]|\{(?!\w+\}))|<[<(]|>\(|\(\(|\[\[|(?<=\w)\[/y;
const MAY_BEGIN_IT = '\\`$<>([';
/** Commands that evaluate text, or expand their arguments again, despite quotes. */
const RUNS_TEXT = new RegExp(
  [
    '\\b(?:eval|xargs|trap|alias|let|read|declare|typeset|local|readonly|export(?!\\s+\\w+=)|unset|mapfile|readarray|getopts|compgen|complete|bind|ssh|su|watch|parallel|entr|make|gmake|foreach|filter-branch)\\b',
    '\\b(?:env\\s+-S|printf\\s+-v|wait\\s[^\\n]{0,200}-\\w*p\\b|bisect\\s+run|rebase\\b[^\\n]{0,200}\\s(?:-x|--exec))',
    '(?:\\btest|\\[)\\s[^\\n\\]]{0,200}-[vR]\\b',
    '(?:^|\\s)-\\w*c(?=[\\s\'"{]|$)',
    '\\b(?:PS4|PROMPT_COMMAND|BASH_ENV|ENV|GIT_\\w{1,40}|\\w{0,40}(?:EDITOR|PAGER)|LESSOPEN|SHELL|MAKEFLAGS|NODE_OPTIONS|LD_\\w{1,40})=',
  ].join('|'),
);
/** Programs that read code from a pipe, also across a line end or after a group. */
const PIPED_INTO =
  /\|&?(?:[ \t\n]|\\\n|#[^\n]*\n)*(?:[^\s|]{0,1000}\/)?(?:(?:ba|da|k|z|fi|a)?sh|python[\d.]*|perl|ruby|node|php|lua|xargs|parallel|env|sudo|nohup|time|command|exec|busybox|at|batch|crontab)\b/;
/** A script file may contain a variable that was written into it before. */
const RUNS_FILE =
  /(?:^|[\n;&|({]|\b(?:then|do|else)\s)\s?(?:(?:\S{0,1000}\/)?(?:ba|da|k|z|a)?sh|source|\.)\s[^-\s]/;
const onOneBlank = (text: string): string =>
  text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '));
const WRITES_FILE = />|\btee\b/;

/** Programs whose arguments may be code in another language. */
const INTERPRETERS =
  /\b(?:python[\d.]*|pypy3?|perl|ruby|node|nodejs|php|lua\w*|deno|bun|tsx|ts-node|Rscript|julia|groovy|scala|elixir|swift|osascript|pwsh|powershell|tclsh|expect|gdb|lldb|mysql|mariadb|sqlite3|psql|vim?|nvim|emacs)\b/;
const BRINGS_CODE =
  /\s(?:--?(?:\w*[ceEprnx]|ex|eval|print|exec|execute|command|run|batch)(?=[\s'"={]|$)|eval\s)/i;
/** Every argument may be part of a program. */
const PROGRAM_FIRST = /\b(?:g?sed|[gmn]?awk|ed|ex|m4|dc|bc)\s/;
/** Any delimiter may end a sed pattern: `s/a/x/e` executes `x`. */
const PLAIN_IN_CODE = /^[\w.-]*$/;

const endOfFirst = (pattern: RegExp, text: string): number => {
  const match = pattern.exec(text);
  return match ? match.index + match[0].length : Infinity;
};

const codeFrom = (command: string): number => {
  let from = 0;
  for (const line of command.split('\n')) {
    const program = endOfFirst(PROGRAM_FIRST, line);
    const interpreter = endOfFirst(INTERPRETERS, line);
    const code =
      interpreter < Infinity ? interpreter + endOfFirst(BRINGS_CODE, line.slice(interpreter)) : Infinity;
    if (Math.min(program, code) < Infinity) return from + Math.min(program, code);
    from += line.length + 1;
  }
  return Infinity;
};

const readOn = (place: Place, text: string, at: number): Place => {
  const sign = text.charAt(at);
  if (place === 'unclear') return place;
  if (place === 'comment') return sign === '\n' ? 'bare' : place;
  if (place === 'single') return sign === "'" ? 'bare' : place;
  if (MAY_BEGIN_IT.includes(sign)) {
    UNCLEAR.lastIndex = at;
    if (UNCLEAR.test(text)) return 'unclear';
  }
  if (sign === '"') return place === 'double' ? 'bare' : 'double';
  if (place === 'double') return place;
  if (sign === "'") return 'single';
  const begins = at === 0 || /[ \t\n;&|()<>]/.test(text[at - 1] ?? '');
  return sign === '#' && begins ? 'comment' : place;
};

const IN_PLACE: Partial<Record<Place, (value: string) => string>> = {
  bare: (value) => `'${value.replaceAll("'", `'\\''`)}'`,
  single: (value) => value.replaceAll("'", `'\\''`),
  double: (value) => `"'${value.replaceAll("'", `'\\''`)}'"`,
};

/** Removes escaping braces and returns the positions of variables. */
const readCommand = (written: string) => {
  let [command, read] = ['', 0];
  const variables = [...written.matchAll(BRACED)].flatMap(({ 0: whole, 1: kept, 2: name = '', index }) => {
    command += written.slice(read, index);
    read = index + whole.length;
    const from = command.length;
    command += kept ?? whole;
    return kept === undefined ? [{ from, to: command.length, name: name.toLowerCase() }] : [];
  });
  return { command: command + written.slice(read), variables };
};

const placesIn = (written: string) => {
  const { command, variables } = readCommand(written);
  let [place, read]: [Place, number] = ['bare', 0];
  const code = codeFrom(command);
  const text = endOfFirst(RUNS_TEXT, command);
  const isProgram =
    PIPED_INTO.test(command) || (WRITES_FILE.test(command) && RUNS_FILE.test(onOneBlank(command)));
  const places = variables.map(({ from, to, name }) => {
    for (; read < from; read += 1) place = readOn(place, command, read);
    read = to;
    const end = command.indexOf('\n', to);
    const near = place === 'bare' && end >= 0 ? end : command.length;
    const narrow = isProgram || Math.min(code, text) <= near;
    const plain = code <= near ? PLAIN_IN_CODE : SHELL_SAFE_VALUE;
    return { from, to, name, write: narrow ? null : (IN_PLACE[place] ?? null), plain };
  });
  return { command, places };
};

/** Returns the first variable whose value cannot be written at its place. */
export const createUnquotableValueFinder = (written: string): ((values: VariableValues) => string | null) => {
  const narrow = placesIn(written).places.filter(({ write }) => write === null);
  return (values) => narrow.find(({ name, plain }) => !plain.test(values[name] ?? ''))?.name ?? null;
};

export const fillCommand = (written: string, values: VariableValues): string => {
  const { command, places } = placesIn(written);
  let read = 0;
  const filled = places.map(({ from, to, name, write, plain }) => {
    const value = values[name] ?? '';
    // guard: F5-one-word
    if (!write && !plain.test(value)) throw new MisplacedVariable(name);
    const before = command.slice(read, from);
    read = to;
    return before + (write ? write(value) : value);
  });
  return filled.join('') + command.slice(read);
};

export class MisplacedVariable extends Error {
  readonly variable: string;
  constructor(name: string) {
    super(`{{${name}}} stands where it cannot be quoted.`);
    this.variable = name;
  }
}

/** A shell variable name that clashes with none of the shell's own. */
export const shellName = (name: string): string => `V_${name.toUpperCase().replaceAll('-', '_')}`;
