/** Policies over where a change goes and what the people there ask for. */
import { keepsRule } from '../../branches.ts';
import type { Contract } from '../../facts.ts';
import { CONVENTIONAL } from '../../publish.ts';
import { signals } from '../../public-text.ts';
import { headings } from '../../template.ts';
import {
  deny,
  escalate,
  note,
  wordsOf,
  type Action,
  type Command,
  type Judgement,
  type Policy,
} from '../action.ts';
import { matches } from '../paths.ts';

type Change = Exclude<Action, Command>;
type Rule = Contract['rules'][number];

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?heads\//i, '').toLowerCase();

const noDefaultBranch: Policy = {
  id: 'no-push-to-default-branch',
  judge: (action, context) => {
    if (action.kind === 'command') return [];
    const branch = plainRef(action.branch);
    const targets = [context.defaultBranch, action.baseRef].map(plainRef);
    const guarded = targets.includes(branch) || matches(branch, context.settings.protectedBranches);
    return guarded ? [deny(`${action.branch} is not a branch for changes like this`)] : [];
  },
};

const openPrLimit: Policy = {
  id: 'open-pr-limit',
  judge: (action, { openPrs, settings }) => {
    if (action.kind !== 'open_pr') return [];
    if (openPrs === null) return [escalate('how many pull requests of ours are open there is not known')];
    if (openPrs < settings.maxOpenPrs) return [];
    return [escalate(`${openPrs} pull requests of ours are open there; the limit is ${settings.maxOpenPrs}`)];
  },
};

const TRIGGERS = {
  mention: 'calls somebody',
  closing_keyword: 'would close an issue',
  skip_ci: 'would skip CI',
  bot_command: 'gives a bot a command',
  trailer: 'has a trailer that speaks for somebody',
} as const;

const publicText: Policy = {
  id: 'public-text',
  judge: (action) =>
    wordsOf(action).flatMap(([where, text]) =>
      signals(text).map((s) => escalate(`${where} ${TRIGGERS[s.kind]}: ${JSON.stringify(s.excerpt)}`)),
    ),
};

const quoted = (rule: Rule): string => `“${rule.quote.slice(0, 200)}” (${rule.file}:${rule.line})`;

const subject = (action: Change): string =>
  action.kind === 'open_pr' ? action.title : (action.commit.message.split('\n')[0] ?? '');

/** Before the pull request a person must see it; a push is only told of it. */
const atPull = (action: Change, reason: string): Judgement =>
  action.kind === 'open_pr' ? escalate(reason) : note(reason);

const ofRule = (rule: Rule, action: Change): Judgement[] => {
  switch (rule.kind) {
    case 'ai_ban':
      return [deny(`the repository does not want such changes: ${quoted(rule)}`)];
    case 'ai_disclosure':
      return action.kind === 'open_pr' && !/\bcoding agent\b/i.test(action.body)
        ? [escalate(`the description does not say that an agent made it: ${quoted(rule)}`)]
        : [note(`the description says that an agent made it: ${quoted(rule)}`)];
    case 'dco':
      return [atPull(action, `a sign-off is asked for, which only a person can give: ${quoted(rule)}`)];
    case 'cla':
      return [atPull(action, `an agreement is asked for, which only a person can sign: ${quoted(rule)}`)];
    case 'other':
      return [escalate(`a rule needs a person's reading: ${quoted(rule)}`)];
    case 'template':
    case 'branch_name':
    case 'commit_style':
      return [];
    default:
      return rule.kind satisfies never;
  }
};

const lostHeadings = (contract: Contract, action: Change): string[] => {
  if (action.kind !== 'open_pr' || contract.template === null) return [];
  const lines = new Set(action.body.split(/\r?\n/).map((l) => l.trim()));
  return headings(contract.template).filter((h) => !lines.has(h));
};

const contributionRules: Policy = {
  id: 'contribution-rules',
  judge: (action, { contract }) => {
    if (action.kind === 'command') return [];
    if (contract === null) return [escalate('the rules of the repository are not known')];
    const { branchRule, titleRule } = contract;
    const out = contract.rules.flatMap((rule) => ofRule(rule, action));
    if (branchRule !== null && !keepsRule(action.branch, branchRule))
      out.push(escalate(`the branch ${action.branch} does not keep the rule ${branchRule}`));
    if (titleRule === 'conventional' && !CONVENTIONAL.test(subject(action)))
      out.push(escalate(`the title is not a conventional commit: ${JSON.stringify(subject(action))}`));
    const lost = lostHeadings(contract, action);
    if (lost.length > 0) out.push(escalate(`the description leaves out of the template: ${lost.join(', ')}`));
    return out;
  },
};

export const targetPolicies: readonly Policy[] = [
  noDefaultBranch,
  openPrLimit,
  publicText,
  contributionRules,
];
