/** Minimal samples of every update and message, derived from grammY's Bot API types. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const types = dirname(createRequire(import.meta.url).resolve('@grammyjs/types/package.json'));

const program = ts.createProgram([join(types, 'mod.d.ts')], {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  module: ts.ModuleKind.NodeNext,
});
const checker = program.getTypeChecker();
const source = (file: string): ts.SourceFile => {
  const found = program.getSourceFile(join(types, file));
  if (!found) throw new Error(`no ${file} in ${types}`);
  return found;
};
const declared = (file: string, name: string): ts.Type => {
  const found = source(file).statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  );
  if (!found) throw new Error(`no ${name} in ${file}`);
  return checker.getTypeAtLocation(found);
};

const DEPTH = 5;
const isOptional = (member: ts.Symbol): boolean => (member.flags & ts.SymbolFlags.Optional) !== 0;
const typeOf = (member: ts.Symbol): ts.Type => checker.getNonNullableType(checker.getTypeOfSymbol(member));

/** Returns a minimal value of a type. */
const sample = (type: ts.Type, depth: number): unknown => {
  if (type.isUnion())
    return sample(type.types.find((t) => !(t.flags & ts.TypeFlags.Undefined)) ?? type, depth);
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) return checker.typeToString(type) === 'true';
  if (type.flags & ts.TypeFlags.StringLike) return 'x';
  if (type.flags & ts.TypeFlags.NumberLike) return 1;
  if (type.flags & ts.TypeFlags.BooleanLike) return true;
  if (checker.isArrayType(type)) {
    const [of] = checker.getTypeArguments(type as ts.TypeReference);
    return of && depth > 0 ? [sample(of, depth - 1)] : [];
  }
  return depth > 0 ? least(type, depth) : {};
};

const least = (type: ts.Type, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    checker
      .getPropertiesOfType(type)
      .filter((member) => !isOptional(member))
      .map((member) => [member.name, sample(typeOf(member), depth - 1)]),
  );

const optional = (type: ts.Type): ts.Symbol[] => checker.getPropertiesOfType(type).filter(isOptional);

const update = declared('update.d.ts', 'Update');
const message = declared('message.d.ts', 'Message');

export const updates = (): { kind: string; body: unknown }[] =>
  optional(update).map((member) => ({ kind: member.name, body: sample(typeOf(member), DEPTH) }));

export const contents = (): { kind: string; content: unknown }[] =>
  optional(message).map((member) => ({ kind: member.name, content: sample(typeOf(member), DEPTH) }));
