/** Names files with contribution rules, in order of precedence. */
import type { WorkType } from '#model/pull';

const DIRS = String.raw`(?:\.github\/|docs?\/(?:src\/|source\/)?|\.gitlab\/|\.gitea\/|\.forgejo\/|documentation\/|)`;
const TEXT = String.raw`(?:\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|pod|html))?`;
const TEMPLATE = new RegExp(
  String.raw`^${DIRS}pull_request_template(?:\.(?:md|txt))?$|^${DIRS}pull_request_template\/[^/]+\.(?:md|txt)$|^\.gitlab\/merge_request_templates\/[^/]+\.md$`,
  'i',
);
const AI_FILE = new RegExp(
  String.raw`^(?:[\w.-]+\/){0,2}(?:no[-_ ]?(?:ai|llms?)|(?:gen(?:erative)?[-_ ]?)?(?:ai|llms?|genai|artificial[-_ ]?intelligence)[-_ ]?(?:tools?|coding|code|assist\w*)?[-_ ]?(?:policy|policies|usage|use|contributions?|guidelines?|disclosure|rules)?|aitoolpolicy|coding-assistants|(?:ai|llm)[-_](?:assisted|generated)[\w-]*|generative-ai[\w-]*)${TEXT}$`,
  'i',
);
/** Names that say it wherever they stand: `AI_CONTRIBUTION_POLICY.md`, `.NO_AI/README.md`, `LLM-usage.rst`. */
const NAMED_FOR_AI = new RegExp(
  String.raw`^(?:[\w.-]+\/){0,3}(?:[\w.]{1,30}[-_])?(?:ai|llms?|genai)(?:[-_ ][\w]{1,30}){0,3}[-_ ]polic(?:y|ies)${TEXT}$|^\.?no[-_]?(?:ai|llms?)\/[^/]+$|^(?:\.github\/)?(?:[\w.]{1,30}[-_])?llms?(?:[-_]\w{1,30}){1,3}${TEXT}$`,
  'i',
);
const ELSEWHERE_GUIDE = new RegExp(
  String.raw`^(?:${DIRS}(?:code[-_]?conventions?|coding[-_]?(?:guidelines?|conventions?)|readme[-_.]hacking)${TEXT}|docs?\/(?:[\w-]+\/){1,2}hacking[^/]*|docs?\/(?:devel|dev|development|process|internals)\/(?:[\w-]+\/){0,2}(?:(?:[\w]{1,20}[-_])?(?:provenance|ai|llms?)|(?:ai|llm|contribution|code|patch)[-_]polic(?:y|ies))${TEXT}|contribut(?:or|ing)[-_]docs\/[^/]+${TEXT}|(?:[\w.@-]+\/){0,4}guides?\/(?:[\w-]+\/)?contribut[^/]*|(?:${DIRS}|docs?\/[a-z]{2}\/)(?:contribuer|contribuir|contribuire|beitragen|mitwirken)[^/]*)$`,
  'i',
);
const GUIDE = new RegExp(
  String.raw`^(?:${DIRS}(?:contribut(?:ing|e|ions?|or-guide)[^/]*|how[-_ ]to[-_ ]contribute[^/]*|hacking[^/]*|developing[^/]*|development[^/]*|developers?${TEXT}|guidelines${TEXT}|submitting[-_ ]?(?:patches|pull[-_]?requests)[^/]*|pull[-_]?requests?(?:[-_]guidelines?)?${TEXT}|commit[-_]?(?:messages?|guidelines?|conventions?)[^/]*|dco[^/]*|cla${TEXT})|(?:\.github\/|docs?\/|)contribut(?:ing|e|ions)\/[^/]+${TEXT}|docs?\/(?:[\w-]+\/){1,2}contribut(?:ing|e|ions?)(?:[-_][\w-]+)?${TEXT}|docs?\/(?:[\w-]+\/){1,3}contribut(?:ing|e)\/(?:index|overview|workflow|process|guidelines?|pull[-_]requests?|ai[\w-]*)${TEXT}|(?:[\w.@-]+\/){0,3}docs?\/(?:[\w.-]+\/){0,4}(?:\d{1,2}\.)?contribut(?:ing|e|ion)(?:[.-]en(?:-US)?)?${TEXT}|docs?\/(?:[\w-]+\/){0,2}(?:contributors?|development|developers?|community)\/(?:dev(?:elopment)?-process|developing|development|process|workflow|pull[-_]requests?|submitting[\w-]*)${TEXT}|(?:docs?|website|site|content|book|www|documentation)\/(?:[\w.-]+\/){0,5}(?:contributing(?:[-_][\w-]+)?|commit[-_]?(?:messages?|guidelines?|conventions?))${TEXT}|documentation\/(?:process\/)?submitting-?patches${TEXT})$`,
  'i',
);
const AGENT_GUIDE_FILE =
  /^(?:[\w.-]+\/){0,2}(?:agents?(?:\.override)?|claude(?:\.local)?|gemini|qwen|crush|warp|conventions|copilot-instructions)\.md$|^\.(?:cursorrules|windsurfrules|clinerules|goosehints|rules|roorules)$|^\.junie\/guidelines\.md$|^\.github\/agents\/[\w.-]+\.md$|^\.github\/instructions\/[\w.-]+\.md$|^\.(?:claude|agents|codex|gemini|cursor)\/(?:rules\/)?[\w.-]+\.mdc?$/i;
