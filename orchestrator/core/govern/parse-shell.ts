/**
 * Reads a shell command as bash and dash do, as far as it can be judged: its simple commands, their
 * words, and where they write. It knows lists, pipes, quotes and redirections; whatever else stands
 * in a command makes it opaque, and nothing is promised of it.
 */
import type { SHELL_OPACITIES } from '../judgements.ts';

export type SimpleCommand = {
  words: string[];
  /** How many of the first words are settings of the environment, as `CI=1` is without quotes. */
  settings: number;
  /** Places among `words` where the shell may put in names of files that it finds. */
  globs: ReadonlySet<number>;
  writes: string[];
  reads: string[];
  piped: boolean;
};
export type ShellOpacity = (typeof SHELL_OPACITIES)[number];
/** `opaque` is what makes the command unreadable: nothing can be promised of it then. */
export type ParsedShell = {
  commands: SimpleCommand[];
  opaque: ShellOpacity | null;
  /** Where in the text the first such place begins; null where there is none. */
  opaqueAt: number | null;
};

type Word = { kind: 'word'; text: string; setting: boolean; glob: boolean };
type Operator = { kind: 'operator'; text: string };
/** `from` is where it begins in the text. */
type Token = (Word | Operator) & { from: number };
type Unreadable = { why: ShellOpacity; at: number };
type Scan = { tokens: Token[]; unreadable: Unreadable | null };

/** A digit before a redirection names a descriptor. */
const OPERATORS = /\|\||&&|;;|&>>?|[0-9]*(?:>>|<<<|<<-?|>\||>&|[<>])|[|;&\n()]/y;
/** POSIX, "Token Recognition": a word ends at a space, a tab, a newline or an operator. No other blank. */
const ENDS_WORD = ' \t\n|;&<>()';
const SETTING = /^[A-Za-z_]\w*$/;
/** Signs that mean nothing to a shell, wherever they stand outside of braces. */
const PLAIN_RUN = /[\w./:@%+^-]+|[^\0-\x7f]+/y;
const NO_GLOBS: ReadonlySet<number> = new Set();

/**
 * One word, with its quotes taken away; what the shell would expand inside makes it opaque. Without
 * a quote around it, `{a,b}` becomes two words for bash and stays one for dash.
 */
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
  // Alone, it is the name of a program.
  const word: Word = { kind: 'word', text: out, setting: setting ?? false, glob: glob && out !== '[' };
  return { word, end: i, unreadable: quote === '' ? unreadable : { why: 'open_quote', at: quoteAt } };
};

const scan = (text: string): Scan => {
  const tokens: Token[] = [];
  let unreadable: Unreadable | null = null;
  let i = 0;
  while (i < text.length) {
    const c = text.charAt(i);
    OPERATORS.lastIndex = i;
    const operator = OPERATORS.exec(text)?.[0];
    if (c === ' ' || c === '\t') i++;
    // A line that goes on is one line before anything else is read of it.
    else if (c === '\\' && text.charAt(i + 1) === '\n') i += 2;
    else if (operator !== undefined) {
      tokens.push({ kind: 'operator', text: operator.replace(/^\d+/, ''), from: i });
      i += operator.length;
      // The rest of it may stand on the next line.
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

export const readShell = (text: string): ParsedShell => {
  const { tokens, unreadable: scanned } = scan(text);
  const commands: SimpleCommand[] = [];
  const begun = (piped: boolean) => ({
    words: [] as Word[],
    writes: [] as string[],
    reads: [] as string[],
    piped,
  });
  let now = begun(false);
  let redirect: 'write' | 'read' | null = null;
  let unreadable = scanned;
  /** The first place is the one that is told. */
  const endsAt = (why: ShellOpacity, { from }: Token): void => {
    if (unreadable === null || from < unreadable.at) unreadable = { why, at: from };
  };
  /** What dash takes for a command of its own after `a &>b`, and bash for more words of `a`. */
  let differs = false;
  const next = (piped: boolean): void => {
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
    now = begun(piped);
    differs = false;
  };
  for (const token of tokens) {
    if (token.kind === 'word') {
      // A pattern is a name for dash, and the file that it finds for bash.
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
      // The command on the next line reads what a pipe at the end of this one gives.
      const goesOn = token.text === '\n' && now.piped && now.words.length === 0;
      next(token.text === '|' || goesOn);
      redirect = null;
    }
  }
  next(false);
  return { commands, opaque: unreadable?.why ?? null, opaqueAt: unreadable?.at ?? null };
};
