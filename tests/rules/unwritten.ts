/**
 * Lists optional members of types that the product reads and that no typed literal writes. A rename
 * that misses an untyped literal compiles, and leaves such a member behind. It takes a minute, and
 * options of the command line or of tests are listed too: `npm run unwritten` is read by a person.
 */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from './product.ts';

type Counts = Map<ts.Declaration, number>;

const isProduct = (file: string): boolean =>
  !/^\.\.|node_modules|^(?:tests|bench|playground)\//.test(relative(ROOT, file));

const productProgram = (): ts.Program => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (): void => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), { noEmit: true }, host);
  if (!config) throw new Error('tsconfig.json cannot be read');
  return ts.createProgram(config.fileNames.filter(isProduct), config.options);
};

const isOptional = (node: ts.Node): node is ts.PropertySignature | ts.PropertyAssignment =>
  (ts.isPropertySignature(node) && node.questionToken !== undefined) ||
  (ts.isPropertyAssignment(node) && /\.(?:exactOptional|optional)\(\)$/.test(node.initializer.getText()));

const isAssigned = ({ parent }: ts.Node, node: ts.Node): boolean =>
  ts.isBinaryExpression(parent) &&
  parent.left === node &&
  parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

const unwrittenMembers = (program = productProgram()): string[] => {
  const checker = program.getTypeChecker();
  const optional: (ts.PropertySignature | ts.PropertyAssignment)[] = [];
  const reads: Counts = new Map();
  const writes: Counts = new Map();
  const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types.flatMap(partsOf) : [type]);
  const count = (counts: Counts, type: ts.Type | undefined, name: string): void => {
    for (const part of type ? partsOf(type) : [])
      for (const one of checker.getPropertyOfType(part, name)?.declarations ?? [])
        counts.set(one, (counts.get(one) ?? 0) + 1);
  };
  const visit = (node: ts.Node): void => {
    if (isOptional(node)) optional.push(node);
    if (ts.isPropertyAccessExpression(node))
      count(
        isAssigned(node, node) ? writes : reads,
        checker.getTypeAtLocation(node.expression),
        node.name.text,
      );
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) count(reads, checker.getTypeAtLocation(node.parent), name.text);
    }
    if (ts.isObjectLiteralExpression(node))
      for (const { name } of node.properties)
        if (name && ts.isIdentifier(name)) count(writes, checker.getContextualType(node), name.text);
    ts.forEachChild(node, visit);
  };
  for (const source of program.getSourceFiles()) if (isProduct(source.fileName)) visit(source);
  return optional
    .filter((one) => (reads.get(one) ?? 0) > 0 && !writes.has(one))
    .map((one) => {
      const source = one.getSourceFile();
      const { line } = source.getLineAndCharacterOfPosition(one.getStart());
      return `${relative(ROOT, source.fileName)}:${line + 1} ${one.name.getText()}`;
    });
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${unwrittenMembers().toSorted().join('\n')}\n`);
