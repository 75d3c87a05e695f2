/** Reads which titles CI lets pass: types, capital letters and patterns of the known actions. */
import type { TitleFormat } from '#model/contract';
import { childTree, parseYamlTree, textAt, type YamlTree } from './workflows/yaml-tree.ts';

const SEMANTIC = /^(?:amannn\/action-semantic-pull-request|ytanikin\/pr-?conventional-commits)\b/i;
const BY_PATTERN =
  /^(?:fastify\/action-pr-title|deepakputhraya\/action-pr-title|Slashgear\/action-check-pr-title|morrisoncole\/pr-lint-action|seferov\/pr-lint-action|MorrisonCole\/pr-lint-action|thehanimo\/pr-title-checker)\b/i;

const parseTypeList = (text: string | null): string[] =>
  (text ?? '')
    .split(/[\n,|]/)
    .map((t) => t.trim().replace(/^['"]|['"]$/g, ''))
    .filter((t) => /^[\w-]{2,40}$/.test(t));

/** The patterns that say how the words begin; others are shown, because theirs may run for ever. */
const CAPITALS: readonly (readonly [TitleFormat['capital'], RegExp])[] = [
  ['lower', /^\^?\(\?!\[A-Z\]\)\.\+\$?$|^\^\[a-z\](?:\.[*+])?\$?$|^\^\[\^A-Z\](?:\.[*+])?\$?$/],
  ['upper', /^\^?\(\?!\[a-z\]\)\.\+\$?$|^\^\[A-Z\](?:\.[*+])?\$?$|^\^\[\^a-z\](?:\.[*+])?\$?$/],
];

const TYPES_IN_PATTERN = /\((?:\?:)?((?:[a-z]{2,20}\|){2,40}[a-z]{2,20})\)/i;
/** Signs of a pattern, each a single character: no two parts of it can take the same ones. */
const ONLY_TYPES = /^\/?\^?(?:\([^)]*\)\?)?\((?:\?:)?[a-z|]+\)[[\](){}^\\*+.,:!?\s\w-]*(?:\/[a-z]*)?$/i;

const stepsIn = (tree: YamlTree): YamlTree[] =>
  [...(childTree(tree, 'jobs')?.entries.values() ?? [])].flatMap((job) => [
    ...(childTree(job, 'steps')?.items ?? []),
  ]);

const capitalOf = (pattern: string | null): TitleFormat['capital'] =>
  CAPITALS.find(([, is]) => is.test(pattern?.trim() ?? ''))?.[0];

const MAX_SCRIPT_LENGTH = 4_000;
const FAILS = /\bexit [1-9]|\bsetFailed\b|\bthrow\b|::error/;
const UNLESS_IT_FITS = /\bif ! |\[\[ ! |! \[\[|\|\||\bif \(!|!~/;
/** A pattern of `grep`, of `=~` or of a script; only one for the start of titles is a form. */
const OWN_PATTERN =
  /\bgrep (?:-[A-Za-z]+ ){0,3}(?:--\s)?['"](\^[^'"\n]{3,200})['"]|=~ ['"]?(\^[^'"\n;]{3,200}?)['"]? \]\]|\/(\^[^\n]{3,200}?)\/[a-z]{0,3}\.test\(/;
const OF_TICKET = /^\^\\?[[(]{0,2}([A-Z][A-Z0-9]{1,9})\)?-(?:\\d|\[0-9\])/;

const formatOfPattern = (pattern: string, place: TitleFormat['place']): TitleFormat => {
  const types = TYPES_IN_PATTERN.exec(pattern)?.[1]?.split('|');
  if (types !== undefined && ONLY_TYPES.test(pattern)) return { shape: 'conventional', types, place };
  const project = OF_TICKET.exec(pattern)?.[1];
  if (project !== undefined) return { shape: 'ticket', project, place };
  return { shape: null, pattern: pattern.slice(0, 200), place };
};

/** A check that the repository wrote itself: its script reads the title, and fails unless it fits. */
const ownCheckIn = (step: YamlTree, file: string): TitleFormat | null => {
  const script = (textAt(step, 'run') ?? textAt(step, 'with', 'script') ?? '').slice(0, MAX_SCRIPT_LENGTH);
  const given = [...(childTree(step, 'env')?.entries.keys() ?? [])].map(
    (key) => textAt(step, 'env', key) ?? '',
  );
  const found = OWN_PATTERN.exec(script);
  const pattern = found?.[1] ?? found?.[2] ?? found?.[3];
  if (pattern === undefined || !/pull_request\.title/.test([script, ...given].join('\n'))) return null;
  if (!FAILS.test(script) || !UNLESS_IT_FITS.test(script)) return null;
  const line = (childTree(step, 'run') ?? childTree(step, 'with'))?.line ?? 1;
  return formatOfPattern(pattern, { quote: pattern.slice(0, 300), file, line });
};

const formatIn = (step: YamlTree, file: string): TitleFormat | null => {
  const uses = textAt(step, 'uses') ?? '';
  const readStepInput = (key: string): string | null => textAt(step, 'with', key);
  const place = { quote: uses.slice(0, 300), file, line: childTree(step, 'uses')?.line ?? 1 };
  if (SEMANTIC.test(uses)) {
    const types = parseTypeList(
      readStepInput('types') ?? readStepInput('task_types')?.replace(/[[\]]/g, '') ?? null,
    );
    const scopes = (readStepInput('scopes') ?? '')
      .split('\n')
      .map((scope) => scope.trim())
      .filter((scope) => /^[\w./-]{1,60}$/.test(scope));
    const subject = readStepInput('subjectPattern');
    const capital = capitalOf(subject);
    return {
      shape: 'conventional',
      ...(types.length > 0 ? { types } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
      ...(readStepInput('requireScope') === 'true' ? { needsScope: true as const } : {}),
      ...(capital === undefined ? {} : { capital }),
      ...(subject !== null && subject.trim() !== '' && capital === undefined
        ? { pattern: subject.trim().slice(0, 200) }
        : {}),
      place,
    };
  }
  if (!BY_PATTERN.test(uses)) return ownCheckIn(step, file);
  const pattern = (
    readStepInput('regex') ??
    readStepInput('regexp') ??
    readStepInput('title-regex') ??
    ''
  ).trim();
  return pattern === '' ? null : formatOfPattern(pattern, place);
};

export const findTitleFormat = (
  files: readonly string[],
  read: (path: string) => string | null,
): TitleFormat | null => {
  for (const file of files) {
    const text = read(file);
    if (text === null || !/title|semantic|conventional/i.test(text)) continue;
    const tree = parseYamlTree(text);
    for (const step of tree ? stepsIn(tree) : []) {
      const found = formatIn(step, file);
      if (found) return found;
    }
  }
  return null;
};
