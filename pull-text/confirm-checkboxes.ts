/** Decides which boxes of a checklist our facts confirm; boxes about a person stay open. */
import { isPassingEvidence, type CheckResult } from '#model/evidence';
import { isTest } from '#model/paths';
import { hasUnknownWord, isPersonalElsewhere } from './checkbox-words.ts';
import { isChangelog, isDoc, type ClaimGrounds } from './supported-claims.ts';
import { SIGNS } from './template-word-patterns.ts';
import { isPortuguese } from './text-languages.ts';

export type BoxFacts = ClaimGrounds & {
  baseRef: string;
  commits: number;
  title: string;
  titleKept: boolean;
  signedOff: boolean;
  claSigned: boolean;
  hasIssue: boolean;
  /** The description says more than the title. */
  hasDescription: boolean;
  /** Every check of the contract ran, and not only those that the change concerns. */
  wholeContract: boolean;
};

/** Only the sender can confirm these, or nobody can. */
const PERSONAL =
  /\bI(?:'ve| have)? (?:have )?(?:read|review|agree|understand|confirm|search|check(?:ed)? (?:that|my|for)|self|perform|follow|certif|am\b|will\b|discuss|ask|consider|look)|\bself[- ]review|\bread the\b|\bagree\b|\bguidelines?\b|\bfollow(?:s|ed|ing)?\b.{0,40}\b(?:style|standards?|conventions?|guide|checklist|recommendations|process)\b|\bfully reviewed\b|\bexplain|\bdescri(?:be|ption)|\breviewed\b|\bmanual(?:ly)?\b|\bscreen ?shots?\b|\bfail(?:s)? without\b|\bno warnings?\b|\bcompatib|\bsecurity\b|\bnot (?:needed|applicable|required)\b|\bno (?:new )?(?:warnings|breaking|commented)\b|\bcomment(?:s|ed)\b.{0,40}\bcode\b|\bdownstream\b/i;

const UNMEASURED =
  /\b(?:windows|linux|mac ?os|android|ios|safari|firefox|chrome|edge|platforms?|browsers?|devices?|environments?|operating systems?)\b|\d ?%|\b(?:percent|coverage|integration|e2e|end[- ]to[- ]end|performance|benchmarks?|accessib\w+|locali[sz]\w+|translat\w+|edge cases?|thorough\w*|proper(?:ly)?|meaningful|sufficient\w*|adequate\w*|comprehensive|fully|every|prove[sn]?|effective|regressions?|user[- ]facing|up[- ]to[- ]date|production|staging|by hand|locally tested|rebased|latest|conflicts?|deploy\w*|backport\w*|ci|continuous integration|pipelines?|approved|accepted|maintainers?|discord|slack|video|recording|gif)\b/i;
const ALL_OF_THEM = /\b(?:all|existing|whole|entire|full|complete|tod[oa]s)\b/i;

const hasPassingChecks = (checks: readonly CheckResult[], of: RegExp): boolean => {
  const such = checks.filter((c) => of.test(c.name) || of.test(c.command));
  return such.length > 0 && such.every(isPassingEvidence);
};
const allPassed = (checks: readonly CheckResult[]): boolean =>
  checks.length > 0 && checks.every(isPassingEvidence);

const TESTS =
  /\b(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|rspec|tox|nox|ctest|phpunit|surefire|verify)\b/i;
export const haveTestsPassed = (checks: readonly CheckResult[]): boolean => hasPassingChecks(checks, TESTS);
const LINTS = /\b(?:lint(?:s|er|ing)?|eslint|ruff|flake8|clippy|golangci|rubocop|pylint|biome|checkstyle)\b/i;
const FORMATS = /\b(?:format(?:ted|ting)?|fmt|prettier|black|gofmt|rustfmt|spotless)\b/i;
const TYPE_CHECK_WORDS = /\b(?:types?|type[- ]?check\w*|tsc|mypy|pyright)\b/i;
const BUILDS = /\b(?:build(?:s)?|compiles?)\b/i;
export const PASSES =
  /\b(?:pass(?:es|ed|ing)?|succeed|green|clean|no (?:tests? )?(?:failed|failures|errors)|run|ran|works?|is linted|are linted|linted|formatted)\b/i;

const plainCommand = (text: string): string =>
  text
    .trim()
    .replace(/^\$\s+/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const folderOf = (name: string): string =>
  name.replace(/ ?\b(?:lint|format|types|test|build|install)$/, '').replace(/^(?:check )?\d+$/, '');

const escapePattern = (text: string): string => text.replace(/[^\w]/g, '\\$&');
const wordPattern = (word: string, flags: string): RegExp =>
  new RegExp(`(?<![\\w./-])${escapePattern(word)}(?![\\w./-])`, flags);
const hasWord = (text: string, word: string): boolean => wordPattern(word, 'i').test(text);

const ranWholly = (label: string, name: string, { checks }: BoxFacts): boolean =>
  checks.some((c) => {
    const parts = [c.command, ...c.command.split('&&')].map(plainCommand);
    const folder = folderOf(c.name);
    // guard: F11-whole-command
    return (
      isPassingEvidence(c) && parts.includes(plainCommand(name)) && (folder === '' || hasWord(label, folder))
    );
  });

const haveNamedCommandsRun = (label: string, facts: BoxFacts): boolean | null => {
  const { files, baseRef } = facts;
  const spans = [...label.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner.trim());
  const commands = spans.filter(
    (s) =>
      s !== baseRef &&
      !files.some(({ path }) => path === s || path.endsWith(`/${s}`)) &&
      !/\.\w+$|^\.\./.test(s),
  );
  if (commands.length === 0) return null;
  return commands.every((name) => ranWholly(label, name, facts));
};

const hasChangedFile = ({ files }: BoxFacts, is: (path: string) => boolean): boolean =>
  files.some((f) => f.added > 0 && is(f.path));

const isReadme = (path: string): boolean => /(?:^|\/)readme[^/]*$/i.test(path);
const inNamedFolders = (facts: BoxFacts, label: string): boolean =>
  [...label.matchAll(/`(?:\.\/)?([\w.-]+(?:\/[\w.-]+)*)\/`/g)].every(([, folder = '']) =>
    hasChangedFile(facts, (path) => path.startsWith(`${folder}/`) || path.includes(`/${folder}/`)),
  );

/** A file that the box names, as `NEWS.md`, is the one that changed. */
const NAMED_FILE =
  /(?<![\w/:.-])[\w-]+(?:\/[\w.-]+)*\.(?:md|rst|txt|adoc|json|toml|ya?ml|[jt]sx?|py|rb|go)\b/gi;
const namesChangedFiles = (facts: BoxFacts, label: string): boolean =>
  [...label.replace(/\]\([^)]*\)|https?:\S+/g, ' ').matchAll(NAMED_FILE)].every(([name]) =>
    hasChangedFile(facts, (path) => `/${path}`.toLowerCase().endsWith(`/${name.toLowerCase()}`)),
  );

