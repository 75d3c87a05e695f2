/**
 * S3: the core imports nothing but zod, yaml, the rows of tools and itself, and knows no clock, randomness,
 * environment or waiting.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DOORS, isPure, PURE_FOLDERS, ROOT } from '../rules/product.ts';

const files = PURE_FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .filter(isPure),
);

const FORBIDDEN = new Set(
  'Date process globalThis setTimeout setInterval setImmediate queueMicrotask performance crypto fetch console require Promise'.split(
    ' ',
  ),
);

/** The path from the root of what a file imports. */
const placeOf = (specifier: string, file: string): string =>
  DOORS.get(specifier)?.concat('/') ?? relative(ROOT, resolve(ROOT, dirname(file), specifier));

/** Names that a file takes through the door of a room, where an effect defines them. */
const effectsTaken = (source: ts.SourceFile): string[] =>
  source.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const folder = ts.isStringLiteral(moduleSpecifier) ? DOORS.get(moduleSpecifier.text) : undefined;
    const names = importClause?.namedBindings;
    if (folder === undefined || !names || !ts.isNamedImports(names)) return [];
    const door = readFileSync(join(ROOT, folder, 'index.ts'), 'utf8');
    const acting = [...door.matchAll(/export \{([^}]*)\} from '[^']*\.effect\.ts'/g)].map(
      ([, all = '']) => all,
    );
    return names.elements
      .map(({ name }) => name.text)
      .filter((name) => acting.some((all) => all.includes(name)));
  });

/** Types of the ports leave nothing at run time. */
const PORTS = 'orchestrator/kernel/ports/';
const isOfTypes = (s: ts.ImportDeclaration | ts.ExportDeclaration): boolean =>
  ts.isImportDeclaration(s) && s.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
const imports = (source: ts.SourceFile, file: string): string[] =>
  source.statements.flatMap((s) =>
    (ts.isImportDeclaration(s) || ts.isExportDeclaration(s)) &&
    s.moduleSpecifier &&
    ts.isStringLiteral(s.moduleSpecifier) &&
    !(isOfTypes(s) && placeOf(s.moduleSpecifier.text, file).startsWith(PORTS))
      ? [s.moduleSpecifier.text]
      : [],
  );

/** Of times that are given: `new Date(at)`, `Date.UTC(…)` and `Date.parse(…)` ask no clock. */
const isCalendar = ({ parent }: ts.Node): boolean =>
  (ts.isNewExpression(parent) && (parent.arguments?.length ?? 0) > 0) ||
  (ts.isPropertyAccessExpression(parent) && ['UTC', 'parse'].includes(parent.name.text));

/** Names in the code, not in comments or texts; property names of our own do not count. */
const impure = (source: ts.SourceFile): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isIdentifier(node) ? node.text : '';
    const property = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    if (FORBIDDEN.has(name) && !property && !isCalendar(node)) found.push(name);
    if (ts.isPropertyAccessExpression(node) && node.getText(source) === 'Math.random')
      found.push('Math.random');
    if (node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)) found.push('async');
    if (node.kind === ts.SyntaxKind.ImportKeyword && ts.isCallExpression(node.parent)) found.push('import()');
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
};

/** Rows are data, whether a file or a bundle holds them. */
const ROWS: readonly string[] = ['#tools', '#tools/output', '#tools/packages', '#tools/words'];

describe('the core', () => {
  it('S3: has files to look at', () => {
    expect(files).toContain('orchestrator/kernel/lifecycle/decide.ts');
    expect(files.length).toBeGreaterThan(10);
  });

  it.each(files)('S3: %s is pure', (file) => {
    const path = join(ROOT, file);
    const source = ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const strangers = imports(source, file).filter((i) => {
      const inside = isPure(placeOf(i, file));
      return i !== 'zod' && i !== 'yaml' && !ROWS.includes(i) && !inside;
    });
    expect(strangers).toEqual([]);
    expect(effectsTaken(source)).toEqual([]);
    expect(impure(source)).toEqual([]);
  });

  it('S3: the test sees what it forbids', () => {
    const bad =
      'const a = async () => { await x; Date.now(); new Date(); new Date(1); Math.random(); process.env; setTimeout(y); };';
    const source = ts.createSourceFile('bad.ts', bad, ts.ScriptTarget.Latest, true);
    expect(impure(source)).toEqual([
      'async',
      'async',
      'Date',
      'Date',
      'Math.random',
      'process',
      'setTimeout',
    ]);
  });
});
