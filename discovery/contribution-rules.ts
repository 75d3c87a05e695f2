/** Reads contribution rules as quotes with file and line. They are data and never obeyed. */
import type { ContributionRule, RuleKind } from '#model/contract';
import { findAllMatches } from '#model/values';
import { findNonEnglishRules } from './non-english-rules.ts';
import { findAiRules, isFullyAiRefusal, permitsCode, isNoModelClaim } from './ai-policy.ts';
import { namesModel } from './ai-words.ts';
import { findUnreadAiSections } from './unread-ai-sections.ts';
import { findBranchPattern, findCommitRules } from './commit-rules.ts';
import { findElsewhereRule, welcomesPulls } from './elsewhere-rules.ts';
import { findProcessRules } from './process-rules.ts';
import type { FoundRule, OwnAddress, RulePassage } from './rule-passage.ts';
import {
  isAiPolicy,
  isCodeOfConduct,
  isAgentGuide,
  isForMaintainers,
  isReadme,
  isTemplate,
  isContributorList,
} from './rule-files.ts';
import { readSentences, type RuleSentence } from './split-sentences.ts';

export { findBranchPattern } from './commit-rules.ts';

/** People are shown `place` instead of the path. */
export type RuleFile = { path: string; text: string; place?: string };

const MOST_EARLIER = 1_000;
export const readRulePassages = ({ path, text }: RuleFile, own: OwnAddress = {}): RulePassage[] => {
  const all = readSentences(text);
  const traits = {
    path,
    own,
    template: isTemplate(path),
    forAgents: isAgentGuide(path),
    aboutAi: isAiPolicy(path),
  };
  let said = '';
  const earlier = all.map((one, i) => {
    const last = all[i - 1];
    said = last?.paragraph === one.paragraph ? `${said} ${last.plain}`.slice(-MOST_EARLIER) : '';
    return said;
  });
  const textUnderHeading = (sentence: RuleSentence, other: RuleSentence | undefined): string =>
    other?.heading === sentence.heading ? other.plain : '';
  return all.map((s, i) => ({
    ...s,
    ...traits,
    before: [textUnderHeading(s, all[i - 2]), textUnderHeading(s, all[i - 1])].join(' ').trim(),
    after: [textUnderHeading(s, all[i + 1]), textUnderHeading(s, all[i + 2])].join(' ').trim(),
    earlier: earlier[i] ?? '',
  }));
};

/** Sentences of a README count only when they are about contributing. */
const OF_CONTRIBUTING =
  /contribut|pull request|\bpatches\b|\bsubmitting\b|\b(?:AI|LLMs?)\b.*\b(?:polic|us(?:e|age)\b|disclos|statement|notice|stance|generated|assist)|\b(?:policy|use|usage|notice|statement) (?:on|of|about|regarding) .*\b(?:AI|LLMs?)\b|\bno[- ](?:gen(?:erative)?[- ]?)?(?:AI|LLMs?)\b|hacking|participat|贡献|貢獻|コントリビュ|기여|beitrag|mitwirken|contribuer|contribuir|contribui|вклад|участ/i;

const OF_MAINTAINERS =
  /\bcore dev\w*\b|\b(?:for|by) (?:the )?(?:maintainers?|committers|reviewers)\b|\breleas(?:e|ing)s?(?: (?!notes?\b)\w+)?$|\bmaintainers?'? (?:guide|notes?|tasks?|checklist)\b|\bmerging (?:pull requests|PRs)\b/i;

