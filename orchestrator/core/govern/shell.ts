/**
 * Reads a shell command as far as it can be judged: its simple commands, their words, and where
 * they write.
 */
import type { OPACITIES } from '../judgements.ts';

export type Simple = { words: string[]; writes: string[]; reads: string[]; piped: boolean };
type Opacity = (typeof OPACITIES)[number];
/** `opaque` is what makes the command unreadable: nothing can be promised of it then. */
export type Shell = { commands: Simple[]; opaque: Opacity | null };

type Token = { kind: 'word'; text: string } | { kind: 'operator'; text: string };

const OPERATORS = /^(?:\|\||&&|;;|>>|<<<|<<-?|>\||[0-9]*>&|&>>?|[|;&<>\n()])/;

type Scan = { tokens: Token[]; opaque: Opacity | null };

/** One word, with its quotes taken away; what the shell would expand inside makes it opaque. */
const word = (text: string, from: number): { text: string; end: number; opaque: Opacity | null } => {
  let out = '';
  let i = from;
  let quote = '';
  let opaque: Opacity | null = null;
  for (; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote === "'") {
      if (c === "'") quote = '';
      else out += c;
    } else if (c === '\\') {
      i++;
      if (text.charAt(i) !== '\n') out += text.charAt(i);
    } else if (c === '$' || c === '`') {
      opaque = 'expands';
      out += c;
    } else if (quote === '"') {
      if (c === '"') quote = '';
      else out += c;
    } else if (c === "'" || c === '"') quote = c;
    else if (/\s/.test(c) || /[|;&<>()]/.test(c)) break;
    else out += c;
  }
  return { text: out, end: i, opaque: quote === '' ? opaque : 'open_quote' };
};

const scan = (text: string): Scan => {
  const tokens: Token[] = [];
  let opaque: Opacity | null = null;
  let i = 0;
  while (i < text.length) {
    if (text.charAt(i) === '\n' || !/\s/.test(text.charAt(i))) {
      const operator = OPERATORS.exec(text.slice(i, i + 8))?.[0];
      if (operator) {
        tokens.push({ kind: 'operator', text: operator });
        i += operator.length;
      } else if (text.charAt(i) === '#') {
        const end = text.indexOf('\n', i);
        i = end < 0 ? text.length : end;
      } else {
        const read = word(text, i);
        tokens.push({ kind: 'word', text: read.text });
        opaque ??= read.opaque;
        i = Math.max(read.end, i + 1);
      }
    } else i++;
  }
  return { tokens, opaque };
};

export const readShell = (text: string): Shell => {
  const { tokens, opaque } = scan(text);
  const commands: Simple[] = [];
  let now: Simple = { words: [], writes: [], reads: [], piped: false };
  let redirect: 'write' | 'read' | null = null;
  let unreadable = opaque;
  const next = (piped: boolean): void => {
    if (now.words.length > 0 || now.writes.length > 0) commands.push(now);
    now = { words: [], writes: [], reads: [], piped };
  };
  for (const token of tokens) {
    if (token.kind === 'word') {
      // A digit before a redirection is a descriptor; it stays among the words, where it does no
      // harm.
      if (redirect === 'write') now.writes.push(token.text);
      else if (redirect === 'read') now.reads.push(token.text);
      else now.words.push(token.text);
      redirect = null;
    } else if (/>/.test(token.text)) redirect = 'write';
    else if (/^<<-?$/.test(token.text)) unreadable ??= 'document';
    else if (/^</.test(token.text)) redirect = 'read';
    else {
      if (/[()]/.test(token.text)) unreadable ??= 'subshell';
      next(token.text === '|');
      redirect = null;
    }
  }
  next(false);
  return { commands, opaque: unreadable };
};
