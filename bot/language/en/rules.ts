/** English texts for a repository's rules and an issue's state. Plain text, not escaped. */
import type { TitleStyle } from '../../../orchestrator/model/title-format.ts';
import type { IssueStanding } from '../../../orchestrator/model/issue-standing.ts';
import type { AssessmentReasonOf } from '../../../orchestrator/model/assessment-reasons.ts';
import type { RuleKind } from '../../../orchestrator/model/contribution-rule.ts';

type Said = Omit<AssessmentReasonOf<'rule'>, 'kind'>;
type Quote = Pick<Said, 'quote' | 'file' | 'line'>;
export const enQuotedRule = ({ quote, file, line }: Quote): string => `“${quote}” (${file}:${line})`;

const trailers: Readonly<Record<string, string>> = {
  assisted_by: 'commits made with AI carry an Assisted-by line',
  co_author: 'commits made with AI name it as co-author',
  no_co_author: 'AI must not be named as co-author',
  no_sign_off: 'an agent must not sign off; a person does',
  change_id: 'commits carry a Change-Id line',
};
const issues: Readonly<Record<string, string>> = {
  open: 'an issue is wanted before a pull request',
  accepted: 'only accepted issues may get a pull request',
  assigned: 'only whoever an issue is assigned to may open a pull request',
};
const logs: Readonly<Record<string, string>> = {
  file: 'an entry in the changelog file is asked for',
  fragment: 'a changelog fragment is asked for',
  changeset: 'a changeset is asked for',
};

const others: Readonly<Record<string, string>> = {
  ai: 'this may be a ban on changes by agents',
  unread: 'rules stand in a file that could not be read',
};

const asked: Record<RuleKind, (value: string | null) => string> = {
  ai_ban: () => 'the repository does not want such changes',
  ai_limited: (value) => `AI is not wanted for ${value ?? 'some things'}`,
  ai_disclosure: () => 'the use of AI has to be disclosed',
  human_author: () => 'a person has to stand behind the change as its author: read all of it before you sign',
  human_words: () => 'the description has to be in a person’s own words',
  dco: () => 'a sign-off is asked for, which only a person can give',
  cla: () => 'an agreement is asked for, which only a person can sign',
  template: () => 'the description follows a template',
  issue_first: (value) => issues[value ?? ''] ?? 'an issue comes first',
  changelog: (value) => logs[value ?? ''] ?? 'an entry in the changelog is asked for',
  base_branch: (value) => `changes go to another branch${value === null ? '' : `, ${value}`}`,
  branch_name: (value) => `branches have a name of this form${value === null ? '' : `: ${value}`}`,
  commit_style: (value) =>
    value === 'not_conventional' ? 'titles have no type in front' : 'commits have a style of their own',
  language: (value) => `contributions are written in ${value ?? 'one language'}`,
  size: (value) =>
    Number.isFinite(Number(value ?? 'x'))
      ? `changes have at most ${value} lines`
      : value === 'one_change'
        ? 'one change for each pull request, and a small one'
        : 'pull requests are to be small',
  label_barred: (value) => `AI may not work on issues with the label ${value ?? '(see the quote)'}`,
  trailer: (value) => trailers[value ?? ''] ?? 'commits carry a trailer',
  vouch: (value) =>
    value === 'denounced'
      ? 'our account is denounced on its list of contributors'
      : `only people on a list may open pull requests, and our account is ${value === 'listed' ? 'on it' : 'not on it'}`,
  elsewhere: (value) =>
    value === null || value === 'not here'
      ? 'pull requests are not taken here'
      : `changes are sent elsewhere (${value}), not as a pull request here`,
  other: (value) => others[value ?? ''] ?? 'a rule needs a person’s reading',
};

const kept: Partial<Record<RuleKind, string>> = {
  ai_disclosure: 'the description says that an agent made it',
  issue_first: 'the issue is there and free',
  changelog: 'the change has a changelog entry',
  dco: 'the commit is signed off',
  human_words: 'the description is in a person’s own words',
  vouch: 'our account is on the list of those who may open pull requests',
};

const asking = ({ rule: kind, value }: Said): string => {
  const says = asked[kind](value);
  return value !== null && says === asked[kind](null) ? `${says} (${value})` : says;
};

export const enRule = (j: Said): string => `${asking(j)}: ${enQuotedRule(j)}`;
export const enRuleEvidence = (j: Said): string => {
  const says = j.value === null ? kept[j.rule] : undefined;
  return `${says ?? `kept as far as we see: ${asking(j)}`}: ${enQuotedRule(j)}`;
};

export const enIssueStandings: Record<IssueStanding, string> = {
  fine: 'is open and free',
  none: 'is not named',
  missing: 'does not exist',
  unread: 'could not be looked up',
  closed: 'is closed',
  taken: 'is assigned to somebody else',
  unassigned: 'is not assigned to us',
  not_accepted: 'is not marked as accepted',
};

export const enTitleStyles: Record<TitleStyle, string> = {
  conventional: 'a conventional commit',
  component: 'of the form “component: summary”',
  bracketed: 'of the form “[component] summary”',
  ticket: 'led by a ticket, which the task has to name',
  numbered: 'led by the number of its issue, which the task has to name',
  pattern: 'known to fit the pattern of CI',
};
