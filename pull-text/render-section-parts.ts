/** Renders the parts of a template section: boxes, tables, fences, fields, references. */
import { codeSpan, neutraliseText, findTextSignals, withoutUnseen } from '#text-safety';
import { findAllMatches } from '#model/values';
import { isTest } from '#model/paths';
import { isClosingWord } from '#model/requirements';
import type { ChangeType } from '#model/agent';
import { hasOnlyAiUseWords, isAiUseStatement } from './ai-statements.ts';
import { hasUnknownWord } from './checkbox-words.ts';
import { isCheckboxConfirmed, type BoxFacts } from './confirm-checkboxes.ts';
import {
  asksForIssue,
  formatIssueReference,
  ISSUE_PLACEHOLDER,
  renderIssueLine,
} from './render-issue-line.ts';
import { isBreakingLabel, changeTypeOfLabel, type SectionKind } from './section-kinds.ts';
import {
  parseAlternatives,
  isInstruction,
  type SectionPart,
  type TemplateSection,
} from './template-sections.ts';
import { asksForCompatibility, findTemplateChoice, findChosenLabel } from './template-questions.ts';
import { isDoc } from './supported-claims.ts';
import type { EvidenceWording } from './evidence-wording.ts';
import type { TemplateClaims } from './template-claims.ts';

/** Safe Markdown; empty when there is nothing to say. */
export type TemplateAnswers = {
  what: string;
  why: string;
  whatAndWhy: string;
  /** Both where the pull request's title stands right above; empty when they say no more. */
  untitled: string;
  isWhatTheTitle: boolean;
  tests: string;
  wording: EvidenceWording;
  cautions: string;
  type: ChangeType | null;
  breaking: string;
  harmless: boolean;
  issues: readonly string[];
  issueWords: string;
  closes: ReadonlySet<string>;
  note: string;
  disclosure: string;
  /** Suggested starting point for a reviewer, taken from the diff. */
  reviewer: string;
  docs: string;
  dependencies: string;
  component: string;
  /** The coding agent; null where none made the change. */
  engine: string | null;
  facts: BoxFacts;
  claims: TemplateClaims;
  persons: ReadonlyMap<string, string>;
};

/** A statement that a contributor makes by sending it stays, because removing it would be a refusal. */
const STATES =
  /\bby (?:submitting|opening|contributing|keeping)\b|\bI (?:confirm|agree|hereby|certify)\b|\blicen[cs]ed?\b/i;
export const isStatement = ({ raw }: SectionPart): boolean => STATES.test(raw);

const SIMILAR_CHANGE_TYPES: Readonly<Partial<Record<ChangeType, readonly ChangeType[]>>> = {
  perf: ['refactor'],
  style: ['refactor'],
  build: ['ci'],
  ci: ['build'],
  dependencies: ['build'],
};

export const isCheckbox = (part: SectionPart): part is Extract<SectionPart, { kind: 'box' }> =>
  part.kind === 'box';

const continuationOf = (parts: readonly SectionPart[], at: number): string[] => {
  const below = parts.slice(at + 1);
  const end = below.findIndex((part) => part.kind !== 'prose' || !part.continues);
  return below.slice(0, end < 0 ? undefined : end).map(({ raw }) => raw.trimEnd());
};
const wholeLabel = (parts: readonly SectionPart[], at: number, label: string): string =>
  [label, ...continuationOf(parts, at).map((line) => line.trim())].join(' ');

const renderBox = (raw: string, { ticked }: { ticked: boolean }): string =>
  neutraliseText(raw.replace(/\[[ xX]?\]/, '\u0000'))
    .replace('\u0000', ticked ? '[x]' : '[ ]')
    .trimEnd();

const boxLine = (raw: string, { ticked }: { ticked: boolean }): string => {
  const [, before = '', after = ''] = /^(.*?)\[[ xX]?\](.*)$/s.exec(raw) ?? [];
  return after === '' && before === ''
    ? renderBox(raw, { ticked })
    : `${before}[${ticked ? 'x' : ' '}]${neutraliseText(after)}`.trimEnd();
};

