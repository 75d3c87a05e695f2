/** Cuts workflow scripts into required commands with line and folder. */
import { unwrapCommand } from '../unwrap-command.ts';
import { UNKNOWN_VALUE, type KnownValues } from './expressions.ts';

export type ScriptLine = {
  command: string;
  line: number;
  dir: string;
  maybe: boolean;
  /** The same script asks afterwards whether files differ: the command alone judges nothing. */
  thenUnchanged?: true;
  variables?: Readonly<Record<string, string>>;
  /** The next command runs when this one has passed: `./download.sh && ./zig build test`. */
  leadsOn?: true;
};

const MAX_SCRIPT_LENGTH = 40_000;

type Piece = { text: string; line: number; after: string };

/** Splits at `;`, `&&`, `||` and line ends outside of quotes. */
const splitPieces = (text: string): Piece[] => {
  const out: Piece[] = [];
  let [now, quote, line, started] = ['', '', 0, 0];
  let depth = 0;
  let blank = true;
  const endPiece = (after: string): void => {
    if (!blank) out.push({ text: now.trim(), line: started, after });
    else if (out.length > 0 && after === '||') (out[out.length - 1] as Piece).after = after;
    now = '';
    blank = true;
  };
  const addText = (more: string): void => {
    now += more;
    blank &&= more.trim() === '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (blank) started = line;
    if (c === '\n') line += 1;
    if (c === '\\' && quote !== "'") {
      i += 1;
      const next = text.charAt(i);
      if (next === '\n') {
        line += 1;
        addText(' ');
      } else addText(c + next);
    } else if (quote !== '') {
      if (c === quote) quote = '';
      addText(c);
    } else if (c === "'" || c === '"') {
      quote = c;
      addText(c);
    } else if (c === '#' && (now === '' || /\s/.test(now.charAt(now.length - 1)))) {
      while (i + 1 < text.length && text.charAt(i + 1) !== '\n') i += 1;
    } else if (c === '(' || c === ')') {
      depth += c === '(' ? 1 : -1;
      addText(c);
    } else if (depth > 0) addText(c);
    else if (c === '\n' || c === ';') endPiece(c);
    else if ((c === '&' || c === '|') && text.charAt(i + 1) === c) {
      endPiece(c + c);
      i += 1;
    } else addText(c);
  }
  endPiece('\n');
  return out;
};

const OPENS = /^(?:if|for|while|until|case|function)\b|^[\w-]+\s*\(\)\s*\{?$/;
const CLOSES = /^(?:fi|done|esac|\})(?:\s|$)/;
const LEADS = /^(?:then|else|do|time|command|exec)\s+/;
const NEGATED = /^!\s/;
const OUTPUT = /\s+(?:\d?>>?\s*&?\S+|2>&1|&>\s*\S+|>\s*\/dev\/null)(?=\s|$)/g;

const ASKS_UNCHANGED = /^git diff(?:-index|-files)?\b.*\s(?:--exit-code|--quiet)\b/;

/** What a tool prints is asked for: `test -z "$(gofmt -l .)"`, `if [ -n "$(gofmt -l .)" ]; then exit 1; fi`. */
const ASKED = String.raw`"?\$\(([^()\`$"]{1,300})\)"?(?: \]\]?)?$`;
const ASKS_FOR_NOTHING = new RegExp(String.raw`^(?:test|\[\[?) -z ${ASKED}`);
const FAILS_BY_WORDS = new RegExp(String.raw`^if (?:test|\[\[?) (?:-n )?${ASKED}`);
const FAILS = /\bexit [1-9]/;

const inFolder = (dir: string, more: string): string => {
  const parts = more.startsWith('/') ? [] : dir.split('/').filter(Boolean);
  for (const part of more.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return UNKNOWN_VALUE;
  }
  return parts.join('/');
};

const expandVariables = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, a?: string, b?: string) => {
    const value = names[a ?? b ?? ''];
    return value !== undefined && /^[\w@:./=, +-]*$/.test(value) ? value : whole;
  });

const LONGER_PATH = /^PATH=(?:"[^"$`\s]*:\$\{?PATH\}?"|[^"$`\s]*:\$\{?PATH\}?) /;
const KEPT_PIPE =
  /\|\s*(?:tee\b|cat\b|gotestfmt|tparse|grep\b|sed\b|xcpretty|xcbeautify|pipe|reviewdog|cs2pr|cargo2junit|go-junit|[\w-]+-to-[\w-]+|awk\b|tail\b|head\b|ts\b|jq\b|sort\b|less\b)/;

