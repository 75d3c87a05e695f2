/** Fills a repository's template from facts and answers; gaps stay empty (F9). */
import { codeSpan, neutraliseText } from '#text-safety';
import { isClosingWord } from '#model/requirements';
import type { ChangeType } from '#model/agent';
import { isOptionalSection, sectionKindOf, type SectionKind } from './section-kinds.ts';
import {
  isCheckbox,
  isStatement,
  findTypeLabel,
  renderSectionParts,
  sectionKindOfRow,
  type TemplateAnswers,
} from './render-section-parts.ts';
import { asksForCompatibility, asksPlainly, asksYesOrNo, templateQuestionOf } from './template-questions.ts';
import {
  parseAlternatives,
  isInstruction,
  parseSections,
  type TemplateSection,
} from './template-sections.ts';

export type { TemplateAnswers };

type FilledTemplate = { text: string; used: ReadonlySet<SectionKind> };

const CHANGE_TYPE_LABELS: Readonly<Partial<Record<ChangeType, string>>> = {
  fix: 'bug',
  feature: 'feature',
  docs: 'documentation',
  refactor: 'cleanup',
  style: 'cleanup',
  test: 'cleanup',
};

const asksForKindCommand = ({ hints, parts }: TemplateSection): boolean =>
  /^[^\S\n]*(?:>[^\S\n]*)?\/kind\b/m.test(parts.map((p) => p.raw).join('\n')) || /\/kind\b/.test(hints);

const typeWords = (section: TemplateSection, answers: TemplateAnswers): string => {
  const { type } = answers;
  if (asksForKindCommand(section)) {
    const label = type === null ? undefined : CHANGE_TYPE_LABELS[type];
    return label === undefined ? '' : `/kind ${label}`;
  }
  const listed = section.parts.filter((p) => p.kind === 'prose' && /^\s*[-*+] /.test(p.raw));
  const options = listed.length > 1 ? listed.map(({ raw }) => raw.trim()) : parseAlternatives(section.hints);
  if (options.length > 1) return neutraliseText(findTypeLabel(options, answers) ?? '');
  return section.parts.some(isCheckbox) || type === null ? '' : `${type[0]?.toUpperCase()}${type.slice(1)}.`;
};

const issueReferences = (
  section: TemplateSection,
  { issues, closes, issueWords }: TemplateAnswers,
): string => {
  if (section.parts.some((p) => p.kind === 'closes')) return '';
  // Below a title such as "Fixes", an issue that is only named would read as closed.
  return isClosingWord(section.name) && !issues.every((one) => closes.has(one))
    ? `Related: ${issueWords}`
    : issueWords;
};

