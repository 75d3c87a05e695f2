/** Classifies sections of a template by title or hints, in several languages. */
import type { ChangeType } from '#model/agent';
import { wordPatterns } from '#tools/words';
import type { TemplateSection } from './template-sections.ts';
import { SIGNS } from './template-word-patterns.ts';

/** The first kind whose words fit. */
const SECTION_KINDS = [
  'maintainer',
  'checks',
  'disclosure',
  'type',
  'screens',
  'breaking',
  'note',
  'tests',
  'issue',
  'docs',
  'dependencies',
  'reviewer',
  'why',
  'what',
] as const;
export type SectionKind = (typeof SECTION_KINDS)[number] | 'unknown';

const SECTION_TITLES = wordPatterns('pull-text/words', 'sections', SECTION_KINDS);

/** The first type whose words fit. */
const CHANGE_TYPES = [
  'dependencies',
  'docs',
  'test',
  'perf',
  'fix',
  'refactor',
  'style',
  'ci',
  'build',
  'feature',
  'other',
] as const satisfies readonly ChangeType[];
const CHANGE_TYPE_WORDS = wordPatterns('pull-text/words', 'changeTypes', CHANGE_TYPES);

export const changeTypeOfLabel = (label: string): ChangeType | null => {
  const head = label.replace(/[`*_]/g, '').replace(/\([^]*$/, '');
  if (/\bbreaking\b|\bdeprecat|^\W*(?:no|neither)\b|\bnot\b|n't\b/i.test(head)) return null;
  return CHANGE_TYPES.find((type) => CHANGE_TYPE_WORDS[type].test(head)) ?? null;
};

export const isBreakingLabel = (label: string): boolean =>
  /^\W*(?:major \W*)*breaking\b/i.test(label.replace(/[`*_]/g, ''));

/** A sentence about a bug or a feature names no type. */
const MAX_TYPE_WORDS = 10;
const isShort = (label: string): boolean =>
  label
    .replace(/\([^]*$/, '')
    .trim()
    .split(/\s+/).length <= MAX_TYPE_WORDS && !/^\W*(?:there|the|this|my|i|please)\b/i.test(label);
const listsTypes = ({ parts }: TemplateSection): boolean => {
  const types = parts.flatMap((p) =>
    p.kind === 'box' ? [isShort(p.label) ? changeTypeOfLabel(p.label) : null] : [],
  );
  const named = new Set(types.filter((one) => one !== null));
  return named.size >= 3 && named.has('fix') && named.has('feature') && named.size * 2 >= types.length;
};

const asksPerson = (name: string): boolean => /^\W*(?:have|did|do|are|were|can) (?:you|i|we)\b/i.test(name);

const ASKS_WHAT = /^\W*what does this\b(?!.*\b(?:issue|ticket)s?\b)|\b(?:fix|solution) (?:for|to|of)\b/i;
const ASKS_WHY =
  /^\W*what (?:is|was|are|were) (?:the|your)\b[^?]*\b(?:problem|motivation|purpose|reason|rationale)s?\b/i;
const ASKS_USE_OF_AI =
  /^\W*(?:have|did|do|are|were|was|is|has) (?:you|i|we|any|this|the|an?|AI|LLMs?|gen\w*)\b[^?]{0,40}\b(?:us(?:e|ed|ing)|generat\w+|assist\w*|writ\w+|creat\w+|made|co-author)\b/i;
/** Names, places and links are not known, and yes is no description. */
const NOT_KNOWN =
  /^\W*(?:(?:suggested |requested )?reviewers?\W*(?:\(.*)?$|(?:does|is|will|has|should)\b.*[?？])|\btest(?:ed)? (?:on|with|environment|configuration|setup|devices?|matrix)\b|\b(?:pull request|pr|links?)\b.{0,60}\bdoc|\bchanges? to (?:\w+ )?(?:security|permissions?|access|privacy)\b/i;
const ALWAYS_KNOWN: readonly SectionKind[] = [
  'breaking',
  'issue',
  'note',
  'disclosure',
  'docs',
  'dependencies',
];

const ofWords = (text: string): SectionKind => {
  if (ASKS_WHAT.test(text)) return 'what';
  if (ASKS_WHY.test(text)) return 'why';
  const found = SECTION_KINDS.find((kind) => SECTION_TITLES[kind].test(text)) ?? 'unknown';
  if (NOT_KNOWN.test(text) && (found === 'docs' || !ALWAYS_KNOWN.includes(found))) return 'unknown';
  if (
    found === 'issue' &&
    /\blinks?\b[^.]{0,30}\b(?:docs?|documentation|home ?page|website|source|specification)\b/i.test(text)
  )
    return 'unknown';
  if (found === 'disclosure' && ASKS_USE_OF_AI.test(text) && !SIGNS.moreOfAi.test(text)) return found;
  if (asksPerson(text) && !['tests', 'docs', 'breaking', 'issue', 'note'].includes(found)) return 'unknown';
  return found === 'why' &&
    !/\bcurrent\b/i.test(text) &&
    /\b(?:what|does|descri\w+|summary|changes?)\b/i.test(text)
    ? 'what'
    : found;
};

const ofHints = (hints: string): SectionKind => {
  const found = SECTION_KINDS.filter((kind) => kind !== 'maintainer' && kind !== 'checks').flatMap((kind) => {
    const at = hints.search(SECTION_TITLES[kind]);
    return at < 0 ? [] : [{ kind, at }];
  });
  return found.sort((a, b) => a.at - b.at)[0]?.kind ?? 'unknown';
};

/** `alone`: no title asks for anything, so comments do. */
export const sectionKindOf = (section: TemplateSection, { alone }: { alone: boolean }): SectionKind => {
  const { name, hints, parts } = section;
  const boxes = parts.filter((p) => p.kind === 'box').length;
  if (listsTypes(section)) return 'type';
  const named = ofWords(name);
  if (named !== 'unknown') {
    if (boxes > 0 && named === 'tests' && /\bmanual|\bfollowing\b/i.test(name)) return 'checks';
    return boxes >= 3 && ['reviewer', 'issue'].includes(named) ? 'checks' : named;
  }
  if (boxes > 0) return 'checks';
  if (/\/kind\b/.test(hints)) return 'type';
  return section.title === null && alone && hints !== '' ? ofHints(hints) : 'unknown';
};

export const isOptionalSection = ({ title, hints, parts }: TemplateSection): boolean => {
  const said = [title ?? '', hints, ...parts.map((p) => (p.kind === 'prose' ? p.raw : ''))].join(' ');
  return SIGNS.optional.test(said);
};
