/** Reads untrusted YAML into bounded trees with line numbers; aliases are shared. */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { withoutStackTraces, hasMoreYamlTokens } from '#model/values';

export type YamlTree = {
  line: number;
  text: string | null;
  items: readonly YamlTree[];
  entries: ReadonlyMap<string, YamlTree>;
};

/** Parsing is slow, and longer files are no settings (characters). */
const MAX_YAML_LENGTH = 300_000;
const MOST_NODES = 60_000;
const MAX_YAML_DEPTH = 60;

const MAX_TOKENS = 16_000;

const tooDeep = (text: string): boolean => /(?:[[{][\s,]*){60}|(?:- ){60}|(?:\? ){60}/.test(text);

const EMPTY_YAML_TREE: YamlTree = { line: 1, text: null, items: [], entries: new Map() };

export const parseYamlTree = (text: string): YamlTree | null => {
  // guard: O10-yaml-bounded
  if (text.length > MAX_YAML_LENGTH || tooDeep(text) || hasMoreYamlTokens(text, MAX_TOKENS)) return null;
  const counter = new LineCounter();
  const document = withoutStackTraces(() =>
    parseDocument(text, {
      lineCounter: counter,
      uniqueKeys: false,
      strict: false,
      logLevel: 'silent',
      prettyErrors: false,
      stringKeys: false,
    }),
  );
  let nodes = 0;
  const anchors = new Map<string, YamlTree>();
  const lineOf = (node: Node, { block }: { block: boolean }): number => {
    const line = counter.linePos(node.range?.[0] ?? 0).line;
    return block ? line + 1 : line;
  };
  const toTree = (node: unknown, depth: number): YamlTree => {
    nodes += 1;
    if (nodes > MOST_NODES || depth > MAX_YAML_DEPTH) return EMPTY_YAML_TREE;
    if (isAlias(node)) return anchors.get(node.source) ?? EMPTY_YAML_TREE;
    if (isScalar(node)) {
      const block = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
      const value = node.value === null ? null : (node.source ?? JSON.stringify(node.value));
      return rememberAnchor(node, { ...EMPTY_YAML_TREE, line: lineOf(node, { block }), text: value });
    }
    if (isSeq(node)) {
      const items = node.items.map((one) => toTree(one, depth + 1));
      return rememberAnchor(node, { ...EMPTY_YAML_TREE, line: lineOf(node, { block: false }), items });
    }
    if (isMap(node)) {
      const entries = new Map<string, YamlTree>();
      for (const pair of node.items) {
        if (!isPair(pair)) continue;
        const key = isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : '';
        const value = toTree(pair.value, depth + 1);
        if (key !== '<<') entries.set(key, value);
        else for (const [k, v] of [...value.entries].slice(0, 200)) if (!entries.has(k)) entries.set(k, v);
      }
      return rememberAnchor(node, { ...EMPTY_YAML_TREE, line: lineOf(node, { block: false }), entries });
    }
    return EMPTY_YAML_TREE;
  };
  const rememberAnchor = (node: { anchor?: string }, made: YamlTree): YamlTree => {
    if (node.anchor !== undefined) anchors.set(node.anchor, made);
    return made;
  };
  return document.contents === null ? null : toTree(document.contents, 0);
};

export const childTree = (tree: YamlTree | undefined, ...keys: string[]): YamlTree | undefined =>
  keys.reduce<YamlTree | undefined>((at, key) => at?.entries.get(key), tree);
export const textAt = (tree: YamlTree | undefined, ...keys: string[]): string | null =>
  childTree(tree, ...keys)?.text ?? null;
export const listAt = (tree: YamlTree | undefined, ...keys: string[]): readonly YamlTree[] => {
  const found = childTree(tree, ...keys);
  if (!found) return [];
  return found.items.length > 0 ? found.items : found.text === null ? [] : [found];
};
export const textsIn = (tree: YamlTree | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(tree?.entries ?? [])].flatMap(([k, v]) => {
      const text = v.text ?? (v.items.length + v.entries.size === 0 ? '' : null);
      return text === null ? [] : [[k, text]];
    }),
  );