const LEADS_ON = /^\W*\[[^\]]*\]\(#[^)]*\)\W*$/;

const SAYS_NONE = /^\W*\[ ?\] (?:no|none|not|without)\b(?: \S+){0,4}$/i;

/** The introduction of a list says `do not` for each of its items. */
const AVOIDS =
  /(?:^|[.!]\s|\b(?:please|you|we) )(?:please )?(?:(?:should |must )?(?:avoid|refrain from)|(?:do not|don't|never)(?: (?:do|submit|open|send))?|(?:do not|don't) accept)(?: (?:the following|these|any of (?:the following|these)|doing))?\s*[:：]$/i;
/** So does a heading: `What agents must never do`, `Don'ts`. */
const NEVER_HEADING =
  /^\W*(?:what (?:\w+ ){0,4}(?:never|not) (?:to )?do|(?:\w+ ){0,3}must (?:never|not)|never(?: do)?|(?:the )?don'?ts?|do not)\W*$/i;
const DENIED = /^\W*(?:(?:do not|don't|never|no|not|avoid|must not|refrain)\b|[\w ]{1,30}:)/i;
const withLead = (one: RulePassage): RulePassage => {
  const told = /^\s*[-*+]\s/.test(one.quote) && NEVER_HEADING.test(one.heading.split(' / ').at(-1) ?? '');
  if (told && one.lead === '' && !DENIED.test(one.plain))
    return { ...one, plain: `Do not ${one.plain.charAt(0).toLowerCase()}${one.plain.slice(1)}` };
  if (!AVOIDS.test(one.lead)) return one;
  const lead = one.lead.replace(
    /(?: the following| these| any of (?:the following|these)| doing)?\s*[:：]$/,
    '',
  );
  return { ...one, plain: `${lead} ${one.plain.charAt(0).toLowerCase()}${one.plain.slice(1)}` };
};

const ON_BEHALF = /\bon behalf of (?:others?|somebody|someone|another|other \w+|the (?:original )?author)\b/i;
/** Somebody who contributes is told not to: wherever a README says so, it is a ban. */
const TOLD_NOT_TO =
  /\b(?:do not|don't|never|must not|may not)\b(?: \w+ly)? (?:submit|contribut|open|send|make)\w*\b[^.;]{0,60}/i;

const OF_WHAT_IS_SENT = /\b(?:contributions?|pull[- ]?requests?|PRs|patches)\b/i;
/** Tells an agent how to treat a person: a tutor's rule, and none for what is sent. */
const OF_TUTORS = /\b(?:the (?:contributor|user|student|learner|person)s?|they|them|their)\b/i;
/** Nor is what is said for somebody, which has to be their own words. */
const IN_THEIR_NAME = /\bon behalf of\b|\bin the \w{1,20}'s own words\b/i;
const NOT_OF_TUTORS: readonly RuleKind[] = ['human_words', 'label_barred', 'size', 'issue_first', 'language'];

export const findPassageRules = (passage: RulePassage): FoundRule[] => {
  const found = rulesIn(passage);
  return passage.forAgents && OF_TUTORS.test(passage.plain) && !IN_THEIR_NAME.test(passage.plain)
    ? found.filter(({ kind }) => !NOT_OF_TUTORS.includes(kind))
    : found;
};

const rulesIn = (passage: RulePassage): FoundRule[] => {
  const one = withLead(passage);
  if (
    LEADS_ON.test(one.quote) ||
    (one.template && SAYS_NONE.test(one.quote.trim()) && !namesModel(one.plain))
  )
    return [];
  const ai = findAiRules(one);
  // guard: E7-fenced-asked
  if (one.fenced) return ai.some(({ kind }) => kind === 'ai_ban') ? [{ kind: 'other', value: 'ai' }] : [];
  if (isReadme(one.path)) {
    if (OF_CONTRIBUTING.test(one.heading))
      return [...ai, ...findProcessRules(one), ...findCommitRules(one), ...findNonEnglishRules(one)];
    const sent =
      /\b(?:contribut\w*|pull[- ]?requests?|PRs?|patch(?:es)?|submi\w*|merge[ds]?|code(?:base)?|project|repo(?:sitory)?|polic(?:y|ies))\b/i;
    const apart = findElsewhereRule(one);
    if (apart) return [apart];
    const badge = /^\W*!?\[|<img/i.test(one.quote.replace(/^\W*\[!\w+\]/, '')) && ai.length > 0;
    const doubt =
      badge || isNoModelClaim(one) || (sent.test(one.plain) && ai.some(({ kind }) => kind === 'ai_ban'));
    if (doubt && (TOLD_NOT_TO.test(one.plain) || (!badge && OF_WHAT_IS_SENT.test(one.plain))))
      return [{ kind: 'ai_ban' }];
    return doubt ? [{ kind: 'other', value: 'ai' }] : [];
  }
  if (
    (one.commented && !one.template) ||
    isCodeOfConduct(one.path) ||
    isForMaintainers(one.path) ||
    OF_MAINTAINERS.test(one.heading) ||
    ON_BEHALF.test(one.plain)
  )
    return ai;
  return [...ai, ...findProcessRules(one), ...findCommitRules(one), ...findNonEnglishRules(one)];
};

const STRICTEST: Partial<Record<RuleKind, readonly string[]>> = {
  issue_first: ['assigned', 'accepted', 'open'],
  changelog: ['changeset', 'fragment', 'file'],
};
const ONCE: readonly RuleKind[] = ['branch_name', 'language'];

/** Returns the strictest rule for all work, and one for features alone where it is stricter than that. */
const findStrictest = (
  rules: readonly ContributionRule[],
  kind: RuleKind,
  order: readonly string[],
): ContributionRule[] => {
  const rank = ({ value = '' }: ContributionRule): number => order.indexOf(value);
  const sorted = rules.filter((r) => r.kind === kind).sort((a, b) => rank(a) - rank(b));
  const general = sorted.find((r) => r.appliesTo === undefined);
  const special = sorted.find((r) => r.appliesTo !== undefined);
  if (!special || !general) return sorted.slice(0, 1);
  return rank(special) < rank(general) ? [special, general] : [general];
};

const settleRules = (rules: readonly ContributionRule[]): ContributionRule[] => {
  const denied = rules.some((r) => r.kind === 'commit_style' && r.value === 'not_conventional');
  const kept = new Map<RuleKind, ContributionRule[]>();
  for (const [kind, order] of Object.entries(STRICTEST) as [RuleKind, readonly string[]][])
    kept.set(kind, findStrictest(rules, kind, order));
  for (const kind of ONCE) kept.set(kind, rules.filter((r) => r.kind === kind).slice(0, 1));
  const styled = rules.some((r) => r.kind === 'commit_style' && r.value !== 'other');
  return rules.filter(
    (r) =>
      !(styled && r.kind === 'commit_style' && r.value === 'other') &&
      (kept.get(r.kind)?.includes(r) ?? true) &&
      !(denied && r.kind === 'commit_style' && r.value === 'conventional'),
  );
};

const MOST_QUOTED = 300;

export const readContributionRules = (
  files: readonly RuleFile[],
  own: OwnAddress = {},
): { rules: ContributionRule[]; branchRule: string | null } => {
  const rules: ContributionRule[] = [];
  let branchRule: string | null = null;
  let harmless = false;
  const addRule = (
    { kind, value, appliesTo }: FoundRule,
    { quote, line }: RulePassage,
    { path, place = path }: RuleFile,
  ): void => {
    const file = place;
    const isKnownRule = (rule: ContributionRule): boolean =>
      rule.kind === kind &&
      rule.value === value &&
      (rule.appliesTo === undefined || rule.appliesTo === appliesTo) &&
      (kind !== 'other' || rule.file === file);
    if (!rules.some(isKnownRule))
      rules.push({
        kind,
        // A hyphen that only shows at the end of a line would be shown as its code.
        quote: quote.replaceAll('\u00ad', '').slice(0, MOST_QUOTED),
        file,
        line,
        ...(value === undefined ? {} : { value }),
        ...(appliesTo === undefined ? {} : { appliesTo }),
      });
  };
  for (const file of files.filter(({ path }) => !isContributorList(path))) {
    const all = readRulePassages(file, own);
    // A file that refuses and permits the same needs a person to weigh it.
    const permits = all.some(permitsCode);
    const read = all.map((passage) => ({ passage, found: findPassageRules(passage) }));
    for (const { passage: one, found: foundRules } of read) {
      for (const found of foundRules) {
        if (found.kind === 'elsewhere' && welcomesPulls(file.text, found.value, own)) continue;
        addRule(
          permits && found.kind === 'ai_ban' && !isFullyAiRefusal(one.plain)
            ? { kind: 'other', value: 'ai' }
            : found,
          one,
          file,
        );
      }
      if (
        /\bvouch/i.test(`${one.before} ${one.plain}`) &&
        /\bnothing is blocked\b|\b(?:not|n't) (?:be )?(?:block|requir|need)/i.test(one.plain)
      )
        harmless = true;
      if (!isReadme(one.path)) branchRule ??= findBranchPattern(one);
    }
    const isOfGuide = ({ heading }: RulePassage): boolean =>
      !isReadme(file.path) || OF_CONTRIBUTING.test(heading);
    for (const one of findUnreadAiSections(read.filter(({ passage }) => isOfGuide(passage))))
      addRule({ kind: 'other', value: 'ai' }, one, file);
  }
  resolveNamedBranches(rules, files);
  const list = files.find(({ path }) => isContributorList(path));
  if (list && !harmless) addRule({ kind: 'vouch' }, LISTED, list);
  return { rules: settleRules(rules), branchRule };
};

const SAID_TO_BE =
  /[`"'*]{0,2}([\w][\w./-]{0,40})[`"'*]{0,2} (?:is|being) (?:currently )?(?:the|our) (?:latest |current |active )?(stable|development|devel|maintenance) branch\b/gi;
/** `the stable branch` is a word where another sentence says which branch that is. */
const resolveNamedBranches = (rules: ContributionRule[], files: readonly RuleFile[]): void => {
  const names = new Map<string, string>();
  for (const { text } of files)
    for (const [, name = '', word = ''] of findAllMatches(text.replace(/\s+/g, ' '), SAID_TO_BE))
      if (/\d|-/.test(name)) names.set(word.toLowerCase(), name);
  rules.forEach((rule, at) => {
    const name = rule.kind === 'base_branch' ? names.get(rule.value ?? '') : undefined;
    if (name !== undefined) rules[at] = { ...rule, value: name };
  });
};

const LISTED: RulePassage = {
  quote: 'Only people on this list may open pull requests.',
  plain: '',
  line: 1,
  paragraph: 1,
  path: '',
  own: {},
  heading: '',
  lead: '',
  code: '',
  before: '',
  after: '',
  template: false,
  forAgents: false,
  aboutAi: false,
};

/** A leading dash denounces; the line and its words, or null. */
export const findDenouncement = (list: string, login: string): { line: number; quote: string } | null => {
  const lines = list.split(/\r?\n/);
  const at = lines.findIndex((line) => {
    const handle = /^\s*-\s*@?(?:github:)?([\w-]+)/.exec(line.replace(/#[^]*$/, ''))?.[1];
    return handle?.toLowerCase() === login.toLowerCase();
  });
  return at < 0 ? null : { line: at + 1, quote: (lines[at] ?? '').trim() };
};

/** One handle a line; a leading dash removes it. */
export const isOnContributorList = (list: string, login: string): boolean =>
  list.split(/\r?\n/).some((line) => {
    const handle = /^\s*@?(?:github:)?([\w-]+)/.exec(line.replace(/#[^]*$/, ''))?.[1];
    return handle?.toLowerCase() === login.toLowerCase();
  });