/** Bots that review are told what to look for, and contributors nothing. */
const FOR_REVIEWERS =
  /^\.gemini\/styleguide\.md$|^\.cursor\/bugbot\.md$|^\.(?:github|claude|agents|cursor)\/(?:[\w-]+\/)?[\w.-]*\breview[\w.-]*\.mdc?$/i;
const OTHERS_FOLDER =
  /(?:^|\/)(?:vendor|third[_-]?party|node_modules|examples?|samples?|fixtures?|testdata|tests?|templates?|skills|deps|extern\w*|submodules?|fonts?|[a-z][\w-]*-\d+(?:\.\d+)+)\//i;
export const isThirdPartyFile = (path: string): boolean => OTHERS_FOLDER.test(path);
const NESTED_GUIDE = new RegExp(String.raw`^(?:[\w.@-]+\/){1,3}contributing${TEXT}$`, 'i');
const README =
  /^(?:\.github\/|docs\/|)readme(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?(?:\.(?:md|rst|txt|adoc))?$/i;
const CONDUCT = new RegExp(
  String.raw`^${DIRS}(?:code[-_ ]of[-_ ]conduct|conduct|governance|policy|policies|maintainers)${TEXT}$`,
  'i',
);
const DCO_FILE = /^\.github\/dco\.ya?ml$|^\.dco\.ya?ml$/i;
const CLA_FILE =
  /^\.clabot$|^\.github\/(?:cla|workflows\/(?:[\w-]*-)?cla(?:[-_](?:assistant|check|bot|signature\w*))?)\.ya?ml$/i;
const COMMITLINT =
  /^(?:\.commitlintrc[^/]*|commitlint\.config\.[cm]?[jt]s|\.cz\.(?:toml|ya?ml|json)|\.czrc|\.github\/semantic\.ya?ml)$/i;
const CHANGESETS = /^\.changeset\/config\.json$/i;
const TOWNCRIER = /^towncrier\.toml$/;
const VOUCHED = /^(?:\.github\/)?VOUCHED\.td$/i;

export const isText = (path: string): boolean =>
  !/\.(?:png|jpe?g|gif|svg|pdf|zip|gz|docx?|ya?ml|json|py|js|ts|sh|css|html)$/i.test(path);

export const isForMaintainers = (path: string): boolean =>
  /(?:admin|maintain|steward|releas|triag|governance|committing|committer|reviewers?[-_]guide)[^/]*$/i.test(
    path,
  );
export const isTemplate = (path: string): boolean => TEMPLATE.test(path);
const FOR_READERS = /(?:^|\/)llms(?:[-_]\w+)?\.txt$/i;
export const isAiPolicy = (path: string): boolean =>
  (AI_FILE.test(path) || NAMED_FOR_AI.test(path)) && isText(path) && !FOR_READERS.test(path);
export const isAgentGuide = (path: string): boolean =>
  AGENT_GUIDE_FILE.test(path) && !FOR_REVIEWERS.test(path);
export const isCodeOfConduct = (path: string): boolean => CONDUCT.test(path) && isText(path);
export const isReadme = (path: string): boolean => README.test(path);
export const isContributorList = (path: string): boolean => VOUCHED.test(path);
/** An unreadable guide may require anything. */
export const isContributionGuide = (path: string): boolean =>
  isText(path) &&
  (GUIDE.test(path) ||
    ELSEWHERE_GUIDE.test(path) ||
    isAiPolicy(path) ||
    (!isThirdPartyFile(path) && (isAgentGuide(path) || NESTED_GUIDE.test(path))));

/** Rules that follow from a file's existence. */
export const RULE_MARKER_FILES = [
  {
    of: /^\.gitreview$/,
    kind: 'elsewhere',
    value: 'gerrit',
    quote: 'Changes are sent to Gerrit: this file says to which.',
  },
  { of: DCO_FILE, kind: 'dco', quote: 'Commits are checked for a sign-off.' },
  { of: CLA_FILE, kind: 'cla', quote: 'A bot asks for a contributor license agreement.' },
  { of: COMMITLINT, kind: 'commit_style', value: 'conventional', quote: 'Commit messages are linted.' },
  { of: CHANGESETS, kind: 'changelog', value: 'changeset', quote: 'Changes are described by changesets.' },
  { of: TOWNCRIER, kind: 'changelog', value: 'fragment', quote: 'Changes are described by fragments.' },
] as const;

export const isWorkflow = (path: string): boolean => /^\.github\/workflows\/[^/]+\.ya?ml$/i.test(path);
const MOST_WORKFLOWS = 6;
export const policyWorkflows = (paths: readonly string[]): string[] =>
  paths
    .filter((p) => isWorkflow(p) && /title|semantic|conventional|commit|lint|cla\b|dco|pr[-_.]|pull/i.test(p))
    .slice(0, MOST_WORKFLOWS);

export const WORKFLOW_RULES = [
  {
    kind: 'commit_style',
    value: 'conventional',
    says: /\b(?:action-semantic-pull-request|commitlint|semantic[-_]pull[-_]requests?|action-conventional-commits|cocogitto|conventional[- _]commits?)\b/i,
  },
  { kind: 'cla', says: /\b(?:contributor-assistant\/github-action|cla-assistant|cla-bot)\b/i },
  { kind: 'dco', says: /\b(?:tim-actions\/dco|dco-check|dcoapp|action-dco|check-dco)\b/i },
] as const;

const countPathParts = (path: string): number => path.split('/').length;
const byDepth = (left: string, right: string): number =>
  countPathParts(left) - countPathParts(right) || (left < right ? -1 : left > right ? 1 : 0);

const TEMPLATE_OF: Readonly<Record<WorkType | 'breaking', RegExp>> = {
  breaking: /(?:^|[-_ ])(?:breaking|major)(?=$|[-_ .])/i,
  fix: /(?:^|[-_ ])(?:(?:bug|hot)?[-_ ]?fix(?:es)?|bugs?)(?=$|[-_ .])/i,
  feat: /(?:^|[-_ ])(?:features?|feat|enhancements?)(?=$|[-_ .])/i,
  docs: /(?:^|[-_ ])(?:docs?|documentation)(?=$|[-_ .])/i,
  test: /(?:^|[-_ ])tests?(?=$|[-_ .])/i,
  refactor: /(?:^|[-_ ])(?:refactor(?:ing)?|improvements?|clean-?up|performance)(?=$|[-_ .])/i,
  chore: /(?:^|[-_ ])(?:chores?|maintenance|misc|others?)(?=$|[-_ .])/i,
};
/** One for this kind of change, then one for changes of any kind, then one for fixes, which most are. */
const choiceRank = (path: string, work: WorkType | 'breaking' | undefined): number => {
  const name = path.split('/').at(-1) ?? '';
  if (work !== undefined && TEMPLATE_OF[work].test(name)) return -1;
  if (/^(?:default|general|standard|pr|pull[-_]request(?:[-_]template)?)\./i.test(name)) return 0;
  return [TEMPLATE_OF.chore, TEMPLATE_OF.refactor, TEMPLATE_OF.fix].findIndex((of) => of.test(name)) + 1 || 5;
};
/** A single template before a choice, `.github` before the root before `docs`. */
const templateRank = (path: string, work: WorkType | 'breaking' | undefined): number =>
  (/templates?\//i.test(path) ? 10 + choiceRank(path, work) : 0) +
  (/^\.git(?:hub|lab)\//i.test(path) ? 0 : /^docs\//i.test(path) ? 0.2 : 0.1);

const MOST_TEMPLATES = 6;
export const templateFiles = (paths: readonly string[], work?: WorkType | 'breaking'): string[] =>
  paths
    .filter(isTemplate)
    .sort((a, b) => templateRank(a, work) - templateRank(b, work) || byDepth(a, b))
    .slice(0, MOST_TEMPLATES);

const RANKS: readonly ((path: string) => boolean)[] = [isAiPolicy, isTemplate, isContributionGuide, isReadme];
const rankOfFile = (path: string): number => {
  const at = RANKS.findIndex((is) => is(path));
  return at < 0 ? RANKS.length : at;
};

const MAX_RULE_FILES = 30;
export const ruleFiles = (paths: readonly string[]): string[] => {
  const all = paths.filter(
    (p) =>
      isContributionGuide(p) || isReadme(p) || isCodeOfConduct(p) || isContributorList(p) || DCO_FILE.test(p),
  );
  const guides = all.sort((a, b) => rankOfFile(a) - rankOfFile(b) || byDepth(a, b)).slice(0, MAX_RULE_FILES);
  return [...new Set([...guides, ...templateFiles(paths)])];
};

/** An owner's repository of defaults for all others. */
export const OWNER_REPOSITORY = '.github';
export const CONTRIBUTOR_LIST_PATHS: readonly string[] = ['.github/VOUCHED.td', 'VOUCHED.td'];

export const OWNER_FILES: readonly string[] = [
  'CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
  'docs/CONTRIBUTING.md',
  'PULL_REQUEST_TEMPLATE.md',
  '.github/PULL_REQUEST_TEMPLATE.md',
  '.github/pull_request_template.md',
  'pull_request_template.md',
  'docs/PULL_REQUEST_TEMPLATE.md',
  'AI_POLICY.md',
  '.github/AI_POLICY.md',
];
