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
export const closedBy = (text: string, issues: readonly string[]): string => {
  const closed = new Map<string, string>();
  for (const [, word = '', ref = ''] of text.matchAll(CLOSES))
    if (!closed.has(ref)) closed.set(ref, `${word.charAt(0).toUpperCase()}${word.slice(1)} ${ref}`);
  return issues.map((ref) => closed.get(ref) ?? ref).join(', ');
};
