/** O10: what YAML of strangers costs to read, and how to keep that low. Pure. */
import { Lexer } from 'yaml';

/** Each token costs the parser microseconds, whatever it is; splitting costs a tenth of that. */
export const hasMoreTokens = (text: string, most: number): boolean => {
  const tokens = new Lexer().lex(text);
  for (let count = 0; count < most; count += 1) if (tokens.next().done === true) return false;
  return true;
};

/**
 * The parser makes an error of every sign that it does not expect, and where in the code each was
 * made would take longer to find out than all of the reading.
 */
export const withoutTraces = <T>(go: () => T): T => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return go();
  } finally {
    Error.stackTraceLimit = before;
  }
};
