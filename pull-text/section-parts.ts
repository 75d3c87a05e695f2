/** Renders the parts of a template section: boxes, tables, fences, fields, references. */
import { neutraliseText } from '#text-safety';
import { isTest } from '../orchestrator/model/path-kinds.ts';
import { isClosingWord } from '../orchestrator/model/issue-words.ts';
import type { ChangeType } from '../orchestrator/model/agent-report.ts';
import { boxHolds, type BoxFacts } from './check-boxes.ts';
import { isBreakingLabel, typeOfLabel, type SectionKind } from './section-kinds.ts';
import { isInstruction, type SectionPart, type TemplateSection } from './template-sections.ts';
import { isDoc } from './supported-claims.ts';
import type { TemplateClaims } from './template-claims.ts';

/** Safe Markdown; empty when there is nothing to say. */
export type TemplateAnswers = {
  what: string;
  why: string;
  tests: string;
  type: ChangeType | null;
  breaking: string;
  harmless: boolean;
  issues: readonly string[];
  /** Closing words as a person wrote them: `Closes #12`, else the issue alone. */
  issueWords: string;
  /** Issues that a person closes. */
  closes: ReadonlySet<string>;
  note: string;
  disclosure: string;
  /** Suggested starting point for a reviewer, taken from the diff. */
  reviewer: string;
  docs: string;
  dependencies: string;
  component: string;
  facts: BoxFacts;
  claims: TemplateClaims;
  persons: ReadonlyMap<string, string>;
};

const SIMILAR_CHANGE_TYPES: Readonly<Partial<Record<ChangeType, readonly ChangeType[]>>> = {
  perf: ['refactor'],
  style: ['refactor'],
  build: ['ci'],
  ci: ['build'],
  dependencies: ['build'],
};

export const isBox = (part: SectionPart): part is Extract<SectionPart, { kind: 'box' }> =>
  part.kind === 'box';

const box = (raw: string, ticked: boolean): string =>
  neutraliseText(raw.replace(/\[[ xX]?\]/, '\u0000'))
    .replace('\u0000', ticked ? '[x]' : '[ ]')
    .trimEnd();

const boxLine = (raw: string, ticked: boolean): string => {
  const [, before = '', after = ''] = /^(.*?)\[[ xX]?\](.*)$/s.exec(raw) ?? [];
  return after === '' && before === ''
    ? box(raw, ticked)
    : `${before}[${ticked ? 'x' : ' '}]${neutraliseText(after)}`.trimEnd();
};

/** F11: no diff of ours shows that nothing changes for users. */
const CLAIMS_NO_CHANGE = /\bno (?:functional|api|behaviou?r\w*|user[- ]facing)\b/i;
const CLAIMS_NO_BREAK = /\bnon[- ]?breaking\b|\bno breaking\b/i;
const overclaims = (label: string, { breaking, harmless }: TemplateAnswers): boolean =>
  (CLAIMS_NO_CHANGE.test(label) && !harmless) || (CLAIMS_NO_BREAK.test(label) && breaking !== '');

const typeBoxes = ({ parts, hints }: TemplateSection, answers: TemplateAnswers): string[] => {
  const { type, breaking } = answers;
  const all = parts.filter(isBox);
  const wanted = type === null ? [] : [type, ...(SIMILAR_CHANGE_TYPES[type] ?? []), 'other' as const];
  const named =
    wanted.map((one) => all.findIndex((b) => typeOfLabel(b.label) === one)).find((at) => at >= 0) ?? -1;
  const found = overclaims(all[named]?.label ?? '', answers) ? -1 : named;
  const breaks = breaking === '' ? -1 : all.findIndex((b) => isBreakingLabel(b.label));
  const ticked = breaks >= 0 ? breaks : found;
  const prose = parts.map((p) => (p.kind === 'prose' ? p.raw : '')).join(' ');
  const onlyThose =
    ticked >= 0 &&
    /\b(?:delete|remove)\b.{0,40}\b(?:options?|those|lines?|items?|not relevant|irrelevant)\b/i.test(
      `${hints} ${prose}`,
    );
  return all.flatMap((b, at) => (onlyThose && at !== ticked ? [] : [boxLine(b.raw, at === ticked)]));
};

const USED_AI = /\b(?:used|generated|assisted|written|created|yes)\b/i;
const PLACEHOLDER = /^\W*test (?:[a-z]|\d+|case \d+)\W*$/i;

/** Agents made the whole change, so every part counts. */
const madeByAgent = (label: string, files: BoxFacts['files']): boolean | null => {
  const some = (is: (path: string) => boolean): boolean => files.some((f) => is(f.path));
  if (/^\W*code generation\b/i.test(label)) return some((p) => !isTest(p) && !isDoc(p));
  if (/^\W*tests?\b.{0,20}\bgeneration\b/i.test(label)) return some(isTest);
  return /^\W*documentation\b/i.test(label) ? some(isDoc) : null;
};