const hasEntry = (facts: BoxFacts, label: string): boolean => {
  // guard: F11-named-folder
  return hasChangedFile(facts, isChangelog) && inNamedFolders(facts, label);
};

export const ADDS =
  /\bthere (?:is|are)\b|\b(?:add(?:s|ed)?|includ(?:e[sd]?|ing)|contains?|has|have|updat(?:e[sd]?|ing)|provid(?:e[sd]?)|writ(?:e|ten)|wrote|new|cover(?:s|ed)?|made corresponding|extended|exists?|reflects?)\b/i;

const OTHER_TRACKER =
  /\b(?:jira|linear|trello|asana|bugzilla|trac|youtrack|redmine|zendesk|forum|roadmap|milestone|label\w*|assigned|triaged)\b/i;

type BoxRow = readonly [RegExp, (facts: BoxFacts, label: string) => boolean];

const PULL_ROWS: readonly BoxRow[] = [
  [/\bsigned?[- ]?off\b|\bDCO\b|developer certificate/i, (f) => f.signedOff],
  [/\bCLA\b|contributor licen[cs]e/i, (f) => f.claSigned],
  [/\b(?:single|one) commit\b|\bsquashed?\b/i, (f) => f.commits === 1],
  [/\bconventional[- ]commits?\b/i, (f) => f.titleKept && f.commits === 1],
  [
    /\bchange ?log\b|\bchangeset\b|\bnews ?fragment\b|\brelease notes?\b|\b(?:CHANGES|HISTORY|NEWS)\b/,
    (f, label) => hasEntry(f, label),
  ],
  [
    /\b(?:link(?:ed|ing|s)?|references?|referenc(?:ed|ing)|mention(?:s|ed|ing)?|closes|fixes|auto-closes?|relat\w+)\b.{0,40}\bissues?\b|\bissues?\b.{0,30}\b(?:linked|referenced|exists?)\b/i,
    (f, label) => f.hasIssue && !/#\d|issues\/\d/.test(label) && !OTHER_TRACKER.test(label),
  ],
  [
    /\b(?:target(?:s|ed|ing)?|against|based on|base branch|opened? against)\b/i,
    (f, label) =>
      hasWord(label, f.baseRef) &&
      !new RegExp(
        `\\b(?:not|never|instead of|rather than|other than)\\b.{0,20}${escapePattern(f.baseRef)}`,
        'i',
      ).test(label),
  ],
];

