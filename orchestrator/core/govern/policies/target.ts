/** Policies over where a change goes and what the people there ask for. */
import { keepsRule } from '../../branches.ts';
import type { Contract } from '../../facts.ts';
import type { Judgement } from '../../judgements.ts';
import { CONVENTIONAL } from '../../publish/publish.ts';
import { signals, type Signal } from '../../public-text.ts';
import { headings } from '../../publish/template.ts';
import {
  deny,
  escalate,
  isChange,
  isWords,
  note,
  wordsOf,
  type Action,
  type Change,
  type TextAction,
  type Opinion,
  type Judge,
} from '../action.ts';
import { matches } from '../glob.ts';

type Rule = Contract['rules'][number];

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?heads\//i, '').toLowerCase();

export const noDefaultBranch: Judge = (action, context) => {
  if (!isChange(action)) return [];
  const branch = plainRef(action.branch);
  const targets = [context.defaultBranch, action.baseRef].map(plainRef);
  const guarded = targets.includes(branch) || matches(branch, context.settings.protectedBranches);
  return guarded ? [deny({ kind: 'branch_guarded', branch: action.branch })] : [];
};

export const openPrLimit: Judge = (action, { openPrs, settings }) => {
  if (action.kind !== 'open_pr') return [];
  if (openPrs === null) return [escalate({ kind: 'open_pulls_unknown' })];
  if (openPrs < settings.maxOpenPrs) return [];
  return [escalate({ kind: 'open_pulls', count: openPrs, limit: settings.maxOpenPrs })];
};

/** What makes a bot merge, in words that only mention it. */
const ORDERS_MERGE =
  /@[\w-]{1,60}(?:\[bot\])?[ \t]{1,9}(?:please[ \t]{1,9})?(?:merge|squash|automerge|queue)\b/i;

/** Bots read comments, and some of them merge: what a person may sign in a change is never said in a comment (S8). */
const ordersBot = (action: Action, signal: Signal): boolean =>
  isWords(action) && (signal.kind === 'bot_command' || ORDERS_MERGE.test(action.body));

export const publicText: Judge = (action) =>
  wordsOf(action).flatMap(([where, text]) =>
    signals(text).map((s) => {
      const never = ordersBot(action, s);
      const { kind: signal, excerpt } = s;
      return (never ? deny : escalate)({ kind: 'words_act', where, signal, excerpt, never });
    }),
  );

/** The code host takes no more characters than this in one comment. */
const MOST_CHARACTERS = 65_536;

export const commentLength: Judge = (action, { settings }) => {
  if (!isWords(action)) return [];
  const { length } = action.body;
  if (action.body.trim() === '') return [deny({ kind: 'comment_empty' })];
  if (length > MOST_CHARACTERS) return [deny({ kind: 'comment_too_long', length })];
  return length > settings.maxCommentLength
    ? [escalate({ kind: 'comment_long', length, limit: settings.maxCommentLength })]
    : [];
};

export const commentNeedsHuman: Judge = (action) =>
  isWords(action) ? [escalate({ kind: 'comment_signed' })] : [];

const quoted = ({ quote, file, line }: Rule) => ({ quote: quote.slice(0, 200), file, line });

const subject = (action: Change): string =>
  action.kind === 'open_pr' ? action.title : (action.commit.message.split('\n')[0] ?? '');

/** Before the pull request a person must see it; a push is only told of it. */
const atPull = (action: Change, reason: Judgement): Opinion =>
  action.kind === 'open_pr' ? escalate(reason) : note(reason);

const DISCLOSES = /\bcoding agent\b/i;

const ofRule = (rule: Rule, action: Change): Opinion[] => {
  switch (rule.kind) {
    case 'ai_ban':
      return [deny({ kind: 'rule_ai_ban', ...quoted(rule) })];
    case 'ai_disclosure':
      return action.kind === 'open_pr' && !DISCLOSES.test(action.body)
        ? [escalate({ kind: 'undisclosed', where: 'description', ...quoted(rule) })]
        : [note({ kind: 'disclosed', ...quoted(rule) })];
    case 'dco':
      return [atPull(action, { kind: 'rule_dco', ...quoted(rule) })];
    case 'cla':
      return [atPull(action, { kind: 'rule_cla', ...quoted(rule) })];
    case 'other':
      return [escalate({ kind: 'rule_other', ...quoted(rule) })];
    case 'template':
    case 'branch_name':
    case 'commit_style':
      return [];
    default:
      return rule.kind satisfies never;
  }
};

/** The rules that are about who speaks, not about a change. */
const ofWords = (rule: Rule, action: TextAction): Opinion[] => {
  if (rule.kind === 'ai_ban') return [deny({ kind: 'rule_ai_ban', ...quoted(rule) })];
  return rule.kind === 'ai_disclosure' && !DISCLOSES.test(action.body)
    ? [escalate({ kind: 'undisclosed', where: action.kind, ...quoted(rule) })]
    : [];
};

const lostHeadings = (contract: Contract, action: Change): string[] => {
  if (action.kind !== 'open_pr' || contract.template === null) return [];
  const lines = new Set(action.body.split(/\r?\n/).map((l) => l.trim()));
  return headings(contract.template).filter((h) => !lines.has(h));
};

export const contributionRules: Judge = (action, { contract }) => {
  if (action.kind === 'command') return [];
  if (contract === null) return [escalate({ kind: 'no_contract' })];
  if (isWords(action)) return contract.rules.flatMap((rule) => ofWords(rule, action));
  const { branchRule, titleRule } = contract;
  const out = contract.rules.flatMap((rule) => ofRule(rule, action));
  if (branchRule !== null && !keepsRule(action.branch, branchRule))
    out.push(escalate({ kind: 'branch_rule', branch: action.branch, rule: branchRule }));
  if (titleRule === 'conventional' && !CONVENTIONAL.test(subject(action)))
    out.push(escalate({ kind: 'title_rule', title: subject(action) }));
  const lost = lostHeadings(contract, action);
  if (lost.length > 0) out.push(escalate({ kind: 'template_cut', headings: lost }));
  return out;
};
