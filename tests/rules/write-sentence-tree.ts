/** `npm run sentences` writes the typed access to all sentences from the Fluent files of the languages. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentResource } from '@fluent/bundle';
import {
  isSentencePart,
  SENTENCE_PARAMETERS,
  type SentenceParameters,
} from '../../bot/language/load-sentences.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'bot/sentences');
const TREE_FILE = join(ROOT, 'bot/language/sentence-tree.ts');
const DATABASE_FAULTS_FILE = join(ROOT, 'db/sql/database-faults.json');
const PARAMETERS_FILE = join(ROOT, 'bot/language/sentence-parameters.json');
/** Sentences of these groups, and these ones, take one record, whose fields they name. */
const RECORD_GROUPS: readonly string[] = [
  'voiceProblems',
  'checkWhys',
  'problems',
  'findingNotes',
  'failureDetails',
  'hostRefusals',
  'changedSince',
  'changedRules',
  'expected',
  'misfits',
  'judgements',
  'hostChecks',
  'settingIssues',
  'ruleAsks',
  'notModified',
  'campaignCame',
  'campaignSource',
  'campaignWish',
  'reasons',
  'refusals',
  'refusalHints',
  'notes',
  'pullChanges',
  'rivals',
  'feedback',
  'remarks',
  'baseline-stopped',
  'baseline-mismatch',
  'commandFailures',
  'card-checks',
  'card-signed',
  'campaign-found',
  'commandLine',
  'databaseFaults',
];

type Pattern = FluentResource['body'][number]['value'];
type Part = Exclude<NonNullable<Pattern>, string>[number];
type Expression = Exclude<Part, string>;
/** How one language uses a parameter. */
type Use = { plain: boolean; counted: boolean; listed: boolean; given: boolean; keys: string[] };
type Uses = Map<string, Use>;
type Catalogue = ReadonlyMap<string, Pattern>;
export type LanguageFile = { language: string; text: string };

const ASKS_IF_GIVEN: readonly string[] = ['GIVEN', 'FILLED'];
const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);
const IDENTIFIER = /^[A-Za-z][\w-]*(?= *=)/gm;

export const readLanguageFiles = (): LanguageFile[] =>
  readdirSync(FOLDER)
    .filter((name) => /^[a-z]+\.ftl$/.test(name))
    .sort()
    .map((name) => ({ language: name.slice(0, -4), text: readFileSync(join(FOLDER, name), 'utf8') }));

/** The parser passes over what it cannot read, so each line that begins a sentence is looked for. */
const readCatalogue = ({ language, text }: LanguageFile): Catalogue => {
  const entries = new FluentResource(text).body.map(({ id, value }): [string, Pattern] => [id, value]);
  const catalogue = new Map(entries);
  const named: readonly string[] = text.match(IDENTIFIER) ?? [];
  const wrong = [...named].find((id, at) => !catalogue.has(id) || named.indexOf(id) !== at);
  if (wrong !== undefined)
    throw new Error(`${language}.ftl: “${wrong}” cannot be read, or stands there twice`);
  return catalogue;
};

const useOf = (uses: Uses, name: string): Use => {
  const use = uses.get(name) ?? { plain: false, counted: false, listed: false, given: false, keys: [] };
  uses.set(name, use);
  return use;
};

const collectChoice = (
  catalogue: Catalogue,
  { selector, variants }: Extract<Expression, { type: 'select' }>,
  uses: Uses,
  known: ReadonlySet<string>,
): void => {
  const keys = variants.map(({ key }) => (key.type === 'num' ? '#' : key.value));
  const name = selector.type === 'func' ? selector.args[0] : selector;
  const isGiven = selector.type === 'func' && ASKS_IF_GIVEN.includes(selector.name);
  if (name?.type === 'var' && selector.type === 'var') {
    const use = useOf(uses, name.name);
    if (keys.some((key) => key === '#') || keys.every((key) => CATEGORIES.has(key))) use.counted = true;
    else use.keys.push(...keys);
  } else collectExpression(catalogue, selector, uses, known);
  for (const { key, value } of variants) {
    const proven = isGiven && name?.type === 'var' && key.value === 'yes' ? [name.name] : [];
    collect(catalogue, value, uses, new Set([...known, ...proven]));
  }
};

