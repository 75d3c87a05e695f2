/**
 * What the product exports, read from the syntax of every file: what nobody but tests imports,
 * re-exports followed, and types that share a name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { IMPORTED_FILES, PRODUCT_FOLDERS, ROOT } from './product.ts';

const OTHERS = ['bench', 'playground', 'tests'];

/** What may stay all the same, and why. */
const MAY_STAY = new Map([
  ['cli/receipt-github-action.ts: reportReceiptGitHubAction', 'the file that action.yml runs begins with it'],
  ['cli/main.ts: main', 'cli/agentpr.js imports it, by a path that it chooses'],
  ['bot/views/scene.ts: ButtonVerbs', 'rows of buttons add to it where they stand'],
  ['orchestrator/kernel/run/input-types.ts: InputsByType', 'rows of inputs add to it where they stand'],
  ['db/ledger/installation-log.ts: INSTALLATION_COLUMNS', 'a fixture of ledgers is written by it'],
  ['tools/tool-schema.ts: PatternBehindName', 'the same check finds patterns by it'],
  ...['Pattern', 'WholePattern', 'LinePattern', 'SingleLinePattern', 'TaskPattern', 'LongOptions'].map(
    (name) =>
      [`tools/tool-schema.ts: ${name}`, 'the check of all expressions finds patterns in rows by it'] as const,
  ),
]);

/** A name of a file; `*` for all of them. */
type Name = { file: string; name: string };
type Facts = {
  exports: Map<string, { used: boolean }>;
  passedOn: { as: string; from: Name }[];
  imports: Name[];
};

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.[jt]s$/.test(path) && !/(^|\/)(node_modules|fixtures|sample)\//.test(path));

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const namesOf = (node: ts.Statement): string[] => {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node);
  return named && node.name ? [node.name.text] : [];
};

const syntaxOf = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, false);

const read = (file: string): Facts => {
  const source = syntaxOf(file);
  const facts: Facts = { exports: new Map(), passedOn: [], imports: [] };
  const at = (path: string): string =>
    IMPORTED_FILES.get(path) ?? relative(ROOT, join(ROOT, dirname(file), path));
  for (const node of source.statements) {
    if (isExported(node)) for (const name of namesOf(node)) facts.exports.set(name, { used: false });
    const from =
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier
        ? (node.moduleSpecifier as ts.StringLiteral).text
        : '';
    if (!from.startsWith('.') && !IMPORTED_FILES.has(from)) continue;
    if (ts.isExportDeclaration(node)) {
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : null;
      for (const one of names ?? [])
        facts.passedOn.push({
          as: one.name.text,
          from: { file: at(from), name: (one.propertyName ?? one.name).text },
        });
      if (!names) facts.passedOn.push({ as: '*', from: { file: at(from), name: '*' } });
    } else if (ts.isImportDeclaration(node)) {
      const bound = node.importClause?.namedBindings;
      if (bound && ts.isNamedImports(bound))
        for (const one of bound.elements)
          facts.imports.push({ file: at(from), name: (one.propertyName ?? one.name).text });
      else facts.imports.push({ file: at(from), name: '*' });
    }
  }
  const count = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) count.set(node.text, (count.get(node.text) ?? 0) + 1);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [path] = node.arguments;
      if (path && ts.isStringLiteral(path) && (path.text.startsWith('.') || IMPORTED_FILES.has(path.text)))
        facts.imports.push({ file: at(path.text), name: '*' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [name, own] of facts.exports) own.used = (count.get(name) ?? 0) > 1;
  return facts;
};

/**
 * `file: name` of exports that are in vain: `onlyTested`, what only tests import, and what its own
 * file has no use for either; `unimported`, what no file imports, tests among them.
 */
export const vainExports = (): { seen: number; onlyTested: string[]; unimported: string[] } => {
  const product = PRODUCT_FOLDERS.flatMap(filesIn);
  const files = new Map([...product, ...OTHERS.flatMap(filesIn)].map((file) => [file, read(file)]));
  const listUses = (importers: (file: string) => boolean): ((file: string, name: string) => boolean) => {
    const used = new Set<string>();
    const use = ({ file, name }: Name): void => {
      const facts = files.get(file);
      if (!facts || used.has(`${file}: ${name}`)) return;
      used.add(`${file}: ${name}`);
      for (const { as, from } of facts.passedOn)
        if (as === name || as === '*' || name === '*') use(as === '*' ? { file: from.file, name } : from);
    };
    for (const [file, facts] of files) if (importers(file)) facts.imports.forEach(use);
    return (file, name) => used.has(`${file}: ${name}`) || used.has(`${file}: *`);
  };
  const isUsed = listUses((file) => !file.startsWith('tests/'));
  const isImported = listUses(() => true);
  const exported = product.flatMap((file) =>
    [...(files.get(file)?.exports ?? [])].map(([name, own]) => ({ file, name, own })),
  );
  const listed = exported.filter(({ file, name }) => !MAY_STAY.has(`${file}: ${name}`));
  const toText = ({ file, name }: Name): string => `${file}: ${name}`;
  return {
    seen: exported.length,
    onlyTested: listed.filter(({ file, name, own }) => !own.used && !isUsed(file, name)).map(toText),
    unimported: listed.filter(({ file, name }) => !isImported(file, name)).map(toText),
  };
};

/** `name: its files` of every type that two files of the product export under one name. */
export const doubledTypes = (): { seen: number; found: string[] } => {
  const homes = new Map<string, string[]>();
  for (const file of PRODUCT_FOLDERS.flatMap(filesIn))
    for (const node of syntaxOf(file).statements) {
      const isType =
        ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node);
      if (!isType || !isExported(node)) continue;
      for (const name of namesOf(node)) homes.set(name, [...(homes.get(name) ?? []), file]);
    }
  const doubled = [...homes].filter(([, files]) => files.length > 1);
  return { seen: homes.size, found: doubled.map(([name, files]) => `${name}: ${files.join(', ')}`) };
};