const CLAIMS_NO_CHANGE = /\bno (?:functional|api|behaviou?r\w*|user[- ]facing)\b/i;
const CLAIMS_NO_BREAK = /\bnon[- ]?breaking\b|\bno breaking\b/i;
const isOverclaim = (label: string, { breaking, harmless }: TemplateAnswers): boolean =>
  (CLAIMS_NO_CHANGE.test(label) && !harmless) || (CLAIMS_NO_BREAK.test(label) && breaking !== '');

export const findTypeLabel = (
  labels: readonly string[],
  { type }: Pick<TemplateAnswers, 'type'>,
): string | null => {
  const wanted = type === null ? [] : [type, ...(SIMILAR_CHANGE_TYPES[type] ?? []), 'other' as const];
  const found = wanted.flatMap((one) => labels.filter((label) => changeTypeOfLabel(label) === one));
  return found[0] ?? null;
};

const typeBoxes = ({ parts, hints }: TemplateSection, answers: TemplateAnswers): string[] => {
  const { type, breaking } = answers;
  const all = parts.filter(isCheckbox);
  const wanted = type === null ? [] : [type, ...(SIMILAR_CHANGE_TYPES[type] ?? []), 'other' as const];
  const named =
    wanted.map((one) => all.findIndex((b) => changeTypeOfLabel(b.label) === one)).find((at) => at >= 0) ?? -1;
  const labelOf = (option: (typeof all)[number] | undefined): string =>
    option === undefined ? '' : wholeLabel(parts, parts.indexOf(option), option.label);
  const found = isOverclaim(labelOf(all[named]), answers) ? -1 : named;
  const breaks = breaking === '' ? -1 : all.findIndex((b) => isBreakingLabel(b.label));
  const ticked = breaks >= 0 ? breaks : found;
  const prose = parts.map((p) => (p.kind === 'prose' ? p.raw : '')).join(' ');
  const onlyThose =
    ticked >= 0 &&
    /\b(?:delete|remove)\b.{0,40}\b(?:options?|those|lines?|items?|not relevant|irrelevant)\b/i.test(
      `${hints} ${prose}`,
    );
  return all.flatMap((b, at) =>
    onlyThose && at !== ticked
      ? []
      : [
          boxLine(b.raw, { ticked: at === ticked }),
          ...continuationOf(parts, parts.indexOf(b)).map(renderContinuation),
        ],
  );
};

const NAMED_TOOLS =
  /\b(?:copilot|claude|codex|chatgpt|gpt[\w.-]*|gemini|cursor|windsurf|devin|aider|opencode|cline|cody|jules)\b/gi;
/** One of those that it names is enough: `Copilot or Claude`, `Copilot, Claude, etc.` */
const NAMES_EXAMPLES = /\bor\b|\/|\betc\b|\.\.\.|…|\band (?:others?|similar|the like|more)\b/i;
const namesAnotherTool = (label: string, engine: string): boolean => {
  const named = findAllMatches(label.replace(/\(?\b(?:e\.g\.?|such as|like)[^)]*/gi, ' '), NAMED_TOOLS);
  const others = named.filter(([one]) => one.toLowerCase() !== engine);
  return others.length > 0 && (others.length === named.length || !NAMES_EXAMPLES.test(label));
};
const isDisclosure = (
  name: string,
  label: string,
  { engine, facts: { files } }: TemplateAnswers,
): boolean => {
  const hasFile = (is: (path: string) => boolean): boolean => files.some((f) => is(f.path));
  const asked = label.replace(/^\W*(?:did (?:you|i|we)|I|we)\s+(?=use)/i, '');
  // guard: F11-ai-answered-truly
  if (engine === null || namesAnotherTool(label, engine)) return false;
  // guard: F11-ai-box-says-no-more
  if (!isAiUseStatement(asked)) return false;
  if (/^\W*yes\W*$/i.test(label) && !hasOnlyAiUseWords(name)) return false;
  if (/\bdoc(?:s|umentation)\b/i.test(label) && !hasFile(isDoc)) return false;
  return !/\btests?\b/i.test(label) || hasFile(isTest);
};
const USE_OF_AI =
  /^\W*(?:did (?:you|i|we) )?(?:I |we )?(?:use[ds]?|using) (?:an? )?(?:AI|LLMs?)\b|\b(?:AI|LLMs?)\b(?: tools?| agents?)? (?:was|were) used\b|\b(?:generated|written|made|created|produced|authored|assisted|developed) (?:\w+ ){0,3}?(?:with|by|using)\b(?: \w+){0,4}? (?:an? )?(?:AI|LLMs?)\b|\b(?:AI|LLM)[- ](?:generated|assisted|written|authored)\b|(?<!\p{L})(?:AI|IA|KI|ИИ|LLM)(?!\p{L})|人工智能|人工知能/iu;
