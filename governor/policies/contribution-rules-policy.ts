/** contribution-rules: consequences of each kind of rule. A kind without a row does not compile. */
import { matchesBranchRule, workOfTitle } from '#model/pull';
import {
  type Contract,
  matchesTitleFormat,
  styleOf,
  bindsWork,
  selectBaseRules,
  type ContributionRule,
  type RuleKind,
} from '#model/contract';
import type { OverruledRule, AssessmentReason } from '#model/assessment';
import { hasSimilarLabel, issueStanding } from '#model/requirements';
import { isModelNameRequired } from '#model/trailers';
import { COMPONENT_SUBJECT, CONVENTIONAL_SUBJECT, findOpenQuestions, listRequiredHeadings } from '#pull-text';
import {
  denyOpinion,
  escalateOpinion,
  noteOpinion,
  type PolicyQuestion,
  type PolicyRows,
  type PolicyOpinion,
  type PolicyContext,
} from '../policy-types.ts';
import {
  isChangeAction,
  isTextAction,
  type GovernedAction,
  type ChangeAction,
  type TextAction,
} from '../governed-action.ts';

const quoteRule = ({ quote, file, line }: ContributionRule) => ({
  quote: quote.slice(0, 200),
  file,
  line,
});

const askReason = (rule: ContributionRule): AssessmentReason => ({
  kind: 'rule',
  rule: rule.kind,
  value: rule.value ?? null,
  ...quoteRule(rule),
});
const complianceReason = (rule: ContributionRule): AssessmentReason => ({
  kind: 'rule_followed',
  rule: rule.kind,
  value: rule.value ?? null,
  ...quoteRule(rule),
});

type Row = {
  change: (rule: ContributionRule, action: ChangeAction, context: PolicyContext) => PolicyOpinion[];
  words: (rule: ContributionRule, action: TextAction, context: PolicyContext) => PolicyOpinion[];
};

const giveNoOpinion = (): PolicyOpinion[] => [];
/** A user must see it before the pull request; a push only notes it. */
const askPerson = (rule: ContributionRule, action: ChangeAction): PolicyOpinion[] => [
  action.kind === 'open_pr' ? escalateOpinion(askReason(rule)) : noteOpinion(askReason(rule)),
];
const askAlways = (rule: ContributionRule): PolicyOpinion[] => [escalateOpinion(askReason(rule))];
/** A note when the change obeys the rule; else a user decides. */
const askUnless =
  (kept: (rule: ContributionRule, action: ChangeAction, context: PolicyContext) => boolean): Row['change'] =>
  (rule, action, context) =>
    kept(rule, action, context) ? [noteOpinion(complianceReason(rule))] : askPerson(rule, action);

/** An approver overruled it, bound to these words in this file. */
export const findOverruling = (
  rule: ContributionRule,
  overruled: readonly OverruledRule[] = [],
): OverruledRule | null => overruled.find((o) => o.file === rule.file && o.quote === rule.quote) ?? null;

const denyBan = (
  rule: ContributionRule,
  _: GovernedAction,
  { overruled }: PolicyContext,
): PolicyOpinion[] => {
  const by = findOverruling(rule, overruled);
  // guard: P3-ban-denies
  if (!by) return [denyOpinion(askReason(rule))];
  return [escalateOpinion({ kind: 'ban_overruled', by: by.by, why: by.why, ...quoteRule(rule) })];
};

/** What stands in a description: a script is no agent, and is called what it is. */
const DISCLOSES = /\bcoding agent\b|\bmade by a script\b/i;
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg|mp[34]|wav|ogg|flac|webm|mov|ttf|otf|woff2?|psd|blend|glb|gltf)$/i;
const CHANGELOG =
  /(?:^|\/)(?:change(?:s|log)|history|news|release[-_]?notes?|whats?[-_]?new)[^/]*$|(?:^|\/)(?:\.?changesets?|changelogs?(?:\.d)?|changes(?:\.d)?|newsfragments?|news(?:\.d)?|release[-_]?notes?|\.chloggen|\.changes|upcoming_changes)\/.+/i;
const ASSISTED = /^(?:[a-z]+-)?(?:assisted|generated)[- ]by:/im;
const ASSISTED_WITH_MODEL = /^(?:[a-z]+-)?(?:assisted|generated)[- ]by: ?[^\s:]+:[^\s:]+/im;
const CHANGE_ID = /^change-id: I[0-9a-f]{40}$/im;
const CO_AUTHOR = /^co-authored-by:/im;
const SIGN_OFF = /^signed-off-by:/im;

const hasChangedPath = (action: ChangeAction, which: RegExp): boolean =>
  action.commit.diff.files.some((f) => which.test(f.path));
const subjectOf = (action: ChangeAction): string =>
  action.kind === 'open_pr' ? action.title : (action.commit.message.split('\n')[0] ?? '');
