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

const SIMILAR_CHANGE_TYPES: Readonly<Partial<Record<ChangeType, readonly ChangeType[]>>> = {
  perf: ['refactor'],
  style: ['refactor'],
  build: ['ci'],
  ci: ['build'],
  dependencies: ['build'],
};

export const isBox = (part: SectionPart): part is Extract<SectionPart, { kind: 'box' }> =>
  part.kind === 'box';

const continuationOf = (parts: readonly SectionPart[], at: number): string[] => {
  const below = parts.slice(at + 1);
  const end = below.findIndex((part) => part.kind !== 'prose' || !part.continues);
  return below.slice(0, end < 0 ? undefined : end).map(({ raw }) => raw.trimEnd());
};
const wholeLabel = (parts: readonly SectionPart[], at: number, label: string): string =>
  [label, ...continuationOf(parts, at).map((line) => line.trim())].join(' ');

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
  const label = (b: (typeof all)[number] | undefined): string =>
    b === undefined ? '' : wholeLabel(parts, parts.indexOf(b), b.label);
  const found = overclaims(label(all[named]), answers) ? -1 : named;
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
      : [boxLine(b.raw, at === ticked), ...continuationOf(parts, parts.indexOf(b)).map(continuation)],
  );
};

const USED_AI = /\b(?:used|generated|assisted|written|created|yes)\b/i;
const OF_LESS =
  /\b(?:no|not|none|without|if|review\w*|verif\w*|understand|I|humans?|person|people|myself|hand|manual\w*|only|just|solely|partial\w*|partly|some|minor|minimal|small|autocomplet\w*|translat\w*|brainstorm\w*|research\w*|grammar|spell\w*|proof\w*|ideas?|learn\w*|debug\w*)\b/i;
const NAMED_TOOLS =
  /\b(?:copilot|claude|codex|chatgpt|gpt[\w.-]*|gemini|cursor|windsurf|devin|aider|opencode|cline|cody|jules)\b/gi;
const namesAnotherTool = (label: string, engine: string): boolean => {
  const named = label.replace(/\(?\b(?:e\.g\.?|such as|like)[^)]*/gi, ' ').match(NAMED_TOOLS) ?? [];
  return named.length > 0 && !named.some((one) => one.toLowerCase() === engine);
};
const discloses = (name: string, label: string, { engine, facts: { files } }: TemplateAnswers): boolean => {
  const some = (is: (path: string) => boolean): boolean => files.some((f) => is(f.path));
  // guard: F11-ai-answered-truly
  if (engine === null || OF_LESS.test(label) || namesAnotherTool(label, engine)) return false;
  if (/^\W*yes\W*$/i.test(label) && (OF_LESS.test(name) || /\bfree\b/i.test(name))) return false;
  if (/\bdoc(?:s|umentation)\b/i.test(label) && !some(isDoc)) return false;
  return USED_AI.test(label) && (!/\btests?\b/i.test(label) || some(isTest));
};
const PLACEHOLDER = /^\W*test (?:[a-z]|\d+|case \d+)\W*$/i;

const madeByAgent = (label: string, files: BoxFacts['files']): boolean | null => {
  const some = (is: (path: string) => boolean): boolean => files.some((f) => is(f.path));
  if (/^\W*code generation\b/i.test(label)) return some((p) => !isTest(p) && !isDoc(p));
  if (/^\W*tests?\b.{0,20}\bgeneration\b/i.test(label)) return some(isTest);
  return /^\W*documentation\b/i.test(label) ? some(isDoc) : null;
};

const isTicked = (
  { name }: TemplateSection,
  kind: SectionKind,
  label: string,
  answers: TemplateAnswers,
): boolean => {
  const plain = label.replace(/[*_]/g, '');
  if (kind === 'breaking' && /^\W*yes\b/i.test(plain)) return answers.breaking !== '';
  if (kind === 'breaking' && /^\W*no\b/i.test(plain)) return answers.breaking === '' && answers.harmless;
  if (kind === 'disclosure') {
    const made = madeByAgent(plain, answers.facts.files);
    return made === null ? discloses(name, plain, answers) : made && answers.engine !== null;
  }
  return boxHolds(label, answers.facts) || answers.claims.ticks(label);
};

const ISSUE_PLACEHOLDER = /#(?:x{2,}|n{2,}|issue[\w-]*|_+)(?:\s*\(.*\))?\s*$|#\s*$/i;

const KEYWORD =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|references?|related(?: to)?|addresses|part of)\b/gi;

/** F11: the template's closing word stands only before an issue that a person closes. */
const keyed = (word: string, issue: string, closes: ReadonlySet<string>): string =>
  isClosingWord(word) && !closes.has(issue) ? issue : `${word} ${issue}`;

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

const prose = (raw: string): string => neutraliseText(raw).replace(/\[x\]/gi, '[ ]');

const continuation = (raw: string): string =>
  /^ {2}/.test(raw) ? prose(raw).trimEnd() : `  ${prose(raw).trim()}`;

const yes = (is: boolean): string => (is ? 'yes' : 'no');

const ASKS_BRANCH = /^\W*(?:target |base )?branch\W*$/i;

