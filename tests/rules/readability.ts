/**
 * Prints the numbers that tell how well the product can be read from its names and comments.
 *
 * Definitions:
 * - product: every `.ts` file below PRODUCT_FOLDERS, without fixtures and samples;
 * - exported name: what a file itself declares and exports (a re-export is counted where it is
 *   declared, a renaming re-export under its new name);
 * - bare word: an exported name that is one word once it is split at capitals, digits and `_`;
 * - comment: a block comment, or a run of `//` lines that follow each other at the same indent;
 *   directives (`oxlint-`, `@ts-`, `eslint`, `/// `) are none;
 * - riddle: a comment whose first word is one of RELATIVE or PREPOSITIONS;
 * - head: the comment at the start of a file. It says what the file is for, then the codes of rules
 *   (`docs/invariants.md`).
 *
 * `npm run readability`: `-- --list` prints the worst of each, `-- --all` prints them whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { BANNED_WORDS } from './glossary.ts';
import { DOORS, PRODUCT_FOLDERS, ROOT } from './product.ts';

/** More rows than this say nothing more on a screen. */
const MAX_LISTED_ROWS = 25;
const MAX_FILES_PER_CONSTANT = 3;

const RELATIVE = new Set(
  'what which who whom whose whoever whatever whichever where wherever when whenever how however why whether that'.split(
    ' ',
  ),
);
const PREPOSITIONS = new Set(
  'about above across after against along among around as at before behind below beneath beside besides between beyond but by despite down during except for from in inside into like near of off on onto out outside over past per since through throughout till to toward towards under until unlike up upon with within without'.split(
    ' ',
  ),
);

type Declared = { name: string; file: string; kind: 'function' | 'type' | 'value' };
type Comment = { file: string; line: number; lines: number; text: string };

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.ts$/.test(path) && !/(^|\/)(node_modules|fixtures|sample)\//.test(path))
    .toSorted();

export const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_\d$]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((one) => (ts.isBindingElement(one) ? boundNames(one.name) : []));

const isFunctionValue = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const declaredBy = (node: ts.Statement, file: string): Declared[] => {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name, initializer }) =>
      boundNames(name).map((one) => ({
        name: one,
        file,
        kind: isFunctionValue(initializer) ? ('function' as const) : ('value' as const),
      })),
    );
  if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name)
    return [{ name: node.name.text, file, kind: ts.isClassDeclaration(node) ? 'type' : 'function' }];
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
    return [{ name: node.name.text, file, kind: 'type' }];
  return [];
};

const exportsOf = (source: ts.SourceFile, file: string): Declared[] => {
  const all = source.statements.flatMap((node) => declaredBy(node, file));
  const found = source.statements.filter(isExported).flatMap((node) => declaredBy(node, file));
  for (const node of source.statements) {
    if (!ts.isExportDeclaration(node) || !node.exportClause || !ts.isNamedExports(node.exportClause))
      continue;
    for (const { name, propertyName } of node.exportClause.elements) {
      // What was imported and is passed on under its own name has its home elsewhere.
      const own = all.find((one) => one.name === (propertyName ?? name).text);
      const isOwn = !node.moduleSpecifier && own !== undefined;
      if (isOwn || (propertyName && propertyName.text !== name.text))
        found.push({ name: name.text, file, kind: own?.kind ?? 'value' });
    }
  }
  // A const and a type of one name are one name.
  return [...new Map(found.map((one) => [one.name, one])).values()];
};

const constantsOf = (source: ts.SourceFile): string[] => {
  const names: string[] = [];
  for (const node of source.statements)
    if (ts.isVariableStatement(node))
      for (const { name } of node.declarationList.declarations)
        if (ts.isIdentifier(name) && /^[A-Z][A-Z0-9_]*$/.test(name.text)) names.push(name.text);
  return names;
};

/** Past participles that do not end in -ed; words in -ed that are none. */
const IRREGULAR = new Set(
  'begun bought bound broken brought built caught chosen done drawn driven eaten fallen forgotten found frozen given gone grown heard held hidden kept known laid left lent lost made meant met paid seen sent shown sold sought spent spoken stolen taken taught thought thrown told understood won worn written'.split(
    ' ',
  ),
);
const NO_PARTICIPLE = new Set(
  'bed bleed embed exceed feed heed hundred led need proceed seed shed speed'.split(' '),
);

const isParticiple = (word: string): boolean =>
  IRREGULAR.has(word) || (word.endsWith('ed') && !NO_PARTICIPLE.has(word));

type FunctionFacts = { at: string; name: string; letters: string[]; flags: string[]; parameters: number };