const noteWords = ({ parts, hints }: TemplateSection, { note, component }: TemplateAnswers): string => {
  if (parts.some((p) => p.kind === 'fence' || p.kind === 'row')) return '';
  if (!parts.some((p) => p.kind === 'marker'))
    return note === '' && /['"`“]none['"`”]/i.test(hints) ? 'none' : note;
  return note === '' ? 'NO ENTRY' : `* ${component}\n  * ${note}`;
};

const disclosureWords = (section: TemplateSection, { engine, disclosure }: TemplateAnswers): string =>
  `${asksYesOrNo(section) && asksPlainly(section) && engine !== null ? 'Yes. ' : ''}${disclosure}`;

const breakingWords = (section: TemplateSection, answers: TemplateAnswers): string => {
  if (answers.breaking !== '' || !asksYesOrNo(section)) return answers.breaking;
  if (!answers.harmless) return answers.persons.get(templateQuestionOf(section)) ?? '';
  return asksForCompatibility(section) ? 'Yes' : 'No';
};

const otherWords = (kind: SectionKind, section: TemplateSection, answers: TemplateAnswers): string => {
  if (/\b(?:subsystems?|components?|affected (?:area|package|module)s?)\b/i.test(section.name))
    return codeSpan(answers.component);
  if (/^(?:pr |pull request )?title\W*$/i.test(section.name)) return neutraliseText(answers.facts.title);
  if (kind !== 'unknown') return '';
  return answers.persons.get(templateQuestionOf(section)) ?? answers.claims.words(section.name);
};

const wordsOfSection = (
  kind: SectionKind,
  section: TemplateSection,
  answers: TemplateAnswers,
  { both }: { both: boolean },
): string => {
  switch (kind) {
    case 'what':
    case 'why':
      if (both) return answers.whatAndWhy;
      if (kind === 'what' && section.title === null && answers.isWhatTheTitle) return '';
      return kind === 'what' ? answers.what : answers.why;
    case 'type':
      return typeWords(section, answers);
    case 'issue':
      return issueReferences(section, answers);
    case 'note':
      return noteWords(section, answers);
    case 'disclosure':
      return disclosureWords(section, answers);
    case 'breaking':
      return breakingWords(section, answers);
    case 'tests':
    case 'reviewer':
    case 'docs':
    case 'dependencies':
      return answers[kind];
    case 'checks':
    case 'maintainer':
    case 'screens':
    case 'unknown':
      return otherWords(kind, section, answers);
    default:
      return kind satisfies never;
  }
};

const withMarkers = (section: TemplateSection, content: string): string => {
  const [first, ...others] = section.parts
    .filter((p) => p.kind === 'marker')
    .map((p) => `<!-- ${neutraliseText(p.raw.replace(/^<!--|-->$/g, '')).trim()} -->`);
  return first === undefined ? content : [first, content, ...others].filter(Boolean).join('\n');
};

type Laid = { section: TemplateSection; kind: SectionKind };
type Filling = { answers: TemplateAnswers; all: readonly Laid[]; used: Set<SectionKind> };

/** Short words stand beside a name that ends in a colon. */
const standsBeside = (section: TemplateSection, kind: SectionKind, title: string, content: string): boolean =>
  section.level > 6 &&
  ['type', 'issue', 'note', 'unknown'].includes(kind) &&
  title.endsWith(':') &&
  !/\n|^\s*[-*+] /.test(content);

const fillEmptySection = (
  { section, kind }: Laid,
  next: TemplateSection | undefined,
  { title, again, used }: { title: string; again: boolean; used: Set<SectionKind> },
): string => {
  if (title === '') return '';
  if (next && next.title !== null && next.level > section.level && section.level <= 6) return title;
  const takesNone = kind === 'issue' && /\bN\/A\b/.test(section.hints);
  if (!takesNone || again) return '';
  used.add(kind);
  return `${title}\n\nN/A`;
};

const fillSection = ({ section, kind }: Laid, at: number, { answers, all, used }: Filling): string => {
  const title = section.title === null ? '' : neutraliseText(section.title).trim();
  const again = used.has(kind) && kind !== 'checks' && kind !== 'maintainer' && kind !== 'unknown';
  const both = !all.some((other) => other.kind === (kind === 'what' ? 'why' : 'what'));
  const said = again ? '' : wordsOfSection(kind, section, answers, { both });
  const lines = renderSectionParts(section, kind, answers)
    .join('\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
  for (const part of section.parts) {
    const of = part.kind === 'row' ? sectionKindOfRow(part.raw) : null;
    if (of !== null) used.add(of);
    if (of === 'what') used.add('why');
  }
  const content = withMarkers(section, [said, lines].filter(Boolean).join('\n\n'));
  if (content === '' && said === '')
    return fillEmptySection({ section, kind }, all[at + 1]?.section, { title, again, used });
  used.add(kind);
  if (both && (kind === 'what' || kind === 'why')) used.add('what').add('why');
  if (section.parts.some((p) => p.kind === 'closes') && answers.issues.some((one) => lines.includes(one)))
    used.add('issue');
  const between = standsBeside(section, kind, title, content) ? ' ' : '\n\n';
  return [title, content].filter(Boolean).join(between);
};

const TITLED_SECTIONS: readonly SectionKind[] = ['checks', 'maintainer', 'unknown'];

const MAX_TEMPLATE_LENGTH = 10_000;

/** Above the first heading, or below one that orders, a template speaks to whoever fills it. */
const isForTheSender = ({ title, parts }: TemplateSection, { titled }: { titled: boolean }): boolean =>
  (title === null ? titled : isInstruction(title.replace(/^#+\s*/, ''))) &&
  !parts.some((part) => isCheckbox(part) || isStatement(part));

const GREETS = /\bthank(?:s| you)\b|^\W*(?:hi|hello|welcome)\b/i;

const parseTemplateLayout = (template: string): Laid[] => {
  const all = parseSections(template.slice(0, MAX_TEMPLATE_LENGTH));
  const alone = !all.some(
    (s) => s.title !== null && !TITLED_SECTIONS.includes(sectionKindOf(s, { alone: false })),
  );
  const titled = all.some(({ title, level }) => title !== null && level <= 6);
  const isGreeting = ({ hints, title }: TemplateSection): boolean => title === null && GREETS.test(hints);
  const asked = all.some((one) => one.title === null && one.hints !== '' && !isGreeting(one));
  return withNotesField(
    all.map((section) => ({
      section: { ...section, told: isForTheSender(section, { titled }) },
      kind: asked && isGreeting(section) ? 'unknown' : sectionKindOf(section, { alone }),
    })),
  );
};

/** `Notes:` right below `## Release Notes` is the line that a bot reads. */
const withNotesField = (all: readonly Laid[]): Laid[] => {
  const isField = (at: number): boolean => {
    const [heading, field] = [all[at - 1], all[at]?.section];
    return (
      heading?.kind === 'note' &&
      heading.section.parts.length === 0 &&
      field !== undefined &&
      field.level > 6 &&
      /^notes?$/i.test(templateQuestionOf(field))
    );
  };
  return all.map((one, at) =>
    isField(at) ? { ...one, kind: 'note' } : isField(at + 1) ? { ...one, kind: 'unknown' } : one,
  );
};

const isPlace = ({ section: { title, hints, parts }, kind }: Laid): boolean => {
  if (title === null && hints === '')
    return parts.some((p) => ['box', 'row', 'fence', 'closes', 'marker'].includes(p.kind));
  return (
    kind !== 'unknown' || parts.some((p) => p.kind !== 'prose' && p.kind !== 'link' && p.kind !== 'rule')
  );
};
const hasPlaces = (all: readonly Laid[]): boolean => all.some(isPlace);

export const templateSectionKinds = (template: string): ReadonlySet<SectionKind> =>
  new Set(parseTemplateLayout(template).map(({ kind }) => kind));

const ALWAYS_TOLD_SECTIONS: readonly SectionKind[] = ['what', 'tests', 'disclosure'];

export const listRequiredHeadings = (template: string): string[] => {
  const all = parseTemplateLayout(template);
  if (!hasPlaces(all)) return [];
  return all.flatMap(({ section, kind }, at) => {
    const first = all.findIndex((other) => other.kind === kind) === at;
    const kept = section.parts.some(isCheckbox) || (first && ALWAYS_TOLD_SECTIONS.includes(kind));
    return section.title !== null && kept && !isOptionalSection(section)
      ? [neutraliseText(section.title).trim()]
      : [];
  });
};

const isBare = (all: readonly Laid[], blocks: readonly string[], at: number): boolean => {
  const { section } = all[at] as Laid;
  if (section.title === null || blocks[at] !== neutraliseText(section.title).trim()) return false;
  const end = all.findIndex((other, i) => i > at && other.section.level <= section.level);
  return blocks.slice(at + 1, end < 0 ? undefined : end).every((block) => block === '');
};

/** `[text][name]`, `[name][]` and `[name]` alone are links by a definition of that name. */
const isLinked = (text: string, name: string): boolean => {
  const [low, key] = [text.toLowerCase(), `[${name.toLowerCase()}]`];
  if (name === '' || /^[ x]$/i.test(name)) return false;
  for (let at = low.indexOf(key); at >= 0; at = low.indexOf(key, at + key.length))
    if (!/^[:(]/.test(low.slice(at + key.length))) return true;
  return false;
};

export const fillTemplate = (template: string, answers: TemplateAnswers): FilledTemplate | null => {
  const all = parseTemplateLayout(template);
  if (!hasPlaces(all)) return null;
  const used = new Set<SectionKind>();
  const blocks = all.map((one, at) => fillSection(one, at, { answers, all, used }));
  const links = all.flatMap(({ section }) =>
    section.parts.filter((p) => p.kind === 'link').map((p) => p.raw.trim()),
  );
  const text = blocks.filter((block, at) => block !== '' && !isBare(all, blocks, at)).join('\n\n');
  const needed = links.filter((raw) => isLinked(text, /^\[([^\]]+)\]/.exec(raw)?.[1] ?? ''));
  return { text: [text, needed.map(neutraliseText).join('\n')].filter(Boolean).join('\n\n'), used };
};
