/** Finds what a template asks and nothing that we know answers, and places a person's answers (F9). */
import { neutralisePersonalText, neutraliseText } from '#text-safety';
import { withoutUnmeantClosing } from '#model/requirements';
import { isOptionalSection, sectionKindOf } from './section-kinds.ts';
import { hasOnlyAiUseWords } from './ai-statements.ts';
import {
  parseAlternatives,
  isInstruction,
  parseSections,
  type TemplateSection,
} from './template-sections.ts';

const MAX_TEMPLATE_LENGTH = 10_000;
const MAX_QUESTIONS = 6;

/** A title alone is no question; a hint below it, or its own mark, makes it one. */
const needsAnswer = ({ name, hints, parts }: TemplateSection): boolean =>
  /[?？:：]\s*$/.test(name) ||
  hints.trim() !== '' ||
  parts.some(
    (part) =>
      ['prose', 'row'].includes(part.kind) &&
      (isInstruction(part.raw) || parseAlternatives(part.raw).length > 1),
  );

export const templateQuestionOf = ({ name }: TemplateSection): string => name.replace(/[:：]\s*$/, '');

/** Only a plain question is answered by yes: `Is it free of AI?` is not. */
export const asksYesOrNo = ({ name, hints, parts }: TemplateSection): boolean =>
  !parts.some(({ kind }) => kind === 'box') &&
  !/\b(?:no|not|without|free|human\w*|review\w*|understand)\b/i.test(name) &&
  (/[?？]\s*$/.test(name) || /\byes ?\/ ?no\b/i.test([hints, ...parts.map(({ raw }) => raw)].join(' ')));

/** `Did you use AI only for docs?` is answered by what was done. */
export const asksPlainly = ({ name, hints, parts }: TemplateSection): boolean =>
  [name, hints, ...parts.map(({ raw }) => raw)]
    .flatMap((text) => text.split(/(?<=[?.!])\s/))
    .filter((one, at) => at === 0 || /[?？]|\byes ?\/ ?no\b/i.test(one))
    .every((one) => hasOnlyAiUseWords(one.replace(/\W*\byes ?\/ ?no\b\W*$/i, '')));

/** `Is this backwards compatible?` is answered by yes where nothing breaks. */
export const asksForCompatibility = ({ name }: Pick<TemplateSection, 'name'>): boolean =>
  /\bcompatib/i.test(name) && !/\bincompatib|\bbreak/i.test(name);

const PICK_ONE =
  /\b(?:pick|select|choose|check|tick|mark)\b[^.;]{0,30}\b(?:only |exactly |just )?(?:one|1)\b(?! or more)|\bexactly one\b|\bonly one\b/i;
const MAX_CHOICE_LABEL = 60;
type TemplateChoice = { question: string; labels: readonly string[] };
/** Boxes of which one is to be ticked: `Yes` and `No`, or where the template says so. */
export const findTemplateChoice = (section: TemplateSection): TemplateChoice | null => {
  const { title, name, hints, parts } = section;
  const labels = parts.flatMap((part) =>
    part.kind === 'box' ? [part.label.replace(/[*_`]/g, '').trim()] : [],
  );
  if (title === null || labels.length < 2 || labels.length > 8 || isOptionalSection(section)) return null;
  const said = [name, hints, ...parts.flatMap((part) => (part.kind === 'prose' ? [part.raw] : []))].join(' ');
  const isYesOrNo = labels.every((label) => /^(?:yes|no|n\/a|not applicable|unsure|maybe)\b/i.test(label));
  if (!isYesOrNo && !PICK_ONE.test(said)) return null;
  const shown = labels.map((label) =>
    label.length > MAX_CHOICE_LABEL ? `${label.slice(0, MAX_CHOICE_LABEL - 1)}…` : label,
  );
  return { question: `${templateQuestionOf(section)} (${shown.join(' / ')})`, labels };
};

/** The label that a person's answer names, whole or by its first words; null where several fit. */
export const findChosenLabel = (
  { question, labels }: TemplateChoice,
  answers: ReadonlyMap<string, string>,
): string | null => {
  const said = (answers.get(question) ?? '')
    .replace(/[*_`.]/g, '')
    .trim()
    .toLowerCase();
  if (said === '') return null;
  const [one, ...more] = labels.filter((label) => label.toLowerCase().startsWith(said));
  return more.length === 0 ? (one ?? null) : (labels.find((label) => label.toLowerCase() === said) ?? null);
};

const SECTION_REQUESTS = /^\W*(?:please|go to|note|before|thank|choose|click)\b/i;
const isQuestion = (section: TemplateSection): boolean =>
  section.title !== null &&
  !SECTION_REQUESTS.test(section.name) &&
  (sectionKindOf(section, { alone: false }) === 'unknown' ||
    (sectionKindOf(section, { alone: false }) === 'breaking' && asksYesOrNo(section))) &&
  !section.parts.some((part) => part.kind === 'box') &&
  !isOptionalSection(section) &&
  needsAnswer(section);

type Field = Extract<TemplateSection['parts'][number], { kind: 'field' }>;
/** `- Hardware:` asks a person; addresses and numbers of other pages are there, or are not. */
const fieldsOf = (section: TemplateSection): Field[] =>
  isOptionalSection(section)
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

export const findOpenQuestions = (template: string | null, body: string): string[] => {
  if (template === null) return [];
  const all = body.split(/\r?\n/).map((line) => line.trim());
  const lines = new Set(all);
  const isAnswered = (raw: string): boolean =>
    [...lines].some((line) => line.startsWith(raw.trim()) && line.length > raw.trim().length);
  const sections = parseSections(template.slice(0, MAX_TEMPLATE_LENGTH));
  const titles = new Set(sections.map(titleOf).filter((title) => title !== ''));
  const isTicked = (title: string, label: string): boolean => {
    const below = all.slice(all.indexOf(title) + 1);
    const end = below.findIndex((line) => titles.has(line));
    return below.slice(0, end < 0 ? undefined : end).some(
      (line) =>
        line
          .replace(/^[-*+] \[x\]/i, '')
          .replace(/[*_`]/g, '')
          .trim() === label && /^[-*+] \[x\]/i.test(line),
    );
  };
  return sections
    .flatMap((section) => {
      const choice = findTemplateChoice(section);
      // guard: F9-choices-asked
      return choice !== null &&
        lines.has(titleOf(section)) &&
        !choice.labels.some((label) => isTicked(titleOf(section), label))
        ? [{ section, asked: [choice.question] }]
        : [{ section, asked: [] }];
    })
    .flatMap(({ section, asked }) => [
      ...asked,
      ...(isQuestion(section) && !lines.has(titleOf(section)) && !isAnswered(titleOf(section))
        ? [templateQuestionOf(section)]
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
export const parseQuestionAnswers = (
  questions: readonly string[],
  text: string,
): ReadonlyMap<string, string> => {
  const out = new Map<string, string>();
  const addAnswerLine = (at: number, line: string): void => {
    const question = questions[at];
    if (question !== undefined) out.set(question, `${out.get(question) ?? ''}${line}\n`);
  };
  let at = 0;
  for (const line of text.split(/\r?\n/)) {
    const no = NUMBERED_LINE.exec(line)?.[1];
    const next = no === undefined ? at : Number(no) - 1;
    const isNext = no !== undefined && next >= 0 && next < questions.length;
    if (isNext) at = next;
    addAnswerLine(at, isNext ? line.replace(NUMBERED_LINE, '') : line);
  }
  return new Map(
    [...out].map(([question, said]) => [
      question,
      withoutUnmeantClosing(neutralisePersonalText(said.trim())),
    ]),
  );
};