const collectExpression = (
  catalogue: Catalogue,
  expression: Expression,
  uses: Uses,
  known: ReadonlySet<string>,
): void => {
  if (expression.type === 'select') collectChoice(catalogue, expression, uses, known);
  else if (expression.type === 'var') {
    const use = useOf(uses, expression.name);
    if (!known.has(expression.name)) use.plain = true;
  } else if (expression.type === 'mesg') {
    const referred = catalogue.get(expression.name);
    if (referred === undefined || !isSentencePart(expression.name))
      throw new Error(`there is no part “${expression.name}”`);
    collect(catalogue, referred, uses, known);
  } else if (expression.type === 'func') {
    const [first] = expression.args;
    if (first?.type !== 'var') return;
    if (expression.name === 'LIST' && expression.args.length === 1)
      throw new Error(`LIST($${first.name}) has no “by”; { $${first.name} } joins as the language does`);
    const use = useOf(uses, first.name);
    if (ASKS_IF_GIVEN.includes(expression.name)) use.given = true;
    else if (expression.name === 'NUMBER') use.counted = true;
    else use.listed = true;
  }
};

const collect = (catalogue: Catalogue, pattern: Pattern, uses: Uses, known: ReadonlySet<string>): void => {
  if (pattern === null || typeof pattern === 'string') return;
  for (const part of pattern) if (typeof part !== 'string') collectExpression(catalogue, part, uses, known);
};

const usesIn = (catalogue: Catalogue, id: string): Uses => {
  const uses: Uses = new Map();
  collect(catalogue, catalogue.get(id) ?? null, uses, new Set());
  return uses;
};

/** What all languages together need of a parameter. */
const typeOf = (all: readonly Use[]): string => {
  const closed = all
    .filter(({ keys }) => keys.length > 0 && !keys.includes('other'))
    .flatMap(({ keys }) => keys);
  const missing = all.every(({ given, plain }) => given && !plain) ? ' | null | undefined' : '';
  if (closed.length > 0 && closed.every((key) => key === 'yes' || key === 'no')) return 'boolean';
  if (closed.length > 0) return [...new Set(closed)].map((key) => `'${key}'`).join(' | ') + missing;
  if (all.some(({ listed }) => listed)) return `Listed${missing}`;
  if (all.some(({ counted }) => counted)) return `Counted${missing}`;
  // Whatever is none of the words, nothing too, gets what holds otherwise.
  const nothing = all.every(({ plain }) => !plain) ? ' | null' : '';
  if (all.some(({ keys }) => keys.length > 0)) return `string${missing || nothing}`;
  return `Shown${missing}`;
};

type Leaf = { id: string; names: string[]; type: string | null };
type Branch = { [key: string]: Branch | Leaf };
const isLeaf = (one: Branch | Leaf): one is Leaf => typeof one['id'] === 'string';

/** Parameters stay in the order in which they stand today, so that a rewording moves none. */
const leafOf = (id: string, catalogues: readonly Catalogue[], order: SentenceParameters): Leaf => {
  const uses = catalogues.map((catalogue) => usesIn(catalogue, id));
  const used = [...new Set(uses.flatMap((one) => [...one.keys()]))];
  const today = (order[id] ?? '').split(' ').filter((name) => used.includes(name));
  const names = [...today, ...used.filter((name) => !today.includes(name))];
  const typed = names.map((name): [string, string] => [
    name,
    typeOf(uses.flatMap((one) => one.get(name) ?? [])),
  ]);
  if (RECORD_GROUPS.some((group) => `${id}-`.startsWith(`${group}-`))) {
    const fields = typed.map(([name, type]) => `${name}${type.endsWith('undefined') ? '?' : ''}: ${type}`);
    return {
      id,
      names: ['*'],
      type: fields.length === 0 ? '() => string' : `(of: { ${fields.join('; ')} }) => string`,
    };
  }
  const parameters = typed.map(([name, type]) => `${name}: ${type}`).join(', ');
  return { id, names, type: names.length === 0 ? null : `(${parameters}) => string` };
};

