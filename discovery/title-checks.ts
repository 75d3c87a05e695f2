/** Reads which titles CI lets pass: types, capital letters and patterns of the known actions. */
import type { TitleFormat } from '../orchestrator/model/title-format.ts';
import { childTree, readYaml, textAt, type YamlTree } from './workflows/yaml-tree.ts';

const SEMANTIC = /^(?:amannn\/action-semantic-pull-request|ytanikin\/pr-?conventional-commits)\b/i;
const BY_PATTERN =
  /^(?:fastify\/action-pr-title|deepakputhraya\/action-pr-title|Slashgear\/action-check-pr-title|morrisoncole\/pr-lint-action|seferov\/pr-lint-action|MorrisonCole\/pr-lint-action|thehanimo\/pr-title-checker)\b/i;

const listed = (text: string | null): string[] =>
  (text ?? '')
    .split(/[\n,|]/)
    .map((t) => t.trim().replace(/^['"]|['"]$/g, ''))
    .filter((t) => /^[\w-]{2,40}$/.test(t));

/** The patterns that say how the words begin; others are shown, because theirs may run for ever. */
const CAPITALS: readonly (readonly [TitleFormat['capital'], RegExp])[] = [
  ['lower', /^\^?\(\?!\[A-Z\]\)\.\+\$?$|^\^\[a-z\](?:\.[*+])?\$?$|^\^\[\^A-Z\](?:\.[*+])?\$?$/],
  ['upper', /^\^?\(\?!\[a-z\]\)\.\+\$?$|^\^\[A-Z\](?:\.[*+])?\$?$|^\^\[\^a-z\](?:\.[*+])?\$?$/],
];

/** `(build|chore|docs)` at the start of a pattern for whole titles. */
const TYPES_IN_PATTERN = /\((?:\?:)?((?:[a-z]{2,20}\|){2,40}[a-z]{2,20})\)/i;
const ONLY_TYPES =
  /^\/?\^?(?:\([^)]*\)\?)?\((?:\?:)?[a-z|]+\)(?:\\?\(|\(\?:|\(|!|:|\\s|\?|[[\](){}^\\*+.,:)\s-]|\w)*\/?[a-z]*$/i;

const stepsIn = (tree: YamlTree): YamlTree[] =>
  [...(childTree(tree, 'jobs')?.entries.values() ?? [])].flatMap((job) => [
    ...(childTree(job, 'steps')?.items ?? []),
  ]);

const capitalOf = (pattern: string | null): TitleFormat['capital'] =>
  CAPITALS.find(([, is]) => is.test(pattern?.trim() ?? ''))?.[0];

const formatIn = (step: YamlTree, file: string): TitleFormat | null => {
  const uses = textAt(step, 'uses') ?? '';
  const given = (key: string): string | null => textAt(step, 'with', key);
  const place = { quote: uses.slice(0, 300), file, line: childTree(step, 'uses')?.line ?? 1 };
  if (SEMANTIC.test(uses)) {
    const types = listed(given('types') ?? given('task_types')?.replace(/[[\]]/g, '') ?? null);
    const subject = given('subjectPattern');
    const capital = capitalOf(subject);
    return {
      shape: 'conventional',
      ...(types.length > 0 ? { types } : {}),
      ...(capital === undefined ? {} : { capital }),
      ...(subject !== null && subject.trim() !== '' && capital === undefined
        ? { pattern: subject.trim().slice(0, 200) }
        : {}),
      place,
    };
  }
  if (!BY_PATTERN.test(uses)) return null;
  const pattern = (given('regex') ?? given('regexp') ?? given('title-regex') ?? '').trim();
  const types = TYPES_IN_PATTERN.exec(pattern)?.[1]?.split('|');
  if (types !== undefined && ONLY_TYPES.test(pattern)) return { shape: 'conventional', types, place };
  return pattern === '' ? null : { shape: null, pattern: pattern.slice(0, 200), place };
};

export const titleCheckIn = (
  files: readonly string[],
  read: (path: string) => string | null,
): TitleFormat | null => {
  for (const file of files) {
    const text = read(file);
    if (text === null || !/title|semantic|conventional/i.test(text)) continue;
    const tree = readYaml(text);
    for (const step of tree ? stepsIn(tree) : []) {
      const found = formatIn(step, file);
      if (found) return found;
    }
  }
  return null;
};
