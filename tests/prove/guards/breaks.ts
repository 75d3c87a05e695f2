/** Ways to break the syntax node below a marker `// guard: <id>`. */
import ts from 'typescript';

/** Replaces the text between two positions. */
type Edit = readonly [from: number, to: number, put: string];
export type Break = { how: string; edit: (node: ts.Node, source: ts.SourceFile) => Edit };

const MARKER = /^[ \t]*\/\/ guard: ([A-Z]\d+-[a-z0-9-]+)$/gm;

/** Returns every marker with its end position. */
export const markers = (text: string): { id: string; end: number }[] =>
  [...text.matchAll(MARKER)].map((m) => ({ id: m[1] ?? '', end: m.index + m[0].length }));

const nodesIn = (root: ts.Node): ts.Node[] => {
  const all: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    all.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return all;
};

/** Returns the largest node at the first token after the marker; in a chain, that call. */
const marked = (source: ts.SourceFile, end: number): ts.Node => {
  const all = nodesIn(source);
  const start = all.reduce((least, n) => {
    const at = n.getStart(source);
    return at >= end && at < least ? at : least;
  }, Infinity);
  const chained = all.find(
    (n): n is ts.CallExpression =>
      ts.isCallExpression(n) &&
      ts.isPropertyAccessExpression(n.expression) &&
      n.expression.expression.end <= end &&
      n.expression.name.getStart(source) === start,
  );
  const found = chained ?? all.find((n) => !ts.isSourceFile(n) && n.getStart(source) === start);
  if (!found) throw new Error('no code stands below the marker');
  return found;
};

const one = <T>(found: readonly T[], what: string): T => {
  const [first, ...more] = found;
  if (first === undefined || more.length > 0)
    throw new Error(`${what} stands ${first === undefined ? 'nowhere' : 'more than once'} below the marker`);
  return first;
};

/** Removes the node: a statement, a chained call, a property or an element. */
export const gone: Break = {
  how: 'removed',
  edit: (node, source) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const inner = node.expression.expression;
      if (inner.end < node.expression.name.getStart(source) - 2) return [inner.end, node.end, ''];
    }
    const comma = source.text[node.end] === ',' ? 1 : 0;
    return [node.getStart(source), node.end + comma, ts.isStatement(node) ? ';' : ''];
  },
};

const condition = (value: 'true' | 'false'): Break => ({
  how: `its condition ${value}`,
  edit: (node, source) => {
    const first = nodesIn(node).find((n) => ts.isIfStatement(n) || ts.isConditionalExpression(n));
    if (!first) throw new Error('no condition stands below the marker');
    const asked = ts.isIfStatement(first) ? first.expression : first.condition;
    return [asked.getStart(source), asked.end, value];
  },
});
export const never = condition('false');
export const always = condition('true');

/** Removes the list element that contains this word. */
export const element = (word: string): Break => ({
  how: `without the element \`${word}\``,
  edit: (node, source) => {
    const lists = nodesIn(node).filter(ts.isArrayLiteralExpression);
    const having = lists.flatMap((l) => [...l.elements]).filter((e) => e.getText(source).includes(word));
    const least = having.filter(
      (e) => !having.some((o) => o !== e && inside(o, e) && ts.isArrayLiteralExpression(o)),
    );
    const found = one(
      least.length > 1 ? least.filter((e) => !least.some((o) => o !== e && inside(e, o))) : least,
      word,
    );
    return [found.getStart(source), found.end + (source.text[found.end] === ',' ? 1 : 0), ''];
  },
});

const LOGIC = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken];
const isLogic = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && LOGIC.includes(node.operatorToken.kind);

/** Removes the operand of `&&` or `||` that contains this word. */
export const without = (word: string): Break => ({
  how: `without \`${word}\``,
  edit: (node, source) => {
    const operands = nodesIn(node)
      .filter(isLogic)
      .flatMap((b) =>
        isLogic(b.left) && b.left.operatorToken.kind === b.operatorToken.kind ? [b.right] : [b.left, b.right],
      );
    const least = operands.filter(
      (o) =>
        o.getText(source).includes(word) &&
        !operands.some((p) => p !== o && inside(p, o) && p.getText(source).includes(word)),
    );
    const found = one(least, word);
    const parent = found.parent as ts.BinaryExpression;
    return parent.left === found
      ? [found.getStart(source), parent.right.getStart(source), '']
      : [parent.left.end, found.end, ''];
  },
});
const inside = (inner: ts.Node, outer: ts.Node): boolean => inner.pos >= outer.pos && inner.end <= outer.end;

/** Replaces a part of the node's text. */
export const swap = (from: string, to: string): Break => ({
  how: `\`${from}\` is \`${to}\``,
  edit: (node, source) => {
    const start = node.getStart(source);
    const text = source.text.slice(start, node.end);
    const places = text.split(from).slice(1);
    one(places, from);
    const at = text.indexOf(from);
    return [start + at, start + at + from.length, to];
  },
});

/** Replaces the node. */
export const instead = (put: string): Break => ({
  how: `\`${put}\``,
  edit: (node, source) => [node.getStart(source), node.end, put],
});

/** Inserted names must exist in the file, or the mutant only dies of a renaming. */
const strange = (put: string, text: string): string | undefined =>
  (put.replace(/'[^']*'|\w+:/g, '').match(/[A-Za-z_]\w*/g) ?? []).find(
    (name) => !KNOWN.has(name) && !new RegExp(`\\b${name}\\b`).test(text),
  );
const KNOWN = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'return',
  'Math',
  'random',
  'Infinity',
  'length',
  'const',
  'throw',
  'then',
]);

/** Throws when the break does not apply. */
export const broken = (id: string, how: Break, text: string): string => {
  const { end } = one(
    markers(text).filter((m) => m.id === id),
    `guard: ${id}`,
  );
  const source = ts.createSourceFile('guarded.ts', text, ts.ScriptTarget.Latest, true);
  const [from, to, put] = how.edit(marked(source, end), source);
  const unknown = strange(put, text);
  if (unknown !== undefined) throw new Error(`${id}: ${unknown} is no name of its file`);
  const after = text.slice(0, from) + put + text.slice(to);
  if (after === text) throw new Error(`${id}: nothing is broken`);
  return after;
};
