/** Cuts documents into sentences with line and context, so that rules can be quoted. */

import { withoutUnseen } from '#text-safety';

export type RuleSentence = {
  quote: string;
  plain: string;
  /** 1-based. */
  line: number;
  /** Headings above it, the nearest last; '' above the first. */
  heading: string;
  /** Introduction of its list (`You must:`); '' outside of lists. */
  lead: string;
  code: string;
  /** 1-based, of the first line of its paragraph. */
  paragraph: number;
  /** It stands in a fence: an example, or a rule that somebody framed. */
  fenced?: true;
  /** It stands in a comment of HTML: a template's hint, or what a guide no longer says. */
  commented?: true;
};

const LATIN_LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'АВЕЗІКМНОРСТУХЈЅаеіорсухјѕΑΒΕΙΚΜΝΟΡΤΥΧο'].map((sign, at) => [
    sign,
    [...'ABE3IKMHOPCTYXJSaeiopcyxjsABEIKMNOPTYXo'][at] ?? sign,
  ]),
);
const asItLooks = (text: string): string =>
  /[\u0370-\u04ff]/.test(text)
    ? text.replace(/[\p{L}]*[A-Za-z][\p{L}]*/gu, (word) =>
        word.replace(/[\u0370-\u04ff]/g, (sign) => LATIN_LOOKALIKES[sign] ?? sign),
      )
    : text;
const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  ndash: '–',
  mdash: '—',
  shy: '',
};
const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{2,5})|#x([\da-f]{2,4})|([a-z]{2,5}));/gi,
        (all, decimal?: string, hex?: string, name?: string) =>
          name !== undefined
            ? (ENTITIES[name.toLowerCase()] ?? all)
            : String.fromCharCode(decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
      )
    : text;

export const plainOf = (text: string): string =>
  asItLooks(
    withoutUnseen(withoutEntities(text)).replace(/[\uff01-\uff5e]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
    ),
  )
    .replace(/<!--|-->|\[![A-Z]+\]/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/(?<!\w)L<([^|<>]{1,200})\|[^<>]{0,300}>/g, '$1')
    .replace(/(?<!\w)[BCEFIL]<([^<>]{1,200})>/g, '$1')
    .replace(/\*\*|__|[*~]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/(^|\n)[\s>]+/g, '$1 ')
    .replace(/^\s*=(?:head\d|item|over|back|cut)?\s+/, '')
    .replace(/^[\s>#|-]+|(?<![\s|])[\s|]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const TEXT_FENCE =
  /^\s*(?:>\s*)?(?:`{3,9}|~{3,9})\s*(?:text|txt|md|markdown|plain|plaintext|note|important|warning)?\s*$/i;
/** A shorter fence within a longer one, or one that names a language, ends nothing. */
const ENDS_FENCE = /^[\s>]*[`~]{3,9}\s*$/;

/** Starts a new block; other lines continue the paragraph. */
const STARTS =
  /^\s*(?:>\s*)?(?:#{1,6}\s|[-+]\s|\*{1,4}\s|\.{1,4}\s|={2,6}\s|=(?:head|item)|\d+[.)]\s|\||<!--)/;
const ITEM = /^\s*(?:>\s*)?(?:[-+]|\*{1,4}|\.{1,4}|=item|\d+[.)])\s/;
/** Markdown, AsciiDoc and POD. */
const HEADING = /^\s*(?:#{1,6}|={2,6}|=head[1-6])\s/;
const UNDERLINE = /^\s*(={3,}|-{3,}|~{3,}|\^{3,}|\+{3,})\s*$/;

type Paragraph = Pick<RuleSentence, 'heading' | 'lead' | 'code' | 'fenced' | 'commented'> & {
  lines: string[];
  first: number;
};

const levelOf = ({ lines: [one = '', two] }: Pick<Paragraph, 'lines'>): number | null => {
  const [, marks, pod] = /^\s*(?:(#{1,6}|={2,6})|=head([1-6]))\s/.exec(one) ?? [];
  if (pod !== undefined) return Number(pod);
  if (marks !== undefined) return marks.length;
  const under = UNDERLINE.exec(two ?? '')?.[1];
  return under && !ITEM.test(one) ? (under.startsWith('=') ? 1 : 2) : null;
};

/** `~~~~` under a line of its length, or as long as no fence is, is an underline. */
const LONGEST_FENCE = 10;
const isUnderline = (line: string, open: Paragraph | null): boolean =>
  open?.lines.length === 1 &&
  /^~{3,}\s*$/.test(line) &&
  (line.trim().length > LONGEST_FENCE ||
    Math.abs(line.trim().length - (open.lines[0] ?? '').trim().length) < 4);

const CODE_LINES = 4;
const FRAMED_LINES = 40;
const NAMES_AI = /\b(?:AI|LLMs?|GPT|Copilot|agents?|language models?)\b/i;
const MOST_BLANK = 5;

const splitBlocks = (text: string): Paragraph[] => {
  const out: Paragraph[] = [];
  let open: Paragraph | null = null;
  let fence: string | null = null;
  let code: string[] = [];
  let framed: Paragraph | null = null;
  let blank = 0;
  let hidden = false;
  text.split(/\r?\n/).forEach((line, i) => {
    const mark = isUnderline(line, fence === null ? open : null)
      ? null
      : (/^\s*(?:>\s*)?(`{3,9}(?=[^`]*$)|~{3,9})/.exec(line)?.[1] ?? null);
    const quotes = /^\s*>/.test(line);
    const commented = hidden || /^\s*<!--/.test(line);
    const [opened, closed] = [line.lastIndexOf('<!--'), line.lastIndexOf('-->')];
    if (fence === null && opened !== closed) hidden = opened > closed;
    blank = line.trim() === '' ? blank + 1 : 0;
    if (blank > MOST_BLANK) fence = null;
    if (fence !== null || mark !== null) {
      if (fence === null) {
        [fence, code] = [mark, []];
        framed = TEXT_FENCE.test(line)
          ? { lines: [], first: i + 2, heading: '', lead: '', code: '', fenced: true }
          : null;
      } else if (mark?.startsWith(fence) && ENDS_FENCE.test(line)) {
        if (framed && framed.lines.length <= FRAMED_LINES && NAMES_AI.test(framed.lines.join('\n')))
          out.push(framed);
        const last = out.at(-1);
        if (last && last.code === '') last.code = code.join('\n');
        fence = null;
      } else {
        framed?.lines.push(line);
        if (code.length < CODE_LINES && line.trim() !== '') code.push(line.trim());
      }
      open = null;
    } else if (/^[\s>]*$|^\s*\[[^\]]+\]:(?: \S+)?\s*$|^\s*https?:\S+\s*$/.test(line)) open = null;
    else if (
      open === null ||
      STARTS.test(line) ||
      HEADING.test(open.lines[0] ?? '') ||
      (UNDERLINE.test(open.lines[1] ?? '') && !ITEM.test(open.lines[0] ?? '')) ||
      quotes !== /^\s*>/.test(open.lines[0] ?? '')
    ) {
      open = {
        lines: [line],
        first: i + 1,
        heading: '',
        lead: '',
        code: '',
        ...(commented ? { commented } : {}),
      };
      out.push(open);
    } else open.lines.push(line);
  });
  return out;
};

function* splitParagraphs(text: string): Generator<Paragraph> {
  const headings: { level: number; words: string }[] = [];
  let lead = '';
  let nested: { words: string; indent: number } | null = null;
  for (const block of splitBlocks(text)) {
    const level = levelOf(block);
    const words = plainOf(block.lines.join('\n').slice(0, 2_000));
    if (level !== null) {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, words: plainOf(block.lines[0] ?? '').slice(0, 100) });
      [lead, nested] = ['', null];
      yield { ...block, heading: headings.map((h) => h.words).join(' / ') };
      continue;
    }
    const item = ITEM.test(block.lines[0] ?? '');
    const indent = /^\s*/.exec(block.lines[0] ?? '')?.[0].length ?? 0;
    if (nested && (!item || indent <= nested.indent)) nested = null;
    const placed = {
      ...block,
      heading: headings.map((h) => h.words).join(' / '),
      lead: item ? (nested?.words ?? lead) : '',
    };
    const leads = /[:：]$/.test(words) ? lastOf(words) : '';
    if (!item) lead = leads;
    else if (leads !== '') nested = { words: leads, indent };
    yield placed;
  }
}

