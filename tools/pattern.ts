/** Patterns of the rows: JavaScript's regular expressions, where `(?i)` in front ignores case, as elsewhere. */

const IGNORES_CASE = '(?i)';

export const patternSource = (text: string): { source: string; flags: string } =>
  text.startsWith(IGNORES_CASE)
    ? { source: text.slice(IGNORES_CASE.length), flags: 'i' }
    : { source: text, flags: '' };

/** `flags` are those of the field: `m` where a pattern is looked for in a text of many lines, `g` where all are. */
export const toPattern = (text: string, flags = ''): RegExp => {
  const { source, flags: own } = patternSource(text);
  return new RegExp(source, `${flags}${own}`);
};
