/** Policies over where a change goes, and over words that become public. */
import type { Signal } from '../../public-text.ts';
import { addedToRead } from '../../review-cost.ts';
import { deny, escalate, isChange, isWords, signalsIn, wordsOf, type Action, type Judge } from '../action.ts';
import { matches } from '../glob.ts';

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?heads\//i, '').toLowerCase();

export const noDefaultBranch: Judge = (action, context) => {
  if (!isChange(action)) return [];
  const branch = plainRef(action.branch);
  const targets = [context.defaultBranch, action.baseRef].map(plainRef);
  const guarded = targets.includes(branch) || matches(branch, context.settings.protectedBranches);
  return guarded ? [deny({ kind: 'branch_guarded', branch: action.branch })] : [];
};

/** People who do not know us yet are not sent much at once. */
const firstIsSmall: Judge = (action, { firstPull, settings }) => {
  if (action.kind !== 'open_pr' || firstPull !== true) return [];
  const lines = addedToRead(action.commit.diff);
  const limit = settings.maxFirstLines;
  return lines > limit ? [escalate({ kind: 'first_pull', lines, limit })] : [];
};

export const openPrLimit: Judge = (action, context, risk) => [
  ...tooMany(action, context, risk),
  ...firstIsSmall(action, context, risk),
];

const tooMany: Judge = (action, { openPrs, settings }) => {
  if (action.kind !== 'open_pr') return [];
  if (openPrs === null) return [escalate({ kind: 'open_pulls_unknown' })];
  if (openPrs < settings.maxOpenPrs) return [];
  return [escalate({ kind: 'open_pulls', count: openPrs, limit: settings.maxOpenPrs })];
};

/** What makes a bot merge, in words that only mention it. */
const ORDERS_MERGE =
  /@[\w-]{1,60}(?:\[bot\])?[ \t]{1,9}(?:please[ \t]{1,9})?(?:merge|squash|automerge|queue)\b/i;

/**
 * Bots read comments, and some of them merge: what a person may sign in a change is never said in a
 * comment (S8).
 */
const ordersBot = (action: Action, signal: Signal): boolean =>
  isWords(action) && (signal.kind === 'bot_command' || ORDERS_MERGE.test(action.body));

export const publicText: Judge = (action) =>
  wordsOf(action).flatMap(([where, text]) =>
    signalsIn(action, where, text).map((s) => {
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