const PLACEHOLDER =
  /^\W*(?:(?:test|application|item|step|task|example) (?:[a-z]|\d+|case \d+)|\d*\)? ?example(?: test)? step)\W*$|^(?:[^\w.]|\.[^\w.])*\.\.\W*(?:\([^()]{0,60}\)\W*)?$/i;

const isWrittenByAgent = (label: string, files: BoxFacts['files']): boolean | null => {
  const hasFile = (is: (path: string) => boolean): boolean => files.some((f) => is(f.path));
  if (/\b(?:no|not|none|never|only)\b/i.test(label)) return null;
  const part = label.replace(/\([^()]*\)/g, ' ');
  if (/^\W*code generation\W*$/i.test(part)) return hasFile((p) => !isTest(p) && !isDoc(p));
  if (/^\W*tests?(?: ?\/ ?\w+)? generation\W*$/i.test(part)) return hasFile(isTest);
  return /^\W*documentation(?: generation)?\W*$/i.test(part) ? hasFile(isDoc) : null;
};

const isTicked = (
  { name }: TemplateSection,
  kind: SectionKind,
  label: string,
  answers: TemplateAnswers,
): boolean => {
  const plain = label.replace(/[*_]/g, '');
  const said = /^\W*(yes|no)\b/i.exec(plain)?.[1]?.toLowerCase();
  if (kind === 'breaking' && said !== undefined)
    return (said === 'yes') === asksForCompatibility({ name })
      ? answers.breaking === '' && answers.harmless
      : answers.breaking !== '';
  if (kind === 'disclosure') {
    const made = isWrittenByAgent(plain, answers.facts.files);
    return made === null ? isDisclosure(name, plain, answers) : made && answers.engine !== null;
  }
  // guard: F11-ai-box-anywhere
  if (USE_OF_AI.test(plain) && isDisclosure(name, plain, answers)) return true;
  return isCheckboxConfirmed(label, answers.facts) || answers.claims.ticks(label);
};

const renderProse = (raw: string): string => neutraliseText(raw).replace(/\[x\]/gi, '[ ]');

const renderContinuation = (raw: string): string =>
  /^ {2}/.test(raw) ? renderProse(raw).trimEnd() : `  ${renderProse(raw).trim()}`;

const yesOrNo = ({ is }: { is: boolean }): string => (is ? 'yes' : 'no');

const ASKS_BRANCH = /^\W*(?:target |base )?branch\W*$/i;
const ASKS_WORDS = /^\W*(?:description|summary|what(?: does it do| changed)?)\W*$/i;
const ASKS_TESTS =
  /\bhow (?:to|was it|has it been|did you) test|\btest(?:ing)? (?:plan|steps|instructions)\b/i;

