/** Builds a pull request's body from facts, and from words that facts confirm (F9, G7). */
import { matchesTitleFormat, type Contract } from '#model/contract';
import type { CheckResult } from '#model/evidence';
import type { Commit, FileChange } from '#model/change';
import { isCi, isLockfile, isManifest, isTest, pathsOf } from '#model/paths';
import type { Order } from '#model/order';
import { EMPTY_REPORT, type ReportedChange } from '#model/agent';
import { formatCount } from '#model/values';
import {
  formatClosedIssues,
  closingWords,
  findIssueReferences,
  withoutUnmeantClosing,
  type RequirementAnswers,
} from '#model/requirements';
import { clipText, codeSpan, neutraliseDescription, neutralisePersonalText } from '#text-safety';
import {
  selectTextBeyondTitle,
  isSameAsTitle,
  withoutTitledAct,
  withoutTitledFault,
  withoutType,
  normaliseTitleWords,
} from './beyond-title.ts';
import { findChangedTests } from './changed-tests.ts';
import { describeChangedTests, describeCheckEvidence, describeCautions } from './describe-evidence.ts';
import { evidenceWordingFor, type EvidenceWording } from './evidence-wording.ts';
import { componentOf, keepsTitleRule, changeTypeOf } from './commit-subjects.ts';
import {
  firstSentence,
  isTask,
  selectSentences,
  toTaskStatement,
  removeAgentInstructions,
} from './order-sentences.ts';
import { isDoc, selectSubject, selectSupportedSentences, type ClaimGrounds } from './supported-claims.ts';
import { parseQuestionAnswers, findOpenQuestions } from './template-questions.ts';
import { selectProvenClaims } from './template-claims.ts';
import { fillTemplate, templateSectionKinds, type TemplateAnswers } from './fill-template.ts';

export { Receipt, findReceipt, readReceipt, withoutReceipt, withReceipt } from './receipt.ts';
export * from './commit-subjects.ts';

const formatSize = (file: FileChange): string => (file.binary ? 'binary' : `+${file.added} −${file.deleted}`);

/** An approval is known, and not that the approver read the code. */
const composeDisclosure = (
  { engine }: Order,
  { ownWords, byGit, answered }: { ownWords: boolean; byGit: boolean; answered: boolean },
  { madeBy, approved }: EvidenceWording,
): string => {
  const made = byGit ? madeBy.revert : engine === 'script' ? madeBy.script : madeBy.agent(codeSpan(engine));
  return `${made}${approved[ownWords ? 'described' : answered ? 'answered' : 'plain']}`;
};

const listOf = (files: readonly FileChange[]): string =>
  files
    .slice(0, 6)
    .map((f) => `${codeSpan(f.path)} (${formatSize(f)})`)
    .join(', ') + (files.length > 6 ? ` and ${files.length - 6} more` : '');

const sortBySize = (files: readonly FileChange[]): FileChange[] =>
  [...files].sort((a, b) => b.added + b.deleted - a.added - a.deleted);

const MIN_GUIDED_FILES = 4;
const whereToBegin = (files: readonly FileChange[]): string => {
  if (files.length < MIN_GUIDED_FILES) return '';
  const source = sortBySize(files.filter((f) => !isTest(f.path) && !isDoc(f.path) && !isLockfile(f.path)));
  const tests = sortBySize(files.filter((f) => isTest(f.path)));
  if (source.length === 0 && tests.length === 0) return `All of it is in ${listOf(files)}.`;
  if (source.length === 0) return `Only tests are changed: ${listOf(tests)}.`;
  return `The change is in ${listOf(source)}${tests.length > 0 ? `; its tests are in ${listOf(tests)}` : ''}.`;
};

const isHarmless = (files: readonly FileChange[]): boolean =>
  files.length > 0 && files.every((f) => isTest(f.path) || isDoc(f.path) || isCi(f.path));

type BodyInput = {
  order: Order;
  contract: Contract | null;
  commit: Commit;
  checks: readonly CheckResult[];
  summary: string;
  said?: ReportedChange;
  additions?: readonly string[];
  /** Summaries of fixes since the opening, oldest first. */
  fixes?: readonly string[];
  made?: readonly string[];
  steps?: readonly string[];
  patch?: string;
  commits?: number;
  baseRef?: string;
  title?: string;
  /** A user's text in place of the agent's. */
  description?: string | null;
  answers?: RequirementAnswers;
  reverted?: { commit: string; clean: boolean };
};

