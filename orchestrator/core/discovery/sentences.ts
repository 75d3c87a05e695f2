/** Cuts documents into sentences that know their line, so that a rule can be quoted where it stands. */

export type Sentence = {
  /** As it stands, on one line. */
  quote: string;
  /** Without emphasis, links and comment marks: what it says. */
  plain: string;
  /** 1-based. */
  line: number;
};

const plainOf = (text: string): string =>
  text
    .replace(/<!--|-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|[*~]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/^[\s>#|-]+|[\s|]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A heading, a list item, a table row or a quotation starts anew; other lines continue the paragraph. */
const STARTS = /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>|<!--)/;
const HEADING = /^\s*#{1,6}\s/;

const paragraphs = (text: string): { lines: string[]; first: number }[] => {
  const out: { lines: string[]; first: number }[] = [];
  let open: { lines: string[]; first: number } | null = null;
  let fence: string | null = null;
  text.split(/\r?\n/).forEach((line, i) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? null;
    if (fence !== null || mark !== null) {
      if (fence === null) fence = mark;
      else if (mark === fence) fence = null;
      open = null;
    } else if (line.trim() === '') open = null;
    else if (open === null || STARTS.test(line) || HEADING.test(open.lines[0] ?? '')) {
      open = { lines: [line], first: i + 1 };
      out.push(open);
    } else open.lines.push(line);
  });
  return out;
};

/** Of one document, in characters. */
export const READ_AT_MOST = 200_000;
/** Nobody writes a rule longer than this, and patterns over it would be slow. */
const LONGEST = 2_000;

export const sentences = (text: string): Sentence[] =>
  paragraphs(text.slice(0, READ_AT_MOST)).flatMap(({ lines, first }) => {
    const whole = lines.join('\n');
    const found: Sentence[] = [];
    let [from, line, counted] = [0, first, 0];
    const take = (to: number): void => {
      const part = whole.slice(from, Math.min(to, from + LONGEST));
      const starts = from + (part.length - part.trimStart().length);
      line += whole.slice(counted, starts).split('\n').length - 1;
      counted = starts;
      const quote = part.replace(/\s+/g, ' ').trim();
      if (quote !== '') found.push({ quote, plain: plainOf(part), line });
      from = to;
    };
    for (const end of whole.matchAll(
      /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["'*_)]*\s+(?=["'*_`([]?[\p{Lu}0-9])|[。！？]["'*_)」』]*/gu,
    ))
      take(end.index + end[0].length);
    take(whole.length);
    return found;
  });