/** Named functions and methods of a file; a parameter that says yes or no by its place is a flag. */
const functionsOf = (source: ts.SourceFile, file: string): FunctionFacts[] => {
  const found: FunctionFacts[] = [];
  const add = (name: ts.Identifier, { parameters }: ts.SignatureDeclaration): void => {
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
    const named = parameters.filter((one): one is ts.ParameterDeclaration & { name: ts.Identifier } =>
      ts.isIdentifier(one.name),
    );
    found.push({
      at: `${file}:${line}`,
      name: name.text,
      parameters: parameters.length,
      letters: named.map((one) => one.name.text).filter((text) => text.length === 1),
      flags: named
        .filter(
          ({ type, initializer }) =>
            type?.kind === ts.SyntaxKind.BooleanKeyword ||
            initializer?.kind === ts.SyntaxKind.TrueKeyword ||
            initializer?.kind === ts.SyntaxKind.FalseKeyword,
        )
        .map((one) => one.name.text),
    });
  };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
      node.name &&
      ts.isIdentifier(node.name)
    )
      add(node.name, node);
    else if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
    )
      add(node.name, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const isDirective = (text: string): boolean =>
  /^(oxlint|eslint|@ts-|#region|#endregion|v8 ignore|istanbul|Stryker)/.test(text);

const commentsOf = (source: ts.SourceFile, file: string): Comment[] => {
  const text = source.text;
  const starts = source.getLineStarts();
  const lineAt = (pos: number): number => source.getLineAndCharacterOfPosition(pos).line;
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (!ts.isJsxText(node) && node.kind !== ts.SyntaxKind.JSDoc) {
      for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
        ranges.set(range.pos, range);
      for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? [])
        ranges.set(range.pos, range);
      for (const child of node.getChildren(source)) visit(child);
    }
  };
  visit(source);
  const found: (Comment & { column: number; isLine: boolean })[] = [];
  for (const range of [...ranges.values()].toSorted((a, b) => a.pos - b.pos)) {
    const raw = text.slice(range.pos, range.end);
    const line = lineAt(range.pos);
    const lines = lineAt(range.end - 1) - line + 1;
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const plain = isLine
      ? raw.replace(/^\/\/+\s?/, '')
      : raw
          .replace(/^\/\*+/, '')
          .replace(/\*+\/$/, '')
          .replaceAll(/^\s*\*\s?/gm, '');
    if (isDirective(plain.trim()) || raw.startsWith('///') || plain.trim() === '') continue;
    const column = range.pos - (starts[line] ?? 0);
    const before = found.at(-1);
    const isAlone = text.slice(starts[line], range.pos).trim() === '';
    if (
      isLine &&
      isAlone &&
      before?.isLine &&
      before.column === column &&
      before.line + before.lines === line
    ) {
      before.lines += lines;
      before.text += ` ${plain.trim()}`;
      continue;
    }
    found.push({ file, line: line + 1, lines, text: plain.trim().replaceAll(/\s+/g, ' '), column, isLine });
    // The line counted above begins at 0; what follows compares with it.
    const last = found.at(-1);
    if (last) last.line = line;
  }
  return found.map(({ line, ...rest }) => ({ ...rest, line: line + 1 }));
};

/**
 * Whether a relative pronoun, a question word or a preposition comes first. Main clauses that begin
 * so (`When it fails, the caller retries.`) count as well: the measure is meant to be simple.
 */