const wordsOfChange = (action: ChangeAction): string =>
  action.kind === 'open_pr'
    ? `${action.title}\n${action.body}\n${action.commit.message}`
    : action.commit.message;

const keepsTrailer = (rule: ContributionRule, { commit: { message } }: ChangeAction): boolean => {
  switch (rule.value) {
    case 'assisted_by':
      // guard: F9-model-named
      return (isModelNameRequired(rule) ? ASSISTED_WITH_MODEL : ASSISTED).test(message);
    case 'change_id':
      return CHANGE_ID.test(message);
    case 'co_author':
      return CO_AUTHOR.test(message);
    case 'no_co_author':
      return !CO_AUTHOR.test(message);
    case 'no_sign_off':
      return !SIGN_OFF.test(message);
    default:
      return false;
  }
};

/** Tolerates names and quotations in other scripts. */
const keepsLanguage = ({ value }: ContributionRule, action: ChangeAction): boolean =>
  value?.toLowerCase() !== 'english' ||
  (wordsOfChange(action).match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).length < 10;

const keepsSize = ({ value }: ContributionRule, { commit: { diff } }: ChangeAction): boolean => {
  const most = Number(value);
  return !Number.isFinite(most) || diff.added <= most;
};

/** Titles are written by our own reading; what only the agent read is held against them. */
const keepsStyle = ({ value, by }: ContributionRule, action: ChangeAction): boolean => {
  if (value === 'not_conventional') return !CONVENTIONAL_SUBJECT.test(subjectOf(action));
  // guard: E7-style-of-agent
  if (by === undefined) return true;
  return (value === 'conventional' || value === 'component') && STYLED[value].test(subjectOf(action));
};

const askForIssue = askUnless(
  (rule, _, { issue }) => issueStanding(issue ?? null, rule.value ?? 'open') === 'fine',
);

const refusesWords = ({ value }: ContributionRule): boolean =>
  /issue|comment|review|discussion|repl|text/i.test(value ?? '');

const evaluateVouching: Row['change'] = (rule, action, context) => {
  // guard: P3-denounced-denied
  if (rule.value === 'denounced') return [denyOpinion(askReason(rule))];
  return askUnless(({ value }) => value === 'listed')(rule, action, context);
};

/** What a bot does later or somebody else does at the merge: no reason to hold anything back. */
const TOLD_ALONE: readonly string[] = ['stale', 'open_limit', 'signed'];
const evaluateOther: Row['change'] = (rule) =>
  // guard: F14-told-alone
  TOLD_ALONE.includes(rule.value ?? '') ? [noteOpinion(askReason(rule))] : askAlways(rule);

// guard: F10-elsewhere-asked
const SENT_ELSEWHERE: Row = { change: askPerson, words: giveNoOpinion };

const RULE_ROWS: Readonly<Record<RuleKind, Row>> = {
  ai_ban: { change: denyBan, words: denyBan },
  ai_limited: {
    change: askUnless((rule, action) =>
      rule.value === 'media' ? !hasChangedPath(action, MEDIA) : refusesWords(rule),
    ),
    words: (rule) => (refusesWords(rule) ? askAlways(rule) : []),
  },
  ai_disclosure: {
    change: (rule, action) =>
      action.kind === 'open_pr' && !DISCLOSES.test(action.body)
        ? [escalateOpinion({ kind: 'undisclosed', where: 'description', ...quoteRule(rule) })]
        : [noteOpinion(complianceReason(rule))],
    words: (rule, action) =>
      DISCLOSES.test(action.body)
        ? []
        : [escalateOpinion({ kind: 'undisclosed', where: action.kind, ...quoteRule(rule) })],
  },
  human_author: { change: askPerson, words: askAlways },
  human_words: {
    change: askUnless((_, action, { ownWords }) => action.kind !== 'open_pr' || ownWords === true),
    words: askAlways,
  },
  dco: { change: askUnless((_, { commit }) => SIGN_OFF.test(commit.message)), words: giveNoOpinion },
  cla: { change: askPerson, words: giveNoOpinion },
  // The pull request template's headings show what is missing.
  template: { change: giveNoOpinion, words: giveNoOpinion },
  issue_first: {
    change: (rule, action, context) =>
      bindsWork(rule, workOfTitle(subjectOf(action))) ? askForIssue(rule, action, context) : [],
    words: giveNoOpinion,
  },
  changelog: { change: askUnless((_, action) => hasChangedPath(action, CHANGELOG)), words: giveNoOpinion },
  base_branch: {
    // Fixes and features may have different branches.
    change: askUnless((rule, action, { contract }) => {
      const expected = selectBaseRules(contract?.rules ?? [], workOfTitle(subjectOf(action)), rule.by);
      return !expected.includes(rule) || expected.some((r) => r.value === action.baseRef);
    }),
    words: giveNoOpinion,
  },
  branch_name: { change: giveNoOpinion, words: giveNoOpinion },
  commit_style: { change: askUnless(keepsStyle), words: giveNoOpinion },
  language: { change: askUnless(keepsLanguage), words: giveNoOpinion },
  size: { change: askUnless(keepsSize), words: giveNoOpinion },
  label_barred: {
    change: askUnless(({ value }, _, { issue }) => !hasSimilarLabel(issue?.labels ?? [], value)),
    words: giveNoOpinion,
  },
  trailer: { change: askUnless(keepsTrailer), words: giveNoOpinion },
  vouch: { change: evaluateVouching, words: giveNoOpinion },
  elsewhere: SENT_ELSEWHERE,
  other: { change: evaluateOther, words: giveNoOpinion },
};

