/**
 * Rows in place of lists: a table without one of its rows does not compile. Each row is left out
 * once, in a copy that is checked.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FINDING_KINDS } from '#model/change';
import { DOORS } from '../../rules/product.ts';

const ROOT = join(import.meta.dirname, '../../..');
const RUN = 'orchestrator/kernel/run';
const LIFECYCLE = 'orchestrator/kernel/lifecycle';

/**
 * Where a table stands; `readers` are files that notice what the table's own file does not, and
 * `through` is a file that puts the table into a larger one.
 */
type Table = { file: string; name: string; rows: number; through?: string; readers?: readonly string[] };
const TABLES: readonly Table[] = [
  { file: 'model/run/run-states.ts', name: 'STATE_TRAITS', rows: 15 },
  { file: `${LIFECYCLE}/enter-state.ts`, name: 'WORK_OF_STATE', rows: 15 },
  { file: `${LIFECYCLE}/state-preconditions.ts`, name: 'STATE_PRECONDITIONS', rows: 15 },
  { file: 'orchestrator/kernel/effects/effect-traits.ts', name: 'EFFECT_TRAITS', rows: 15 },
  { file: 'orchestrator/kernel/handlers/work-handlers.ts', name: 'createWorkHandlers', rows: 15 },
  { file: `${RUN}/round-table.ts`, name: 'ROUND_ROWS', rows: 13 },
  ...(
    [
      ['content-policies', 'contentPolicies', 8],
      ['path-policies', 'pathPolicies', 7],
      ['size-policies', 'sizePolicies', 1],
      ['target-policies', 'targetPolicies', 5],
      ['contribution-rules-policy', 'contributionPolicies', 1],
      ['evidence-policies', 'evidencePolicies', 7],
    ] as const
  ).map(([file, name, rows]) => ({
    file: `governor/policies/${file}.ts`,
    name,
    rows,
    through: 'governor/built-in-policies.ts',
    readers: ['bot/language/compose-policies.ts'],
  })),
  {
    file: 'orchestrator/commands/command-table.ts',
    name: 'COMMAND_ROWS',
    rows: 30,
    readers: [
      'bot/language/command-forms.ts',
      'bot/commands/command-handlers.ts',
      'bot/commands/typed-command.ts',
    ],
  },
];

const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The object that a name stands for, or that its function gives. */
const objectOf = (node: ts.Expression | ts.ConciseBody | undefined): ts.ObjectLiteralExpression => {
  if (node && ts.isObjectLiteralExpression(node)) return node;
  if (node && ts.isArrowFunction(node)) return objectOf(node.body);
  if (node && ts.isCallExpression(node)) return objectOf(node.arguments[0]);
  if (
    node &&
    (ts.isSatisfiesExpression(node) || ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
  )
    return objectOf(node.expression);
  throw new Error('no table stands there');
};

/** The table's file without each of its rows. */
const without = ({ file, name }: Table): { row: string; text: string }[] => {
  const source = ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true);
  const all = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((s) => [...s.declarationList.declarations]);
  const found = all.find((d) => ts.isIdentifier(d.name) && d.name.text === name);
  const rows = objectOf(found?.initializer).properties.flatMap((row) =>
    ts.isSpreadAssignment(row) && ts.isObjectLiteralExpression(row.expression)
      ? [...row.expression.properties]
      : [row],
  );
  return rows.map((row) => {
    const end = source.text[row.end] === ',' ? row.end + 1 : row.end;
    return {
      row: row.name?.getText(source) ?? '',
      text: source.text.slice(0, row.getFullStart()) + source.text.slice(end),
    };
  });
};

/** A copy beside the original, so that what it imports is found. */
const beside = (file: string, i: number): string => file.replace(/\.ts$/, `.without-${i}.ts`);

