/** Measures YAML nesting by tokens alone, since the parser crashes on deep input (F5). Pure. */
import { CST, Lexer } from 'yaml';

/** Campaign files need five or six levels. */
const MAX_CAMPAIGN_FILE_DEPTH = 60;

type Place = {
  line: number;
  column: number;
  /** Column of a key before its colon. */
  key: number | null;
  blocks: number[];
  brackets: number;
};

const openBlock = ({ blocks }: Place, column: number): void => {
  while ((blocks.at(-1) ?? -1) > column) blocks.pop();
  if (blocks.at(-1) !== column) blocks.push(column);
};

const takeToken = (place: Place, token: string): void => {
  switch (CST.tokenType(token)) {
    case 'flow-seq-start':
    case 'flow-map-start':
      place.brackets += 1;
      return;
    case 'flow-seq-end':
    case 'flow-map-end':
      place.brackets = Math.max(0, place.brackets - 1);
      return;
    case 'seq-item-ind':
    case 'explicit-key-ind':
    case 'map-value-ind':
      if (place.brackets > 0) return;
      openBlock(place, token === ':' ? (place.key ?? place.column) : place.column);
      place.key = null;
      return;
    default:
  }
};

const NON_NESTING_TOKENS: readonly string[] = [CST.BOM, CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];
const BETWEEN = /^(?:[ \t\n\r-]|[?:]$)/;

export const findTooDeepLine = (source: string): number | null => {
  const place: Place = { line: 1, column: 0, key: null, blocks: [], brackets: 0 };
  let isText = false;
  for (const token of new Lexer().lex(source)) {
    const isMark = !isText && NON_NESTING_TOKENS.includes(token);
    const isSign = !isText && BETWEEN.test(token);
    if (!isMark && !isSign && place.brackets === 0) place.key ??= place.column;
    if (!isText) takeToken(place, token);
    isText = !isText && token === CST.SCALAR;
    if (place.blocks.length + place.brackets > MAX_CAMPAIGN_FILE_DEPTH) return place.line;
    if (isMark) continue;
    const [last, ...before] = token.split('\n').reverse();
    place.line += before.length;
    place.column = (before.length === 0 ? place.column : 0) + (last ?? '').length;
    if (before.length > 0) place.key = null;
  }
  return null;
};