const DESCRIBES =
  /^[^\p{L}]*(?:I(?:['’]ve| have)? )?(?:add(?:ed)?|includ(?:ed?)|provid(?:ed?)) a (?:clear |short |brief |human-readable )?description(?: of (?:what )?(?:the|this|my) (?:changes?|pull request|PR|fix)(?: does| do| is trying to accomplish)?)?[^\p{L}]*$/iu;
const FROM_BRANCH =
  /^[^\p{L}\p{N}]*(?:I(?:['’]ve| have)? )?(?:created?|made?) (?:your|my|the|this|a) branch from [`'"]?([\w./-]+?)[`'".]*$/iu;

/** Tests of the change passed here, and were not green before it; others may never reach it. */
const isChangeTested = ({ checks }: BoxFacts): boolean =>
  haveTestsPassed(checks) &&
  checks.some(({ withTestsOnBase: tried }) => tried === 'fails' || tried === 'does_not_load');

const CHANGE_ROWS: readonly BoxRow[] = [
  [
    /\bdoc(?:s|umentation|umented)?\b|\breadme\b/i,
    (f, label) =>
      ADDS.test(label) &&
      !TESTS.test(label) &&
      !/\bwww\.|https?:/.test(label) &&
      hasChangedFile(f, /\breadme\b/i.test(label) ? isReadme : isDoc) &&
      inNamedFolders(f, label),
  ],
  [
    TESTS,
    (f, label) => {
      const green = haveTestsPassed(f.checks);
      if (/^\W*(?:unit )?tests?\W*$/i.test(label)) return hasChangedFile(f, isTest) && green;
      if (ADDS.test(label) && !/\b(?:existing|all)\b/i.test(label))
        return hasChangedFile(f, isTest) && green && inNamedFolders(f, label);
      return PASSES.test(label) && green && !/\b(?:integration|e2e|end[- ]to[- ]end)\b/i.test(label);
    },
  ],
  [LINTS, (f, label) => PASSES.test(label) && hasPassingChecks(f.checks, LINTS)],
  [FORMATS, (f, label) => PASSES.test(label) && hasPassingChecks(f.checks, FORMATS)],
  [TYPE_CHECK_WORDS, (f, label) => PASSES.test(label) && hasPassingChecks(f.checks, TYPE_CHECK_WORDS)],
  [BUILDS, (f, label) => PASSES.test(label) && hasPassingChecks(f.checks, BUILDS)],
  [/\bchecks?\b.{0,20}\bpass/i, (f) => allPassed(f.checks)],
];

const splitClaims = (label: string): string[] =>
  label.split(
    /,? \band\b (?=(?:is|are|has|all|it|docs?|documentation|tests?|lint|updated?|added?|link\w*|mention\w*|referenc\w*|clos\w*)\b)/i,
  );

const SHOWN_BY_RED =
  /\btests?\b.{0,40}\bfail(?:s|ed)?\b.{0,20}\b(?:without|before)\b.{0,40}|\btests?\b.{0,20}\bprove[sn]?\b.{0,40}\b(?:effective|works?)\b.*/i;
const withoutSpans = (label: string): string => label.replace(/`[^`]*`/g, '');
/** Deny nothing, although each has a word that alone would. */
const CONFIRMING =
  /\b(?:with )?no (?:errors|failures)\b|\bwithout (?:any )?(?:errors|failures)\b|\bcannot be merged unless\b/gi;
/** Folders of checks are known words: which of them ran is asked with the command. */
const withoutFolders = (text: string, { checks }: BoxFacts): string =>
  checks
    .map(({ name }) => folderOf(name))
    .filter((folder) => folder !== '')
    .reduce((rest, folder) => rest.replace(wordPattern(folder, 'gi'), ' '), text);
const saysMore = (label: string, baseRef?: string): boolean =>
  hasUnknownWord(label.replace(CONFIRMING, ' '), baseRef);

/** Said of a change that adds code; a change without tests leaves the box open. */
const IF_CODE_IS_TESTED =
  /^if you(?:['’]ve| have) (?:fixed a bug or )?(?:added|changed) code that should be tested, /i;

/** It denies nothing there: `no changelog` is “in the changelog”. */
const withoutPortugueseNo = (label: string): string =>
  isPortuguese(label, 2) ? label.replace(/\bno\b/gi, 'em') : label;
const DENIES_SOMETHING = /\b(?:no|not|none|never|without)\b|n['’]t\b|(?<!\p{L})não(?!\p{L})/iu;
/** `An entry was added / no entry is needed` holds where the first half does. */
export const withoutDeniedHalf = (label: string): string => {
  const [first = '', ...others] = label.split(/ \/ (?=\S+ \S)/);
  const [denied, kept] = [others.join(' '), withoutPortugueseNo(first)];
  return others.length === 1 && DENIES_SOMETHING.test(denied) && !DENIES_SOMETHING.test(kept) ? first : label;
};

/** No reason of an agent ticks what only a person can say, or nobody can measure. */
export const isClaimable = (label: string, facts: BoxFacts): boolean => {
  // guard: F11-other-languages-open
  if (isPersonalElsewhere(label)) return false;
  // guard: F11-named-command-alone
  if (haveNamedCommandsRun(label, facts) === false || !namesChangedFiles(facts, label)) return false;
  return (
    !PERSONAL.test(label) &&
    !UNMEASURED.test(label) &&
    !/\bbreaking\b|\bdeprecat/i.test(label) &&
    !DENIES_SOMETHING.test(withoutPortugueseNo(label)) &&
    (!ALL_OF_THEM.test(label) || facts.wholeContract)
  );
};

export const isCheckboxConfirmed = (box: string, facts: BoxFacts): boolean => {
  const label = withoutDeniedHalf(box.replace(IF_CODE_IS_TESTED, ''));
  if (/\bbreaking\b|\bdeprecat/i.test(label)) return false;
  const named = haveNamedCommandsRun(label, facts);
  if (named !== null && PASSES.test(label))
    return (
      named &&
      !saysMore(withoutFolders(withoutSpans(label), facts)) &&
      !UNMEASURED.test(withoutSpans(label)) &&
      !PERSONAL.test(withoutSpans(label).replace(/\bI(?:'ve| have)? (?:run|ran)\b/i, ''))
    );
  if (DESCRIBES.test(label)) return facts.hasDescription;
  const from = FROM_BRANCH.exec(label)?.[1];
  if (from !== undefined) return from === facts.baseRef;
  // guard: F11-tested-by-its-tests
  if (SIGNS.testedHere.test(label)) return isChangeTested(facts);
  if (SHOWN_BY_RED.test(label)) {
    const rest = label.replace(/\b(?:prove[sn]?|effective|fail(?:s|ed)?|without)\b/gi, '');
    const isRed = facts.checks.some((c) => c.withTestsOnBase === 'fails');
    return (
      isRed &&
      hasChangedFile(facts, isTest) &&
      !PERSONAL.test(rest) &&
      !UNMEASURED.test(rest) &&
      !saysMore(rest)
    );
  }
  // guard: F11-unmeasured-stays-open
  if (PERSONAL.test(label) || UNMEASURED.test(label)) return false;
  if (ALL_OF_THEM.test(label) && !facts.wholeContract) return false;
  // guard: F11-named-file
  if (!namesChangedFiles(facts, label)) return false;
  const all = splitClaims(label);
  return all.every((one) => {
    const row = [...PULL_ROWS, ...CHANGE_ROWS].find(([says]) => says.test(one));
    // guard: F11-whole-label
    if (saysMore(one.replace(NAMED_FILE, ' '), facts.baseRef)) return false;
    return row?.[1](facts, all.length > 1 ? label : one) ?? false;
  });
};