/** The copies to write, by their path, and the one to be checked for each row. */
/** The door by which others read a file, and the door's own file. */
const doorOf = (file: string): [door: string, index: string] | [null, null] => {
  const door = [...DOORS].find(([, folder]) => file.startsWith(`${folder}/`));
  return door ? [door[0], `${door[1]}/index.ts`] : [null, null];
};

const copiesOf = (
  table: Table,
): { copies: Map<string, string>; checked: { row: string; paths: string[] }[] } => {
  const copies = new Map<string, string>();
  const checked = without(table).map(({ row, text: shorter }, i) => {
    const copy = beside(table.file, i);
    copies.set(copy, shorter);
    const [door, index] = doorOf(table.file);
    const { through } = table;
    const put = through === undefined ? table.file : through;
    const from = relative(dirname(put), table.file);
    const name = basename(table.file, '.ts');
    if (through !== undefined)
      copies.set(
        through.replace(/\.ts$/, `.${name}.without-${i}.ts`),
        text(through).replaceAll(`'./${from}'`, `'./${relative(dirname(put), copy)}'`),
      );
    const shorter_ = through === undefined ? copy : through.replace(/\.ts$/, `.${name}.without-${i}.ts`);
    if (index !== null)
      copies.set(
        beside(index, i),
        text(index).replaceAll(`'./${basename(put)}'`, `'./${basename(shorter_)}'`),
      );
    const readers = (table.readers ?? []).map((reader) => {
      const original = door === null ? relative(dirname(reader), table.file) : door;
      const reads = relative(dirname(reader), index ?? table.file);
      const shorn = `'${join(dirname(reads), basename(index === null ? copy : beside(index, i)))}'`;
      copies.set(beside(reader, i), text(reader).replaceAll(`'${original}'`, shorn));
      return beside(reader, i);
    });
    return { row, paths: readers.length === 0 ? [copy] : readers };
  });
  return { copies, checked };
};

const everything = TABLES.map((table) => ({ table, ...copiesOf(table) }));

const program = ((): ts.Program => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, ROOT);
  // An import that nobody uses any more is no proof.
  const loose: ts.CompilerOptions = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const disk = ts.createCompilerHost(loose);
  const copies = new Map(everything.flatMap((e) => [...e.copies].map(([path, t]) => [join(ROOT, path), t])));
  const host: ts.CompilerHost = {
    ...disk,
    readFile: (path) => copies.get(path) ?? disk.readFile(path),
    fileExists: (path) => copies.has(path) || disk.fileExists(path),
    getSourceFile: (path, language, ...more) => {
      const copy = copies.get(path);
      return copy === undefined
        ? disk.getSourceFile(path, language, ...more)
        : ts.createSourceFile(path, copy, language);
    },
  };
  const originals = TABLES.flatMap(({ file, readers = [] }) => [file, ...readers]);
  return ts.createProgram([...originals.map((file) => join(ROOT, file)), ...copies.keys()], loose, host);
})();

const faults = (file: string): readonly ts.Diagnostic[] =>
  program.getSemanticDiagnostics(program.getSourceFile(join(ROOT, file)));

describe('L8: rows in place of lists', () => {
  it.each(everything)(
    'no row of $table.name can be forgotten',
    { timeout: 180_000 },
    ({ table, checked }) => {
      for (const file of [table.file, ...(table.readers ?? [])]) expect(faults(file)).toEqual([]);
      expect(checked.length).toBeGreaterThanOrEqual(table.rows);
      expect(
        checked.filter(({ paths }) => paths.every((path) => faults(path).length === 0)).map(({ row }) => row),
      ).toEqual([]);
    },
  );
});

it('every kind of finding is made in a test with real git: a policy over one that nothing makes never speaks', () => {
  const tests = globSync(['tests/processes/*.test.ts', 'tests/slow/processes/*.test.ts'], { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  expect(FINDING_KINDS.filter((kind) => !new RegExp(`\\b${kind}\\b`).test(tests))).toEqual([]);
});