const inCell = (text: string): string =>
  text
    .replace(/\s*\n+\s*[-*]?\s*/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|')
    .trim();

const DENIES = /\b(?:no|not|none|never|non|neither|nor|without|un\w*)\b|n't\b/i;
const FILLER = new Set(
  'is are was were does do did has have this that it there the a an any some pr change changes new code adds added adding contains introduce introduces include includes'.split(
    ' ',
  ),
);
/** The question without what any question may have; a word that is left may turn it round. */
const findAskedWords = (label: string): string =>
  (label.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []).filter((word) => !FILLER.has(word)).join(' ');
const ASKS_BREAK =
  /^(?:bc|breaks?|breaking|(?:bc|api) breaks?|breaks? (?:bc|api)|(?:backwards?[- ])compatib\w+ breaks?|breaks? (?:backwards?[- ])compatib\w+)$/;

const cellFor = (label: string, cell: string, answers: TemplateAnswers): string | null => {
  const { type, issues, closes, breaking, harmless, note, facts, docs, engine, whatAndWhy, tests } = answers;
  if (ASKS_BRANCH.test(label)) return /^[\w./-]+$/.test(facts.baseRef) ? facts.baseRef : null;
  if (ASKS_WORDS.test(label)) return inCell(whatAndWhy);
  if (ASKS_TESTS.test(label)) return inCell(tests);
  if (/^\W*(?:(?:pr|change) )?type\W*$/i.test(label)) return findTypeLabel(parseAlternatives(cell), answers);
  if (/\b(?:AI|LLMs?|copilot|agents?)\b.*\b(?:used?|generated|assist\w*|written)\b/i.test(label))
    return engine !== null && isAiUseStatement(label) && !namesAnotherTool(label, engine) ? 'yes' : null;
  const asked = findAskedWords(label);
  if (/^bug-? ?fix(?:es)?$/.test(asked)) return yesOrNo({ is: type === 'fix' });
  if (/^features?$/.test(asked)) return yesOrNo({ is: type === 'feature' });
  if (/^refactor(?:s|ed|ing)?$/.test(asked)) return yesOrNo({ is: type === 'refactor' });
  if (ASKS_BREAK.test(asked)) return breaking !== '' ? 'yes' : harmless ? 'no' : 'none known';
  if (/^deprecat\w*(?: features?)?$/.test(asked)) return yesOrNo({ is: /^\+.*deprecat/im.test(facts.patch) });
  if (/\btests? (?:pass|added)/i.test(label))
    return hasUnknownWord(label)
      ? null
      : yesOrNo({ is: isCheckboxConfirmed(label.replace(/\?/, ''), facts) });
  if (DENIES.test(label)) return null;
  if (/\b(?:issues?|tickets?|fix(?:es|ed)?)\b/i.test(label))
    return issues.length > 0
      ? issues.map((one) => formatIssueReference('Fix', one, closes)).join(', ')
      : 'none given';
  if (/\bdocs?\b|\bdocumentation\b/i.test(label)) return docs === '' ? null : docs;
  if (/\benglish\b|\bchange ?log\b|\brelease note/i.test(label)) return note === '' ? null : note;
  return null;
};

const REFERENCES = String.raw`(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? )?(?:[\w.-]+\/[\w.-]+)?#(?:\{\w+\}|[.…xn\d]*)`;
const OPEN_CELL = new RegExp(
  String.raw`^(?:|yes ?\/ ?no|no ?\/ ?yes|y ?\/ ?n|[✔✅☑✓]\ufe0f? ?\/ ?[✖❌✗✘]\ufe0f?|${REFERENCES}(?:, ?${REFERENCES})*|-|\.\.\.|…)$`,
  'iu',
);
const ANSWERED_CELL = /^(?:yes|no|y|n|true|false|ok|done|[✔✅☑✓✖❌✗✘👍]\ufe0f?)[.!]?$/iu;
const asksInCell = (cell: string): boolean =>
  isInstruction(cell) ||
  parseAlternatives(cell).length > 1 ||
  /\byes ?\/ ?no\W*$|^\W*optional\b|\bif any\W*$|^\W*(?:comma[- ])?separated\b|^\W*(?:list|number|name|link) of\b/i.test(
    cell,
  );

const cellsOf = (raw: string): string[] =>
  raw
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const openCellIn = (label: string, cells: readonly string[]): number => {
  const isQuestion = /[?？]\s*$|^\W*(?:I|we)\b/i.test(label);
  return cells.findIndex(
    (cell) =>
      // An example in the template would claim what nobody answered.
      ASKS_BRANCH.test(label) ||
      OPEN_CELL.test(cell) ||
      asksInCell(cell) ||
      (isQuestion && ANSWERED_CELL.test(cell)),
  );
};

/** A table for pictures before and after, of which there are none. */
const isBlankTable = (parts: readonly SectionPart[]): boolean => {
  const rows = parts.filter(({ kind }) => kind === 'row').map(({ raw }) => cellsOf(raw));
  const at = rows.findIndex((cells) => cells.every((cell) => /^:?-+:?$/.test(cell)));
  return at >= 0 && rows.slice(at + 1).every((cells) => cells.every((cell) => cell === ''));
};

export const sectionKindOfRow = (raw: string): SectionKind | null => {
  const [label = '', ...cells] = cellsOf(raw);
  if (openCellIn(label, cells) < 0) return null;
  return ASKS_WORDS.test(label) ? 'what' : ASKS_TESTS.test(label) ? 'tests' : null;
};

const renderRow = (raw: string, answers: TemplateAnswers): string => {
  const piped = raw.trimStart().startsWith('|');
  const [label = '', ...rest] = cellsOf(raw);
  if (/^:?-+:?$/.test(label) || rest.length === 0) return neutraliseText(raw).trimEnd();
  const open = openCellIn(label, rest);
  const answer = open < 0 ? null : cellFor(label, rest[open] ?? '', answers);
  const shown = [
    neutraliseText(label),
    ...rest.map((cell, at) => (at === open ? (answer ?? '') : neutraliseText(cell))),
  ];
  return piped ? `| ${shown.join(' | ')} |` : shown.join(' | ');
};

const ENTRY = /release|change|note/i;
const renderFence = (
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

const indentOf = (raw = ''): number => raw.length - raw.trimStart().length;
/** What a box asks for is shown below it: without the example the box says nothing. */
const exampleBelowBox = (parts: readonly SectionPart[], at: number): string | null => {
  const part = parts[at];
  if (part?.kind !== 'fence' || parts[at - 1]?.kind !== 'box' || indentOf(part.raw) < 2) return null;
  const text = withoutUnseen(part.lines.join('\n')).replaceAll('`', "'");
  // guard: F11-example-is-inert
  if (findTextSignals(text).length > 0) return null;
  const indent = ' '.repeat(indentOf(part.raw));
  return [`${indent}\`\`\``, ...text.split('\n').map((line) => line.trimEnd()), `${indent}\`\`\``].join('\n');
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

const TELLS = /\b(?:delete|remove|put an|mark|tick|check (?:the|all|any|one|only)|add an)\b/i;
const isParent = (parts: readonly SectionPart[], at: number): boolean => {
  const [one, next] = [parts[at], parts[at + 1]];
  return next?.kind === 'box' && /^\s*[-*+] /.test(one?.raw ?? '') && indentOf(next.raw) > indentOf(one?.raw);
};
/** Keeps lines that introduce boxes and statements made by sending them; other lines only instruct the author. */
const isKeptProse = (parts: readonly SectionPart[], at: number): boolean => {
  let [first, last] = [at, at];
  while (goesOn(parts[first - 1], parts[first])) first -= 1;
  while (goesOn(parts[last], parts[last + 1])) last += 1;
  const text = parts
    .slice(first, last + 1)
    .map(({ raw }) => raw)
    .join(' ');
  if (isParent(parts, at) || STATES.test(text)) return true;
  return parts[last + 1]?.kind === 'box' && /[:：]\W*$/.test(text) && !TELLS.test(text);
};

/** A table or a fence right below a list would be a line of its last item. */
const blockSeparator = (parts: readonly SectionPart[], at: number): '' | '\n' =>
  parts[at]?.kind === 'row' && parts[at - 1]?.kind === 'row' ? '' : '\n';

const CLAIMS_IN_PROSE =
  /\b(?:I|we)\b(?:['’]ve\b)?.{0,60}\b(?:tested|wrote|written|read|reviewed|verified|ran|run|checked|followed|searched|understand|used|authors?)\b|\btests? (?:pass|passed|are green|succeed)\b|\b(?:no|without|not use)\b.{0,12}\b(?:AI|LLMs?)\b|^\W*[a-z]+(?:-[a-z]+)*-by:/i;

const ASKS_TOOL =
  /^\W*(?:(?:AI|LLM|agent|which) )*(?:tools?|agents?|assistants?)(?:\(s\))?(?: \(?(?:used|name)\)?)?\W*$/i;

const KEEPS: readonly SectionKind[] = ['checks', 'maintainer', 'unknown'];

type Place<Kind extends SectionPart['kind'] = SectionPart['kind']> = {
  part: Extract<SectionPart, { kind: Kind }>;
  at: number;
  section: TemplateSection;
  kind: SectionKind;
  answers: TemplateAnswers;
};

const isIssueClosed = ({ issues, closes }: TemplateAnswers): boolean =>
  issues.every((one) => closes.has(one));

const boxLines = ({ part, at, section, kind, answers }: Place<'box'>, chosen: string | null): string[] => {
  const { raw } = part;
  if (part.label.length < 80 && PLACEHOLDER.test(part.label)) return [];
  // guard: F11-issue-box
  if (kind !== 'maintainer' && asksForIssue(part.label) && answers.issues.length > 0) {
    const isTrue = !isClosingWord(part.label) || isIssueClosed(answers);
    const ticked = boxLine(raw.replace(ISSUE_PLACEHOLDER, ''), { ticked: true });
    return [isTrue ? `${ticked} ${answers.issues.join(', ')}` : boxLine(raw, { ticked: false })];
  }
  // guard: F11-all-lines-of-a-box
  const label = wholeLabel(section.parts, at, part.label);
  if (part.label.replace(/[*_`]/g, '').trim() === chosen) return [boxLine(raw, { ticked: true })];
  return [boxLine(raw, { ticked: kind !== 'maintainer' && isTicked(section, kind, label, answers) })];
};

const proseLines = ({ part, at, section: { parts, told }, kind }: Place<'prose'>): string[] => {
  if (isBelowBox(parts, at) || told) return [];
  if (part.continues) return [renderContinuation(part.raw)];
  // guard: F11-no-claims-in-prose
  if (CLAIMS_IN_PROSE.test(part.raw)) return [];
  if (!KEEPS.includes(kind) || !isKeptProse(parts, at)) return [];
  if (isParent(parts, at)) return [renderProse(part.raw).trimEnd()];
  const before = goesOn(parts[at - 1], part) ? '' : '\n';
  const after = goesOn(part, parts[at + 1]) ? '' : '\n';
  return [`${before}${renderProse(part.raw).trim()}${after}`];
};

const fieldLines = ({ part, at, section: { parts }, kind, answers }: Place<'field'>): string[] => {
  if (isBelowBox(parts, at)) return [];
  if (isParent(parts, at)) return [renderProse(part.raw).trimEnd()];
  const fillWith = (value: string): string[] => [`${neutraliseText(part.raw).trimEnd()} ${value}`];
  if (kind === 'disclosure' && answers.engine !== null && ASKS_TOOL.test(part.label))
    return fillWith(codeSpan(answers.engine));
  const said = answers.persons.get(part.label);
  if (said !== undefined) return fillWith(said);
  const named = parts.slice(0, at).some(({ kind: one }) => one === 'closes' || one === 'field');
  const asksIssue = /\b(?:issues?|tickets?|fixes|closes)\b/i.test(part.label);
  if (!asksIssue || answers.issues.length === 0 || named) return [];
  const issues = answers.issues.join(', ');
  return isClosingWord(part.label) && !isIssueClosed(answers) ? [`Related: ${issues}`] : fillWith(issues);
};

const fenceLines = ({ part, at, section: { parts }, kind, answers }: Place<'fence'>): string[] => {
  const shown = exampleBelowBox(parts, at);
  if (shown !== null) return [shown];
  const made = renderFence(part, kind, answers);
  return made === null ? [] : [`${blockSeparator(parts, at)}${made}`];
};

export const renderSectionParts = (
  section: TemplateSection,
  kind: SectionKind,
  answers: TemplateAnswers,
): string[] => {
  if (kind === 'type' && section.parts.some(isCheckbox)) return typeBoxes(section, answers);
  const choice = findTemplateChoice(section);
  const chosen = choice && findChosenLabel(choice, answers.persons);
  return section.parts.flatMap((part, at): string[] => {
    const place = { at, section, kind, answers };
    switch (part.kind) {
      case 'box':
        return boxLines({ ...place, part }, chosen);
      case 'prose':
        return proseLines({ ...place, part });
      case 'closes':
        return [renderIssueLine(part.raw, answers)].filter((line) => line !== '');
      case 'field':
        return fieldLines({ ...place, part });
      case 'row':
        if (isBlankTable(section.parts)) return [];
        return [
          `${blockSeparator(section.parts, at)}${renderRow(part.raw, answers).replace(/\[x\]/gi, '[ ]')}`,
        ];
      case 'fence':
        return fenceLines({ ...place, part });
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