export const isRiddle = (text: string): boolean => {
  const first = /^[`'"(\s]*([A-Za-z]+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  return RELATIVE.has(first) || PREPOSITIONS.has(first);
};

/** True for `G3: approvals expire.`: a stranger to the code learns nothing from its first word. */
export const beginsWithCode = (source: string): boolean =>
  /^(?:#!.*\n)?\/(?:\*\*?|\/)[\s*]*[A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*:/.test(source.slice(0, 400));

const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;

const namesOf = (door: string): number =>
  (readFileSync(join(ROOT, DOORS.get(door) ?? '', 'index.ts'), 'utf8').match(/\{[^}]*\}/g) ?? []).flatMap(
    (list) =>
      list
        .slice(1, -1)
        .split(',')
        .filter((name) => name.trim() !== ''),
  ).length;

/** What the whole product comes to. */
export const measureReadability = () => {
  const files = PRODUCT_FOLDERS.flatMap(filesBelow);
  const declared: Declared[] = [];
  const constants = new Map<string, Set<string>>();
  const comments: Comment[] = [];
  const functions: FunctionFacts[] = [];
  const codeHeads: string[] = [];
  let productLines = 0;
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    productLines += text.split('\n').length - 1;
    if (beginsWithCode(text)) codeHeads.push(file);
    declared.push(...exportsOf(source, file));
    for (const name of constantsOf(source)) constants.set(name, (constants.get(name) ?? new Set()).add(file));
    comments.push(...commentsOf(source, file));
    functions.push(...functionsOf(source, file));
  }
  const bare = declared.filter(({ name }) => wordsIn(name).length === 1);
  const shared = [...Map.groupBy(declared, ({ name }) => name)].filter(
    ([, all]) => new Set(all.map(({ file }) => file)).size > 1,
  );
  const repeated = [...constants].filter(([, of]) => of.size > MAX_FILES_PER_CONSTANT);
  const riddles = comments.filter(({ text }) => isRiddle(text));
  const banned = [
    ...declared.map(({ name, file }) => ({ name, file })),
    ...files.map((file) => ({ name: basename(file, '.ts'), file })),
  ].flatMap(({ name, file }) =>
    wordsIn(name.replaceAll(/[-.]/g, ' ')).flatMap((word) => {
      const term = BANNED_WORDS.get(word);
      return term === undefined ? [] : [`${name} (${file}): ${word}; say ${term}`];
    }),
  );
  const parameters = functions.reduce((sum, one) => sum + one.parameters, 0);
  const measureFunctions = (
    select: (one: FunctionFacts) => readonly string[],
    whole: number,
  ): { percent: number; list: string[] } => {
    const list = functions.flatMap((one) => select(one).map((text) => `${text} ${one.at}`));
    return { percent: percent(list.length, whole), list };
  };
  const selectName = (isBad: (words: readonly string[]) => boolean) => (one: FunctionFacts) =>
    isBad(wordsIn(one.name)) ? [one.name] : [];
  const listOf = (all: readonly Declared[]): string[] => all.map(({ name, file }) => `${name} ${file}`);
  return {
    productLines,
    files: files.length,
    exportedNames: declared.length,
    bare: { percent: percent(bare.length, declared.length), list: listOf(bare) },
    shared: shared.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(' ')}`),
    repeatedConstants: repeated.map(([name, of]) => `${name} in ${of.size} files`),
    comments: comments.length,
    commentLinesPercent: percent(
      comments.reduce((sum, { lines }) => sum + lines, 0),
      productLines,
    ),
    riddles: {
      percent: percent(riddles.length, comments.length),
      list: riddles.map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 100)}`),
    },
    codeHeads,
    banned,
    functions: functions.length,
    participles: measureFunctions(
      selectName(([first = '']) => isParticiple(first)),
      functions.length,
    ),
    oneWord: measureFunctions(
      selectName(({ length }) => length === 1),
      functions.length,
    ),
    letters: measureFunctions(({ name, letters }) => letters.map((one) => `${name}(${one})`), parameters),
    flags: measureFunctions(({ name, flags }) => flags.map((one) => `${name}(${one})`), functions.length),
    doors: [...DOORS.keys()].map((door) => ({ door, names: namesOf(door) })),
  };
};

const print = (found: ReturnType<typeof measureReadability>): void => {
  const isWhole = process.argv.includes('--all');
  const rows: [string, string | number, readonly string[]][] = [
    ['lines of TypeScript in the product', found.productLines, []],
    ['files', found.files, []],
    ['exported names', found.exportedNames, []],
    ['  one bare word (at most 6 %)', `${found.bare.percent} %`, found.bare.list],
    ['  exported by two or more files (at most 5)', found.shared.length, found.shared],
    [
      `constants declared in more than ${MAX_FILES_PER_CONSTANT} files (none)`,
      found.repeatedConstants.length,
      found.repeatedConstants,
    ],
    ['names with a word that the glossary bans (none)', found.banned.length, found.banned],
    ['named functions', found.functions, []],
    ['  begin with a participle (at most 0.5 %)', `${found.participles.percent} %`, found.participles.list],
    ['  are one word (at most 10 %)', `${found.oneWord.percent} %`, found.oneWord.list],
    ['  take a boolean by its place (at most 0.3 %)', `${found.flags.percent} %`, found.flags.list],
    ['parameters of one letter (at most 1 %)', `${found.letters.percent} %`, found.letters.list],
    ['comment lines (at most 5.5 % of all)', `${found.commentLinesPercent} %`, []],
    ['comments', found.comments, []],
    [
      '  begin with a relative word or a preposition (at most 5 %)',
      `${found.riddles.percent} %`,
      found.riddles.list,
    ],
    ['heads that begin with the code of a rule (none)', found.codeHeads.length, found.codeHeads],
    ...found.doors.map(({ door, names }): [string, number, string[]] => [
      `names behind ${door} (at most 30)`,
      names,
      [],
    ]),
  ];
  for (const [title, value, list] of rows) {
    console.log(`${title.padEnd(62)} ${value}`);
    if (isWhole || process.argv.includes('--list'))
      for (const one of list.slice(0, isWhole ? Infinity : MAX_LISTED_ROWS)) console.log(`    ${one}`);
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print(measureReadability());
