/** Makes a rule of what an agent read, and says whether our own reading found the same (E7). */
import { RULE_KINDS, WHOLLY_AI_CHANGES, type ContributionRule, type RuleKind } from '#model/contract';
import { toBaseBranchRule } from './base-branch.ts';
import { findPassageRules } from './contribution-rules.ts';
import { normalizeQuoteText, type QuotedPassage } from './find-quote.ts';

export const REPORTABLE_RULES = RULE_KINDS.filter((kind) => kind !== 'template');

/** The first of a kind asks least. */
const RULE_VALUES: Partial<Record<RuleKind, readonly string[]>> = {
  issue_first: ['open', 'accepted', 'assigned'],
  changelog: ['file', 'fragment', 'changeset'],
  commit_style: ['other', 'component', 'conventional', 'not_conventional'],
};
const OFFERED: Partial<Record<RuleKind, readonly string[]>> = {
  ai_limited: ['media', WHOLLY_AI_CHANGES],
  language: 'English Chinese German French Spanish Portuguese Russian Japanese Korean'.split(' '),
};
const TRAILER_WORDS: Readonly<Record<string, RegExp>> = {
  assisted_by: /\b(?:assisted|generated)[- ]by\b/i,
  co_author: /\bco-?author/i,
  no_co_author: /\bco-?author/i,
  no_sign_off: /\bsign(?:ed)?[- ]?off/i,
  change_id: /\bchange-?id\b/i,
};
const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const hasQuotedValue = (quote: string, value: string): boolean =>
  value !== '' &&
  new RegExp(`(?<![\\w-])${escapePattern(normalizeQuoteText(value))}(?![\\w-])`).test(
    normalizeQuoteText(quote),
  );

type ReportedRule = { kind: (typeof REPORTABLE_RULES)[number]; value?: string | undefined };
type Made = { rule: ContributionRule } | { problem: string };

export const parseReportedRule = (
  { kind, value: told = '' }: ReportedRule,
  { quote, line, passages }: QuotedPassage,
  file: string,
): Made => {
  const own = passages.flatMap(findPassageRules).find((found) => found.kind === kind);
  const whole = passages.map((p) => p.quote).join(' ');
  const name = told === '' ? (own?.value ?? '') : told;
  const { appliesTo } = kind === 'base_branch' ? toBaseBranchRule(whole, name) : (own ?? {});
  const toAgentRule = (value?: string): Made => ({
    rule: {
      kind,
      quote,
      file,
      line,
      ...(value === undefined ? {} : { value }),
      ...(appliesTo === undefined ? {} : { appliesTo }),
      by: 'agent',
    },
  });
  switch (kind) {
    case 'issue_first':
    case 'changelog':
    case 'commit_style': {
      const values = RULE_VALUES[kind] ?? [];
      // guard: E7-opposite-value
      if (own?.value === 'not_conventional') return toAgentRule(own.value);
      if (told === '') return toAgentRule(own?.value ?? values[0]);
      return values.includes(told)
        ? toAgentRule(told)
        : { problem: `value: is none of ${values.join(', ')}` };
    }
    case 'base_branch':
      // guard: E7-value-quoted
      return hasQuotedValue(whole, name)
        ? toAgentRule(name)
        : { problem: 'value: is no branch that those words name' };
    case 'trailer':
      return TRAILER_WORDS[told]?.test(whole)
        ? toAgentRule(told)
        : { problem: `value: is none of ${Object.keys(TRAILER_WORDS).join(', ')} that those words name` };
    case 'label_barred':
    case 'branch_name':
    case 'elsewhere':
    case 'size':
      return toAgentRule(
        hasQuotedValue(whole, told) || told === 'one_change' || told === 'not here' ? told : own?.value,
      );
    default:
      return toAgentRule(OFFERED[kind]?.includes(told) ? told : kind === 'other' ? undefined : own?.value);
  }
};

const strictnessOf = (kind: RuleKind, value = ''): number => RULE_VALUES[kind]?.indexOf(value) ?? -1;
const isSameValue = (left?: string, right?: string): boolean => left?.toLowerCase() === right?.toLowerCase();

const isBanAsked = ({ kind, value }: ContributionRule): boolean =>
  kind === 'ai_ban' ||
  (kind === 'other' && value === 'ai') ||
  (kind === 'ai_limited' && value === WHOLLY_AI_CHANGES);

/** Both readings agree: ours asks for the same, or for more. */
export const isSameOrStricter = (ours: ContributionRule, theirs: ContributionRule): boolean => {
  if (theirs.kind === 'ai_ban') return isBanAsked(ours);
  if (theirs.kind === 'other') return ours.file === theirs.file && ours.line === theirs.line;
  if (ours.kind !== theirs.kind) return false;
  switch (theirs.kind) {
    case 'issue_first':
      return (
        (ours.appliesTo === undefined || ours.appliesTo === theirs.appliesTo) &&
        strictnessOf(ours.kind, ours.value) >= strictnessOf(theirs.kind, theirs.value)
      );
    case 'commit_style':
      return theirs.value === 'other' || isSameValue(ours.value, theirs.value);
    case 'base_branch':
    case 'trailer':
    case 'language':
    case 'label_barred':
      return isSameValue(ours.value, theirs.value);
    case 'size':
      return !/^\d+$/.test(theirs.value ?? '') || isSameValue(ours.value, theirs.value);
    default:
      return true;
  }
};
