/** Splits a file into lines with their ends, so that untouched parts stay byte for byte. */

export type FileLine = { text: string; end: '\n' | '\r\n' | '' };
export type FileText = { mark: boolean; lines: readonly FileLine[] };

export const isBlankLine = (line: string): boolean => line.trim() === '';

const BYTE_ORDER_MARK = '\uFEFF';

/** Returns null if the bytes are not UTF-8, because they would change. */
export const parseFileText = (bytes: Uint8Array): FileText | null => {
  if (bytes.includes(0)) return null;
  let whole: string;
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const mark = whole.startsWith(BYTE_ORDER_MARK);
  return { mark, lines: linesOf(mark ? whole.slice(1) : whole) };
};

const linesOf = (whole: string): FileLine[] => {
  const parts = whole.split('\n');
  const last = parts.pop() ?? '';
  const lines = parts.map((part): FileLine =>
    part.endsWith('\r') ? { text: part.slice(0, -1), end: '\r\n' } : { text: part, end: '\n' },
  );
  return last === '' ? lines : [...lines, { text: last, end: '' }];
};

export const encodeFileText = ({ mark, lines }: FileText): Uint8Array =>
  new TextEncoder().encode((mark ? BYTE_ORDER_MARK : '') + lines.map(({ text, end }) => text + end).join(''));

const endOf = ({ lines }: FileText): '\n' | '\r\n' => {
  let windows = 0;
  let other = 0;
  for (const { end } of lines) {
    if (end === '\r\n') windows += 1;
    else if (end === '\n') other += 1;
  }
  return windows > other ? '\r\n' : '\n';
};

export const createFileText = (lines: readonly string[]): FileText => ({
  mark: false,
  lines: lines.map((text) => ({ text, end: '\n' })),
});

export const spliceLines = (text: FileText, at: number, count: number, by: readonly FileLine[]): FileText => {
  const { lines } = text;
  const atEnd = at + count === lines.length;
  const open = atEnd && lines.at(-1)?.end === '';
  const end = endOf(text);
  const before = lines.slice(0, at);
  const joined = open && count === 0 && by.length > 0 ? closeLines(before, end) : before;
  const middle = open ? openLastLine(by) : closeLines(by, end);
  const rest = lines.slice(at + count);
  const head = open && by.length === 0 ? openLastLine(joined) : joined;
  return { ...text, lines: [...head, ...middle, ...rest] };
};
const closeLines = (lines: readonly FileLine[], end: FileLine['end']): FileLine[] =>
  lines.map((line) => (line.end === '' ? { ...line, end } : line));
const openLastLine = (lines: readonly FileLine[]): FileLine[] =>
  lines.map((line, i) => (i === lines.length - 1 ? { ...line, end: '' } : line));