const growTree = (leaves: readonly Leaf[]): Branch => {
  const root: Branch = {};
  for (const leaf of leaves) {
    const path = leaf.id.split('-');
    const last = path.pop() ?? '';
    const branch = path.reduce<Branch>((above, key) => {
      const below = (above[key] ??= {});
      if (isLeaf(below)) throw new Error(`“${leaf.id}” begins like “${below.id}”, which is a sentence`);
      return below;
    }, root);
    branch[last] = leaf;
  }
  return root;
};

/** Lines as long as they may be: nobody reads them. */
const fill = (parts: readonly string[], between: string): string =>
  parts
    .reduce<string[]>((lines, part) => {
      const last = lines.at(-1);
      if (last === undefined || last.length + part.length > 150) return [...lines, part];
      return [...lines.slice(0, -1), `${last}${between} ${part}`];
    }, [])
    .join(`${between}\n`);

const typeOfBranch = (branch: Branch): string => {
  const entries = Object.entries(branch);
  const plain = entries.filter(([, one]) => isLeaf(one) && one.type === null).map(([key]) => `'${key}'`);
  const others = entries.flatMap(([key, one]) => {
    const type = isLeaf(one) ? one.type : typeOfBranch(one);
    return type === null ? [] : [`${key}: ${type}`];
  });
  const texts = plain.length === 0 ? [] : [`Texts<${fill(plain, ' |')}>`];
  return [...texts, ...(others.length === 0 ? [] : [`{ ${fill(others, ';')} }`])].join(' & ');
};

export const sentenceTreeSource = (
  files: readonly LanguageFile[],
  order = SENTENCE_PARAMETERS,
): { tree: string; parameters: string } => {
  const catalogues = files.map(readCatalogue);
  const ids = [...new Set(catalogues.flatMap((catalogue) => [...catalogue.keys()]))];
  for (const id of ids) {
    const lacking = files.find((_, at) => !catalogues[at]?.has(id));
    if (lacking) throw new Error(`${lacking.language}.ftl has no “${id}”`);
  }
  const leaves = ids.filter((id) => !isSentencePart(id)).map((id) => leafOf(id, catalogues, order));
  const parameters = leaves.flatMap(({ id, names }) => (names.length > 0 ? [[id, names.join(' ')]] : []));
  return {
    parameters: `${JSON.stringify(Object.fromEntries(parameters), null, 2)}\n`,
    tree: `/** Written by \`npm run sentences\` from \`bot/sentences\`: every sentence, with what it needs. */
type Listed = readonly (string | number)[];
type Counted = number | Listed;
type Shown = string | Counted;
type Texts<Key extends string> = { readonly [K in Key]: string };
export type SentenceTree = ${typeOfBranch(growTree(leaves))};
`,
  };
};

/** The log tells the ledger's faults in English, and `db` loads no catalogue. */
export const databaseFaultsSource = (): string => {
  const { text = '' } = readLanguageFiles().find(({ language }) => language === 'en') ?? {};
  const faults = [...text.matchAll(/^databaseFaults-(\w+) = (.+)$/gm)].map(([, fault, says]) => [
    fault,
    says,
  ]);
  return `${JSON.stringify(Object.fromEntries(faults), null, 2)}\n`;
};

/** Types alone: nothing that runs needs them. */
export const writeSentenceTree = (): void => {
  writeFileSync(TREE_FILE, sentenceTreeSource(readLanguageFiles()).tree);
};

if (import.meta.main) {
  const { parameters } = sentenceTreeSource(readLanguageFiles());
  writeSentenceTree();
  writeFileSync(PARAMETERS_FILE, parameters);
  writeFileSync(DATABASE_FAULTS_FILE, databaseFaultsSource());
}
