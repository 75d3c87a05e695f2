/** Finds the sentences of a file that hold quoted words, however its lines and marks are set. */
import { readRulePassages } from './contribution-rules.ts';
import type { RulePassage } from './rule-passage.ts';
import { plainOf } from './split-sentences.ts';

export type QuotedPassage = { quote: string; line: number; passages: readonly RulePassage[] };
export type QuoteFinder = (words: string, line: number) => QuotedPassage | null;

const PROSE = /(?:^|\/)[^./]+$|\.(?:md|mdx|mdc|markdown|rst|txt|adoc|asciidoc|org|html)$/i;
const MAX_QUOTE_LENGTH = 300;
const MIN_QUOTE_LENGTH = 10;
const MAX_SENTENCES = 4;
const MAX_PLACES = 50;

export const normalizeQuoteText = (text: string): string =>
  plainOf(text)
    .toLowerCase()
    .replace(/["'`“”«»]/g, '')
    .replace(/(?<!\S)(?:[-+•>]|\d{1,3}[.)]|\[[ x]?\])(?!\S)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Shows a sentence from its beginning, as half of one may say the opposite. */
const clipQuote = (text: string, share: number): string => {
  if (text.length <= MAX_QUOTE_LENGTH) return text;
  const from = Math.floor(share * text.length) - MAX_QUOTE_LENGTH / 2;
  return from <= 0
    ? text.slice(0, MAX_QUOTE_LENGTH)
    : `…${text.slice(from, from + MAX_QUOTE_LENGTH)}`.slice(0, MAX_QUOTE_LENGTH);
};

const placesOf = (words: string, text: string): number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(words); at >= 0 && found.length < MAX_PLACES; at = text.indexOf(words, at + 1))
    found.push(at);
  return found;
};

const lineOf = (path: string, text: string, line: number): RulePassage => {
  const quote = text.replace(/\s+/g, ' ').trim();
  return {
    path,
    own: {},
    quote,
    line,
    paragraph: line,
    plain: plainOf(quote),
    heading: '',
    lead: '',
    code: '',
    before: '',
    after: '',
    template: false,
    forAgents: false,
    aboutAi: false,
  };
};
const linesOf = (path: string, text: string): RulePassage[] =>
  text.split(/\r?\n/).map((line, i) => lineOf(path, line, i + 1));

/** Code blocks are no sentences: what stands in one alone is an example, and not found. */
export const createQuoteFinder = (path: string, text: string): QuoteFinder => {
  const all = PROSE.test(path) ? readRulePassages({ path, text }) : linesOf(path, text);
  const starts: number[] = [];
  let whole = '';
  for (const { plain } of all) {
    starts.push(whole.length);
    whole += `${normalizeQuoteText(plain)} `;
  }
  const sentenceAt = (at: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return (told, line) => {
    const words = normalizeQuoteText(told);
    if (words.length < MIN_QUOTE_LENGTH) return null;
    const found = placesOf(words, whole).flatMap((at): (QuotedPassage & { away: number })[] => {
      const [first, last] = [sentenceAt(at), sentenceAt(at + words.length - 1)];
      const passages = all.slice(first, last + 1);
      const [one] = passages;
      if (!one || passages.length > MAX_SENTENCES) return [];
      const [begins, ends] = [starts[first] ?? 0, starts[last + 1] ?? whole.length];
      const share = (at - begins) / (ends - begins);
      // guard: E7-whole-sentences
      const quote = passages.map((p) => p.quote).join(' ');
      return [{ quote: clipQuote(quote, share), line: one.line, passages, away: Math.abs(one.line - line) }];
    });
    const [nearest] = found.sort((a, b) => a.away - b.away);
    return nearest ? { quote: nearest.quote, line: nearest.line, passages: nearest.passages } : null;
  };
};
