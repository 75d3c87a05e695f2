/** Parses source text by tree-sitter, within limits of size, time and memory. Loaded in a reader thread only. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language, Node, Parser, Query, Tree } from 'web-tree-sitter';
import { KB } from '#model/values';
import { GRAMMARS, languageOf, type LanguageName } from './languages.ts';
import type { Definition, FileOutline, SyntaxFault } from './outline-types.ts';

const MAX_SOURCE_LENGTH = 512 * KB;
const MAX_PARSE_MS = 1_000;
const INITIAL_PAGES = 512;
const MAX_PAGES = 1_280;
const MAX_DEFINITIONS = 400;
const MAX_CALLS = 600;
const MAX_IMPORTS = 60;
const MAX_FAULTS = 20;
const MAX_WALKED_NODES = 50_000;
const MAX_NAME_LENGTH = 120;
const MAX_TEXT_LENGTH = 160;
const MATCHING = { matchLimit: 4_096 };

declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object };

type Grammar = { language: Language; definitions: Query; calls: Query };

const wasmAt = (specifier: string): Uint8Array => readFileSync(fileURLToPath(import.meta.resolve(specifier)));

let parser: Parser | null = null;
const grammars = new Map<LanguageName, Grammar>();

export const loadGrammars = async (paths: readonly string[]): Promise<void> => {
  const wanted = new Set(paths.map(languageOf).filter((name) => name !== null));
  if ([...wanted].every((name) => grammars.has(name))) return;
  const tree = await import('web-tree-sitter');
  if (parser === null) {
    const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
    await tree.Parser.init({ wasmBinary: wasmAt('#tree-sitter'), wasmMemory });
    parser = new tree.Parser();
  }
  for (const name of wanted) {
    if (grammars.has(name)) continue;
    const { grammar, definitions, calls } = GRAMMARS[name];
    const language = await tree.Language.load(wasmAt(`#grammars/tree-sitter-${grammar}.wasm`));
    grammars.set(name, {
      language,
      definitions: new tree.Query(language, definitions.join('\n')),
      calls: new tree.Query(language, calls.join('\n')),
    });
  }
};

const lineAt = (text: string, index: number): string => {
  const from = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + 4 * MAX_TEXT_LENGTH));
};

const definitionsIn = (query: Query, root: Node, text: string, late: () => boolean): Definition[] => {
  const found: (Omit<Definition, 'depth'> & { from: number })[] = [];
  const seen = new Set<number>();
  for (const { captures } of query.matches(root, { ...MATCHING, progressCallback: late })) {
    const name = captures.find((one) => one.name === 'name')?.node;
    const whole = captures.find((one) => one.name === 'definition')?.node;
    if (!name || !whole || seen.has(name.startIndex)) continue;
    seen.add(name.startIndex);
    const line = whole.startPosition.row + 1;
    found.push({
      name: text.slice(name.startIndex, Math.min(name.endIndex, name.startIndex + MAX_NAME_LENGTH)),
      line,
      endLine: whole.endPosition.row + 1,
      text: lineAt(text, whole.startIndex).trim().slice(0, MAX_TEXT_LENGTH),
      from: whole.startIndex,
    });
    if (found.length >= MAX_DEFINITIONS) break;
  }
  const open: { endLine: number }[] = [];
  return found
    .sort((a, b) => a.from - b.from)
    .map(({ from: _, ...one }) => {
      while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < one.line) open.pop();
      const depth = open.length;
      open.push(one);
      return { ...one, depth };
    });
};

const callsIn = (query: Query, root: Node, text: string, late: () => boolean): FileOutline['calls'] => {
  const found = new Map<string, number>();
  for (const { node } of query.captures(root, { ...MATCHING, progressCallback: late })) {
    const name = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + MAX_NAME_LENGTH));
    if (!found.has(name)) found.set(name, node.startPosition.row + 1);
    if (found.size >= MAX_CALLS) break;
  }
  return [...found].map(([name, line]) => ({ name, line }));
};

const IMPORT =
  /(?:\bfrom|\bimport|\brequire\(|\bimport\(|\brequire_relative|\binclude)[ \t]*["']([^"'\n]{1,200})["']|^[ \t]*(?:from|import|use|using)[ \t]+([\w.:]{2,200})/gm;
const importsIn = (text: string): string[] => {
  const found = new Set<string>();
  for (const [, quoted, dotted] of text.slice(0, MAX_SOURCE_LENGTH).matchAll(IMPORT)) {
    found.add(quoted ?? (dotted ?? '').replaceAll('::', '.'));
    if (found.size >= MAX_IMPORTS) break;
  }
  return [...found];
};

const faultsIn = (tree: Tree, text: string): SyntaxFault[] => {
  const found: SyntaxFault[] = [];
  const open: Node[] = [tree.rootNode];
  for (let walked = 0; open.length > 0 && walked < MAX_WALKED_NODES; walked += 1) {
    const node = open.pop();
    if (!node || found.length >= MAX_FAULTS) break;
    if (!node.hasError) continue;
    if (node.isError || node.isMissing) {
      const { row, column } = node.startPosition;
      const said = lineAt(text, node.startIndex).trim().slice(0, MAX_TEXT_LENGTH);
      const lacks = node.isMissing ? `${node.type} is missing: ` : '';
      const kind = node.isMissing ? 'missing' : 'error';
      found.push({ line: row + 1, column: column + 1, kind, text: lacks + said });
      continue;
    }
    for (const child of node.children.toReversed()) if (child !== null) open.push(child);
  }
  return found;
};

type Read<T> = (tree: Tree, grammar: Grammar, late: () => boolean) => T;
const parseSource = <T>(path: string, text: string, read: Read<T>): T | null => {
  const grammar = grammars.get(languageOf(path) ?? 'javascript');
  if (languageOf(path) === null || text.length > MAX_SOURCE_LENGTH) return null;
  if (!grammar || !parser) throw new Error(`no grammar was loaded for ${path}`);
  parser.setLanguage(grammar.language);
  const until = performance.now() + MAX_PARSE_MS;
  // The callback's answer ends the parse; the declared type has none.
  const isLate = (): boolean => performance.now() > until;
  const tree = parser.parse(text, null, { progressCallback: isLate });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    return read(tree, grammar, isLate);
  } finally {
    tree.delete();
  }
};

/** Null where no grammar reads it, or where it is too large or takes too long. */
export const outlineSource = (path: string, text: string): FileOutline | null =>
  parseSource(path, text, ({ rootNode }, { definitions, calls }, late) => ({
    definitions: definitionsIn(definitions, rootNode, text, late),
    calls: callsIn(calls, rootNode, text, late),
    imports: importsIn(text),
  }));

/** Null as above, and for languages whose preprocessor makes any grammar guess. */
export const findSyntaxFaults = (path: string, text: string): SyntaxFault[] | null =>
  languageOf(path) === 'cpp' ? null : parseSource(path, text, (tree) => faultsIn(tree, text));
