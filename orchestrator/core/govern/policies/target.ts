/** Policies over where a change goes and what the people there ask for. */
import { keepsRule } from '../../branches.ts';
import type { Contract } from '../../facts.ts';
import { CONVENTIONAL } from '../../publish.ts';
import { signals, type Signal } from '../../public-text.ts';
import { headings } from '../../template.ts';
import {
  deny,
  escalate,
  isChange,
  isWords,
  note,
  wordsOf,
  type Action,
  type Change,
  type Words,
  type Judgement,
  type Policy,
} from '../action.ts';
import { matches } from '../glob.ts';

type Rule = Contract['rules'][number];

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?heads\//i, '').toLowerCase();

const noDefaultBranch: Policy = {
  id: 'no-push-to-default-branch',
  judge: (action, context) => {
    if (!isChange(action)) return [];
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

/** What makes a bot merge, in words that only mention it. */
const ORDERS_MERGE =
  /@[\w-]{1,60}(?:\[bot\])?[ \t]{1,9}(?:please[ \t]{1,9})?(?:merge|squash|automerge|queue)\b/i;

/** Bots read comments, and some of them merge: what a person may sign in a change is never said in a comment (S8). */
const ordersBot = (action: Action, signal: Signal): boolean =>
  isWords(action) && (signal.kind === 'bot_command' || ORDERS_MERGE.test(action.body));

const publicText: Policy = {
  id: 'public-text',
  judge: (action) =>
    wordsOf(action).flatMap(([where, text]) =>
      signals(text).map((s) => {
        const reason = `${where} ${TRIGGERS[s.kind]}: ${JSON.stringify(s.excerpt)}`;
        return ordersBot(action, s) ? deny(`${reason}; no comment of ours may`) : escalate(reason);
      }),
    ),
};

/** The code host takes no more characters than this in one comment. */
const MOST_CHARACTERS = 65_536;

const commentLength: Policy = {
  id: 'comment-length',
  judge: (action, { settings }) => {
    if (!isWords(action)) return [];
    const { length } = action.body;
    if (action.body.trim() === '') return [deny('the comment is empty')];
    if (length > MOST_CHARACTERS) return [deny(`${length} characters are more than the code host takes`)];
    return length > settings.maxCommentLength
      ? [escalate(`${length} characters are a lot to read; the limit is ${settings.maxCommentLength}`)]
      : [];
  },
};

const commentNeedsHuman: Policy = {
  id: 'comment-needs-human',
  judge: (action) =>
    isWords(action) ? [escalate('people there read it under our name, so a person signs each comment')] : [],
};

const quoted = (rule: Rule): string => `“${rule.quote.slice(0, 200)}” (${rule.file}:${rule.line})`;

const subject = (action: Change): string =>
  action.kind === 'open_pr' ? action.title : (action.commit.message.split('\n')[0] ?? '');

/** Before the pull request a person must see it; a push is only told of it. */
const atPull = (action: Change, reason: string): Judgement =>
  action.kind === 'open_pr' ? escalate(reason) : note(reason);

const DISCLOSES = /\bcoding agent\b/i;

const ofRule = (rule: Rule, action: Change): Judgement[] => {
  switch (rule.kind) {
    case 'ai_ban':
      return [deny(`the repository does not want such changes: ${quoted(rule)}`)];
    case 'ai_disclosure':
      return action.kind === 'open_pr' && !DISCLOSES.test(action.body)
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

/** The rules that are about who speaks, not about a change. */
const ofWords = (rule: Rule, action: Words): Judgement[] => {
  if (rule.kind === 'ai_ban')
    return [deny(`the repository does not want such contributions: ${quoted(rule)}`)];
  return rule.kind === 'ai_disclosure' && !DISCLOSES.test(action.body)
    ? [escalate(`it does not say that an agent wrote it: ${quoted(rule)}`)]
    : [];
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
    if (isWords(action)) return contract.rules.flatMap((rule) => ofWords(rule, action));
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
  commentLength,
  commentNeedsHuman,
  contributionRules,
];