/** What neither the title nor the description of the change says already. */
const goalBeyondTitle = (goal: string, title: string, what: string): string => {
  const first = firstSentence(goal);
  const rest = goal
    .trim()
    .slice(first.length)
    .replace(/^[.\s]+/, '');
  // The change is told already, so an order to make it says nothing more.
  const shown = isTask(first) || title.toLowerCase().includes(first.slice(0, 40).toLowerCase().trim());
  const said = normaliseTitleWords(what);
  const left = selectSentences(
    shown ? rest : goal,
    (sentence) => !said.includes(normaliseTitleWords(sentence)),
  );
  return clipText(left, 1_000);
};

type Words = { what: string; why: string };

const endSentence = (text: string): string =>
  text === '' || /[.!?…:`)。！？]$/.test(text)
    ? text
    : `${text}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? '。' : '.'}`;

const neutraliseOwnWords = (text: string): string => withoutUnmeantClosing(neutralisePersonalText(text));

const formatFixList = (made: readonly string[]): string =>
  [`${formatCount(made.length, 'fix', 'fixes')} in this pull request:`, '']
    .concat(made.map((title) => `- ${endSentence(neutraliseOwnWords(clipText(title, 200)))}`))
    .join('\n');

const stepLines = (steps: readonly string[], known: ClaimGrounds): string =>
  steps
    .map((step) => selectSupportedSentences(step, known, 'change'))
    .filter(Boolean)
    .map((line) => `- ${endSentence(neutraliseDescription(line))}`)
    .join('\n');

const revertLine = ({ order: { reverts }, reverted }: BodyInput): string =>
  reverts && reverted
    ? `Reverts ${reverts.url}, which was merged as ${codeSpan(reverted.commit.slice(0, 12))}.`
    : '';

const wordsFrom = (input: BodyInput, known: ClaimGrounds, title: string): Words => {
  const { order, said = EMPTY_REPORT, summary, description = null, answers = {} } = input;
  const own = description ?? answers.words ?? null;
  const line = revertLine(input);
  const appendToLine = (text: string): string => [line, text].filter(Boolean).join('\n\n');
  if (own !== null) return { what: appendToLine(withoutUnmeantClosing(own.trim())), why: '' };
  if (line !== '')
    return {
      what: appendToLine(
        endSentence(neutraliseDescription(selectSupportedSentences(said.what ?? summary, known, 'change'))),
      ),
      why: neutraliseDescription(selectSupportedSentences(said.why, known, 'reason')),
    };
  if (input.made && input.made.length > 0) return { what: formatFixList(input.made), why: '' };
  const goal = endSentence(
    neutraliseOwnWords(withoutType(clipText(removeAgentInstructions(order.goal), 1_500))),
  );
  if (input.steps && input.steps.length > 0)
    return {
      what: [goal, stepLines(input.steps, known)].filter(Boolean).join('\n\n'),
      why: neutraliseDescription(selectSupportedSentences(said.why, known, 'reason')),
    };
  const what = withoutType(selectSubject(said.what, summary, known));
  const why = selectSupportedSentences(said.why, known, 'reason');
  if (what === '') return { what: goal, why: neutraliseDescription(why) };
  return {
    what: endSentence(neutraliseDescription(what)),
    why:
      why === ''
        ? neutraliseOwnWords(goalBeyondTitle(removeAgentInstructions(order.goal), title, what))
        : neutraliseDescription(why),
  };
};

const formatHeadedList = (heading: string, texts: readonly string[], known: ClaimGrounds): string => {
  const lines = texts.map((text) => selectSupportedSentences(text, known, 'change')).filter(Boolean);
  return lines.length === 0
    ? ''
    : [heading, '', ...lines.map((line) => `- ${endSentence(neutraliseDescription(line))}`)].join('\n');
};

const hasOwnWords = ({ description, answers }: BodyInput): boolean =>
  (description ?? answers?.words ?? null) !== null;

const joinWords = (...words: string[]): string => words.filter(Boolean).join('\n\n');

const arrangeWords = (
  input: BodyInput,
  {
    title,
    known,
    breaking,
    wording,
  }: { title: string; known: ClaimGrounds; breaking: string; wording: EvidenceWording },
  { what: told, why }: Words,
): Pick<TemplateAnswers, 'what' | 'why' | 'isWhatTheTitle' | 'whatAndWhy' | 'untitled'> => {
  const { order, contract, additions = [], fixes = [] } = input;
  const own = hasOwnWords(input);
  // An order, or the title that stands above, is told as a sentence where nothing else is known.
  const isOrder = isSameAsTitle(firstSentence(told), firstSentence(removeAgentInstructions(order.goal)));
  const what = !own && (isOrder || (why === '' && isSameAsTitle(told, title))) ? toTaskStatement(told) : told;
  const apart = templateSectionKinds(contract?.template ?? '').has('breaking');
  const besides = [
    breaking === '' || apart ? '' : wording.breaking(endSentence(breaking)),
    own ? '' : formatHeadedList(wording.also, additions, known),
    formatHeadedList(wording.sinceOpened, fixes, known),
  ].filter(Boolean);
  const beyond = own
    ? what
    : selectTextBeyondTitle(
        isOrder ? toTaskStatement(withoutTitledFault(withoutTitledAct(told, title), title)) : what,
        title,
      );
  return {
    what: joinWords(what, ...besides),
    why,
    isWhatTheTitle: beyond === '' && besides.length === 0,
    whatAndWhy:
      beyond === '' && why !== '' ? joinWords(why, ...besides) : joinWords(beyond || what, ...besides, why),
    untitled: beyond === '' ? joinWords(why, ...besides) : joinWords(beyond, ...besides, why),
  };
};

const issueAnswers = ({
  order,
  description,
  answers = {},
}: BodyInput): Pick<TemplateAnswers, 'issues' | 'issueWords' | 'closes'> => {
  const named = [answers.issue ?? '', order.goal, order.title ?? '', description ?? ''];
  const found = findIssueReferences(named.join('\n'));
  const isUnread = answers.issue !== undefined && found.length === 0;
  const issues = isUnread ? [neutraliseOwnWords(answers.issue ?? '')] : found;
  const persons = [answers.issue ?? '', order.goal, description ?? ''].join('\n');
  return {
    issues,
    issueWords: formatClosedIssues(persons, issues),
    closes: new Set(closingWords(persons).keys()),
  };
};

const keepsContractTitle = (contract: Contract | null, title: string): boolean =>
  contract !== null &&
  contract.titleRule !== null &&
  keepsTitleRule(title, contract.titleRule) &&
  (contract.titleFormat === undefined || matchesTitleFormat(title, contract.titleFormat));

const factsFor = (
  { commit, checks, contract, answers = {}, baseRef = '', commits = 1 }: BodyInput,
  known: ClaimGrounds,
  {
    title,
    hasIssue,
    hasDescription,
  }: Pick<TemplateAnswers['facts'], 'title' | 'hasIssue' | 'hasDescription'>,
): TemplateAnswers['facts'] => ({
  ...known,
  baseRef,
  commits,
  title,
  titleKept: keepsContractTitle(contract, title),
  wholeContract: contract === null || contract.checks.every((c) => checks.some((r) => r.name === c.name)),
  signedOff: /^Signed-off-by: \S/m.test(commit.message),
  claSigned: answers.cla !== undefined,
  hasIssue,
  hasDescription,
});

const evidenceFor = (
  { order, contract, commit, checks, baseRef = '' }: BodyInput,
  wording: EvidenceWording,
): string =>
  describeCheckEvidence(checks, baseRef, {
    contract: order.checks.length > 0 ? null : contract,
    changed: commit.diff.files.flatMap(pathsOf),
    wording,
  });

const answersFor = (input: BodyInput, known: ClaimGrounds, title: string): TemplateAnswers => {
  const { order, commit, checks, said = EMPTY_REPORT, answers = {}, baseRef = '' } = input;
  const { files } = commit.diff;
  const paths = files.map((f) => f.path);
  const own = hasOwnWords(input);
  const confirm = (text: string | null): string =>
    own ? '' : neutraliseDescription(selectSupportedSentences(text, known, 'change'));
  const words = wordsFrom(input, known, title);
  const type = changeTypeOf(paths, order.goal, said.type);
  const breaking = confirm(said.breaking);
  const tested = confirm(said.tested);
  const isNews = !own && ['fix', 'feature'].includes(type);
  const issue = issueAnswers(input);
  const wording = evidenceWordingFor([title, words.what, words.why, tested].join('\n'));
  const arranged = arrangeWords(input, { title, known, breaking, wording }, words);
  const facts = factsFor(input, known, {
    title,
    hasIssue: issue.issues.length > 0,
    hasDescription: arranged.why !== '' || !arranged.isWhatTheTitle,
  });
  const changedTests = findChangedTests(commit.diff, known.patch);
  const cautions = describeCautions(checks, baseRef, changedTests, wording);
  const byGit = input.reverted?.clean === true;
  const listChanged = (is: (path: string) => boolean): string => listOf(files.filter((f) => is(f.path)));
  return {
    ...arranged,
    ...issue,
    tests: joinWords(tested, evidenceFor(input, wording), describeChangedTests(changedTests, wording)),
    cautions,
    type,
    breaking,
    harmless: isHarmless(files),
    note: confirm(said.note) || breaking || (isNews ? firstSentence(words.what) : ''),
    disclosure: composeDisclosure(
      order,
      { ownWords: own, byGit, answered: answers.template !== undefined },
      wording,
    ),
    wording,
    persons: new Map(),
    reviewer: whereToBegin(files),
    docs: listChanged(isDoc),
    dependencies: listChanged((path) => isManifest(path) || isLockfile(path)),
    engine: byGit || order.engine === 'script' ? null : order.engine,
    component: componentOf(paths),
    facts,
    claims: selectProvenClaims(said.template ?? [], facts, confirm),
  };
};

const formatFollowedTable = ({ follows = [] }: Order): string =>
  follows.length === 0
    ? ''
    : ['| Comes after | Stands |', '|---|---|']
        .concat(
          follows.map(({ url, commit, tag }) => {
            const out = tag === undefined ? '' : `, released as ${codeSpan(tag)}`;
            return `| ${url} | merged as ${codeSpan(commit.slice(0, 12))}${out} |`;
          }),
        )
        .join('\n');

const saysChecks = (text: string, checks: readonly CheckResult[]): boolean => {
  const ticked = text.split('\n').filter((line) => /^\s*[-*+] \[x\]/.test(line));
  return (
    checks.length > 0 &&
    checks.every(
      ({ command, outcome }) =>
        outcome === 'passed' && ticked.some((line) => line.includes(`\`${command}\``)),
    )
  );
};