const lastOf = (words: string): string =>
  words
    .split(/(?<=[.!?])\s+/)
    .at(-1)
    ?.slice(0, 300) ?? '';

export const MAX_READ_LENGTH = 200_000;
/** Longer texts are no rules, and slow for the patterns (characters). */
const MAX_RULE_LENGTH = 2_000;

const MAX_SENTENCES = 2_000;
const MAX_PARAGRAPHS = 2 * MAX_SENTENCES;

const ENDS =
  /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["'*_)]*\s+(?:>\s*)?(?=["'*_`([]{0,3}[\p{Lu}0-9])|[。！？]["'*_)」』]*/gu;

const splitSentences = (text: string): { found: RuleSentence[]; whole: boolean } => {
  const found: RuleSentence[] = [];
  let read = 0;
  for (const { lines, first, heading, lead, code, fenced, commented } of splitParagraphs(
    text.slice(0, MAX_READ_LENGTH),
  )) {
    read += 1;
    // guard: O10-sentences-bounded
    if (read > MAX_PARAGRAPHS) return { found, whole: false };
    const paragraph = lines.join('\n');
    let [from, line, counted] = [0, first, 0];
    const addSentence = (to: number): void => {
      const part = paragraph.slice(from, Math.min(to, from + MAX_RULE_LENGTH));
      const starts = from + (part.length - part.trimStart().length);
      line += paragraph.slice(counted, starts).split('\n').length - 1;
      counted = starts;
      const quote = part.replace(/\s+/g, ' ').trim();
      if (quote.length > 3)
        found.push({
          quote,
          plain: plainOf(part),
          line,
          paragraph: first,
          heading,
          lead,
          code,
          ...(fenced ? { fenced } : {}),
          ...(commented ? { commented } : {}),
        });
      from = to;
    };
    for (const end of paragraph.matchAll(ENDS)) {
      if (found.length >= MAX_SENTENCES) return { found, whole: false };
      addSentence(end.index + end[0].length);
    }
    addSentence(paragraph.length);
    if (found.length >= MAX_SENTENCES) return { found, whole: false };
  }
  return { found, whole: text.length <= MAX_READ_LENGTH };
};

export const readSentences = (text: string): RuleSentence[] => splitSentences(text).found;
export const isReadWhole = (text: string): boolean => splitSentences(text).whole;
