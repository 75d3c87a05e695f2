/** Evaluates GitHub's workflow expressions for a pull request on Linux, as far as known. */

export type KnownValues = Readonly<Record<string, string>>;

export const UNKNOWN_VALUE = '\u0001';
export const ALL_KNOWN = '*';

/** An outsider's pull request to the repository itself. */
const PULL_REQUEST_VALUES: KnownValues = {
  'runner.os': 'Linux',
  'runner.arch': 'X64',
  'github.event_name': 'pull_request',
  'github.ref_type': 'branch',
  'github.workspace': '.',
  'github.event.action': 'opened',
  'github.event.pull_request.draft': 'false',
  'github.event.pull_request.merged': 'false',
};
/** Not nested, and limited in length, so that matching stays linear. */
const EXPRESSION = /\$\{\{((?:(?!\$\{\{)[^]){0,2000}?)\}\}/g;

const valueOf = (word: string, names: KnownValues): string | null => {
  if (/^\d+(?:\.\d+)*$/.test(word)) return word;
  const name = word.replace(/\[\s*'([\w-]+)'\s*\]/g, '.$1');
  if (!/^[\w.-]+$/.test(name)) return null;
  const value = Object.hasOwn(names, name)
    ? names[name]
    : Object.hasOwn(PULL_REQUEST_VALUES, name)
      ? PULL_REQUEST_VALUES[name]
      : null;
  if (value !== null && value !== undefined) return value.includes(UNKNOWN_VALUE) ? null : value;
  const space = name.split('.')[0] ?? '';
  return Object.hasOwn(names, `${space}.${ALL_KNOWN}`) ? '' : null;
};

type Truth = boolean | null;
type Value = { text: string | null; truth: Truth };
type Reader = { words: string[]; names: KnownValues };

const EXPRESSION_TOKENS =
  /\s*('(?:[^']|'')*'|&&|\|\||==|!=|!|\(|\)|,|<=|>=|<|>|[\w.*-]+(?:\[[^\]]*\])*(?:\.[\w.*-]+)*|\S)/gy;

const peekWord = ({ words }: Reader): string | undefined => words[0];

const truthValue = (truth: Truth): Value => ({ text: truth === null ? null : String(truth), truth });
const textValue = (text: string | null): Value => ({
  text,
  truth: text === null ? null : text !== '' && text !== 'false' && text !== '0',
});

const evaluateOperand = (reader: Reader): Value => {
  const word = reader.words.shift() ?? '';
  if (word === '(') {
    const inside = evaluateOr(reader);
    reader.words.shift();
    return inside;
  }
  if (peekWord(reader) === '(') {
    reader.words.shift();
    const args: (string | null)[] = [];
    while (reader.words.length > 0 && peekWord(reader) !== ')') {
      if (peekWord(reader) === ',') reader.words.shift();
      else args.push(evaluateOr(reader).text);
    }
    reader.words.shift();
    return callFunction(word, args);
  }
  if (word.startsWith("'")) return textValue(word.slice(1, -1).replaceAll("''", "'"));
  if (word === 'true' || word === 'false') return truthValue(word === 'true');
  return textValue(valueOf(word, reader.names));
};

const callFunction = (name: string, args: readonly (string | null)[]): Value => {
  if (name === 'failure' || name === 'cancelled') return truthValue(false);
  if (name === 'always' || name === 'success') return truthValue(true);
  const [a = null, b = null] = args;
  if (name === 'format') {
    if (args.some((one) => one === null)) return textValue(null);
    return textValue((a ?? '').replace(/\{(\d)\}/g, (_, no: string) => args[Number(no) + 1] ?? ''));
  }
  if (a === null || b === null) return truthValue(null);
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (name === 'contains') return truthValue(x.includes(y));
  if (name === 'startsWith') return truthValue(x.startsWith(y));
  return truthValue(name === 'endsWith' ? x.endsWith(y) : null);
};

const HERE =
  /^github\.(?:repository|repository_owner|event\.repository\.full_name|event\.pull_request\.base\.repo\.\w+)$/;
const BRANCH = /^refs\/(?:heads|tags)\//;
const FROM_FORK = /^github\.event\.pull_request\.head\.repo\.(?:full_name|fork|owner\.login)$/;

const sameHere = (left: string, right: string, text: string | null): Truth => {
  if (left === 'github.ref' && BRANCH.test(text ?? '')) return false;
  if (/^github\.(?:actor|triggering_actor|event\.pull_request\.user\.login)$/.test(left)) return false;
  if (FROM_FORK.test(left)) return left.endsWith('.fork') ? text === 'true' : false;
  return HERE.test(left) && right.startsWith("'") ? true : null;
};

const evaluateComparison = (reader: Reader): Value => {
  if (reader.words[0] === '!') {
    reader.words.shift();
    const { truth } = evaluateComparison(reader);
    return truthValue(truth === null ? null : !truth);
  }
  const name = reader.words[0] ?? '';
  const left = evaluateOperand(reader);
  const operator = reader.words[0];
  if (operator !== '==' && operator !== '!=') return left;
  reader.words.shift();
  const other = reader.words[0] ?? '';
  const right = evaluateOperand(reader);
  const equal =
    left.text !== null && right.text !== null
      ? left.text.toLowerCase() === right.text.toLowerCase()
      : sameHere(name, other, right.text);
  return truthValue(equal === null ? null : operator === '==' ? equal : !equal);
};

const evaluateAnd = (reader: Reader): Value => {
  let value = evaluateComparison(reader);
  while (reader.words[0] === '&&') {
    reader.words.shift();
    const more = evaluateComparison(reader);
    if (value.truth === true) value = more;
    else if (value.truth === null) value = more.truth === false ? more : { text: null, truth: null };
  }
  return value;
};

const evaluateOr = (reader: Reader): Value => {
  let value = evaluateAnd(reader);
  while (reader.words[0] === '||') {
    reader.words.shift();
    const more = evaluateAnd(reader);
    if (value.truth === false) value = more;
    else if (value.truth === null) value = { text: null, truth: more.truth === true ? true : null };
  }
  return value;
};

const NO_VALUE: Value = { text: null, truth: null };
const MAX_EXPRESSION_TOKENS = 200;
const evaluateExpression = (expression: string, names: KnownValues): Value => {
  const words = [...expression.slice(0, 2_000).matchAll(EXPRESSION_TOKENS)].map((m) => m[1] ?? '');
  if (words.length > MAX_EXPRESSION_TOKENS) return NO_VALUE;
  const reader = { words, names };
  const value = evaluateOr(reader);
  return reader.words.length > 0 ? NO_VALUE : value;
};

/** An option or word left open (`--name=`) makes an empty value unlikely: unknown instead. */
const BEGUN = /[^\s"'(]["']?$|\s--?[\w-]+ ["']?$/;
export const resolveExpressions = (text: string, names: KnownValues): string =>
  text.replace(EXPRESSION, (_, expression: string, at: number) => {
    const { text: value } = evaluateExpression(expression.trim(), names);
    const isGiven = names[expression.trim()] === '';
    return value === null || (value === '' && !isGiven && BEGUN.test(text.slice(Math.max(0, at - 60), at)))
      ? UNKNOWN_VALUE
      : value;
  });

export const evaluateCondition = (condition: string | null, names: KnownValues): Truth =>
  condition === null ? true : evaluateExpression(condition.replace(/^\s*\$\{\{|\}\}\s*$/g, ''), names).truth;
