/** Finds where a value, a key or a fault stands in a file of YAML or JSON. Pure. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml';
import type { ValidationIssue } from '#model/settings';
import { withoutStackTraces } from '#model/values';

export const nodeOfKey = (map: unknown, key: string): Node | null => {
  const keys = isMap(map) ? map.items.flatMap(({ key: own }) => (isNode(own) ? [own] : [])) : [];
  const isText = (node: Node): boolean => isScalar(node) && typeof node.value === 'string';
  return (
    keys.find((node) => isText(node) && String(node) === key) ?? keys.find((node) => !isText(node)) ?? null
  );
};

export const offsetOf = (document: Document, path: readonly (string | number)[]): number => {
  const node = document.getIn(path, true);
  if (isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
};

/** The first key that its map has twice: parsers keep one of the values and say nothing. */
export const findRepeatedKey = (document: Document): { key: string; offset: number } | null => {
  let found: { key: string; offset: number } | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (known.has(name)) {
          found = { key: String(name), offset: (isNode(key) ? key.range?.[0] : null) ?? 0 };
          return visit.BREAK;
        }
        known.add(name);
      }
      return undefined;
    },
  });
  return found;
};

export const createLineFinder = (json: string) => {
  const lines = new LineCounter();
  const document = withoutStackTraces(() =>
    parseDocument(json, { lineCounter: lines, logLevel: 'error', prettyErrors: false, uniqueKeys: false }),
  );
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const repeated = findRepeatedKey(document);
  return {
    repeated: repeated && { key: repeated.key, line: lineAt(repeated.offset) },
    lineOf: (issue: ValidationIssue): number => {
      const key = issue.kind === 'unknown' ? nodeOfKey(document.getIn(issue.path, true), issue.key) : null;
      return lineAt(key?.range?.[0] ?? offsetOf(document, issue.path));
    },
  };
};