const findLostHeadings = (contract: Contract, action: ChangeAction): string[] => {
  if (action.kind !== 'open_pr' || contract.template === null) return [];
  const lines = new Set(action.body.split(/\r?\n/).map((l) => l.trim()));
  return listRequiredHeadings(contract.template).filter((h) => !lines.has(h));
};

const checkTemplateQuestions = ({ template }: Contract, action: ChangeAction): PolicyOpinion[] => {
  const questions = action.kind === 'open_pr' ? findOpenQuestions(template, action.body) : [];
  // guard: F9-questions-asked
  if (questions.length > 0) return [escalateOpinion({ kind: 'template_open', questions })];
  return [];
};

/** The ordered issue is missing, done or somebody else's: independent of rules. */
const ofIssue = (action: ChangeAction, { issue }: PolicyContext): PolicyOpinion[] => {
  const standing = issueStanding(issue ?? null, null);
  if (!issue || standing === 'fine') return [];
  const said: AssessmentReason = { kind: 'issue', issue: issue.id, standing };
  return [action.kind === 'open_pr' ? escalateOpinion(said) : noteOpinion(said)];
};

const ofRivals = (
  action: ChangeAction,
  { competingPulls: rivals = [], issue }: PolicyContext,
): PolicyOpinion[] => {
  const pulls = rivals.map(({ id, author }) => ({ id, author }));
  const said: AssessmentReason[] = [];
  // guard: F10-rivals-asked
  if (action.kind === 'open_pr' && pulls.length > 0) said.push({ kind: 'competing_pulls', pulls });
  // guard: F10-unread-asked
  if (action.kind === 'open_pr' && issue?.pullsUnread !== undefined)
    said.push({ kind: 'pulls_unread', issue: issue.id, unread: issue.pullsUnread });
  return said.map(escalateOpinion);
};

export const contributionRules: PolicyQuestion = (action, context) => {
  const { contract } = context;
  if (!isChangeAction(action) && !isTextAction(action)) return [];
  if (contract === null) return [escalateOpinion({ kind: 'no_contract' })];
  if (!isChangeAction(action))
    return contract.rules.flatMap((rule) => RULE_ROWS[rule.kind].words(rule, action, context));
  const { branchRule, titleRule } = contract;
  const out = contract.rules.flatMap((rule) => RULE_ROWS[rule.kind].change(rule, action, context));
  out.push(...ofIssue(action, context), ...ofRivals(action, context));
  if (branchRule !== null && !matchesBranchRule(action.branch, branchRule))
    out.push(escalateOpinion({ kind: 'branch_rule', branch: action.branch, rule: branchRule }));
  const format = contract.titleFormat;
  if (format?.place && !matchesTitleFormat(subjectOf(action), format)) {
    const scoped = format.needsScope && `type(${format.scopes?.slice(0, 12).join('|') ?? 'scope'})`;
    const asked = format.pattern ?? scoped ?? format.types?.join(', ') ?? format.project;
    const unfit = { kind: 'title_rule', title: subjectOf(action), style: styleOf(format) } as const;
    const more = { ...(asked === undefined ? {} : { asked }), place: format.place };
    out.push(escalateOpinion({ ...unfit, ...more }));
  } else if (titleRule !== null && !format?.place && !STYLED[titleRule].test(subjectOf(action)))
    out.push(escalateOpinion({ kind: 'title_rule', title: subjectOf(action), style: titleRule }));
  out.push(...checkTemplateQuestions(contract, action));
  const lost = findLostHeadings(contract, action);
  if (lost.length > 0) out.push(escalateOpinion({ kind: 'template_cut', headings: lost }));
  return out;
};

const STYLED = { conventional: CONVENTIONAL_SUBJECT, component: COMPONENT_SUBJECT } as const;

export const contributionPolicies = {
  'contribution-rules': { asks: [contributionRules], version: 1, settings: [], card: 'own' },
} as const satisfies PolicyRows;
