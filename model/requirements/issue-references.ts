/** Finds the issues that a text names or closes (F9). */
const REPOSITORY = String.raw`[A-Za-z\d][\w.-]*\/[\w.-]*\w`;
const NUMBER = String.raw`[1-9]\d{0,8}\b`;
const ADDRESS = String.raw`https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/[\w.-]+){2,5}\/issues\/\d+\b`;
const FOLDER_NAME = String.raw`(?:src|libs?|pkgs?|packages|tests?|docs?|apps?|cmd|internal|core|modules|crates|examples|scripts)\/`;
const OTHER_PLACE = String.raw`(?: (?:in|of|from|at|on) [\x60"']?(?!${FOLDER_NAME})(${REPOSITORY})(?<!\.(?:ts|tsx|py|rs|go|md|rst|c|h|cc|cpp|java|kt|rb|php|toml|ya?ml|json))(?![\w/-]))?`;
const REFERENCE = new RegExp(
  String.raw`(?:(?<![\w&/.-])(${REPOSITORY})|(?<![\w&/.-])(?:[Gg][Hh])?)(#${NUMBER})${OTHER_PLACE}|(?<![^\s(<])(${ADDRESS})`,
  'g',
);
const OTHER_NUMBER = /\b(?:colou?rs?|background|hex|heading|chapter|step|rule|line|column)\W{0,3}$/i;

const CODE_OR_QUOTE =
  /^ {0,3}(?=(`{3,}|~{3,}))\1[^\n]*\n[^]*?(?:^ {0,3}\1|$(?![^]))|`[^`\n]*`|^ {0,3}>.*$|<!--[^]*?(?:-->|$(?![^]))/gm;
const withoutCode = (text: string): string =>
  text.replace(CODE_OR_QUOTE, (code) => code.replace(/[^\n]/g, '\u0001'));

type NamedIssue = { ref: string; from: number; to: number };

const findNamedIssues = (text: string): NamedIssue[] =>
  [...withoutCode(text).matchAll(REFERENCE)].flatMap(
    ({ 0: all, 1: repo, 2: number, 3: other, 4: address, index }) => {
      if (address === undefined && OTHER_NUMBER.test(text.slice(Math.max(0, index - 16), index))) return [];
      return [
        { ref: address ?? `${repo ?? other ?? ''}${number ?? ''}`, from: index, to: index + all.length },
      ];
    },
  );

export const findIssueReferences = (text: string): string[] =>
  [...new Set(findNamedIssues(text).map(({ ref }) => ref))].slice(0, 5);

const CLOSING_WORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b/i;
export const isClosingWord = (text: string): boolean => CLOSING_WORD.test(text);

const BEFORE_ISSUE = /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]{1,3}[*_[]{0,3}$/i;
const MEANT =
  /(?:^|[.!?;:,(\n。，；：！？（、]|\s[-–—*+]|\b(?:and|this|it|which|that|also|please|will|change|commit|patch|pr|pull request))[\s*_]{0,20}$/i;
const DOUBTED =
  /\b(?:not|never|no|cannot|without|nothing|nobody|partial\w*|partly|part of|may|might|could|should|would|if|whether|unclear|unsure|does|did|the (?:commit|change|patch|pr|pull request) (?:that|which)|un(?:less|til)|before|after|once)\b[^.!?\n]*$|n['’]t\b[^.!?\n]*$/i;
const TAKEN_BACK =
  /^\W{0,3}(?:\?|partial\w*|partly|in part\b|only\b|in another\b|for (?:now|some)\b)|^[^.!\n]{0,40}\?/i;

/** `Handle flags without a value (fixes #12)`: doubts before the parenthesis are of something else. */
const OWN_CLAUSE =
  /(?<!\b(?:not|never|no|nothing|nobody|cannot|only|partially|partly|if|whether)\s{0,3})\(\s{0,3}$/i;

const CLAUSE_LENGTH = 120;
const findClosingWord = (
  text: string,
  { ref, from, to }: NamedIssue,
): { word: string; meant: boolean } | null => {
  const before = text.slice(Math.max(0, from - CLAUSE_LENGTH), from);
  const word = BEFORE_ISSUE.exec(before);
  if (!word) return null;
  const lead = before.slice(0, word.index);
  const elsewhere = !text
    .slice(from, to)
    .replace(/^gh(?=#)/i, '')
    .startsWith(ref);
  const meant =
    MEANT.test(lead) &&
    (OWN_CLAUSE.test(lead) || !DOUBTED.test(lead)) &&
    !TAKEN_BACK.test(text.slice(to, to + 60)) &&
    !elsewhere;
  return { word: word[1] ?? '', meant };
};

/** F11: closing words that the person wrote, by issue. */
export const closingWords = (text: string): ReadonlyMap<string, string> => {
  const closed = new Map<string, string>();
  for (const named of findNamedIssues(text)) {
    const said = findClosingWord(text, named);
    // guard: F11-closing-is-the-persons
    if (said?.meant && !closed.has(named.ref))
      closed.set(named.ref, `${said.word.charAt(0).toUpperCase()}${said.word.slice(1)} ${named.ref}`);
  }
  return closed;
};

const CLOSING_REFERENCE = new RegExp(
  String.raw`\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?::?[\s*_]{1,9})(?=[*_[]{0,3}((?:${REPOSITORY})?#${NUMBER}|gh-${NUMBER}|${ADDRESS}))`,
  'gi',
);
/** F11: a code host reads `not fix #12` as closing; `not fix issue #12` closes nothing. */
export const withoutUnmeantClosing = (text: string): string => {
  const meant = closingWords(text);
  // guard: F11-unmeant-disarmed
  return text.replace(CLOSING_REFERENCE, (all, ref: string) => (meant.has(ref) ? all : `${all}issue `));
};

/** F11: what the order asks to close surprises nobody; the same issue by another name still does. */
export const withoutAskedClosing = (text: string, asked: readonly string[]): string => {
  if (asked.length === 0) return text;
  // guard: F11-only-asked-closing
  return text.replace(CLOSING_REFERENCE, (all, ref: string) => (asked.includes(ref) ? '' : all));
};

const CLOSING_NOTE = new RegExp(
  String.raw` {1,3}\((?:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? {1,3}(?:(?:${REPOSITORY})?#${NUMBER}|${ADDRESS})|${ADDRESS})\)(?=[.!]?(?:\s|$))`,
  'gi',
);
/** `… (fixes #12)` as a note of its own: the description names the issue in a sentence. */
export const withoutClosingNotes = (text: string): string => text.replace(CLOSING_NOTE, '');

export const formatClosedIssues = (text: string, issues: readonly string[]): string => {
  const closed = closingWords(text);
  return issues.map((ref) => closed.get(ref) ?? ref).join(', ');
};
