/** Patterns of the rows: JavaScript's regular expressions, with flags in front as elsewhere (`(?i)`, `(?m)`). */

const FLAGS = /^\(\?([im]+)\)/;

export const patternSource = (text: string): { source: string; flags: string } => {
  const [front = '', flags = ''] = FLAGS.exec(text) ?? [];
  return { source: text.slice(front.length), flags };
};

/** `flags` are those of the field: `m` where a pattern is looked for in a text of many lines, `g` where all are. */
export const toPattern = (text: string, flags = ''): RegExp => {
  const { source, flags: own } = patternSource(text);
  return new RegExp(source, [...new Set(`${flags}${own}`)].join(''));
};