/** These pipes feed an installer, or belong to `$(go list ./... | grep -v gen)`; others only format output. */
const FED = /\|\s*(?:xargs\b[^|]*\binstall\b|cpanm?\b|cpm\b)[^|]*$|\$\([^()|]*\|/;

const programOf = (text: string): string => unwrapCommand(text.trim()).split(/\s+/, 2).join(' ');
/** `mix test || mix test --failed`: the first is what has to pass. */
const isSecondTry = (before: Piece | undefined, text: string): boolean =>
  before?.after === '||' && programOf(before.text) === programOf(text);
/** True for a second part that fails, too: `|| exit 1`, `|| { echo …; exit 1; }`, or the same command again. */
const failsAnyhow = (text: string, next: readonly Piece[]): boolean => {
  const [first] = next;
  if (first === undefined) return false;
  const block = /^\{\s/.test(first.text) ? next.map((one) => one.text).join('; ') : first.text;
  return /^(?:exit\b|[({])/.test(first.text)
    ? FAILS.test(block)
    : isSecondTry({ ...first, text, after: '||' }, first.text);
};

/** Variables that select environments of tox and nox. */
const BY_VARIABLE: readonly (readonly [program: RegExp, name: string, option: string])[] = [
  [/(?:^|\s)tox(?=\s|$)(?!.*\s-e[\s=]?)/, 'TOXENV', '-e'],
  [/(?:^|\s)nox(?=\s|$)(?!.*\s-(?:s|e)\s)/, 'NOXSESSION', '-s'],
];
const INSTALLS = /\binstall\b/;
const addOptionFromVariable = (command: string, known: Readonly<Record<string, string>>): string => {
  for (const [program, name, option] of BY_VARIABLE) {
    const value = known[name];
    if (value !== undefined && /^[\w.,{}-]+$/.test(value) && program.test(command) && !INSTALLS.test(command))
      return command.replace(program, (whole) => `${whole} ${option} ${value}`);
  }
  return command;
};

const MAX_VARIABLE_LENGTH = 200;
const MOST_VARIABLES = 12;
/** For CI itself, for what is printed, cached, fetched or published, and what our boxes set themselves. */
const BESIDE_CHECKS =
  /^(?:CI|PATH|HOME|TERM|COLUMNS|TOXENV|NOXSESSION|TOX_PARALLEL_NO_SPINNER|DEBIAN_FRONTEND|VERBOSE|CLICOLOR|DO_NOT_TRACK|PUB_ENVIRONMENT|PYTHONFAULTHANDLER|COVERAGE(?:_\w+)?|CTEST_OUTPUT_ON_FAILURE|CARGO_(?:TERM|NET)_\w+|CARGO_INCREMENTAL|RUST_BACKTRACE|RUSTUP_\w+|GOTOOLCHAIN|DOTNET_(?:NOLOGO|CLI_\w+|SKIP_\w+)|(?:JAVA_TOOL|GRADLE|MAVEN|MAVEN_CLI)_OPTS|JAVA_TOOL_OPTIONS|(?:GITHUB|ACTIONS|FORCE_JAVASCRIPT_ACTIONS|RUNNER|HOMEBREW|PIP|UV|NPM|AWS|AZURE|GOOGLE|GCP|DOCKER|CODECOV|TURBO|NX_CLOUD|COMPOSER|POETRY|BUNDLE|REGISTRY|IMAGE|RELEASE|DEPLOY)(?:_\w+)?|\w+_(?:HOME|VERSIONS?|COLORS?)|\w*(?:CACHE|TELEMETRY|COLOR_|TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY)\w*|\w+_KEY)$/i;
/** A compiler that CI installs beside the system's. */
const ONE_COMPILER = /^(?:gcc|g\+\+|gfortran|clang(?:\+\+|-\w+)?)-\d+(?:\.\d+)?$/;
const PLAIN_VALUE = /^(?!\/)[\w@%+=:,./ ~^<>(){}[\]*?!&|;#-]+$/;
/** A pinned action, and an option that has tests print what only programs read. */
const FOR_MACHINES = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$|^-json$/;
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]*@/;
/** Plain values alone: a secret, a path of CI's machine and what nobody can read stay with CI. */
const selectVariables = (values: KnownValues, isElsewhere: (name: string) => boolean): KnownValues => {
  const plain = Object.entries(values).filter(
    ([name, value]) =>
      /^[A-Za-z_]\w*$/.test(name) &&
      !BESIDE_CHECKS.test(name) &&
      !isElsewhere(name) &&
      value.length <= MAX_VARIABLE_LENGTH &&
      PLAIN_VALUE.test(value) &&
      !ONE_COMPILER.test(value) &&
      !FOR_MACHINES.test(value) &&
      !WITH_PASSWORD.test(value),
  );
  return Object.fromEntries(plain.slice(0, MOST_VARIABLES));
};

type ScriptState = {
  known: Record<string, string>;
  exported: Record<string, string>;
  here: string;
  depth: number;
};

/** True for a line that only changes the folder, which is then that of the next ones. */
const entersFolder = (piece: string, state: ScriptState): boolean => {
  const cd = /^(?:cd|pushd)\s+(['"]?)([^'"\s]+)\1$/.exec(piece);
  if (!cd) return false;
  const to = expandVariables(cd[2] ?? '', state.known);
  const isUnknown = /[$`~]/.test(to) || to === '-' || to.includes(UNKNOWN_VALUE);
  state.here = isUnknown ? UNKNOWN_VALUE : inFolder(state.here, to);
  return true;
};

/** True for a line that only sets a variable: with a word behind its value it is that of one command. */
const setsVariable = (piece: string, { known, exported }: ScriptState): boolean => {
  const set = /^(?:export\s+)?(\w+)=(?:(['"])([^'"]*)\2|([^\s'"]*))$/.exec(piece);
  if (!set) return false;
  const [, name = ''] = set;
  known[name] = expandVariables(set[3] ?? set[4] ?? '', known);
  if (/^export\s/.test(piece) || name in exported) exported[name] = known[name];
  return true;
};

/** Without its output, and without arguments that only name the run or the runner's environment. */
const toPlainCommand = (command: string, known: Readonly<Record<string, string>>): string => {
  const end = FED.test(command) ? -1 : command.search(KEPT_PIPE);
  const bare = (end < 0 ? command : command.slice(0, end)).replace(OUTPUT, '').trim();
  return expandVariables(bare, known)
    .replace(/\$\(pwd\)/g, '.')
    .replace(/`nproc`/g, '$(nproc)')
    .replace(/\s+/g, ' ')
    .replace(/--from-ref \S+ --to-ref \S+(?: --show-diff-on-failure)?/, '--all-files')
    .replace(/(?<=\.sh) "[^"]*\u0001[^"]*"$/, '')
    .replace(/^((?:\S+ -m )?tox\b.*?) --skip-pkg-install\b/, '$1')
    .replace(/ --python[ =]"?(?:\u0001|\$\{?\w+\}?)"?(?= )/, '')
    .replace(
      /(?<=(?:^| )(?:pixi|hatch) run) (?:(?:-e|--environment)[ =]|[+]\w+=)"?(?:\u0001|\$\{?\w+\}?)"?(?= )/,
      '',
    );
};

/** The box's shell expands these as CI's does: `-j$(nproc)`, `$(go list ./...)`, `$HOME/go/bin/lint`. */
const ANSWERED_THERE =
  /\$\((?!cat (?:[~/]|\S*(?:changed|diff)))(?=[\w-]+[ )])[^()`$\u0000]{1,120}\)|^"?(?:~|\$HOME|\$\{HOME\})(?=\/)/g;
const isNoCheck = (command: string, place: string): boolean =>
  command === '' ||
  NEGATED.test(command) ||
  /(?:^|[^&])&$/.test(command) ||
  command.includes(UNKNOWN_VALUE) ||
  place.includes(UNKNOWN_VALUE) ||
  (!ASKS_FOR_NOTHING.test(command) &&
    /[`\u0000]|\$[({\w@*?]/.test(command.replace(LONGER_PATH, '').replace(ANSWERED_THERE, '')));

const HERE_DOCUMENT = /(?<!<)<<-?\s{0,2}\\?(['"]?)([A-Za-z_]\w*)\1(?!\w)/;
/** Here-documents hold no commands, so their lines are emptied. */
const withoutDocuments = (script: string): string => {
  const lines = script.split('\n');
  const last = new Map(lines.map((line, at) => [line.trim(), at]));
  let tag = '';
  return lines
    .map((line, at) => {
      const within = tag !== '';
      if (within && line.trim() === tag) tag = '';
      else if (!within) {
        const next = HERE_DOCUMENT.exec(line)?.[2] ?? '';
        if ((last.get(next) ?? -1) > at) tag = next;
      }
      return within ? '' : line;
    })
    .join('\n');
};

/** `env` holds all variables of a step, `given` those that are meant for its commands. */
export const splitScript = (
  script: string,
  dir: string,
  { env, given }: { env: KnownValues; given: KnownValues },
): ScriptLine[] => {
  const state: ScriptState = { known: { ...env }, exported: { ...given }, here: dir, depth: 0 };
  const isUsed = (name: string): boolean => ['$', '${'].some((start) => script.includes(start + name));
  const out: ScriptLine[] = [];
  const pieces = splitPieces(withoutDocuments(script.slice(0, MAX_SCRIPT_LENGTH)));
  for (const [at, { text, line, after }] of pieces.entries()) {
    if (isSecondTry(pieces[at - 1], text)) continue;
    let piece = text.replace(/^\{\s/, '').trim();
    if (CLOSES.test(piece)) state.depth = Math.max(0, state.depth - 1);
    if (OPENS.test(piece)) state.depth += 1;
    const { here, depth } = state;
    const printed = FAILS.test(script) ? FAILS_BY_WORDS.exec(piece)?.[1] : undefined;
    if (printed !== undefined && !printed.includes(UNKNOWN_VALUE) && !here.includes(UNKNOWN_VALUE))
      out.push({ command: `test -z "$(${printed.trim()})"`, line, dir: here, maybe: depth > 1 });
    if (OPENS.test(piece) || CLOSES.test(piece)) continue;
    while (LEADS.test(piece)) piece = piece.replace(LEADS, '');
    if (entersFolder(piece, state) || setsVariable(piece, state)) continue;
    if (/^\(\s*cd\s+\S+$/.test(piece) || piece === '') continue;
    if (ASKS_UNCHANGED.test(piece)) for (const one of out) one.thenUnchanged = true;
    const inner = /^\(\s*cd\s+([^\s;&|]+)\s*&&\s*([^()]*)\)$/.exec(piece);
    const place = inner ? inFolder(here, inner[1] ?? '') : here;
    const command = toPlainCommand(inner ? (inner[2] ?? '') : piece, state.known);
    const isOptional = after === '||' && !failsAnyhow(text, pieces.slice(at + 1, at + 4));
    if (isOptional || isNoCheck(command, place)) continue;
    const variables = selectVariables(state.exported, (name) => isUsed(name) || command.includes(`${name}=`));
    out.push({
      command: addOptionFromVariable(command, state.known),
      line,
      dir: place,
      maybe: depth > 0,
      ...(after === '&&' ? { leadsOn: true as const } : {}),
      ...(Object.keys(variables).length > 0 ? { variables } : {}),
    });
  }
  return out;
};

const MAKES_A_MAKEFILE =
  /(?:^|\s)(?:cmake(?! --build)|qmake|premake\d?)(?=\s|$)|\b(?:configure|autogen(?:\.sh)?|bootstrap(?:\.sh)?|(?:Makefile|Build)\.PL|extconf\.rb|config(?:ure)?\.py)\b/;
const MAKE = /^(?:g?make)\b/;
/** `make` has no file to read there, and nothing before it writes one. */
export const lacksMakefile = (
  { command, dir }: Pick<ScriptLine, 'command' | 'dir'>,
  before: readonly string[],
  files: ReadonlySet<string>,
): boolean => {
  const bare = unwrapCommand(command);
  if (!MAKE.test(bare) || / -(?:f ?|-file[= ]?|-makefile[= ]?)\S/.test(bare)) return false;
  const more = / (?:-C ?|--directory[= ])["']?([\w./-]+)/.exec(bare)?.[1] ?? '';
  const at = inFolder(dir, more);
  const has = ['Makefile', 'GNUmakefile', 'makefile'].some((file) =>
    files.has(at === '' ? file : `${at}/${file}`),
  );
  return !has && ![...before, command].some((one) => MAKES_A_MAKEFILE.test(one));
};

/** The build folder must be configured first, and nothing here does it. */
export const isBuildUnconfigured = (command: string, before: readonly string[]): boolean =>
  /^(?:cmake --build|ctest|ninja -C|meson (?:compile|test))\b/.test(command) &&
  !before.some((b) => /(?:^|\s)(?:cmake (?!--build)|meson(?:\.py)? (?!compile|test)|\S*\/\S+)/.test(b));