const cellFor = (label: string, answers: TemplateAnswers): string | null => {
  const { type, issues, closes, breaking, harmless, note, facts, docs, engine } = answers;
  if (ASKS_BRANCH.test(label)) return /^[\w./-]+$/.test(facts.baseRef) ? facts.baseRef : null;
  if (/\b(?:AI|LLMs?|copilot|agents?)\b.*\b(?:used?|generated|assist\w*|written)\b/i.test(label))
    return engine === null ? null : 'yes';
  if (/\bbug ?fix\b/i.test(label)) return yes(type === 'fix');
  if (/\bfeature\b/i.test(label)) return yes(type === 'feature');
  if (/\brefactor/i.test(label)) return yes(type === 'refactor');
  if (/\bbreak|\bBC\b/i.test(label)) return breaking !== '' ? 'yes' : harmless ? 'no' : 'none known';
  if (/\bdeprecat/i.test(label)) return yes(/^\+.*deprecat/im.test(facts.patch));
  if (/\btests? (?:pass|added)/i.test(label)) return yes(boxHolds(label.replace(/\?/, ''), facts));
  if (/\b(?:issues?|tickets?|fix(?:es|ed)?)\b/i.test(label))
    return issues.length > 0 ? issues.map((one) => keyed('Fix', one, closes)).join(', ') : 'none given';
  if (/\bdocs?\b|\bdocumentation\b/i.test(label)) return docs === '' ? null : docs;
  if (/\benglish\b|\bchange ?log\b|\brelease note/i.test(label)) return note === '' ? null : note;
  return null;
};

const REFERENCES = String.raw`(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? )?(?:[\w.-]+\/[\w.-]+)?#[.…xn\d]*`;
const OPEN_CELL = new RegExp(
  String.raw`^(?:|yes ?\/ ?no|no ?\/ ?yes|y ?\/ ?n|[✔✅☑✓]\ufe0f? ?\/ ?[✖❌✗✘]\ufe0f?|${REFERENCES}(?:, ?${REFERENCES})*|-|\.\.\.|…)$`,
  'iu',
);
const ANSWERED_CELL = /^(?:yes|no|y|n|true|false|ok|done|[✔✅☑✓✖❌✗✘👍]\ufe0f?)[.!]?$/iu;

const row = (raw: string, answers: TemplateAnswers): string => {
  const piped = raw.trimStart().startsWith('|');
  const cells = raw
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
  const [label = '', ...rest] = cells;
  if (/^:?-+:?$/.test(label) || rest.length === 0) return neutraliseText(raw).trimEnd();
  const isQuestion = /[?？]\s*$|^\W*(?:I|we)\b/i.test(label);
  const open = rest.findIndex(
    (cell) =>
      // An example in the template would claim what nobody answered.
      ASKS_BRANCH.test(label) || OPEN_CELL.test(cell) || (isQuestion && ANSWERED_CELL.test(cell)),
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

const CLAIMS_IN_PROSE =
  /\b(?:I|we)\b(?:['’]ve\b)?.{0,60}\b(?:tested|wrote|written|read|reviewed|verified|ran|run|checked|followed|searched|understand|used|authors?)\b|\btests? (?:pass|passed|are green|succeed)\b|\b(?:no|without|not use)\b.{0,12}\b(?:AI|LLMs?)\b|^\W*[a-z]+(?:-[a-z]+)*-by:/i;

const KEEPS: readonly SectionKind[] = ['checks', 'maintainer', 'unknown'];

export const partLines = (
  section: TemplateSection,
  kind: SectionKind,
  answers: TemplateAnswers,
): string[] => {
  if (kind === 'type' && section.parts.some(isBox)) return typeBoxes(section, answers);
  return section.parts.flatMap((part, at): string[] => {
    switch (part.kind) {
      case 'box': {
        if (kind === 'tests' && PLACEHOLDER.test(part.label)) return [];
        if (kind !== 'maintainer' && ISSUE_PLACEHOLDER.test(part.label) && answers.issues.length > 0) {
          const isTrue = !isClosingWord(part.label) || answers.issues.every((one) => answers.closes.has(one));
          return isTrue
            ? [`${boxLine(part.raw.replace(ISSUE_PLACEHOLDER, ''), true)} ${answers.issues.join(', ')}`]
            : [boxLine(part.raw, false)];
        }
        // guard: F11-all-lines-of-a-box
        const label = wholeLabel(section.parts, at, part.label);
        return [boxLine(part.raw, kind !== 'maintainer' && isTicked(section, kind, label, answers))];
      }
      case 'prose': {
        if (isBelowBox(section.parts, at) || section.told) return [];
        const leads = section.parts.slice(at + 1).find((p) => p.kind !== 'prose')?.kind === 'box';
        const told = /\b(?:delete|remove|put an|mark|tick|check (?:the|all|any|one|only)|add an)\b/i.test(
          part.raw,
        );
        if (part.continues) return [continuation(part.raw)];
        // guard: F11-no-claims-in-prose
        if (CLAIMS_IN_PROSE.test(part.raw)) return [];
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
