/** F9: finds the issues that a text names or closes. */
const ADDRESS = String.raw`https?:\/\/[\w.-]+(?:\/[\w.-]+){2,5}\/issues\/\d+\b`;
const REFERENCE = new RegExp(
  String.raw`(?:(?<![\w&/.-])[\w.-]+\/[\w.-]+|(?<![\w&/]))#\d+\b|(?<!\S)${ADDRESS}`,
  'g',
);
export const issuesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(REFERENCE)].map(([ref]) => ref))].slice(0, 5);

const CLOSES = new RegExp(
  String.raw`\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[\s:]{1,3}((?:[\w.-]+\/[\w.-]+)?#\d+\b|${ADDRESS})`,
  'gi',
);
/** A person who names one so does not close it. */
const CLOSES_NOT =
  /\b(?:not|never|cannot|without|partial\w*|partly|part of|may|might|could|should|if|before|after|once|until|does it|to|pre)[- ]*$|n['’]t\W*(?:\w+\W+)?$/i;

/** F11: closing words that the person wrote, by issue. */
export const closingWords = (text: string): ReadonlyMap<string, string> => {
  const closed = new Map<string, string>();
  for (const { 1: word = '', 2: ref = '', index } of text.matchAll(CLOSES))
    // guard: F11-closing-is-the-persons
    if (!closed.has(ref) && !CLOSES_NOT.test(text.slice(Math.max(0, index - 24), index)))
      closed.set(ref, `${word.charAt(0).toUpperCase()}${word.slice(1)} ${ref}`);
  return closed;
};

export const closedBy = (text: string, issues: readonly string[]): string => {
  const closed = closingWords(text);
  return issues.map((ref) => closed.get(ref) ?? ref).join(', ');
};

const CLOSING_WORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b/i;
export const isClosingWord = (text: string): boolean => CLOSING_WORD.test(text);
