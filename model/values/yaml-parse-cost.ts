/** Bounds the cost of parsing untrusted YAML (O10). */
import { Lexer } from 'yaml';

/** A token costs the parser microseconds; lexing costs a tenth of that. */
export const hasMoreYamlTokens = (text: string, maxTokens: number): boolean => {
  const tokens = new Lexer().lex(text);
  for (let count = 0; count < maxTokens; count += 1) if (tokens.next().done === true) return false;
  return true;
};
