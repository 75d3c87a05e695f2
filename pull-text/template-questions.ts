/** F9: finds what a template asks and nothing that we know answers, and places a person's answers. */
import { neutralisePersonalText, neutraliseText } from '#text-safety';
import { withoutUnmeantClosing } from '#model/requirements';
import { isOptional, sectionKindOf } from './section-kinds.ts';
import { isInstruction, parseSections, type TemplateSection } from './template-sections.ts';

const MAX_TEMPLATE_LENGTH = 10_000;
const MAX_QUESTIONS = 6;

/** A title alone is no question; a hint below it, or its own mark, makes it one. */
const asks = ({ name, hints, parts }: TemplateSection): boolean =>
  /[?？:：]\s*$/.test(name) ||
  hints.trim() !== '' ||
  parts.some((part) => part.kind === 'prose' && isInstruction(part.raw));

const SECTION_REQUESTS = /^\W*(?:please|go to|note|before|thank|choose|click)\b/i;
const isQuestion = (section: TemplateSection): boolean =>
  section.title !== null &&
  !SECTION_REQUESTS.test(section.name) &&
  sectionKindOf(section, false) === 'unknown' &&
  !section.parts.some((part) => part.kind === 'box') &&
  !isOptional(section) &&
  asks(section);

type Field = Extract<TemplateSection['parts'][number], { kind: 'field' }>;
/** `- Hardware:` asks a person; addresses and numbers of other pages are there, or are not. */
const fieldsOf = (section: TemplateSection): Field[] =>
  isOptional(section)
    ? []
    : section.parts.filter(
        (part): part is Field =>
          part.kind === 'field' &&
          !/^\s{2,}/.test(part.raw) &&
          !/\b(?:links?|issues?|tickets?|pull requests?|prs?|urls?|fix(?:es)?|closes|related)\b/i.test(
            part.label,
          ),
      );

const titleOf = ({ title }: TemplateSection): string => neutraliseText(title ?? '').trim();

export const openQuestions = (template: string | null, body: string): string[] => {
  if (template === null) return [];
  const lines = new Set(body.split(/\r?\n/).map((line) => line.trim()));
  const isAnswered = (raw: string): boolean =>
    [...lines].some((line) => line.startsWith(raw.trim()) && line.length > raw.trim().length);
  return parseSections(template.slice(0, MAX_TEMPLATE_LENGTH))
    .flatMap((section) => [
      ...(isQuestion(section) && !lines.has(titleOf(section)) && !isAnswered(titleOf(section))
        ? [section.name.replace(/[:：]\s*$/, '')]
        : []),
      ...fieldsOf(section)
        .filter(({ raw }) => !isAnswered(raw))
        .map(({ label }) => label),
    ])
    .filter((name, at, all) => name !== '' && all.indexOf(name) === at)
    .slice(0, MAX_QUESTIONS);
};

const NUMBERED_LINE = /^\s*(\d{1,2})[.):]\s+/;

/** Lines that begin with a number answer that question; without any, all of it answers the first. */
export const answersTo = (questions: readonly string[], text: string): ReadonlyMap<string, string> => {
  const out = new Map<string, string>();
  const put = (at: number, line: string): void => {
    const question = questions[at];
    if (question !== undefined) out.set(question, `${out.get(question) ?? ''}${line}\n`);
  };
  let at = 0;
  for (const line of text.split(/\r?\n/)) {
    const no = NUMBERED_LINE.exec(line)?.[1];
    const next = no === undefined ? at : Number(no) - 1;
    const isNext = no !== undefined && next >= 0 && next < questions.length;
    if (isNext) at = next;
    put(at, isNext ? line.replace(NUMBERED_LINE, '') : line);
  }
  return new Map(
    [...out].map(([question, said]) => [
      question,
      withoutUnmeantClosing(neutralisePersonalText(said.trim())),
    ]),
  );
};