const isTicked = (kind: SectionKind, label: string, answers: TemplateAnswers): boolean => {
  const plain = label.replace(/[*_]/g, '');
  if (kind === 'breaking' && /^\W*yes\b/i.test(plain)) return answers.breaking !== '';
  if (kind === 'breaking' && /^\W*no\b/i.test(plain)) return answers.breaking === '' && answers.harmless;
  const made = kind === 'disclosure' ? madeByAgent(plain, answers.facts.files) : null;
  if (made !== null) return made;
  if (kind === 'disclosure')
    return USED_AI.test(plain) && !/\b(?:no|not|none|without|if|review|verif|understand|I)\b/i.test(plain);
  return boxHolds(label, answers.facts) || answers.claims.ticks(label);
};

const ISSUE_PLACEHOLDER = /#(?:x{2,}|n{2,}|issue[\w-]*|_+)(?:\s*\(.*\))?\s*$|#\s*$/i;

const KEYWORD =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|references?|related(?: to)?|addresses|part of)\b/gi;

/** F11: the template's closing word stands only before an issue that a person closes. */
const keyed = (word: string, issue: string, closes: ReadonlySet<string>): string =>
  isClosingWord(word) && !closes.has(issue) ? issue : `${word} ${issue}`;

/** Inserts the issue; without one, keeps only meaningful text before the keyword. */
const closesLine = (raw: string, { issues, closes }: TemplateAnswers): string => {
  const at = [...raw.matchAll(KEYWORD)].at(-1);
  if (!at) return '';
  const [word] = at;
  const before = raw.slice(0, at.index);
  if (issues.length === 0) return /\w{3}.*:\s*$/.test(before) ? neutraliseText(before).trimEnd() : '';
  const colon = raw
    .slice(at.index + word.length)
    .trimStart()
    .startsWith(':')
    ? ':'
    : '';
  const fenceless = neutraliseText(before.replace(/[*_(]+$/, ''));
  return `${fenceless}${/^\s*$/.test(before) ? '' : /\s$/.test(fenceless) ? '' : ' '}${issues.map((one) => keyed(`${word}${colon}`, one, closes)).join(', ')}`;
};

/** A ticked box inside of prose is not ours. */
const prose = (raw: string): string => neutraliseText(raw).replace(/\[x\]/gi, '[ ]');

const yes = (is: boolean): string => (is ? 'yes' : 'no');

const ASKS_BRANCH = /^\W*(?:target |base )?branch\W*$/i;

const cellFor = (label: string, answers: TemplateAnswers): string | null => {
  const { type, issues, closes, breaking, harmless, note, facts, docs } = answers;
  if (ASKS_BRANCH.test(label)) return /^[\w./-]+$/.test(facts.baseRef) ? facts.baseRef : null;
  if (/\bbug ?fix\b/i.test(label)) return yes(type === 'fix');
  if (/\bfeature\b/i.test(label)) return yes(type === 'feature');
  if (/\brefactor/i.test(label)) return yes(type === 'refactor');
  if (/\bbreak/i.test(label)) return breaking !== '' ? 'yes' : harmless ? 'no' : 'none known';
  if (/\bdeprecat/i.test(label)) return yes(/^\+.*deprecat/im.test(facts.patch));
  if (/\btests? (?:pass|added)/i.test(label)) return yes(boxHolds(label.replace(/\?/, ''), facts));
  if (/\b(?:issues?|tickets?|fix(?:es|ed)?)\b/i.test(label))
    return issues.length > 0 ? issues.map((one) => keyed('Fix', one, closes)).join(', ') : 'none given';
  if (/\bdocs?\b|\bdocumentation\b/i.test(label)) return docs === '' ? null : docs;
  if (/\benglish\b|\bchange ?log\b|\brelease note/i.test(label)) return note === '' ? null : note;
  return null;
};

const row = (raw: string, answers: TemplateAnswers): string => {
  const piped = raw.trimStart().startsWith('|');
  const cells = raw
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
  const [label = '', ...rest] = cells;
  if (/^:?-+:?$/.test(label) || rest.length === 0) return neutraliseText(raw).trimEnd();
  const open = rest.findIndex(
    (cell) =>
      // The example of a branch in the template would claim another one.
      ASKS_BRANCH.test(label) ||
      cell === '' ||
      /^(?:yes ?\/ ?no|y\/n|(?:fix(?:es)? )?#[.…x\d]*|-|\.\.\.|…)$/i.test(cell),
  );
  const answer = open < 0 ? null : cellFor(label, answers);
  const shown = [
    neutraliseText(label),
    ...rest.map((cell, at) => (at === open ? (answer ?? '') : neutraliseText(cell))),
  ];
  return piped ? `| ${shown.join(' | ')} |` : shown.join(' | ');
};

const ENTRY = /release|change|note/i;
const fence = (
  part: Extract<SectionPart, { kind: 'fence' }>,
  kind: SectionKind,
  { note }: TemplateAnswers,
): string | null => {
  const { info, lines } = part;
  if (kind !== 'note' && !ENTRY.test(info))
    return info === '' || lines.every((l) => l.trim() === '') ? null : null;
  return ['```' + info.replace(/[^\w-]/g, ''), note === '' ? 'NONE' : note.replace(/`{3,}/g, ''), '```'].join(
    '\n',
  );
};

const goesOn = (before: SectionPart | undefined, after: SectionPart | undefined): boolean =>
  before?.kind === 'prose' &&
  after?.kind === 'prose' &&
  !/[.!?:;]\W*$/.test(before.raw) &&
  /^\s*[\p{Ll}(]/u.test(after.raw);

const isExplaining = ({ kind, raw }: SectionPart): boolean =>
  kind === 'prose' || kind === 'fence' || (kind === 'field' && /^\s{2,}/.test(raw));
const isBelowBox = (parts: readonly SectionPart[], at: number): boolean => {
  const start = parts.slice(0, at + 1).findLastIndex((p) => !isExplaining(p));
  const nested = parts.slice(start + 1, at + 1).some((p) => /^\s{2,}[-*+] /.test(p.raw));
  return parts[start]?.kind === 'box' && nested && /^\s{2,}\S/.test(parts[at]?.raw ?? '');
};

const KEEPS: readonly SectionKind[] = ['checks', 'maintainer', 'unknown'];

export const partLines = (
  section: TemplateSection,
  kind: SectionKind,
  answers: TemplateAnswers,
): string[] => {
  if (kind === 'type' && section.parts.some(isBox)) return typeBoxes(section, answers);
  return section.parts.flatMap((part, at): string[] => {
    switch (part.kind) {
      case 'box':
        if (kind === 'tests' && PLACEHOLDER.test(part.label)) return [];
        if (kind !== 'maintainer' && ISSUE_PLACEHOLDER.test(part.label) && answers.issues.length > 0) {
          const isTrue = !isClosingWord(part.label) || answers.issues.every((one) => answers.closes.has(one));
          return isTrue
            ? [`${boxLine(part.raw.replace(ISSUE_PLACEHOLDER, ''), true)} ${answers.issues.join(', ')}`]
            : [boxLine(part.raw, false)];
        }
        return [boxLine(part.raw, kind !== 'maintainer' && isTicked(kind, part.label, answers))];
      case 'prose': {
        if (isBelowBox(section.parts, at) || section.told) return [];
        const leads = section.parts.slice(at + 1).find((p) => p.kind !== 'prose')?.kind === 'box';
        const told = /\b(?:delete|remove|put an|mark|tick|check (?:the|all|any|one|only)|add an)\b/i.test(
          part.raw,
        );
        const continues = at > 0 && section.parts[at - 1]?.kind === 'box' && /^\s{2,}/.test(part.raw);
        if (continues) return [prose(part.raw).trimEnd()];
        if (KEEPS.includes(kind))
          return (leads && !told) || !isInstruction(part.raw)
            ? [
                [
                  goesOn(section.parts[at - 1], part) ? '' : '\n',
                  prose(part.raw).trim(),
                  goesOn(part, section.parts[at + 1]) ? '' : '\n',
                ].join(''),
              ]
            : [];
        return [];
      }
      case 'closes': {
        const line = closesLine(part.raw, answers);
        return line === '' ? [] : [line];
      }
      case 'field': {
        if (isBelowBox(section.parts, at)) return [];
        const about = /\b(?:issues?|tickets?|fixes|closes)\b/i.test(part.label) && answers.issues.length > 0;
        if (about && isClosingWord(part.label) && !answers.issues.every((one) => answers.closes.has(one)))
          return [`Related: ${answers.issues.join(', ')}`];
        return [`${neutraliseText(part.raw).trimEnd()}${about ? ` ${answers.issues.join(', ')}` : ''}`];
      }
      case 'row':
        return [row(part.raw, answers).replace(/\[x\]/gi, '[ ]')];
      case 'fence': {
        const made = fence(part, kind, answers);
        return made === null ? [] : [made];
      }
      case 'marker':
      case 'link':
      case 'rule':
      case 'bullet':
        return [];
      default:
        return part satisfies never;
    }
  });
};
