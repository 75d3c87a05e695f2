/** Parses simple shell commands as bash and dash do; every other syntax makes them opaque. */
import type { SHELL_OPACITIES } from '#model/assessment';

export type SimpleCommand = {
  words: string[];
  /** Number of leading assignments, such as `CI=1`. */
  settings: number;
  /** Indexes of `words` that the shell may expand to file names. */
  globs: ReadonlySet<number>;
  writes: string[];
  reads: string[];
  piped: boolean;
};
type ShellOpacity = (typeof SHELL_OPACITIES)[number];
/** `opaque` is the reason why nothing is known of the command. */
type ParsedShell = {
  commands: SimpleCommand[];
  opaque: ShellOpacity | null;
  opaqueAt: number | null;
};

type Word = { kind: 'word'; text: string; setting: boolean; glob: boolean };
type Operator = { kind: 'operator'; text: string };
type Token = (Word | Operator) & { from: number };
type Unreadable = { why: ShellOpacity; at: number };
type Scan = { tokens: Token[]; unreadable: Unreadable | null };

/** A digit before a redirection is a file descriptor. */
const OPERATORS = /\|\||&&|;;|&>>?|[0-9]{0,9}(?:>>|<<<|<<-?|>\||>&|[<>])|[|;&\n()]/y;
/** POSIX, "Token Recognition": only space, tab, newline and operators end a word. */
const ENDS_WORD = ' \t\n|;&<>()';
const SETTING = /^[A-Za-z_]\w*$/;
const PLAIN_RUN = /[\w./:@%+^-]+|[^\0-\x7f]+/y;
const NO_GLOBS: ReadonlySet<number> = new Set();

/** Unquotes one word. Unquoted `{a,b}` is two words for bash and one for dash, hence opaque. */
const readWord = (text: string, from: number): { word: Word; end: number; unreadable: Unreadable | null } => {
  let out = '';
  let i = from;
  let quote = '';
  let unreadable: Unreadable | null = null;
  let quoteAt = from;
  let setting: boolean | null = null;
  let [quoted, glob, brace] = [false, false, false];
  for (; i < text.length; i++) {
    PLAIN_RUN.lastIndex = i;
    if (!brace && PLAIN_RUN.test(text)) {
      out += text.slice(i, PLAIN_RUN.lastIndex);
      i = PLAIN_RUN.lastIndex - 1;
      continue;
    }
    const c = text.charAt(i);
    if (quote === "'") {
      if (c === "'") quote = '';
      else out += c;
    } else if (c === '\\') {
      i++;
      const next = text.charAt(i);
      if (quote === '"' && !'$`"\\\n'.includes(next)) out += c;
      if (next !== '\n') out += next;
      quoted = true;
    } else if (c === '$' || c === '`') {
      unreadable ??= { why: 'expands', at: i };
      out += c;
    } else if (quote === '"') {
      if (c === '"') quote = '';
      else out += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      quoteAt = i;
      quoted = true;
    } else if (ENDS_WORD.includes(c)) break;
    else {
      if (c === '=') setting ??= !quoted && SETTING.test(out);
      else if ('*?['.includes(c)) glob = true;
      else if (c === '{') brace = true;
      else if (brace && (c === ',' || (c === '.' && text.charAt(i + 1) === '.')))
        unreadable ??= { why: 'ambiguous', at: from };
      out += c;
    }
  }
  const word: Word = { kind: 'word', text: out, setting: setting ?? false, glob: glob && out !== '[' };
  return { word, end: i, unreadable: quote === '' ? unreadable : { why: 'open_quote', at: quoteAt } };
};

const scanTokens = (text: string): Scan => {
  const tokens: Token[] = [];
  let unreadable: Unreadable | null = null;
  let i = 0;
  while (i < text.length) {
    const c = text.charAt(i);
    OPERATORS.lastIndex = i;
    const operator = OPERATORS.exec(text)?.[0];
    if (c === ' ' || c === '\t') i++;
    // Line continuations are removed first.
    else if (c === '\\' && text.charAt(i + 1) === '\n') i += 2;
    else if (operator !== undefined) {
      tokens.push({ kind: 'operator', text: operator.replace(/^\d+/, ''), from: i });
      i += operator.length;
      // The operator may continue on the next line.
      if (text.startsWith('\\\n', i)) unreadable ??= { why: 'ambiguous', at: i - operator.length };
    } else if (c === '#') {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
    } else {
      const read = readWord(text, i);
      tokens.push({ ...read.word, from: i });
      unreadable ??= read.unreadable;
      i = Math.max(read.end, i + 1);
    }
  }
  return { tokens, unreadable };
};

const globsOf = (words: readonly Word[]): ReadonlySet<number> =>
  words.some((word) => word.glob) ? new Set(words.flatMap((word, i) => (word.glob ? [i] : []))) : NO_GLOBS;

export const parseShell = (text: string): ParsedShell => {
  const { tokens, unreadable: scanned } = scanTokens(text);
  const commands: SimpleCommand[] = [];
  const startCommand = ({ piped }: { piped: boolean }) => ({
    words: [] as Word[],
    writes: [] as string[],
    reads: [] as string[],
    piped,
  });
  let now = startCommand({ piped: false });
  let redirect: 'write' | 'read' | null = null;
  let unreadable = scanned;
  const endsAt = (why: ShellOpacity, { from }: Token): void => {
    if (unreadable === null || from < unreadable.at) unreadable = { why, at: from };
  };
  /** Dash begins a new command after `a &>b`, and bash continues the words of `a`. */
  let differs = false;
  const endCommand = ({ piped }: { piped: boolean }): void => {
    const { words, writes, reads } = now;
    const first = words.findIndex((word) => !word.setting);
    if (words.length + writes.length + reads.length > 0)
      commands.push({
        words: words.map((word) => word.text),
        settings: first < 0 ? words.length : first,
        globs: globsOf(words),
        writes,
        reads,
        piped: now.piped,
      });
    now = startCommand({ piped });
    differs = false;
  };
  for (const token of tokens) {
    if (token.kind === 'word') {
      // Dash takes a glob literally, bash expands it.
      if (redirect !== null && token.glob) endsAt('ambiguous', token);
      if (redirect === 'write') now.writes.push(token.text);
      else if (redirect === 'read') now.reads.push(token.text);
      else {
        if (differs) endsAt('ambiguous', token);
        now.words.push(token);
      }
      redirect = null;
    } else if (/>/.test(token.text)) {
      differs ||= token.text.startsWith('&');
      redirect = 'write';
    } else if (/^<<-?$/.test(token.text)) endsAt('document', token);
    else if (/^</.test(token.text)) redirect = 'read';
    else {
      if (/[()]/.test(token.text)) endsAt('subshell', token);
      // A pipe at a line's end continues on the next line.
      const goesOn = token.text === '\n' && now.piped && now.words.length === 0;
      endCommand({ piped: token.text === '|' || goesOn });
      redirect = null;
    }
  }
  endCommand({ piped: false });
  return { commands, opaque: unreadable?.why ?? null, opaqueAt: unreadable?.at ?? null };
};