const BARE_REFERENCE = /^(?:[\w./-]{0,100}#\d{1,12}|https?:\/\/\S{1,500})$/;
const isBareReference = (text: string): boolean =>
  text.split(/, | and /).every((one) => BARE_REFERENCE.test(one));

/** The sealed body, without its receipt, in the repository's template. */
export const pullBody = (input: BodyInput): string => {
  const { order, contract, commit, checks, patch = '', answers: people = {} } = input;
  const title = input.title ?? order.title ?? firstSentence(order.goal);
  const asked = [order.goal, order.title ?? '', input.description ?? '', ...Object.values(people)].join('\n');
  const known: ClaimGrounds = { files: commit.diff.files, patch, checks, asked };
  const answers = answersFor(input, known, title);
  const template = contract?.template ?? '';
  const unasked = fillTemplate(template, answers);
  const persons = parseQuestionAnswers(
    findOpenQuestions(template, unasked?.text ?? ''),
    people.template ?? '',
  );
  // guard: F9-answers-placed
  const filled = people.template === undefined ? unasked : fillTemplate(template, { ...answers, persons });
  const hasPlace = (kind: Parameters<ReadonlySet<string>['has']>[0]): boolean =>
    filled?.used.has(kind as never) ?? false;
  const { issueWords } = answers;
  const above =
    hasPlace('what') || hasPlace('why')
      ? [hasPlace('what') || answers.isWhatTheTitle ? '' : answers.what, hasPlace('why') ? '' : answers.why]
      : [answers.untitled];
  const named = [...above, filled?.text ?? ''].join('\n');
  const open = answers.issues.filter((ref) => !named.includes(ref));
  const below = [
    formatFollowedTable(order),
    // A number alone is no sentence.
    open.length === 0 ? '' : isBareReference(issueWords) ? answers.wording.see(issueWords) : `${issueWords}.`,
    hasPlace('tests') || (checks.length === 0 && answers.harmless)
      ? ''
      : saysChecks(filled?.text ?? '', checks)
        ? answers.cautions
        : `**${answers.wording.heading}**\n\n${answers.tests}`,
    hasPlace('disclosure') ? '' : answers.disclosure,
  ];
  return [...above, filled?.text ?? '', ...below].filter((block) => block.trim() !== '').join('\n\n');
};
